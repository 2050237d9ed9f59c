"""Thirteen published games, each defined, checked, printed, filled in, logged from the PDF and counted."""

import re
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.published_games import DEFINITIONS, GAMES, PlayedByHand
from tests.sheets.scoresheets.filling import by_pikepdf, by_pypdf
from vaultkit.campaign.scoresheets.input_formats import from_flags
from vaultkit.campaign.scoresheets.paper_record import build_tally
from vaultkit.errors import ExitCode
from vaultkit.files import parse_toml
from vaultkit.games.definition_reader import definition_text, raw_definition
from vaultkit.session.options import settle
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.vault import Vault

WIDE = ("bowling", "party")
"""Four boxes in each of ten frames: one page for each player."""


@pytest.fixture
def vault(example: Path) -> Path:
    shutil.copytree(DEFINITIONS, example / ".vaultkit" / "games")
    return example


def test_each_definition_is_read_and_comes_to_the_totals_computed_by_hand(vault: Path) -> None:
    sheets = ScoreSheets(Vault(vault))
    assert not sheets.faults and {*GAMES} < {*sheets.defined}
    for game, played in GAMES.items():
        sheet = sheets.find(game)
        record = from_flags(played.flags, played.table_ticks.get("outcome"))
        tally = build_tally(record, sheet, settle(sheet, {}))
        names = [seat.name for seat in record.seats]
        assert [doubt.speak(names.__getitem__) for doubt in sheet.doubts(tally)] == [], game
        raw = raw_definition(sheet.source)
        assert raw_definition(parse_toml(definition_text(raw))) == raw, game
        outcome = sheet.outcome(tally)
        assert tuple(map(outcome.score, range(len(names)))) == played.totals, game
        assert tuple(names[seat] for seat in outcome.winners) == played.winners, game
        assert played.reason in outcome.reason.render(names.__getitem__, str), game


def fill(vk: Vaultkit, vault: Path, game: str, played: PlayedByHand, layout: str) -> list[str]:
    """Return the flags for the printed sheets of a game after another program has filled them in."""
    blank, files = vault.parent / "blank.pdf", list[str]()
    done = vk("print", "scores", game, "--layout", layout, "--players", "-", "--out", str(blank), cwd=vault)
    assert done.code == ExitCode.OK, done.err
    names = list(played.boxes)
    fields = {"party": played.fields}
    if layout == "one":
        common = {name: value for name, value in played.fields.items() if not re.match(r"p\d\.", name)}
        fields = {
            name: common
            | {key.removeprefix(f"p{n}."): v for key, v in played.fields.items() if key.startswith(f"p{n}.")}
            for n, name in enumerate(names, 1)
        }
    for name, boxes in fields.items():
        file = vault.parent / f"foreign-{name}.pdf"
        file.write_bytes((by_pypdf if len(names) % 2 else by_pikepdf)(blank.read_bytes(), boxes))
        files += ["--from", str(file)]
    return files


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "layout"), [(game, layout) for game in GAMES for layout in ("party", "one") if (game, layout) != WIDE]
)
def test_each_game_is_printed_filled_in_logged_and_counted(vk: Vaultkit, vault: Path, game: str, layout: str) -> None:
    played = GAMES[game]
    done = vk("log", *fill(vk, vault, game, played, layout), "--json", cwd=vault)
    assert done.code == ExitCode.OK, done.err
    note = (vault / done.json["note"]).read_text(encoding="utf-8")
    assert "In doubt" not in note
    scores = re.findall(r"^score-[\w-]+: (\S+)$", note, re.MULTILINE)
    assert [float(score) for score in scores] == [total for total in played.totals if total is not None]
    stats = vk("stats", "--game", game, "--json", cwd=vault).json
    wins = {player["name"].split()[0]: player["wins"] for player in stats["players"]}
    assert wins == {name: int(name in played.winners) for name in played.boxes}
    assert vk("undo", cwd=vault).code == ExitCode.OK and not (vault / done.json["note"]).exists()
