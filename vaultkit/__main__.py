"""Entry point: the version without imports, what completes a line with few, the one error boundary, exit codes."""

import atexit
import gc
import os
import sys
from contextlib import suppress

from vaultkit import __version__

GARBAGE = 200_000
"""New objects after which Python looks for garbage; by default 700, for which a large vault pays a fifth more."""


def main() -> None:
    """Run the command line and leave with its exit code."""
    if sys.stdout and sys.argv[1:] in (["--version"], ["-V"]):
        with suppress(OSError):  # which the command line below tells
            print(f"vaultkit {__version__}", flush=True)  # noqa: T201
            return
    if sys.argv[1:2] == ["--complete"]:
        from vaultkit.cli.shell_completion import respond

        respond(sys.argv[2:])
        return
    gc.set_threshold(GARBAGE)
    ended = list[int]()
    atexit.register(_leave, ended)  # the first, so it is called last
    try:
        from vaultkit.cli.boundary import run
    except ImportError:
        _blame_strangers()
        raise
    ended.append(run())
    sys.exit(ended[0])


def _leave(ended: list[int]) -> None:
    """End with that exit code, once all is done, without taking apart what the system takes back at once."""
    if not ended:  # an error went through the boundary: Python ends by itself, and tells it
        return
    with suppress(Exception):  # a stream that is broken: Python says so
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(ended[0])


def _blame_strangers() -> None:
    """Leave with a word on the programs that have written over our files, if that is why they cannot be imported."""
    from vaultkit.strangers import strangers

    blame = [f"vaultkit cannot start: {what}.\n{hint}" for what, hint in strangers()]
    if blame:
        sys.exit("\n".join(blame))


if __name__ == "__main__":
    main()
