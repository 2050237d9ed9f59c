"""Players that are misspelt: asked about at a terminal, and said to be guests where nobody can be asked."""

import io
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from vaultkit.session.journal_store import Store

REMARK = "Note: Nettel has no note and is written as a guest. Is it Nettle Ashdown?\n"
QUESTION = "Nettel has no note. Do you mean Nettle Ashdown (Enter), or is it a guest (g)? "
PLAY = ("play", "propheta", "--seat", "Nettel", "--seat", "bot:greedy")
LOG = ("log", "who-won", "--score", "Nettel: won=yes", "--score", "Bram: won=no", "--dry-run")


class Typed(io.StringIO):
    """What a person types at a terminal."""

    def isatty(self) -> bool:
        return True


def seated(vault: Path) -> list[str]:
    (saved,) = Store(vault / ".vaultkit/journals").list_journals()
    assert saved.contents
    return [seat.name for seat in saved.contents.header.seats]


@pytest.mark.slow
def test_script_continues_with_the_guest_and_one_remark(vk: Vaultkit, example: Path) -> None:
    done = vk(*PLAY, "--script", "/dev/null", cwd=example)
    assert done.err.count(REMARK) == 1 and QUESTION not in done.out
    assert seated(example) == ["Nettel", "Aldous"]


@pytest.mark.parametrize(
    ("typed", "name"), [("\n", "Nettle Ashdown"), pytest.param("what\ng\n", "Nettel", marks=pytest.mark.slow)]
)
def test_terminal_asks_about_the_player_with_a_similar_name(
    vk: Vaultkit, example: Path, monkeypatch: pytest.MonkeyPatch, typed: str, name: str
) -> None:
    monkeypatch.setattr(sys, "stdin", Typed(typed))
    done = vk(*PLAY, cwd=example)
    assert done.out.count(QUESTION) == typed.count("\n") and REMARK not in done.err
    assert seated(example) == [name, "Aldous"]


@pytest.mark.slow
def test_leaving_at_the_question_starts_no_game(vk: Vaultkit, example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Typed(""))
    assert vk(*PLAY, cwd=example).code == 130
    assert not Store(example / ".vaultkit/journals").ids()


@pytest.mark.slow
def test_log_asks_about_players_like_play(vk: Vaultkit, example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    piped = vk(*LOG, cwd=example)
    assert piped.err.count(REMARK) == 1 and "Nettel has won" in piped.out
    monkeypatch.setattr(sys, "stdin", Typed("y\n"))
    asked = vk(*LOG, cwd=example)
    assert QUESTION in asked.out and REMARK not in asked.err
    assert "[[Nettle Ashdown]] has won" in asked.out and "Nettel has won" not in asked.out
