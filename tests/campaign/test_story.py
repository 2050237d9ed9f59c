"""Stories of games: in the past tense, short, true, and without phrases repeated too often."""

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from tests.campaign.samples import finished_game
from tests.campaign.stories import GAMES, NAMES, play_game
from vaultkit import resources
from vaultkit.campaign.phrase_choice import Phrasing
from vaultkit.campaign.result import GameResult
from vaultkit.campaign.session_note import SessionPage
from vaultkit.campaign.story import MAX_CARDS_PER_STORY, tell_scores, tell_story
from vaultkit.campaign.story_phrases import PLACES, Phrases, has_phrases, load_phrases
from vaultkit.campaign.turning_points import GameTimeline, KeyEvent, group_runs, lead_change
from vaultkit.errors import InvalidError
from vaultkit.games.facts import GameFact
from vaultkit.games.messages import Event, Outcome, Sentence, TextTemplate
from vaultkit.vault import Vault
from vaultkit.vault.writing.link_style import Linker

pytestmark = pytest.mark.usefixtures("trusting")

FILES = sorted(file.stem for file in resources.shipped_folder("templates").glob("story/*.toml"))
NOW = re.compile(
    r"\b(is|are|am|has|does|wins (?!followed)|loses|takes|plays|draws|makes|gives|comes|goes|leads|holds|stands|beats|"
    r"pays|ends|begins|discards|forfeits|shows|reveals|keeps|leaves|brings|gains|shares|lies|remains|will|can|cannot)\b"
)
"""Verbs that are unambiguously in the present tense."""
NUMBERS = re.compile(r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b")


def frames(result: GameResult) -> list[str]:
    """Return the sentences with placeholders for all names, cards and numbers."""
    story = (*result.story, *filter(None, (result.headline,)))
    return [NUMBERS.sub("#", one.render(lambda _: "NAME", lambda _: "CARD")) for one in story]


def story_text(result: GameResult) -> str:
    return " ".join(map(result.say, result.story))


def present(text: str) -> list[str]:
    return NOW.findall(text)


def check(result: GameResult) -> None:
    texts, told = frames(result), story_text(result)
    assert len(result.story) >= 4 and len(told.split()) < 250, told
    assert max(Counter(texts).values()) <= 3 and all(one != other for one, other in pairwise(texts)), told
    assert not [words for text in texts if (words := present(text))], texts
    assert "{" not in told and "  " not in told and " ," not in told and all(one[0].isupper() for one in texts)
    assert all(said.endswith(".") for said in map(result.say, result.story))
    assert len(result.cards) <= MAX_CARDS_PER_STORY and set(result.deeds) == set(result.cards)
    assert any(name in told for name in NAMES)
    assert result.headline and not result.say(result.headline).endswith(".")


def test_story_mentions_a_limited_number_of_cards(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("vaultkit.campaign.story.MAX_CARDS_PER_STORY", 1)
    assert len(play_game(tmp_path, "propheta", 1).cards) == 1


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_story_has_one_tense_no_cliche_and_a_limited_length(game: str, tmp_path: Path) -> None:
    for seed in (1, 2, 3):
        check(play_game(tmp_path, game, seed))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_five_hundred_stories_have_one_tense_and_no_cliche(game: str, tmp_path: Path) -> None:
    for seed in range(100):
        check(play_game(tmp_path, game, seed))


@pytest.mark.parametrize("game", FILES)
def test_every_shipped_phrase_is_in_the_past_and_has_an_alternative(game: str) -> None:
    for (kind, case), several in load_phrases(game, None).by_key.items():
        for phrase in several:
            assert not present("".join(phrase.pieces[::2])), (kind, case, phrase)
        if kind not in ("when", "card", "result", "headline") and several:
            assert len(several) > 1 or case in ("nobody", "run", "all", "plain"), (kind, case)


def test_opening_does_not_claim_that_all_stayed_if_some_forfeit() -> None:
    openings = [
        phrase for (kind, _), several in load_phrases("dragon-citadel", None).by_key.items() if kind == "opening"
        for phrase in several
    ]  # fmt: skip
    assert openings and not [phrase for phrase in openings if phrase.pieces[0].startswith(("For ", "Over "))]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_playable_game_has_phrases_for_its_own_events(game: str, tmp_path: Path) -> None:
    assert has_phrases(game)
    again = play_game(tmp_path, game, 4), play_game(tmp_path / "again", game, 4)
    assert again[0].story == again[1].story and len(again[0].story) > 4


@pytest.mark.slow
def test_two_games_are_described_in_different_words(tmp_path: Path) -> None:
    openings = {frames(play_game(tmp_path, "propheta", seed))[0] for seed in range(8)}
    assert len(openings) > 1


@pytest.mark.slow
def test_deal_of_propheta_is_described_by_tricks_and_a_match_by_deals(tmp_path: Path) -> None:
    deal, match = play_game(tmp_path, "propheta", 2), play_game(tmp_path / "match", "propheta", 2, target=36)
    assert re.search(r"in trick \d", story_text(deal)) and "deal " not in story_text(deal)
    assert re.search(r"in deal \d", story_text(match)) and "trick " not in story_text(match)


@pytest.mark.slow
def test_g_12_prophets_gambit_story_has_the_high_cards_and_the_last_to_speak(tmp_path: Path) -> None:
    for seed in range(6):
        result = play_game(tmp_path, "prophets-gambit", seed)
        risks = [result.say(fact).split(" turned the ")[1] for label, fact in result.outcome.facts if label == "Risk"]
        assert sum(card in story_text(result) for card in risks) >= min(len(risks), 3)
        focus = result.say(dict(result.outcome.facts)["Focus"])
        assert all(verdict in story_text(result) for verdict in ("killed", "saved") if verdict in focus)
        hand = str(result.outcome.reason.values[0])
        assert hand in story_text(result) and (result.outcome.kind != "reveal" or "the Focus" in story_text(result))


@pytest.mark.parametrize(
    ("several", "times"), [((), 0), (("a",), 1), (("a", "b"), 6), (("a {card}", "b"), 1), (("a", "b", "c"), 9)]
)
def test_phrases_repeat_at_most_three_times_and_unfillable_ones_are_left_out(
    several: tuple[str, ...], times: int
) -> None:
    phrasing = Phrasing(Phrases({("x", "any"): tuple(map(TextTemplate.parse, several))}), "key")
    told = [sentence.render(str, str) for _ in range(12) if (sentence := phrasing.say("x", ("y",), {"who": 0}))]
    assert len(told) == times and all(one != other for one, other in pairwise(told))


def test_consecutive_strokes_are_joined_unless_a_rival_struck_between() -> None:
    mine, yours = (replace(EVENT, seat=seat, sentence=Sentence("x", (seat,))) for seat in (0, 1))
    one, two, three, four = (KeyEvent(event, 1, (0, 0), (1, 0)) for event in (mine, yours, mine, mine))
    assert list(group_runs([one, three, four], [one, two, three, four])) == [[one], [three, four]]


def test_hidden_hand_is_not_a_turning_point() -> None:
    course = GameTimeline((KeyEvent(EVENT, 1, (0,), (3,), changes=(3,)),), (), 1, "round", counts=False)
    assert course.key_events[0].swing == 3 and course.without_changes().key_events[0].swing == 0


def test_card_recaptured_from_a_rival_is_described_as_the_rivals_catch() -> None:
    catch = replace(EVENT, kind="won-over", cards=("author", "betrayal"), notable=True)
    moves = [GameFact("moved", seat, 1 - seat, ("author", "betrayal")) for seat in (1, 0, 1, 0)]
    strokes = tuple(KeyEvent(replace(catch, seat=move.seat), 1, (0, 0), (1, 0), facts=(move,)) for move in moves)
    course = GameTimeline(strokes, (), 1, "turn", counts=True)
    assert [course.find_earlier_taking(stroke) for stroke in strokes] == [None, *strokes[:3]]


def test_card_owned_in_between_is_not_described_as_recaptured_from_its_first_captor() -> None:
    """A card is not won back from its first taker if its owner regained it in between, by way of the Agora."""
    catch = replace(EVENT, kind="won-over", cards=("author", "betrayal"), notable=True)
    quiet, facts = replace(catch, kind="play", notable=False), GameFact
    pairs = ((catch, 1, 0), (quiet, None, 1), (quiet, 0, None), (quiet, None, 0), (quiet, 1, None), (catch, 0, 1))
    strokes = tuple(
        KeyEvent(replace(event, seat=to or 0), 1, (0, 0), (1, 0), facts=(facts("moved", to, since, ("author",)),))
        for event, to, since in pairs
    )  # fmt: skip
    assert GameTimeline(strokes, (), 1, "turn", counts=True).find_earlier_taking(strokes[-1]) is None


def test_duration_of_a_lead_starts_with_the_last_change() -> None:
    stands = ((1, (4.0, 0.0)), (2, (4.0, 6.0)), (2, (10.0, 6.0)), (3, (10.0, 10.0)), (4, (12.0, 10.0)))
    course = GameTimeline((), stands, 4, "trick", counts=True)
    assert (course.find_lead_start(0), course.find_lead_start(1)) == (4, 0)
    assert replace(course, stands=stands[:3]).find_lead_start(0) == 2


@pytest.mark.parametrize("since", [2, 5])
def test_lead_gained_in_the_last_third_is_not_described_as_long(since: int) -> None:
    stands = tuple((number, (3.0 if number >= since else 0.0, 1.0)) for number in range(1, 7))
    course = GameTimeline((), stands, 6, "turn", counts=True)
    story = tell_story(course, make_outcome(3, 1, ranks=(1, 2)), load_phrases("turn-of-fate", None), "x")
    told = [one.render(NAMES.__getitem__, str) for one in story.sentences]
    assert any(f"turn {since}" in sentence for sentence in told) == (since == 2), told


def test_lead_gained_unmentioned_is_described_with_its_card() -> None:
    first, untold = replace(EVENT, cards=("raven",), notable=True), replace(EVENT, kind="vows", seat=1, cards=("seer",))
    strokes = (
        KeyEvent(first, 1, (0, 0), (3, 0)),
        KeyEvent(untold, 2, (3, 0), (3, 5)),
        KeyEvent(first, 3, (3, 5), (9, 5)),
    )
    course = GameTimeline(strokes, (), 3, "trick", counts=True)
    assert course.find_lead_taking(1, strokes[2]) is strokes[1] and course.find_lead_taking(0, strokes[1]) is strokes[0]
    assert course.find_lead_taking(1, strokes[1]) is None


def test_win_with_equal_scores_has_no_zero_margin() -> None:
    outcome = replace(make_outcome(32, 32, 10), winners=(0,))
    for game in ("propheta", "dragon-citadel", "turn-of-fate"):
        story = tell_story(GameTimeline((), (), 0, "", counts=True), outcome, load_phrases(game, None), "x")
        told = story.sentences[-1].render(NAMES.__getitem__, str)
        assert "tie" in told and "32 points" in told and "Bram" in told


EVENT = Event("won", Sentence("{s0} wins.", (0,)), "", (), 0)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ((0, 0), (3, 0), "lead"),
        ((1, 4), (5, 4), "lead"),
        ((3, 1), (5, 1), "ahead"),
        ((0, 4), (4, 4), "level"),
        ((0, 9), (4, 9), "behind"),
        ((4, 4), (4, 4), ""),
        ((4,), (9,), ""),
    ],
)
def test_lead_change_after_a_stroke(before: tuple[float, ...], after: tuple[float, ...], expected: str) -> None:
    assert lead_change(KeyEvent(EVENT, 1, before, after)) == expected


def test_gain_in_propheta_is_that_of_the_score_sheet(tmp_path: Path) -> None:
    result = play_game(tmp_path, "propheta", 2)
    gains = [result.say(deed) for card, deed in result.deeds.items() if "points" in result.say(deed)]
    assert gains and all(re.search(r"[246] points", gain) for gain in gains)


def write_phrases(root: Path, text: str, game: str = "propheta") -> Path:
    file = root / ".vaultkit/templates/story" / f"{game}.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return root


def test_phrase_of_the_vault_replaces_ours_and_the_rest_stays(tmp_path: Path) -> None:
    root = write_phrases(tmp_path / "v", '[opening]\nany = "Era uma vez: {players}."')
    first, ours = play_game(tmp_path, "propheta", 2, root), play_game(tmp_path / "2", "propheta", 2)
    assert first.say(first.story[0]) == "Era uma vez: Ysolde, Bram and Sefa."
    assert first.story[1:] == ours.story[1:]


def test_plain_text_in_a_phrase_is_escaped_and_a_name_is_a_link(vault: Vault, tmp_path: Path) -> None:
    root = write_phrases(tmp_path / "v", '[opening]\nany = "# {players} [[met]] `x` { <b> and *fought*."')
    story = replace(
        play_game(tmp_path, "propheta", 2, root), seats=finished_game("Ysolde", "Bram Tolliver", "Se{0}fa").seats
    )
    page = SessionPage(
        story, "x.md", ["1-Party/Ysolde Marr.md", "1-Party/Bram Tolliver.md", None], Linker(vault, ["x.md"])
    )
    assert page.story[0].startswith(
        "\\# [[Ysolde Marr|Ysolde]], [[Bram Tolliver]] and Se{0}fa \\[\\[met\\]\\] \\`x\\` { \\<b> and \\*fought\\*."
    )


def test_empty_brackets_disable_a_kind_of_phrase(tmp_path: Path) -> None:
    root = write_phrases(tmp_path / "v", "[opening]\nany = []\n")
    assert play_game(tmp_path, "propheta", 2, root).story[0] != play_game(tmp_path / "2", "propheta", 2).story[0]


@pytest.mark.short(5)
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[opening]\nany = "{plyers} met."', ("place 'plyers'", ":2", "'players'", *PLACES[:3])),
        ('[opening]\nany = "{0.__class__}"', ("place '0.__class__'", "There are: who")),
        ('[opening]\nany = "{}"', ("There is no place ''",)),
        ('[openin]\nany = "x"', ("table 'openin'", ":1", "'opening'", "fulfilled")),
        ('[opening]\nanny = "x"', ("case of [opening] 'anny'", "any")),
        (
            '[won]\nany = "{when} {who} won."\nlead = [\n  "{when} {who} led.",\n  "{other} lost {loss}.",\n]',
            ("case 'lead' of [won] has no place 'other'", ":5", "There are: who"),
        ),
        ('[halfway]\nany = "{leader} led, for {gain}."', ("case 'any' of [halfway] has no place 'gain'", ":2", "lead")),
        ('[opening]\nany = "x"\n[cause]\nany = "x"', ("table 'cause' is no longer used", ":3", "delete the table")),
        ('# a\u2028b\n[openin]\nany = "x"', ("table 'openin'", ":2")),
        ("opening = 3", ("not a table",)),
        ("[opening]\nany = 3", ("not a phrase",)),
        ("[opening]\nany = [", ("not TOML",)),
        (f'[opening]\nany = "{"x" * 400}"', ("not a phrase",)),
    ],
)
def test_invalid_phrase_is_an_error_that_lists_the_valid_ones(
    text: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    with pytest.raises(InvalidError) as caught:
        play_game(tmp_path, "propheta", 2, write_phrases(tmp_path / "v", text))
    said = f"{caught.value.where} {caught.value} {caught.value.hint}"
    assert all(word in said for word in (*words, ".vaultkit/templates/story/propheta.toml"))
    assert "vaultkit log --session 20261103-propheta-0002" in said


def make_outcome(*scores: int | None, ranks: tuple[int, ...] = (1, 2, 3)) -> Outcome:
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == 1)
    parts = tuple({} if score is None else {"score": score} for score in scores)
    return Outcome("score", winners, Sentence("x"), (), parts, ranks)


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (make_outcome(90, 50, 20), ("Ysolde", "90 points", "Sefa", "20 points", "40 points")),
        (make_outcome(3, 9, 20), ("Ysolde", "3 points", "6 points")),
        (make_outcome(50, 50, 10, ranks=(1, 1, 3)), ("Ysolde and Bram", "50 points", "Sefa")),
        (make_outcome(50, 49, 10), ("1 point", "Bram")),
        (replace(make_outcome(90, 50, 20), kind="party", winners=(0, 1, 2)), ("party", "Ysolde, with 90 points")),
        (make_outcome(None, None, None), ()),
    ],
)
def test_scores_alone_make_a_short_story(outcome: Outcome, words: tuple[str, ...]) -> None:
    story = tell_scores(outcome, load_phrases("skat", None), "x").sentences
    told = " ".join(one.render(NAMES.__getitem__, str) for one in story)
    assert all(word in told for word in words)
    assert len(story) == (0 if not words else 1 if outcome.kind == "party" else 2)
    assert not present(told)
