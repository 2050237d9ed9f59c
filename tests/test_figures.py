"""Numbers out of texts that anybody may have written."""

import pytest

from vaultkit import files
from vaultkit.errors import BudgetExceeded
from vaultkit.text import parse_whole_number
from vaultkit.vault.entities import mask_huge_references, unescape_references

ENDLESS = "9" * 5_000


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("027", 27), ("\u0663", 3), ("", None), ("-1", None)])
def test_text_of_digits_is_a_number(text: str, number: int | None) -> None:
    assert parse_whole_number(text) == number


def test_too_many_digits_are_not_read_as_a_number() -> None:
    assert parse_whole_number("9" * 18) == 10**18 - 1 and parse_whole_number(ENDLESS) is None


@pytest.mark.parametrize("number", [ENDLESS, f"-{ENDLESS}", f"0x{'f' * 5_000}", f"1_{'000_' * 1_000}0", f"0.{ENDLESS}"])
def test_too_long_toml_number_is_reported_with_its_line(number: str) -> None:
    with pytest.raises(BudgetExceeded, match="A number in this file has more than 999 digits") as caught:
        files.parse_toml(f"a = 1\nb = {number}\n", "a.toml")
    assert caught.value.where == "a.toml:2"


def test_too_long_character_references_become_replacement_characters_of_equal_length() -> None:
    assert unescape_references(f"a &amp; &#65; &#{ENDLESS}; b") == "a & A \ufffd b"
    assert (
        len(mask_huge_references(f"&#{ENDLESS};")) == len(f"&#{ENDLESS};")
        and mask_huge_references("&#0065; &amp;") == "&#0065; &amp;"
    )
