"""Games known by their score sheets alone: printed, filled in, logged, counted and taken back, as whole commands."""

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from tests.cli.conftest import Done, Vaultkit
from tests.cli.test_mistyped_players import Typed
from tests.sheets.scoresheets.filling import by_pypdf, fields_by_name
from tests.wording import Says
from vaultkit.errors import ExitCode
from vaultkit.games.scoresheet import ENDINGS
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.scoresheets.score_sheet import print_scores

GOOSE = """title = "Goose Fair"
players = [2, 4]

[rounds]
name = "stall"
most = 4

[[columns]]
id = "geese"
title = "Geese"
most = 9

[[columns]]
id = "prize"
title = "Prize"
takes = ["none", "ribbon", "cake"]
worth = [0, 5, 10]

[[columns]]
id = "score"
title = "Score"
formula = "sum(2 * geese + prize)"

[[impossible]]
when = "geese = 0 and prize = 10"
words = "{player} won the {prize} at stall {round} without a goose."
"""
TASTING = """title = "Tasting"
players = [2, 4]

[rounds]
name = "glass"
most = 3

[[columns]]
id = "points"
title = "Points"
step = 0.5
"""
GAMES: dict[str, tuple[dict[str, Any], dict[str, Any], list[str], list[float | None]]] = {
    "skat": (
        {"deal.1.points": "18", "deal.3.points": "-48", "total": "-30"},
        {"deal.2.points": "24"},
        ["Bram"],
        [-30, 24, 0],
    ),
    "hearts": ({"deal.1.points": "13"}, {"deal.1.points": "9"}, ["Sefa"], [13, 9, 4]),
    "yahtzee": ({"ones": "3", "upper": "3", "yahtzee": "50", "total": "53"}, {"sixes": "30"}, ["Ysolde"], [53, 30, 0]),
    "darts-501": ({"visit.1.points": "180"}, {"visit.1.points": "60"}, ["Ysolde"], [321, 441, 501]),
    "chess": (
        {"colour.White": True, "result.drawn": True},
        {"colour.Black": True, "result.drawn": True},
        ["Ysolde", "Bram"],
        [0.5] * 2,
    ),
    "who-won": ({"won.yes": True}, {"won.no": True}, ["Ysolde"], [None, None, None]),
    "goose-fair": (
        {"stall.1.geese": "3", "stall.1.prize": "cake", "stall.2.geese": "1", "stall.2.prize": "none", "score": "18"},
        {"stall.1.prize": "ribbon", "stall.2.prize": "ribbon"},
        ["Ysolde"],
        [18, 10, 10],
    ),
    "tasting": (
        {"glass.1.points": "7½", "glass.2.points": "2,5 + 0.5", "total": "10.5"},
        {"glass.1.points": "8", "glass.3.points": "½"},
        ["Ysolde"],
        [10.5, 8.5, 0],
    ),
}
THIRD: dict[str, dict[str, Any]] = {
    "hearts": {"deal.1.points": "4"},
    "goose-fair": {"stall.1.prize": "ribbon", "stall.2.prize": "ribbon"},
    "who-won": {"won.no": True},
}


@pytest.fixture
def vault(example: Path) -> Path:
    folder = example / ".vaultkit" / "games"
    folder.mkdir(parents=True)
    (folder / "goose-fair.toml").write_text(GOOSE, encoding="utf-8")
    (folder / "tasting.toml").write_text(TASTING, encoding="utf-8")
    return example


def notes(vault: Path) -> dict[str, bytes]:
    return {path.relative_to(vault).as_posix(): path.read_bytes() for path in vault.rglob("*.md")}


def filled_in(vk: Vaultkit, vault: Path, game: str, layout: str) -> list[str]:
    """The game's sheets, printed in this layout, filled in by another program."""
    ysolde, bram, *_ = GAMES[game]
    people = {"Ysolde": ysolde, "Bram": bram} | ({} if game == "chess" else {"Sefa": THIRD.get(game, {})})
    if game not in ("who-won", "chess", "hearts", "goose-fair"):
        rounds = {"skat": "deal.1.points", "tasting": "glass.1.points", "darts-501": "visit.1.points"}
        people["Sefa"] = {rounds.get(game, "ones"): "0"}
    blank = vault.parent / "blank.pdf"
    done = vk("print", "scores", game, "--layout", layout, "--players", "-", "--out", str(blank), cwd=vault)
    assert done.code == ExitCode.OK, done.err
    if layout == "party":
        boxes = {f"p{n}.{box}": text for n, mine in enumerate(people.values(), 1) for box, text in mine.items()}
        sheets = {"party": {**boxes, **{f"p{n}.player": name for n, name in enumerate(people, 1)}}}
    else:
        if game == "skat":  # pypdf fills every box whose last name is `total`, those of the running totals, too
            ysolde = {box: text for box, text in ysolde.items() if box != "total"}
        sheets = {name: {**mine, "player": name} for name, mine in (people | {"Ysolde": ysolde}).items()}
    files = []
    for name, boxes in sheets.items():
        file = vault.parent / f"{name}.pdf"
        file.write_bytes(by_pypdf(blank.read_bytes(), boxes))
        files += ["--from", str(file)]
    return files


def logged(vk: Vaultkit, vault: Path, files: list[str]) -> Done:
    done = vk("log", *files, "--json", cwd=vault)
    assert done.code == ExitCode.OK, done.err
    return done


def is_printed_logged_counted_and_undone(vk: Vaultkit, vault: Path, game: str, layout: str) -> None:
    before = notes(vault)
    *_, winners, scores = GAMES[game]
    done = logged(vk, vault, filled_in(vk, vault, game, layout))
    note = (vault / done.json["note"]).read_text(encoding="utf-8")
    assert f"game/{game}" in note
    stats = vk("stats", "--game", game, "--json", cwd=vault).json
    assert sum(map(vk("stats", "--game", game, cwd=vault).out.count, ENDINGS.values())) == 1
    (session,) = stats["sessions"] if "sessions" in stats else stats["games"]
    assert session, json.dumps(stats)[:300]
    for winner in winners:
        assert winner in note
    for score in scores:
        assert score is None or f"{score:g}" in note.replace("\\-", "-")
    assert vk("log", *filled_in(vk, vault, game, layout), "--json", cwd=vault).json == done.json
    assert vk("undo", cwd=vault).code == ExitCode.OK and notes(vault) == before


@pytest.mark.slow
def test_own_game_is_printed_logged_counted_and_undone(vk: Vaultkit, vault: Path) -> None:
    is_printed_logged_counted_and_undone(vk, vault, "goose-fair", "party")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "layout"), [(game, layout) for game in GAMES for layout in ("party", "one") if game + layout != "chessone"]
)
def test_every_shipped_game_is_printed_logged_counted_and_undone(
    vk: Vaultkit, vault: Path, game: str, layout: str
) -> None:
    is_printed_logged_counted_and_undone(vk, vault, game, layout)


@pytest.mark.slow
def test_flags_doubts_and_an_evening_round_by_round(vk: Vaultkit, vault: Path) -> None:
    flags = ("--score", "Ysolde: geese=0/3, prize=cake/none", "--score", "Bram: geese=2/1, prize=none/none")
    done = vk("log", "goose-fair", *flags, cwd=vault)
    assert done.code == ExitCode.INVALID and "Ysolde won the cake at stall 1 without a goose." in done.err
    before = notes(vault)
    done = vk("log", "goose fair", *flags, "--force", "--json", cwd=vault)
    note = (vault / done.json["note"]).read_text(encoding="utf-8")
    assert "**In doubt:** Ysolde" in note and "## Prize Stall by Stall" in note and "real-cards" not in note
    assert "score-ysolde-marr: 16" in note and len(notes(vault)) == len(before) + 1
    (vault / ".vaultkit" / "games" / "goose-fair.toml").unlink()
    assert vk("log", "--session", done.json["session"], cwd=vault).code == ExitCode.OK
    shutil.rmtree(vault / ".vaultkit" / "games" / "kept")
    again = vk("log", "--session", done.json["session"], cwd=vault)
    assert again.code == ExitCode.INVALID and ".vaultkit/games/kept/sha256-" in again.err and "git" in again.err
    journal = vault / ".vaultkit" / "journals" / f"{done.json['session']}.journal"
    as_it_was = journal.read_text(encoding="utf-8")
    journal.write_text(re.sub(r',\s*"definition":"[^"]*"', "", as_it_was), encoding="utf-8")
    again = vk("log", "--session", done.json["session"], cwd=vault)
    assert again.code == ExitCode.INVALID and "Bring its definition back" in again.err


@pytest.fixture(scope="module")
def hearts(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """An empty sheet for a party at Hearts."""
    out = tmp_path_factory.mktemp("hearts") / "blank.pdf"
    return print_scores("hearts", PrintJob("a4", out), layout="party").path.read_bytes()


def fill(hearts: bytes, vault: Path, boxes: dict[str, str]) -> Path:
    file = vault.parent / "hearts.pdf"
    file.write_bytes(by_pypdf(hearts, boxes))
    return file


NAMES = {"p1.player": "Ysolde", "p2.player": "Bram", "p3.player": "Sefa", "p4.player": "Oren"}
TWO_DEALS = {f"p{n}.deal.{deal}.points": points for deal in (1, 2) for n, points in enumerate(("13", "9", "4"), 1)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("boxes", "said"),
    [
        pytest.param({**NAMES, **TWO_DEALS}, "Oren has no score: nothing is written down.", marks=pytest.mark.slow),
        ({**NAMES, **TWO_DEALS, "p4.deal.1.points": "0"}, "Oren has nothing in deal 2, and the lowest score wins."),
    ],
)
def test_a_typed_name_with_empty_boxes_has_no_score_and_does_not_win(
    vk: Vaultkit, vault: Path, hearts: bytes, boxes: dict[str, str], said: str
) -> None:
    before = notes(vault)
    done = vk("log", "--from", str(fill(hearts, vault, boxes)), cwd=vault)
    assert done.code == ExitCode.INVALID and said in done.err and "0" in done.err
    assert notes(vault) == before
    zeros = {"p4.deal.1.points": "0", "p4.deal.2.points": "0"}
    assert vk("log", "--from", str(fill(hearts, vault, boxes | zeros)), cwd=vault).code == ExitCode.OK


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("game", "scores", "said"),
    [
        ("hearts", ("Ysolde: points=13/9", "Bram: points=13/17", "Sefa:"), "Sefa has no score"),
        ("hearts", ("Ysolde: points=13/9", "Bram: points=13/17", "Sefa: points=-/0"), "Sefa has nothing in deal 1"),
        ("skat", ("Ysolde: points=-18", "Bram: points=-24", "Sefa:"), "Sefa has no score"),
        ("yahtzee", ("Ysolde: ones=3", "Bram:"), "Bram has no score"),
        ("darts-501", ("Ysolde: points=180/180/141", "Bram: points=60/60", "Sefa: points=1"), ""),
        ("who-won", ("Ysolde: won=yes", "Bram:", "Sefa:"), ""),
        ("hearts", ("Ysolde: points=13/9", "Bram: points=13/17", "Sefa: points=0/0"), ""),
    ],
)
def test_missing_score_is_not_zero(vk: Vaultkit, vault: Path, game: str, scores: tuple[str, ...], said: str) -> None:
    before = notes(vault)
    done = vk("log", game, *(word for score in scores for word in ("--score", score)), "--dry-run", cwd=vault)
    assert (done.code == ExitCode.OK) is (not said), done.err
    assert said in done.err and notes(vault) == before
    if said:
        lines = [f'game = "{game}"']
        for name, _, values in (score.partition(":") for score in scores):
            lines += ["[[players]]", f'name = "{name}"']
            lines += [f'{key.strip()} = "{value}"' for key, _, value in [values.partition("=")] if value]
        file = vault.parent / "scores.toml"
        file.write_text("\n".join(lines), encoding="utf-8")
        done = vk("log", "--from", str(file), cwd=vault)
        assert done.code == ExitCode.INVALID and said in done.err and notes(vault) == before


@pytest.mark.slow
def test_ink_over_a_box_is_asked_about_or_refused_without_a_terminal(
    vk: Vaultkit, vault: Path, hearts: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    boxes = {**NAMES, "p4.player": "", **TWO_DEALS, "p3.deal.1.points": "8"}
    filled, before = fill(hearts, vault, boxes), notes(vault)
    file = vault.parent / "foreign.pdf"
    with pikepdf.open(filled) as pdf:
        box = fields_by_name(pdf)["p3.deal.1.points"].Rect
        ink = Array([Array([box[0] + 4, box[1] + 4, box[2] - 4, box[3] - 4])])
        made = Dictionary(Type=Name.Annot, Subtype=Name.Ink, Rect=box, InkList=ink, F=4)
        pdf.pages[0].Annots.append(pdf.make_indirect(made))
        pdf.save(file)
    done = vk("log", "--from", str(file), cwd=vault)
    assert done.code == ExitCode.INVALID and notes(vault) == before
    assert done.err == Says("Sefa", "Deal 1", "Points", "page 1", "ink covers", "8")
    assert done.err == Says("covers one box", "Nothing", "written") and "--score" in done.err
    monkeypatch.setattr(sys, "stdin", Typed("4\n"))
    done = vk("log", "--from", str(file), "--dry-run", cwd=vault)
    assert done.code == ExitCode.OK and "What does the page show" in done.out, done.err
    assert "]] 8, " in done.out and "]] 18, " in done.out


@pytest.mark.slow
def test_half_points_are_typed_and_preserved(vk: Vaultkit, vault: Path) -> None:
    flags = ("--score", "Ysolde: points=7½/3, total=10.5", "--score", "Bram: points=8/.5+1.5/½")
    done = vk("log", "tasting", *flags, "--json", cwd=vault)
    note = (vault / done.json["note"]).read_text(encoding="utf-8")
    assert "score-ysolde-marr: 10.5" in note and "| 7.5 | 3 |" in note.replace("\\.", ".")
    again = vk("log", "--session", done.json["session"], "--json", cwd=vault)
    assert again.code == ExitCode.OK and again.json["session"] == done.json["session"]
    wrong = vk("log", "tasting", "--score", "Ysolde: points=7.3", "--score", "Bram: points=1", cwd=vault)
    assert wrong.code == ExitCode.USAGE and "'7.3' is not a number" in wrong.err and "in steps of 0.5" in wrong.err


@pytest.mark.slow
def test_an_example_file_is_filled_in_and_logged(vk: Vaultkit, vault: Path) -> None:
    file = vault.parent / "skat.toml"
    example = vk("log", "skat", "--seat", "Ysolde", "--seat", "Bram", "--seat", "Sefa", "--example", cwd=vault).out
    assert example.count('points = "0"') == 3
    file.write_text(example.replace('points = "0"', 'points = "18/0/-48"', 1), encoding="utf-8")
    done = vk("log", "--from", str(file), "--dry-run", cwd=vault)
    assert done.code == ExitCode.OK and "score-ysolde-marr: -30" in done.out and "Deal by Deal" in done.out


@pytest.mark.slow
def test_game_is_created_printed_and_undone(vk: Vaultkit, vault: Path) -> None:
    columns = (
        "--column",
        "Points",
        "--column",
        "Prize: ribbon, cake",
        "--column",
        "Honest?",
        "--column",
        "Twice = 2 * points",
    )
    made = vk("games", "new", "--title", "Bell Race", "--players", "2-5", *columns, "--win", "lowest", cwd=vault)
    assert made.code == ExitCode.OK and "vaultkit print scores bell-race" in made.err
    assert (vault / ".vaultkit" / "games" / "bell-race.toml").is_file()
    (row,) = [row for row in vk("games", "--json", cwd=vault).json if row["id"] == "bell-race"]
    assert (row["title"], row["seats"], row["ready"]) == ("Bell Race", [2, 5], True)
    done = vk(
        "log",
        "bell-race",
        "--score",
        "Ysolde: points=3, prize=cake",
        "--score",
        "Bram: points=5, prize=ribbon, honest",
        "--dry-run",
        cwd=vault,
    )
    assert "score-ysolde-marr: 6" in done.out and "[[Ysolde Marr|Ysolde]] has the lowest score, 6" in done.out
    again = vk("games", "new", "--title", "bell race", "--players", "2", "--column", "X", cwd=vault)
    assert again.code == ExitCode.USAGE and "bell-race.toml" in again.err
    assert vk("undo", cwd=vault).code == ExitCode.OK
    assert not (vault / ".vaultkit" / "games" / "bell-race.toml").exists()


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("Race", "--players", "x", "--column", "Points"), "not a number of players"),
        (("--title", "Race", "--players", "2", "--column", "A = b"), "no column 'b'"),
        (("--title", "Propheta", "--players", "2", "--column", "A"), "This is Propheta, which exists already"),
        (("--title", "Race", "--players", "2", "--column", "A", "--win", "loudest"), "chosen, co-op, highest, lowest"),
        (("Race",), "vaultkit games new Race --players"),
    ],
)
def test_invalid_game_is_not_written(vk: Vaultkit, vault: Path, flags: tuple[str, ...], said: str) -> None:
    before = sorted((vault / ".vaultkit").rglob("*"))
    done = vk("games", "new", *flags, cwd=vault)
    assert done.code == ExitCode.USAGE and said in done.err and sorted((vault / ".vaultkit").rglob("*")) == before


@pytest.mark.slow
def test_a_faulty_definition_is_named_and_nothing_is_written(vk: Vaultkit, vault: Path) -> None:
    file = vault / ".vaultkit" / "games" / "goose-fair.toml"
    file.write_text(GOOSE.replace("sum(2 * geese", "sum(2 * swans"), encoding="utf-8")
    before = notes(vault)
    for command in (("print", "scores", "goose-fair"), ("log", "goose-fair", "--score", "Ysolde: geese=1")):
        done = vk(*command, cwd=vault)
        assert done.code == ExitCode.INVALID and "no column 'swans'" in done.err
        assert ".vaultkit/games/goose-fair.toml:22" in done.err
    assert notes(vault) == before and "no: There is no column 'swans'" in vk("games", cwd=vault).out
    assert vk("check", cwd=vault).out == Says(".vaultkit/games/goose-fair.toml:22:1", "no", "column", "swans")


@pytest.mark.slow
def test_unknown_game_suggests_the_command_that_creates_it(vk: Vaultkit, vault: Path) -> None:
    for words in (("print", "scores"), ("log",)):
        assert 'vaultkit games new "Five Kings"' in vk(*words, "Five Kings", cwd=vault).err
    assert vk("games", "new", "Five", "Kings", "--players", "3", "--column", "Points", cwd=vault).code == ExitCode.OK
    assert vk("print", "scores", "five-kings", "--out", "x.pdf", cwd=vault).code == ExitCode.OK


@pytest.mark.slow
def test_unlogged_game_is_listed_once_it_has_a_move(vk: Vaultkit, vault: Path, tmp_path: Path) -> None:
    (tmp_path / "moves.txt").write_text("quit\n", encoding="utf-8")
    words = ("play", "turn-of-fate", "--seat", "Ysolde", "--seat", "bot:random", "--seed", "3")
    vk(*words, "--no-log", "--script", str(tmp_path / "moves.txt"), cwd=vault)
    assert vk("sessions", "--json", cwd=vault).json == []
    vk(*words, "--script", str(tmp_path / "moves.txt"), cwd=vault)
    assert [row["standing"] for row in vk("sessions", "--json", cwd=vault).json] == ["running"]
