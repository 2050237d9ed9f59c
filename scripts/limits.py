"""Generator of the table in docs/limits.md from the limits that modules declare. Usage: python -m scripts.limits."""

import re
from importlib import import_module
from pathlib import Path

from vaultkit.budget import Limit

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/limits.md"
_SUBJECT = re.compile(r"(?:(?:A|The) (.+) (?:in|of) th(?:is|e)|The|Th(?:is|ese)) (.+?) (?:lies within|\w+)")
"""The sentence of a limit up to its amount, with the part and the kind of file that it is about."""
_SHORT_FORMS = {
    "With what '*' repeats, the properties at the top of this note": "The properties with '*' expanded of this note",
    "The properties at the top of this note": "The properties of this note",
    "The tables of this font that every PDF gets": "The tables for PDFs of this font",
    "To be drawn, this picture": "The drawing of this picture",
    "With all repetitions, this drawing": "The repetitions of this drawing",
    "The PDF would have": "The printing of the PDF has",
}
_TABLE = re.compile(r"(?<=<!-- limits -->\n).*?(?=<!-- end -->)", re.DOTALL)


def declared_limits() -> list[Limit]:
    """Return all limits that are constants of modules."""
    files = sorted(file for file in (ROOT / "vaultkit").rglob("*.py") if " Limit(" in file.read_text(encoding="utf-8"))
    modules = [import_module(".".join(file.relative_to(ROOT).with_suffix("").parts)) for file in files]
    values = (value for module in modules for value in vars(module).values())
    return [*dict.fromkeys(value for value in values if isinstance(value, Limit))]


def cells(limit: Limit) -> tuple[str, str]:
    """Return the kind of file that a limit is about, and its amount with the part of the file that it counts."""
    subject = limit.subject
    for phrase, short_form in _SHORT_FORMS.items():
        subject = subject.replace(phrase, short_form)
    found = _SUBJECT.fullmatch(subject)
    assert found, limit.subject
    amount = limit.amount.replace(", and the others are left out", " reported")
    return found[2], f"{found[1]}: {amount}" if found[1] else amount


def page_with_table() -> str:
    """Return the page with the table of all limits, a row for each kind of file."""
    kinds: dict[str, set[str]] = {}
    for limit in declared_limits():
        kind, amount = cells(limit)
        kinds.setdefault(kind, set()).add(amount)
    rows = (f"| {kind} | {'; '.join(sorted(kinds[kind]))} |\n" for kind in sorted(kinds, key=str.lower))
    table = "| file | at most |\n|---|---|\n" + "".join(rows)
    return _TABLE.sub(lambda _: f"\n{table}\n", PAGE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    PAGE.write_text(page_with_table(), encoding="utf-8")
