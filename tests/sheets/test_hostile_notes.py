"""P15: a hostile note is printed as text or gives one clear error; nothing outside is opened."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from tests.counts import count
from tests.growth import IN_STEP, growth
from tests.sheets.conftest import links_of, text_of
from vaultkit.sheets.text.inline import web_address
from vaultkit.sheets.text.paragraphs import is_inline_picture
from vaultkit.theme.glyphs import printable_text
from vaultkit.vault.markdown import Node

Print = Callable[..., Path]


@pytest.mark.slow
@pytest.mark.parametrize(
    "note",
    [
        "<img src=file:///etc/passwd>",
        '<img src="file:///etc/passwd" width="10"/>',
        "a <b <i> </para> <para> </font> <a href='javascript:1'>x",
        "<onDraw name='x' label='y'/> <seq/> <bullet>z</bullet> <index item='q'/>",
        "`<img src=x>` **<a name=x>** [<b>](https://x.org)",
        "&lt;img src=x&gt; &#0; &#60;br&#62; &nosuch; &amp;amp;",
        "# <font size=900>H</font>",
        "| <img src=x> | <br> |\n|---|---|\n| </para> | & |",
        "```\n<img src=x>\n```",
        "<!-- unclosed <br",
        "[x](<https://a.b/\"onclick='>) [y](https://a.b/<font>)",
        "![[<img src=x>.png]] ![](../../../../etc/passwd.png)",
        "[^<b>]\n\n[^<b>]: <i>",
        "> [!<b>] <i>\n> x",
        "%%unclosed",
        "==a **b== c**",
        "\x00\x01\x1b[31mred\x1b[0m \x7f\x85 \ud800 \u202e reversed \u2066",
        "",
        "\n\n---\n\n",
        "#\n##\n- \n1. \n> \n",
    ],
)
def test_p15_markup_of_other_languages_is_text(print_note: Print, note: str) -> None:
    out = print_note(f"Before.\n\n{note}\n\nAfter.")
    words = text_of(out)
    assert "Before." in words
    assert "root:" not in words
    assert all(address.startswith("https:") for address in links_of(out))


def test_p15_text_that_looks_like_a_tag_stays_readable(print_note: Print) -> None:
    words = text_of(print_note("one <img src=file:///etc/passwd> two &lt;para&gt; three <para> four"))
    assert "one [picture passwd: not found in the vault] two <para> three <para> four" in words


@pytest.mark.slow
@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "JaVaScRiPt:alert(1)", " java\nscript:x", "data:text/html,x", "file:///etc/passwd", "pdf:x",
     "document:x", "vbscript:x", "ftp://a.b", "//evil.org", "\x01javascript:x", "smb://x", "http"],
)  # fmt: skip
def test_p15_only_four_schemes_become_links(print_note: Print, address: str) -> None:
    assert web_address(address) == ""
    out = print_note(f"[click](<{address}>) here")
    assert links_of(out) == []
    assert "click" in text_of(out)


@pytest.mark.parametrize("address", ["http://a.b", "HTTPS://a.b/c d", "mailto:a@b.c", "obsidian://open?file=a%20b"])
def test_p15_four_allowed_schemes_become_links(address: str) -> None:
    assert web_address(address).lower().startswith(address[:5].lower())


@pytest.mark.slow
def test_p15_very_long_words_and_deep_nesting_are_printed_in_time(print_note: Print) -> None:
    words = text_of(
        print_note("x" * 20_000 + "\n\n" + ">" * 500 + " deep\n\n" + "".join(" " * n * 2 + "- y\n" for n in range(200)))
    )
    assert words.replace(" ", "").count("x") >= 20_000
    assert "deep" in words


@pytest.mark.slow
def test_p15_thousands_of_marks_are_printed_in_time(print_note: Print) -> None:
    for piece in ("[", "*a ", "`", "==", "%%", "![[", "<", "^[", "&"):
        print_note(piece * 3_000)


def test_p15_invisible_characters_are_removed() -> None:
    assert printable_text("e\u0301 \u200b\u202eabc\u2066\x07\ufe0f\u00ad!") == "é abc!"


def test_p15_nothing_outside_the_vault_is_opened(print_note: Print, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    out = print_note(
        "![a](file:///etc/passwd) ![b](https://x.org/b.png) ![[/etc/passwd.png]]",
        image=asked.append,
    )
    assert set(asked) == {"/etc/passwd.png"}
    assert not PdfReader(out).pages[0].images


def test_common_html_tags_are_removed_and_their_words_stay(print_note: Print) -> None:
    words = text_of(
        print_note(
            "<div align='center'>In <b>the</b> middle &amp; so on</div>\n\n<section>\n\ninner\n\n</section>\n\n"
            "<ul><li>one</li><li>two</li></ul>\n\n<!-- unseen -->\n\na <div>b</div> <p>c</p>\n\n<video src=x>"
        )
    )
    assert "In the middle & so on inner • one • two a b c [video x]" in words


@pytest.mark.parametrize(
    ("note", "shown", "code"),
    [
        ("let $x^2$ be", "let x^2 be", "x^2"),
        ("let $$y_1$$ be", "let y_1 be", "y_1"),
        ("costs $5 or $6 here", "costs $5 or $6 here", ""),
        ("from $5-$6 on", "from $5-$6 on", ""),
        ("`$x$` as it is", "$x$ as it is", "$x$"),
    ],
)
def test_mathematics_is_printed_as_source_in_the_code_font(print_note: Print, note: str, shown: str, code: str) -> None:
    out = print_note(note)
    assert shown in text_of(out)
    coded: list[str] = []
    PdfReader(out).pages[0].extract_text(
        visitor_text=lambda text, _cm, _tm, font, _size: (
            coded.append(text) if font and "JetBrains" in font["/BaseFont"] else None
        )
    )
    assert "".join(coded).strip() == code


PIECES = (
    "# ", "## ", "- ", "1. ", "> ", "> [!note] ", "| a | b |\n|---|---|\n| ", " | ", "```\n", "`", "**", "*", "~~",
    "==", "[[", "]]", "![[", "![", "](", ")", "[^1]", "[^1]: ", "\n", "\n\n", "    ", "\t", "---\n", "<br>", "<b>",
    "</font>", "<img src=x>", "&amp;", "&#0;", "%%", "$", "\\", "{{ x }}", "word ", "\u05e9\u05dc", "\u4e2d",
    "\U0001f409", "\u0301", "\u200d", "\x00", "\x1b[31m", "\u202e", "- [ ] ", "^[", "^block", "http://a.b ",
    "javascript:x",
)  # fmt: skip
markdown = st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=40).map("".join)


@pytest.mark.slow
@settings(max_examples=count(40, 400), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(note=markdown)
def test_p15_arbitrary_markdown_prints(print_note: Print, note: str) -> None:
    words = text_of(print_note(f"Before.\n\n{note}"))
    assert "Before." in words
    assert [c for c in words if ord(c) < 32 or c in "\u202e\u2066\x7f"] == []


@pytest.mark.slow
@settings(max_examples=count(200, 5_000), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(note=markdown)
def test_p15_much_arbitrary_markdown_prints(print_note: Print, note: str) -> None:
    assert print_note(note).stat().st_size > 0


def test_p15_titles_cannot_break_out_of_the_file(print_note: Print) -> None:
    title = ") /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> endobj ("
    reader = PdfReader(print_note("x", title=title))
    assert reader.metadata is not None
    assert reader.metadata.title == title
    assert "/OpenAction" not in reader.trailer["/Root"]
    assert "/Names" not in reader.trailer["/Root"] or "/JavaScript" not in reader.trailer["/Root"]["/Names"]


@pytest.mark.slow
def test_a_title_of_thousands_of_letters_loses_nothing(print_note: Print) -> None:
    title = " ".join(f"word{number}" for number in range(900))
    out = print_note("After.", title=title)
    assert "word899" in text_of(out)
    assert "After." in text_of(out)
    heights: list[float] = []
    for page in PdfReader(out).pages:
        page.extract_text(
            visitor_text=lambda text, cm, tm, _font, _size: heights.append(cm[5] + tm[5]) if text.strip() else None
        )
    assert min(heights) > 20


@pytest.mark.slow
def test_header_row_higher_than_a_page_is_printed(print_note: Print) -> None:
    head = "<br>".join(f"h{number}" for number in range(200))
    words = text_of(print_note(f"| {head} | b |\n|---|---|\n| one | two |\n"))
    assert "h199" in words
    assert "one" in words


@pytest.mark.short(4)
@pytest.mark.parametrize(
    ("note", "shown"),
    [
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467", "so: \U0001f468\U0001f469\U0001f467"),
        ("1\ufe0f\u20e3 \u2764\ufe0f", "1 \u2764"),
        ("\U0001f1e9\U0001f1ea", "so: [flag DE]"),
        ("\u05e9\u05dc\u05d5\u05dd 12", "[4×Hebrew] 12"),
        ("✓ ✗ ★ ☐ ☑ ⇒ ∈", "✓ ✗ ★ ☐ ☑ ⇒ ∈"),
        ("a \U0001f0a1 B", "a [1×Symbol] B"),
    ],
)
def test_characters_missing_from_all_fonts_are_named(print_note: Print, note: str, shown: str) -> None:
    assert shown in text_of(print_note(f"so: {note}"))


@pytest.mark.slow
def test_long_code_preserves_every_line(print_note: Print) -> None:
    words = text_of(print_note("```\n" + "\n".join(f"line-{number} code" for number in range(400)) + "\n```"))
    assert [number for number in range(400) if f"line-{number} code" not in words] == []


@pytest.mark.slow
def test_p15_line_of_pictures_takes_linear_time() -> None:
    inline: Any = SimpleNamespace(ground=None, small=lambda node, ground: node)

    def line(size: int) -> None:
        nodes = [Node("Image", "a.png", [Node("Text", "a")]) for _ in range(size)]
        assert all(is_inline_picture(node, nodes, inline) for node in nodes)

    assert growth(line, count(800, 2_000)) < IN_STEP
