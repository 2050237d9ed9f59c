"""A program that plays a toy game's script and prints each accepted move; tests kill it."""

import sys
from pathlib import Path

from tests.session.helpers import ID, begin, resume, settle
from vaultkit.games.turn import Move


def main(folder: Path, script: list[str]) -> None:
    path = folder / f"{ID}.journal"
    session = resume(path) if path.exists() else begin(folder, "North", "bot:random", "South", seed=11)
    with session:
        settle(session)
        while session.prompt:
            done = sum(step.seat is not None and step.seat != 1 and not step.auto for step in session.steps)
            session.submit(Move.parse(script[done]))
            sys.stdout.write(f"{done}\n")
            sys.stdout.flush()
            settle(session)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
