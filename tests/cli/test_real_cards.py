"""`play --real-cards` as a whole command: in a real terminal, cut off and gone on with, and into the notes."""

import os
import re
import sys
from pathlib import Path

import pytest

import vaultkit
from tests.cli.conftest import Vaultkit
from vaultkit.errors import ExitCode

SEATS = ("--seat", "Ysolde", "--seat", "Bram", "--seat", "Sefa")
GAME = ("play", "dragon-citadel", "--real-cards", "--referee", *SEATS)
DESTINY = (
    "play",
    "deck-of-destiny",
    "--real-cards",
    "--referee",
    "--seat",
    "Ysolde",
    "--set",
    "strength=1",
    "--set",
    "reward=none",
)


def script(folder: Path, *lines: str) -> str:
    path = folder / "table.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


@pytest.mark.slow
def test_a_finished_encounter_is_logged_without_a_seed(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    lines = [
        "as, kh, qd, 2c, 3c, 4c, 5d",
        "a",
        "ah, ad, 9h",
        "proceed",
        "b",
        "done",
        "10s",
        "proceed",
        "done",
        "6h",
        "8c",
    ]
    done = vk(*DESTINY, "--script", script(tmp_path, *lines), "--json", cwd=example)
    assert done.code == ExitCode.OK, done.err
    assert done.json["outcome"]["kind"] == "win"
    assert done.json["seed"] is None
    note = (example / done.json["note"]).read_text(encoding="utf-8")
    assert "seed" not in note
    replayed = vk("replay", done.json["session"], cwd=example)
    assert "Played with real cards" in replayed.out
    assert "owns A♠" in replayed.out


def test_card_that_is_elsewhere_ends_a_script_with_its_line(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    lines = ["as, kh, qd, 2c, 3c, 4c, 5d", "a", "as, ah, ad"]
    done = vk(*DESTINY, "--script", script(tmp_path, *lines), cwd=example)
    assert done.code == ExitCode.USAGE
    assert "Ace of Spades cannot be there. It was seen last: Ysolde" in " ".join(done.err.split())
    assert "table.txt:3" in done.err and "vaultkit resume" in done.out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((*GAME, "--seed", "3"), "A seed has no effect with real cards."),
        (
            ("play", "turn-of-fate", "--real-cards", "--referee", "--seat", "A", "--seat", "bot:greedy"),
            "cannot hold real cards",
        ),
        (("play", "propheta", "--real-cards", "--referee", *SEATS, "--set", "follow=element"), "cannot be refereed"),
    ],
)
def test_impossible_real_card_games_are_one_clear_error(
    vk: Vaultkit, example: Path, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    done = vk(*words, "--script", script(tmp_path, ""), cwd=example)
    assert done.code == ExitCode.USAGE and said in done.err and "Traceback" not in done.err
    assert not list((example / ".vaultkit" / "journals").glob("*"))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
def test_real_card_table_in_a_real_terminal(example: Path) -> None:
    import pexpect

    def spawn(*words: str) -> "pexpect.spawn[str]":
        env = {**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8", "INPUTRC": "/dev/null"}
        command, here = ["-m", "vaultkit", *words, "--vault", str(example)], str(Path(vaultkit.__file__).parents[1])
        return pexpect.spawn(sys.executable, command, 20, env=env, cwd=here, encoding="utf-8", dimensions=(40, 100))

    child = spawn(*GAME)
    for wait, line in (
        ("Which 5 cards: ", "raven, 6 swords, 7sw, 1sw, merchant"),
        ("Which 5 cards: ", "2sw, 3sw, 4sw, 5sw, 8sw"),
        ("Which 5 cards: ", "9sw, wiz\t, 1st, 2st, 3st"),
        ("Which card: ", "berserker"),
        ("seen last: Ysolde draws", "3 glyphs"),
        ("Ysolde", "u"),
        ("Taken back.", "4 gl\t"),
        ("4◆ Shepherd", "q"),
    ):
        child.expect_exact(wait)
        child.sendline(line)
    child.expect(pexpect.EOF)
    seen = child.before or ""
    session = re.search(r"vaultkit resume (\S+)", seen)
    assert session
    again = spawn("resume", session[1])
    again.expect_exact("real cards.")
    again.expect_exact("M★ Wizard")
    again.sendline("q")
    again.expect(pexpect.EOF)
