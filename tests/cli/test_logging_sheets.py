"""`vaultkit log --from`: filled score sheets, of one player or of several, become one game."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Vaultkit
from tests.cli.test_logging import kept, notes, refused
from tests.sheets.scoresheets.filling import by_pypdf
from tests.wording import Says
from vaultkit import resources
from vaultkit.errors import ExitCode

pytestmark = pytest.mark.usefixtures("trusting")

YSOLDE = {"player": "Ysolde", "date": "2.11.2026", "swords.total": "17", "swords.heroes": "1", "score": "17"}
OTHERS = {"p1.player": "Bram", "p2.player": "Sefa", "p1.forfeited.yes": True, "p2.crowns.count": "2"}


def sheet(vk: Vaultkit, vault: Path, name: str, layout: str, fields: dict[str, Any], **more: str) -> str:
    """A printed score sheet, filled in."""
    blank, filled = vault.parent / f"{name}-blank.pdf", vault.parent / f"{name}.pdf"
    words = [word for key, value in more.items() for word in (f"--{key}", value)]
    game = words.pop() if "--game" in words else "dragon-citadel"
    words = [word for word in words if word != "--game"]
    done = vk("print", "scores", game, "--layout", layout, "--players", "-", "--out", str(blank), *words, cwd=vault)
    assert done.code == ExitCode.OK, done.err
    filled.write_bytes(by_pypdf(blank.read_bytes(), fields))
    return str(filled)


def test_files_are_read_in_any_encoding_of_a_shell(vk: Vaultkit, example: Path) -> None:
    one = Path(sheet(vk, example, "one 1", "one", YSOLDE))
    two = sheet(vk, example, "one 2", "one", {"player": "Bram", "session": "Session 6", "coins.total": "8+9"})
    three = sheet(vk, example, "three", "one", {"player": "Sefa", "session": "6", "crowns.count": "0"})
    unsaid = vk("log", "--from", str(one), two, three, cwd=example)
    refused(unsaid, ExitCode.INVALID, "outcome was given", "--outcome party", "--outcome dealer", "--outcome seer")
    first = vk("log", "--from", str(one), two, three, "--outcome", "party", "--json", cwd=example)
    note = (example / first.json["note"]).read_text(encoding="utf-8")
    assert "score-bram-tolliver: 17" in note and "score-sefa-quill: 0" in note and "Session 6" in note
    again = vk("log", "dragon", "citadel", "--from", str(one), two, three, "--outcome", "party", "--json", cwd=example)
    assert again.json == first.json
    photo = one.with_name("photo.png")
    photo.write_bytes(b"\x89PNG\xff")
    refused(vk("log", "--from", str(photo), cwd=example), ExitCode.INVALID, "filled score sheets (.pdf)")


@pytest.mark.slow
def test_players_with_only_a_printed_name_did_not_play(vk: Vaultkit, example: Path) -> None:
    blank, filled = example.parent / "blank.pdf", example.parent / "party.pdf"
    assert vk("print", "scores", "dragon-citadel", "--layout", "party", "--out", str(blank), cwd=example).code == 0
    boxes = {"p1.swords.total": "17", "p2.coins.total": "9", "p3.crowns.count": "2", "outcome.seer": True}
    filled.write_bytes(by_pypdf(blank.read_bytes(), boxes))
    done = vk("log", "--from", str(filled), "--json", cwd=example)
    assert done.err == Says("Odhran Vane's", "boxes", "empty", "left out")
    note = (example / done.json["note"]).read_text(encoding="utf-8")
    assert "Sefa Quill" in note and "Odhran" not in note and "Nettle" not in note
    assert "outcome: seer" in note and "winners: []" in note


@pytest.mark.slow
def test_filled_sheets_of_all_layouts_give_one_game(vk: Vaultkit, example: Path) -> None:
    one = sheet(vk, example, "one", "one", {**YSOLDE, "outcome.party": True})
    four = sheet(vk, example, "four", "four", {**OTHERS, "p1.mode.coop": True, "p1.date": "2 November 2026"})
    done = vk("log", "--from", one, "--from", four, "--from", one, "--json", cwd=example)
    assert done.code == ExitCode.OK, done.err
    note = (example / done.json["note"]).read_text(encoding="utf-8")
    assert "date: 2026-11-02" in note and "score-ysolde-marr: 17" in note and "[[Sefa Quill|Sefa]]" in note
    fields = {f"p1.{key}": value for key, value in YSOLDE.items() if key != "date"}
    moved = {key.replace("p2.", "p3.").replace("p1.", "p2."): value for key, value in OTHERS.items()}
    party = sheet(vk, example, "party", "party", {**fields, **moved, "date": "2026-11-02", "outcome.party": True})
    again = vk("log", "dragon-citadel", "--from", party, "--json", cwd=example)
    assert again.json == done.json and "--again" in again.err


@pytest.mark.slow
def test_sheets_of_different_games_are_refused(vk: Vaultkit, example: Path) -> None:
    one = sheet(vk, example, "one", "one", YSOLDE)
    other = sheet(vk, example, "other", "one", {**YSOLDE, "swords.total": "16"})
    late = sheet(vk, example, "late", "one", {"player": "Bram", "date": "3.11.2026", "coins.total": "1"})
    wrong = sheet(vk, example, "wrong", "one", {"player": "", "swords.total": "many", "stars.total": "x"})
    blank = sheet(vk, example, "blank", "one", {"player": "Ysolde", "row.1.1": "3"}, game="blank")
    before = notes(example)
    for words, said in (
        ((one, other), "differ in Ysolde's Swords, Total of numbers: '17' and '16'"),
        ((one, late), "differ in the date"),
        ((wrong,), "'many' is not a number"),
        ((wrong,), "name of the player is missing"),
        ((blank,), "no game that can be logged"),
    ):
        files = [word for path in words for word in ("--from", path)]
        refused(vk("log", *files, cwd=example), ExitCode.INVALID, said)
    refused(vk("log", "propheta", "--from", one, cwd=example), ExitCode.INVALID, "not of Propheta")
    assert notes(example) == before and not kept(example)


@pytest.mark.slow
def test_one_of_several_encounters_on_a_sheet_is_chosen(vk: Vaultkit, example: Path) -> None:
    lines = {f"encounter.{n}.{key}": said for n in (1, 2) for key, said in (("result", "win"), ("laid", "5"))}
    both = sheet(
        vk, example, "both", "one", {"player": "Ysolde", **lines, "encounter.2.result": "loss"}, game="deck-of-destiny"
    )
    refused(vk("log", "--from", both, cwd=example), ExitCode.INVALID, "More than one is filled in", "encounter=1")
    outcomes = []
    for number in "12":
        again = ["--again"] * (number == "2")  # the same player and day
        done = vk("log", "--from", both, "--score", f"encounter={number}", "--force", "--json", *again, cwd=example)
        assert done.code == ExitCode.OK, done.err
        outcomes.append(re.findall("^outcome: (.*)$", (example / done.json["note"]).read_text("utf-8"), re.MULTILINE))
    assert outcomes == [["win"], ["loss"]]


@pytest.mark.slow
def test_row_added_by_the_gm_is_refused(vk: Vaultkit, example: Path) -> None:
    own = example / ".vaultkit" / "print" / "sheets" / "dragon-citadel-score.toml"
    own.parent.mkdir(parents=True)
    design = (resources.shipped_folder("print") / "sheets" / own.name).read_text(encoding="utf-8")
    row = '[[rows]]\nid = "dragons"\ntitle = "Dragons"\n\n'
    own.write_text(design.replace("[[rows]]", f"{row}[[rows]]", 1), encoding="utf-8")
    one = sheet(vk, example, "one", "one", {**YSOLDE, "dragons.total": "3"})
    refused(vk("log", "--from", one, cwd=example), ExitCode.INVALID, "row of your own", "Dragons")


@pytest.mark.slow
def test_contradictory_score_on_a_sheet_is_questioned(vk: Vaultkit, example: Path) -> None:
    one = sheet(vk, example, "one", "one", {**YSOLDE, "score": "18", "swords.rolls": "4"})
    four = sheet(vk, example, "four", "four", OTHERS)
    done = vk("log", "--from", one, "--from", four, "--outcome", "party", cwd=example)
    refused(done, ExitCode.INVALID, "18", "Rolls of Swords: Ysolde has written down 4")
