"""An option that a command has no use for is refused, and never left out without a word."""

from pathlib import Path

import pytest

from tests.campaign.samples import tree
from tests.cli.conftest import Vaultkit


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "vault/.obsidian").mkdir(parents=True)
    (tmp_path / "vault/Note.md").write_text("# Note\n", encoding="utf-8")
    return tmp_path / "vault"


@pytest.mark.short(6)
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["log", "skat", "--example", "--score", "A: points=1"], "--example shows an empty file"),
        (["log", "skat", "--example", "--date", "2026-01-01"], "--example shows an empty file"),
        (["log", "skat", "--example", "--again"], "--seat and --set"),
        (["log", "--campaign", "Log"], "--campaign needs a game to log"),
        (["log", "--dry-run"], "--dry-run needs a game to log"),
        (["log", "skat", "--score", ""], "--score '' cannot be parsed"),
        (["reading", "--question", "Who?"], "--question needs a spread"),
        (["reading", "--deck", "none-of-ours"], "--deck needs a spread"),
        (["games", "new", "--win", "loudest"], "Accepted: chosen, co-op, highest, lowest."),
        (["stats", "--write", "--game", "skat"], "cannot be limited to some of them"),
    ],
)
def test_unused_option_is_refused(vk: Vaultkit, vault: Path, words: list[str], told: str) -> None:
    before = tree(vault)
    done = vk(*words, cwd=vault)
    assert (done.code, done.out) == (2, "") and told in done.err
    assert tree(vault) == before


def test_options_used_by_an_example_are_accepted(vk: Vaultkit, vault: Path) -> None:
    shown = vk("log", "skat", "--example", "--seat", "Ysolde", "--seat", "Bram", "--seat", "Sefa", cwd=vault)
    assert shown.code == 0 and 'name = "Ysolde"' in shown.out
