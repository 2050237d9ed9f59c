"""`doctor`: what is missing, and what is only not there."""

import os
import platform
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import vaultkit
from tests.cli.conftest import Vaultkit
from tests.vault.making import make_files
from tests.wording import Says
from vaultkit.errors import ExitCode
from vaultkit.games.registry import GAMES
from vaultkit.package_conflicts import find_package_conflicts
from vaultkit.resources import shipped_folder
from vaultkit.settings import user_settings_path

pytestmark = pytest.mark.usefixtures("trusting")

CITADEL, GAMBIT = GAMES["dragon-citadel"].title, GAMES["prophets-gambit"].title


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "empty"
    make_files(folder, {})
    return folder


def checks(vk: Vaultkit, root: Path) -> dict[str, dict[str, Any]]:
    return {check["name"]: check for check in vk("doctor", "--json", cwd=root).json["checks"]}


@pytest.mark.slow
def test_vault_without_games_has_no_faults(vk: Vaultkit, root: Path) -> None:
    done = vk("doctor", "--all", cwd=root)
    assert done.code == ExitCode.OK
    assert "missing" not in done.out
    for game in GAMES.values():
        assert f"-   {game.title}: not in this vault; to get it: vaultkit init --with {game.id}\n" in done.out


@pytest.mark.slow
def test_a_deck_for_another_game_makes_no_game_incomplete(vk: Vaultkit, root: Path) -> None:
    assert vk("init", "--with", "prophets-gambit", cwd=root).code == ExitCode.OK
    done = vk("doctor", "--all", cwd=root)
    assert done.code == ExitCode.OK
    assert f"ok  {GAMBIT}: rules " in done.out and f"-   {CITADEL}: not in this vault" in done.out


@pytest.mark.slow
@pytest.mark.parametrize("lost", ["rule_note", "deck"])
def test_a_game_with_a_part_missing_is_a_fault(vk: Vaultkit, root: Path, lost: str) -> None:
    vk("init", "--with", "dragon-citadel", cwd=root)
    (game,) = (row for row in vk("games", "--json", cwd=root).json if row["id"] == "dragon-citadel")
    (root / game[lost]).unlink()
    assert vk("doctor", "--all", cwd=root).code == ExitCode.PROBLEMS
    told = checks(vk, root)[CITADEL]
    assert (told["ok"], told["hint"]) == (False, "Copy what is missing with: vaultkit init --with dragon-citadel")
    assert "missing" in told["detail"]


@pytest.mark.slow
def test_deck_with_errors_is_a_fault_even_if_no_game_needs_it(vk: Vaultkit, root: Path) -> None:
    make_files(
        root, {"Bad.md": "---\nvaultkit-deck: tarokka\n---\n# Bad\n\n## Cards\n\n### Nobody\n\n*One of Nothing*\n"}
    )
    done = vk("doctor", "--all", cwd=root)
    assert done.code == ExitCode.PROBLEMS
    assert "!!  deck Bad: Bad.md: " in done.out


@pytest.mark.slow
def test_own_games_of_the_vault_are_counted_and_their_mistakes_are_faults(vk: Vaultkit, root: Path) -> None:
    good = 'title = "Goose Fair"\nplayers = 2\n[[columns]]\nid = "points"\ntitle = "Points"\n'
    bad = good.replace("Goose Fair", "Bell Race") + 'formula = "swans"\n'
    make_files(root, {".vaultkit/games/goose-fair.toml": good, ".vaultkit/games/bell-race.toml": bad})
    assert vk("doctor", "--all", cwd=root).code == ExitCode.PROBLEMS
    told = checks(vk, root)
    assert told["score sheets"]["detail"] == "2 games of your own: Bell Race, Goose Fair"
    fault = told["score sheet bell-race"]
    assert (fault["ok"], fault["detail"]) == (False, Says(".vaultkit/games/bell-race.toml:6", "no", "column", "swans"))


@pytest.mark.slow
def test_designs_are_listed_and_those_of_the_vault_marked(vk: Vaultkit, root: Path) -> None:
    theme = (shipped_folder("print") / "themes" / "forest.toml").read_text(encoding="utf-8")
    make_files(root, {".vaultkit/print/themes/bog.toml": theme, ".vaultkit/print/icons/owl.svg": "<svg/>"})
    told = checks(vk, root)
    assert told["print themes"]["detail"] == "bog (yours), classic, dark, forest, parchment"
    assert told["print signs"]["detail"].endswith("yours: owl")
    assert "french52" in told["print backs"]["detail"] and "a4" in told["print papers"]["detail"]


@pytest.mark.slow
def test_a_design_of_the_vault_with_a_mistake_is_a_fault(vk: Vaultkit, root: Path) -> None:
    make_files(root, {".vaultkit/print/backs/x.toml": "grund = 'ink'\n", ".vaultkit/print/paper.toml": "[papers]\n"})
    assert vk("doctor", "--all", cwd=root).code == ExitCode.PROBLEMS
    told = checks(vk, root)
    assert (told["print backs"]["ok"], told["print papers"]["ok"]) == (False, False)
    assert told["print backs"]["detail"] == Says(".vaultkit/print/backs/x.toml", "Unknown", "grund")


@pytest.mark.slow
def test_hard_to_read_theme_is_reported_but_is_not_a_fault(vk: Vaultkit, root: Path) -> None:
    theme = (shipped_folder("print") / "themes" / "forest.toml").read_text(encoding="utf-8")
    pale = re.sub('muted = ".*"', 'muted = "#aaaaaa"', theme)
    make_files(root, {".vaultkit/print/themes/pale.toml": pale})
    told = checks(vk, root)["print themes"]
    assert told["ok"]
    assert "The theme 'pale' has words that are hard to read: muted on" in told["hint"]
    printed = vk("print", "scores", "blank", "--theme", "pale", cwd=root)
    assert printed.err.count("hard to read") == 1


def test_missing_theme_is_a_fault(vk: Vaultkit, root: Path) -> None:
    make_files(root, {".vaultkit/config.toml": '[print]\ntheme = "frost"\n'})
    told = checks(vk, root)["print.theme"]
    assert (told["ok"], told["hint"]) == (False, Says("classic", "dark", "forest", "parchment"))


def test_foreign_program_in_our_package_is_a_fault(vk: Vaultkit, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = root.parent / "site" / "vaultkit-0.3.0.dist-info"
    package = Path(vaultkit.__file__).parent
    inside = os.path.relpath(package / "stranger.py", info.parent)
    make_files(info, {"METADATA": "Metadata-Version: 2.1\nName: vaultkit\n", "RECORD": f"{inside},,\nother.py,,\n"})
    monkeypatch.setattr("sys.path", [str(info.parent), *sys.path])
    done = vk("doctor", "--all", cwd=root)
    assert done.code == ExitCode.PROBLEMS
    assert f"!!  package: the program 'vaultkit' has put files of its own into the package in {package}" in done.out
    assert done.out == Says("Uninstall", "vaultkit", "vaultkit-ttrpg", "vaultkit-ttrpg")


def test_program_beside_our_package_is_ignored(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = root.parent / "site" / "vaultkit-0.3.0.dist-info"
    make_files(info, {"METADATA": "Metadata-Version: 2.1\nName: vaultkit\n", "RECORD": "vaultkit/__init__.py,,\n"})
    monkeypatch.setattr("sys.path", [str(info.parent), *sys.path])
    assert list(find_package_conflicts()) == []


@pytest.mark.slow
def test_versions_of_python_and_of_each_required_library_are_shown(vk: Vaultkit, root: Path) -> None:
    versions = vk("doctor", "--json", cwd=root).json["versions"]
    assert versions["Python"] == platform.python_version() and versions["vaultkit"] == vaultkit.__version__
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [re.split(r"[^\w-]", requirement)[0] for requirement in project["dependencies"]]
    assert set(names) <= versions.keys()
    shown = " ".join(vk("doctor", cwd=root).out.split())
    assert all(f"{name} {versions[name]}" in shown for name in (*names, "Python"))


@pytest.mark.short(1)
@pytest.mark.parametrize("faults", [0, 1, 30])
def test_the_summary_fits_80_columns_and_24_lines_with_the_prompt(
    vk: Vaultkit, root: Path, monkeypatch: pytest.MonkeyPatch, faults: int
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    make_files(root, {f".vaultkit/games/bell-{number}.toml": "what is this\n" for number in range(faults)})
    done = vk("doctor", cwd=root)
    lines = done.out.splitlines()
    assert len(lines) <= 22 and max(map(len, lines)) <= 79
    assert done.code == (ExitCode.PROBLEMS if faults else ExitCode.OK)
    assert any(line.startswith("ok  vault: ") for line in lines)
    assert lines[-1].endswith("more checks, all well: vaultkit doctor --all")
    hidden = re.search(r"!!  (\d+) more problems?: vaultkit doctor --all", done.out)
    assert done.out.count("!!  score sheet") + (int(hidden[1]) if hidden else 0) == faults


@pytest.mark.slow
def test_the_summary_names_the_games_and_how_to_set_the_campaign_note(vk: Vaultkit, root: Path) -> None:
    vk("init", "--with", "propheta", cwd=root)
    shown = vk("doctor", cwd=root).out
    assert "ok  games: Propheta\n" in shown and f"-   games to add: {GAMBIT}, " in shown
    assert 'vaultkit config set campaign.note "Campaign Log"' in " ".join(shown.split())


@pytest.mark.slow
def test_doctor_outside_a_vault_shows_versions_and_user_settings(
    vk: Vaultkit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    done = vk("doctor", cwd=tmp_path / "elsewhere")
    assert done.code == ExitCode.OK
    assert "-   vault: this folder is in none\n" in done.out and "ok  settings: defaults only" in done.out
    make_files(user_settings_path().parent, {"config.toml": '[print]\npaper = "papyrus"\n'})
    done = vk("doctor", cwd=tmp_path / "elsewhere")
    assert done.code == ExitCode.PROBLEMS and done.out == Says("no", "paper", "papyrus")
    assert vk("doctor", "--vault", str(tmp_path / "none")).code == ExitCode.NOTHING
    monkeypatch.setenv("VAULTKIT_VAULT", str(tmp_path / "none"))
    assert vk("doctor").code == ExitCode.NOTHING


def test_licences_name_every_font_and_author(vk: Vaultkit, root: Path) -> None:
    done = vk("doctor", "--licences", cwd=root)
    assert done.code == ExitCode.OK and "MIT AND OFL-1.1 AND BSD-3-Clause" in done.out
    families = {file.stem.partition("-")[0] for file in (shipped_folder("print") / "fonts").glob("*.ttf")}
    licence = (shipped_folder("print") / "fonts/OFL.txt").read_text(encoding="utf-8")
    assert len(families) == 8 == licence.count("Copyright 20") and "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert all(family in done.out.replace(" ", "") for family in families)
    assert {game.title for game in GAMES.values() if game.title not in done.out} == set()
    assert all(name in done.out for name in ("Goodison", "wolfybank", "Lykrast", "Everett-Lane", "Magnus", "Hayward"))


@pytest.mark.slow
def test_program_that_overwrote_ours_is_named_instead_of_a_traceback(tmp_path: Path) -> None:
    shutil.copytree(Path(vaultkit.__file__).parent, tmp_path / "vaultkit", ignore=shutil.ignore_patterns("__pycache__"))
    files = {"METADATA": "Metadata-Version: 2.1\nName: vaultkit\n", "RECORD": "vaultkit/errors/__init__.py,,\n"}
    make_files(tmp_path / "vaultkit-0.3.0.dist-info", files)
    make_files(tmp_path / "vaultkit" / "errors", {"__init__.py": ""})
    words = [sys.executable, "-m", "vaultkit", "doctor"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == ExitCode.PROBLEMS and not done.stdout and "Traceback" not in done.stderr
    assert done.stderr.startswith("vaultkit cannot start: the program 'vaultkit' has put files of its own into")
    assert done.stderr == Says("Uninstall", "vaultkit", "vaultkit-ttrpg", "vaultkit-ttrpg")
