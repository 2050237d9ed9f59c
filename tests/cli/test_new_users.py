"""What people who print for the first time run into."""

import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.wording import Says
from vaultkit.errors import ExitCode


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("option", "value"),
    [("--size", "tarot"), ("--duplex", "none"), ("--printer", "office"), ("--paper", "letter")],
)
def test_options_fixed_by_a_print_service_are_refused(vk: Vaultkit, example: Path, option: str, value: str) -> None:
    done = vk("print", "cards", "tarokka", "--for", "gamecrafter", option, value, cwd=example)
    assert done.code == ExitCode.USAGE
    assert f"{option} does not go with --for" in done.err


@pytest.mark.slow
def test_p13_selected_cards_are_printed_in_the_requested_copies(vk: Vaultkit, example: Path) -> None:
    words = ("print", "cards", "tarokka", "--for", "gamecrafter", "--json")
    done = vk(*words, "--cards", "2x Raven, Seer", "--out", "raven", cwd=example)
    names = ["001-raven.png", "002-raven.png", "003-seer.png", "back.png"]
    assert sorted(done.json["files"]) == [f"raven/{name}" for name in names]


@pytest.mark.slow
def test_p13_missing_card_or_folder_is_reported(vk: Vaultkit, example: Path) -> None:
    words = ("print", "cards", "tarokka", "--for", "gamecrafter")
    assert vk(*words, "--cards", "Ravn", cwd=example).code == ExitCode.NOTHING
    lost = vk(*words, "--cards", "Raven", "--out", "no/such", cwd=example)
    assert lost.code == ExitCode.WRITE and lost.err == Says("no", "such", "folder")
    assert not (example / "no").exists()


@pytest.mark.slow
def test_name_without_an_extension_becomes_a_pdf(vk: Vaultkit, example: Path) -> None:
    done = vk("print", "scores", "propheta", "--out", "Session 1.5", "--json", cwd=example)
    assert done.json["file"] == "Session 1.5.pdf"
    assert (example / "Session 1.5.pdf").is_file()


@pytest.mark.slow
def test_missing_folder_is_named(vk: Vaultkit, example: Path) -> None:
    done = vk("print", "scores", "propheta", "--out", "no/such/x.pdf", cwd=example)
    assert done.code == ExitCode.WRITE
    assert done.err == Says("no", "such", "folder")


@pytest.mark.slow
@pytest.mark.parametrize("words", [("scores", "propheta", "--preview"), ("cards", "tarokka", "--for", "drivethru")])
def test_p14_nothing_remains_where_pictures_cannot_be_drawn(
    vk: Vaultkit, example: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    before = set(example.iterdir())
    done = vk("print", *words, cwd=example)
    assert done.code == ExitCode.USAGE
    assert "pypdfium2" in done.err
    assert set(example.iterdir()) == before


@pytest.mark.short(1)
@pytest.mark.parametrize("words", [("scores", "propheta", "--json"), ("cards", "tarokka", "--for", "gamecrafter")])
def test_options_incompatible_with_watch_are_refused(vk: Vaultkit, example: Path, words: tuple[str, ...]) -> None:
    assert "--watch" in vk("print", *words, "--watch", cwd=example).err


def test_p3_scale_alone_leaves_the_backs_unchanged(
    vk: Vaultkit, example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "printers.toml"
    monkeypatch.setattr("vaultkit.sheets.printers.printers_file", lambda: file)
    vk("print", "calibrate", "--printer", "office", "--x", "0.8mm", cwd=example)
    vk("print", "calibrate", "--printer", "office", "--scale", "99.5mm", cwd=example)
    saved = file.read_text(encoding="utf-8")
    assert 'x = "0.8mm"' in saved
    assert 'line = "99.5mm"' in saved


@pytest.mark.slow
def test_empty_name_is_not_a_game(vk: Vaultkit, example: Path) -> None:
    (example / "Played.md").write_text("---\nvaultkit-session: 20261122-propheta-abcd\n---\n", encoding="utf-8")
    assert vk("print", "session", "", cwd=example).code == ExitCode.NOTHING
