"""Thirty-odd tables as GMs write them: each is rolled, checked and printed as the same table."""

from typing import NamedTuple

import pytest

from tests.vault.making import note
from vaultkit.compendium.tables.table_parser import problems, tables_of
from vaultkit.vault.markdown import parse


class Messy(NamedTuple):
    """A table as written, its die, and the texts of its lowest and its highest roll."""

    text: str
    dice: str
    lowest: str
    highest: str


MESSY = {
    "tabs in the delimiter row": Messy(
        "| d4\t| Smell |\n|\t---\t|\t---\t|\n| 1-2\t| tar |\n| 3-4\t| wet dog |\n", "d4", "tar", "wet dog"
    ),
    "a tab behind a colon": Messy("d4 | Smell\n:-\t|\t-:\n1-3 | tar\n4 | mint\n", "d4", "tar", "mint"),
    "numbers as links": Messy(
        "| d4 | Door |\n|---|---|\n| [[1]] | oak |\n| [[Doors#2\\|2]] | iron |\n| [3-4](Doors.md) | none |\n",
        "d4",
        "oak",
        "none",
    ),
    "numbers in bold": Messy(
        "| **d6** | Omen |\n|---|---|\n| **1**–**2** | crow |\n| **3-6** | hush |\n", "d6", "crow", "hush"
    ),
    "numbers in code": Messy("| `1d4` | Coin |\n|:-:|---|\n| `1-2` | bent |\n| `3-4` | red |\n", "d4", "bent", "red"),
    "highlighted and struck numbers": Messy(
        "| d4 | Oath |\n|---|---|\n| ==1== | kept |\n| ~~2~~ | broken |\n| _3_-4 | sold |\n", "d4", "kept", "sold"
    ),
    "numbers with full stops": Messy(
        "| d4 | Hat |\n|--|--|\n| 1. | felt |\n| 2) | straw |\n| #3 | tin |\n| 4: | paper |\n", "d4", "felt", "paper"
    ),
    "the die in brackets behind a word": Messy(
        "| Event (1d4) | What |\n|--|--|\n| 1 | fire |\n| 2-4 | flood |\n", "d4", "fire", "flood"
    ),
    "words behind the die": Messy(
        "| D6 Roll or Choose | Job |\n|--|--|\n| 1-5 | porter |\n| 6 | spy |\n", "d6", "porter", "spy"
    ),
    "the die in the second head": Messy(
        "| # | Visitor (d4) |\n|--|--|\n| 1 | aunt |\n| 2-3 | bailiff |\n| 4 | ghost |\n", "d4", "aunt", "ghost"
    ),
    "the numbers in the second column": Messy(
        "| Cargo | d4 |\n|--|--|\n| salt | 1-3 |\n| opium | 4 |\n", "d4", "salt", "opium"
    ),
    "German": Messy(
        "| W6 | Wetter |\n|--|--|\n| 1 bis 3 | Regen |\n| 4 oder 5 | Nebel |\n| 6 | Hagel |\n", "d6", "Regen", "Hagel"
    ),
    "German with words": Messy(
        "| Wurf (1W20) | Fund |\n|--|--|\n| 1–10 | Knopf |\n| 11–20 | Zahn |\n", "d20", "Knopf", "Zahn"
    ),
    "Polish": Messy("| k6 | Plotka |\n|--|--|\n| 1-3 | wilk |\n| 4-6 | lis |\n", "d6", "wilk", "lis"),
    "Swedish": Messy("| T6 | Namn |\n|--|--|\n| 1-2 | Siv |\n| 3-6 | Ulf |\n", "d6", "Siv", "Ulf"),
    "Russian": Messy("| 2\u043a6 | Слух |\n|--|--|\n| 2-7 | лес |\n| 8-12 | река |\n", "2d6", "лес", "река"),
    "percentile to a lone 0": Messy(
        "| d100 | Star |\n|--|--|\n| 1-50 | east |\n| 51-96 | west |\n| 97-0 | falls |\n", "d100", "east", "falls"
    ),
    "percentile with a lone 00": Messy(
        "| d% | Star |\n|--|--|\n| 01–99 | east |\n| 00 | falls |\n", "d100", "east", "falls"
    ),
    "percentile headed by its sign": Messy(
        "| % | Herb |\n|--|--|\n| 01-40 | sage |\n| 41-00 | rue |\n", "d100", "sage", "rue"
    ),
    "en dashes and blanks": Messy(
        "| d8 | Lamp |\n|--|--|\n| 1 – 4 | dim |\n| 5 \u2014 7 | out |\n| 8 | blue |\n", "d8", "dim", "blue"
    ),
    "a head that says roll": Messy(
        "| Roll | Sound |\n|--|--|\n| 1-4 | bell |\n| 5-9 | dog |\n| 10 | saw |\n", "d10", "bell", "saw"
    ),
    "two dice by their numbers": Messy(
        "| Roll | Mood |\n|--|--|\n| 2 | cruel |\n| 3-5 | curt |\n| 6-8 | mild |\n| 9-12 | kind |\n",
        "2d6",
        "cruel",
        "kind",
    ),
    "the die above the table": Messy(
        "**Rumours (1d4)**\n\n| # | Rumour |\n|--|--|\n| 1 | gold |\n| 2 | plague |\n| 3-4 | war |\n",
        "d4",
        "gold",
        "war",
    ),
    "one column with its numbers": Messy(
        "| d4 Guests |\n|--|\n| 1. a tinker |\n| 2-3: two nuns |\n| 4 – a bear |\n", "d4", "a tinker", "a bear"
    ),
    "one column without numbers": Messy("| d3 |\n|--|\n| ash |\n| birch |\n| yew |\n", "d3", "ash", "yew"),
    "no numbers yet": Messy("| d2 | Side |\n|--|--|\n| | left |\n| | right |\n", "d2", "left", "right"),
    "in a callout": Messy(
        "> [!info]- Weather\n> | d4 | Sky |\n> | --- | --- |\n> | 1-3 | grey |\n> | 4 | torn |\n", "d4", "grey", "torn"
    ),
    "in a list": Messy(
        "- Roll:\n\n  | d4 | Sky |\n  |--|--|\n  | 1-3 | grey |\n  | 4 | torn |\n", "d4", "grey", "torn"
    ),
    "one of several dice": Messy(
        "| `dice: 1d4` or `dice: 1d6` | Door |\n|--|--|\n| 1-4 | oak |\n| 5 | iron |\n| 6 | none |\n",
        "d6",
        "oak",
        "none",
    ),
    "modifiers": Messy(
        "| 2d6 + WIS | Outcome |\n|--|--|\n| 6- | lost |\n| 7-9 | a price |\n| 10+ | found |\n", "2d6", "lost", "found"
    ),
    "HTML": Messy(
        "<table>\n<tr><th>Wurf (W4)</th><th>Fund</th></tr>\n<tr><td><b>1</b>–3</td><td>Uhr</td></tr>\n"
        "<tr><td>4</td><td>Hand</td></tr>\n</table>\n",
        "d4",
        "Uhr",
        "Hand",
    ),
    "a list below its die": Messy("Roll 1d3:\n\n1. a cough\n2. a song\n3. *nothing*\n", "d3", "a cough", "nothing"),
    "a list of ranges": Messy("**d6 Smells**\n- 1-3: smoke\n- 4–5: yeast\n- 6: rain\n", "d6", "smoke", "rain"),
    "another language's words": Messy(
        "| Tirada de d6 | Clima |\n|--|--|\n| 1 a 3 | sol |\n| 4 y 5 | lluvia |\n| 6 o más | niebla |\n",
        "d6",
        "sol",
        "niebla",
    ),
}


@pytest.mark.parametrize("name", MESSY)
def test_messy_tables_are_rolled_as_intended(name: str) -> None:
    messy = MESSY[name]
    made = note(f"# Heading\n\n{messy.text}\nText.\n")
    (table,) = tables_of(made)
    assert str(table.dice) == messy.dice
    lowest, highest = table.row(table.dice.lowest), table.row(table.dice.highest)
    assert lowest is not None and highest is not None
    assert (table.text(lowest), table.text(highest)) == (messy.lowest, messy.highest)
    assert problems(made) == ()


@pytest.mark.parametrize("name", [name for name, messy in MESSY.items() if "|" in messy.text])
def test_messy_tables_are_printed_as_tables(name: str) -> None:
    kinds = [node.kind for node in parse(MESSY[name].text).walk()]
    assert kinds.count("Table") == 1 and kinds.count("TableRow") == len(tables_of(note(MESSY[name].text))[0].rows)


@pytest.mark.parametrize(
    ("text", "reason", "line"),
    [
        ("| d6 | d8 |\n|--|--|\n| 1 | 1-4 |\n| 2-6 | 5-8 |\n", "several tables side by side, for d6 and d8", 1),
        ("| Roll | Sky |\n|--|--|\n| 1-3 | a |\n| 4-6 | b |\n| 7 | c |\n", "the numbers 1-3 to 7 fit none", 1),
        ("| Roll (d6) | Sky |\n|--|--|\n| 1-3 | a |\n| 4 | b |\n| x | c |\n", "", 0),
        ("| Roll | Sky (d6) |\n|--|--|\n| 1-3 | a |\n| 4 | b |\n| 5 | c |\n", "1-3 to 5 do not fit a d6", 1),
        ("| d10 + level | Boon |\n|--|--|\n| 1-9 | a |\n| 10-19 | b |\n", "not those of a d10", 1),
        ("| d4 or d6 | Sky |\n|--|--|\n| 1-3 | a |\n| 4-6 | b |\n| 7 | c |\n", "1-3 to 7 do not fit a d4 or d6", 1),
        ("| d6 |\n|--|\n| ash |\n| yew |\n", "2 rows without numbers for a d6", 1),
        ("| d2 |\n|--|\n| 1 |\n| 2 |\n", "no second column", 1),
        ("Text.\n\n| d6 | Sky |\n| 1-5 | a |\n| 6 | b |\n", "no line |---|---| below its header", 3),
        ("| d6 | Sky |\n\n|---|---|\n| 1-6 | a |\n", "a blank line divides its header", 1),
        ("> | W6 | Sky |\n> |---|\n> | 1-6 | a |\n", "has not the header's 2 columns", 1),
        ("```\n| d6 | Sky |\n| 1-5 | a |\n```\n", "", 0),
    ],
)
def test_unrollable_table_with_dice_is_reported_with_the_reason(text: str, reason: str, line: int) -> None:
    made = note(text)
    refusals = [(problem.line, problem.message) for problem in problems(made) if problem.code == "table-roll"]
    assert tables_of(made) == () or not reason
    assert (not refusals and not reason) or (refusals[0][0] == line and reason in refusals[0][1])


SECOND_HEADS = [
    "| d4 | Sky |\n|--|--|\n| 1-4 | grey |\n| d6 | Sea |\n|--|--|\n| 1-6 | calm |\n",
    "| d4 | Sky |\n|--|--|\n| 1-4 | grey |\n| **d6** | **Sea** |\n| 1-6 | calm |\n",
    "| Roll | Sky |\n|--|--|\n| 1 | grey |\n| 2-4 | torn |\n| W6 | Sea |\n| :-: | --- |\n| 1-6 | calm |\n",
]


@pytest.mark.parametrize("text", SECOND_HEADS)
def test_second_header_starts_a_second_table_in_rolls_and_in_print(text: str) -> None:
    made = note(text)
    assert tables_of(made)[0].columns == ("Sky",)
    assert [str(table.dice) for table in tables_of(made)] == ["d4", "d6"]
    assert problems(made) == ()
    printed = [node for node in parse(text).walk() if node.kind == "Table"]
    assert [table.children[0].words().strip()[-3:] for table in printed] == ["Sky", "Sea"]
    assert all(table.children[0].kind == "TableHead" for table in printed)


@pytest.mark.parametrize(
    "row", ["| - | - |", "| d8 | d8 |", "| d4 | dagger |"]
)  # neither dashes for nothing nor dice as words begin a table
def test_ordinary_rows_begin_no_second_table(row: str) -> None:
    text = f"| Weapon | Die |\n|--|--|\n| club | d4 |\n{row}\n| axe | d6 |\n"
    assert [node.kind for node in parse(text).walk()].count("Table") == 1
    assert tables_of(note(text)) == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "| " + "1d6 + " * 20_000 + " | x |\n|--|--|\n| 1 | a |\n",
        "| d6 | x |\n|--|--|\n| " + "*_" * 20_000 + "1 | y |\n",
        "| d6 | x |\n" + "|-\t" * 30_000 + "\n| 1 | a |\n",
        "| d6 | x |\n|--|--|\n" + "| d6 | y |\n| 1 | a |\n" * 2_000,
        "Roll d6\n\n" + "1. x\n" * 20_000,
        "d6 | x\n" * 20_000,
    ],
    ids=["dice", "marks", "tabs", "heads", "items", "lines"],
)
def test_hostile_tables_are_read_in_time(text: str) -> None:
    assert len(problems(note(text))) <= 2_000
    parse(text)
