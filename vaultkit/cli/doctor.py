"""The command `vaultkit doctor`, which shows which vault, settings and files are in use and what is missing."""

import os
import platform
import re
import shutil
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib.metadata import PackageNotFoundError, requires, version
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from vaultkit import __version__
from vaultkit.cli.context import CommandContext, current_time, with_options
from vaultkit.cli.output import print_document, print_lines, print_result
from vaultkit.errors import ExitCode
from vaultkit.package_conflicts import DISTRIBUTION, find_package_conflicts
from vaultkit.text import format_count

if TYPE_CHECKING:
    from vaultkit.campaign.diagnostics import HealthCheck

_CHECK_MARKS = {(False, True): "!!", (False, False): "!!", (True, True): "ok", (True, False): "- "}
"""The printed mark of a check, by its fields `ok` and `here`: whether all is well, and whether the thing exists."""
_SUMMARY_NAMES = ("vault", "settings", "campaign note", "history", "trust", "leaves behind")
"""The checks that the summary shows even if all is well."""
_HINTED_NAMES = ("vault", "campaign note", "games to add")
"""The checks whose hints the summary shows even if all is well."""
_PROMPT_LINES = 3
"""The lines of the screen for the command itself, the next prompt and the number of further checks."""


@with_options
def doctor(
    desk: CommandContext,
    show_all: Annotated[bool, Option("--all", help="Show every check in full.")] = False,
    licences: Annotated[bool, Option("--licences", help="Show the licences of vaultkit, its fonts and games.")] = False,
) -> None:
    """Show which vault, settings, decks and rule notes are in use.

    Changes nothing. Outside a vault it shows versions and your own settings. Exit code 1 if a game or result lacks
    something.

    For example: vaultkit doctor
    """
    from vaultkit.resources import read_text, shipped_folder

    if licences:
        licence_text = read_text(shipped_folder("licences") / "licences.md")
        if desk.as_json:
            print_document({"licences": licence_text})
        else:
            print_lines(licence_text)
        return
    checks, versions = list(_run_checks(desk)), _read_versions()
    if desk.as_json:
        print_document({"versions": versions, "checks": checks})
    else:
        lines = [*_version_lines(versions), *(_all_lines(checks) if show_all else ())]
        if not show_all:
            lines += _summary_lines(checks, _screen_size().lines - len(lines) - _PROMPT_LINES)
        for line in lines:
            print_result(line)
    if not all(check.ok for check in checks):
        raise typer.Exit(ExitCode.PROBLEMS)


def _run_checks(desk: CommandContext) -> "Iterator[HealthCheck]":
    from vaultkit.campaign import diagnostics
    from vaultkit.campaign.diagnostics import HealthCheck
    from vaultkit.settings import load
    from vaultkit.sheets import inventory
    from vaultkit.vault.root_folder import surrounding_root

    yield from (HealthCheck("package", False, detail, hint) for detail, hint in find_package_conflicts())
    is_vault_named = desk.vault_option is not None or bool(os.environ.get("VAULTKIT_VAULT"))
    if not is_vault_named and surrounding_root(Path.cwd().resolve()) is None:
        hint = "Go into your vault's folder, or name it with --vault PATH. To look around first: vaultkit demo"
        yield HealthCheck("vault", True, "this folder is in none", hint, here=False)
        yield (settings := diagnostics.settings_check(None))
        if settings.ok:
            yield from inventory.check_print_settings(Path.cwd(), load(None).print)
        return
    workspace = desk.workspace
    yield diagnostics.vault_check(workspace)
    yield (settings := diagnostics.settings_check(workspace.root))
    if settings.ok:
        yield from inventory.check_print_settings(workspace.root, workspace.settings.print)
        yield from diagnostics.campaign_checks(workspace, current_time().date())
    yield from diagnostics.compendium_checks(workspace)
    yield from inventory.check_designs(workspace.root)
    yield diagnostics.trust_check(workspace.root)
    yield diagnostics.stored_files_check(workspace)


def _read_versions() -> dict[str, str]:
    """Return the versions of vaultkit, of Python and of the installed libraries that vaultkit needs, by name."""
    versions = {"vaultkit": __version__, "Python": platform.python_version()}
    with suppress(PackageNotFoundError):  # run from a checkout
        names = [re.split(r"[^\w.-]", requirement, maxsplit=1)[0] for requirement in requires(DISTRIBUTION) or ()]
        for name in sorted(names):
            with suppress(PackageNotFoundError):
                versions[name] = version(name)
    return versions


def _screen_size() -> os.terminal_size:
    return shutil.get_terminal_size((80, 24))


def _version_lines(versions: Mapping[str, str]) -> Sequence[str]:
    libraries = ", ".join(f"{name} {number}" for name, number in versions.items() if name not in ("vaultkit", "Python"))
    system = f"{platform.system()} {platform.release()}".strip()
    first_line = f"vaultkit {versions['vaultkit']}, Python {versions['Python']}, {system}"
    return (first_line, *textwrap.wrap(libraries, _screen_size().columns - 1, break_on_hyphens=False))


def _all_lines(checks: "Sequence[HealthCheck]") -> Iterator[str]:
    """Yield the lines of every check, each in full."""
    for check in checks:
        yield f"{_CHECK_MARKS[check.ok, check.here]}  {check.name}: {check.detail}"
        if check.hint:
            yield f"      {check.hint}"


def _summary_lines(checks: "Sequence[HealthCheck]", max_lines: int) -> Iterator[str]:
    """Yield at most `max_lines` lines: the main checks, the games, and as many failed checks as fit.

    Details of what is well are cut at the width of the screen.
    """
    from vaultkit.campaign.diagnostics import HealthCheck
    from vaultkit.games.registry import GAMES

    titles, width = {info.title for info in GAMES.values()}, _screen_size().columns - 1
    failed_checks = [check for check in checks if not check.ok]
    games = [check for check in checks if check.ok and check.name in titles]
    shown_checks = [check for check in checks if check.ok and check.name in _SUMMARY_NAMES]
    groups = (
        HealthCheck(name, True, ", ".join(game.name for game in games if game.here is is_here), hint, is_here)
        for name, hint, is_here in (("games", "", True), ("games to add", "With: vaultkit init --with GAME", False))
    )
    wrap = partial(textwrap.wrap, width=width, subsequent_indent=" " * 6)
    lines = []
    for check in (*shown_checks, *(group for group in groups if group.detail)):
        line, *hint_lines = _all_lines([check])
        lines.append(line if len(line) <= width else f"{line[: width - 4]} ...")
        if check.name in _HINTED_NAMES:
            lines += chain.from_iterable(map(wrap, hint_lines))
    for number, check in enumerate(failed_checks):
        block = list(chain.from_iterable(map(wrap, _all_lines([check]))))
        if len(lines) + len(block) >= max_lines:
            lines.append(f"!!  {format_count(len(failed_checks) - number, 'more problem')}: vaultkit doctor --all")
            break
        lines += block
    yield from lines
    if rest := len(checks) - len(failed_checks) - len(games) - len(shown_checks):
        yield f"{format_count(rest, 'more check')}, all well: vaultkit doctor --all"
