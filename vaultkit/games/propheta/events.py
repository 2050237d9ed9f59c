"""The events of a deal of Propheta; frequent ones are cached."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from vaultkit.games.messages import SINGLE_SEAT_SETS, Event, Seat, Sentence, other_seats
from vaultkit.games.propheta.rules import PLAYING, PROPHECIES, SCORING, SETTING_UP, WINNING, met_elements
from vaultkit.games.turn import Move
from vaultkit.text import join_words

Events = tuple[Event, ...]

MIN_NOTABLE_POINTS = 4
"""The fewest points of a fulfilled prophecy that stories of the game mention."""


def deal_events(seat: Seat, cards: tuple[str, ...], seats: int) -> Events:
    """Return the events of a dealt hand: the cards for their owner, their number for the others."""
    rulings, others_sentence = ("VA-2", "G-7"), Sentence("{s0} is dealt {v0} cards.", (seat,), (), (len(cards),))
    owner_sentence = Sentence("{s0} is dealt {cards}.", (seat,), cards)
    return (
        Event("dealt", owner_sentence, SETTING_UP, rulings, seat, cards, SINGLE_SEAT_SETS[seat], reveals=True),
        Event("dealt", others_sentence, SETTING_UP, rulings, seat, (), other_seats(SINGLE_SEAT_SETS[seat], seats)),
    )


def new_deal_event(deal_number: int) -> Event:
    """Return the event that begins a deal of a match."""
    sentence = Sentence("Deal {v0}: the cards are shuffled and dealt.", (), (), (deal_number,))
    return Event("deal", sentence, SCORING, ("VA-19",))


def first_lead_events(seat: Seat) -> Events:
    """Return the event that says who leads first."""
    return (Event("first", Sentence("{s0} will lead first.", (seat,)), SETTING_UP, ("VA-20", "G-2"), seat),)


@lru_cache(maxsize=1024)
def lay_events(seat: Seat, card: str, seats: int) -> Events:
    """Return the events of a prophecy laid face down; only its owner sees which card it is."""
    owner_sentence = Sentence("{s0} lays the {c0} face down as a prophecy.", (seat,), (card,))
    others_sentence, rulings = Sentence("{s0} lays a prophecy face down.", (seat,)), ("VA-3", "G-3")
    return (
        Event("laid", owner_sentence, SETTING_UP, rulings, seat, (card,), SINGLE_SEAT_SETS[seat]),
        Event("laid", others_sentence, SETTING_UP, rulings, seat, (), other_seats(SINGLE_SEAT_SETS[seat], seats)),
    )


@lru_cache(maxsize=4096)
def lead_events(seat: Seat, card: str, trick_number: int, is_match: bool) -> Events:
    """Return the event of a lead; in a single deal each trick begins a chapter of the story."""
    words = "{s0} leads the {c0} to trick {v0}." if is_match else "Trick {v0}: {s0} leads the {c0}."
    sentence = Sentence(words, (seat,), (card,), (trick_number,))
    return (Event("led", sentence, PLAYING, ("VA-5",), seat, (card,), reveals=True),)


@lru_cache(maxsize=1024)
def play_events(seat: Seat, card: str) -> Events:
    """Return the event of a card played to the lead."""
    sentence = Sentence("{s0} plays the {c0}.", (seat,), (card,))
    return (Event("played", sentence, PLAYING, ("VA-4",), seat, (card,), reveals=True),)


ELEMENT_CONDITIONS = {"Fire": "one element", "Earth": "one modality", "Air": "one season", "Water": "all scraps"}
"""The condition of each element in words: what all cards of a trick must share."""

MODALITY_AIMS = {
    "Cardinal": "{v0} points if you win a trick of {v1}.",
    "Fixed": "{v0} points if you lose a trick of {v1}.",
    "Mutable": "{v0} points for any trick of {v1}.",
}
"""The aim of a prophecy by its modality; {v0} stands for its points, {v1} for the condition of its element."""


@lru_cache(maxsize=4096)
def win_events(seat: Seat, card: str, shared_traits: int, zero_beat_all: bool, tie: str, *, is_match: bool) -> Events:
    """Return the event of a won trick, which names the elements whose conditions it meets.

    `tie` says why the card wins over equal cards, and is "" if there are none.

    The event is notable if a 0 has beaten all other cards.
    """
    elements = met_elements(shared_traits)
    element_words = join_words(tuple(f"{element} ({ELEMENT_CONDITIONS[element]})" for element in elements))
    tie_text = f" (of equal cards, {tie})" if tie else ""
    fulfilled_text = f", which fulfils {element_words}" if element_words else ""
    words = f"{{s0}} wins the trick with the {{c0}}{tie_text}{fulfilled_text}."
    rulings = ("VA-6", "VA-7", "VA-8", "VA-10", "VA-11")
    kind, sentence = "trick" if is_match else "won", Sentence(words, (seat,), (card,))
    return (Event(kind, sentence, WINNING, rulings, seat, (card,), notable=zero_beat_all),)


@lru_cache(maxsize=1024)
def fulfil_events(seat: Seat, card: str, prophecy_points: int) -> Events:
    """Return the event of a fulfilled prophecy."""
    words = "{s0} turns up the {c0}, a prophecy fulfilled, for {v0} points."
    sentence = Sentence(words, (seat,), (card,), (prophecy_points,))
    return (_fulfilled_event(sentence, seat, (card,), prophecy_points >= MIN_NOTABLE_POINTS),)


def _fulfilled_event(sentence: Sentence, seat: Seat | None, cards: tuple[str, ...], notable: bool) -> Event:
    rulings = ("VA-12", "VA-15")
    return Event("fulfilled", sentence, PROPHECIES, rulings, seat, cards, reveals=True, notable=notable)


@lru_cache(maxsize=16)
def commit_events(seat: Seat) -> Events:
    """Return the event of a face-down choice, made before a simultaneous reveal."""
    return (Event("commit", Sentence("{s0} has decided, face down.", (seat,)), PROPHECIES, ("VA-12", "G-3"), seat),)


def reveal_events(points_by_card: Mapping[str, int], choices: Sequence[tuple[Seat, Move]]) -> Events:
    """Return the event that reveals all choices at once (G-3); the mapping has the points of each card."""
    turned_up_cards = [(seat, move.operands[0]) for seat, move in choices if move.operands]
    if not turned_up_cards:
        return (_fulfilled_event(Sentence("All is revealed: nobody turns up a prophecy."), None, (), notable=False),)
    cards = tuple(card for _, card in turned_up_cards)
    points = tuple(points_by_card[card] for _, card in turned_up_cards)
    indices = range(len(turned_up_cards))
    parts = join_words(tuple(f"{{s{index}}} turns up the {{c{index}}} for {{v{index}}} points" for index in indices))
    sentence = Sentence(f"All is revealed: {parts}.", tuple(seat for seat, _ in turned_up_cards), cards, points)
    return (_fulfilled_event(sentence, None, cards, max(points) >= MIN_NOTABLE_POINTS),)


def unfulfilled_event(seat: Seat, cards: tuple[str, ...]) -> Event:
    """Return the event that shows the prophecies that stayed face down (VA-16)."""
    word = "prophecy" if len(cards) == 1 else "prophecies"
    sentence = Sentence(f"{{s0}} had {len(cards)} {word} left face down: {{cards}}.", (seat,), cards)
    return Event("in-vain", sentence, SCORING, ("VA-16",), seat, cards, reveals=True)


def aside_event(cards: tuple[str, ...]) -> Event:
    """Return the event that shows the cards that nobody was dealt (VA-2)."""
    sentence = Sentence("Set aside, and unseen until now: {cards}.", (), cards)
    return Event("aside", sentence, SETTING_UP, ("VA-2",), None, cards, reveals=True)


def count_event(points: Sequence[int], totals: Sequence[int]) -> Event:
    """Return the event at the end of a deal of a match, which gives each seat's points in it and new total.

    Its kind is `won` if a single seat has the most points, which is then named first, else `level`.
    """
    seats = tuple(range(len(points)))
    most_points = max(points)
    winner = points.index(most_points) if points.count(most_points) == 1 else None
    named_seats = seats if winner is None else (*seats[winner:], *seats[:winner])
    result_words = "The deal ends level at the top" if winner is None else "{s0} wins the deal"
    gains = (f"{{s{index}}} {points[seat]} (now {totals[seat]})" for index, seat in enumerate(named_seats))
    sentence = Sentence(f"{result_words}. Points: {join_words(gains)}.", named_seats)
    return Event("won" if winner is not None else "level", sentence, SCORING, ("VA-15", "VA-19"), winner)
