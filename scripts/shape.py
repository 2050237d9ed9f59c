"""The shape of the code: how much there is, how it is cut, and what goes in circles. `python -m scripts.shape`.

Code lines are lines that are neither blank, comment nor docstring. `--features` counts them by feature, `--docs`
counts the words of the documentation, and `--check` fails if scripts/features.toml misses a file.
"""

import ast
import io
import re
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[1]
PACKAGE = "vaultkit"
FEATURES = Path(__file__).with_name("features.toml")
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


def shape(file: Path, root: Path = ROOT) -> Shape:
    """The shape of one file; its path is relative to `root`."""
    text = file.read_text(encoding="utf-8")
    tree = ast.parse(text)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    named = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    return Shape(
        file.relative_to(root).as_posix(),
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


def feature_of(path: str, features: Mapping[str, Iterable[str]]) -> str | None:
    """Return the feature with the longest pattern that fits a path below the package, None if no pattern fits it."""
    fitting = [
        (len(pattern), feature)
        for feature, patterns in features.items()
        for pattern in patterns
        if fnmatchcase(path, pattern)
    ]
    return max(fitting)[1] if fitting else None


def feature_problems(paths: Collection[str], features: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Yield a sentence for each path in no feature, and for each pattern that fits no path."""
    for path in sorted(paths):
        if feature_of(path, features) is None:
            yield f"{PACKAGE}/{path} is in no feature of scripts/features.toml."
    for feature, patterns in features.items():
        for pattern in patterns:
            if not any(fnmatchcase(path, pattern) for path in paths):
                yield f"'{pattern}' ({feature}) in scripts/features.toml fits no file."


def lines_by_feature(root: Path, features: Mapping[str, Iterable[str]]) -> dict[str, int]:
    """Return the code lines of each feature, in the order of the map; "none" for files that are in no feature."""
    counts = Counter[str]()
    for file in sorted((root / PACKAGE).rglob("*.py")):
        path = file.relative_to(root / PACKAGE).as_posix()
        counts[feature_of(path, features) or "none"] += shape(file, root).code
    return {feature: counts[feature] for feature in (*features, "none") if feature in features or counts[feature]}


def load_features() -> dict[str, list[str]]:
    """Return the path patterns of each feature."""
    return tomllib.loads(FEATURES.read_text(encoding="utf-8"))


def python_files() -> list[str]:
    """Return the paths of all Python files below the package."""
    return [file.relative_to(ROOT / PACKAGE).as_posix() for file in (ROOT / PACKAGE).rglob("*.py")]


def count_words(page: Path) -> int:
    """Return the number of words to be read: without blocks of code, and without the addresses of links."""
    text = re.sub(r"(?ms)^( *)(`{3,}).*?^\1\2[^\n]*", "", page.read_text(encoding="utf-8"))
    return len(re.sub(r"[|#*`>-]", " ", re.sub(r"\]\([^)]*\)", "]", text)).split())


def count_doc_words() -> int:
    """Return the number of words to be read in README.md and docs/, without rulings and samples."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    return sum(count_words(page) for page in pages if page.parent.name != "rulings" and page.name != "samples.md")


def main(arguments: list[str]) -> int:
    """Print the report of the program or of the folders that are named; 1 if `--check` finds a problem."""
    features = load_features()
    if "--check" in arguments:
        problems = list(feature_problems(python_files(), features))
        print("\n".join(problems) or "Each file is in a feature.")
        return int(bool(problems))
    if "--features" in arguments:
        counts = lines_by_feature(ROOT, features)
        for feature, count in (*counts.items(), ("all", sum(counts.values()))):
            print(f"{feature:<20} {count:>7,}")
        return 0
    if "--docs" in arguments:
        print(f"{count_doc_words():,} words in README.md and docs/, without code, rulings and samples")
        return 0
    for folder in arguments or [PACKAGE]:
        print("\n".join(report(folder)))
    found = circles()
    print(f"circles: {', '.join(found) or 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
