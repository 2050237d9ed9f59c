"""SVG drawings that repeat themselves, nest without end, hold too much or name other files."""

import base64
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from PIL import Image

from tests.attacks.attack import Attack

PRINT = ("print", "rules", "Map", "--out", "map.pdf")
BILLION = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


def drawing(content: str, head: str = "") -> Callable[[Path], object]:
    """Return a function that writes a drawing, and a note that shows it."""

    def prepare(vault: Path) -> None:
        text = f'{head}<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200">{content}</svg>'
        (vault / "map.svg").write_text(text, encoding="utf-8")
        (vault / "Map.md").write_text("Before.\n\n![[map.svg]]\n\nAfter.\n", encoding="utf-8")

    return prepare


def repeated(count: int, copies: int, tag: str = "g") -> str:
    """Return groups, each of which shows the one before several times."""
    use = '<use href="#a{}"/>'
    groups = (f'<{tag} id="a{n}">{use.format(n - 1) * copies}</{tag}>' for n in range(1, count))
    return f'<defs><g id="a0"><path d="M0 0 9 9"/></g>{"".join(groups)}</defs>{use.format(count - 1)}'


def chained(name: str, count: int) -> str:
    """Return elements of a kind, each of which is painted with two uses of the next one."""
    head = f'<{name} id="a{{}}" width="4" height="4" patternUnits="userSpaceOnUse" markerWidth="9" markerHeight="9">'
    paths = [f'<path d="M0 0 9 9 0 9" {PAINTS[name].format(number)}/>' * 2 for number in range(1, count + 1)]
    parts = "".join(f"{head.format(number)}{path}</{name}>" for number, path in enumerate(paths))
    return f'{parts}<path d="M0 0 90 90 0 90" {PAINTS[name].format(0)}/>'


PAINTS = {
    "pattern": 'fill="url(#a{})"', "mask": 'mask="url(#a{})"', "clipPath": 'clip-path="url(#a{})"',
    "marker": 'marker-mid="url(#a{})"',
}  # fmt: skip


def bomb() -> str:
    """Return a picture of 63 megapixels as a data URI."""
    data = BytesIO()
    Image.new("RGBA", (8000, 7900)).save(data, "PNG")
    return f'<image width="9" height="9" href="data:image/png;base64,{base64.b64encode(data.getvalue()).decode()}"/>'


def varied(code: str, count: int) -> str:
    """Return copies of code in which each `@` is another number."""
    return "".join(code.replace("@", str(number)) for number in range(count))


OUTSIDE = "".join(
    f'<image href="{place}" width="9" height="9"/><use href="{place}#a"/>'
    for place in ("file:///etc/passwd", "https://example.org/a.png", "../away/precious.tmp", "//example.org/a")
)
ATTACKS = [
    Attack(
        "entities become a billion words",
        drawing("<text>&l9;</text>", f"<!DOCTYPE s [<!ENTITY l0 'ha'>{BILLION}]>"),
        PRINT,
    ),
    Attack(
        "an entity names a file",
        drawing("<text>&x;</text>", "<!DOCTYPE s [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"),
        PRINT,
    ),
    Attack(
        "a DTD lies elsewhere", drawing("<text>x</text>", "<!DOCTYPE svg SYSTEM 'https://example.org/x.dtd'>"), PRINT
    ),
    Attack("parts repeat each other a billion times", drawing(repeated(10, 10)), PRINT),
    Attack("symbols repeat each other", drawing(repeated(10, 10, "symbol")), PRINT),
    Attack("parts show themselves", drawing('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'), PRINT),
    Attack("five thousand parts in a chain", drawing(repeated(5_000, 1)), PRINT),
    *(Attack(f"a {name} holds the next one twice", drawing(chained(name, 40)), PRINT) for name in PAINTS),
    Attack("a hundred thousand levels", drawing("<g>" * 100_000 + "</g>" * 100_000), PRINT),
    Attack("a million elements", drawing("<g/>" * 1_000_000), PRINT),
    Attack("a path of ten million numbers", drawing(f'<path d="M0 0{" 1 2" * 4_000_000}"/>'), PRINT),
    Attack("a path of arcs", drawing(f'<path d="M0 0{"a1 1 0 0 1 5 5" * 30_000}"/>'), PRINT),
    Attack(
        "a hundred thousand rules",
        drawing("<style>" + ".a .b .c .d{fill:red}" * 100_000 + "</style>" + '<g class="d"/>' * 9_000),
        PRINT,
    ),
    Attack("a style without end", drawing(f"<style>{'@media x {' * 100_000}</style><rect/>"), PRINT),
    Attack("an attribute of ten megabytes", drawing(f'<rect style="{"a(" * 5_000_000}"/>'), PRINT),
    Attack("a transform without end", drawing(f'<rect transform="{"rotate(1)" * 300_000}"/>'), PRINT),
    Attack("a million characters of text", drawing(f"<text>{'word ' * 300_000}</text>"), PRINT),
    Attack(
        "a hundred thousand places of letters", drawing(f'<text x="{"1 " * 100_000}">{"w" * 100_000}</text>'), PRINT
    ),
    Attack(
        "numbers without end",
        drawing('<rect width="1e999" height="-1e999"/><circle r="nan"/><path d="M1e308 1e308l1e308 0z"/>'),
        PRINT,
    ),
    Attack("a picture of sixty-three megapixels inside", drawing(bomb()), PRINT),
    Attack(
        "other files and addresses",
        drawing(f"{OUTSIDE}<script>alert(1)</script><style>@import url(file:///etc/passwd);</style>"),
        PRINT,
        words="Printed",
    ),
    Attack(
        "thirty thousand styles", drawing(varied('<rect style="fill:#fff;stroke-width:@;x:@;y:@"/>', 29_000)), PRINT
    ),
    Attack("ten megabytes of styles", drawing(f'<rect style="{"fill:red;" * 100}"/>' * 11_000), PRINT),
    Attack("styles with functions", drawing(varied('<rect style="fill:rgb(@ @ @)"/>', 29_000)), PRINT),
    Attack("a font of a million figures", drawing(f'<text font="{"1" * 1_000_000}">x</text>'), PRINT),
    Attack("lengths of a million figures", drawing(f'<rect width="{"1" * 1_000_000}!" x="{"1." * 500_000}"/>'), PRINT),
    Attack(
        "a million dashes", drawing(f'<path d="M0 0H9" stroke="red" stroke-dasharray="{"1 " * 1_000_000}"/>'), PRINT
    ),
    Attack("words deep within", drawing("<g>" * 75 + "<text>a</text>" * 19_000 + "</g>" * 75), PRINT),
    Attack("three thousand words deep within", drawing("<g>" * 75 + "<text>a</text>" * 2_900 + "</g>" * 75), PRINT),
    Attack("many elements deep within", drawing("<g>" * 75 + "<g/>" * 29_000 + "</g>" * 75), PRINT),
    Attack(
        "selectors of all around",
        drawing(f"<style>* * * * * *{{x:1}}:has(* *) *{{y:1}}</style>{'<g>' * 50}{'<g/>' * 20_000}{'</g>' * 50}"),
        PRINT,
    ),
    Attack(
        "selectors of the last", drawing("<style>:nth-last-child(2n){x:1}g~g{y:1}</style>" + "<g/>" * 29_000), PRINT
    ),
    Attack(
        "values that repeat values",
        drawing(f"<style>g{{--a:var(--b) var(--b);--b:{'x' * 5_000};fill:var(--a)}}</style>{'<g/>' * 20_000}"),
        PRINT,
    ),
    *(
        Attack(f"'{opening}' in what cannot be read", drawing(f"<text>x{opening * 150_000}<"), PRINT)
        for opening in ("<style", "<script>", "<!--", "<!DOCTYPE [", "&#")
    ),
    Attack("a dash of a millionth", drawing('<path d="M0 0H1e6" stroke="red" stroke-dasharray="1e-6"/>'), PRINT),
]
