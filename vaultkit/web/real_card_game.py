"""A game in which people touch or type cards: the real ones that were turned, or those that a GM chooses."""

from dataclasses import replace

from vaultkit.games.messages import Seat
from vaultkit.games.turn import Chance, IllegalMove
from vaultkit.scene import rule_reference
from vaultkit.scene.knowledge import privately_seen_events
from vaultkit.scene.real_cards import DEALER_SEAT_INDEX, Naming, create_naming, find_card_holder, scene_of_gm
from vaultkit.scene.scene import Scene, question_of, scene_of_screen
from vaultkit.session import Step
from vaultkit.session.card_names import MAX_LISTED_CARDS, find_cards
from vaultkit.session.history import Undo
from vaultkit.web import page_html
from vaultkit.web.card_picker import build_picker
from vaultkit.web.game_host import GameOnTable, find_offer
from vaultkit.web.help_requests import clean_query
from vaultkit.web.host_thread import OrderData, OrderOutdated, OrderRefused, new_question
from vaultkit.web.page_model import HandCover, PageModel, PrivateAnswer
from vaultkit.web.seat_sessions import Client


class RealCardGame(GameOnTable):
    """A session that asks the table for what luck decides, and for cards out of hands that nobody else sees."""

    _naming: Naming | None = None

    def sight(self, client: Client) -> PageModel:
        """The game, with a pad where cards are to be named and this page may see which."""
        sight = super().sight(client)
        if self._naming is None or self._is_gm_turn or (sight.cover and not sight.cover.is_open):
            return sight
        question = scene_of_screen(self._session).question
        if find_card_holder(self._session) is not None:  # the owner of the cards may see which are in question
            question = question_of(self._session.turn)
        scene = replace(sight.scene, question=question, offers=(), refusals={})
        return replace(sight, scene=scene, pad=build_picker(self._naming, self._session.deck))

    def _obey(self, client: Client, order: OrderData) -> str:
        """Take in a card that was turned, or do as in any game."""
        card_naming = self._naming if self._is_cover_lifted(client) else None
        match order["do"]:
            case "name" if not self.is_paused:
                return self._name_card(client, self._check_current(order, card_naming), order)
            case "undo" if card_naming and (card_naming.named or card_naming.move):
                self._forget_last(self._check_current(order, card_naming))
                return ""
            case "offer" if card_naming and self._is_gm_turn and not self.is_paused:
                card = find_offer(self._scene(DEALER_SEAT_INDEX).offers, order.get("offer")).move.operands[0]
                return self._name_card(client, self._check_current(order, card_naming), {**order, "words": card})
            case "why" if card_naming and not self._is_gm_turn and (cards := self._find_cards(order)):
                return page_html.render_answers(
                    [self._explain_card(card, card_naming) for card in cards[:MAX_LISTED_CARDS]]
                )
        return super()._obey(client, order)

    def _name_card(self, client: Client, card_naming: Naming, order: OrderData) -> str:
        """Take in one answer; HTML for whoever has seen something alone by it."""
        old_cards, old_move, cover = card_naming.named, card_naming.move, self._cover(client)
        with self._report_save_errors():
            self._name_words(card_naming, clean_query(order.get("words")))
        if (
            card_naming.move
            and not old_move
            and self._session.would_end_game(card_naming.move)
            and order.get("sure") is not True
        ):
            card_naming.forget(old_cards)
            raise OrderRefused("That ends the game. Is that right?", sure=True)
        if not (card_naming.move and card_naming.is_whole):
            self._invalidate()
            self._question = new_question()
            return ""
        with self._report_save_errors():
            self._session.submit(card_naming.move)
        step = self._session.steps[-1]
        seat = cover.seat if cover else DEALER_SEAT_INDEX
        private_news = (
            []
            if seat == DEALER_SEAT_INDEX or find_card_holder(self._session) == seat
            else privately_seen_events(self._session, seat, step)
        )
        self._handle_step(step)
        return self._render_private_news(seat, private_news)

    def _name_words(self, card_naming: Naming, words: str) -> None:
        if not words:
            raise OrderRefused("Touch a card, or type one.")
        try:
            card_naming.say(words)
        except IllegalMove as error:
            raise OrderRefused(error.message) from error

    def _forget_last(self, card_naming: Naming) -> None:
        """Take back the card that was named last, or the move of which more is to be named."""
        if not card_naming.remove_last_card():
            card_naming.forget()
        self._invalidate()
        self._question = new_question()

    def _check_current(self, order: OrderData, card_naming: Naming | None) -> Naming:
        """The naming of now, if the order answers the question of now."""
        if order.get("question") != self._question:
            raise OrderOutdated
        if card_naming is None:
            raise OrderRefused("No card is to be named here now.")
        return card_naming

    def _explain_card(self, card: str, card_naming: Naming) -> PrivateAnswer:
        """Why a card can or cannot be named now, and its text."""
        turn, deck_card = self._session.turn, self._session.deck[card]
        assert turn is not None, "something is asked"
        passage = rule_reference.card_passage(deck_card, self._help.reference)
        return PrivateAnswer(
            deck_card.title,
            [card_naming.cards.explain_card(deck_card, turn), *passage.text.splitlines()],
            passage.source,
        )

    def _find_cards(self, order: OrderData) -> list[str]:
        deck = self._session.deck
        query = clean_query(order.get("card")) or clean_query(order.get("words"))
        return [card.id for card in find_cards(query, deck, deck.by_id)]

    def _is_cover_lifted(self, client: Client) -> bool:
        cover = self._cover(client)
        return cover is None or cover.is_open

    def _cover(self, client: Client) -> HandCover | None:
        seat = find_card_holder(self._session)
        if seat is not None:
            dealer = self._session.header.agreement.gm or "the dealer"
            name = dealer if seat == DEALER_SEAT_INDEX else self._session.name(seat)
            return HandCover(seat, name, self._uncovered_hand == (client, seat), names=not self._is_gm_turn)
        return None if self._session.header.unseen else super()._cover(client)

    def _seat_of(self, client: Client) -> Seat | None:
        seat = find_card_holder(self._session)
        if self._is_gm_turn:
            return DEALER_SEAT_INDEX if self._is_cover_lifted(client) else None
        if self._session.header.unseen or seat == DEALER_SEAT_INDEX:
            return None  # of a hand that nobody sees there are stand-ins alone
        if seat is not None:
            return seat if self._is_cover_lifted(client) else None
        return super()._seat_of(client)

    @property
    def _is_gm_turn(self) -> bool:
        """Whether the GM plays a card of the dealer's."""
        turn = self._session.turn
        return isinstance(turn, Chance) and self._session.is_gm_choice(turn)

    def _scene(self, seat: Seat | None) -> Scene:
        if seat == DEALER_SEAT_INDEX and seat not in self._scenes:
            self._scenes[seat] = scene_of_gm(self._session)
        return super()._scene(seat)

    def _step(self) -> bool:
        """Take a step that needs no person; once there is none, the table is asked."""
        if super()._step():
            return True
        if self._naming is None:
            seat = find_card_holder(self._session)
            seats = self._session.people if seat in (None, DEALER_SEAT_INDEX) else (seat,)
            self._naming = create_naming(self._session, self._session, seats)
            if self._naming:
                self._invalidate()
                self._question = new_question()
        return False

    def _play_offer(self, client: Client, order: OrderData) -> str:
        if self._naming:
            raise OrderRefused("Say which card it is.")
        return super()._play_offer(client, order)

    def _handle_step(self, step: Step) -> None:
        self._naming = None
        super()._handle_step(step)
        if self._uncovered_hand and self._uncovered_hand[1] != self._private_viewer:
            self._uncovered_hand = None

    def _undo(self, order: OrderData) -> None:
        super()._undo(order)
        self._naming = None

    def _plan_undo(self, seat: object) -> Undo:
        """A real card that was misnamed is mended before any decision is taken back."""
        return self._session.plan_correction() or super()._plan_undo(seat)

    @property
    def _private_viewer(self) -> Seat | None:
        """Whoever may look alone now."""
        seat, prompt = find_card_holder(self._session), self._person_prompt
        return seat if seat is not None or prompt is None or not self._is_private(prompt) else prompt.seat
