"""A game whose process is killed repeatedly ends like one that runs through."""

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tests.session.helpers import ID, begin, settle
from vaultkit.session.journal import read
from vaultkit.session.journal_records import MoveRecord

pytestmark = pytest.mark.slow

KILLS = 15


def play_uninterrupted(folder: Path) -> tuple[list[str], bytes]:
    script = []
    with begin(folder, "North", "bot:random", "South", seed=11) as session:
        settle(session)
        while session.prompt:
            move = session.prompt.moves[-1]
            script.append(move.id)
            session.submit(move)
            settle(session)
    return script, session.path.read_bytes()


def accepted_moves(folder: Path) -> list[str]:
    path = folder / f"{ID}.journal"
    if not path.exists() or not path.read_bytes().count(b"\n"):
        path.unlink(missing_ok=True)  # cut off before its header: nothing was said yet, a person begins again
        return []
    steps = [line.record for line in read(path).steps]
    moves = [step for step in steps if isinstance(step, MoveRecord)]
    return [move.move for move in moves if move.seat != 1 and not move.auto]


def test_no_accepted_move_is_lost_in_a_power_cut(tmp_path: Path) -> None:
    script, whole = play_uninterrupted(tmp_path / "whole")
    folder, luck, said = tmp_path / "cut", Random(4), -1
    command = [sys.executable, "-m", "tests.session.player", str(folder), *script]
    for kill in range(KILLS):
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout
            for _ in range(kill % 3):  # sometimes at once, sometimes in the middle of writing a later move
                line = process.stdout.readline()
                said = int(line) if line else said
            try:
                process.wait(luck.random() * (0.3 if kill % 3 == 0 else 0.002))
            except subprocess.TimeoutExpired:
                process.kill()
            rest = process.stdout.read().split()
            said = int(rest[-1]) if rest else said
        moves = accepted_moves(folder)
        assert moves == script[: len(moves)] and len(moves) > said
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert (folder / f"{ID}.journal").read_bytes() == whole
