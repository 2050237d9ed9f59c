"""The naming of real cards in one turn: which cards the players are asked for, and which they have named so far."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from vaultkit.games.facts import Consequence, GameFact
from vaultkit.games.messages import Event, Seat, Sentence, Zone
from vaultkit.games.turn import Chance, IllegalMove, Move, Pile, Prompt, draw_move
from vaultkit.scene.card_input import CardNaming
from vaultkit.scene.hint import best_gain
from vaultkit.scene.scene import Offer, Scene, format_points, scene_of_screen
from vaultkit.session import Session
from vaultkit.session.real_deck import SHOWING_VERBS

DEALER_SEAT_INDEX: Seat = -1
"""The number that stands in place of a seat for a dealer without a seat."""
WORDS_FOR_NOTHING = ("nothing", "none", "no", "pass", "-")
"""The answers that mean that no card is shown."""


class _NamingProgress:
    """The naming of cards in one turn, one by one.

    `named` are the ids of the cards named so far. `move` is set as soon as the move is known, which people then
    confirm. `choices` are the answers of a turn without cards, with their labels; `words` are further answers.

    Subclasses add: `question`, the prompt for the next answer; `subject`, which describes the card that is asked for in
    the message that refuses an answer; `pile`, the ids of the cards that may be named now; `is_whole`, whether
    everything is named, so that the move can be played; and `say`, which adds the cards or the choice in a typed
    answer, and raises IllegalMove with the reason for an invalid one, which changes nothing.
    """

    words: tuple[str, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()

    def __init__(self, session: Session, seats: Collection[Seat]) -> None:
        self.session = session
        self.cards = CardNaming(session, seats)
        self.named: tuple[str, ...] = ()
        self.move: Move | None = None

    def forget(self, card_ids: tuple[str, ...] = ()) -> None:
        """Discard the move, and make `card_ids` the only named cards."""
        self.named, self.move = card_ids, None

    def remove_last_card(self) -> str:
        """Remove the card that was named last and return its id, or "" if there is none."""
        *rest, last = self.named or ("",)
        self.named = tuple(rest)
        return last


class TurnNaming(_NamingProgress):
    """The naming for a chance turn: people enter the cards that they drew, or which choice came up."""

    def __init__(self, session: Session, seats: Collection[Seat], chance: Chance) -> None:
        super().__init__(session, seats)
        self._chance = chance
        cards = tuple(option for option in chance.options if option in session.deck.by_id)
        self._pile = Pile(cards) if cards else chance.pile
        self.choices = () if cards else tuple((option, self._format_choice(option)) for option in chance.options)
        self.words = tuple(word.casefold() for choice in self.choices for word in choice)

    @property
    def is_whole(self) -> bool:
        return self.move is not None

    @property
    def pile(self) -> tuple[str, ...]:
        if self.choices:
            return ()
        possible_ids = self.cards.possible_cards({*self._pile.unknown, *self._pile.bottom}).difference(self.named)
        return tuple(card.id for card in self.session.deck if card.id in possible_ids)

    @property
    def question(self) -> str:
        if self.choices:
            return ", ".join(words for _, words in self.choices)
        remaining_count = self._chance.count - len(self.named)
        if self._chance.count == 1:
            return "Which card"
        return f"{remaining_count} more" if self.named else f"Which {remaining_count} cards"

    @property
    def subject(self) -> str:
        return self.question

    def say(self, text: str) -> None:
        self.named += self._parse_cards(text)
        if len(self.named) == self._chance.count:
            self.move = draw_move(*self.named)

    def _parse_cards(self, text: str) -> tuple[str, ...]:
        if self.choices:
            return (self._find_choice(text.casefold(), text),)
        card_ids, remaining_count = self.cards.cards(text, self._pile, self.named), self._chance.count - len(self.named)
        if len(card_ids) > remaining_count:
            limit_text = "one card is" if remaining_count == 1 else f"{remaining_count} cards are"
            raise IllegalMove(f"You named {len(card_ids)} cards, and only {limit_text} wanted.")
        return card_ids

    def _find_choice(self, key: str, text: str) -> str:
        """Return the choice whose label is `key`, or the only one whose label begins with it.

        `text` is the answer as typed, for the message. Raises IllegalMove if no choice or several choices match.
        """
        exact_matches = [option for option, words in self.choices if words.casefold() == key]
        prefix_matches = [option for option, words in self.choices if words.casefold().startswith(key)]
        if not exact_matches and len(prefix_matches) != 1:
            answers = ", ".join(words for _, words in self.choices)
            raise IllegalMove(f"'{text}' is none of them. Answers: {answers}.")
        return (exact_matches or prefix_matches)[0]

    def _format_choice(self, choice: str) -> str:
        """Return the label of a choice; the number of a seat becomes the name of the seat (G-1)."""
        if choice.isdecimal() and int(choice) < len(self.session.header.seats):
            return self.session.name(int(choice))
        return choice


class HandNaming(_NamingProgress):
    """The naming of a card from a hand that vaultkit does not know, and then of all cards that the move reveals.

    Each named card replaces a placeholder in the hand.
    """

    def __init__(self, session: Session, seats: Collection[Seat], prompt: Prompt) -> None:
        super().__init__(session, seats)
        self._prompt = prompt
        self._cardless_move = next((move for move in prompt.moves if not move.operands), None)
        self._verb = next((move.verb for move in prompt.moves if move.operands), SHOWING_VERBS[-1])
        self._open_ids: list[str] = []
        self.words = WORDS_FOR_NOTHING if self._cardless_move else ()

    @property
    def is_whole(self) -> bool:
        return self.move is not None and self._next_event() is None

    @property
    def pile(self) -> tuple[str, ...]:
        open_ids = {*self.session.seen_by_all, *self._open_ids, *self.named}
        return tuple(card.id for card in self.session.deck if card.id not in open_ids)

    @property
    def question(self) -> str:
        event = self._next_event()
        if event is None:
            request = "a card or nothing" if self._cardless_move else "the card"
            return f"{self.session.name(self._prompt.seat)}, {request}"
        rest = f"{len(event.cards) - len(self.named)} more"
        return f"{self.session.name(event.seat or 0)}, {rest if self.named else self._hidden_cards_text(event)}"

    @property
    def subject(self) -> str:
        event = self._next_event()
        return self._hidden_cards_text(event) if event else self.question

    def say(self, text: str) -> None:
        event = self._next_event()
        if event is None:
            self.move = self._parse_move(text)
            self._open_ids = list(self.move.operands)
            return
        self.named += self._parse_cards(text, len(event.cards))
        if len(self.named) == len(event.cards):
            card_ids, self.named = self.named, ()
            self.session.name_unseen(card_ids, event.cards)
            self._open_ids += card_ids

    def forget(self, card_ids: tuple[str, ...] = ()) -> None:
        super().forget(card_ids)
        self._open_ids = []

    def _next_event(self) -> Event | None:
        """Return the event of the move that reveals the cards to be named now, None if there is none.

        The last unseen cards of the deck are not named, since everybody knows which they are.
        """
        seats = [event.seat for event in self._find_open_events() if event.seat is not None]
        for seat in seats:
            event = next(event for event in self._find_open_events() if event.seat == seat)
            if len(self._find_unseen_cards()) > len(event.cards) and not set(event.cards).issubset(self._open_ids):
                return event
        return None

    def _find_open_events(self) -> Sequence[Event]:
        return self.session.find_placeholder_events(self.move) if self.move else ()

    def _find_unseen_cards(self) -> list[str]:
        open_ids = {*self.session.seen_by_all, *self._open_ids}
        return [card.id for card in self.session.deck if card.id not in open_ids]

    def _parse_move(self, text: str) -> Move:
        """Return the move in a typed answer, after its card has replaced a placeholder.

        Raises IllegalMove with the reason if the answer is not exactly one card, or the move is not possible.
        """
        if self._cardless_move and text.casefold() in WORDS_FOR_NOTHING:
            return self._cardless_move
        cards = self.cards.cards(text.removeprefix(f"{self._verb} "), Pile(self.pile))
        if len(cards) != 1:
            raise IllegalMove("One card, please.")
        move = Move(self._verb, cards)
        if not self.session.place_card(move):
            reason = self.session.why_not(cards[0])
            reason_text = self.session.words(reason or self.session.game.label(move))
            if not reason:
                reason_text += f": that cannot be now ({', '.join(self._prompt.rulings)})."
            raise IllegalMove(reason_text)
        return move

    def _parse_cards(self, text: str, max_cards: int) -> tuple[str, ...]:
        pile = Pile(tuple(self._find_unseen_cards()))
        cards = self.cards.cards(text, pile, self.named)
        if len(self.named) + len(cards) > max_cards:
            raise IllegalMove(f"You named {len(self.named) + len(cards)} cards, and there are only {max_cards}.")
        return cards

    def _hidden_cards_text(self, event: Event) -> str:
        count = len(event.cards)
        return "the card that stayed face down" if count == 1 else f"the {count} cards that stayed face down"


Naming = TurnNaming | HandNaming


def create_naming(session: Session, seats: Collection[Seat]) -> Naming | None:
    """Return the naming for the current turn, None if no card is to be named.

    Its messages reveal only what the people in `seats` may know.
    """
    turn = session.turn
    if isinstance(turn, Chance):
        asks = session.header.real_cards or session.is_gm_choice(turn)
        return TurnNaming(session, seats, turn) if asks else None
    return HandNaming(session, seats, turn) if turn and session.header.unseen else None


def scene_of_gm(session: Session) -> Scene:
    """Return the scene for a GM without a seat who chooses a card for the dealer: the cards are the hand of the GM."""
    turn = session.turn
    assert isinstance(turn, Chance), "the GM chooses what chance would decide"
    last_choice = max((step.n for step in session.steps if step.chance == turn.name), default=0)
    scene, cards, facts = scene_of_screen(session, last_choice), turn.options, turn.gm_facts
    question, gm = scene.question, session.header.agreement.gm
    if question and gm:
        question = replace(question, text=Sentence("{v0}, which card do you play as the dealer?", values=(gm,)))
    hand = Zone(Sentence("hand"), cards, owner=DEALER_SEAT_INDEX, kind="hand")
    offers = tuple(
        Offer(draw_move(card), Sentence("Play the {c0}", cards=(card,)), _foresee(session, card), (card,))
        for card in cards
    )
    zones = (*scene.zones, hand)
    heading = (*scene.heading[:-1], Sentence("you deal"))
    return replace(
        scene,
        viewer=DEALER_SEAT_INDEX,
        zones=zones,
        question=question,
        offers=offers,
        key_facts=facts,
        heading=heading,
    )


def _foresee(session: Session, card: str) -> tuple[Consequence, ...]:
    """Return what follows if the dealer plays a card, and what players can gain at once."""
    facts = [*session.game.gm_facts(session.view(0), card)]
    if points := best_gain(session, card):
        sentence = Sentence("An answer brings up to {v0}.", values=(format_points(points),))
        facts.append(GameFact("next", sentence=sentence))
    return tuple(map(Consequence, facts))


def find_card_holder(session: Session) -> Seat | None:
    """Return the seat that names cards which nobody else may see, or None if everybody may see them.

    `DEALER_SEAT_INDEX` stands for a dealer or GM without a seat.
    """
    turn, people = session.turn, session.people
    if not isinstance(turn, Chance) or not any(seat != turn.seat for seat in people):
        return None
    if not (session.header.real_cards or session.is_gm_choice(turn)):
        return None
    if turn.open and not session.is_gm_choice(turn):
        return None
    if turn.seat is None:
        return DEALER_SEAT_INDEX
    return turn.seat if turn.seat in people else None
