"""Dragon Citadel on paper: the questions, every doubt by its ruling, and scenario DC-S11."""

import pytest

from tests.games.scoresheets import doubting
from tests.games.scoresheets.doubting import by_key, keeper, render_sentence, seat
from tests.wording import Says
from vaultkit.cards.deck import known_deck
from vaultkit.games.dragon_citadel.game import DragonCitadel
from vaultkit.games.dragon_citadel.rules import CROWN_NAMES
from vaultkit.games.messages import Outcome
from vaultkit.games.scoresheet import Tally

GAME, DECK = "dragon-citadel", known_deck("tarokka")


def sheets(*written: str, outcome: str = "party", **options: object) -> Tally:
    """Return three sheets or more; those that are not given are empty."""
    rest = [""] * (3 - len(written))
    return doubting.tally(GAME, *written, *rest, common={"outcome": outcome}, options=options)


def doubts(*written: str, outcome: str = "party", **options: object) -> dict[str, tuple[str, ...]]:
    return doubting.doubts_by_sentence(GAME, sheets(*written, outcome=outcome, **options))


def outcome_of(*written: str, outcome: str = "party", **options: object) -> Outcome:
    return keeper(GAME).outcome(sheets(*written, outcome=outcome, **options))


def test_dc_s11_the_score_sheet_of_the_rules() -> None:
    """DC-S11: Swords 17 with a hero, Stars 9, a lone hero of Coins and three Crowns; the lone hero is doubted."""
    written = ("swords.total=8+9 swords.heroes=1 stars.total=9 coins.heroes=1 crowns.count=3",)
    parts = outcome_of(*written).scores[0]
    assert (parts["swords.rolls"], parts["swords.row"]) == (2, 2)
    assert (parts["stars.rolls"], parts["stars.row"]) == (1, 1)
    assert (parts["coins.rolls"], parts["crowns.rolls"], parts["crowns.row"]) == (0, 1, 3)
    assert (parts["total"], parts["survived"]) == (26, 1)
    sheet, rolls = DragonCitadel().score_tables(outcome_of(*written))
    assert sheet.rows[0] == ("", "17 + 1 hero", "9", "0", "0 + 1 hero", "3", "26")
    assert rolls.rows[0] == ("", "2 × row 2", "1 × row 1", "–", "–", "1 × row 3")
    assert [rulings[-1] for rulings in doubts(*written).values()] == ["DC-34"]


def test_questions_match_the_boxes_of_the_sheet() -> None:
    questions = by_key(keeper(GAME).seat_questions(sheets().options, {}))
    assert list(questions)[:2] == ["swords.total", "swords.heroes"] and list(questions)[-2:] == [
        "crowns.count",
        "forfeited",
    ]
    assert (questions["swords.total"].most, questions["swords.heroes"].most, questions["crowns.count"].most) == (
        45,
        1,
        13,
    )
    assert all(question.default in {0, "no"} for question in questions.values())
    assert (
        questions["glyphs.heroes"].title == "Glyphs, heroes (the Priest)" and questions["swords.total"].row == "swords"
    )


@pytest.mark.parametrize(
    ("forfeited", "options", "likeliest", "others", "decided"),
    [
        ("nny", {}, "party", {"dealer", "seer"}, False),
        ("nny", {"seer": "dealer-wins"}, "party", {"dealer", "seer"}, False),
        ("nny", {"seer": "party-wins"}, "party", {"dealer", "seer"}, True),
        ("yyy", {}, "dealer", {"party", "seer"}, True),
        ("nyn", {"mode": "competitive"}, "score", {"last-survivor", "seer"}, True),
        ("yny", {"mode": "competitive"}, "last-survivor", {"score", "seer"}, True),
    ],
)
def test_likeliest_ending_is_asked_first_and_used_where_the_scores_decide_the_winner(
    forfeited: str, options: dict[str, str], likeliest: str, others: set[str], decided: bool
) -> None:
    fates = [f"forfeited={'yes' if one == 'y' else 'no'}" for one in forfeited]
    (question,) = keeper(GAME).closing_questions(sheets(*fates, **options))
    assert next(iter(question.choices)) == likeliest and question.default == (likeliest if decided else None)
    assert set(question.choices) == {likeliest, *others}
    assert question.choices[likeliest] == DragonCitadel.endings[likeliest]


def test_dc_36_dc_39_the_house_rules_that_are_asked() -> None:
    mode, rewards = keeper(GAME).house_rule_questions(sheets(mode="competitive").options)
    assert (mode.default, rewards.default) == ("competitive", "magic-items")
    options = {option.key: option for option in DragonCitadel.options}
    assert all(tuple(one.choices) == options[one.key].values for one in (mode, rewards))


def test_dc_33_suit_has_at_most_45() -> None:
    assert list(doubts("swords.total=46").items()) == [
        (Says("Ysolde", "46", "Swords", "numbers", "1", "9", "45"), ("DC-33",))
    ]
    assert list(doubts("stars.total=30", "stars.total=16")) == [
        Says("Ysolde", "Bram", "together", "46", "Stars", "1", "9", "45")
    ]
    assert list(doubts("stars.total=108", "stars.total=1", "stars.total=2")) == [
        Says("Ysolde", "108", "Stars", "numbers", "1", "9", "45")
    ], "the others are not to blame"
    assert doubts("swords.total=45", "stars.total=45") == {}
    assert doubts("swords.total=30", "swords.total=15") == {}


@pytest.mark.parametrize(
    "totals", [(1, 1), (2, 2), (1, 3, 3), (44, 1), (40, 3, 2), (5, 5, 5, 5), (3, 3), (9, 9, 9, 9, 9)]
)
def test_dc_33_totals_that_need_a_card_twice_are_questioned(totals: tuple[int, ...]) -> None:
    """DC-33: two totals of 3 are possible as the 3 and as Ace with 2; two totals of 1 need the Ace twice."""
    found = doubts(*(f"coins.total={total}" for total in totals))
    possible = totals in {(44, 1), (3, 3), (40, 3, 2), (9, 9, 9, 9, 9)}
    assert (found == {}) is possible
    assert all("one card would be won twice" in text and rulings == ("DC-33",) for text, rulings in found.items())


def test_dc_33_doubt_names_the_suit_and_the_players_involved() -> None:
    (text,) = doubts("swords.total=7", "swords.total=2", "swords.total=2")
    assert text == Says("Bram", "Cass", "cannot", "2 and 2 in Swords", "won twice")


def test_dc_33_same_card_named_twice_is_questioned() -> None:
    assert list(doubts("swords.total=8+9", "swords.total=9+2").items()) == [
        (Says("Ysolde", "Bram", "together", "9", "Swords 2"), ("DC-33",))
    ]
    assert list(doubts("coins.total=7+7")) == [Says("Ysolde", "7", "Coins 2", "times")]
    assert doubts("swords.total=8+9", "stars.total=8+9") == {}


def test_dc_1_numbers_are_1_to_9() -> None:
    assert list(doubts("glyphs.total=10+3").items()) == [
        (Says("Ysolde", "10", "Glyphs", "numbers", "1", "9"), ("DC-1",))
    ]


def test_dc_33_named_cards_limit_the_totals_of_others() -> None:
    """DC-33: a total written as 2+1 uses the Ace, though totals of 3 and 1 are possible together."""
    assert doubts("swords.total=3", "swords.total=1") == {}
    assert len(doubts("swords.total=2+1", "swords.total=1")) == 1


def test_dc_1_one_hero_per_suit() -> None:
    assert list(doubts("swords.total=9 swords.heroes=1", "swords.total=8 swords.heroes=1").items()) == [
        (Says("Ysolde", "Bram", "together", "2", "Swords", "Warrior"), ("DC-1",))
    ]
    assert list(doubts("coins.total=9 coins.heroes=2")) == [Says("Ysolde", "2", "heroes", "Coins", "Rogue")]
    assert doubts("swords.total=9 swords.heroes=1", "stars.total=8 stars.heroes=1") == {}


def test_dc_17_dc_34_a_hero_without_a_number() -> None:
    (text,) = doubts("swords.heroes=1")
    assert text.startswith("Ysolde has the Warrior but no number of Swords, and a hero is only ever won together with")
    assert doubts("swords.heroes=1", hero_all_crowns="first-player") == {}


def test_dc_27_dc_35_at_most_thirteen_crowns() -> None:
    assert doubts("crowns.count=7", "crowns.count=6") == {}
    assert list(doubts("crowns.count=7", "crowns.count=7").items()) == [
        (
            Says("Ysolde", "Bram", "together", "14 Crowns", "13", "High Deck", "without"),
            (
                "DC-27",
                "DC-35",
            ),
        )
    ]
    assert list(doubts("crowns.count=14")) == [Says("Ysolde", "14 Crowns", "13", "High Deck", "without", "joker")]


OUT = "forfeited=yes"


@pytest.mark.parametrize(
    ("fates", "mode", "outcome", "ruling", "words"),
    [
        (
            (OUT, OUT, OUT),
            "coop",
            "party",
            "DC-5",
            "nobody is left, so it did not end with: the party beats the dealer.",
        ),
        (
            (OUT, OUT, OUT),
            "coop",
            "seer",
            "DC-5",
            "nobody is left, so it did not end with: the seer, or another joker, ends it.",
        ),
        (
            (OUT,),
            "coop",
            "dealer",
            "DC-5",
            "Bram and Cass are left, so it did not end with: the dealer beats the party.",
        ),
        (
            (),
            "competitive",
            "last-survivor",
            "DC-31",
            "Ysolde, Bram and Cass are left, so it did not end with: one player is left.",
        ),
        (
            (OUT, OUT, OUT),
            "competitive",
            "last-survivor",
            "DC-31",
            "nobody is left, so it did not end with: one player is left.",
        ),
        ((OUT, OUT), "competitive", "score", "DC-31", "Cass is left, so it did not end with: the deck is empty."),
        (
            (OUT, OUT, OUT),
            "competitive",
            "seer",
            "DC-31",
            "nobody is left, so it did not end with: the seer, or another joker, ends it.",
        ),
        ((), "coop", "score", "DC-31", "The game cannot end in co-operative play with: the deck is empty."),
        ((), "competitive", "party", "DC-5", "cannot end in competitive play with: the party beats the dealer."),
    ],
)
def test_ending_contradicted_by_the_forfeits_is_questioned(
    fates: tuple[str, ...], mode: str, outcome: str, ruling: str, words: str
) -> None:
    ((text, rulings),) = doubts(*fates, mode=mode, outcome=outcome).items()
    assert ruling in rulings and words in text
    assert render_sentence(outcome_of(*fates, mode=mode, outcome=outcome).reason)


@pytest.mark.parametrize(
    ("seats", "fewest", "right"), [(2, 3, False), (2, 2, True), (3, 3, True), (7, 3, True), (8, 3, False)]
)
def test_dc_3_the_number_of_players(seats: int, fewest: int, right: bool) -> None:
    written = doubting.tally(GAME, "coins.total=9", *[""] * (seats - 1), options={"min_players": fewest})
    found = doubting.doubts_by_sentence(GAME, written)
    assert (found == {}) is right
    assert right or list(found.values()) == [("DC-3",)]


def test_dc_32_wrong_score_of_the_champion_is_questioned() -> None:
    written = "swords.total=9 stars.total=3 score="
    assert doubts(f"{written}12") == {}
    assert list(doubts(f"{written}13").items()) == [
        (Says("Champion's score", "Ysolde", "written down 13", "make 12"), ("DC-32",))
    ]
    assert doubts(f"{written}13", champion="sum+10*heroes+10*crowns") == {}


def test_dc_31_the_winner_by_score_is_a_survivor() -> None:
    best = outcome_of(
        "swords.total=40 forfeited=yes", "stars.total=9", "coins.total=8", mode="competitive", outcome="score"
    )
    assert best.winners == (1,) and best.ranks == (3, 1, 2)
    assert render_sentence(best.reason) == Says("deck is empty", "Bram", "highest score")


def test_forfeits_are_recorded_without_their_rounds() -> None:
    facts = {
        label: render_sentence(sentence) for label, sentence in outcome_of("forfeited=yes", "swords.total=9").facts
    }
    assert facts == {"Champion": "Bram, 9", "Forfeit": "Ysolde forfeited", "Rewards": "rolls on the magic item tables"}


@pytest.mark.parametrize("joker", CROWN_NAMES)
def test_the_joker_of_the_options_is_named(joker: str) -> None:
    reason = outcome_of(outcome="seer", joker=joker).reason
    (card,) = reason.cards
    assert DECK is not None and DECK[card].name == joker
    assert reason.render(str, lambda card: DECK[card].name).startswith(f"The {joker} ended the game")


def test_impossible_scores_can_be_recorded() -> None:
    written = ("swords.total=99 swords.heroes=3 crowns.count=40", "swords.total=1")
    outcome = outcome_of(*written, outcome="last-survivor")
    parts = outcome.scores[0]
    assert (parts["swords.row"], parts["swords.rolls"], parts["crowns.row"]) == (4, 4, 4)
    assert DragonCitadel().score_tables(outcome)
    assert render_sentence(outcome.reason) == Says("Ysolde", "Bram", "Cass", "last players", "win")
    nobody = outcome_of(OUT, OUT, OUT, mode="competitive", outcome="score")
    assert nobody.winners == () and render_sentence(nobody.reason) == Says("Nobody", "left to win")


def test_heroes_are_the_important_cards() -> None:
    written = sheets("glyphs.total=2 glyphs.heroes=1 swords.total=8+9", "coins.total=5 coins.heroes=1")
    assert keeper(GAME).cards(written) == ("master-glyphs", "master-coins")
    assert DECK is not None and {"master-swords", "master-stars", "master-glyphs", "master-coins"} <= set(DECK.by_id)
    assert seat("swords.total=8+9").summands == {"swords.total": (8, 9)}


@pytest.mark.parametrize(("mode", "outcome"), [("coop", "party"), ("competitive", "score")])
def test_unfilled_sheets_are_questioned_but_not_an_immediate_seer(mode: str, outcome: str) -> None:
    (text,) = doubts(mode=mode, outcome=outcome)
    assert text == Says("scores", "filled")
    assert doubts("crowns.count=1", mode=mode, outcome=outcome) == doubts(mode=mode, outcome="seer") == {}
    assert doubts("forfeited=yes", mode=mode, outcome=outcome) == {}
