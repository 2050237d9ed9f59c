"""Sharing rewards: none is lost or given twice, and nobody gets more than one more than another (DC-37)."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.campaign.dragon_citadel.samples import FRONT, SHEET, game_note, make, roll_rewards
from vaultkit.campaign.dragon_citadel.note_scores import EarnedRolls
from vaultkit.campaign.dragon_citadel.quoted_text import Piece, coin_text, split_coins, text_of
from vaultkit.campaign.dragon_citadel.reward_calculation import own_shares, share_out
from vaultkit.campaign.dragon_citadel.reward_rolls import RolledResult, RolledReward, TableRoll
from vaultkit.campaign.dragon_citadel.reward_table import printed_table
from vaultkit.campaign.logged_game import Participant
from vaultkit.errors import UsageError

PLAYERS = tuple(Participant(name, "", False, False, None) for name in "ABCDEFG")
EARNED = EarnedRolls(PLAYERS[0], "swords", "Swords 1", 1, printed_table().rows[0])


def reward(text: str) -> RolledReward:
    return RolledReward(EARNED, "table", "1", results=(RolledResult((TableRoll(1, None, (Piece(text),)),)),))


@pytest.mark.parametrize(
    ("text", "rest", "coins"),
    [
        ("6d12 (40) sp in a miller's sack", "", "40 sp"),
        ("5d4 (14) sp, most of them clipped", "", "14 sp"),
        ("2d6 (6) gp sewn into a hem", "", "6 gp"),
        ("4d10 (22) gp in coins of a dead king", "", "22 gp"),
        ("7d6 (24) gp and a silver thimble worth 4 gp", "a silver thimble worth 4 gp", "24 gp"),
        ("4d6 (11) pp, and a Lantern", "a Lantern", "11 pp"),
        ("3d6 (9) gp, a ring and 2 sp", "a ring", "9 gp, 2 sp"),
        ("5d6 \u00d7 100 (1,800) gp", "", "1,800 gp"),
        ("1,500 gp", "", "1,500 gp"),
        ("2d6*1,000 (12,000) gp and 4d6kh3 (9) sp", "", "12,000 gp, 9 sp"),
        ("heals 2d6 hit points, and 3d6 (11) gp", "heals 2d6 hit points", "11 gp"),
        ("2d6 \u00d7 10 (70) gold pieces", "", "70 gp"),
        ("CP: 4d6 \u00d7 100 (1,400); SP: \u2014; EP: 1d6 \u00d7 10 (35)", "", "35 ep, 1,400 cp"),
        ("a ring, 3d6 (9) gp and a hat", "a ring, a hat", "9 gp"),
        ("a bag of 3d6 (9) gp, and a lamp", "a bag, a lamp", "9 gp"),
        ("GP: 50; Gems: two opals", "Gems: two opals", "50 gp"),
        ("2d4 (5) 50 gp gemstones", "2d4 (5) 50 gp gemstones", ""),
        ("a pearl worth 25 gp", "a pearl worth 25 gp", ""),
        ("A paper boat", "A paper boat", ""),
        pytest.param(f"{'9' * 5_000} gp", f"{'9' * 5_000} gp", "", id="figures without end"),
        ("a sword, an axe and a bow", "a sword, an axe and a bow", ""),
    ],
)
def test_coins_are_distinguished_from_items_of_value(text: str, rest: str, coins: str) -> None:
    kept, found = split_coins((Piece(text),))
    assert (text_of(kept), coin_text(found)) == (rest, coins)


@pytest.mark.slow
@given(
    st.lists(
        st.one_of(st.integers(0, 10**6).map("{} gp".format), st.integers(0, 99).map("thing {}!".format)), max_size=30
    ),
    st.integers(1, 7),
)
def test_dc_37_shares_are_even_without_losses_or_duplicates(texts: list[str], number: int) -> None:
    shared = share_out(PLAYERS[:number], list(map(reward, texts)))
    dealt = Counter(text_of(thing) for share in shared.shares for thing in share.things)
    assert dealt == Counter(text for text in texts if text.startswith("thing"))
    sizes = [len(share.things) for share in shared.shares]
    assert max(sizes) - min(sizes) <= 1
    assert sizes == sorted(sizes, reverse=True)  # whoever chooses earlier has no fewer
    total = sum(int(text.removesuffix(" gp")) for text in texts if text.endswith("gp"))
    assert len({share.coins.get("gp", 0) for share in shared.shares}) == 1
    left = shared.left.get("gp", 0)
    assert sum(share.coins.get("gp", 0) for share in shared.shares) + left == total
    assert left < number


def test_dc_37_without_sharing_everyone_gets_their_own_rewards_verbatim() -> None:
    shares = own_shares(PLAYERS[:2], [reward("6d12 (40) sp in a sack")])
    assert [[text_of(thing) for thing in share.things] for share in shares.shares] == [
        ["6d12 (40) sp in a sack"],
        [],
    ]


def test_dc_32_the_champion_chooses_first(tmp_path: Path) -> None:
    shares = roll_rewards(make(tmp_path), sharing=[]).shares.shares
    assert [share.player.name for share in shares] == ["Priya's cousin", "Ysolde Marr", "Bram Tolliver"]


def test_rewards_are_shared_among_some_players_only(tmp_path: Path) -> None:
    vault = make(tmp_path)
    shares = roll_rewards(vault, sharing=["bram", "Ysolde Marr", "bram"]).shares.shares
    assert [share.player.name for share in shares] == ["Ysolde Marr", "Bram Tolliver"]
    with pytest.raises(UsageError, match="'Dana'") as error:
        roll_rewards(vault, sharing=["Dana"])
    assert "Ysolde Marr" in error.value.hint


def test_name_shared_by_two_players_is_refused(tmp_path: Path) -> None:
    sheet, front = (text.replace("Priya's cousin", "Bram the Elder") for text in (SHEET, FRONT))
    vault = make(tmp_path, game=game_note(sheet, front=front))
    with pytest.raises(UsageError, match="No one player of this game is called 'Bra'"):
        roll_rewards(vault, sharing=["Bra"])
