"""P7: a blank sheet with rows and columns of one's own says what it asked for when it comes back."""

from pathlib import Path

import pytest
from pikepdf import String

from tests.sheets.scoresheets.filling import FILLERS, by_pikepdf, changed
from vaultkit.errors import InvalidError
from vaultkit.sheets.scoresheets.design import Own, adapted, own_as_json, own_from_json
from vaultkit.sheets.scoresheets.filled_sheet import read_filled
from vaultkit.sheets.scoresheets.reading import load_score_design
from vaultkit.sheets.scoresheets.score_sheet import print_scores

FAIR = {"title": "Gänsefest, “1.”", "rows": ["Ring toss", "Eating, pies"], "columns": ["Łucja", "Bram"]}


@pytest.fixture(scope="module")
def blank(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    out = tmp_path_factory.mktemp("own") / "sheet.pdf"
    return print_scores(
        "blank", paper="a4", out=out, layout="one", design=adapted(load_score_design("blank"), **FAIR)
    ).path.read_bytes()


@pytest.mark.parametrize("filler", ["pypdf", "Firefox", "Preview"])
def test_p7_own_rows_and_columns_come_back(blank: bytes, tmp_path: Path, filler: str) -> None:
    path = tmp_path / "filled-foreign.pdf"
    path.write_bytes(FILLERS[filler](blank, {"player": "Sefa", "row-1.1": "3", "row-2.2": "7"}))
    sheet = read_filled(path)
    assert (sheet.game, sheet.title, sheet.problems) == ("blank", FAIR["title"], ())
    (player,) = sheet.seats
    said = {sheet.labels[name]: words.text for name, words in player.said.items()}
    assert (player.name, said) == ("Sefa", {"Ring toss, Łucja": "3", "Eating, pies, Bram": "7"})


@pytest.mark.parametrize("layout", ["four", "party"])
def test_p7_own_columns_come_back_in_every_layout(tmp_path: Path, layout: str) -> None:
    design = adapted(load_score_design("blank"), columns=["Won", "Lost"])
    made = print_scores("blank", paper="a4", out=tmp_path / "s.pdf", layout=layout, design=design)
    path = tmp_path / "filled-foreign.pdf"
    path.write_bytes(by_pikepdf(made.path.read_bytes(), {"p2.player": "Bram", "p2.row.1.2": "4"}))
    sheet = read_filled(path)
    assert (sheet.layout == "party") == (layout == "party")
    assert sheet.seats[0].said["row.1.2"].text == "4"


@pytest.mark.parametrize(
    "own", ["{", "[]", '{"seats": 3}', '{"rows": "A"}', '{"rows": [1]}', '{"title": 7}', "[" * 99_999]
)
def test_what_no_longer_says_it_is_refused(blank: bytes, tmp_path: Path, own: str) -> None:
    def spoil(_pdf: object, fields: dict[str, object]) -> None:
        fields["vaultkit.own"].V = String(own)  # type: ignore[attr-defined]

    path = tmp_path / "filled-foreign.pdf"
    path.write_bytes(changed(blank, spoil))
    with pytest.raises(InvalidError, match="which rows and columns"):
        read_filled(path)


def test_what_is_written_is_understood() -> None:
    assert own_from_json(own_as_json(None)) is None
    for own in (Own("A"), Own("", ("B",)), Own("ß", ("1", "2"), ("x, y",))):
        assert own_from_json(own_as_json(own)) == own
