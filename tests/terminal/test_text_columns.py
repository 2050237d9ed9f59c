"""Tables in columns, also on screens narrower than the table."""

from io import StringIO

from rich.console import Console
from rich.text import Text

from vaultkit.terminal.terminal_text import ColumnBlocks

DEALS = [["Player", *map(str, range(1, 25))], ["Ysolde", "18", "0", "-48", *"0" * 21]]


def test_a_table_wider_than_the_screen_is_split_into_blocks_of_columns() -> None:
    out = StringIO()
    Console(file=out, width=80).print(ColumnBlocks([list(map(Text, row)) for row in DEALS]))
    first, second = out.getvalue().split("\n\n")
    assert max(map(len, out.getvalue().splitlines())) <= 80
    assert [block.split()[0] for block in (first, second)] == ["Player", "Player"] and "Ysolde" in second
    assert [number for block in (first, second) for number in block.splitlines()[0].split()[1:]] == DEALS[0][1:]
