"""The handling of every error: one clear message on stderr and the right exit code, never a traceback."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from vaultkit import __version__
from vaultkit.cli.streams import mend_streams
from vaultkit.errors import ExitCode, VaultkitError

_MAX_LISTED_PATHS = 12
"""The maximum number of vault paths that an error lists."""


def run() -> int:
    """Run the command line in `sys.argv`, and return its exit code."""
    mend_streams()
    from vaultkit.cli.app import app

    try:
        try:
            _refuse_nowhere()
            app(prog_name="vaultkit")
        finally:
            sys.stdout.flush()
    except SystemExit as leaving:
        if leaving.code == ExitCode.INTERRUPTED:
            return _interrupted()
        return leaving.code if isinstance(leaving.code, int) else ExitCode.OK
    except VaultkitError as error:
        report(error)
        return error.exit_code
    except KeyboardInterrupt:
        return _interrupted()
    except Exception as error:  # noqa: BLE001
        return _too_much(error) if isinstance(error, MemoryError | RecursionError) else _bug(error)
    return ExitCode.OK


def _refuse_nowhere() -> None:
    """Raise VaultkitError if the current folder was deleted, since some libraries cannot be loaded without it."""
    try:
        os.getcwd()  # noqa: PTH109 - costs nothing
    except FileNotFoundError as error:
        raise VaultkitError("The current folder is gone.", hint="Go into another folder, then try again.") from error


def _interrupted() -> int:
    """Clean up the screen after Ctrl+C, print what a reading command leaves behind, and return the exit code."""
    from vaultkit.cli.command_registry import COMMANDS, READ
    from vaultkit.cli.output import talk
    from vaultkit.cli.progress import take_away

    take_away()
    command = next((word for word in sys.argv[1:] if word in COMMANDS), "")
    reads = command == "doctor" or (command in COMMANDS and COMMANDS[command][1] == READ)
    if reads:
        if sys.stderr.isatty():
            talk("")  # ends the line with the ^C
        if "--write" in sys.argv:
            talk("Stopped. What was written before that shows: vaultkit undo --list")
        else:
            talk("Stopped; nothing was written.")
    return ExitCode.INTERRUPTED


def report(error: VaultkitError) -> None:
    """Print an error in plain lines: message, place, written and unwritten paths, hint."""
    from vaultkit.cli.output import complain
    from vaultkit.cli.progress import take_away

    take_away()
    complain(f"Error: {error.message}")
    if error.where:
        complain(f"  Where: {error.where}")
    if error.written or len(error.unwritten) > 1:
        complain(f"  Written: {_first_paths(error.written)}")
        complain(f"  Not written: {_first_paths(error.unwritten)}")
    if error.hint:
        complain(f"  Hint: {error.hint}")


def _first_paths(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - _MAX_LISTED_PATHS:,} more" if len(paths) > _MAX_LISTED_PATHS else ""
    return f"{', '.join(paths[:_MAX_LISTED_PATHS])}{more}" if paths else "nothing"


def _too_much(error: Exception) -> int:
    """Report exhausted memory or too deep nesting, and return the exit code."""
    message, hint = "There is not enough memory for this.", "Close other programs, or leave out"
    if isinstance(error, RecursionError):
        message, hint = "Something here is nested too deeply.", "Look for lists, quotes or tags in very many others in"
    report(VaultkitError(message, hint=f"{hint} what is largest: a note, a picture, a template."))
    return ExitCode.INVALID


def _bug(error: Exception) -> int:
    """Report an internal error, and return the exit code.

    The traceback without any text of notes goes to a file, or to stderr if the file cannot be written.
    """
    import traceback

    frames = traceback.format_list(traceback.extract_tb(error.__traceback__))
    lines = [f"vaultkit {__version__}, Python {sys.version}, {sys.platform}\n", *frames, type(error).__name__, "\n"]
    place = _kept("".join(lines))
    if not place:
        from vaultkit.cli.output import complain

        for line in "".join(lines).splitlines():
            complain(line)
    hint = f"{'That file' if place else 'What stands above'} says what happened, without any text of your notes; "
    hint += "please send it to the authors. What was written before it shows: vaultkit undo --list"
    report(VaultkitError(f"vaultkit made a mistake of its own ({type(error).__name__}).", where=place, hint=hint))
    return ExitCode.BUG


def _kept(text: str) -> str:
    """Write a text to a new file that only its owner can read, and return the path.

    Returns "" if the file cannot be written.
    """
    import tempfile

    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="vaultkit-bug-", suffix=".txt", delete=False, encoding="utf-8"
        ) as file:
            file.write(text)
    except OSError:
        return ""
    return str(Path(file.name))
