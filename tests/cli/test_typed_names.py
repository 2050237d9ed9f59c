"""Names with joiners, which Persian, Indian and Sinhala names and emoji need, wherever a person can type one."""

from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.cli.test_logging_sheets import sheet
from vaultkit.errors import ExitCode

PERSIAN, MALAYALAM, SINHALA, EMOJI = "علی\u200cرضا", "രാജന്\u200d", "ශ්\u200dරී", "👩\u200d🚀 Ada"
TOML = f"""game = "dragon-citadel"
outcome = "party"
date = 2026-11-02
[[players]]
name = "{PERSIAN}"
swords = "17/1"
[[players]]
name = "{EMOJI}"
crowns = 2
[[players]]
name = "{SINHALA}"
forfeited = true
"""

pytestmark = pytest.mark.usefixtures("trusting")


def note_of(vk: Vaultkit, vault: Path, *words: str) -> str:
    """The text of the note that a command has made of a game."""
    done = vk("log", *words, "--json", cwd=vault)
    assert done.code == ExitCode.OK, done.err
    return (vault / done.json["note"]).read_text(encoding="utf-8")


@pytest.fixture
def party(example: Path) -> Path:
    """A vault with a player who has a note."""
    (example / "1-Party" / f"{PERSIAN}.md").write_text("A wizard.\n", encoding="utf-8")
    config = example / ".vaultkit" / "config.toml"
    text = config.read_text(encoding="utf-8")
    config.write_text(text.replace("players = [", f'players = ["{PERSIAN}", ', 1), encoding="utf-8")
    assert PERSIAN in config.read_text(encoding="utf-8")
    return example


def test_score_flags_accept_names_with_joiners(vk: Vaultkit, party: Path) -> None:
    scores = (f"{MALAYALAM}: won=yes", f"{SINHALA}: won=no", f"{PERSIAN}: won=no")
    note = note_of(vk, party, "who-won", *(word for score in scores for word in ("--score", score)))
    assert MALAYALAM in note and SINHALA in note and f"[[{PERSIAN}]]" in note


@pytest.mark.slow
def test_toml_file_and_filled_sheet_accept_names_with_joiners(vk: Vaultkit, party: Path) -> None:
    (party / "game.toml").write_text(TOML, encoding="utf-8")
    note = note_of(vk, party, "--from", "game.toml")
    assert f"[[{PERSIAN}]]" in note and EMOJI in note
    boxes = {
        "p1.player": MALAYALAM, "p1.swords.total": "17",
        "p2.player": PERSIAN.replace("\u200c", ""), "p2.crowns.count": "2",
        "p3.player": "Bram", "p3.crowns.count": "1", "outcome": "/party",
    }  # fmt: skip
    note = note_of(vk, party, "--from", sheet(vk, party, "foreign", "party", boxes))
    assert MALAYALAM in note and f"[[{PERSIAN}" in note, "without its joiner it is the same player"
    for name in (PERSIAN, PERSIAN.replace("\u200c", ""), MALAYALAM, EMOJI):
        assert vk("stats", "--player", name, cwd=party).code == ExitCode.OK


@pytest.mark.slow
def test_a_game_is_played_and_printed_with_names_that_have_joiners(vk: Vaultkit, party: Path) -> None:
    names = ("--players", f"{PERSIAN},{EMOJI}")
    assert vk("print", "scores", "propheta", *names, "--out", str(party / "s.pdf"), cwd=party).code == ExitCode.OK
    seats = (f"bot:easy={MALAYALAM}", f"bot:easy={SINHALA}", f"bot:easy={EMOJI}")
    done = vk("play", "propheta", *(word for seat in seats for word in ("--seat", seat)), "--json", cwd=party)
    assert done.code == ExitCode.OK, done.err
    note = (party / done.json["note"]).read_text(encoding="utf-8")
    assert MALAYALAM in note and SINHALA in note and EMOJI in note
