import pytest

from vaultkit.errors import InvalidError, UsageError
from vaultkit.sheets.geometry.paper import load_stock, parse_length, parse_shift

STOCK = load_stock()


@pytest.mark.parametrize(
    ("text", "micrometres"),
    [("63mm", 63_000), ("2.5in", 63_500), (" 8.5 in ", 215_900), ("1cm", 10_000), ("72pt", 25_400)],
)
def test_a_length_is_a_whole_number_of_micrometres(text: str, micrometres: int) -> None:
    assert parse_length(text) == micrometres


@pytest.mark.parametrize("text", ["", "63", "mm", "-3mm", "1e3mm", "63 px", "٣mm", "6,3mm"])
def test_a_length_that_is_none_is_an_error_that_shows_how(text: str) -> None:
    with pytest.raises(InvalidError) as caught:
        parse_length(text, "paper.toml")
    assert "63mm" in caught.value.hint


def test_an_unknown_paper_lists_the_known_ones() -> None:
    with pytest.raises(UsageError) as caught:
        STOCK.paper("a44")
    assert "a4, letter" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "micrometres"), [("-0.5mm", -500), ("+0.8 mm", 800), ("0.8mm", 800), ("0", 0), ("-0", 0), ("0.0", 0)]
)
def test_a_shift_may_have_a_sign(text: str, micrometres: int) -> None:
    assert parse_shift(text) == micrometres


@pytest.mark.parametrize("text", ["", "1", "--1mm", "+-1mm", "0.5", "mm"])
def test_a_shift_that_is_none_is_an_error(text: str) -> None:
    with pytest.raises(InvalidError):
        parse_shift(text)
