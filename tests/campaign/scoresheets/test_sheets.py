"""Merging filled sheets: one game, each player once, and no contradictions."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.campaign.scoresheets.making import names_of
from tests.wording import Says
from vaultkit.campaign.scoresheets.input_formats import read_flags
from vaultkit.campaign.scoresheets.paper_record import Flags, PaperSeat, PaperWords, build_tally
from vaultkit.campaign.scoresheets.sheet_merge import FilledSheet, merge_sheets
from vaultkit.errors import InvalidError, UsageError
from vaultkit.games import registry
from vaultkit.session.options import settle
from vaultkit.session.scoresheets import ScoreSheets, score_sheet

GAME = "dragon-citadel"
OPTIONS = settle(registry.rules(GAME), {})


def sheet(
    name: str, *players: PaperSeat, about: Mapping[str, str] = {}, ticks: Mapping[str, str] = {}, **more: Any
) -> FilledSheet:
    where = f"{name}.pdf"
    lines = [(key, PaperWords(text, where)) for key, text in {**about, **ticks}.items()]
    seats = tuple(
        replace(one, where=where, said={key: replace(words, where=where) for key, words in one.said.items()})
        for one in players
    )
    labels = {"swords.total": "Swords, Total"}
    made = FilledSheet(where, GAME, "Dragon Citadel", seats=seats, lines=lines, labels=labels)
    return replace(made, **more)


def seat(name: str, numbers: Mapping[str, int], **ticks: str) -> PaperSeat:
    said = {**{key: str(number) for key, number in numbers.items()}, **ticks}
    return PaperSeat(name, {key: PaperWords(text) for key, text in said.items()})


def player(name: str, ticks: dict[str, str] | None = None, **numbers: int) -> PaperSeat:
    return seat(name, {key.replace("_", "."): number for key, number in numbers.items()}, **(ticks or {}))


YSOLDE = player("Ysolde", swords_total=17, swords_heroes=1, swords_rolls=2, score=17)
BRAM = player("Bram", {"forfeited": "yes"}, coins_total=17)


def test_several_sheets_of_one_game_are_one_game() -> None:
    one = sheet("one", YSOLDE, about={"date": "3.11.2026", "session": "Session 5"}, ticks={"mode": "coop"})
    two = sheet(
        "two", BRAM, player("Sefa", crowns_count=0), about={"date": "3 November 2026"}, ticks={"rewards": "treasure"}
    )
    written = merge_sheets([one, two], OPTIONS)
    with pytest.raises(InvalidError, match="outcome was given"):
        build_tally(written, score_sheet(GAME), OPTIONS)
    tally = build_tally(
        replace(written, common={"outcome": PaperWords("party")}, printed=True), score_sheet(GAME), OPTIONS
    )
    assert written.date and (written.date.text, written.date.where) == ("3.11.2026", "one.pdf")
    assert written.options == {"mode": "coop", "rewards": "treasure"} and not written.common
    assert (written.session, written.note) == ("Session 5", "Session 5")
    assert names_of(written) == ("Ysolde", "Bram", "Sefa")
    assert tally.seats[0].number("swords.total") == 17 and tally.seats[0].number("swords.rolls") == 2
    assert tally.seats[0].answers["score"] == 17
    assert tally.seats[1].answers["forfeited"] == "yes"


@pytest.mark.parametrize(
    ("said", "note"),
    [("", ""), ("5", "Session: 5"), ("20261103-dragon-citadel-k3f9", ""), (" The Bell ", "The Bell")],
)
def test_session_name_is_in_the_note_but_no_id(said: str, note: str) -> None:
    written = merge_sheets([sheet("one", YSOLDE, about={"session": said})], OPTIONS)
    assert (written.note, written.session) == (note, said.strip())


def test_a_copy_of_a_sheet_adds_nothing() -> None:
    written = merge_sheets([sheet("one", YSOLDE, BRAM), sheet("copy", replace(YSOLDE, name=" ysolde "))], OPTIONS)
    assert [seat.name for seat in written.seats] == ["Ysolde", "Bram"]


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"game": "propheta", "title": "Propheta"}, "of two games: Dragon Citadel and Propheta"),
        ({"about": {"date": "4.11.2026"}}, "differ in the date: '3.11.2026' and '4.11.2026'"),
        (
            {"about": {"date": "4.11.2026"}, "ticks": {"mode": "x"}},
            "date: '3.11.2026' and .*; the mode: 'coop' and 'x'",
        ),
        ({"ticks": {"mode": "competitive"}}, "differ in the mode"),
        ({"players": ()}, "Nothing is filled in"),
        ({"players": (player("Ysolde", swords_total=16),)}, "differ in Ysolde's Swords, Total: '17' and '16'"),
        ({"about": {"date": "Friday"}}, "not a date"),
    ],
)
def test_differences_are_reported_with_the_sheets(other: dict[str, Any], said: str) -> None:
    one = sheet("one", YSOLDE, about={"date": "3.11.2026", "session": "5"}, ticks={"mode": "coop"})
    with pytest.raises(InvalidError, match=said) as raised:
        merge_sheets([one, sheet("two", BRAM, **{key: value for key, value in other.items() if key != "players"})
                if "players" not in other else sheet("two", *other["players"])], OPTIONS)  # fmt: skip
    assert "two.pdf" in raised.value.where


def test_number_of_deals_is_that_of_the_filled_rows() -> None:
    keeping, options = score_sheet("propheta"), settle(registry.rules("propheta"), {})
    played = tuple(
        seat(name, {"deal.1.tricks": 6, "deal.2.tricks": tricks, "deal.2.points": tricks})
        for name, tricks in (("Ysolde", 3), ("Bram", 9))
    )
    written = merge_sheets([sheet("party", *played, game="propheta")], options)
    assert build_tally(written, keeping, options).common["deals"] == 2


def test_player_without_filled_boxes_did_not_play() -> None:
    """Players whose boxes are empty are left out, since a party sheet has the names of all who might come."""
    written = merge_sheets([sheet("party", YSOLDE, player("Bram"), player("Odhran")), sheet("two", BRAM)], OPTIONS)
    assert [seat.name for seat in written.seats] == ["Ysolde", "Bram"]
    (remark,) = written.remarks
    assert remark == Says("Odhran's", "boxes", "empty", "left out") and "even a 0" in remark
    with pytest.raises(InvalidError, match="Nothing is filled in"):
        merge_sheets([sheet("party", player("Ysolde"), player("Odhran"))], OPTIONS)


def test_typed_name_beside_filled_boxes_played() -> None:
    zoe, bram = (replace(player(name), typed=True) for name in ("Zoë", "Bram"))
    written = merge_sheets([sheet("party", zoe, YSOLDE, bram), sheet("two", BRAM)], OPTIONS)
    assert [seat.name for seat in written.seats] == ["Zoë", "Ysolde", "Bram"] and not written.seats[0].said
    (remark,) = written.remarks
    assert remark == Says("Zoë's", "boxes", "0", "no")
    assert [seat.name for seat in merge_sheets([sheet("zoe", zoe), sheet("one", YSOLDE)], OPTIONS).seats] == ["Ysolde"]


def test_everyone_named_on_the_sheet_played_if_winners_are_ticked() -> None:
    winner, loser = player("Ysolde", {"won": "yes"}), player("Bram")
    written = merge_sheets([sheet("party", winner, loser, game="who-won")], {}, all_named=True)
    assert [seat.name for seat in written.seats] == ["Ysolde", "Bram"]
    assert [seat.name for seat in merge_sheets([sheet("party", winner, loser)], {}).seats] == ["Ysolde"]


@pytest.mark.parametrize(
    ("said", "session"),
    [
        (("6", "Session 6", " session 6 "), "6"),
        (("", "Session 6"), "Session 6"),
        (("6", "7"), "6"),
        (("6", "20261103-dragon-citadel-k3f9"), "20261103-dragon-citadel-k3f9"),
    ],
)
def test_session_may_have_any_name(said: tuple[str, ...], session: str) -> None:
    sheets = [sheet(str(number), YSOLDE, about={"session": name}) for number, name in enumerate(said)]
    written = merge_sheets(sheets, OPTIONS)
    assert (written.session, written.remarks) == (session, ())


def test_character_of_a_sheet_is_the_player() -> None:
    about = {"session": "6", "character": "Nettle"}
    played = replace(player("June", swords_total=3))
    written = merge_sheets([sheet("one", played, about=about)], OPTIONS)
    assert [seat.name for seat in written.seats] == ["Nettle"]
    assert written.note == Says("Session", "6", "Nettle", "June")


def test_unreadable_day_on_a_sheet_is_replaced_by_that_of_the_command() -> None:
    def read(_: Path) -> FilledSheet:
        return sheet("one", YSOLDE, about={"date": "last friday", "session": "6"})

    flags = Flags(files=(Path("one.pdf"),), date="2026-11-03")
    assert read_flags(flags, ScoreSheets(None), read).session == "6"
    with pytest.raises(InvalidError, match="'last friday' is not a date"):
        read_flags(replace(flags, date=None), ScoreSheets(None), read)


def test_invalid_score_is_answered_with_the_columns_of_its_game() -> None:
    with pytest.raises(UsageError) as error:
        read_flags(Flags(game="yahtzee", scores=["Ysolde: 18/0/-48"]), ScoreSheets(None), lambda _: sheet("none"))
    assert "ones=" in error.value.hint and "swords" not in error.value.hint
