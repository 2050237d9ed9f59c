"""Files with more of something than anybody needs: cards, columns, headings, conditions, players, entries."""

import json
from collections.abc import Callable
from pathlib import Path

from tests.attacks.attack import Attack
from tests.attacks.lines import note, repeat_line
from tests.attacks.numbers import file

CHECK = ("check",)
PRINT = ("print", "rules", "Note", "--out", "note.pdf")
CARDS = ("print", "cards", "big", "--out", "cards.pdf")
SCORES = ("print", "scores", "zed", "--out", "scores.pdf")
LOG = ("log", "zed", "--score", "Ann=1", "--score", "Ben=2", "--dry-run")
HEADING, LINK = "more than 10,000 characters", "more than 4,000 characters"
PARTS, MARKS, SIZE = "more than 15,000 paragraphs", "more than 300,000 signs", "more than 1,000 cards"
MOST, CONFIG, ESCAPES = "more than 100 unknown names", ".vaultkit/config.toml", "\\u0041" * 1_000_000
VALUES = "more than 400,000 names and values"
CARD_TEXT = "### Card {}\n\n*King of Cups*\n\ntext\n\n"


ENTRY, EMPTY = ".vaultkit/history/000001-log/entry.json", f"[{'{},' * 20_000_000}1]"
ENTRY_FIELDS = {"schema": 1, "id": "", "command": "log", "session": "", "when": "2026-11-03T20:00:00+01:00"}
WRITE = {"path": "Note.md", "offset": 0, "removed": "", "inserted": "x", "before": "0", "after": "1", "done": True}
TABLE_CHAIN = "".join(
    f"| d2 | r |\n|---|---|\n| 1-2 | [[Note#^t{number + 1}]] [[Note#^t{number + 2}]] |\n^t{number}\n\n"
    for number in range(999)
)


def files(texts: dict[str, str]) -> Callable[[Path], object]:
    """Return a function that writes files."""

    def prepare(vault: Path) -> None:
        for name, text in texts.items():
            file(name, text)(vault)

    return prepare


def deck(cards: str) -> Callable[[Path], object]:
    return file("Deck.md", f"---\nvaultkit-deck: big\n---\n# Big\n\n{cards}")


def game(*parts: str) -> Callable[[Path], object]:
    """Return a function that writes a score sheet with one column, and with these parts."""
    head = 'title = "Zed"\nplayers = [2, 4]\n[rounds]\nmost = 12\n'
    return file(".vaultkit/games/zed.toml", head + '[[columns]]\nid = "x"\ntitle = "X"\n' + "".join(parts))


def column(number: int, formula: str) -> str:
    return f'[[columns]]\nid = "y{number}"\ntitle = "Y{number}"\nformula = "{formula}"\n'


def table(columns: int, rows: int) -> str:
    return "".join(f"|{cell * columns}\n" for cell in ("a|", "-|", *["b|"] * rows))


def nested(call: str, depth: int) -> str:
    return f"{call}(" * depth + "x" + ")" * depth


def linked_tables(count: int, links: int) -> dict[str, str]:
    """Return notes with roll tables, each row of which links to other tables."""
    texts = {}
    for number in range(count):
        rows = [
            f"| {roll} | {' '.join(f'[[T{(number * roll + link) % count}]]' for link in range(links))} |\n"
            for roll in range(1, 5)
        ]
        texts[f"T{number}.md"] = f"| dice: d4 | Result |\n|---|---|\n{''.join(rows)}"
    return texts


def entries(count: int, writes: int = 1) -> dict[str, str]:
    """Return entries of the history, each with some writes."""
    entry = json.dumps({**ENTRY_FIELDS, "writes": [WRITE] * writes})
    return {f".vaultkit/history/{number:06d}-log/entry.json": entry for number in range(1, count + 1)}


def nodes(count: int, text: str) -> str:
    size = {"x": 0, "y": 0, "width": 1, "height": 1}
    return json.dumps({"nodes": [{"id": str(n), "type": "text", "text": text, **size} for n in range(count)]})


DEFINITIONS = {
    f".vaultkit/games/g{number}.toml": f'title = "G{number}"\nplayers = [2, 4]\n[[columns]]\nid = "x"\ntitle = "X"\n'
    for number in range(3_000)
}
GAME = "---\nvaultkit-session: 20261103-skat-k3f9\nvaultkit-game: skat\nplayers:\n"
CONDITIONS = '[[impossible]]\nwhen = "x > 99"\nwords = "no"\n' * 3_000
PLAYERS = {f"Party/P{number}.md": f"---\ntype: player\n---\n# P{number}\n" for number in range(5_000)}
ATTACKS = [
    Attack("a deck of ten thousand cards, check", deck(repeat_line(CARD_TEXT, 10_000)), CHECK, 1, SIZE),
    Attack("a deck of ten thousand cards, print", deck(repeat_line(CARD_TEXT, 10_000)), CARDS, 3, SIZE),
    Attack("a deck of ten thousand cards, draw", deck(repeat_line(CARD_TEXT, 10_000)), ("draw", "big"), 3, SIZE),
    Attack("a deck of ten thousand cards, ask", deck(repeat_line(CARD_TEXT, 10_000)), ("ask", "card")),
    Attack("a deck of ten thousand rows", deck("| Name | Suit |\n|-|-|\n" + "| a | b |\n" * 10_000), CHECK, 1, SIZE),
    Attack("a deck of equal headings", deck("### Card\n\n" * 20_000), CARDS, 3, SIZE),
    *(
        Attack(f"too much to lay out: {name}", note(text), PRINT, 3, words)
        for name, text, words in (
            ("headings", repeat_line("# H{}\ntext\n\n", 12_000), PARTS),
            ("paragraphs", "word\n\n" * 40_000, PARTS),
            ("rows", table(2, 20_000), PARTS),
            ("columns and rows", table(1_500, 30), PARTS),
            ("items", "- a\n" * 40_000, PARTS),
            ("footnotes", repeat_line("x[^{0}]\n\n[^{0}]: note\n\n", 8_000), PARTS),
            ("bold words", "**a** " * 50_000, PARTS),
            ("one long word", "a" * 2_000_000, "more than 400,000 characters"),
            ("one long paragraph", "word " * 400_000, "more than 400,000 characters"),
        )
    ),
    *(
        Attack(f"too long to lay out: {name}", note(text), PRINT, 3, words)
        for name, text, words in (
            ("a heading", f"# {'a ' * 140_000}", HEADING),
            ("a heading in a quote", f"> ### {'word ' * 60_000}", HEADING),
            ("a link to headings of headings", f"[[Other#{'a#' * 100_000}]]", LINK),
            ("a link within the note", f"x [[#{'a b' * 60_000}]]", LINK),
            ("a link of Markdown", f"[a](b{'%20c' * 60_000})", LINK),
            ("brackets between Hebrew letters", "\u05d0(" * 25_000, PARTS),
            ("Hebrew letters in HTML", "<div>" + "\u05d0 [ " * 25_000 + "</div>", PARTS),
            ("flags", "\U0001f1e9\U0001f1ea" * 50_000, PARTS),
        )
    ),
    *(
        Attack(f"too much for a card: {name}", deck(text), CARDS, 3, words)
        for name, text, words in (
            ("a title", f"### {'a ' * 140_000}", "more than 1,000 characters"),
            ("a long word", f"### A\n\n{'W' * 200_000}\n", "more than 80,000 characters"),
            ("words", f"### A\n\n{'word ' * 50_000}\n", "more than 80,000 characters"),
            ("columns", "|Name|" + repeat_line("c{}|", 3_000) + f"\n{'|-' * 3_001}|\n{'|a' * 3_001}|\n", "200 facts"),
            (
                "columns of a short table",
                "|Name|" + repeat_line("c{}|", 500) + f"\n{'|-' * 501}|\n{'|a' * 501}|\n",
                "200 facts",
            ),
        )
    ),
    *(
        Attack(f"marks on one letter: {name}", note(f"a{marks * 25_000}"), (*PRINT, "--system-fonts"), 0, "Printed")
        for name, marks in (("Arabic", "\u064b\u064f"), ("Hebrew", "\u05b0\u05b1"), ("Tibetan", "\u0f71\u0f72"))
    ),
    *(
        Attack(f"three thousand score sheets, {' '.join(command[:2])}", files(DEFINITIONS), command, 0, words)
        for command, words in (
            (("games",), "Skat"),
            (("games", "check"), "g2999"),
            (("print", "scores", "g7", "--out", "g7.pdf"), "Printed"),
        )
    ),
    *(
        Attack(f"signs of HTML: {signs}", note(signs * count), PRINT, 0, "Printed")
        for signs, count in (("&", 200_000), ("<?x", 60_000), ("< &a> ", 40_000))
    ),
    Attack("a table of 1,500 columns", note(table(1_500, 1)), PRINT, 0, "Printed"),
    Attack("80 KB of quotes in lists", note("> - " * 20_000 + "a"), PRINT, 0, "Printed"),
    Attack("80 KB of lists", note("- " * 40_000 + "a"), PRINT, 0, "Printed"),
    Attack("80 KB of quotes in lists, check", note("> - " * 20_000 + "a"), CHECK),
    *(
        Attack(f"too many marks of Markdown: {name}", note(text), CHECK, 1, MARKS)
        for name, text in (
            ("brackets", "[" * 2_000_000),
            ("sums", "$a$ " * 200_000),
            ("fences", "```\na\n```\n" * 90_000),
        )
    ),
    Attack("an unreadable note is not printed", note("[" * 2_000_000), PRINT, 3, MARKS),
    Attack("an unreadable note does not stop ask", note("[" * 2_000_000), ("ask", "other"), 0, "Other"),
    Attack("an unreadable note does not stop links", note("[" * 2_000_000), ("links", "Other")),
    Attack("broken links by the ten thousand", note("[a](b) " * 40_000), CHECK, 1, "more than 5,000 problems"),
    Attack("footnotes that are not there", note("x[^1] " * 40_000), CHECK, 1, "more than 5,000 problems"),
    Attack("broken links in a canvas", file("A.canvas", nodes(20_000, "[[x]]")), CHECK, 1, "more than 5,000 problems"),
    Attack("a canvas with a text without end", file("A.canvas", nodes(1, "[" * 400_000)), CHECK, 1, MARKS),
    Attack("an unreadable canvas does not stop ask", file("A.canvas", nodes(1, "[" * 400_000)), ("ask", "other")),
    *(
        Attack(f"a canvas of {name} without end", file("A.canvas", f'{{"nodes": [{text}1]}}'), CHECK, 1, words)
        for name, text, words in (
            ("nodes", "{}," * 4_000_000, VALUES),
            ("numbers", "1," * 7_000_000, VALUES),
            ("names", '{"a":1},' * 500_000, VALUES),
            ("faults", "{}," * 190_000, "more than 5,000 faults"),
        )
    ),
    Attack(
        "codes that no problem has", file(CONFIG, "[check]\n" + repeat_line('c{} = "off"\n', 20_000)), CHECK, 1, MOST
    ),
    Attack("a setting of escapes without end", file(CONFIG, f'a = "{ESCAPES}"'), CHECK, 1, "no setting 'a'"),
    Attack("a setting of escapes, games", file(CONFIG, f'a = "{ESCAPES}"'), ("games",), 0, "Skat"),
    Attack("fields by the ten thousand", note("a:: b\n" * 40_000), PRINT, 3, PARTS),
    Attack("tables in a table", note("|a|b|\n|-|-|\n" * 40_000), CHECK),
    Attack("sixty tables that link one another", files(linked_tables(60, 2)), ("roll", "T0")),
    Attack("tables with fifty links a row", files(linked_tables(60, 50)), ("roll", "T0")),
    Attack("two tables that link each other", files(linked_tables(2, 400)), ("roll", "T0")),
    Attack("sixty tables that link one another, check", files(linked_tables(60, 50)), CHECK),
    *(
        Attack(
            f"a formula of twelve nested {call}",
            game(
                column(0, nested(call, 12)),
            ),
            LOG,
        )
        for call in ("sum", "max", "floor")
    ),
    Attack(
        "forty columns that sum each other",
        game(*(column(n, f"x + {' + '.join(f'y{m}' for m in range(n))}" if n else "x") for n in range(38))),
        LOG,
    ),
    Attack(
        "three thousand conditions",
        game(CONDITIONS),
        LOG,
        3,
        "at most 200",
    ),
    Attack(
        "three thousand conditions, check",
        game(CONDITIONS),
        CHECK,
        1,
        "at most 200",
    ),
    Attack(
        "three hundred panels",
        game("[form]\n", repeat_line('[[form.panels]]\ntitle = "T{}"\ntext = "a"\n', 300)),
        SCORES,
        3,
        "at most",
    ),
    Attack(
        "panels of three hundred columns",
        game('[form]\n[[form.panels]]\ntitle = "T"\n', f"head = {['a'] * 300}\nrows = {[['b'] * 300] * 9}\n"),
        SCORES,
        3,
        "at most",
    ),
    Attack(
        "panels that are long",
        game('[form]\n[[form.panels]]\ntitle = "T"\n', f"text = '{'word ' * 100_000}'\n"),
        SCORES,
        3,
        "at most",
    ),
    Attack(
        "lists of three hundred columns",
        game("[form]\n", repeat_line('[[form.lists]]\nid = "l{}"\ntitle = "T"\ncount = 60\n', 300)),
        SCORES,
        3,
        "at most 30",
    ),
    Attack(
        "a game of fifteen thousand players",
        file("Game.md", GAME + repeat_line("  - P{}\n", 15_000) + "---\n"),
        ("stats",),
        0,
        "more than 100 players",
    ),
    Attack(
        "a column with a long text",
        file(
            ".vaultkit/games/zed.toml", f'title = "Zed"\n[[columns]]\nid = "x"\ntitle = "X"\nhow = "{"x" * 200_000}"\n'
        ),
        SCORES,
        3,
        "3,000 signs at most",
    ),
    Attack(
        "a name of a hundred thousand letters", note(""), (*LOG[:1], "skat", "--score", f"{'A' * 100_000}: points=1"), 2
    ),
    Attack("headings that are comments", note("# %%a%%\n" * 48_000), CHECK),
    Attack(
        "wrong links into a note of many headings",
        files({"Note.md": repeat_line("# Room {}\n", 50_000), "B.md": repeat_line("[[Note#Room x{}y]]\n", 50_000)}),
        CHECK,
        1,
        "more than 5,000 problems",
    ),
    Attack(
        "an entry of writes that are none",
        file(".vaultkit/history/000001-log/entry.json", f'{{"schema": 1, "writes": [{"{}," * 15_000_000}{{}}]}}'),
        ("undo", "--list"),
    ),
    Attack(
        "an entry with sixty megabytes of nothing",
        file(ENTRY, json.dumps({**ENTRY_FIELDS, "writes": [WRITE], "more": "PLACE"}).replace('"PLACE"', EMPTY)),
        ("undo", "--list"),
        0,
        "log",
    ),
    Attack(
        "an entry whose progress has no end",
        files(
            {
                ENTRY: json.dumps({**ENTRY_FIELDS, "complete": False, "writes": [{**WRITE, "done": False}]}),
                ENTRY.replace("entry.json", "progress"): "1\n" * 25_000_000,
            }
        ),
        ("undo", "--list"),
    ),
    Attack("a name of 100,000 letters for scores", note(""), ("log", "skat", "--from", "x" * 100_000), 2, "too long"),
    Attack("a note of eight million lines that end as on old Macs", note("a\r" * 7_900_000), CHECK, 1, MARKS),
    Attack("a note of four million dice, ask", note("2d6 " * 4_000_000), ("ask", "dragon"), 4),
    Attack("a note of two million words, ask", note("dragon " * 2_200_000), ("ask", "dragon"), 0, "Note"),
    Attack(
        "a setting of seven million letters", file(CONFIG, f'[campaign]\nnote = "{"x" * 7_000_000}"'), ("doctor",), 1
    ),
    Attack("a question of one long word", note(""), ("ask", "x" * 100_000), 4),
    Attack("three thousand definitions", files(DEFINITIONS), ("games",), 0, "G2999"),
    Attack("three thousand definitions, check", files(DEFINITIONS), CHECK),
    Attack("tables of tables, a thousand times", note(TABLE_CHAIN), ("roll", "Note#^t0", "--times", "1000")),
    Attack("five thousand players, stats", files(PLAYERS), ("stats",)),
    Attack(
        "five thousand players, log",
        files(PLAYERS),
        ("log", "who-won", "--score", "P1: won=yes", "--score", "P2: won=no", "--dry-run"),
    ),
    Attack("four thousand entries, list", files(entries(4_000)), ("undo", "--list"), 0, "log"),
    Attack("four thousand entries, init", files(entries(4_000)), ("init",)),
    Attack("an entry of fifty thousand writes", files(entries(1, 50_000)), ("undo", "--list")),
    Attack(
        "a base of thirty thousand conditions",
        file("A.base", "filters:\n  or:\n" + repeat_line('    - file.hasTag("a{}")\n', 5_000)),
        CHECK,
    ),
    Attack("a canvas of brackets", file("A.canvas", '{"nodes":' + "[" * 200_000), CHECK, 1, "A.canvas"),
    Attack("a canvas of text", file("A.canvas", nodes(10_000, "# a `b`\n")), CHECK),
    Attack(
        "settings of Obsidian in brackets", file(".obsidian/app.json", '{"userIgnoreFilters":' + "[" * 200_000), CHECK
    ),
    Attack("settings in brackets", file(".vaultkit/config.toml", "a = " + "[" * 100_000), CHECK, 1, "config.toml"),
    Attack(
        "settings of many tables",
        file(".vaultkit/config.toml", repeat_line("[a{}.b.c]\nx = 1\n", 60_000)),
        CHECK,
        1,
        "config.toml",
    ),
    Attack("a statblock of brackets", note("```statblock\n" + "[" * 30_000 + "\n```\n"), PRINT, 0, "Printed"),
    Attack(
        "an encounter of creatures without end",
        note("```encounter\ncreatures:\n" + repeat_line("  - 99999999: Goblin {}\n", 5_000) + "```\n"),
        PRINT,
        3,
        PARTS,
    ),
]
