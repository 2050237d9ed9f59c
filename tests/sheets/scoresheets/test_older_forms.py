"""Forms that were printed before their game's definition changed."""

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace
from pikepdf import Array, Name, String

from tests.games.test_definition import sheet
from tests.sheets.scoresheets.filling import by_pypdf, change_sheet
from tests.sheets.scoresheets.test_forms import LAYOUTS
from vaultkit.sheets.filled_sheets.filled_sheet import read_filled_sheet
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.scoresheets.design import load_score_design
from vaultkit.sheets.scoresheets.score_sheet import print_scores


@pytest.mark.slow
def test_choice_from_a_list_on_an_older_sheet_is_read_as_a_tick(tmp_path: Path) -> None:
    def choose(_: Any, fields: Mapping[str, Any]) -> None:
        for name, value in (("result", "drawn"), ("colour", "")):
            field = fields[f"p1.{name}"]
            field.FT, field.Ff, field.V = Name.Ch, 0, String(value)
            del field.Kids

    blank = print_scores("chess", PrintJob("a4", tmp_path / "s.pdf"), layout="party").path
    filled = tmp_path / "filled.pdf"
    filled.write_bytes(change_sheet(by_pypdf(blank.read_bytes(), {"p1.player": "Bram"}), choose))
    (bram,) = read_filled_sheet(filled).seats
    filled.unlink()  # boxes of another kind keep no promise of the file
    assert {key: words.text for key, words in bram.said.items()} == {"result": "drawn"}


@pytest.mark.slow
def test_a_sheet_that_is_older_than_a_formula_is_read(tmp_path: Path) -> None:
    def take_out(pdf: Any, fields: Mapping[str, Any]) -> None:
        above = fields["p1.upper"].Parent
        above.Kids = Array([kid for kid in above.Kids if str(kid.T) not in ("upper", "lower")])

    blank = print_scores("yahtzee", PrintJob("a4", tmp_path / "s.pdf"), layout="party", players=["Bram"]).path
    filled = tmp_path / "filled.pdf"
    filled.write_bytes(change_sheet(by_pypdf(blank.read_bytes(), {"p1.ones": "3"}), take_out))
    (bram,) = read_filled_sheet(filled).seats
    assert {key: words.text for key, words in bram.said.items()} == {"ones": "3"}


@pytest.mark.slow
@pytest.mark.parametrize("game", [pytest.param("dragon-citadel", marks=pytest.mark.slow), "wolves"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_sheet_older_than_the_outcome_boxes_is_read(tmp_path: Path, game: str, layout: str) -> None:
    columns = [{"id": "loot", "title": "Loot"}, {"id": "won", "title": "Won it?", "takes": "yes or no"}]
    wolves = sheet({"title": "Wolf Night", "players": [2, 5], "win": "co-op", "columns": columns}, "wolves")
    games = SimpleNamespace(find_info=lambda _: wolves, find=lambda _: wolves)
    design = load_score_design(game, None, games)
    old = replace(design, ticks=tuple(ticks for ticks in design.ticks if ticks.id != "outcome"))
    assert len(old.ticks) == len(design.ticks) - 1
    blank = print_scores(game, PrintJob("a4", tmp_path / "old.pdf"), design=old, layout=layout)
    prefix, box = ("" if layout == "one" else "p1."), "loot" if game == "wolves" else "swords.total"
    (tmp_path / "filled.pdf").write_bytes(
        by_pypdf(blank.path.read_bytes(), {f"{prefix}player": "Ysolde", f"{prefix}{box}": "3"})
    )
    filled = read_filled_sheet(tmp_path / "filled.pdf", None, games)
    assert [(seat.name, seat.said[box].text) for seat in filled.seats] == [("Ysolde", "3")]
    assert not filled.problems and "outcome" not in dict(filled.lines)
