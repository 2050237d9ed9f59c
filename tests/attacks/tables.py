"""Notes with thousands of roll tables, headings above them, and links to them."""

from collections.abc import Callable
from pathlib import Path

from tests.attacks.attack import Attack
from tests.attacks.lines import note, repeat_line

TABLE = "| d2 | r |\n|---|---|\n| 1 | gold |\n| 2 | silver |\n"
COUNT = 7_000


def large_target(vault: Path) -> None:
    """Write a table whose rows link to a note of many tables."""
    note(TABLE.replace("gold", "[[Big]]").replace("silver", "[[Big#H6999]]"))(vault)
    (vault / "Big.md").write_text(repeat_line(f"## H{{}}\n\n{TABLE}\n", COUNT))


MANY: dict[str, Callable[[Path], object]] = {
    "alone": note(f"{TABLE}\n" * COUNT),
    "below headings": note(repeat_line(f"## H{{}}\n\n{TABLE}\n", COUNT)),
    "with block ids": note(repeat_line(f"{TABLE}^t{{}}\n\n", COUNT)),
    "between code": note(f"```\nx\n```\n\n{TABLE}\n" * COUNT),
    "without the line below the head": note("| d20 | r |\n| 1 | gold |\n| 2 | x |\n\n" * COUNT),
    "that only dice name": note(
        repeat_line(f"{TABLE.replace('d2', 'x')}^t{{}}\n\n", COUNT) + repeat_line("`dice: [[Note#^t{}]]` ", COUNT)
    ),
    "in HTML": note("<table><tr><th>d2<th>r</tr><tr><td>1<td>a</tr><tr><td>2<td>b</tr></table>\n\n" * COUNT),
}
HEADINGS = repeat_line("## H{}\n\n", 60_000)
CARDS = repeat_line("| Name | Suit |\n|-|-|\n| a{} | b |\n\n", 900)
ATTACKS = [
    Attack("cards below sixty thousand headings", note(f"---\nvaultkit-deck: big\n---\n{HEADINGS}{CARDS}"), ("check",)),
    *(Attack(f"seven thousand tables {name}, list", prepare, ("roll",)) for name, prepare in MANY.items()),
    Attack("seven thousand tables, roll", MANY["alone"], ("roll", "Note"), 3, "may mean several tables"),
    Attack("seven thousand tables, by heading", MANY["below headings"], ("roll", "Note#H5000"), 0, "5000"),
    Attack("seven thousand tables, misspelt", MANY["below headings"], ("roll", "Nte#H50x"), 4),
    Attack("rows that link to seven thousand tables", large_target, ("roll", "Note"), 0, "seed"),
]
