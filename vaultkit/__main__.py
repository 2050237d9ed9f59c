"""Entry point: the version without imports, the one error boundary, exit codes."""

import sys

from vaultkit import __version__


def main() -> None:
    """Run the command line and leave with its exit code."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        print(f"vaultkit {__version__}")  # noqa: T201
        return
    from vaultkit.cli.boundary import run

    sys.exit(run())


if __name__ == "__main__":
    main()
