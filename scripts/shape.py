"""The shape of the code: how much there is, how it is cut, and what goes in circles. `python -m scripts.shape`.

Code lines are lines that are neither blank, comment nor docstring.
"""

import ast
import io
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[1]
LARGEST = 8
SMALL = 50


@dataclass(frozen=True)
class Shape:
    """One file: its lines, its code lines, the lines of its functions, and the names of its classes and functions."""

    path: str
    lines: int
    code: int
    functions: tuple[int, ...]
    names: tuple[str, ...]


def shape(file: Path) -> Shape:
    """The shape of one file."""
    text = file.read_text(encoding="utf-8")
    tree = ast.parse(text)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    named = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    return Shape(
        file.relative_to(ROOT).as_posix(),
        text.count("\n"),
        len(_code_lines(text) - _docstring_lines(tree)),
        tuple((node.end_lineno or node.lineno) - node.lineno + 1 for node in functions),
        tuple(node.name for node in named if not node.name.startswith("_")),
    )


def _code_lines(text: str) -> set[int]:
    left_out = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    spans = (range(token.start[0], token.end[0] + 1) for token in tokens if token.type not in left_out)
    return {line for span in spans for line in span}


def _docstring_lines(tree: ast.Module) -> set[int]:
    """The lines of every text that stands by itself, as docstrings of modules, functions and values do."""
    alone = (node for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    said = (node for node in alone if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str))
    return {line for node in said for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}


def circles() -> list[str]:
    """Folders whose files or folders import each other in a circle."""
    import grimp

    graph = grimp.build_graph("vaultkit", cache_dir=None)
    packages = sorted(module for module in graph.modules if graph.find_children(module))
    return [package for package in packages if graph.nominate_cycle_breakers(package)]


def report(folder: str) -> Iterator[str]:
    """Lines about all files below a folder of this project."""
    shapes = [shape(file) for file in sorted((ROOT / folder).rglob("*.py"))]
    lengths = [length for one in shapes for length in one.functions]
    files = [one for one in shapes if one.lines]
    tenth = sorted(lengths)[len(lengths) * 9 // 10]
    small = [one for one in files if one.lines < SMALL and not one.path.endswith("__init__.py")]
    yield f"{folder}/"
    yield f"  files           {len(files)}"
    yield f"  lines           {sum(one.lines for one in files):,}"
    yield f"  code lines      {sum(one.code for one in files):,}"
    yield f"  median file     {median(one.lines for one in files):.0f} lines"
    yield f"  functions       {len(lengths):,}, median {median(lengths):.0f} lines, nine in ten up to {tenth}"
    yield f"  under {SMALL} lines  {len(small)} files, packages' own aside"
    for part in sorted({one.path.split("/")[1] for one in files if one.path.count("/") > 1}):
        inside = [one for one in files if one.path.startswith(f"{folder}/{part}/")]
        yield f"    {part:<12} {len(inside):>4} files {sum(one.code for one in inside):>7,} code lines"
    largest = sorted(files, key=lambda one: -one.lines)[:LARGEST]
    yield "  largest         " + ", ".join(f"{one.path.removeprefix(f'{folder}/')} {one.lines}" for one in largest)
    yield from _twice(files)


def _twice(files: list[Shape]) -> Iterator[str]:
    stems = Counter(Path(one.path).name for one in files)
    stems.pop("__init__.py", None)
    names = Counter(name for one in files for name in one.names)
    for what, counted in (("file names", stems), ("public names", names)):
        often = [f"{name} {number}" for name, number in counted.most_common() if number > 1]
        yield f"  {what} used twice or more: {len(often)}: {', '.join(often[:40])}"


def main() -> None:
    """Print the report of the program, or of the folders that are named."""
    for folder in sys.argv[1:] or ["vaultkit"]:
        print("\n".join(report(folder)))
    found = circles()
    print(f"circles: {', '.join(found) or 'none'}")


if __name__ == "__main__":
    main()
