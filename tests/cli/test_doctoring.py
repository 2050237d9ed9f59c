"""`doctor`: what is missing, and what is only not there."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import vaultkit
from tests.cli.conftest import Vaultkit
from tests.vault.making import make_files
from vaultkit.errors import ExitCode
from vaultkit.games.registry import GAMES
from vaultkit.package_conflicts import find_package_conflicts
from vaultkit.resources import shipped_folder

pytestmark = pytest.mark.usefixtures("trusting")

CITADEL, GAMBIT = GAMES["dragon-citadel"].title, GAMES["prophets-gambit"].title


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "empty"
    make_files(folder, {})
    return folder


def checks(vk: Vaultkit, root: Path) -> dict[str, dict[str, Any]]:
    return {check["name"]: check for check in vk("doctor", "--json", cwd=root).json["checks"]}


def test_a_vault_without_games_is_sound(vk: Vaultkit, root: Path) -> None:
    done = vk("doctor", cwd=root)
    assert done.code == ExitCode.OK
    assert "missing" not in done.out
    for game in GAMES.values():
        assert f"-   {game.title}: not in this vault; to have it: vaultkit init --with {game.id}\n" in done.out


@pytest.mark.slow
def test_a_deck_for_another_game_makes_no_game_incomplete(vk: Vaultkit, root: Path) -> None:
    assert vk("init", "--with", "prophets-gambit", cwd=root).code == ExitCode.OK
    done = vk("doctor", cwd=root)
    assert done.code == ExitCode.OK
    assert f"ok  {GAMBIT}: rules " in done.out and f"-   {CITADEL}: not in this vault" in done.out


@pytest.mark.slow
@pytest.mark.parametrize("lost", ["rule_note", "deck"])
def test_a_game_with_a_part_missing_is_a_fault(vk: Vaultkit, root: Path, lost: str) -> None:
    vk("init", "--with", "dragon-citadel", cwd=root)
    (game,) = (row for row in vk("games", "--json", cwd=root).json if row["id"] == "dragon-citadel")
    (root / game[lost]).unlink()
    assert vk("doctor", cwd=root).code == ExitCode.PROBLEMS
    told = checks(vk, root)[CITADEL]
    assert (told["ok"], told["hint"]) == (False, "Copy what is missing with: vaultkit init --with dragon-citadel")
    assert "missing" in told["detail"]


def test_a_deck_with_errors_is_a_fault_though_no_game_needs_it(vk: Vaultkit, root: Path) -> None:
    make_files(
        root, {"Bad.md": "---\nvaultkit-deck: tarokka\n---\n# Bad\n\n## Cards\n\n### Nobody\n\n*One of Nothing*\n"}
    )
    done = vk("doctor", cwd=root)
    assert done.code == ExitCode.PROBLEMS
    assert "!!  deck Bad: Bad.md: " in done.out


def test_games_of_the_vault_s_own_are_counted_and_what_is_wrong_with_them_is_a_fault(vk: Vaultkit, root: Path) -> None:
    good = 'title = "Goose Fair"\nplayers = 2\n[[columns]]\nid = "points"\ntitle = "Points"\n'
    bad = good.replace("Goose Fair", "Bell Race") + 'formula = "swans"\n'
    make_files(root, {".vaultkit/games/goose-fair.toml": good, ".vaultkit/games/bell-race.toml": bad})
    assert vk("doctor", cwd=root).code == ExitCode.PROBLEMS
    told = checks(vk, root)
    assert told["score sheets"]["detail"] == "2 games of your own: Bell Race, Goose Fair"
    fault = told["score sheet bell-race"]
    assert (fault["ok"], fault["detail"]) == (False, ".vaultkit/games/bell-race.toml:6: There is no column 'swans'.")


def test_designs_are_listed_and_those_of_the_vault_marked(vk: Vaultkit, root: Path) -> None:
    theme = (shipped_folder("print") / "themes" / "forest.toml").read_text(encoding="utf-8")
    make_files(root, {".vaultkit/print/themes/bog.toml": theme, ".vaultkit/print/icons/owl.svg": "<svg/>"})
    told = checks(vk, root)
    assert told["print themes"]["detail"] == "bog (yours), classic, dark, forest, parchment"
    assert told["print signs"]["detail"].endswith("yours: owl")
    assert "french52" in told["print backs"]["detail"] and "a4" in told["print papers"]["detail"]


def test_a_design_of_the_vault_with_a_mistake_is_a_fault(vk: Vaultkit, root: Path) -> None:
    make_files(root, {".vaultkit/print/backs/x.toml": "grund = 'ink'\n", ".vaultkit/print/paper.toml": "[papers]\n"})
    assert vk("doctor", cwd=root).code == ExitCode.PROBLEMS
    told = checks(vk, root)
    assert (told["print backs"]["ok"], told["print papers"]["ok"]) == (False, False)
    assert told["print backs"]["detail"] == ".vaultkit/print/backs/x.toml: Unknown key 'grund'."


@pytest.mark.slow
def test_a_theme_that_is_hard_to_read_is_told_and_no_fault(vk: Vaultkit, root: Path) -> None:
    theme = (shipped_folder("print") / "themes" / "forest.toml").read_text(encoding="utf-8")
    pale = re.sub('muted = ".*"', 'muted = "#aaaaaa"', theme)
    make_files(root, {".vaultkit/print/themes/pale.toml": pale})
    told = checks(vk, root)["print themes"]
    assert told["ok"]
    assert "The theme 'pale' has words that are hard to read: muted on" in told["hint"]
    printed = vk("print", "scores", "blank", "--theme", "pale", cwd=root)
    assert printed.err.count("hard to read") == 1


def test_a_theme_that_there_is_not_is_a_fault(vk: Vaultkit, root: Path) -> None:
    make_files(root, {".vaultkit/config.toml": '[print]\ntheme = "frost"\n'})
    told = checks(vk, root)["print.theme"]
    assert (told["ok"], told["hint"]) == (False, "Themes: classic, dark, forest, parchment.")


def test_another_program_in_our_package_is_a_fault(vk: Vaultkit, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = root.parent / "site" / "vaultkit-0.3.0.dist-info"
    package = Path(vaultkit.__file__).parent
    inside = os.path.relpath(package / "stranger.py", info.parent)
    make_files(info, {"METADATA": "Metadata-Version: 2.1\nName: vaultkit\n", "RECORD": f"{inside},,\nother.py,,\n"})
    monkeypatch.setattr("sys.path", [str(info.parent), *sys.path])
    done = vk("doctor", cwd=root)
    assert done.code == ExitCode.PROBLEMS
    assert f"!!  package: the program 'vaultkit' has put files of its own into the package in {package}" in done.out
    assert "Uninstall vaultkit and vaultkit-ttrpg, then install vaultkit-ttrpg again." in done.out


def test_a_program_beside_our_package_is_none_of_our_business(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = root.parent / "site" / "vaultkit-0.3.0.dist-info"
    make_files(info, {"METADATA": "Metadata-Version: 2.1\nName: vaultkit\n", "RECORD": "vaultkit/__init__.py,,\n"})
    monkeypatch.setattr("sys.path", [str(info.parent), *sys.path])
    assert list(find_package_conflicts()) == []


def test_licences_name_every_font_and_author(vk: Vaultkit, root: Path) -> None:
    done = vk("doctor", "--licences", cwd=root)
    assert done.code == ExitCode.OK and "MIT AND OFL-1.1 AND BSD-3-Clause" in done.out
    families = {file.stem.partition("-")[0] for file in (shipped_folder("print") / "fonts").glob("*.ttf")}
    assert families == {
        file.stem.removeprefix("OFL-") for file in (shipped_folder("print") / "fonts").glob("OFL-*.txt")
    }
    assert all(family in done.out.replace(" ", "") for family in families)
    assert {game.title for game in GAMES.values() if game.title not in done.out} == set()
    assert all(name in done.out for name in ("Goodison", "wolfybank", "Lykrast", "Everett-Lane", "Magnus", "Hayward"))


@pytest.mark.slow
def test_a_program_that_has_written_over_ours_is_named_in_place_of_a_traceback(tmp_path: Path) -> None:
    shutil.copytree(Path(vaultkit.__file__).parent, tmp_path / "vaultkit", ignore=shutil.ignore_patterns("__pycache__"))
    files = {"METADATA": "Metadata-Version: 2.1\nName: vaultkit\n", "RECORD": "vaultkit/errors/__init__.py,,\n"}
    make_files(tmp_path / "vaultkit-0.3.0.dist-info", files)
    make_files(tmp_path / "vaultkit" / "errors", {"__init__.py": ""})
    words = [sys.executable, "-m", "vaultkit", "doctor"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == ExitCode.PROBLEMS and not done.stdout and "Traceback" not in done.stderr
    assert done.stderr.startswith("vaultkit cannot start: the program 'vaultkit' has put files of its own into")
    assert "Uninstall vaultkit and vaultkit-ttrpg, then install vaultkit-ttrpg again." in done.stderr
