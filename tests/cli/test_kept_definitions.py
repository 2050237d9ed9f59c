"""A game is read by the definition with which it was logged, whatever became of that since."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Vaultkit
from tests.counts import short
from vaultkit.errors import ExitCode

FAIR = """title = "Goose Fair"
players = [2, 4]
win = "lowest"
[rounds]
name = "stall"
[[columns]]
id = "geese"
title = "Geese"
[[columns]]
id = "prize"
title = "Prize"
takes = ["none", "ribbon"]
worth = [0, 5]
default = "none"
[[columns]]
id = "points"
title = "Points"
formula = "2 * geese + prize"
"""
SCORES = ("--score", "Ysolde: geese=3/4, prize=ribbon/none", "--score", "Bram: geese=1/1, prize=none/ribbon")
Change = Callable[[str], str]
CHANGES: dict[str, Change] = {
    "a column": lambda text: text.replace("geese", "swans"),
    "a choice": lambda text: text.replace("ribbon", "medal"),
    "a formula": lambda text: text.replace("2 * geese", "-9 * geese"),
    "who wins": lambda text: text.replace("lowest", "co-op"),
    "rounds": lambda text: text.replace("stall", "booth"),
    "the title": lambda text: text.replace("Goose Fair", "Gänsemarkt"),
    "no TOML": lambda _: "title = ",
}


@pytest.fixture
def vault(example: Path) -> Path:
    (example / ".vaultkit" / "games").mkdir(parents=True)
    definition(example).write_text(FAIR, encoding="utf-8")
    return example


def definition(vault: Path) -> Path:
    return vault / ".vaultkit" / "games" / "goose-fair.toml"


def journal(vault: Path, session: str) -> Path:
    return vault / ".vaultkit" / "journals" / f"{session}.journal"


def header(journal: Path) -> dict[str, Any]:
    first: dict[str, Any] = json.loads(journal.read_text("utf-8").splitlines()[0])
    return first


def kept(vault: Path) -> Path:
    (file,) = (vault / ".vaultkit" / "games" / "kept").iterdir()
    return file


@pytest.fixture
def session(vk: Vaultkit, vault: Path) -> str:
    """A logged game, with its note undone."""
    done = vk("log", "goose-fair", *SCORES, "--json", cwd=vault)
    assert done.code == ExitCode.OK, done.err
    note = (vault / done.json["note"]).read_text(encoding="utf-8")
    assert "score-ysolde-marr: 19" in note and "score-bram-tolliver: 9" in note
    assert f"\nvaultkit-definition: {kept(vault).stem}\n" in note
    assert header(journal(vault, done.json["session"]))["definition"] == kept(vault).stem
    (vault / "logged.md").write_text(note, encoding="utf-8")
    assert vk("undo", cwd=vault).code == ExitCode.OK and kept(vault).is_file()
    return str(done.json["session"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "change", [pytest.param(one, marks=[] if one == "a formula" else pytest.mark.slow) for one in CHANGES]
)
def test_game_is_logged_again_with_its_old_definition_after_any_change(
    vk: Vaultkit, vault: Path, session: str, change: str
) -> None:
    before = (vault / "logged.md").read_text(encoding="utf-8")
    (vault / "logged.md").unlink()
    definition(vault).write_text(CHANGES[change](FAIR), encoding="utf-8")
    done = vk("log", "--session", session, "--json", cwd=vault)
    assert done.code == ExitCode.OK, done.err
    assert (vault / done.json["note"]).read_text(encoding="utf-8") == before
    best = vk("stats", "--game", "goose-fair", "--json", cwd=vault).json["players"]
    assert {player["name"]: player["wins"] for player in best} == {"Ysolde Marr": 0, "Bram Tolliver": 1}


@pytest.mark.slow
def test_stored_definitions_are_not_listed_as_games_and_are_visible_to_git(
    vk: Vaultkit, vault: Path, session: str
) -> None:
    ids = [row["id"] for row in vk("games", "--json", cwd=vault).json if "id" in row]
    assert session and ids.count("goose-fair") == 1 and not any("sha256" in one for one in ids)
    assert vk("check", cwd=vault).code == ExitCode.OK
    ignored = (vault / ".vaultkit" / ".gitignore").read_text(encoding="utf-8").split()
    assert "history/" in ignored and "games/" not in ignored and "*" not in ignored


@pytest.mark.slow
def test_missing_stored_definition_is_reported_and_the_numbers_of_the_note_count(
    vk: Vaultkit, vault: Path, session: str
) -> None:
    assert vk("log", "--session", session, cwd=vault).code == ExitCode.OK
    definition(vault).write_text(CHANGES["a column"](FAIR), encoding="utf-8")
    name = kept(vault).name
    shutil.rmtree(kept(vault).parent)
    done = vk("log", "--session", session, cwd=vault)
    assert done.code == ExitCode.INVALID and f".vaultkit/games/kept/{name}" in done.err and "git" in done.err
    (best, *_) = vk("stats", "--game", "goose-fair", "--json", cwd=vault).json["players"]
    assert (best["name"], best["wins"]) == ("Bram Tolliver", 1) and "19" in vk("stats", cwd=vault).out
    definition(vault).write_text(FAIR, encoding="utf-8")
    assert vk("log", "--session", session, cwd=vault).code == ExitCode.OK and kept(vault).name == name


@pytest.mark.slow
def test_stored_definition_changed_by_hand_is_not_trusted(vk: Vaultkit, vault: Path, session: str) -> None:
    definition(vault).unlink()
    kept(vault).write_text(CHANGES["a formula"](kept(vault).read_text("utf-8")), encoding="utf-8")
    done = vk("log", "--session", session, cwd=vault)
    assert done.code == ExitCode.INVALID and "was changed after a game was logged by it" in done.err
    checked = vk("check", cwd=vault)
    assert checked.code == ExitCode.PROBLEMS and f"kept/{kept(vault).name}" in checked.out


@pytest.mark.slow
@pytest.mark.parametrize("change", short(["a column", "a choice", "who wins", "rounds"]))
def test_scores_of_version_0_3_use_the_current_definition_if_they_fit(
    vk: Vaultkit, vault: Path, session: str, change: str
) -> None:
    file = journal(vault, session)
    file.write_text(re.sub(r',\s*"definition":"[^"]*"', "", file.read_text("utf-8")), encoding="utf-8")
    definition(vault).write_text(CHANGES[change](FAIR), encoding="utf-8")
    done = vk("log", "--session", session, cwd=vault)
    assert done.code == ExitCode.INVALID and "was defined differently when these scores were written down" in done.err
    assert "goose-fair.toml:1" in done.err and not [*vault.glob("Games/*")]
    definition(vault).write_text(FAIR, encoding="utf-8")
    assert vk("log", "--session", session, cwd=vault).code == ExitCode.OK
    assert header(file)["definition"] == kept(vault).stem


@pytest.mark.slow
def test_definition_of_a_shipped_game_is_stored_and_used_after_the_vault_defines_its_own(
    vk: Vaultkit, vault: Path
) -> None:
    scores = ("--score", "Ysolde: points=18/-48", "--score", "Bram: points=0/24", "--score", "Sefa: points=0/0")
    first = vk("log", "skat", *scores, "--json", cwd=vault).json
    note = (vault / first["note"]).read_text(encoding="utf-8")
    vk("undo", cwd=vault)
    own = 'title = "Skat"\nplayers = 3\n[[columns]]\nid = "bids"\ntitle = "Bids"\n'
    (vault / ".vaultkit" / "games" / "skat.toml").write_text(own, encoding="utf-8")
    again = vk("log", "--session", first["session"], "--json", cwd=vault)
    assert again.code == ExitCode.OK and (vault / again.json["note"]).read_text(encoding="utf-8") == note


@pytest.mark.short(1)
@pytest.mark.parametrize("name", short(["../../../secret", "sha256-../../x", "12345678", "", "/etc/passwd"], 2))
def test_note_cannot_refer_to_another_definition_file(vk: Vaultkit, vault: Path, name: str) -> None:
    done = vk("log", "goose-fair", *SCORES, "--json", cwd=vault)
    note = vault / done.json["note"]
    text = re.sub("(?m)^vaultkit-definition: .*$", f'vaultkit-definition: "{name}"', note.read_text("utf-8"))
    note.write_text(text, encoding="utf-8")
    stats = vk("stats", "--game", "goose-fair", "--json", cwd=vault)
    assert stats.code == ExitCode.OK and len(stats.json["players"]) == 2


def test_dry_run_stores_no_definition(vk: Vaultkit, vault: Path) -> None:
    assert vk("log", "goose-fair", *SCORES, "--dry-run", cwd=vault).code == ExitCode.OK
    assert not (vault / ".vaultkit" / "games" / "kept").exists()
