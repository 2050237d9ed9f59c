"""Names in the order in which people look for them."""

import pytest

from vaultkit.text import name_sort_key


@pytest.mark.parametrize(
    "names",
    [
        ("anna", "Ärger", "Bram", "Zebra"),
        ("Lodz", "łódź", "Łódź 2", "Lotte", "Øystein", "Zoë"),
        ("Session 2", "Session 09", "session 10", "Session 100"),
        ("A/Z.md", "A b.md", "a-c.md"),
        ("Bram", "bram"),
        ("", "01", "1", "²", "a", "a1", "a1a"),
    ],
)
def test_names_are_sorted_in_natural_order(names: tuple[str, ...]) -> None:
    mixed = {*names}
    assert tuple(sorted(mixed, key=name_sort_key)) == names


def test_number_of_any_length_is_sorted_as_a_number() -> None:
    assert sorted(["9" * 5000, "10", "1" + "0" * 5000], key=name_sort_key) == ["10", "9" * 5000, "1" + "0" * 5000]
