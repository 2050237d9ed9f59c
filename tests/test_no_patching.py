"""The program leaves other people's modules as they are."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "vaultkit"
DOCUMENTED_SETTINGS = {
    "cli/error_handler.py": "sys.stdin, sys.stdout and sys.stderr, which Python documents as replaceable",
    "theme/image_transcoding.py": "PIL.Image.MAX_IMAGE_PIXELS, Pillow's documented limit",
    "theme/font_registry.py": "reportlab.rl_config, ReportLab's documented settings",
}
"""Files that may write to a foreign module, and what they set there."""
MUTATING_METHODS = {"update", "setdefault", "pop", "popitem", "clear", "__setitem__", "__delitem__"}


def find_patches(source: str) -> list[int]:
    """Return the lines that write to a foreign module or class, or to `sys.modules`."""
    tree = ast.parse(source)
    foreign = set(_foreign_names(tree))
    return sorted(
        {node.lineno for node in ast.walk(tree) if isinstance(node, ast.stmt | ast.expr) and _is_patch(node, foreign)}
    )


def _foreign_names(tree: ast.Module) -> Iterator[str]:
    """Yield the names bound to modules, functions and classes that are not the program's own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if not alias.name.startswith("vaultkit"):
                    yield alias.asname or alias.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.module.startswith("vaultkit"):
            yield from (alias.asname or alias.name for alias in node.names)


def _is_patch(node: ast.AST, foreign: set[str]) -> bool:
    if isinstance(node, ast.Assign | ast.Delete):
        return any(_is_foreign(target, foreign) for target in node.targets)
    if isinstance(node, ast.AugAssign | ast.AnnAssign):
        return _is_foreign(node.target, foreign)
    if isinstance(node, ast.Call):
        function = node.func
        if isinstance(function, ast.Name) and function.id in ("setattr", "delattr") and node.args:
            return _root(node.args[0]) in foreign
        return (
            isinstance(function, ast.Attribute)
            and function.attr in MUTATING_METHODS
            and _is_sys_modules(function.value)
        )
    return False


def _is_foreign(target: ast.expr, foreign: set[str]) -> bool:
    if isinstance(target, ast.Tuple | ast.List):
        return any(_is_foreign(part, foreign) for part in target.elts)
    if isinstance(target, ast.Subscript):
        return _is_sys_modules(target.value)
    return isinstance(target, ast.Attribute) and _root(target.value) in foreign


def _is_sys_modules(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "modules" and _root(node) == "sys"


def _root(node: ast.expr) -> str:
    """Return the name at the start of a dotted expression, "" for any other expression."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


@pytest.mark.parametrize(
    "source",
    [
        "import re\nre.compile = print",
        "import sys\nsys.modules['x'] = None",
        "import sys\nsys.modules.update(x=1)",
        "import sys\ndel sys.modules['x']",
        "from xml import sax\nsetattr(sax, 'parse', None)",
        "import os.path\nos.path.sep, x = 1, 2",
        "from rich.text import Text\nText.plain = ''",
    ],
)
def test_patch_is_detected(source: str) -> None:
    assert find_patches(source) == [2]


def test_ordinary_code_is_not_a_patch() -> None:
    assert not find_patches("import re\nfrom vaultkit import files\nself.re = re.compile('x')\nfiles.NOTE = 1\n")


@pytest.mark.slow
def test_no_module_of_the_program_changes_a_foreign_one() -> None:
    patched = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if find_patches(path.read_text(encoding="utf-8"))
    }
    assert patched == set(DOCUMENTED_SETTINGS)
