"""Games refereed while the real deck lies on the table: the same cards come to the same end as in the app."""

import io
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text

from tests.play.helpers import Notes, person, screen, shown
from vaultkit.bots.registry import make
from vaultkit.cards.known import known_deck
from vaultkit.errors import UsageError
from vaultkit.games import registry
from vaultkit.games.turn import Chance, IllegalMove, Move, Pile
from vaultkit.play import rerun
from vaultkit.play.card_names import meant, spellings
from vaultkit.play.completing import completions
from vaultkit.play.line import play
from vaultkit.play.real_cards import refereed
from vaultkit.session import Session, Step, parse_seats
from vaultkit.session.journal import read
from vaultkit.session.options import settle
from vaultkit.session.replay import replay
from vaultkit.session.undo import UndoRefused

NOON = datetime(2026, 11, 3, 12, 0, tzinfo=UTC)
NAMES = ("Ysolde", "Bram", "Sefa", "Odhran", "Nettle")
GAMES = {"prophets-gambit": 3, "deck-of-destiny": 1, "propheta": 2, "turn-of-fate": 2, "dragon-citadel": 3}


def deck_of(game: str) -> Any:
    deck = known_deck(registry.find(game).deck)
    assert deck
    return deck


def begin(
    folder: Path, game: str, seats: Sequence[str], *, real: bool = True, seed: int = 1, **options: Any
) -> Session:
    rules, specs = registry.rules(game), parse_seats(seats)
    unseen = refereed(game, settle(rules, options), specs).unseen if real else ()
    name = f"20261103-{game}-{'real' if real else 'sham'}"
    return Session.create(
        folder, rules, deck_of(game), specs, id=name, seed=seed, clock=lambda: NOON, bots=make,
        options=options, real_cards=real, unseen=unseen,
    )  # fmt: skip


def resume(session: Session) -> Session:
    session.close()
    return Session.resume(session.path, session.game, session.deck, clock=lambda: NOON, bots=make)


class Table:
    """People at a table on which the game `truth` is played. They say what lies there, each time in other words."""

    def __init__(self, session: Session, truth: Sequence[Step], rng: Random) -> None:
        self.session, self.truth, self.rng = session, truth, rng
        self.passed: list[str] = []

    def answer(self, question: Text, about: str, words: Sequence[str] = ()) -> str:
        if "stayed face down" in question.plain:
            seat = next(at for at, name in enumerate(NAMES) if question.plain.startswith(name))
            left = [event for event in self.truth[-1].events if event.kind == "in-vain" and event.seat == seat]
            return ", ".join(self.named(card) for card in left[0].cards)
        step = self.truth[len(self.session.steps)]
        if step.chance:
            return ", ".join(self.named(word) for word in step.move.operands)
        if self.session.header.unseen:
            return self.named(step.move.operands[0]) if step.move.operands else "nothing"
        return step.move.id

    def named(self, word: str) -> str:
        card = self.session.deck.by_id.get(word)
        if card is None:
            return NAMES[int(word)] if word.isdecimal() else word
        forms = [card.id, card.name, card.title, f"the {card.name.upper()}"]
        return self.rng.choice(forms)

    def pause(self, text: Text) -> str:
        self.passed.append(text.plain)
        return ""

    def sure(self, question: Text, again: str) -> bool:
        return True

    def refuse(self, message: str, hint: str) -> bool:
        raise AssertionError(message)


def truth(folder: Path, game: str, seats: int, seed: int, **options: Any) -> Session:
    """A whole game of bots, dealt by the app."""
    with begin(folder, game, ["bot:random"] * seats, real=False, seed=seed, **options) as session:
        for _ in session.advance():
            pass
    return session


def refereed_game(folder: Path, game: str, seats: int, seed: int, **options: Any) -> tuple[Session, str]:
    sham, console = truth(folder, game, seats, seed, **options), screen(200)
    with begin(folder, game, NAMES[:seats], **options) as session:
        play(session, console, Table(session, sham.steps, Random(seed)), Notes())
    assert session.outcome and session.outcome == sham.outcome
    assert len(session.steps) == len(sham.steps)
    return session, shown(console)


@pytest.mark.parametrize("game", GAMES)
def test_the_same_cards_lead_to_the_same_result(tmp_path: Path, game: str) -> None:
    session, seen = refereed_game(tmp_path, game, GAMES[game], seed=3)
    contents, steps = replay(session.path, session.game, session.deck)
    assert contents.header.real_cards and steps == session.steps
    assert "real cards" in seen and "The end" in seen and "seed" not in seen


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("propheta", 3, {}),
        ("propheta", 4, {"reveal": "simultaneous"}),
        ("dragon-citadel", 3, {"mode": "competitive"}),
        ("dragon-citadel", 3, {"dealer": "hand-of-5"}),
        ("prophets-gambit", 5, {}),
    ],
)
def test_house_rules_are_refereed_as_well(tmp_path: Path, game: str, seats: int, options: dict[str, Any]) -> None:
    for seed in (5, 6, 7):
        refereed_game(tmp_path / str(seed), game, seats, seed, **options)


@pytest.mark.parametrize(
    ("deck", "typed", "cards"),
    [
        ("tarokka", "6 swords", ["6-swords"]),
        ("tarokka", "six of SWORDS", ["6-swords"]),
        ("tarokka", "6sw", ["6-swords"]),
        ("tarokka", "6s", ["6-swords", "6-stars"]),
        ("tarokka", "the Raven", ["raven"]),
        ("tarokka", "mc", ["master-coins"]),
        ("tarokka", "hooded", ["7-swords"]),
        ("tarokka", "mer", ["4-swords", "4-coins"]),
        ("tarokka", "merchant", ["4-coins"]),
        ("tarokka", "nonsense", []),
        ("tarokka", " , ", []),
        ("decktet", "merchant", ["9lk"]),
        ("decktet", "2SY", ["2sy"]),
        ("decktet", "crown wyrms", ["Xy"]),
        ("astromancy", "aries scrap", ["aries-scrap-1"]),
        ("astromancy", "gem 0", ["gemini-number"]),
        ("french52", "10h", ["10-hearts"]),
        ("french52", "qs", ["queen-spades"]),
    ],
)
def test_a_card_goes_by_name_number_code_or_enough_of_them(deck: str, typed: str, cards: list[str]) -> None:
    known = known_deck(deck)
    assert known and [card.id for card in meant(typed, known, known.by_id)] == cards


def test_of_what_is_alike_the_next_one_in_the_pile_is_meant() -> None:
    deck = deck_of("propheta")
    assert [card.id for card in meant("aries scrap", deck, {"aries-scrap-2", "gemini-number"})] == ["aries-scrap-2"]


@given(st.sampled_from(["tarokka", "decktet", "astromancy", "french52"]), st.text(max_size=12))
def test_any_text_means_cards_of_the_deck_or_none(deck: str, typed: str) -> None:
    known = known_deck(deck)
    assert known and set(meant(typed, known, known.by_id)) <= set(known.cards)


@given(st.sampled_from(["tarokka", "decktet", "french52"]))
def test_every_completion_means_one_card(deck: str) -> None:
    known = known_deck(deck)
    assert known
    for words in spellings(known, known.by_id):
        assert len(meant(words, known, known.by_id)) == 1, words


def test_completion_begins_anew_after_a_comma() -> None:
    words = ("Raven", "Rogue", "6 Swords")
    assert completions("ra", words) == ["Raven"]
    assert completions(" R", words) == [" Raven", " Rogue"]


HANDS = (
    "raven, 6 swords, 7 swords, 1 swords, merchant",
    "2sw, 3sw, 4sw, 5sw, 8sw",
    "9sw, wizard, 1st, 2st, 3st",
)


def citadel(folder: Path, *typed: str, **options: Any) -> tuple[Session, str]:
    console = screen(200)
    with begin(folder, "dragon-citadel", NAMES[:3], **options) as session:
        play(session, console, person(console, *typed), Notes())
    return session, shown(console)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("berserker", "The Berserker (6 of Swords) cannot be there. It was seen last: Ysolde draws Raven"),
        ("ghost, donjon", "You named 2 cards, and only one card is wanted."),
        ("e", "'e' could be: Elementalist"),
        ("wombat", "'wombat' is no card of"),
        ("", "Say what lies on the table, or type help."),
    ],
)
def test_a_wrong_or_repeated_card_is_refused_with_why(tmp_path: Path, typed: str, said: str) -> None:
    session, seen = citadel(tmp_path, *HANDS, typed, "ghost", "q")
    assert said in seen
    assert session.steps[3].move.id == "draw ghost"


def test_a_card_named_twice_in_one_hand_is_refused(tmp_path: Path) -> None:
    _, seen = citadel(tmp_path, "raven, ghost, raven")
    assert "You have named the Raven already." in seen


def test_prophecies_that_stayed_face_down_may_be_named_one_by_one(tmp_path: Path) -> None:
    sham = truth(tmp_path, "propheta", 2, 3)
    asked: list[str] = []

    class Slow(Table):
        left: tuple[str, ...] = ()

        def answer(self, question: Text, about: str, words: Sequence[str] = ()) -> str:
            if "stayed face down" in question.plain:
                self.left = tuple(super().answer(question, about, words).split(", "))
            elif " more" not in question.plain:
                return super().answer(question, about, words)
            asked.append(question.plain)
            first, self.left = self.left[0], self.left[1:]
            return first

    with begin(tmp_path, "propheta", NAMES[:2]) as session:
        play(session, screen(200), Slow(session, sham.steps, Random(3)), Notes())
    assert session.outcome == sham.outcome and any(" more: " in question for question in asked)


def test_several_cards_need_no_commas(tmp_path: Path) -> None:
    session, _ = citadel(tmp_path, "raven 2sw 3sw merchant tax coll", "q")
    assert session.steps[0].move.operands == ("raven", "2-swords", "3-swords", "4-coins", "8-coins")
    _, seen = citadel(tmp_path / "2", "raven 2sw wombat")
    assert "'raven 2sw wombat' is no card of" in seen


def test_a_refusal_tells_nobody_where_a_hidden_card_is(tmp_path: Path) -> None:
    console = screen(200)
    lines = ["Ysolde", "9-coins", "", "raven", "8-coins", "", "8-coins", "7-coins", "", "9-coins", "q"]
    with begin(tmp_path, "prophets-gambit", NAMES[:3]) as session:
        play(session, console, person(console, *lines), Notes())
    seen = shown(console)
    refused = [line for line in seen.splitlines() if "cannot be there" in line]
    assert [line.partition(" cannot be there.")[2] for line in refused] == [
        " If it is, a card was misnamed before: u takes back the last one.",
        " If it is, a card was misnamed before: u takes back the last one.",
        " It was seen last: Bram turns the Focus: the Miser (9 of Coins).",
    ], "the Raven lies in the High Deck, 8-coins in a rival's hand, and 9-coins open"


def test_a_misnamed_card_that_was_played_is_taken_back_at_the_next_card(tmp_path: Path) -> None:
    sham = truth(tmp_path, "prophets-gambit", 3, 3)

    class Doubtful(Table):
        doubted = False

        def answer(self, question: Text, about: str, words: Sequence[str] = ()) -> str:
            steps = self.session.steps
            if steps and steps[-1].move.verb == "risk" and not self.doubted:
                self.doubted = True
                return "u"
            return super().answer(question, about, words)

    console = screen(200)
    with begin(tmp_path, "prophets-gambit", NAMES[:3]) as session:
        play(session, console, Doubtful(session, sham.steps, Random(3)), Notes())
    assert session.outcome == sham.outcome and shown(console).count("Taken back.") == 1


def test_a_hand_may_be_named_card_by_card(tmp_path: Path) -> None:
    session, seen = citadel(tmp_path, "raven", "6sw, 7sw", "u", "8sw", "1sw, merchant", "q")
    assert "4 more: " in seen and "Not the Hooded One (7 of Swords)." in seen
    assert session.steps[0].move.operands == ("raven", "6-swords", "8-swords", "1-swords", "4-coins")


def test_a_mistyped_card_is_taken_back_and_named_anew(tmp_path: Path) -> None:
    session, seen = citadel(tmp_path, *HANDS, "3 glyphs", "u", "4 glyphs", "q")
    assert "Taken back." in seen
    assert session.steps[3].move.id == "draw 4-glyphs" and not session.free_undos
    again = resume(session)
    assert again.steps == session.steps
    again.close()


def test_g_8_naming_a_card_anew_takes_no_decision_back(tmp_path: Path) -> None:
    with begin(tmp_path, "dragon-citadel", NAMES[:3]) as session:
        hands = [meant(name, session.deck, session.deck.by_id)[0].id for hand in HANDS for name in hand.split(",")]
        for seat in range(3):
            session.submit(_drawn(*hands[5 * seat : 5 * seat + 5]))
        session.submit(_drawn("4-glyphs"))
        prompt = session.prompt
        assert prompt
        session.submit(prompt.moves[0])
        while session.prompt:
            session.submit(session.prompt.moves[0])
        turn = session.turn
        assert isinstance(turn, Chance)
        session.submit(_drawn(*turn.pile.unknown[: turn.count]))
        assert session.correct()
        with pytest.raises(UndoRefused, match="a card was named after it"):
            session.undo(prompt.seat)
        resumed = resume(session)
        with pytest.raises(UndoRefused, match="a card was named after it"):
            resumed.undo(prompt.seat)
        resumed.close()


def _drawn(*cards: str) -> Any:
    from vaultkit.games.turn import drawn

    return drawn(*cards)


def test_help_log_rule_and_a_cards_text_are_at_hand(tmp_path: Path) -> None:
    _, seen = citadel(tmp_path, *HANDS, "help", "l", "?", "? raven", "h", "", "q")
    assert "Tab completes it" in seen and "Text of raven." in seen and "Rule DC-2" in seen
    assert seen.count("Ysolde draws Raven") == 2 and "Hidden. Press Enter" in seen


def test_hidden_cards_are_typed_behind_the_mask_and_no_rival_hears_of_them(tmp_path: Path) -> None:
    console = Console(file=io.StringIO(), width=200, height=60, force_terminal=True, color_system=None)
    console._environ = {"TERM": "xterm"}
    steps = truth(tmp_path, "turn-of-fate", 2, 3).steps
    steps = steps[: next(at for at, step in enumerate(steps) if step.seat is not None)]
    with begin(tmp_path, "turn-of-fate", NAMES[:2]) as session:
        table = Table(session, steps, Random(1))
        with pytest.raises(IndexError):
            play(session, console, table, Notes())
    kept = re.sub(r"\x1b\[\?1049h.*?\x1b\[\?1049l", "", shown(console), flags=re.S)
    assert {"Pass the screen to Ysolde, then press Enter. ", "Pass the screen to Bram, then press Enter. "} == set(
        table.passed
    )
    assert "draws a Fate" in kept
    for step in steps:
        for card in step.move.operands if step.chance == "fate" else ():
            assert session.deck[card].name not in kept


def test_in_propheta_nobody_is_asked_for_a_hand(tmp_path: Path) -> None:
    console = screen(200)
    lines = ["Ysolde", "aries ram", "aries ram", "q"]
    with begin(tmp_path, "propheta", NAMES[:2]) as session:
        play(session, console, person(console, *lines), Notes())
        seen = shown(console)
        assert "Ysolde leads" in seen and "Your hand" not in seen and "cannot be checked" in seen
        assert "The Aries Ram cannot be there. It was seen last: " in seen


def test_propheta_refuses_a_prophecy_that_was_not_fulfilled(tmp_path: Path) -> None:
    console = screen(200)
    lines = ["Ysolde", "play aries ram", "cancer crab", "taurus bull", "nothing", "nothing", "u", "u", "nothing", "q"]
    with begin(tmp_path, "propheta", NAMES[:2]) as session:
        play(session, console, person(console, *lines), Notes())
        assert "that cannot be now (VA-11" in shown(console) and "Rule Prophecies" in shown(console)
        assert session.steps[-1].move.id == "pass"
        swaps = [line for line in read(session.path).lines if line.entry.swap]
        again = resume(session)
        assert again.steps == session.steps and swaps
        again.close()


def test_a_card_that_all_have_seen_takes_nobody_elses_place(tmp_path: Path) -> None:
    with begin(tmp_path, "propheta", NAMES[:2]) as session:
        for _ in session.advance():
            pass
        session.submit(_drawn("0"))
        ram = Move("play", ("aries-animal",))
        assert session.place(ram)
        session.submit(ram)
        assert session.seen_by_all == {"aries-animal"} and not session.place(ram)
        mine, theirs = session.steps[0].move.operands, session.steps[1].move.operands
        assert "aries-animal" in mine and not set(mine) & set(theirs)


def test_undo_off_still_lets_a_card_be_named_anew(tmp_path: Path) -> None:
    session, seen = citadel(tmp_path, *HANDS, "5 stars", "u", "4 stars", "a", "u", "q", undo="off")
    assert seen.count("Taken back.") == 1 and "played without undo" in seen
    assert session.steps[3].move.id == "draw 4-stars"


def test_the_card_that_ends_the_game_is_asked_about_again(tmp_path: Path) -> None:
    steps = truth(tmp_path, "deck-of-destiny", 1, 3, reward="none").steps
    asked: list[str] = []

    class Doubtful(Table):
        def sure(self, question: Text, again: str) -> bool:
            asked.append(question.plain)
            return len(asked) > 1

    with begin(tmp_path, "deck-of-destiny", NAMES[:1], reward="none") as session:
        play(session, screen(200), Doubtful(session, steps, Random(1)), Notes())
    assert any("ends the game" in question for question in asked)


@pytest.mark.parametrize(
    ("game", "option"), [("propheta", "follow=element"), ("propheta", "leak_guard=false"), ("propheta", "target=20")]
)
def test_what_cannot_be_refereed_is_refused_with_why(tmp_path: Path, game: str, option: str) -> None:
    key, _, value = option.partition("=")
    with pytest.raises(UsageError, match=f"With real cards '{option}' cannot be refereed"):
        begin(tmp_path, game, NAMES[:2], **dict[str, Any]({key: value}))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("game", ["propheta", "turn-of-fate"])
def test_no_bot_holds_hidden_real_cards(tmp_path: Path, game: str) -> None:
    with pytest.raises(UsageError, match="cannot hold real cards"):
        begin(tmp_path, game, ["Ysolde", "bot:greedy"])


def test_bots_play_with_open_real_cards(tmp_path: Path) -> None:
    console = screen(200)
    with begin(tmp_path, "dragon-citadel", ["Ysolde", "bot:greedy", "bot:greedy"]) as session:
        play(session, console, person(console, *HANDS, "4 glyphs", "q"), Notes())
    assert "The game is saved." in shown(console)


def test_a_replay_says_that_real_cards_were_used(tmp_path: Path) -> None:
    session, _ = citadel(tmp_path, *HANDS, "q")
    console = screen(200)
    contents, steps = replay(session.path, session.game, session.deck)
    rerun.show(console, session.game, session.deck, contents, steps)
    assert "Played with real cards" in shown(console)


def test_a_known_bottom_comes_last_and_in_order(tmp_path: Path) -> None:
    from vaultkit.play.look import Look
    from vaultkit.play.naming import Naming
    from vaultkit.play.speaking import Speaker

    with begin(tmp_path, "dragon-citadel", NAMES[:3]) as session:
        naming = Naming(session, Speaker(session.name, session.deck, Look(plain=True)), session.people)
        pile = Pile(("raven",), ("ghost", "donjon"))
        assert naming.cards("raven, ghost", pile) == ("raven", "ghost")
        for typed in ("ghost", "raven, donjon"):
            with pytest.raises(IllegalMove, match="at the bottom of the pile"):
                naming.cards(typed, pile)
