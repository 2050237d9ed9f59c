"""Stories of games: in the past tense, short, true, and without phrases repeated too often."""

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from tests.campaign.samples import finished
from tests.campaign.stories import GAMES, NAMES, played
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


def whole(result: GameResult) -> str:
    return " ".join(map(result.say, result.story))


def present(text: str) -> list[str]:
    return NOW.findall(text)


def check(result: GameResult) -> None:
    texts, told = frames(result), whole(result)
    assert len(result.story) >= 4 and len(told.split()) < 250, told
    assert max(Counter(texts).values()) <= 3 and all(one != other for one, other in pairwise(texts)), told
    assert not [words for text in texts if (words := present(text))], texts
    assert "{" not in told and "  " not in told and " ," not in told and all(one[0].isupper() for one in texts)
    assert all(said.endswith(".") for said in map(result.say, result.story))
    assert len(result.cards) <= MAX_CARDS_PER_STORY and set(result.deeds) == set(result.cards)
    assert any(name in told for name in NAMES)
    assert result.headline and not result.say(result.headline).endswith(".")


def test_no_more_cards_have_mattered_than_one_reads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("vaultkit.campaign.story.MAX_CARDS_PER_STORY", 1)
    assert len(played(tmp_path, "propheta", 1).cards) == 1


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_story_has_one_tense_no_worn_phrase_and_no_more_words_than_one_reads(game: str, tmp_path: Path) -> None:
    for seed in (1, 2, 3):
        check(played(tmp_path, game, seed))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_five_hundred_stories_have_one_tense_and_no_worn_phrase(game: str, tmp_path: Path) -> None:
    for seed in range(100):
        check(played(tmp_path, game, seed))


@pytest.mark.parametrize("game", FILES)
def test_every_shipped_phrase_is_in_the_past_and_has_another_beside_it(game: str) -> None:
    for (kind, case), several in load_phrases(game, None).by_key.items():
        for phrase in several:
            assert not present("".join(phrase.pieces[::2])), (kind, case, phrase)
        if kind not in ("when", "card", "result", "headline") and several:
            assert len(several) > 1 or case in ("nobody", "run", "all", "plain"), (kind, case)


def test_the_opening_of_a_game_that_some_forfeit_does_not_say_that_all_stayed() -> None:
    openings = [
        phrase for (kind, _), several in load_phrases("dragon-citadel", None).by_key.items() if kind == "opening"
        for phrase in several
    ]  # fmt: skip
    assert openings and not [phrase for phrase in openings if phrase.pieces[0].startswith(("For ", "Over "))]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_game_that_is_played_has_phrases_for_events_that_it_has(game: str, tmp_path: Path) -> None:
    assert has_phrases(game)
    again = played(tmp_path, game, 4), played(tmp_path / "again", game, 4)
    assert again[0].story == again[1].story and len(again[0].story) > 4


@pytest.mark.slow
def test_two_games_are_told_in_different_words(tmp_path: Path) -> None:
    openings = {frames(played(tmp_path, "propheta", seed))[0] for seed in range(8)}
    assert len(openings) > 1


def test_a_deal_of_propheta_is_told_by_tricks_and_a_match_by_deals(tmp_path: Path) -> None:
    deal, match = played(tmp_path, "propheta", 2), played(tmp_path / "match", "propheta", 2, target=36)
    assert "twelve tricks" in whole(deal) and re.search(r"in trick \d", whole(deal))
    assert re.search(r"\w+ deals", match.say(match.story[0])) and "trick " not in whole(match)


def test_g_12_prophets_gambit_tells_the_high_cards_and_who_had_the_last_word(tmp_path: Path) -> None:
    for seed in range(6):
        result = played(tmp_path, "prophets-gambit", seed)
        risks = [result.say(fact).split(" turned the ")[1] for label, fact in result.outcome.facts if label == "Risk"]
        assert sum(card in whole(result) for card in risks) >= min(len(risks), 3)
        focus = result.say(dict(result.outcome.facts)["Focus"])
        assert all(verdict in whole(result) for verdict in ("killed", "saved") if verdict in focus)
        hand = str(result.outcome.reason.values[0])
        assert hand in whole(result) and (result.outcome.kind != "reveal" or "the Focus" in whole(result))


@pytest.mark.parametrize(
    ("several", "times"), [((), 0), (("a",), 1), (("a", "b"), 6), (("a {card}", "b"), 1), (("a", "b", "c"), 9)]
)
def test_phrases_take_turns_three_times_at_most_and_what_cannot_be_filled_is_left_out(
    several: tuple[str, ...], times: int
) -> None:
    phrasing = Phrasing(Phrases({("x", "any"): tuple(map(TextTemplate.parse, several))}), "key")
    told = [sentence.render(str, str) for _ in range(12) if (sentence := phrasing.say("x", ("y",), {"who": 0}))]
    assert len(told) == times and all(one != other for one, other in pairwise(told))


def test_strokes_in_a_row_are_told_together_unless_a_rival_struck_between_them() -> None:
    mine, yours = (replace(EVENT, seat=seat, sentence=Sentence("x", (seat,))) for seat in (0, 1))
    one, two, three, four = (KeyEvent(event, 1, (0, 0), (1, 0)) for event in (mine, yours, mine, mine))
    assert list(group_runs([one, three, four], [one, two, three, four])) == [[one], [three, four]]


def test_an_unseen_hand_is_no_turning_point() -> None:
    course = GameTimeline((KeyEvent(EVENT, 1, (0,), (3,), changes=(3,)),), (), 1, "round", counts=False)
    assert course.key_events[0].swing == 3 and course.without_changes().key_events[0].swing == 0


def test_a_card_that_is_won_back_is_known_as_the_others_catch() -> None:
    catch = replace(EVENT, kind="won-over", cards=("author", "betrayal"), notable=True)
    moves = [GameFact("moved", seat, 1 - seat, ("author", "betrayal")) for seat in (1, 0, 1, 0)]
    strokes = tuple(KeyEvent(replace(catch, seat=move.seat), 1, (0, 0), (1, 0), facts=(move,)) for move in moves)
    course = GameTimeline(strokes, (), 1, "turn", counts=True)
    assert [course.find_earlier_taking(stroke) for stroke in strokes] == [None, *strokes[:3]]


def test_a_card_that_its_owner_had_had_in_the_meantime_is_not_won_back_from_the_first_who_took_it() -> None:
    """A card is not won back from its first taker if its owner regained it in between, by way of the Agora."""
    catch = replace(EVENT, kind="won-over", cards=("author", "betrayal"), notable=True)
    quiet, facts = replace(catch, kind="play", notable=False), GameFact
    pairs = ((catch, 1, 0), (quiet, None, 1), (quiet, 0, None), (quiet, None, 0), (quiet, 1, None), (catch, 0, 1))
    strokes = tuple(
        KeyEvent(replace(event, seat=to or 0), 1, (0, 0), (1, 0), facts=(facts("moved", to, since, ("author",)),))
        for event, to, since in pairs
    )  # fmt: skip
    assert GameTimeline(strokes, (), 1, "turn", counts=True).find_earlier_taking(strokes[-1]) is None


def test_since_when_a_winner_had_led_is_told_by_the_last_change() -> None:
    stands = ((1, (4.0, 0.0)), (2, (4.0, 6.0)), (2, (10.0, 6.0)), (3, (10.0, 10.0)), (4, (12.0, 10.0)))
    course = GameTimeline((), stands, 4, "trick", counts=True)
    assert (course.find_lead_start(0), course.find_lead_start(1)) == (4, 0)
    assert replace(course, stands=stands[:3]).find_lead_start(0) == 2


@pytest.mark.parametrize("since", [2, 5])
def test_a_lead_that_was_won_in_the_last_third_of_a_game_is_not_told_as_a_long_one(since: int) -> None:
    stands = tuple((number, (3.0 if number >= since else 0.0, 1.0)) for number in range(1, 7))
    course = GameTimeline((), stands, 6, "turn", counts=True)
    story = tell_story(course, scored(3, 1, ranks=(1, 2)), load_phrases("turn-of-fate", None), "x")
    told = [one.render(NAMES.__getitem__, str) for one in story.sentences]
    assert any(f"turn {since}" in sentence for sentence in told) == (since == 2), told


def test_a_lead_that_was_taken_untold_is_told_with_its_card() -> None:
    first, untold = replace(EVENT, cards=("raven",), notable=True), replace(EVENT, kind="vows", seat=1, cards=("seer",))
    strokes = (
        KeyEvent(first, 1, (0, 0), (3, 0)),
        KeyEvent(untold, 2, (3, 0), (3, 5)),
        KeyEvent(first, 3, (3, 5), (9, 5)),
    )
    course = GameTimeline(strokes, (), 3, "trick", counts=True)
    assert course.find_lead_taking(1, strokes[2]) is strokes[1] and course.find_lead_taking(0, strokes[1]) is strokes[0]
    assert course.find_lead_taking(1, strokes[1]) is None


def test_a_win_of_equal_scores_is_no_margin_of_nothing() -> None:
    outcome = replace(scored(32, 32, 10), winners=(0,))
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
def test_where_a_stroke_leaves_whoever_did_it(
    before: tuple[float, ...], after: tuple[float, ...], expected: str
) -> None:
    assert lead_change(KeyEvent(EVENT, 1, before, after)) == expected


def test_in_propheta_a_gain_is_what_the_score_sheet_gives(tmp_path: Path) -> None:
    result = played(tmp_path, "propheta", 2)
    gains = [result.say(deed) for card, deed in result.deeds.items() if "points" in result.say(deed)]
    assert gains and all(re.search(r"[246] points", gain) for gain in gains)


def own(root: Path, text: str, game: str = "propheta") -> Path:
    file = root / ".vaultkit/templates/story" / f"{game}.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return root


def test_a_vaults_own_phrase_replaces_ours_and_the_rest_stays(tmp_path: Path) -> None:
    root = own(tmp_path / "v", '[opening]\nany = "Era uma vez: {players}."')
    first, ours = played(tmp_path, "propheta", 2, root), played(tmp_path / "2", "propheta", 2)
    assert first.say(first.story[0]) == "Era uma vez: Ysolde, Bram and Sefa."
    assert first.story[1:] == ours.story[1:]


def test_what_is_plain_text_in_a_phrase_is_escaped_and_a_name_is_a_link(vault: Vault, tmp_path: Path) -> None:
    root = own(tmp_path / "v", '[opening]\nany = "# {players} [[met]] `x` { <b> and *fought*."')
    story = replace(played(tmp_path, "propheta", 2, root), seats=finished("Ysolde", "Bram Tolliver", "Se{0}fa").seats)
    page = SessionPage(
        story, "x.md", ["1-Party/Ysolde Marr.md", "1-Party/Bram Tolliver.md", None], Linker(vault, ["x.md"])
    )
    assert page.story[0].startswith(
        "\\# [[Ysolde Marr|Ysolde]], [[Bram Tolliver]] and Se{0}fa \\[\\[met\\]\\] \\`x\\` { \\<b> and \\*fought\\*."
    )


def test_empty_brackets_silence_a_kind(tmp_path: Path) -> None:
    root = own(tmp_path / "v", "[opening]\nany = []\n")
    assert played(tmp_path, "propheta", 2, root).story[0] != played(tmp_path / "2", "propheta", 2).story[0]


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
        ('[opening]\nany = "x"\n[cause]\nany = "x"', ("no table 'cause' any more", ":3", "delete the table")),
        ("opening = 3", ("no table",)),
        ("[opening]\nany = 3", ("no phrase",)),
        ("[opening]\nany = [", ("not TOML",)),
        (f'[opening]\nany = "{"x" * 400}"', ("no phrase",)),
    ],
)
def test_a_phrase_that_cannot_be_is_an_error_that_lists_those_that_can(
    text: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    with pytest.raises(InvalidError) as caught:
        played(tmp_path, "propheta", 2, own(tmp_path / "v", text))
    said = f"{caught.value.where} {caught.value} {caught.value.hint}"
    assert all(word in said for word in (*words, ".vaultkit/templates/story/propheta.toml"))
    assert "vaultkit log --session 20261103-propheta-0002" in said


def scored(*scores: int | None, ranks: tuple[int, ...] = (1, 2, 3)) -> Outcome:
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == 1)
    parts = tuple({} if score is None else {"score": score} for score in scores)
    return Outcome("score", winners, Sentence("x"), (), parts, ranks)


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (scored(90, 50, 20), ("Ysolde", "90 points", "Sefa", "20 points", "40 points")),
        (scored(3, 9, 20), ("Ysolde", "3 points", "6 points")),
        (scored(50, 50, 10, ranks=(1, 1, 3)), ("Ysolde and Bram", "50 points", "Sefa")),
        (scored(50, 49, 10), ("1 point", "Bram")),
        (replace(scored(90, 50, 20), kind="party", winners=(0, 1, 2)), ("party", "Ysolde, with 90 points")),
        (scored(None, None, None), ()),
    ],
)
def test_scores_alone_make_a_short_story(outcome: Outcome, words: tuple[str, ...]) -> None:
    story = tell_scores(outcome, load_phrases("skat", None), "x").sentences
    told = " ".join(one.render(NAMES.__getitem__, str) for one in story)
    assert all(word in told for word in words)
    assert len(story) == (0 if not words else 1 if outcome.kind == "party" else 2)
    assert not present(told)
