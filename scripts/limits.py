"""Generator of the table in docs/limits.md from the limits that modules declare. Usage: python -m scripts.limits."""

import re
from importlib import import_module
from pathlib import Path

from vaultkit.budget import Limit

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/limits.md"
_KIND = re.compile(r"(?:.*\b[Tt]h(?:is|ese)|The) (\w+)")
"""The beginning of a limit's sentence up to the kind of file that it is about."""
_TABLE = re.compile(r"(?<=<!-- limits -->\n).*?(?=<!-- end -->)", re.DOTALL)


def declared_limits() -> list[Limit]:
    """Return all limits that are constants of modules."""
    files = sorted(file for file in (ROOT / "vaultkit").rglob("*.py") if " Limit(" in file.read_text(encoding="utf-8"))
    modules = [import_module(".".join(file.relative_to(ROOT).with_suffix("").parts)) for file in files]
    values = (value for module in modules for value in vars(module).values())
    return [*dict.fromkeys(value for value in values if isinstance(value, Limit))]


def kind_of(limit: Limit) -> str:
    """Return the kind of file that a limit is about, such as `note`."""
    kind = _KIND.match(limit.subject)
    assert kind, limit.subject
    return kind[1]


def page_with_table() -> str:
    """Return the page with the table of all limits, by kind of file."""
    rows = {f"| {kind_of(limit)} | {limit.subject} at most {limit.amount} |\n" for limit in declared_limits()}
    table = "| kind | limit |\n|---|---|\n" + "".join(sorted(rows, key=str.lower))
    return _TABLE.sub(lambda _: f"\n{table}\n", PAGE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    PAGE.write_text(page_with_table(), encoding="utf-8")
