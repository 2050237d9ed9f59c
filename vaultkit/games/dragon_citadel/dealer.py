"""The tasks of the dealer in Dragon Citadel: deals, the card of each round, hero and Crown rounds, ends of rounds."""

from collections.abc import Iterator

from vaultkit.games.dragon_citadel.forfeit import ChooseForfeit, Shows, Throws, forfeit
from vaultkit.games.dragon_citadel.number_round import number_round_tasks
from vaultkit.games.dragon_citadel.open_crowns import OfferCrowns, failed_seats
from vaultkit.games.dragon_citadel.rules import (
    CROWN,
    END_OF_ROUND,
    HAND_SIZE,
    HERO,
    NUMBER,
    PASS,
    PLAYING,
    SEER,
    SETTING_UP,
)
from vaultkit.games.dragon_citadel.sealed_cards import PutDown, QuestionParts
from vaultkit.games.dragon_citadel.state import CitadelState, CitadelTask, Laid, add_draw, add_joker, add_pass
from vaultkit.games.messages import Seat, Sentence, describe_draw
from vaultkit.games.turn import Chance, Move, Turn, card_moves
from vaultkit.text import format_count


class SettleHero(CitadelTask):
    """The end of a hero round, which is won if every active seat has played a hand card, of any strength (DC-15)."""

    def begin(self, state: CitadelState) -> Turn:
        if len(state.at.played) == len(state.at.active):
            share_won_cards(state)
        else:
            state.tell("lost", "The {c0} was not answered by all.", HERO, ("DC-19",), cards=(state.dealt,))
            decide_forfeit(state)
        return None


def share_won_cards(state: CitadelState) -> None:
    """Share out the cards of a hero round that is won (DC-16, DC-17).

    The seat with the highest card of a suit wins the hero and all cards of a suit; Crowns go to the seats that played
    them. If only Crowns were played, DC-17 says who gets the hero.
    """
    at, card_facts = state.at, state.rules.cards
    suited_cards = [(seat, card) for seat, card in at.played if not card_facts.is_crown(card)]
    if suited_cards:
        winner, best_card = max(suited_cards, key=lambda seat_and_card: card_facts.strength[seat_and_card[1]])
        at.won[winner] += (state.dealt, *(card for _, card in suited_cards))
        words = "Everybody has answered. {s0} has the highest card, the {c1}, and wins the {c0}."
        state.tell("won", words, HERO, ("DC-16",), seats=(winner,), cards=(state.dealt, best_card), notable=True)
        at.dealer_card = None
        at.played = tuple(pair for pair in at.played if card_facts.is_crown(pair[1]))
    else:
        settle_all_crowns(state)
    open_played_crowns(state)


def settle_all_crowns(state: CitadelState) -> None:
    """DC-17: Settle who wins a hero that was answered only with Crowns: nobody, or the first player by option."""
    at, dealt = state.at, state.dealt
    winning_seats: tuple[Seat, ...] = ()
    words = "Everybody has answered with Crowns, so nobody wins the {c0}."
    if state.rules.has_option("hero_all_crowns", "first-player"):
        first_seat = at.active[0]
        at.won[first_seat] += (dealt,)
        at.dealer_card = None
        words = "Everybody has answered with Crowns; the {c0} goes to the first player, {s0}."
        winning_seats = (first_seat,)
    state.tell("won", words, HERO, ("DC-17",), seats=winning_seats, cards=(dealt,), notable=True)


def open_played_crowns(state: CitadelState) -> None:
    """DC-16: Put each Crown that was played open before its seat, unless the option `hero_crowns` discards it."""
    at = state.at
    if not at.played or state.rules.has_option("hero_crowns", "discard"):
        return
    for seat, crown in at.played:
        at.crowns[seat] += (crown,)
        words = "The {c0} now lies open before {s0}."
        state.tell("opened", words, HERO, ("DC-16",), seats=(seat,), cards=(crown,))
    at.played = ()


class SettleCrown(CitadelTask):
    """DC-22: The end of a Crown round, in which all cards put down are lost and a seat that did not pay may forfeit."""

    def begin(self, state: CitadelState) -> Turn:
        unpaid_seats = failed_seats(state)
        words = "Everybody has paid for the {c0}; nobody forfeits."
        if unpaid_seats:
            words = "Not everybody has paid for the {c0}."
        state.tell("lost" if unpaid_seats else "paid", words, CROWN, ("DC-22", "DC-24"), cards=(state.dealt,))
        decide_forfeit(state)
        return None


ROUND_HEADINGS = {"number": NUMBER, "hero": HERO, "crown": CROWN}
SETTLING_TASKS = {"hero": SettleHero, "crown": SettleCrown}
GM_AIMS = {
    True: Sentence("You win when every player is out; if anybody is in when the deck is empty, the players win."),
    False: Sentence("The players are rivals: one of them wins, and you cannot."),
}
"""The aim of a GM who plays the dealer (DC-5, DC-31), by whether the players play together."""
ROUND_AIM = Sentence("One is out if nobody answers your number, or somebody cannot answer your hero or Crown.")
MAX_LAST_CARD_COUNT = 10
"""The number of cards in the deck from which on players are told that the game will end soon."""
TURN_UP_TEXT = Sentence("The dealer turns the top card.")
ROUND_RULINGS = {"number": ("DC-2", "DC-7"), "hero": ("DC-1", "DC-2", "DC-15"), "crown": ("DC-2", "DC-22")}


def first_tasks(seats: int, dealer_has_hand: bool) -> list[CitadelTask]:
    """Return the task stack of a new game: the last task, the deal, comes first, then the rounds."""
    dealer_tasks: list[CitadelTask] = [DealerDraws()] if dealer_has_hand else []
    return [NextRound(), *dealer_tasks, FillHands(tuple(range(seats)), "deal")]


class FillHands(CitadelTask):
    """The drawing of cards: each seat in `waiting` fills its hand to five, as far as the deck reaches (DC-4, DC-5).

    Each of these seats holds fewer than five cards. `name` is `deal` for the first hands.
    """

    waiting: tuple[Seat, ...]
    name: str = "refill"

    def begin(self, state: CitadelState) -> Turn:
        if not self.waiting:
            return None
        seat, deck_size = self.waiting[0], len(state.at.deck)
        draw_count = min(HAND_SIZE - len(state.at.hands[seat]), deck_size)
        if draw_count <= 0:
            return None
        text, rulings = Sentence("Cards for {s0}: {v0}.", (seat,), (), (draw_count,)), ("DC-4", "DC-5", "G-7")
        return Chance(self.name, text, rulings, state.at.deck, draw_count, seat=seat, open=state.rules.coop)

    def take(self, state: CitadelState, move: Move) -> None:
        at, seat, cards = state.at, self.waiting[0], move.operands
        bottom_cards = set(cards).intersection(at.deck.bottom)
        at.shown |= bottom_cards
        at.lacks = add_draw(at.lacks, seat, len(cards) - len(bottom_cards))
        at.deck = at.deck.remove_cards(cards)
        at.hands[seat] += cards
        self._tell(state, seat, cards)
        state.push_tasks(FillHands(self.waiting[1:], self.name))

    def _tell(self, state: CitadelState, seat: Seat, cards: tuple[str, ...]) -> None:
        rule = SETTING_UP if self.name == "deal" else END_OF_ROUND
        rulings, count = ("DC-4", "DC-5"), len(cards)
        words = describe_draw(count)
        if state.rules.coop:
            state.tell(self.name, words[0], rule, rulings, seats=(seat,), cards=cards, reveals=True)
        else:
            state.tell_in_two_versions(self.name, words, rule, rulings, seats=(seat,), cards=cards, values=(count,))


class DealerDraws(CitadelTask):
    """DC-2, `dealer: hand-of-5`: The dealer's draw up to five cards; a joker goes under the deck and is replaced."""

    def begin(self, state: CitadelState) -> Turn:
        deck = state.at.deck
        draw_count = min(HAND_SIZE - len(state.at.dealer_hand), len(deck.unknown))
        if draw_count <= 0:
            return None
        text = Sentence("Cards for the dealer: {v0}.", values=(draw_count,))
        return Chance("dealer-draw", text, ("DC-2", "DC-26", "G-7"), pile=deck, count=draw_count, open=False)

    def take(self, state: CitadelState, move: Move) -> None:
        at, joker = state.at, state.rules.cards.joker
        kept_cards = tuple(card for card in move.operands if card != joker)
        at.deck = at.deck.remove_cards(move.operands)
        at.dealer_hand += kept_cards
        words = "The dealer draws a card." if len(kept_cards) == 1 else "The dealer draws {v0} cards."
        if kept_cards:
            state.tell("dealer-draw", words, SETTING_UP, ("DC-2",), values=(len(kept_cards),), reveals=True)
        if joker in move.operands:
            bury_joker(state)
            state.push_tasks(DealerDraws())


def bury_joker(state: CitadelState) -> None:
    """DC-26: Put a joker that the dealer has drawn or turned at the bottom of the deck, seen by all."""
    joker = state.rules.cards.joker
    state.at.deck = state.at.deck.with_bottom_cards(joker)
    words = "The dealer has the {c0}, and puts it at the bottom of the deck."
    state.tell("seer-buried", words, SEER, ("DC-26", "DC-27"), cards=(joker,), reveals=True, notable=True)


class NextRound(CitadelTask):
    """The task at the bottom of the stack, which begins another round, or ends the game if the deck is empty (DC-5)."""

    def begin(self, state: CitadelState) -> Turn:
        if len(state.at.deck):
            state.push_tasks(PlayDealerCard(), EndRound(), self)
        else:
            end_by_deck(state)
        return None


def last_card_facts(deck_size: int) -> Iterator[Sentence]:
    """Yield that the game will end soon if few cards are left in the deck (DC-5)."""
    if deck_size <= MAX_LAST_CARD_COUNT:
        words = "The game ends when the deck is empty: it has {v0} left."
        yield Sentence(words, values=(format_count(deck_size, "card"),))


def end_by_deck(state: CitadelState) -> None:
    """DC-5, DC-31: End the game because the deck is empty."""
    state.finish("party" if state.rules.coop else "score")


class PlayDealerCard(CitadelTask):
    """The dealer's card: the top card of the deck, or one of five in hand (DC-2); a joker is replaced (DC-26)."""

    def begin(self, state: CitadelState) -> Turn:
        at = state.at
        if state.rules.dealer_has_hand:
            if at.dealer_hand:
                text = Sentence("The dealer plays one of {v0} cards.", values=(len(at.dealer_hand),))
                facts = (GM_AIMS[state.rules.coop], ROUND_AIM, *last_card_facts(len(at.deck)))
                return Chance(
                    "dealer-plays", text, ("DC-2",), options=at.dealer_hand, gm=True, rule=PLAYING, gm_facts=facts
                )
        elif at.deck.unknown:
            return Chance("turn-up", TURN_UP_TEXT, ("DC-2", "G-7"), pile=at.deck)
        end_by_deck(state)
        return None

    def take(self, state: CitadelState, move: Move) -> None:
        at, card = state.at, move.operands[0]
        if state.rules.dealer_has_hand:
            at.dealer_hand = tuple(held for held in at.dealer_hand if held != card)
        else:
            at.deck = at.deck.remove_cards((card,))
        if card == state.rules.cards.joker:
            bury_joker(state)
            state.push_tasks(PlayDealerCard())
        else:
            begin_round(state, card)


def begin_round(state: CitadelState, card: str) -> None:
    """Put the dealer's card on the table and push the tasks of its kind of round."""
    round_kind = state.rules.cards.round_of(card)
    state.at.dealer_card = card
    state.at.rounds = (*state.at.rounds, round_kind)
    words = "Round {v0}: the dealer turns the {c0}."
    if state.rules.dealer_has_hand:
        words = "Round {v0}: the dealer plays the {c0}."
    values = (len(state.at.rounds),)
    rulings = ROUND_RULINGS[round_kind]
    state.tell("turn-up", words, ROUND_HEADINGS[round_kind], rulings, cards=(card,), values=values, reveals=True)
    if round_kind == "number":
        state.push_tasks(*number_round_tasks(state))
    else:
        state.push_tasks(make_answers_task(state), OfferCrowns(), SETTLING_TASKS[round_kind]())


class EndRound(CitadelTask):
    """The end of a round: the discards, then the players' draws (G-4), then the dealer's draw (DC-2)."""

    def begin(self, state: CitadelState) -> Turn:
        cards = state.clear_table()
        if cards:
            words = "The {c0} is discarded." if len(cards) == 1 else "Discarded: {cards}."
            state.tell("discard", words, END_OF_ROUND, ("DC-6", "DC-24", "G-4"), cards=cards)
        dealer_tasks = (DealerDraws(),) if state.rules.dealer_has_hand else ()
        hands = state.at.hands
        seats = tuple(seat for seat in state.at.active if len(hands[seat]) < HAND_SIZE)
        state.push_tasks(FillHands(seats), *dealer_tasks)
        return None


COOP_ANSWER_RULINGS = {"hero": ("DC-18", "DC-25"), "crown": ("DC-22", "DC-23", "DC-25")}
COMPETITIVE_ANSWER_RULINGS = {"hero": ("DC-29", "DC-40", "DC-25"), "crown": ("DC-22", "DC-29", "DC-40", "DC-25")}
"""The rulings for answers in competitive play."""


class DealerAnswers(PutDown):
    """The answers to a hero or a Crown, one hand card from each seat that has one that fits (DC-18, DC-23, DC-40).

    In most rounds whoever can answer must (`CitadelRules.duties`). In competitive play all seats are asked, and those
    that cannot answer pass, so that nobody learns who is able.
    """

    verb = "plays"

    def moves(self, state: CitadelState, seat: Seat) -> tuple[Move, ...]:
        moves = card_moves("play", state.fitting_cards(seat))
        must_play = bool(moves) and state.at.rounds[-1] in state.rules.duties
        return add_joker(state, seat, moves if must_play else (*moves, PASS))

    def question(self, state: CitadelState, seat: Seat) -> QuestionParts:
        kind = state.at.rounds[-1]
        words = "{s0}, which card do you put down for the {c0}?"
        if not state.rules.coop:
            words = "{s0}, what do you put down, in secret, for the {c0}?"
            words += " Whoever can answer must." if kind in state.rules.duties else ""
        rulings = COOP_ANSWER_RULINGS if state.rules.coop else COMPETITIVE_ANSWER_RULINGS
        return Sentence(words, (seat,), (state.dealt,)), ROUND_HEADINGS[kind], rulings[kind]

    def conclude(self, state: CitadelState, cards: Laid) -> None:  # noqa: ARG002
        """Record what passes reveal in competitive play: a seat that passes a duty holds no card that fits."""
        at, rules = state.at, state.rules
        if not rules.coop and at.rounds[-1] in rules.duties:
            for seat in (seat for seat, move in self.chosen if move == PASS):
                at.lacks = add_pass(at.lacks, seat, rules.cards.answers[state.dealt])


def make_answers_task(state: CitadelState) -> DealerAnswers:
    """Return the task of answering a hero or a Crown.

    In competitive play all active seats answer, since it is secret who is able; in co-op only able seats do.
    """
    active = state.at.active
    return DealerAnswers(tuple(seat for seat in active if state.fitting_cards(seat)) if state.rules.coop else active)


def decide_forfeit(state: CitadelState) -> None:
    """DC-20, DC-21: Decide who forfeits after a hero or Crown round.

    Nobody does if all answered; all throw cards if none did; else it is one of the seats that failed.
    """
    seats_in_default = failed_seats(state)
    if not seats_in_default:
        return
    if not state.at.played and not state.at.covered:
        state.push_tasks(Throws(state.at.active))
    elif len(seats_in_default) == 1:
        forfeit(state, seats_in_default[0], state.at.rounds[-1])
    elif state.rules.coop:
        state.push_tasks(ChooseForfeit(seats_in_default, state.at.rounds[-1]))
    else:
        state.push_tasks(Shows(seats_in_default))
