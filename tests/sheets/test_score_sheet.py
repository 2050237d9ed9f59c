from pathlib import Path

import pikepdf
import pytest
from pypdf import PdfReader

from tests.sheets.conftest import fonts_of, text_of
from tests.sheets.scoresheets.filling import fields_by_name
from vaultkit.errors import InvalidError, UsageError, WriteError
from vaultkit.resources import shipped_folder
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.scoresheets.score_sheet import Filled, print_scores
from vaultkit.theme.model import Theme

DESIGN = shipped_folder("print") / "sheets" / "dragon-citadel-score.toml"


@pytest.mark.slow
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_blank_sheet_explains_the_scoring(tmp_path: Path, paper: str) -> None:
    made = print_scores("dragon-citadel", PrintJob(paper, tmp_path / "s.pdf"))
    words = text_of(made.path)
    assert made.pages == 1
    for wanted in [
        "Swords", "Stars", "Glyphs", "Coins", "Crowns", "Player", "Session", "Date", "co-operative", "competitive",
        "Total of numbers", "Reward rolls", "Hero cards", "1–15", "36–45", "1 roll on table D",
        "2 rolls, challenge 5–10",
        "DC-33", "DC-34", "DC-35", "the joker", "four Masters", "For example",
    ]:  # fmt: skip
        assert wanted.lower() in words.lower(), wanted


@pytest.mark.slow
def test_one_page_for_each_player_with_the_scores_filled_in(tmp_path: Path) -> None:
    made = print_scores(
        "dragon-citadel", PrintJob("a4", tmp_path / "s.pdf"), players=["Ysolde", "Żółć"], filled=Filled(
            {"session": "k3f9", "mode.coop": "yes"}, {"Ysolde": {"swords.total": 17, "crowns.count": 3, "score": 26}},
        ),
    )  # fmt: skip
    reader = PdfReader(made.path)
    fields = reader.get_fields() or {}
    assert made.sheets == ("Ysolde", "Żółć")
    assert (fields["p1.player"]["/V"], fields["p2.player"]["/V"]) == ("Ysolde", "Żółć")
    assert (fields["p1.swords.total"]["/V"], fields["p1.mode"]["/V"]) == ("17", "/coop")
    assert "1 / 2" in reader.pages[0].extract_text()
    assert "1 / 1" not in text_of(print_scores("propheta", PrintJob("a4", tmp_path / "one.pdf")).path)
    assert [item.title for item in reader.outline if not isinstance(item, list)] == ["Ysolde", "Żółć"]


@pytest.mark.slow
def test_all_fonts_are_embedded_and_the_page_is_not_scaled(tmp_path: Path) -> None:
    made = print_scores("dragon-citadel", PrintJob("letter", tmp_path / "s.pdf"), players=["Ужас ♥ ⚔ 😀"])
    assert all(fonts_of(made.path).values())
    reader = PdfReader(made.path)
    assert reader.trailer["/Root"]["/ViewerPreferences"]["/PrintScaling"] == "/None"  # type: ignore[index]
    assert made.missing == ()


@pytest.mark.slow
def test_p4_name_longer_than_its_line_is_shortened_on_screen_and_whole_in_the_tags(
    tmp_path: Path,
) -> None:
    name = "Wolfgang " * 30
    made = print_scores("dragon-citadel", PrintJob("a4", tmp_path / "s.pdf"), players=[name])
    field = (PdfReader(made.path).get_fields() or {})["player"]
    assert field["/V"] == name
    assert made.pages == 1


@pytest.mark.short(3)
@pytest.mark.parametrize(
    ("arguments", "accepted"),
    [
        ({"scores": {"Bram": {}}}, "Ysolde"),
        ({"scores": {"Ysolde": {"sword.total": 1}}}, "swords.total"),
        ({"common": {"modes.coop": "yes"}}, "mode.competitive, mode.coop"),
        ({"common": {"mode.solo": "yes"}}, "mode.competitive, mode.coop"),
        ({"scores": {"Ysolde": {"forfeited.perhaps": "yes"}}}, "forfeited.no, forfeited.yes"),
    ],
)
def test_unknown_box_is_an_error_with_the_known_ones(
    tmp_path: Path, arguments: dict[str, dict[str, dict[str, int]]], accepted: str
) -> None:
    with pytest.raises(UsageError) as caught:
        print_scores(
            "dragon-citadel", PrintJob("a4", tmp_path / "s.pdf"), players=["Ysolde"], filled=Filled(**arguments)
        )  # type: ignore[arg-type]
    assert accepted in caught.value.hint


def test_unknown_game_lists_those_with_a_sheet(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        print_scores("mancala", PrintJob("a4", tmp_path / "s.pdf"))
    assert "dragon-citadel" in caught.value.hint


@pytest.mark.slow
def test_p4_too_many_words_continue_on_another_page_or_are_an_error_on_a_quarter(tmp_path: Path) -> None:
    own = tmp_path / ".vaultkit" / "print" / "sheets"
    own.mkdir(parents=True)
    text = DESIGN.read_text(encoding="utf-8").replace("scores nothing.", "scores nothing. " * 180)
    (own / DESIGN.name).write_text(text, encoding="utf-8")
    made = print_scores("dragon-citadel", PrintJob("a4", tmp_path / "s.pdf", Theme(tmp_path)))
    assert made.pages == 2
    (own / DESIGN.name).write_text(text.replace('reminder = "', f'reminder = "{"more " * 400}'), encoding="utf-8")
    with pytest.raises(InvalidError, match="more words than fit"):
        print_scores("dragon-citadel", PrintJob("a4", tmp_path / "four.pdf", Theme(tmp_path)), layout="four")
    assert not (tmp_path / "four.pdf").exists()


@pytest.mark.slow
def test_foreign_file_is_not_replaced(tmp_path: Path) -> None:
    out = tmp_path / "s.pdf"
    out.write_bytes(b"%PDF-1.7 somebody's")
    with pytest.raises(WriteError) as caught:
        print_scores("dragon-citadel", PrintJob("a4", out))
    assert "--out" in caught.value.hint
    assert out.read_bytes() == b"%PDF-1.7 somebody's"
    out.unlink()
    print_scores("dragon-citadel", PrintJob("a4", out))
    print_scores("dragon-citadel", PrintJob("letter", out))
    out.write_bytes(out.read_bytes() + b"1 0 obj filled in later\n%%EOF")
    with pytest.raises(WriteError):
        print_scores("dragon-citadel", PrintJob("a4", out))


@pytest.mark.slow
def test_missing_folder_is_an_error_with_a_hint(tmp_path: Path) -> None:
    with pytest.raises(WriteError) as caught:
        print_scores("dragon-citadel", PrintJob("a4", tmp_path / "no" / "s.pdf"))
    assert caught.value.hint
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_zero_on_the_sheet_has_no_slash(tmp_path: Path, paper: str) -> None:
    made = print_scores(
        "dragon-citadel", PrintJob(paper, tmp_path / "s.pdf"), players=["Ysolde"], filled=Filled(
            {"date": "2026-10-30"}, {"Ysolde": {"swords.total": 10, "swords.rolls": "10 × row 10", "score": 100}},
        ),
    )  # fmt: skip
    faces: set[str] = set()
    PdfReader(made.path).pages[0].extract_text(
        visitor_text=lambda text, _cm, _tm, font, _size: faces.add(font["/BaseFont"]) if "0" in text else None
    )
    with pikepdf.open(made.path) as pdf:
        fields = fields_by_name(pdf)
        faces.update(str(fields[name].DA) for name in ("swords.total", "crowns.count", "score"))
    assert faces
    assert not [face for face in faces if "Atkinson" in face]
