import pytest

from vaultkit.compendium.spreads import Spreads, build_plain_shape, parse_shape
from vaultkit.errors import InvalidError
from vaultkit.resources import shipped_folder
from vaultkit.vault import Vault


def test_rows_are_read_and_padded_to_equal_length() -> None:
    assert parse_shape([". 2", "1 . 3"], 3, "x") == ((0, 2, 0), (1, 0, 3))


@pytest.mark.parametrize("rows", [["1 2"], ["1 2 3 3"], ["1 2 3 4"], ["1 x 3"], ["1 ² 3"]])
def test_invalid_shape_is_an_error_with_an_example(rows: list[str]) -> None:
    with pytest.raises(InvalidError) as caught:
        parse_shape(rows, 3, "bend.toml")
    assert 'shape = [". 2 ."' in caught.value.hint


@pytest.mark.parametrize(("count", "rows"), [(1, [1]), (5, [5]), (6, [3, 3]), (7, [4, 4]), (12, [4, 4, 4])])
def test_without_a_shape_rows_are_even(count: int, rows: list[int]) -> None:
    shape = build_plain_shape(count)
    assert [len(row) for row in shape] == rows
    assert sorted(number for row in shape for number in row if number) == list(range(1, count + 1))


def test_cross_has_the_shape_of_a_cross() -> None:
    spread = Spreads(Vault(shipped_folder("vault-example"))).find("cross")
    assert spread.shape == ((0, 2, 0), (1, 5, 3), (0, 4, 0))
