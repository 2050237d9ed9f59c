"""The truth of stories: every sentence agrees with the positions, in random games and in past errors."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import pytest

from tests.campaign.stories import NAMES
from tests.campaign.story_truth.games import play, play_case
from tests.campaign.story_truth.sentences import _patterns
from tests.campaign.story_truth.verifier import problems
from tests.counts import count
from tests.games import ledgers
from tests.games.conformance import Case, random_options
from tests.games.fate import position as fate
from tests.games.playing import Playing
from vaultkit.campaign.story import tell_scores, tell_story
from vaultkit.campaign.story_facts import GAME_FACTS, MOMENT_FACTS, StoryMoment, holds
from vaultkit.campaign.story_phrases import Phrases, load_phrases, load_schema
from vaultkit.campaign.turning_points import GameTimeline, build_timeline
from vaultkit.errors import UsageError
from vaultkit.games.game import AnyGame
from vaultkit.games.ledger import Page
from vaultkit.games.messages import Outcome, Sentence, TextTemplate
from vaultkit.games.registry import rules

GAMES = ("turn-of-fate", "dragon-citadel", "propheta", "prophets-gambit", "deck-of-destiny")


def false_sentences(game: str, seeds: Sequence[int]) -> Iterator[str]:
    for seed in seeds:
        whole = play(game, seed)
        yield from (f"{line} (seed {seed})" for line in problems(whole.record, whole.story(f"{game} {seed}")))


@pytest.mark.short(1)
@pytest.mark.parametrize("game", GAMES)
def test_no_sentence_of_a_story_is_false(game: str) -> None:
    assert not list(false_sentences(game, range(1, 1 + count(1, 500))))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_no_sentence_of_many_stories_is_false(game: str) -> None:
    assert not list(false_sentences(game, range(500, 500 + count(12, 500))))


@pytest.mark.short(1)
@pytest.mark.parametrize("game", GAMES)
def test_no_sentence_about_a_conceded_game_is_false(game: str) -> None:
    for seed in range(count(2, 100)):
        rng = Random(f"concede {game} {seed}")
        options = random_options(rules(game), rng) if seed % 2 else {}
        whole = play_case(Case(rules(game), options), rng, concede_at=rng.randrange(5, 60))
        story = whole.story(f"{game} {seed}")
        assert not problems(whole.record, story)
        conceded = whole.positions[-1].at.concessions.seats
        told = [one.render(lambda seat: f"<{seat}>", str) for one in story.sentences]
        if conceded and whole.options.get("mode") != "coop":
            assert any(f"<{conceded[0]}>" in text and ("conceded" in text or "gave" in text) for text in told), told
        if len(whole.record.outcome.winners) == 1:
            assert f"<{whole.record.outcome.winners[0]}>" in told[-1], told


def test_verdict_that_breaks_a_hand_is_told_with_the_hand_before_and_after() -> None:
    whole = play("prophets-gambit", 9)
    told = [one.render(NAMES.__getitem__, str) for one in whole.story("x").sentences]
    verdict = next(number for number, text in enumerate(told) if "killed" in text)
    assert all(words in told[verdict + 1] for words in ("Ysolde", "two Pairs, 7s and 3s", "a Fortune of 3s and 7s"))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_no_sentence_is_false_for_games_logged_by_entries_or_scores(game: str) -> None:
    found: list[str] = []
    for seed in range(count(6, 500)):
        whole = play(game, seed)
        told = [step.events for step in whole.steps]
        try:
            ledger = ledgers.write_ledger(whole.case, ledgers.Whole(whole.positions[-1], told, 0))
        except UsageError:
            continue  # the deck ran out in the middle of a round, which an entry cannot say
        own, outcome = load_phrases(game, None), ledger.result()
        course = build_timeline(ledger.start, ledger.parts, outcome, own.kinds)
        course = course if course.counts else course.without_changes()
        found += problems(whole.record, tell_story(course, outcome, own, str(seed), whole.options))
        found += problems(whole.record, tell_scores(outcome, load_phrases("scores", None), str(seed)), "scores")
    assert not found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "case", "text"),
    [
        ("vows", "ahead", "{when} {who} made the {card} one of the faithful with the {with}, for {gain}."),
        ("won-over", "other", "{when} {who} gained what {other} lost by the {card}."),
        ("opening", "any", "{players} began with a single Citizen between them, for {length}."),
        (
            "halfway",
            "any",
            "When half was over, {second} led {leader} by {lead} in {chapter} {number}, and it would have lasted.",
        ),
    ],
)
def test_the_verifier_finds_a_wrong_sentence(kind: str, case: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The verifier reports each of these false phrases."""
    own = load_phrases("turn-of-fate", None)
    wrong = Phrases({**own.by_key, (kind, case): (TextTemplate.parse(text),)}, own.cases)
    monkeypatch.setattr("tests.campaign.story_truth.sentences.load_phrases", lambda *_: wrong)
    _patterns.cache_clear()
    found = []
    for seed in range(12):
        whole = play("turn-of-fate", seed)
        told = whole.story("x", wrong)
        found += problems(whole.record, told)
    _patterns.cache_clear()
    assert found


# Turn of Fate, by positions.

KINDS = ("play", "vows", "won-over")


def strokes_of(game: Playing[Any], rules: AnyGame, moves: Callable[[], None], kinds: tuple[str, ...]) -> GameTimeline:
    """Return the key events of the moves made from here."""
    before, start = game.state.view(0), len(game.events)
    first = tuple(one.measure for one in rules.standing(before))
    moves()
    events = game.events[start:]
    after = game.state.view(0)
    page = Page(
        tuple(events), tuple(one.measure for one in rules.standing(after)), tuple(rules.facts(before, after, events))
    )
    scores = tuple({"total": int(one.measure)} for one in rules.standing(after))
    ranks = tuple(1 + sum(other["total"] > own["total"] for other in scores) for own in scores)
    outcome = Outcome(
        "no-fate", tuple(seat for seat, rank in enumerate(ranks) if rank == 1), Sentence("x"), (), scores, ranks
    )
    return build_timeline(first, [page], outcome, kinds)


def tell_last(course: GameTimeline, game: str, kind: str) -> str:
    """Return the story's sentence about the last key event of a kind, with all its alternative phrases."""
    own = load_phrases(game, None)
    outcome = Outcome("none", (), Sentence("x"), (), tuple({"total": 0} for _ in course.stands[-1][1]), (1, 2))
    only = {key: several if key[0] in {kind, "when"} else () for key, several in own.by_key.items()}
    story = tell_story(course, outcome, Phrases(only, own.cases), "x", {})
    return " ".join(one.render(NAMES.__getitem__, str) for one in story.sentences)


def test_citizen_who_leaves_the_rival_is_not_described_as_a_stronger_hold() -> None:
    """A Citizen who leaves the rival for the Agora is not told of as a strengthened hold."""
    game = fate.arrange_game(("6lk", ""), congregations=("8ms", "9lk 2wl"))
    course = strokes_of(game, fate.GAME, lambda: game.play("play 6lk 9lk"), KINDS)
    stroke = course.key_events[-1]
    assert (stroke.meaning, stroke.other, stroke.gain, stroke.loss) == ("leaves", 1, 0, 11)
    told = tell_last(course, "turn-of-fate", "play")
    assert "hold" not in told and "Bram" in told and ("in front" in told or "led by" in told), told


def test_loss_of_the_rival_without_a_new_lead_is_described_as_a_loss() -> None:
    game = fate.arrange_game(("6lk", ""), congregations=("", "9lk 2wl"))
    course = strokes_of(game, fate.GAME, lambda: game.play("play 6lk 9lk"), KINDS)
    told = tell_last(course, "turn-of-fate", "play")
    assert "11 points" in told and "Bram" in told and "lost to" not in told, told


def test_card_that_costs_the_rival_a_citizen_is_not_described_as_lost_to_the_rival() -> None:
    """A card by which the rival lost a Citizen is not told of as lost to the rival."""
    game = fate.arrange_game(("6lk", ""), congregations=("", "9lk 2wl"))
    course = strokes_of(game, fate.GAME, lambda: game.play("play 6lk 9lk"), KINDS)
    outcome = make_outcome("none", (0, 0), (1, 2))
    cards = dict(tell_story(course, outcome, load_phrases("turn-of-fate", None), "x").cards)
    assert cards["9lk"].render(NAMES.__getitem__, str).startswith("left Bram in")
    assert "cost of 11 points" in cards["9lk"].render(NAMES.__getitem__, str)


def test_citizen_from_the_agora_is_described_as_joining_and_not_as_held() -> None:
    game = fate.arrange_game(("3mw", ""), agora="4wl", congregations=("", "9lk 2wl"))
    course = strokes_of(game, fate.GAME, lambda: game.play("play 3mw 4wl"), KINDS)
    assert course.key_events[-1].meaning == "joins" and course.key_events[-1].gain == 7
    told = tell_last(course, "turn-of-fate", "play")
    assert "Agora" in told and "hold" not in told and "7 points" in told, told


def test_citizen_who_stays_is_described_as_held_and_gains_only_the_fate() -> None:
    game = fate.arrange_game(("4ms", ""), congregations=("6mw, 8ms", ""))
    course = strokes_of(game, fate.GAME, lambda: game.play("play 4ms 8ms"), KINDS)
    assert (course.key_events[-1].meaning, course.key_events[-1].gain) == ("stays", 4)
    assert "4 points" in tell_last(course, "turn-of-fate", "play")


def test_the_gain_of_a_vow_is_not_the_value_of_the_pile() -> None:
    """A vow gains the added Fate's point, not the value of the pile, and the pile is in the temple."""
    game = fate.arrange_game(("Am", ""), congregations=("6mw 9ms 8wl 5ml", "9lk Xk 8yk 9wy"))
    course = strokes_of(game, fate.GAME, lambda: game.play("play Am 6mw"), KINDS)
    assert [stroke.gain for stroke in course.key_events if stroke.event.kind == "vows"] == [1]
    told = tell_last(course, "turn-of-fate", "vows")
    assert "29" not in told and "38" not in told and "faithful" not in told, told


def test_a_citizen_who_is_won_over_costs_the_rival_less_than_it_brings() -> None:
    """A Citizen who is won over may bring more than it cost the rival, since one counts double."""
    game = fate.arrange_game(("4ms", ""), congregations=("", "6sy"))
    course = strokes_of(game, fate.GAME, lambda: game.play("play 4ms 6sy"), KINDS)
    stroke = course.key_events[-1]
    assert (stroke.event.kind, stroke.gain, stroke.loss, stroke.other) == ("won-over", 16, 6, 1)
    texts = ["".join(phrase.pieces) for phrase in load_phrases("turn-of-fate", None).by_key["won-over", "other"]]
    assert not [text for text in texts if "gained what" in text]


# Dragon Citadel, by positions.


def test_losing_party_with_won_cards_is_not_described_as_going_home_with_nothing() -> None:
    told = [
        phrase.pieces for (_, _), several in load_phrases("dragon-citadel", None).by_key.items() for phrase in several
    ]
    assert not [pieces for pieces in told if "nothing" in " ".join(pieces) and "home" in " ".join(pieces)]


@pytest.mark.parametrize("game", [*GAMES, "scores"])
def test_no_phrase_describes_hypothetical_events(game: str) -> None:
    assert ("cause", "any") not in load_phrases(game, None).by_key
    for (kind, case), several in load_phrases(game, None).by_key.items():
        for phrase in several:
            text = " ".join(phrase.pieces)
            assert "would have" not in text and "Without" not in text and not text.startswith("Had "), (kind, case)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["dragon-citadel"])
def test_earlier_events_are_not_described_after_the_end(game: str) -> None:
    ends = {
        phrase.pieces
        for (kind, _), several in load_phrases(game, None).by_key.items()
        if kind == "end"
        for phrase in several
    }
    before = [phrase.pieces[-1] for phrase in load_phrases(game, None).by_key["forfeit", "before"]]
    assert ends and before
    for seed in range(6):
        whole = play(game, seed)
        told = [one.render(str, str) for one in whole.story(str(seed)).sentences]
        last = max(
            (place for place, text in enumerate(told) if "driven out" in text or "left the table before" in text),
            default=-1,
        )
        joker = next(
            (place for place, text in enumerate(told) if "everything stopped" in text or "cut the game short" in text),
            99,
        )
        assert last < joker


def test_voluntary_forfeit_is_not_described_as_forced() -> None:
    cases = load_schema("dragon-citadel")
    assert cases["forfeit", "unable"].facts == ("is unable",) and cases["forfeit", "able"].facts == ("is able",)
    for (kind, case), several in load_phrases("dragon-citadel", None).by_key.items():
        if kind == "forfeit" and "unable" not in case:
            assert not [
                one for one in several if "could not" in " ".join(one.pieces) or "no answer" in " ".join(one.pieces)
            ]


# Scores alone.


def make_outcome(kind: str, scores: tuple[int, ...], ranks: tuple[int, ...]) -> Outcome:
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == 1)
    return Outcome(kind, winners, Sentence("x"), (), tuple({"score": score} for score in scores), ranks)


def told_by_scores(outcome: Outcome) -> str:
    story = tell_scores(outcome, load_phrases("scores", None), "x")
    return " ".join(one.render(NAMES.__getitem__, str) for one in story.sentences)


def test_winners_with_one_and_two_points_are_not_described_as_level() -> None:
    told = told_by_scores(make_outcome("score", (1, 2, 0), (1, 1, 3)))
    assert "Ysolde and Bram" in told and "level" not in told and "Nothing separated" not in told


def test_win_decided_by_more_than_scores_has_no_margin() -> None:
    two, three = make_outcome("winner", (3, 9), (1, 2)), make_outcome("score", (3, 9, 5), (1, 2, 3))
    assert "Ysolde" in told_by_scores(two) and "point" not in told_by_scores(two)
    assert told_by_scores(three).count("point") == 1 and "5 points" in told_by_scores(three)
    assert told_by_scores(three).index("Sefa") < told_by_scores(three).index("Ysolde")


def test_two_against_zero_is_not_a_clear_win_at_low_scores() -> None:
    assert "clear" not in told_by_scores(make_outcome("score", (0, 1, 9), (1, 2, 3)))


# What is declared.


@pytest.mark.parametrize("game", [*GAMES, "scores"])
def test_every_shipped_phrase_has_a_case_with_its_places_and_known_facts(game: str) -> None:
    cases = load_schema(game)
    for key, several in load_phrases(game, None).by_key.items():
        assert all(set(phrase.fields) <= cases[key].places for phrase in several), key
        assert all(fact.split()[0] in {*GAME_FACTS, *MOMENT_FACTS} for fact in cases[key].facts)


def test_phrase_of_the_vault_is_used_only_where_its_facts_apply() -> None:
    """A phrase of a vault under [play] any needs a gain, which a Citizen who leaves for the Agora does not bring."""
    game = fate.arrange_game(("6lk", ""), congregations=("", "9lk 2wl"))
    course = strokes_of(game, fate.GAME, lambda: game.play("play 6lk 9lk"), KINDS)
    own = Phrases(
        {("play", "any"): (TextTemplate.parse("{who} made more of the {with}."),)}, load_schema("turn-of-fate")
    )
    assert not tell_story(course, make_outcome("none", (0, 0), (1, 2)), own, "x").sentences
    moment = StoryMoment([course.key_events[-1]], course)
    assert holds("is leaves", moment) and holds("loss", moment) and not holds("gain", moment)
