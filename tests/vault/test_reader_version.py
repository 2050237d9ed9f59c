"""The index knows the version of the code that reads notes: it names every module from which what is kept is made."""

import ast
from pathlib import Path

from vaultkit.vault.index.reader_version import LAYERS, PACKAGE

NOT_KEPT = {"__init__.py", "completion"}
"""The version number, which is checked beside the files, and the list of names for shells, made anew each time."""


def imported_files(start: str) -> set[str]:
    """Return the files of the package that a file imports, directly or by others."""
    seen, pending = set[str](), [start]
    while pending:
        file = pending.pop()
        if file in seen:
            continue
        seen.add(file)
        for node in ast.walk(ast.parse((PACKAGE / file).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "vaultkit":
                for module in (node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)):
                    path = PACKAGE.joinpath(*module.split(".")[1:])
                    places = (path.with_suffix(".py"), path / "__init__.py")
                    pending += [place.relative_to(PACKAGE).as_posix() for place in places if place.is_file()]
    return seen


def test_every_module_that_reads_or_checks_notes_is_named_and_no_name_is_stale() -> None:
    used = {
        Path(file).parts[0]
        for name in ("session/checks.py", "vault/index/fact_reader.py")
        for file in imported_files(name)
    }
    assert used - NOT_KEPT <= set(LAYERS)
    assert [name for name in LAYERS if not (PACKAGE / name).exists()] == []
