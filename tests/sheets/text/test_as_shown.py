"""P16: notes are printed as Obsidian shows them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sheets.lint import problems, tagged_text
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.rules.rule_sheet import print_rules
from vaultkit.theme.glyphs import Glyphs
from vaultkit.theme.model import CLASSIC, TEXT
from vaultkit.vault import Vault

Print = Callable[..., Path]


@pytest.fixture
def print_in_vault(tmp_path: Path) -> Print:
    """Return a function that writes a note and Obsidian's settings into a vault, and prints the note."""

    def make(text: str, name: str = "Note.md", app: str = "{}") -> Path:
        (tmp_path / ".obsidian").mkdir(exist_ok=True)
        (tmp_path / ".obsidian" / "app.json").write_text(app, encoding="utf-8")
        (tmp_path / name).write_text(text, encoding="utf-8")
        out = tmp_path / "note.pdf"
        print_rules(Vault(tmp_path).read(name), Vault(tmp_path), PrintJob("a4", out))
        assert problems(out) == []
        return out

    return make


def lines_of(path: Path) -> list[str]:
    """Return the lines of a sheet as they are placed on its pages."""
    from pypdf import PdfReader

    return [line.strip() for page in PdfReader(path).pages for line in page.extract_text().splitlines()]


INN = "Landlady: Mother Osk\nBeds: six, *two dry*\nAle: 4 cp\n\n> Closed in winter\n> and at weddings."


def test_p16_s8_a_newline_is_a_line_break(print_in_vault: Print) -> None:
    made = lines_of(print_in_vault(INN))
    assert {"Landlady: Mother Osk", "Beds: six, two dry", "Ale: 4 cp", "Closed in winter"} <= set(made)


def test_p16_s8_strict_line_breaks_join_lines(print_in_vault: Print) -> None:
    made = lines_of(print_in_vault(INN, app='{"strictLineBreaks": true}'))
    assert "Landlady: Mother Osk Beds: six, two dry Ale: 4 cp" in made


def test_p16_a_title_is_inline_markdown(print_in_vault: Print) -> None:
    text = "---\ntags: [x]\n---\n# [Mire *Crab*](mire-crab.md) `CR 2` %%old%%\n*Medium beast*\n\n## Shell\n\nHard."
    made = print_in_vault(text)
    assert tagged_text(made) == ["Mire Crab CR 2", "Medium beast", "Shell", "Hard."]


def test_p16_footnotes_of_title_and_subtitle_are_the_first_notes(print_in_vault: Print) -> None:
    made = tagged_text(print_in_vault("# Inn^[one] of[^b] old\n\n*Warm^[three]*\n\nAle.^[four]\n\n[^b]: two"))
    assert made[:3] == ["Inn[1] of[2] old", "Warm[3]", "Ale.[4]"]
    assert made[3:] == ["Notes", "1.", "one", "2.", "two", "3.", "three", "4.", "four"]


def test_p16_file_name_is_not_read_as_markdown(print_in_vault: Print) -> None:
    assert tagged_text(print_in_vault("Words.", "_the_ *old* mill.md"))[0] == "_the_ *old* mill"


@pytest.mark.parametrize("heading", ["# Old Mill", "## Old Mill", "Grinds.\n\n# Old Mill"])
def test_p16_a_heading_that_repeats_the_title_is_printed_once(print_in_vault: Print, heading: str) -> None:
    made = print_in_vault(f"{heading}\n\nStands.", "Old Mill.md")
    assert " ".join(tagged_text(made)).count("Old Mill") == 1


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("==**all** of it== ==one== a==b", "all of it one a==b"),
        ("====", "===="),
        ("```\nif a==b or b==c:\n==a==\n```", "if a==b or b==c: ==a=="),
        ("> [!note] **a** `b` [[c]] *d*\n> e", "Note a b c d e"),
        ("> [!note]  \n> e", "Note e"),
    ],
)
def test_p16_highlights_and_titles_of_callouts_lose_nothing(print_in_vault: Print, source: str, words: str) -> None:
    assert " ".join(tagged_text(print_in_vault(source))[1:]) == words


def test_p16_task_in_another_state_shows_its_character_in_its_box(print_in_vault: Print) -> None:
    made = print_in_vault("- [/] half\n- [>] *later*\n- [x] done\n- [a b] none\n- [!]none")
    assert tagged_text(made)[1:] == ["/", "half", ">", "later", "done", "•", "[a b] none", "•", "[!]none"]


@pytest.mark.parametrize("embed", ["![[Mill#Loft]]", "![the loft](Mill.md#Loft)"])
def test_p16_a_section_is_embedded_with_its_heading(print_in_vault: Print, tmp_path: Path, embed: str) -> None:
    (tmp_path / "Mill.md").write_text("Stones.\n\n## Loft\n\nOwls.[^o]\n\n[^o]: Two.\n\n## Cellar\n\nRats.", "utf-8")
    made = tagged_text(print_in_vault(f"Up:\n\n{embed}\n\nDown."), generated=False)
    assert made[1:] == ["Up:", "Loft", "Owls.", "Down.", "Notes", "Two."]


NOTED = (
    "Host[^1].\n\n![[Other]]\n\n```ad-note\ntitle: T^[title]\n\nBlock[^1]\n\n[^1]: of the block\n```\n\n"
    "```statblock\nname: N^[name]\ntraits:\n- name: A\n  desc: one^[of one]\n- name: B\n  desc: two^[of two]\n```\n\n"
    "[^1]: of the host"
)


def test_p16_footnotes_of_all_parts_of_a_note_are_separate(print_in_vault: Print, tmp_path: Path) -> None:
    (tmp_path / "Other.md").write_text("Other[^1].\n\n[^1]: of the other", "utf-8")
    made = tagged_text(print_in_vault(NOTED), generated=False)
    feet = ["of the host", "of the other", "title", "of the block", "name", "of one", "of two"]
    assert made[made.index("Notes") + 1 :] == feet


HTML = (
    "10<sup>3</sup> and x<sub>12</sub>, 1<sup>st</sup>, <u>under</u> and <kbd>Ctrl</kbd>.\n\n"
    "one<br>two <center>mid <b>bold</b></center> after <a href='https://x.org'>site</a>\n\n"
    "| a<br>b | 4<sup>2</sup> |\n|---|---|\n| <ul><li>x</li><li>y</li></ul> | z |\n\n"
    "<details>\n<summary>For the <i>curious</i></summary>\n\nA **cellar**.\n\n</details>\n\n"
    "<center>\n\nIn the middle.\n\n</center>\n\n<p>7<sup>2</sup> &amp; more</p>\n"
)


def test_p16_html_is_printed_without_its_tags(print_in_vault: Print) -> None:
    made = print_in_vault(HTML)
    words = tagged_text(made)
    assert "10³ and x₁₂, 1st, under and Ctrl." in words
    assert "one two mid bold after site" in words
    assert words[3:] == ["a b", "4²", "• x • y", "z", "For the curious", "A cellar.", "In the middle.", "7² & more"]
    assert "<" not in "".join(words)


@pytest.mark.parametrize(
    ("source", "line"),
    [
        (r"$$a\\b$$", r"a\\b"),
        ("$$\nx_1 * y_2 * z\n\n\\frac{a}{b}\n$$", r"x_1 * y_2 * z \frac{a}{b}"),
        ("> $$\n> e = mc^2\n> $$", "e = mc^2"),
        (r"Roll $2^{n}_*a*\\$ dice.", r"Roll 2^{n}_*a*\\ dice."),
        ("It costs $5, or $6 for *two*, or US$7/$8.", "It costs $5, or $6 for two, or US$7/$8."),
        ("Code `$x$` and [[Five $]] and $", "Code $x$ and Five $ and $"),
    ],
)
def test_p16_mathematics_is_printed_as_source(print_in_vault: Print, source: str, line: str) -> None:
    assert tagged_text(print_in_vault(source), generated=False)[1] == line


@pytest.mark.parametrize(
    ("sign", "printed"),
    [
        ("\U0001f469\u200d\U0001f680", "\U0001f469\U0001f680"),
        ("\u2764\ufe0f\u200d\U0001f525", "\u2764\U0001f525"),
        ("\U0001f44d\U0001f3fd", "\U0001f44d"),
        ("\U0001f1f5\U0001f1f1", "[flag PL]"),
        ("1\ufe0f\u20e3", "1"),
    ],
)
def test_p16_joined_emoji_stand_side_by_side_and_flags_are_letters(sign: str, printed: str) -> None:
    assert "".join(piece for _, piece in Glyphs(CLASSIC).split_runs(f"a {sign}.", TEXT)) == f"a {printed}."


@pytest.mark.parametrize(
    ("signs", "printed"),
    [
        ("\uff21\uff42", "Ab"),
        ("\u1d00\u0280", "AR"),
        ("\u16a0\u16a6\u16d7\u16dd", "FTHMNG"),
        ("\u1d48", "d"),
        ("\u33a1", "m2"),
    ],
)
def test_letters_that_no_font_has_are_printed_in_plain_form(signs: str, printed: str) -> None:
    glyphs = Glyphs(CLASSIC)
    pieces = [piece for _, piece in glyphs.split_runs(f"a {signs}.", TEXT)]
    assert "".join(pieces) == f"a {printed}." or "".join(pieces) == f"a {signs}."
    assert not glyphs.missing
    assert "".join(getattr(piece, "instead", piece) for piece in pieces) == f"a {signs}."
