"""The handling of all errors: a message on stderr and an exit code, never a traceback.

It also repairs stdin, stdout and stderr, which a shell may leave closed, full, or without a reader.
"""

import errno
import io
import os
import signal
import sys
import threading
import traceback
from contextlib import suppress
from typing import Any, TextIO

import typer

from vaultkit import __version__
from vaultkit.cli.app import app
from vaultkit.cli.command_registry import COMMANDS, READ
from vaultkit.cli.output import BEFORE_OUTPUT, MESSAGES, print_document, print_error, print_note
from vaultkit.cli.progress import FILE_COMMANDS, LINE
from vaultkit.cli.typed_words import read_typed_words
from vaultkit.errors import ExitCode, NothingFound, TooManyOpenFiles, UsageError, VaultkitError, WriteError
from vaultkit.text import list_first

_MAX_LISTED_FILES = 12
"""The maximum number of vault paths that an error lists."""
MIN_OPEN_FILES = 32
"""The number of files that a command must be able to open at once."""
_MAX_OPEN_FILES = 10_240
"""The number of open files to which the process raises its limit; macOS allows no larger one."""
INTERRUPT_SECONDS = 0.7
"""The time after Ctrl+C in which a command has to end by itself."""
_EXIT_TIMERS: list[threading.Timer] = []
"""The timer that Ctrl+C has started, or an empty list."""
_CONSOLE_CLASS_NAME = "_WindowsConsoleIO"
"""The name of Python's class for the raw stream of a Windows console."""
_NO_ANSWER_HINT = "Run it in a terminal, or give the answers as options: --help lists them."


def run() -> int:
    """Run the command line in `sys.argv`, and return its exit code."""
    repair_streams()
    sys.argv[1:] = read_typed_words(sys.argv[1:])
    MESSAGES.is_held = is_json_requested() and not sys.stderr.isatty()
    old_handler = signal.getsignal(signal.SIGINT)
    try:
        return _run_reporting()
    except KeyboardInterrupt:
        return _handle_interrupt()
    finally:
        _cancel_exit()
        _handle_signal(old_handler)
        MESSAGES.release()


def _run_reporting() -> int:
    """Run the command line, report its error if there is one, and return the exit code."""
    try:
        return _run_app()
    except (VaultkitError, typer.TyperException) as error:
        return _report_mistake(error)
    except typer.Abort:
        return _report_mistake(VaultkitError("The input ended before an answer.", hint=_NO_ANSWER_HINT))
    except Exception as error:  # noqa: BLE001
        if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
            message = f"This is too long for the name of a file: '{error.filename!s:.40}...'."
            return _report_mistake(UsageError(message, hint="Name an existing file or folder."))
        return _report_exhaustion(error) if _is_exhaustion(error) else _report_bug(error)


def _run_app() -> int:
    """Run the command line, and return the exit code with which it ended by itself."""
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        _handle_signal(_interrupt)
    try:
        _require_current_folder()
        _require_open_files()
        exit_code = app(prog_name="vaultkit", standalone_mode=False) or ExitCode.OK
    except SystemExit as system_exit:
        exit_code = system_exit.code if isinstance(system_exit.code, int) else ExitCode.OK
    finally:
        sys.stdout.flush()
    return _handle_interrupt() if exit_code == ExitCode.INTERRUPTED else int(exit_code)


def _handle_signal(handler: "signal._HANDLER") -> None:
    """Let a handler answer Ctrl+C, if this is the main thread and Python knows the handler."""
    with suppress(ValueError, TypeError):
        signal.signal(signal.SIGINT, handler)


def _interrupt(*_: object) -> None:
    """Raise KeyboardInterrupt, and exit soon where that is ignored, such as within an import.

    Only commands that write no notes exit without the error handler.
    """
    if sys.argv[1:] and sys.argv[1] in FILE_COMMANDS - {"log"} and "--write" not in sys.argv:
        _cancel_exit()
        timer = threading.Timer(INTERRUPT_SECONDS, _exit_interrupted)
        timer.daemon = True
        _EXIT_TIMERS.append(timer)
        timer.start()
    raise KeyboardInterrupt


def _cancel_exit() -> None:
    """Cancel the exit that Ctrl+C has started, since the command ends by itself."""
    while _EXIT_TIMERS:
        _EXIT_TIMERS.pop().cancel()


def _exit_interrupted() -> None:
    """Exit without the error handler; stdout is not flushed, since its reader may no longer read."""
    LINE.stop()
    os._exit(ExitCode.INTERRUPTED)


def is_json_requested() -> bool:
    """Return whether the command line has the option --json."""
    words = sys.argv[1:]
    return "--json" in (words[: words.index("--")] if "--" in words else words)


def _report_mistake(error: VaultkitError | typer.TyperException) -> int:
    """Print an error, of ours or of Typer's parser, and return its exit code."""
    from vaultkit.cli.usage_errors import add_syntax, convert_error

    words = sys.argv[1:]
    mistake = add_syntax(error, words) if isinstance(error, VaultkitError) else convert_error(error, words)
    print_vaultkit_error(mistake)
    return mistake.exit_code


def _require_current_folder() -> None:
    """Raise VaultkitError if the current folder was deleted, since some libraries cannot be loaded without it."""
    try:
        os.getcwd()  # noqa: PTH109 - costs nothing
    except FileNotFoundError as error:
        raise VaultkitError("The current folder is gone.", hint="Change to another folder, then try again.") from error


def _require_open_files() -> None:
    """Raise TooManyOpenFiles if the process may open too few files, even with its own limit raised."""
    if _can_open_files():
        return
    if sys.platform != "win32":
        import resource

        with suppress(OSError, ValueError):
            maximum = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
            is_unlimited = maximum == resource.RLIM_INFINITY
            limit = _MAX_OPEN_FILES if is_unlimited else min(maximum, _MAX_OPEN_FILES)
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, maximum))
    if not _can_open_files():
        raise TooManyOpenFiles


def _can_open_files() -> bool:
    """Return whether the process may open MIN_OPEN_FILES more files at the same time."""
    descriptors: list[int] = []
    try:
        for _ in range(MIN_OPEN_FILES):
            descriptors.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        return False
    finally:
        for descriptor in descriptors:
            os.close(descriptor)
    return True


def _handle_interrupt() -> int:
    """Remove the progress line after Ctrl+C, say whether a reading command wrote anything, and return the exit code.

    Further Ctrl+C is ignored.
    """
    _handle_signal(signal.SIG_IGN)
    _cancel_exit()
    LINE.stop()
    command_name = "" if "new" in sys.argv else next((word for word in sys.argv if word in COMMANDS), "")
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
    LINE.stop()
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
        print_error(f"  Written: {list_first(error.written, _MAX_LISTED_FILES) or 'nothing'}")
        print_error(f"  Not written: {list_first(error.unwritten, _MAX_LISTED_FILES) or 'nothing'}")
    if error.hint:
        print_error(f"  Hint: {error.hint}")


def _is_exhaustion(error: Exception) -> bool:
    is_out_of_files = isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE)
    return is_out_of_files or isinstance(error, MemoryError | RecursionError | TooManyOpenFiles)


def _report_exhaustion(error: Exception) -> int:
    """Report exhausted memory, too many open files or too deep nesting, and return the exit code."""
    largest = "what is largest: a note, a picture, a template."
    message, hint = "There is not enough memory for this.", f"Close other programs, or leave out {largest}"
    if isinstance(error, RecursionError):
        message = "Something here is nested too deeply."
        hint = f"Look for deeply nested lists, quotes or tags in {largest}"
    elif isinstance(error, OSError | TooManyOpenFiles):
        message = "The system lets vaultkit open too few files at once."
        hint = "Close other programs, or allow more, on Linux and macOS with: ulimit -n 256"
    print_vaultkit_error(VaultkitError(message, hint=hint))
    return ExitCode.INVALID


def _report_bug(error: Exception) -> int:
    """Report an internal error, and return the exit code.

    The traceback without any text of notes goes to a file, or to stderr if the file cannot be written.
    """
    kind, system = type(error).__name__, f"vaultkit {__version__}, Python {sys.version}, {sys.platform}"
    traceback_text = "".join(traceback.format_list(traceback.extract_tb(error.__traceback__)))
    report = f"{system}\n{traceback_text}{kind}\n"
    report_path = _save_report(report)
    if not report_path:
        for line in report.splitlines():
            print_error(line)
    hint = f"{'That file' if report_path else 'The text above'} says what happened, without any text of your notes; "
    hint += "please send it to the authors. What was written before it shows: vaultkit undo --list"
    print_vaultkit_error(VaultkitError(f"Internal error, a bug in vaultkit ({kind}).", where=report_path, hint=hint))
    return ExitCode.BUG


def _save_report(text: str) -> str:
    """Write a text to a new file that only its owner can read, and return the path.

    Returns "" if the file cannot be written.
    """
    import tempfile

    try:
        handle, path = tempfile.mkstemp(".txt", "vaultkit-bug-")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError:
        return ""
    return path


def _announce_output() -> None:
    for function in BEFORE_OUTPUT:
        function()


class _GuardedStdout(io.FileIO):
    """A stdout that ends the program quietly when its reader, such as `head`, has closed the pipe.

    Other errors, such as a full disk, raise WriteError.
    """

    def write(self, data: "bytes | memoryview") -> int | None:  # type: ignore[override]
        _announce_output()
        try:
            return super().write(data)
        except BrokenPipeError:
            _redirect_to_null(self)
            sys.exit()
        except OSError as error:
            _redirect_to_null(self)
            reason = "it is closed" if error.errno == errno.EBADF else error.strerror
            raise WriteError(f"The result could not be written to stdout: {reason}.") from error


class _GuardedStderr(io.FileIO):
    """A stderr that ignores errors, since nobody can read an error about it."""

    def write(self, data: "bytes | memoryview") -> int | None:  # type: ignore[override]
        _announce_output()
        try:
            return super().write(data)
        except OSError:
            _redirect_to_null(self)
            return len(data)


class _GuardedConsole(io.RawIOBase):
    """A stream of a Windows console; `console` takes UTF-8 whatever the code page is."""

    def __init__(self, console: io.RawIOBase) -> None:
        self.console = console

    def write(self, data: "bytes | memoryview") -> int | None:  # type: ignore[override]
        _announce_output()
        return self.console.write(data)

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.console.fileno()

    def isatty(self) -> bool:
        return self.console.isatty()


def _redirect_to_null(stream: io.FileIO) -> None:
    """Redirect a stream to the null device, so that Python can flush it again at exit without an error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def repair_streams() -> None:
    """Make stdin, stdout and stderr available in UTF-8, and handle output that cannot be written.

    Characters that an old code page of a Windows console lacks, or a stray byte in the input, must not raise an error.
    """
    # Replace closed streams, or a file opened later would get their number. The lowest free number is used first.
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123
    sys.stdout = sys.stdout or _open_null(os.O_RDONLY)  # read-only, so that writing fails
    sys.stderr = sys.stderr or _open_null(os.O_WRONLY)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")
    sys.stdout = _guard_stream(sys.stdout, _GuardedStdout)
    sys.stderr = _guard_stream(sys.stderr, _GuardedStderr)


def _open_null(flags: int) -> TextIO:
    return open(os.open(os.devnull, flags), "w", encoding="utf-8")  # noqa: PTH123


def _guard_stream(stream: TextIO, file_class: type[io.FileIO]) -> TextIO:
    """Return the stream with its raw file replaced by an object of `file_class`, or that of a Windows console guarded.

    A stream that a test has replaced is returned unchanged.
    """
    buffer = getattr(stream, "buffer", None)
    raw: Any = getattr(buffer, "raw", buffer)
    if type(raw) is io.FileIO:
        guarded: io.RawIOBase = file_class(stream.fileno(), "w", closefd=False)
    elif type(raw).__name__ == _CONSOLE_CLASS_NAME:
        guarded = _GuardedConsole(raw)
    else:
        return stream
    stream.flush()
    buffer = io.BufferedWriter(guarded)
    line_buffering = any(getattr(stream, name, False) for name in ("line_buffering", "write_through"))
    return io.TextIOWrapper(buffer, encoding="utf-8", errors="replace", line_buffering=line_buffering)
