"""Games from paper: one stable id for each, and every doubt with its reason."""

import re
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.campaign.scoresheets.making import DOUBTED, THREE, citadel, names_of
from tests.wording import Says
from vaultkit.campaign.scoresheets.input_formats import from_flags
from vaultkit.campaign.scoresheets.paper_game import PaperGame
from vaultkit.campaign.scoresheets.paper_log import derive_session_id, parse_past_day, to_result
from vaultkit.campaign.scoresheets.paper_record import build_tally
from vaultkit.campaign.scoresheets.people import tidy_names
from vaultkit.errors import InvalidError, UsageError
from vaultkit.session.options import settle
from vaultkit.session.scoresheets import ScoreSheets, score_sheet
from vaultkit.session.session_ids import is_id
from vaultkit.vault import Vault

PEOPLE = ("Ysolde Marr.md", "Bram Tolliver.md", "Ivo Guest")


def doubts_of(*scores: str, **more: Any) -> str:
    return " ".join(citadel(*scores, **more).doubts)


def test_same_game_has_the_same_id_in_any_order_of_scores() -> None:
    session = derive_session_id(citadel(), PEOPLE)
    turned = (THREE[2], "Ysolde: crowns=3, stars=9, swords=17/1, score=26", THREE[1].replace("8+9", "17"))
    assert session.startswith("20261103-dragon-citadel-") and is_id(session)
    assert derive_session_id(citadel(*turned, note="Well played."), (PEOPLE[2], *PEOPLE[:2])) == session


@pytest.mark.parametrize(
    "other",
    [
        citadel(date=date(2026, 11, 4)),
        citadel(*THREE[:2], "Ivo Guest: glyphs=4"),
        citadel(outcome="seer"),
        citadel(options={"rewards": "treasure"}),
    ],
)
def test_different_game_has_a_different_id(other: object) -> None:
    assert isinstance(other, type(citadel()))
    assert derive_session_id(other, PEOPLE) != derive_session_id(citadel(), PEOPLE)


def test_repeated_game_or_other_people_give_a_different_id() -> None:
    ids = {derive_session_id(citadel(), PEOPLE, again) for again in range(3)}
    assert len({*ids, derive_session_id(citadel(), ("Sefa Quill.md", *PEOPLE[1:]))}) == 4


def test_two_games_that_differ_only_in_notes_have_two_ids() -> None:
    who_won = ScoreSheets(None).find("who-won")
    tally = build_tally(from_flags(("Ysolde: won", "Bram: won=no")), who_won, settle(who_won, {}))
    made = [
        PaperGame("who-won", date(2026, 11, 3), ("Ysolde", "Bram"), tally, sheet=who_won, note=note)
        for note in ("Ludo", "Go", "Ludo")
    ]
    ludo, go, again = (derive_session_id(one, PEOPLE[:2]) for one in made)
    assert ludo == again != go


@pytest.mark.parametrize(("words", "scores", "more"), DOUBTED)
def test_impossible_scores_are_questioned_with_their_ruling(
    words: str, scores: tuple[str, ...], more: dict[str, Any]
) -> None:
    said = doubts_of(*scores, **more)
    assert words in said and re.search(r"\((DC-\d+(, )?)+\)\.$", said)


def test_dc_s11_is_accepted_and_its_rolls_are_calculated() -> None:
    result = to_result(citadel(), "s")
    assert not result.remarks and result.real_cards and not result.journal and result.seed is None
    assert dict(result.outcome.scores[0])["swords.rolls"] == 2 and result.scores == (26, 17, 3)
    assert result.mode == "coop" and result.options == {} and result.card_names["1-swords"] == "Avenger"


TEAMS = """
title = "Tug of War"
players = [2, 6]
teams = "side"
columns = [{id = "side", title = "Side", takes = ["Red", "Blue"], once = true}, {id = "points", title = "Points"}]
"""
COOP = """
title = "Heist"
players = [2, 6]
win = "co-op"
columns = [{id = "loot", title = "Loot"}, {id = "luck", title = "Luck"}]
"""


@pytest.mark.short(1)
@pytest.mark.parametrize("session", ["20261103-x-aaaa", "20261104-x-abcd", "20261105-x-ffff"])
def test_story_of_a_team_or_of_a_party_says_who_won_together(session: str, tmp_path: Path) -> None:
    folder = tmp_path / ".vaultkit/games"
    folder.mkdir(parents=True)
    for game, text in (("tug", TEAMS), ("heist", COOP)):
        (folder / f"{game}.toml").write_text(text, encoding="utf-8")
    names = ("Ysolde", "Bram", "Aldous")

    def tell(game: str, flags: tuple[str, ...], outcome: str | None = None) -> str:
        own = ScoreSheets(Vault(tmp_path)).find(game)
        tally = build_tally(from_flags(flags, outcome), own, settle(own, {}))
        result = to_result(PaperGame(game, date(2026, 11, 3), names, tally, sheet=own), session, vault=tmp_path)
        return " ".join(map(result.say, result.story))

    team = tell("tug", ("Ysolde: side=Red, points=5", "Bram: side=Blue, points=3", "Aldous: side=Red, points=5"))
    assert "Ysolde and Aldous" in team and re.search("team|played together|side by side", team.lower()), team
    loot = ("Ysolde: loot=1, luck=2", "Bram: loot=0, luck=1", "Aldous: loot=4, luck=0")
    won, lost = tell("heist", loot, "won"), tell("heist", loot, "lost")
    assert "Ysolde, Bram and Aldous" in won and "won" in won and re.search("lost|beaten", lost), (won, lost)


def test_number_that_contradicts_others_is_questioned() -> None:
    assert "26" in doubts_of("Ysolde: swords=17/1, stars=9, score=27", *THREE[1:])
    paper = citadel("Ysolde: swords=17/1, stars=9, crowns=3, swords.rolls=3", *THREE[1:])
    assert paper.doubts == (Says("Swords", "Ysolde", "written", "3", "2"),)
    paper = citadel("Ysolde: swords=17/1, stars=9, crowns=3, swords.rolls=2", *THREE[1:])
    assert paper.doubts == () and derive_session_id(paper, PEOPLE) == derive_session_id(citadel(), PEOPLE)
    chess = ScoreSheets(None).find("chess")
    said = ("Ysolde: colour=White, result=won, score=2", "Bram: colour=Black, result=lost")
    written = from_flags(said)
    paper = PaperGame("chess", date(2026, 11, 3), names_of(written), build_tally(written, chess, {}), sheet=chess)
    assert paper.doubts == (Says("Score", "Ysolde", "written", "2", "1"),)


def test_invalid_player_lists_are_refused() -> None:
    assert tidy_names([" Ysolde  Marr ", "Bram"], "Dragon Citadel") == ("Ysolde Marr", "Bram")
    for names in ([], ["Ysolde", "ysolde"], ["bot:greedy", "Bram"], [" "], ["me"]):
        with pytest.raises(UsageError):
            tidy_names(names, "Dragon Citadel")


def test_future_day_is_refused() -> None:
    now = datetime(2026, 11, 3, 22)
    assert parse_past_day("3.11.2026", now) == date(2026, 11, 3)
    with pytest.raises(InvalidError, match="2027-11-03 is in the future"):
        parse_past_day("2027-11-03", now)


def test_every_game_that_can_be_logged_afterwards_has_questions() -> None:
    assert score_sheet("The Dragon Citadel").seat_questions(citadel().tally.options, {})
    with pytest.raises(UsageError, match="no game"):
        score_sheet("dragon")
