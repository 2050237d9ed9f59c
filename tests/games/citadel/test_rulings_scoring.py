"""DC-32 to DC-36: the champion, and the rewards of a score sheet."""

import pytest

from tests.games.citadel.position import DECK, NUMBERS, A, B, C, Play, arrange_game, complete
from vaultkit.games.dragon_citadel import rules
from vaultkit.games.dragon_citadel.game import DragonCitadel
from vaultkit.games.dragon_citadel.rules import RewardRolls, crown_rolls, make_cards, reward_rolls, reward_row


def finish_with(won: dict[int, str], crowns: dict[int, str] | None = None, **options: object) -> Play:
    """Return a finished game in which these cards were won."""
    game = arrange_game(None, ("1-coins", "2-coins", "3-coins"), won=won, crowns=crowns, deck="", fill=False, **options)
    assert game.turn is None
    return game


def parts(won: str, crowns: str = "", **options: object) -> dict[str, int]:
    return dict(finish_with({A: won}, {A: crowns}, **options).outcome.scores[A])


def winners(won: dict[int, str], crowns: dict[int, str] | None = None, **options: object) -> tuple[int, ...]:
    return finish_with(won, crowns, mode="competitive", **options).outcome.winners


def test_dc_32_the_score_is_the_sum_of_the_four_totals() -> None:
    sheet = parts("9-swords 8-stars 7-coins 6-glyphs master-swords", "ghost raven")
    assert sheet["total"] == 30
    assert winners({A: "9-swords master-swords", B: "8-stars 2-stars"}, {A: "ghost"}) == (B,)


def test_dc_32_ties_are_decided_by_heroes_then_crowns_and_then_shared() -> None:
    nine = {A: "9-swords", B: "9-stars", C: "9-glyphs"}
    assert winners({**nine, B: "9-stars master-stars"}, {A: "ghost", C: "raven"}) == (B,)
    assert winners(nine, {A: "ghost", C: "raven mists"}) == (C,)
    assert winners(nine) == (A, B, C)
    assert winners({**nine, B: "8-stars"}) == (A, C)


def test_dc_32_sum_10_heroes_10_crowns() -> None:
    rich = "sum+10*heroes+10*crowns"
    assert parts("9-swords master-stars", "ghost raven", champion=rich)["total"] == 39
    won = {A: "master-swords", B: "9-stars 8-stars"}
    assert winners(won, {A: "ghost"}, champion="sum") == (B,)
    assert winners(won, {A: "ghost"}, champion=rich) == (A,)


def test_dc_32_the_champion_of_a_party_is_ranked_too() -> None:
    game = finish_with({A: "3-swords", B: "9-stars", C: "3-glyphs"})
    assert game.outcome.winners == (A, B, C)
    assert game.outcome.ranks == (2, 1, 2)


def test_dc_33_maximum_of_a_suits_numbers_is_45() -> None:
    for suit in DECK.suits:
        won = [card for card in NUMBERS if DECK.by_id[card].suits == (suit,)]
        sheet = rules.count_parts(won, 0, make_cards(DECK, "Seer"))
        assert sheet[f"{suit.lower()}.total"] == sum(range(1, 10)) == 45
        assert reward_row(45) == 4


@pytest.mark.parametrize(("total", "row"), [(1, 1), (15, 1), (16, 2), (25, 2), (26, 3), (35, 3), (36, 4), (45, 4)])
def test_dc_33_reward_rows(total: int, row: int) -> None:
    assert reward_row(total) == row
    assert reward_rolls(total, 0) == RewardRolls(1, row)
    assert reward_rolls(total, 1) == RewardRolls(2, row)


def test_dc_33_a_total_of_0_earns_nothing() -> None:
    assert reward_rolls(0, 0) == RewardRolls(0, 0)
    sheet = parts("9-swords")
    assert [sheet[f"{suit}.rolls"] for suit in rules.SUITS] == [1, 0, 0, 0]


def test_dc_34_none_a_hero_without_a_total_earns_nothing() -> None:
    assert parts("master-swords")["swords.rolls"] == 0


def test_dc_34_row1_a_hero_without_a_total_earns_its_roll_on_row_1() -> None:
    sheet = parts("master-swords 9-stars master-stars", hero_only="row1")
    assert (sheet["swords.rolls"], sheet["swords.row"]) == (1, 1)
    assert (sheet["stars.rolls"], sheet["stars.row"]) == (2, 1)
    assert sheet["coins.rolls"] == 0


def test_dc_35_crowns_earn_one_roll_on_the_row_of_their_number_up_to_four() -> None:
    names = "ghost raven mists beast donjon"
    for count, row in enumerate((0, 1, 2, 3, 4, 4)):
        sheet = parts("", " ".join(names.split()[:count]))
        assert (sheet["crowns.count"], sheet["crowns.rolls"], sheet["crowns.row"]) == (count, int(count > 0), row)
    assert crown_rolls(13) == RewardRolls(1, 4)


def test_dc_36_each_row_has_its_own_magic_item_table_and_row_3_gives_treasure_twice() -> None:
    assert rules.MAGIC_ITEM_TABLES == ("A", "B", "C", "D")
    levels = [name.split()[-1] for name in rules.TREASURE_TABLES]
    assert (levels, rules.TREASURE_ROLLS_PER_ROW) == (["0-4", "5-10", "5-10", "11-16"], (1, 1, 2, 1))


@pytest.mark.parametrize("rewards", ["magic-items", "treasure"])
def test_dc_36_the_sheet_is_the_same_in_both_columns(rewards: str) -> None:
    assert parts("9-swords", "ghost", rewards=rewards) == parts("9-swords", "ghost")
    facts_told = dict(finish_with({A: "9-swords"}, rewards=rewards).outcome.facts)
    assert {"magic-items": "magic item", "treasure": "treasure"}[rewards] in facts_told["Rewards"].words


def test_dc_37_everyone_has_a_sheet_of_their_own() -> None:
    game = finish_with({A: "9-swords", B: "8-stars 9-stars master-stars"}, {C: "ghost"})
    sheet, rolls = DragonCitadel().score_tables(game.outcome)
    assert sheet.columns == ("Player", "Swords", "Stars", "Glyphs", "Coins", "Crowns", "Total")
    assert sheet.rows == (
        ("", "9", "0", "0", "0", "0", "9"),
        ("", "0", "17 + 1 hero", "0", "0", "0", "17"),
        ("", "0", "0", "0", "0", "1", "0"),
    )
    assert [row[1:] for row in rolls.rows] == [
        ("1 × row 1", "–", "–", "–", "–"),
        ("–", "2 × row 2", "–", "–", "–"),
        ("–", "–", "–", "–", "1 × row 1"),
    ]
    assert sheet.seats == rolls.seats == (A, B, C)


def test_dc_36_rewards_default_to_magic_items() -> None:
    assert complete()["rewards"] == "magic-items"
