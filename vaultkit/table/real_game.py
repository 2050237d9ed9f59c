"""A game in which people touch or type cards: the real ones that were turned, or those that a GM chooses."""

from dataclasses import replace

from vaultkit.games.turn import Chance, IllegalMove
from vaultkit.games.words import Seat
from vaultkit.scene import lookup
from vaultkit.scene.knowledge import seen_alone
from vaultkit.scene.real_cards import DEALER, Naming, holder, naming, scene_of_gm
from vaultkit.scene.scene import Scene, question_of, scene_of_screen
from vaultkit.session import Step
from vaultkit.session.card_names import MOST_TOLD, cards_meant
from vaultkit.session.undo import Undo
from vaultkit.table import drawing
from vaultkit.table.consulting import line_of
from vaultkit.table.door import Client
from vaultkit.table.game import GameOnTable, offer_at
from vaultkit.table.host import Outdated, Refused, Words, new_question
from vaultkit.table.pad import pad_of
from vaultkit.table.sight import Aside, Cover, Sight


class RealGameOnTable(GameOnTable):
    """A session that asks the table for what luck decides, and for cards out of hands that nobody else sees."""

    _naming: Naming | None = None

    def sight(self, client: Client) -> Sight:
        """The game, with a pad where cards are to be named and this page may see which."""
        sight = super().sight(client)
        if self._naming is None or self._is_gms or (sight.cover and not sight.cover.is_open):
            return sight
        asked = scene_of_screen(self._session).question
        if holder(self._session) is not None:  # the owner of the cards may see which are in question
            asked = question_of(self._session.turn)
        scene = replace(sight.scene, question=asked, offers=(), refusals={})
        return replace(sight, scene=scene, pad=pad_of(self._naming, self._session.deck))

    def _obey(self, client: Client, order: Words) -> str:
        """Take in a card that was turned, or do as in any game."""
        wanted = self._naming if self._is_open_to(client) else None
        match order["do"]:
            case "name" if not self.is_paused:
                return self._name(client, self._current(order, wanted), order)
            case "undo" if wanted and (wanted.named or wanted.move):
                self._forget(self._current(order, wanted))
                return ""
            case "offer" if wanted and self._is_gms and not self.is_paused:
                card = offer_at(self._scene(DEALER).offers, order.get("offer")).move.operands[0]
                return self._name(client, self._current(order, wanted), {**order, "words": card})
            case "why" if wanted and not self._is_gms and (cards := self._cards(order)):
                return drawing.asides([self._about(card, wanted) for card in cards[:MOST_TOLD]])
        return super()._obey(client, order)

    def _name(self, client: Client, wanted: Naming, order: Words) -> str:
        """Take in one answer; HTML for whoever has seen something alone by it."""
        before, known, cover = wanted.named, wanted.move, self._cover(client)
        with self._saving():
            self._say(wanted, line_of(order.get("words")))
        if wanted.move and not known and self._session.ends_with(wanted.move) and order.get("sure") is not True:
            wanted.forget(before)
            raise Refused("That ends the game. Is that right?", sure=True)
        if not (wanted.move and wanted.is_whole):
            self._change()
            self._question = new_question()
            return ""
        with self._saving():
            self._session.submit(wanted.move)
        step = self._session.steps[-1]
        seat = cover.seat if cover else DEALER
        alone = [] if seat == DEALER or holder(self._session) == seat else seen_alone(self._session, seat, step)
        self._follow(step)
        return self._for_alone(seat, alone)

    def _say(self, wanted: Naming, words: str) -> None:
        if not words:
            raise Refused("Touch a card, or type one.")
        try:
            wanted.say(words)
        except IllegalMove as error:
            raise Refused(error.message) from error

    def _forget(self, wanted: Naming) -> None:
        """Take back the card that was named last, or the move of which more is to be named."""
        if not wanted.back():
            wanted.forget()
        self._change()
        self._question = new_question()

    def _current(self, order: Words, wanted: Naming | None) -> Naming:
        """The naming of now, if the order answers the question of now."""
        if order.get("question") != self._question:
            raise Outdated
        if wanted is None:
            raise Refused("No card is to be named here now.")
        return wanted

    def _about(self, card: str, wanted: Naming) -> Aside:
        """Why a card can or cannot be named now, and its text."""
        turn, found = self._session.turn, self._session.deck[card]
        assert turn is not None, "something is asked"
        passage = lookup.of_card(found, self._consulting.reference)
        return Aside(found.title, [wanted.cards.why(found, turn), *passage.text.splitlines()], passage.source)

    def _cards(self, order: Words) -> list[str]:
        deck = self._session.deck
        wanted = line_of(order.get("card")) or line_of(order.get("words"))
        return [card.id for card in cards_meant(wanted, deck, deck.by_id)]

    def _is_open_to(self, client: Client) -> bool:
        cover = self._cover(client)
        return cover is None or cover.is_open

    def _cover(self, client: Client) -> Cover | None:
        seat = holder(self._session)
        if seat is not None:
            dealer = self._session.header.agreement.gm or "the dealer"
            name = dealer if seat == DEALER else self._session.name(seat)
            return Cover(seat, name, self._lifted == (client, seat), names=not self._is_gms)
        return None if self._session.header.unseen else super()._cover(client)

    def _seat_of(self, client: Client) -> Seat | None:
        seat = holder(self._session)
        if self._is_gms:
            return DEALER if self._is_open_to(client) else None
        if self._session.header.unseen or seat == DEALER:
            return None  # of a hand that nobody sees there are stand-ins alone
        if seat is not None:
            return seat if self._is_open_to(client) else None
        return super()._seat_of(client)

    @property
    def _is_gms(self) -> bool:
        """Whether the GM plays a card of the dealer's."""
        turn = self._session.turn
        return isinstance(turn, Chance) and self._session.is_gms(turn)

    def _scene(self, seat: Seat | None) -> Scene:
        if seat == DEALER and seat not in self._scenes:
            self._scenes[seat] = scene_of_gm(self._session)
        return super()._scene(seat)

    def _step(self) -> bool:
        """Take a step that needs no person; once there is none, the table is asked."""
        if super()._step():
            return True
        if self._naming is None:
            seat = holder(self._session)
            seats = self._session.people if seat in (None, DEALER) else (seat,)
            self._naming = naming(self._session, self._session, seats)
            if self._naming:
                self._change()
                self._question = new_question()
        return False

    def _play(self, client: Client, order: Words) -> str:
        if self._naming:
            raise Refused("Say which card it is.")
        return super()._play(client, order)

    def _follow(self, step: Step) -> None:
        self._naming = None
        super()._follow(step)
        if self._lifted and self._lifted[1] != self._owner:
            self._lifted = None

    def _undo(self, order: Words) -> None:
        super()._undo(order)
        self._naming = None

    def _plan(self, seat: object) -> Undo:
        """A real card that was misnamed is mended before any decision is taken back."""
        return self._session.plan_correction() or super()._plan(seat)

    @property
    def _owner(self) -> Seat | None:
        """Whoever may look alone now."""
        seat, prompt = holder(self._session), self._prompt
        return seat if seat is not None or prompt is None or not self._is_private(prompt) else prompt.seat
