from datetime import datetime
from random import Random

import pytest

from vaultkit.errors import NothingFound, UsageError
from vaultkit.session.session_ids import check_id, create_id, find_id, find_ids, is_id

IDS = ("20261102-toy-k3f9", "20261103-toy-a3f9", "20261101-toy-k3f8")


def test_an_id_has_day_game_and_four_letters() -> None:
    made = create_id("dragon-citadel", datetime(2026, 11, 3), Random(1))
    assert made.startswith("20261103-dragon-citadel-") and is_id(made)
    assert made == create_id("dragon-citadel", datetime(2026, 11, 3), Random(1))


@pytest.mark.parametrize("text", ["", "../../etc", "20261103-x", "20261103-Toy-k3f9", "20261103-toy-k3f9\n", "a/b"])
def test_invalid_id_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        check_id(text)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("3f9", (IDS[1], IDS[0])),
        (" K3F9 ", IDS[:1]),
        (IDS[2], IDS[2:]),
        ("zzzz", ()),
        (" ", ()),
        ("", ()),
    ],
)
def test_ids_are_found_by_their_ending(wanted: str, found: tuple[str, ...]) -> None:
    assert find_ids(iter(IDS), wanted) == found


def test_exact_id_is_preferred_to_one_that_ends_with_it() -> None:
    assert find_id(["toy", "20261103-toy"], "TOY") == "toy"
    assert find_id(["K3F9", "k3f8"], "k3f9") == "K3F9"


def test_up_to_five_ids_with_the_same_ending_are_listed() -> None:
    assert find_id(IDS, "zzzz") is None
    with pytest.raises(NothingFound, match="Several games end in '3f9'") as raised:
        find_id(IDS, "3f9")
    assert raised.value.hint == f"Name one of: {IDS[1]}, {IDS[0]}."
    with pytest.raises(NothingFound, match="Several readings") as raised:
        find_id((f"2026110{day}-toy-k3f9" for day in range(1, 8)), "9", "readings")
    assert raised.value.hint.endswith("20261103-toy-k3f9 and 2 more.") and "20261107" in raised.value.hint
