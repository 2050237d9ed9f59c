import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vault.making import note
from vaultkit.vault.structure import Anchors, Heading
from vaultkit.vault.subpath import Outline, comparable_heading, find_heading, to_subpath

NOTE = note("""# Deck
## Low Deck
### Swords
## High Deck
### Swords
#### Notes
## Low Deck
### Coins
""")


@pytest.mark.parametrize("char", list('!"#$%&()*+,.:;<=>?@^`{|}~/[]\\\r\n'))
def test_s1_punctuation_counts_as_a_space(char: str) -> None:
    assert comparable_heading(f"The{char}Raven{char}") == "the raven"


@pytest.mark.parametrize("char", ["-", "_", "'", "’", "é", "漢"])
def test_s1_other_characters_are_preserved(char: str) -> None:
    assert comparable_heading(f"A{char}B") == f"a{char}b"


def test_s1_spaces_and_case() -> None:
    assert comparable_heading("  The   BROKEN\tOne ") == "the broken one"
    assert comparable_heading("Cafe\u0301") == "café"


@pytest.mark.parametrize(
    ("subpath", "line"),
    [
        ("low deck", 2),
        ("Low Deck#Coins", 8),
        ("High Deck#Swords", 5),
        ("Deck#Swords", 3),
        ("Swords#Notes", 6),
        ("High Deck#Coins", 8),
        ("Low Deck#Deck", None),
        ("Cups", None),
        ("#", None),
        ("...", None),
    ],
)
def test_s2_each_part_is_deeper_and_the_first_match_wins(subpath: str, line: int | None) -> None:
    found = find_heading(NOTE.headings, subpath)
    assert (found.line if found else None) == line


@pytest.mark.parametrize("text", ["# A\n# C\n", "## A\n## C\n", "## A\n# C\n", "# C\n# A\n", "# A\n# B\n# C\n"])
def test_s2_siblings_and_higher_headings_are_not_below(text: str) -> None:
    assert find_heading(note(text).headings, "A#C") is None


def test_s2_a_heading_below_itself() -> None:
    assert find_heading(note("# A\n# A\n").headings, "A#A") is None
    below = find_heading(note("# A\n# A\n## A\n").headings, "A#A")
    assert below is not None and below.line == 3


TITLE = st.sampled_from(["A", "a?", "B", "?"])


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.integers(1, 3) | st.just(6), TITLE), max_size=6),
    st.lists(TITLE, min_size=1, max_size=3).map("#".join),
)
def test_s2_the_check_of_a_link_and_the_search_for_its_heading_agree(
    levels_and_titles: list[tuple[int, str]], subpath: str
) -> None:
    headings = tuple(
        Heading(level, title, line, 0, 0) for line, (level, title) in enumerate(levels_and_titles, start=1)
    )
    missing = Outline(Anchors(headings, frozenset(), frozenset())).missing_kind(subpath)
    assert missing == (None if find_heading(headings, subpath) else "no-heading")


@pytest.mark.parametrize(
    ("heading", "subpath"),
    [
        ("G-11: Where", "G-11 Where"),
        ("A # B | C ^ D \\ E", "A B C D E"),
        ("See [[Other]] %% note", "See Other note"),
        ("What? (Really!)", "What? (Really!)"),
    ],
)
def test_s3_generated_subpath(heading: str, subpath: str) -> None:
    assert to_subpath(heading) == subpath
    assert comparable_heading(to_subpath(heading)).replace(" ", "") in comparable_heading(heading).replace(" ", "")


def test_s3_a_generated_subpath_finds_its_heading() -> None:
    text = "# One: Two | Three\n"
    heading = note(text).headings[0]
    assert find_heading([heading], to_subpath(heading.text)) is heading


def test_s4_block_ids_are_found_in_any_case() -> None:
    assert note("A paragraph. ^Block-1\n").blocks == {"block-1"}
