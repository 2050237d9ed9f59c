from datetime import datetime
from random import Random

import pytest

from vaultkit.errors import UsageError
from vaultkit.session.ids import checked, is_id, new_id


def test_an_id_has_day_game_and_four_letters() -> None:
    made = new_id("dragon-citadel", datetime(2026, 11, 3), Random(1))
    assert made.startswith("20261103-dragon-citadel-") and is_id(made)
    assert made == new_id("dragon-citadel", datetime(2026, 11, 3), Random(1))


@pytest.mark.parametrize("text", ["", "../../etc", "20261103-x", "20261103-Toy-k3f9", "20261103-toy-k3f9\n", "a/b"])
def test_what_is_no_id_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        checked(text)
