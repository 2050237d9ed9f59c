"""Names and docstrings that a maintainer has to decode, counted and listed. `python -m scripts.names`.

A row is a place to look at, not a verdict. `--list KIND` lists the rows of one kind; `--check` fails when a count is
above its limit in scripts/names.toml, and `--lower` writes lower counts there as the new limits.
"""

import argparse
import ast
import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from scripts.shape import PACKAGE, ROOT

WORDS_FILE = Path(__file__).with_name("names.toml")
WORDS = tomllib.loads(WORDS_FILE.read_text(encoding="utf-8"))
RULING_NAME = re.compile(r"^(?:G|DC|VA|PG|DD|S|TF)_?\d+$")
RULING_PREFIX = re.compile(r"^(?:[A-Z]{1,2}-\d+(?:, [A-Z]{1,2}-\d+)*(?: and [A-Z]{1,2}-\d+)?: ?)")
DERIVED = re.compile(r"^[a-z]{2,}(?:ed|ing)$")
RELATIVE = re.compile(
    r"\b(?:that one|this one|these|those|as (?:that|this|it) does|the same (?:for|as|with|of)|likewise|whoever|"
    r"whatever|whom|therewith|thereby|meanwhile|of one's own|is told|are told|so many|what is|what was|"
    r"the other one|ditto)\b",
    re.IGNORECASE,
)
"""Words with which a docstring depends on the text around it."""
EXEMPT_DECORATORS = {"property", "cached_property", "setter", "fixture", "hookimpl"}
KINDS = {
    "constants": "numeric constants without a unit or a quantity in their name",
    "functions": "functions named by a participle, preposition, adverb or adjective alone",
    "docstrings": "functions whose docstring does not begin with a verb or leans on a neighbour",
    "locals": "locals and parameters named by a participle alone",
    "classes": "class names used more than once",
    "modules": "module names used more than once",
}

Row = tuple[int, str]
Function = ast.FunctionDef | ast.AsyncFunctionDef


def words(key: str) -> frozenset[str]:
    """Return a list of words from scripts/names.toml."""
    return frozenset(WORDS[key].split())


def main() -> int:
    """Print the counts; return 1 if `--check` was given and a count is above its limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=ROOT / PACKAGE, type=Path)
    parser.add_argument("--list", choices=KINDS)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--lower", action="store_true")
    arguments = parser.parse_args()
    rows = list_rows(sorted(arguments.folder.rglob("*.py")))
    if arguments.list:
        print(*rows[arguments.list], sep="\n")
    counts = {kind: len(rows[kind]) for kind in KINDS}
    limits: dict[str, int] = WORDS["limits"]
    if arguments.lower:
        write_limits({kind: min(count, limits[kind]) for kind, count in counts.items()})
    for kind, meaning in KINDS.items():
        limit = f" (at most {limits[kind]})" if arguments.check and counts[kind] > limits[kind] else ""
        print(f"{meaning}: {counts[kind]}{limit}")
    return int(arguments.check and any(counts[kind] > limits[kind] for kind in KINDS))


def write_limits(limits: dict[str, int]) -> None:
    """Replace the limits in scripts/names.toml."""
    text = WORDS_FILE.read_text(encoding="utf-8")
    for kind, limit in limits.items():
        text = re.sub(rf"(?m)^{kind} = \d+$", f"{kind} = {limit}", text)
    WORDS_FILE.write_text(text, encoding="utf-8", newline="\n")


def list_rows(paths: Iterable[Path]) -> dict[str, list[str]]:
    """Return the rows of each kind, in the order of the paths and lines."""
    rows = defaultdict[str, list[str]](list)
    stems, places = Counter[str](), defaultdict[str, list[str]](list)
    finders: dict[str, Callable[[ast.Module], Iterator[Row]]] = {
        "constants": find_constants,
        "functions": find_functions,
        "docstrings": find_docstrings,
        "locals": find_locals,
    }
    for path in paths:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        stems[path.stem] += 1
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(f"{path}:{node.lineno}")
        for kind, find in finders.items():
            rows[kind] += [f"{path}:{line}  {text}" for line, text in find(tree)]
    rows["classes"] = [f"{name}  {' '.join(where)}" for name, where in sorted(places.items()) if len(where) > 1]
    rows["modules"] = [f"{name}  {count}" for name, count in sorted(stems.items()) if count > 1 and name != "__init__"]
    return rows


def find_constants(tree: ast.Module) -> Iterator[Row]:
    """Yield numeric constants of modules and classes whose name carries no unit or quantity."""
    units, alone, comparatives = words("units"), words("units_alone"), words("comparatives")
    bodies = [tree.body, *(node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef))]
    for node in (node for body in bodies for node in body):
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if not isinstance(target, ast.Name) or not target.id.isupper() or len(target.id.strip("_")) < 2:
            continue
        value = evaluate(node.value)
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        name = target.id.strip("_")
        parts = name.split("_")
        has_unit = any(part in units or part.rstrip("S") in units for part in parts)
        is_clear = has_unit and (len(parts) > 1 or parts[0] in alone) and not comparatives & set(parts)
        if not is_clear and not RULING_NAME.match(name):
            yield node.lineno, f"{target.id} = {value}"


def evaluate(node: ast.expr) -> object:
    """Return the value of an expression of literals, or None for any other."""
    try:
        return eval(compile(ast.Expression(node), "", "eval"), {"__builtins__": {}})
    except (NameError, TypeError, ValueError, AttributeError, ArithmeticError):
        return None


def each_function(tree: ast.AST) -> Iterator[Function]:
    """Yield the functions and methods of a module, except properties, fixtures and hooks."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            decorators = {ast.unparse(each).partition("(")[0].rpartition(".")[2] for each in node.decorator_list}
            if not EXEMPT_DECORATORS & decorators:
                yield node


def is_special(name: str) -> bool:
    """Return whether Python itself gives the method its name, as `__init__`."""
    return name.startswith("__") and name.endswith("__")


def find_functions(tree: ast.AST) -> Iterator[Row]:
    """Yield functions named by a participle, preposition, adverb or adjective alone."""
    odd, known, verbs = words("odd_functions"), words("known_functions"), words("verbs")
    for node in each_function(tree):
        name = node.name.strip("_")
        is_odd = name in odd or (DERIVED.match(name) and name not in known and name not in verbs)
        if is_odd and not is_special(node.name):
            yield node.lineno, node.name


def find_docstrings(tree: ast.AST) -> Iterator[Row]:
    """Yield functions whose docstring does not begin with a verb, or depends on the text around it.

    The number of a ruling in front ("G-3: Keep ...") is passed over.
    """
    verbs = words("verbs")
    for node in each_function(tree):
        text = ast.get_docstring(node) or ""
        if not text or is_special(node.name):
            continue
        first = text.splitlines()[0]
        word = re.match(r"[A-Za-z]+", RULING_PREFIX.sub("", first))
        if not word or word[0].lower() not in verbs or RELATIVE.search(first):
            yield node.lineno, f"{node.name}: {first}"


def find_locals(tree: ast.AST) -> Iterator[Row]:
    """Yield locals and parameters named by a participle alone, once for each function."""
    odd = words("odd_locals")
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        names |= {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
        for name in sorted(names & odd):
            yield node.lineno, f"{node.name}: {name}"


if __name__ == "__main__":
    sys.exit(main())
