"""The zones on the table: they show the signs that the names of cards do not tell (VA-1, VA-11)."""

import pytest

from tests.games.propheta.position import DECK, GAME, A, B, C, Play, arrange_game, cards
from tests.wording import Says
from vaultkit.games.turn import Move

HANDS = ("Leo Lion, Aries Scrap", "Taurus Bull, Virgo Scrap", "Libra Scrap, Aries Ram")


def zone_titles(game: Play, seat: int) -> list[str]:
    """Return the titles of the zones in the view of `seat`, each with its short summary."""
    return [
        ": ".join(
            words.render("ABC".__getitem__, lambda card: DECK[card].name) for words in (zone.title, zone.short) if words
        )
        for zone in GAME.table(game.state.view(seat))
    ]


def key_facts(game: Play, seat: int) -> list[str]:
    """Return the key facts in the view of `seat`."""
    return [fact.render("ABC".__getitem__, str) for fact in GAME.key_facts(game.state.view(seat))]


def test_va_1_table_describes_every_sign() -> None:
    assert zone_titles(arrange_game(HANDS), A)[-7:] == [
        "Fire: Cardinal Aries, Fixed Leo, Mutable Sagittarius",
        "Earth: Cardinal Capricorn, Fixed Taurus, Mutable Virgo",
        "Air: Cardinal Libra, Fixed Aquarius, Mutable Gemini",
        "Water: Cardinal Cancer, Fixed Scorpio, Mutable Pisces",
        "Modalities: Cardinal Aries, Cancer, Libra, Capricorn; Fixed Taurus, Leo, Scorpio, Aquarius; "
        "Mutable Gemini, Virgo, Sagittarius, Pisces",
        "Seasons: Spring Aries, Taurus, Gemini; Summer Cancer, Leo, Virgo; "
        "Autumn Libra, Scorpio, Sagittarius; Winter Capricorn, Aquarius, Pisces",
        "Ribbons: inscribed Aries, Aquarius, Pisces; blue Cancer, Libra, Scorpio; red Taurus, Gemini, Leo, Sagittarius",
    ]


def test_va_5_va_11_table_shows_the_lead_element_and_the_common_traits_of_the_trick() -> None:
    game = arrange_game(HANDS)
    assert not any("trick, led by" in title for title in zone_titles(game, A))
    game.play("Leo Lion")
    assert zone_titles(game, B)[0] == "Fire trick, led by A"
    assert key_facts(game, B)[1] == Says("share Fire, Fixed, Summer,", "prophecies", "Fire, Earth and Air.")
    game.play("Virgo Scrap")
    assert key_facts(game, C)[1] == Says("share Summer,", "prophecies of Air.")


def test_va_11_missing_common_traits_are_stated_and_scraps_are_named() -> None:
    game = arrange_game(("Aries Scrap, Leo Lion", "Libra Scrap, Virgo Scrap", "Taurus Bull, Aries Ram"))
    game.play("Aries Scrap, Libra Scrap")
    assert key_facts(game, C)[1] == Says("share Cardinal, scrap,", "prophecies", "of Earth and Water.")
    game = arrange_game(("Leo Lion, Aries Scrap", "Capricorn Scrap, Virgo Scrap", "Libra Scrap, Aries Ram"))
    game.play("Leo Lion, Capricorn Scrap")
    assert key_facts(game, C)[1] == Says("share nothing", "no prophecy")


def test_va_1_key_facts_say_which_signs_in_view_have_which_traits() -> None:
    game = arrange_game(HANDS)
    game.play("Leo Lion")
    assert key_facts(game, B)[2:-1] == [
        Says(
            "Fire: Leo;",
            "Earth: Taurus, Virgo.",
            "Mutable: Virgo;",
            "Fixed: Taurus, Leo.",
            "Spring: Taurus;",
            "Summer: Leo, Virgo.",
        )
    ]


def test_va_5_va_7_va_8_key_fact_says_which_card_wins_before_and_after_the_lead() -> None:
    game = arrange_game(HANDS)
    ladder = "from high to low: 0 (lowest among scraps), 7 to 1, animal, ribbon, scrap."
    assert key_facts(game, A)[0] == f"Only the element led and numbers win, {ladder}"
    game.play("Leo Lion")
    assert key_facts(game, B)[0] == f"Only the element led (Fire) and numbers win, {ladder}"


@pytest.mark.parametrize(
    ("trick", "reason"),
    [
        ("Leo Ribbon, Sagittarius Ribbon, Taurus Bull", " (of equal cards, Mutable before Fixed)"),
        ("Leo Scrap I, Aries Scrap I, Sagittarius Scrap", " (of equal cards, Cardinal before Mutable and Fixed)"),
        ("Leo Scrap I, Leo Scrap II, Virgo Scrap", " (of equal cards, the first one played)"),
        ("Aries Scrap I, Leo Scrap I, Gemini 0", " (of equal cards, Cardinal before Fixed)"),
        ("Leo Lion, Taurus Bull, Virgo Scrap", ""),
        ("Gemini 0, Taurus Bull, Scorpio Scorpion", ""),
    ],
)
def test_va_10_winner_of_a_trick_with_equal_cards_is_given_with_the_reason(trick: str, reason: str) -> None:
    trick_cards = tuple(trick.split(", "))
    game = arrange_game(tuple(map("{}, {}".format, trick_cards, ("Cancer Scrap I", "Pisces Scrap I", "Cancer Crab"))))
    game.play(trick)
    (won,) = (event.sentence.words for event in game.events if event.kind == "won")
    assert won.startswith(f"{{s0}} wins the trick with the {{c0}}{reason}") and ("equal" in won) == bool(reason)


def test_va_15_one_point_is_singular() -> None:
    game = arrange_game(HANDS)
    game.play("Leo Lion, Taurus Bull, Libra Scrap")
    standings = GAME.standing(game.state.view(A))
    assert [(one.points, one.words and one.words.values[0]) for one in standings[:2]] == [
        (1, "1 trick"),
        (0, "no tricks"),
    ]


@pytest.mark.parametrize(
    ("card", "worth"),
    [
        ("Aries Ram", "6 points if you win a trick of one element."),
        ("Taurus Bull", "4 points if you lose a trick of one modality."),
        ("Gemini 0", "2 points for any trick of one season."),
    ],
)
def test_va_11_va_15_prophecy_shows_its_value_and_condition_before_it_is_chosen(card: str, worth: str) -> None:
    (fact,) = GAME.secret_facts(arrange_game(HANDS).state.view(A), Move("predict", cards(card)))
    assert fact.sentence and fact.sentence.render("ABC".__getitem__, str) == worth
    assert fact.kind == "best-result" and fact.amount == int(worth[0])


def test_va_12_va_13_first_key_fact_is_what_the_open_trick_fulfils_for_the_viewer_alone() -> None:
    hands = ("Leo Lion, Aries Scrap", "Sagittarius 3, Leo Scrap", "Libra Scrap, Aries Ram")
    game = arrange_game(hands, {B: "Capricorn Goat, Sagittarius Scrap", C: "Cancer Scrap"})
    assert not any("his trick" in fact for fact in key_facts(game, B))
    game.play("Leo Lion")
    scrap, cancer = cards("Sagittarius Scrap, Cancer Scrap")
    assert key_facts(game, B)[0] == f"This trick can fulfil {scrap} if B wins it; {scrap} if B loses it."
    assert key_facts(game, C)[0] == Says("trick", "fulfils nothing for C")
    assert not any("for A" in fact for fact in key_facts(game, A)), "A has no prophecy"
    assert cancer not in "".join(key_facts(game, B))
    (fact, *_) = GAME.key_facts(game.state.view(C))
    assert fact.addressed_to(C).render("ABC".__getitem__, str) == Says("trick", "fulfils nothing for you")


def test_va_11_trick_promises_no_prophecy_that_no_card_in_hand_lets_it_fulfil() -> None:
    game = arrange_game(HANDS, {B: "Capricorn Goat, Sagittarius Scrap"})
    game.play("Leo Lion")
    assert key_facts(game, B)[0] == Says("fulfil nothing for B")
