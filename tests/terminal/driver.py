"""A program that plays the toy game in a real terminal.

Arguments: a folder, then seats, `option=value`, `--plain`, `--resume`, `--pace` for bots that play once a minute, and
`--short-pace` for faster ones.
"""

import sys
from pathlib import Path

from rich.console import Console

from tests.session.helpers import ID, begin, resume
from tests.terminal.playing import play
from vaultkit.terminal.answer_sources import TerminalSource
from vaultkit.terminal.styles import terminal_style


def main(folder: Path, *words: str) -> None:
    options = dict(word.split("=") for word in words if "=" in word)
    seats = [word for word in words if "=" not in word and not word.startswith("--")]
    console = Console()
    with resume(folder / f"{ID}.journal") if "--resume" in words else begin(folder, *seats, **options) as session:
        look = terminal_style(console, session.deck, plain="--plain" in words)
        seconds = 60 if "--pace" in words else 1.5 if "--short-pace" in words else 0
        play(session, console, TerminalSource(console), look=look, delay_seconds=seconds)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
