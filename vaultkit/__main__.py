"""Entry point of the command line, which imports little until it has to.

`--version` imports nothing more, and a shell's request for completions only a few modules. All other commands run under
the one error handler, which chooses the exit code.
"""

import atexit
import gc
import os
import signal
import sys
from contextlib import suppress

from vaultkit import __version__

GC_THRESHOLD = 200_000
"""The number of new objects after which Python collects garbage.

The default of 700 makes a large vault a fifth slower.
"""


def main() -> None:
    """Run the command line and exit with its exit code."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))  # until the error handler is loaded
    if sys.stdout and sys.argv[1:] in (["--version"], ["-V"]):
        with suppress(OSError):  # the command line below reports it
            print(f"vaultkit {__version__}", flush=True)  # noqa: T201
            return
    if sys.argv[1:2] == ["--complete"]:
        from vaultkit.cli.shell_completion import print_answer

        print_answer(sys.argv[2:])
        return
    gc.set_threshold(GC_THRESHOLD)
    exit_codes = list[int]()
    atexit.register(_exit_at_once, exit_codes)  # registered first, so called last
    try:
        from vaultkit.cli.error_handler import run
    except ImportError:
        _report_package_conflicts()
        raise
    exit_codes.append(run())
    sys.exit(exit_codes[0])


def _exit_at_once(exit_codes: list[int]) -> None:
    """Exit with the exit code in `exit_codes` without freeing memory, which the system takes back at once.

    An empty list means that an exception is on its way out: then Python exits by itself and prints it.
    """
    if not exit_codes:  # an exception passed the error handler
        return
    with suppress(Exception):  # a broken stream: Python reports it as it exits
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(exit_codes[0])


def _report_package_conflicts() -> None:
    """Exit with a message if files of ours cannot be imported because other programs have overwritten them."""
    from vaultkit.package_conflicts import find_package_conflicts

    messages = [f"vaultkit cannot start: {message}.\n{hint}" for message, hint in find_package_conflicts()]
    if messages:
        sys.exit("\n".join(messages))


if __name__ == "__main__":
    main()
