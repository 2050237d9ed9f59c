"""What the command line loads on its way: heavy packages only when they are needed."""

import subprocess
import sys

import pytest

HEAVY = (
    "reportlab",
    "PIL",
    "jinja2",
    "textual",
    "pyromark",
    "yaml12",
    "frontmatter",
    "importlib.metadata",
    "fontTools",
    "starlette",
    "uvicorn",
    "asyncio",
)
"""Packages that no help needs; Rich's own, `markdown_it` and `pygments`, come with Typer's."""


def loaded(*words: str) -> set[str]:
    """The modules that a whole process has loaded at its end."""
    code = (
        "import sys\n"
        f"sys.argv = ['vaultkit', *{words!r}]\n"
        "from vaultkit.__main__ import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print('\\n'.join(sys.modules), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    return set(done.stderr.split())


def test_the_version_needs_no_imports() -> None:
    modules = loaded("--version")
    assert not {"typer", "rich", "vaultkit.cli.app"} & modules


@pytest.mark.slow
@pytest.mark.parametrize("words", [("--help",), ("play", "--help"), ("print", "--help"), ("undo", "--help")])
def test_help_loads_nothing_heavy(words: tuple[str, ...]) -> None:
    assert not set(HEAVY) & loaded(*words)


@pytest.mark.slow
def test_exit_handlers_run_and_the_exit_code_is_preserved() -> None:
    code = (
        "import atexit, sys\n"
        "from vaultkit.__main__ import main\n"
        "from vaultkit.cli import error_handler\n"
        "def run():\n    atexit.register(print, 'done')\n    return 4\n"
        "error_handler.run = run\n"
        "main()\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (4, "done\n", "")
