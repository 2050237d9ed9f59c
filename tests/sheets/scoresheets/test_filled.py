"""P7: reading filled score sheets as people meant them, whatever program wrote them."""

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pikepdf import Array, Dictionary, Name, String

from tests.counts import count
from tests.sheets.scoresheets.filling import FILLERS, by_pikepdf, change_sheet, fields_by_name, is_radio
from tests.wording import Says
from vaultkit.campaign.scoresheets.answer_parser import is_blank, parse_summands
from vaultkit.campaign.scoresheets.paper_record import PaperSeat, PaperWords
from vaultkit.campaign.scoresheets.sheet_merge import FilledSheet, merge_sheets
from vaultkit.errors import InvalidError
from vaultkit.sheets.filled_sheets.filled_sheet import read_filled_sheet
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.scoresheets import score_sheet
from vaultkit.sheets.scoresheets.design import PARTY, Ticks, load_score_design
from vaultkit.sheets.scoresheets.score_sheet import print_scores

WRITTEN = {
    "player": "Łukasz “Ω” Müller 🐉",
    "session": "Session 12 (the crypt)",
    "date": "3. 11. 2026",
    "mode.coop": True,
    "forfeited.yes": True,
    "swords.total": "17",
    "swords.rolls": "2 ",
    "stars.total": "９",
    "crowns.count": " 3",
    "score": "\u00a026",
}


@pytest.fixture(scope="module")
def blank(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    out = tmp_path_factory.mktemp("blank") / "sheet.pdf"
    return print_scores("dragon-citadel", PrintJob("a4", out), layout="one").path.read_bytes()


@pytest.fixture(scope="module")
def for_two(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    out = tmp_path_factory.mktemp("two") / "sheet.pdf"
    return print_scores(
        "dragon-citadel", PrintJob("a4", out), layout="one", players=["Ysolde", "Bram"]
    ).path.read_bytes()


@pytest.fixture(scope="module")
def old_sheet(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return a sheet of the old kind, with check boxes for exclusive choices."""
    out = tmp_path_factory.mktemp("old") / "sheet.pdf"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Ticks, "is_radio", False)
        patch.setattr(score_sheet, "FIELDS", "1")
        print_scores("dragon-citadel", PrintJob("a4", out), layout="one")
    return out.read_bytes()


@pytest.fixture
def read(tmp_path: Path) -> Any:
    def reader(data: bytes) -> FilledSheet:
        path = tmp_path / "foreign.pdf"
        path.write_bytes(data)
        return read_filled_sheet(path)

    return reader


def problem_messages(sheet: FilledSheet) -> list[str]:
    return [problem.message for problem in sheet.problems]


def texts(words: Iterable[tuple[str, PaperWords]]) -> dict[str, str]:
    return {key: one.text for key, one in words}


def numbers(player: PaperSeat) -> dict[str, int]:
    read = {key: parse_summands(words.text) for key, words in player.said.items()}
    return {key: int(sum(found)) for key, found in read.items() if found}


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("filler", "form"),
    [
        *((filler, "blank") for filler in FILLERS),
        *(pytest.param(filler, "old_sheet", marks=[] if filler == "pypdf" else pytest.mark.slow) for filler in FILLERS),
    ],
)
def test_p7_filled_in_values_are_read_back(request, read, filler, form):
    sheet = read(FILLERS[filler](request.getfixturevalue(form), WRITTEN))
    assert problem_messages(sheet) == []
    assert (sheet.game, sheet.layout) == ("dragon-citadel", "one")
    assert texts(sheet.lines) == {"session": "Session 12 (the crypt)", "date": "3. 11. 2026", "mode": "coop"}
    (player,) = sheet.seats
    assert player.name == "Łukasz “Ω” Müller 🐉"
    assert numbers(player) == {"swords.total": 17, "swords.rolls": 2, "stars.total": 9, "crowns.count": 3, "score": 26}
    assert player.said["forfeited"].text == "yes"


@pytest.mark.slow
@pytest.mark.parametrize("filler", ["pypdf", "pikepdf, values alone", "pikepdf with looks", "Acrobat"])
@settings(max_examples=count(8, 200), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=20), st.integers(-999_999, 999_999))
def test_p7_any_words_and_numbers_are_read_back(blank, read, filler, name, total):
    coop = total > 0
    filled = FILLERS[filler](blank, {"player": name, "swords.total": str(total), "mode.coop": coop})
    (player,) = read(filled).seats
    assert player.name == ("" if is_blank(name) else " ".join(name.split()))
    assert numbers(player) == {"swords.total": total}
    assert texts(read(filled).lines) == ({"mode": "coop"} if coop else {})


@pytest.mark.slow
def test_p7_sheet_filled_by_one_program_and_changed_by_another(blank, read):
    once = FILLERS["Firefox"](blank, {"player": "Bram", "swords.total": "8", "mode.coop": True})
    again = FILLERS["Acrobat"](once, {"swords.total": "9", "mode.coop": False, "mode.competitive": True})
    sheet = read(again)
    assert texts(sheet.lines) == {"mode": "competitive"}
    assert numbers(sheet.seats[0]) == {"swords.total": 9}


def test_an_empty_sheet_has_no_players(blank, read):
    sheet = read(blank)
    assert (sheet.seats, texts(sheet.lines), sheet.problems) == ((), {}, ())


@pytest.mark.slow
def test_sheet_for_two_separates_the_players(for_two, read):
    sheet = read(
        by_pikepdf(for_two, {"p1.swords.total": "8", "p2.swords.total": "–", "p2.score": "5", "p2.date": "today"})
    )
    assert [(player.name, numbers(player)) for player in sheet.seats] == [
        ("Ysolde", {"swords.total": 8}),
        ("Bram", {"score": 5}),
    ]
    assert not any(player.typed for player in sheet.seats), "their names were printed"
    assert [player.typed for player in read(by_pikepdf(for_two, {"p2.player": "Zoë"})).seats] == [False, True]
    assert texts(sheet.lines) == {"date": "today"}


def test_player_without_a_name_is_reported(blank, read):
    assert problem_messages(read(by_pikepdf(blank, {"score": "5"}))) == [Says("name", "player", "missing")]


@pytest.mark.slow
def test_invalid_number_is_reported_with_its_box_and_the_rest_is_read(for_two, read):
    sheet = read(by_pikepdf(for_two, {"p2.swords.total": "abc", "p2.score": "5"}))
    (message,) = problem_messages(sheet)
    assert message.startswith("Bram: Swords, ")
    assert message.endswith("'abc' is not a number.")
    assert sheet.problems[0].hint
    assert numbers(sheet.seats[1]) == {"score": 5}


@pytest.mark.slow
def test_contradictory_ticks_are_reported(old_sheet, blank, read):
    def tick(pdf, fields):
        fields["mode"].V = Name.coop
        fields["mode"].Kids[1].AS = Name.competitive

    both = by_pikepdf(old_sheet, {"mode.coop": True, "mode.competitive": True})
    for sheet in map(read, (both, change_sheet(blank, tick))):
        assert problem_messages(sheet) == [
            Says("We played: co-operative", "We played: competitive", "cannot", "ticked")
        ]
        assert texts(sheet.lines) == {}


@pytest.mark.slow
def test_p7_exclusive_choices_are_one_radio_group(for_two, read):
    with pikepdf.open(BytesIO(for_two)) as pdf:
        fields = fields_by_name(pdf)
        groups = {name: field for name, field in fields.items() if is_radio(field)}
        assert [*groups] == [f"p{n}.{group}" for n in (1, 2) for group in ("mode", "rewards", "outcome", "forfeited")]
        assert not [name for name, field in fields.items() if Name.Btn == field.FT and name not in groups]
        mode = groups["p2.mode"]
        assert (str(mode.TU), mode.V) == ("Bram: We played", Name.Off)
        assert [str(kid.TU) for kid in mode.Kids] == ["Bram: We played: co-operative", "Bram: We played: competitive"]
        assert [set(kid.AP.N) for kid in mode.Kids] == [{"/Off", "/coop"}, {"/Off", "/competitive"}]
    once = by_pikepdf(for_two, {"p1.mode.coop": True})
    assert texts(read(by_pikepdf(once, {"p1.mode.competitive": True})).lines) == {"mode": "competitive"}, (
        "one clears the other"
    )


def test_choice_missing_from_a_radio_group_is_reported(blank, read):
    def tick(pdf, fields):
        fields["mode"].V = Name("/1")

    with pytest.raises(InvalidError, match=r"has no box 'mode\.1'"):
        read(change_sheet(blank, tick))


def test_radio_group_is_read_by_its_value_or_appearance(blank, read):
    def by_value(pdf, fields):
        fields["mode"].V = String("coop")

    def by_look(pdf, fields):
        fields["mode"].Kids[0].AS = Name.coop

    for change in (by_value, by_look):
        assert texts(read(change_sheet(blank, change)).lines) == {"mode": "coop"}


@pytest.mark.slow
def test_contradictory_players_are_reported(for_two, read):
    ticked = {"p1.mode.coop": True, "p2.mode.competitive": True}
    written = {"p1.session": "One", "p2.session": "Two", "p1.score": "5", "p2.score": "6"}
    with pytest.raises(InvalidError, match="differ in the mode: 'coop' and 'competitive'") as raised:
        merge_sheets([read(by_pikepdf(for_two, {**written, **ticked}))], ())
    assert raised.value.where.endswith("foreign.pdf")
    made = merge_sheets([read(by_pikepdf(for_two, written))], ())
    assert (made.session, made.remarks) == ("One", ()), "an evening has any name"


@pytest.mark.short(1)
@pytest.mark.parametrize("state", ["/On", "/1", "/Yes", "/ja"])
@pytest.mark.parametrize("key", ["/V", "/AS"])
def test_tick_is_read_by_any_state_name_from_value_or_appearance(old_sheet, read, state, key):
    def tick(pdf, fields):
        fields["mode.coop"][key] = Name(state)

    assert texts(read(change_sheet(old_sheet, tick)).lines) == {"mode": "coop"}


def test_tick_written_as_text_counts(old_sheet, read):
    def tick(pdf, fields):
        fields["mode.coop"].V = String("Yes")
        fields["mode.competitive"].V = String("Off")

    assert texts(read(change_sheet(old_sheet, tick)).lines) == {"mode": "coop"}


def test_a_text_in_a_stream_or_as_a_name_is_read(blank, read):
    def write(pdf, fields):
        fields["player"].V = pdf.make_stream(b"\xfe\xff" + "Łukasz".encode("utf-16-be"))
        fields["session"].V = Name("/Twelve")

    sheet = read(change_sheet(blank, write))
    assert (sheet.seats[0].name, texts(sheet.lines)) == ("Łukasz", {"session": "Twelve"})


def test_values_of_the_widget_instead_of_its_field_are_read(old_sheet, read):
    def part(pdf, fields):
        for name, value in (("player", String("Bram")), ("mode.coop", Name.Yes)):
            field = fields[name]
            kid = Dictionary(Subtype=Name.Widget, Parent=field, V=value, Rect=field.Rect)
            field.Kids = Array([pdf.make_indirect(kid)])
            pdf.pages[0].Annots.extend(field.Kids)
            del field.V, field.Subtype

    sheet = read(change_sheet(old_sheet, part))
    assert (sheet.seats[0].name, texts(sheet.lines)) == ("Bram", {"mode": "coop"})


@pytest.mark.slow
def test_printed_name_is_recognized_by_the_label_of_the_parent_field(for_two, read):
    def part(pdf, fields):
        field = fields["p2.player"]
        field.Kids = Array([pdf.make_indirect(Dictionary(Subtype=Name.Widget, Parent=field, Rect=field.Rect))])
        del field.Subtype
        pdf.pages[0].Annots.extend(field.Kids)

    assert [player.typed for player in read(change_sheet(for_two, part)).seats] == [False, False]


def test_positions_in_names_as_written_by_form_designers_are_read(blank, read):
    def rename(pdf, fields):
        for field in pdf.Root.AcroForm.Fields:
            field.T = String(f"{field.T}[0]")
        fields["score"].V = String("7")

    assert numbers(read(change_sheet(blank, rename)).seats[0]) == {"score": 7}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["dragon-citadel", "prophets-gambit", "deck-of-destiny", "propheta", "turn-of-fate", "blank"],
)
def test_p7_every_layout_of_every_sheet_is_recognized(tmp_path, name):
    for layout in (layouts := load_score_design(name).layouts):
        printed = print_scores(name, PrintJob("a4", tmp_path / f"{layout}.pdf"), layout=layout)
        sheet = read_filled_sheet(printed.path)
        assert (sheet.game, sheet.problems, sheet.seats) == (name, (), ())
        assert (sheet.layout == PARTY) == (layout == PARTY)
        assert sheet.layout in layouts


@pytest.mark.slow
def test_p7_a_whole_party_on_one_page(tmp_path, read):
    printed = print_scores("dragon-citadel", PrintJob("a4", tmp_path / "party.pdf"), layout=PARTY)
    written = {"p2.player": "Bram", "p2.swords.total": "9", "p2.forfeited.no": True, "mode.coop": True, "date": "today"}
    sheet = read(by_pikepdf(printed.path.read_bytes(), written))
    assert (problem_messages(sheet), texts(sheet.lines)) == ([], {"date": "today", "mode": "coop"})
    (player,) = sheet.seats
    assert (player.name, numbers(player)) == ("Bram", {"swords.total": 9})
    assert texts(player.said.items()) == {"swords.total": "9", "forfeited": "no"}


def test_text_field_converted_to_a_button_is_not_a_tick(blank, read):
    def change(pdf, fields):
        fields["swords.total"].FT, fields["swords.total"].V = Name.Btn, Name.Yes

    assert read(change_sheet(blank, change)).seats == ()


@pytest.mark.slow
def test_last_of_several_games_on_one_sheet_is_read(tmp_path, read):
    printed = print_scores("yahtzee", PrintJob("a4", tmp_path / "s.pdf"), layout="one", players=["Ysolde"])
    blank = printed.path.read_bytes()
    (first,) = read(by_pikepdf(blank, {"ones": "3"})).seats
    (third,) = read(by_pikepdf(blank, {"ones": "3", "g2.ones": "4", "g3.ones": "5", "g3.chance": "x"})).seats
    assert (first.name, texts(first.said.items())) == ("Ysolde", {"ones": "3"})
    assert (third.name, texts(third.said.items())) == ("Ysolde", {"ones": "5", "chance": "0"})


@pytest.mark.slow
def test_moves_clocks_and_notes_of_rounds_are_not_logged(tmp_path, read):
    printed = print_scores("chess", PrintJob("a4", tmp_path / "c.pdf"), players=["Ann", "Ben"])
    written = {"moves.1.1": "e4", "moves.60.2": "Kf7", "clock-white": "1:32", "p1.result.won": True}
    sheet = read(by_pikepdf(printed.path.read_bytes(), written))
    assert sheet.problems == () and sheet.lines == []
    assert [(seat.name, texts(seat.said.items())) for seat in sheet.seats] == [
        ("Ann", {"result": "won"}),
        ("Ben", {}),
    ]
    skat = print_scores("skat", PrintJob("a4", tmp_path / "k.pdf"), players=["Ann", "Ben", "Eve"])
    sheet = read(by_pikepdf(skat.path.read_bytes(), {"deal.1.note-game": "Grand", "p1.deal.1.points": "-48"}))
    assert [texts(seat.said.items()) for seat in sheet.seats] == [{"deal.1.points": "-48"}, {}, {}]
