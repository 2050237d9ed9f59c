"""Entries at the prompt: `hint`, `who`, `why`, mistakes, and moves chosen in two steps."""

from pathlib import Path
from random import Random

import pytest

from tests.terminal.helpers import Notes, person, screen, screen_text
from tests.terminal.playing import play
from tests.terminal.refereed import NAMES, begin
from tests.wording import Says
from vaultkit.bots.registry import make_bot
from vaultkit.scene.consequence_text import sentences
from vaultkit.scene.move_input import LetterBook
from vaultkit.scene.scene import scene_of_seat
from vaultkit.search.passages import Passage
from vaultkit.session import Session
from vaultkit.terminal.styles import terminal_style


def play_until(session: Session, verb: str, moves: int = 1) -> None:
    """Play greedy moves until a prompt offers at least `moves` moves, the first of them with this verb."""
    rng = Random(1)
    while list(session.advance()) is not None:
        assert session.prompt
        if session.prompt.moves[0].verb == verb and len(session.prompt.moves) >= moves:
            return
        session.submit(make_bot("greedy").choose(session.view(session.prompt.seat), session.game, rng))


def type_lines(session: Session, *lines: str, plain: bool = False) -> str:
    """Return what the screen shows after these lines, as one line of text."""
    console = screen()
    play(session, console, person(console, *lines), Notes(), terminal_style(console, session.deck, plain=plain))
    return " ".join(screen_text(console).split())


@pytest.mark.slow
def test_hint_is_the_move_of_a_hard_bot_with_the_standing_and_plays_nothing(tmp_path: Path) -> None:
    with begin(tmp_path, "dragon-citadel", NAMES[:3], real=False) as session:
        play_until(session, "play", 3)
        assert session.prompt
        steps, bots = (
            len(session.steps),
            make_bot("hard").choose(session.view(session.prompt.seat), session.game, Random(len(session.steps))),
        )
        seen = type_lines(session, "hint", plain=True)
        assert session.game.label(bots).render(session.name, lambda card: session.deck[card].title) in seen[-600:]
        assert seen[-600:].count(" points") >= 3
        assert len(session.steps) == steps


def test_who_command_shows_the_standing_of_everybody(tmp_path: Path) -> None:
    with begin(tmp_path, "dragon-citadel", NAMES[:3], real=False) as session:
        play_until(session, "play", 3)
        for _ in range(6):
            session.submit(session.prompt.moves[0]) if session.prompt else None
            list(session.advance())
        seen = type_lines(session, "who", plain=True)
        assert all(f"{name}: " in seen for name in NAMES[:3]) and " points, " in seen


def test_unplayable_card_gets_its_one_reason(tmp_path: Path) -> None:
    with begin(tmp_path, "dragon-citadel", NAMES[:3], real=False) as session:
        play_until(session, "play", 3)
        assert session.prompt
        scene = scene_of_seat(session, session.prompt.seat)
        card, reason = next(iter(scene.refusals.items()))
        said = reason.render(session.name, lambda one: session.deck[one].title)
        name = session.deck[card].name
        for line in (name, f"why {name}"):
            seen = type_lines(session, line, plain=True)
            assert seen.count(said) == 1 and "Press Enter for the moves" not in seen
        can = session.deck[session.prompt.moves[0].operands[0]].name
        seen = type_lines(session, f"why {can}", plain=True)[-500:]
        rule = ", ".join((session.prompt.rule, *session.prompt.rulings[:1]))
        assert f"Play the {can}" in seen and f"No rule forbids it now: {rule}" in seen


def test_why_with_a_word_for_many_cards_asks_which_is_meant(tmp_path: Path) -> None:
    with begin(tmp_path, "propheta", NAMES[:2], real=False) as session:
        list(session.advance())
        seen = type_lines(session, "", "why ribbon", plain=True)
        assert "'ribbon' could be: " in seen and "Name one: why " in seen and "No rule forbids it now" not in seen
        name = seen.partition("could be: ")[2].partition(";")[0]
        seen = type_lines(session, "", f"why {name}", plain=True)
        assert "could be: " not in seen and f"Lay the {name}" in seen and "No rule forbids it now" in seen


def test_wrong_entry_is_explained_with_the_nearest_name(tmp_path: Path) -> None:
    with begin(tmp_path, "prophets-gambit", NAMES[:3], real=False) as session:
        play_until(session, "show")
        assert session.prompt
        name = session.deck[session.prompt.moves[0].operands[0]].name
        slip = f"{name[:-2]}{name[-1]}"
        assert f"'{slip}' is not a move here. Did you mean '{name}" in type_lines(session, "", slip)
        assert type_lines(session, "", "why wombat") == Says("wombat", "not", "card")


@pytest.mark.slow
def test_a_move_with_two_cards_is_asked_for_in_two_steps(tmp_path: Path) -> None:
    with begin(tmp_path, "turn-of-fate", NAMES[:2], real=False, seed=3) as session:
        play_until(session, "play", 10)
        steps = len(session.steps)
        first = next(move for move in session.prompt.moves if len(move.operands) == 2) if session.prompt else None
        assert first
        card = session.deck[first.operands[0]]
        seen = type_lines(session, "", card.name, "u", card.name, session.deck[first.operands[1]].name)
        assert seen.count("; Enter goes back to all moves.") >= 2 and session.steps[steps].move.operands[0] == card.id


@pytest.mark.slow
def test_second_letter_alone_is_explained_and_no_hand_card_has_it(tmp_path: Path) -> None:
    with begin(tmp_path, "turn-of-fate", NAMES[:2], real=False, seed=3) as session:
        play_until(session, "play", 10)
        assert session.prompt
        scene, book = scene_of_seat(session, session.prompt.seat), LetterBook()
        codes = book.assign(scene, book.sort(scene))
        pairs = [code for code in codes if len(code) == 2]
        assert pairs and not {code[1] for code in pairs} & {code[0] for code in codes}
        pair = next(code for code in pairs if code[1] == pairs[-1][1])
        assert f"type both, as in {pair}." in type_lines(session, "", pair[1])


@pytest.mark.slow
def test_card_in_question_is_meant_before_others_and_many_are_only_listed(tmp_path: Path) -> None:
    with begin(tmp_path, "deck-of-destiny", NAMES[:1], real=False, seed=5) as session:
        list(session.advance())
        seen = type_lines(session, "? q", "? k", "? Q♣")
    assert "could be: queen-spades; queen-hearts; queen-diamonds; queen-clubs. Name one: ? queen-spades" in seen
    assert "Text of king-diamonds" in seen and "king-spades" not in seen, "only one is held"
    assert "Text of queen-clubs" in seen.split("? Q♣")[1]


def test_plain_output_lists_every_consequence_on_its_own_line(tmp_path: Path) -> None:
    with begin(tmp_path, "dragon-citadel", NAMES[:3], real=False) as session:
        play_until(session, "play", 3)
        assert session.prompt
        scene = scene_of_seat(session, session.prompt.seat)
        seen = type_lines(session, plain=True)
        for offer in scene.offers:
            for sentence in (offer.label, *sentences(offer)):
                assert sentence.render(session.name, lambda card: session.deck[card].title) in seen
        assert seen.isascii()


def test_card_name_that_is_not_a_move_shows_the_card(tmp_path: Path) -> None:
    with begin(tmp_path, "prophets-gambit", NAMES[:3], real=False) as session:
        play_until(session, "show")
        seen, slip = (type_lines(session, "", word, plain=True) for word in ("raven", "zxy"))
        assert seen == Says("No move", "with the Raven") and "Answer to raven." in seen
        assert slip == Says("'zxy' is not a move") and " to zxy." not in slip


def _play_until_crowns(session: Session) -> tuple[list[str], list[str]]:
    """Play until the party may play a Crown; return the offered Crowns and those that nobody holds."""
    rng = Random(3)
    for _ in range(400):
        list(session.advance())
        assert session.prompt
        crowns = [card.id for card in session.deck if card.rank is None]
        offered = [card for card in crowns if any(card in move.operands for move in session.prompt.moves)]
        if offered and session.prompt.moves[0].verb == "play" and session.prompt.party:
            held = {card for hand in session.view(0).at.hands for card in hand}
            lying = {card for zone in session.game.table(session.view(0)) for card in zone.cards}
            return offered, [card for card in crowns if card not in held | lying]
        session.submit(make_bot("greedy").choose(session.view(session.prompt.seat), session.game, rng))
    raise AssertionError("no Crown was offered")


@pytest.mark.slow
def test_crown_in_no_hand_cannot_be_played_and_is_not_another_crown(tmp_path: Path) -> None:
    with begin(tmp_path, "dragon-citadel", NAMES[:3], real=False) as session:
        offered, missing = _play_until_crowns(session)
        assert offered and missing
        for card in missing:
            name = session.deck[card].name
            for word in (name.lower(), name.upper(), f"the {name}", f"  {name} "):
                seen = type_lines(session, word, plain=True)
                assert f"Nobody can play the {name} now." in seen and "could be" not in seen
            assert f"Nobody can play the {name} now." in type_lines(session, f"why {name.lower()}", plain=True)
        assert "Did you mean" in type_lines(session, f"{session.deck[missing[0]].name[:-1]}zz", plain=True)


def test_numbered_card_in_no_hand_gets_the_same_words(tmp_path: Path) -> None:
    with begin(tmp_path, "dragon-citadel", NAMES[:3], real=False) as session:
        play_until(session, "play", 2)
        assert session.prompt
        known = {card for hand in session.view(0).at.hands for card in hand}
        card = next(card for card in session.deck if card.rank == 5 and card.id not in known)
        seen = type_lines(session, card.name.lower(), plain=True)
        assert f"Nobody can play the {card.title} now." in seen


def test_answer_is_shown_whole_in_pages_of_the_screen(tmp_path: Path) -> None:
    passages = [Passage(f"Part {part}", "\n".join(f"line {part}.{line}" for line in range(30))) for part in (1, 2)]
    passages.append(Passage("Part 3", "a line of it", whole="a line of it, and more"))

    class Books(Notes):
        def ask(self, words: str) -> tuple[Passage, ...]:
            return (*passages,)

    console = screen()
    with begin(tmp_path, "dragon-citadel", NAMES[:3], real=False) as session:
        typed = ["more", "ask it", *["more"] * 5]
        play(session, console, person(console, *typed), Books(), terminal_style(console, session.deck))
    first, *pages = screen_text(console).split("ask it")[1].split("› more")
    assert "There is no more. Ask something first" in screen_text(console).split("ask it")[0]
    assert all(len(page.strip("\n").splitlines()) <= console.height - 1 for page in (first, *pages[:-1]))
    lines = [line.strip() for line in "\n".join([first, *pages]).splitlines()]
    assert all(lines.count(f"line {part}.{line}") == 1 for part in (1, 2) for line in range(30))
    assert "more: 4 pages" in first and "a line of it, and more" in pages[3] and "There is no more." in pages[4]
