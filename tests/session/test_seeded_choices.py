import os
import subprocess
import sys

import pytest

from vaultkit.games.messages import Sentence
from vaultkit.games.turn import Chance, Pile, draw_move
from vaultkit.session.seeded_choices import deal, make_generator


def make_chance(count: int, *unknown: str, bottom: tuple[str, ...] = (), options: tuple[str, ...] = ()) -> Chance:
    return Chance("deal", Sentence("Deal."), (), Pile(unknown, bottom), count, options)


def test_the_deal_is_the_same_on_every_python() -> None:
    """Seeded deals are equal to fixed cards; if they change, saved seeds are dealt differently."""
    cards = tuple("abcdefgh")
    assert deal(make_chance(3, *cards), seed=7, step=1) == draw_move("b", "a", "d")
    assert deal(make_chance(1, options=cards), seed=7, step=2) == draw_move("g")


@pytest.mark.slow
@pytest.mark.parametrize("hash_seed", ["0", "4242"])
def test_the_deal_does_not_depend_on_the_hash_seed(hash_seed: str) -> None:
    program = (
        "from tests.session.test_seeded_choices import make_chance; from vaultkit.session.seeded_choices import deal;"
        "print(deal(make_chance(5, *{'a', 'b', 'c', 'd', 'e', 'f'}), 7, 1).id)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        check=True,
    )
    assert run.stdout.decode().strip() == deal(make_chance(5, *"abcdef"), 7, 1).id


def test_deal_does_not_depend_on_the_order_of_the_pile() -> None:
    assert deal(make_chance(4, *"abcdef"), 3, 9) == deal(make_chance(4, *"fedcba"), 3, 9)


def test_the_known_bottom_comes_last_and_in_order() -> None:
    answer = deal(make_chance(4, "a", "b", bottom=("y", "x", "z")), 1, 1)
    assert sorted(answer.operands[:2]) == ["a", "b"]
    assert answer.operands[2:] == ("y", "x")


def test_every_step_and_purpose_has_its_own_randomness() -> None:
    first = [make_generator(7, step, purpose).random() for step in (1, 2) for purpose in ("deal", "seat 0", "seat 1")]
    assert len(set(first)) == len(first)
