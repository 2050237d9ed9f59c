"""Stories of games in a row differ, and no story repeats a name, a card or a fact where it can be told without."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from tests.campaign.stories import GAMES, NAMES, NOON, SEATS, play_game
from tests.campaign.story_truth.games import play
from tests.campaign.test_story import FILES, NUMBERS
from tests.counts import count
from tests.sessions import create_session
from vaultkit.bots.registry import make_bot
from vaultkit.campaign.phrase_choice import MIN_TURN_COUNT, ONCE_KINDS, Phrasing, _fill
from vaultkit.campaign.result import GameResult, Sources, from_session
from vaultkit.campaign.story_facts import describe_hand
from vaultkit.campaign.story_phrases import Phrases, load_phrases
from vaultkit.cards.deck import known_deck
from vaultkit.games import registry
from vaultkit.games.messages import Sentence, TextTemplate
from vaultkit.session import SeatSpec
from vaultkit.text import join_words

MAX_LIKENESS = 0.8
"""The highest share of equal letters in two phrases that take turns, without their fields."""


def form(sentence: Sentence) -> str:
    """Return a sentence with placeholders for names, cards, numbers and hands."""
    text = NUMBERS.sub("#", sentence.render(lambda _: "NAME", lambda _: "CARD"))
    names = re.sub(r"NAME(?:, NAME)* and NAME", "NAME", text)
    return re.sub(
        r"(?i)an? (?:pair|triple|circle|fortune|village|guild|family)[^.,;:]*|two pairs[^.,;:]*", "HAND", names
    )


def repeated(texts: Iterable[str]) -> list[str]:
    seen = list(texts)
    return sorted({text for text in seen if seen.count(text) > 1})


def check_variety(results: Iterable[GameResult]) -> None:
    openings, ends = zip(*((form(result.story[0]), form(result.story[-1])) for result in results), strict=True)
    assert not repeated(openings) and not repeated(ends), (openings, ends)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("first_seed", [11, 40])
def test_no_opening_and_no_end_of_ten_games_in_a_row_is_told_twice(game: str, first_seed: int, tmp_path: Path) -> None:
    check_variety([play_game(tmp_path, game, seed) for seed in range(first_seed, first_seed + 10)])


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES[1:4])
def test_no_opening_and_no_end_is_told_twice_in_a_match_and_the_games_around_it(game: str, tmp_path: Path) -> None:
    rules, results = registry.rules(game), [play_game(tmp_path, game, seed) for seed in range(3)]
    deck, seats = known_deck(rules.deck), [SeatSpec(name, "greedy") for name in NAMES[: SEATS[game]]]
    assert deck
    for number in range(1, 6):
        with create_session(
            tmp_path, rules, deck, seats, id=f"20261103-{game}-0002-g{number:03}", seed=number, clock=lambda: NOON,
            bots=make_bot,
        ) as session:  # fmt: skip
            assert list(session.advance())
            results.append(from_session(session, Sources()))
    check_variety([*results, play_game(tmp_path, game, 3), play_game(tmp_path, game, 4)])


@pytest.mark.short(2)
@pytest.mark.parametrize("game", FILES)
def test_phrases_that_take_turns_differ_in_structure(game: str) -> None:
    by_key = load_phrases(game, None).by_key
    for kind in ONCE_KINDS - {"headline"}:
        places: dict[str, set[int]] = {}
        for (one, _), phrases in by_key.items():
            for number, phrase in enumerate(phrases if one == kind else ()):
                places.setdefault(" ".join(phrase.pieces), set()).add(number)
        assert not [text for text, numbers in places.items() if len(numbers) > 1], kind
    for key, phrases in by_key.items():
        if key[0] in ONCE_KINDS and len(phrases) >= MIN_TURN_COUNT:
            texts = ["".join(phrase.pieces[::2]) for phrase in phrases]
            alike = [pair for pair in combinations(texts, 2) if SequenceMatcher(None, *pair).ratio() > MAX_LIKENESS]
            assert not alike, (key, alike)
            beginnings = {(*phrase.pieces[0].split()[:2], *phrase.fields[: not phrase.pieces[0]]) for phrase in phrases}
            assert len(beginnings) >= 5, (key, beginnings)


@pytest.mark.parametrize("game", FILES)
def test_no_phrase_names_somebody_or_something_twice(game: str) -> None:
    for key, phrases in load_phrases(game, None).by_key.items():
        for phrase in phrases:
            assert len(phrase.fields) == len(set(phrase.fields)) or key[1] in {"win-same", "loss-same"}, (key, phrase)


def test_cases_with_few_phrases_leave_turns_to_the_next_case_unless_they_are_the_vaults() -> None:
    texts = {("result", "close"): ("a",), ("result", "any"): tuple(f"b{number}" for number in range(10))}
    by_key = {key: tuple(map(TextTemplate.parse, several)) for key, several in texts.items()}

    def tell(number: int | None, own: tuple[tuple[str, str], ...] = ()) -> str:
        sentence = Phrasing(Phrases(by_key, own=own), "key", number).say("result", ("close",), {})
        return sentence.render(str, str).lower() if sentence else ""

    assert [tell(number) for number in range(11)] == ["a", *(f"b{number}" for number in range(1, 10)), "a"]
    assert {tell(number, (("result", "close"),)) for number in range(11)} == {"a"} == {tell(None)}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Triple, 9-9-9-5-4", "a Triple of 9s"), ("Two pairs, 8-8-2-2-9", "two Pairs, 8s and 2s"),
        ("Fortune, 3-3-3-7-7", "a Fortune of 3s and 7s"), ("Pair, Master-Master-9-4", "a Pair of Masters"),
        ("Village, 9-8-7-6-5", "a Village up to 9"), ("High card, Master-7-6-4", "High card Master"),
        ("a flush", "a flush"),
    ],
)  # fmt: skip
def test_hand_is_described_by_what_it_consists_of(text: str, words: str) -> None:
    assert describe_hand(*text.split(", ", 1)) == words


@pytest.mark.short(1)
@pytest.mark.parametrize("game", GAMES)
def test_stories_repeat_nothing_and_name_the_winner_last(game: str) -> None:
    for seed in range(count(2, 200)):
        whole = play(game, seed)
        story, outcome = whole.story(f"{game} {seed}"), whole.record.outcome
        told = [sentence.render(NAMES_OF_SEATS.__getitem__, str) for sentence in story.sentences]
        assert len(set(map(form, story.sentences))) >= len(told) - 1 and len(" ".join(told).split()) < 250, told
        assert len(set(told)) == len(told), told
        for before, after in pairwise(story.sentences):
            assert set(before.seats) != set(after.seats) or len(set(after.seats)) != 1, (before, after)
        for sentence in story.sentences:
            assert len(set(sentence.seats)) == len(sentence.seats) and len(set(sentence.cards)) == len(sentence.cards)
        if len(outcome.winners) == 1:
            assert outcome.winners[0] in story.sentences[-1].seats, told
        elif outcome.winners:
            assert "party" in told[-1] or "all" in told[-1] or set(outcome.winners) <= {*story.sentences[-1].seats}, (
                told
            )


NAMES_OF_SEATS = ("Ysolde", "Bram", "Aldous", "Corin", "Iris", "James", "Ines")
"""The names of the seats, some of which end in s."""


def test_article_before_a_list_of_cards_is_repeated() -> None:
    phrase = TextTemplate.parse("With the {cards} {who} won; {cards} were left.")
    told = _fill(phrase, {"who": 0, "cards": ("Ace", "Cave", "Sea")}, join_words).render(("Ysolde",).__getitem__, str)
    assert told == "With the Ace, the Cave and the Sea Ysolde won; Ace, Cave and Sea were left."
