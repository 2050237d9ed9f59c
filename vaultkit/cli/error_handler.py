"""The handling of all errors: a message on stderr and an exit code, never a traceback."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from vaultkit import __version__
from vaultkit.cli.standard_streams import repair_streams
from vaultkit.errors import ExitCode, NothingFound, VaultkitError

if TYPE_CHECKING:
    import typer

_MAX_LISTED_FILES = 12
"""The maximum number of vault paths that an error lists."""
_NO_ANSWER_HINT = "Run it in a terminal, or give the answers as options: --help lists them."


def run() -> int:
    """Run the command line in `sys.argv`, and return its exit code."""
    repair_streams()
    import typer

    from vaultkit.cli.app import app
    from vaultkit.cli.output import MESSAGES

    MESSAGES.is_held = is_json_requested() and not sys.stderr.isatty()
    try:
        return _run_app(app)
    except VaultkitError as error:
        return _report_mistake(error)
    except typer.TyperException as error:
        return _report_mistake(error)
    except typer.Abort:
        return _report_mistake(VaultkitError("The input ended before an answer.", hint=_NO_ANSWER_HINT))
    except KeyboardInterrupt:
        return _handle_interrupt()
    except Exception as error:  # noqa: BLE001
        return _report_exhaustion(error) if isinstance(error, MemoryError | RecursionError) else _report_bug(error)
    finally:
        MESSAGES.release()


def _run_app(app: "typer.Typer") -> int:
    """Run the command line, and return the exit code with which it ended by itself."""
    try:
        _require_current_folder()
        exit_code = app(prog_name="vaultkit", standalone_mode=False) or ExitCode.OK
    except SystemExit as system_exit:
        exit_code = system_exit.code if isinstance(system_exit.code, int) else ExitCode.OK
    finally:
        sys.stdout.flush()
    return _handle_interrupt() if exit_code == ExitCode.INTERRUPTED else int(exit_code)


def is_json_requested() -> bool:
    """Return whether the command line has the option --json."""
    words = sys.argv[1:]
    return "--json" in (words[: words.index("--")] if "--" in words else words)


def _report_mistake(error: "VaultkitError | typer.TyperException") -> int:
    """Print an error, of ours or of Typer's parser, and return its exit code."""
    from vaultkit.cli.usage_errors import complete_error, convert_error

    words = sys.argv[1:]
    mistake = complete_error(error, words) if isinstance(error, VaultkitError) else convert_error(error, words)
    print_vaultkit_error(mistake)
    return mistake.exit_code


def _require_current_folder() -> None:
    """Raise VaultkitError if the current folder was deleted, since some libraries cannot be loaded without it."""
    try:
        os.getcwd()  # noqa: PTH109 - costs nothing
    except FileNotFoundError as error:
        raise VaultkitError("The current folder is gone.", hint="Go into another folder, then try again.") from error


def _handle_interrupt() -> int:
    """Remove the progress bar after Ctrl+C, say whether a reading command wrote anything, and return the exit code."""
    from vaultkit.cli.command_registry import COMMANDS, READ, expand_old_name
    from vaultkit.cli.output import print_note
    from vaultkit.cli.progress import remove_bar

    remove_bar()
    words = (expand_old_name([word])[0] for word in sys.argv[1:])
    command_name = "" if "new" in sys.argv else next((word for word in words if word in COMMANDS), "")
    only_reads = command_name == "doctor" or (command_name in COMMANDS and COMMANDS[command_name][1] == READ)
    if only_reads:
        if sys.stderr.isatty():
            print_note("")  # ends the line with the ^C
        if "--write" in sys.argv:
            print_note("Stopped. What was written before that shows: vaultkit undo --list")
        else:
            print_note("Stopped; nothing was written.")
    return ExitCode.INTERRUPTED


def print_vaultkit_error(error: VaultkitError) -> None:
    """Print an error in plain lines: message, place, written and unwritten paths, hint.

    With --json it is one JSON object.
    """
    from vaultkit.cli.output import MESSAGES, print_document, print_error
    from vaultkit.cli.progress import remove_bar

    remove_bar()
    if is_json_requested():
        paths = {"written": error.written, "unwritten": error.unwritten}
        paths |= {"mentions": error.mentions} if isinstance(error, NothingFound) else {}
        fields = {"code": error.exit_code, "message": error.message, "where": error.where, "hint": error.hint}
        notes = {"notes": MESSAGES.take()}
        optional = {name: values for name, values in {**paths, **notes}.items() if values}
        print_document({"error": fields | optional}, sys.stderr)
        return
    print_error(f"Error: {error.message}")
    if error.where:
        print_error(f"  Where: {error.where}")
    if error.written or len(error.unwritten) > 1:
        print_error(f"  Written: {_list_first_paths(error.written)}")
        print_error(f"  Not written: {_list_first_paths(error.unwritten)}")
    if error.hint:
        print_error(f"  Hint: {error.hint}")


def _list_first_paths(paths: Sequence[str]) -> str:
    rest_text = f" and {len(paths) - _MAX_LISTED_FILES:,} more" if len(paths) > _MAX_LISTED_FILES else ""
    return f"{', '.join(paths[:_MAX_LISTED_FILES])}{rest_text}" if paths else "nothing"


def _report_exhaustion(error: Exception) -> int:
    """Report exhausted memory or too deep nesting, and return the exit code."""
    message, hint = "There is not enough memory for this.", "Close other programs, or leave out"
    if isinstance(error, RecursionError):
        message, hint = "Something here is nested too deeply.", "Look for lists, quotes or tags in very many others in"
    print_vaultkit_error(VaultkitError(message, hint=f"{hint} what is largest: a note, a picture, a template."))
    return ExitCode.INVALID


def _report_bug(error: Exception) -> int:
    """Report an internal error, and return the exit code.

    The traceback without any text of notes goes to a file, or to stderr if the file cannot be written.
    """
    import traceback

    traceback_lines = traceback.format_list(traceback.extract_tb(error.__traceback__))
    report_lines = [
        f"vaultkit {__version__}, Python {sys.version}, {sys.platform}\n",
        *traceback_lines,
        type(error).__name__,
        "\n",
    ]
    report_path = _save_report("".join(report_lines))
    if not report_path:
        from vaultkit.cli.output import print_error

        for line in "".join(report_lines).splitlines():
            print_error(line)
    hint = f"{'That file' if report_path else 'What stands above'} says what happened, without any text of your notes; "
    hint += "please send it to the authors. What was written before it shows: vaultkit undo --list"
    print_vaultkit_error(
        VaultkitError(f"vaultkit made a mistake of its own ({type(error).__name__}).", where=report_path, hint=hint)
    )
    return ExitCode.BUG


def _save_report(text: str) -> str:
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
