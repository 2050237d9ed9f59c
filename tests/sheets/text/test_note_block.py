import pytest

from vaultkit.sheets.vault_source import extract_block

BODY = """# Oaths

The first oath
is long. ^first

- one
  - below
- two ^Two
  - under two

  and more
- three

| a | b |
|---|---|
| 1 | 2 |

^table
"""


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("first", "The first oath\nis long."),
        ("two", "- two\n  - under two"),
        ("table", "| a | b |\n|---|---|\n| 1 | 2 |"),
        ("gone", None),
    ],
)
def test_block_is_found_by_its_id(name: str, found: str | None) -> None:
    assert extract_block(BODY, name) == found
