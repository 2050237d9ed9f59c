"""Questions that change nothing: rules, cards, a hint, how everybody stands. Only whoever asks is told."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from vaultkit.cards import Card
from vaultkit.errors import VaultkitError
from vaultkit.games.messages import Seat, Sentence
from vaultkit.scene import rule_reference
from vaultkit.scene.consequence_text import gains, reason_words, sentences
from vaultkit.scene.hint import Hint, hint
from vaultkit.scene.rule_reference import Reference
from vaultkit.scene.scene import Offer, Scene, standing_text
from vaultkit.search.answer_lines import whole_text
from vaultkit.search.passages import Passage
from vaultkit.session import Session
from vaultkit.session.card_names import MAX_LISTED_CARDS, find_cards, suggest_card
from vaultkit.session.options import house_rules
from vaultkit.vault.writing.escape import clean_line
from vaultkit.web.host_thread import OrderData, OrderRefused
from vaultkit.web.opaque_ids import OpaqueIds
from vaultkit.web.page_model import PrivateAnswer

_MAX_QUESTION_CHARS = 200
"""Letters of a question."""


def markdown_to_text(text: str) -> str:
    """Markdown as plain lines."""
    from vaultkit.campaign.reading import text_lines  # with all that a reading needs

    return "\n".join(text_lines(text))


class HelpAnswerer:
    """Answers questions about one session out of its notes."""

    def __init__(self, session: Session, reference: Reference) -> None:
        self._session = session
        self.reference = reference
        self._hints_by_seat: dict[Seat, tuple[Scene, Hint]] = {}

    def answer(
        self, order: OrderData, scene: Scene, marks: OpaqueIds, session_ahead: Session | None = None
    ) -> Sequence[PrivateAnswer] | None:
        """The answer for whoever sees this scene; None where the order is no question. Raises Refused.

        `ahead` is the session in which they choose before it is their turn.
        """
        words = clean_query(order.get("words"))
        match order["do"]:
            case "ask":
                return find_answers(words, self.reference, whole=bool(order.get("more")))
            case "rule":
                return list(self._rule_answers(words))
            case "hint":
                return [self._hint_answer(scene, session_ahead or self._session)]
            case "who":
                return [standings_answer(scene, self._session.words)]
            case "why":
                card = order.get("card")
                return list(self._card_answers(marks.find_card(card) or clean_query(card) or words, scene))
        return None

    def _rule_answers(self, words: str) -> Iterator[PrivateAnswer]:
        """The passages of that name; without any the rule of this moment, and the house rules."""
        deck, turn = self._session.deck, self._session.turn
        if words.strip():
            passages = list(rule_reference.text_passages(words, deck, self.reference))
            nothing = [PrivateAnswer(words, ["Nothing is known of that."])]
            yield from map(passage_answer, passages) if passages else nothing
            return
        yield from map(passage_answer, rule_reference.turn_passages(turn, deck, self.reference) if turn else ())
        header = self._session.header
        rules = house_rules(self._session.game, header.options, header.agreement.settled_options)
        if rules:
            yield PrivateAnswer("House rules", list(rules))

    def _hint_answer(self, scene: Scene, session: Session) -> PrivateAnswer:
        prompt = session.prompt
        if prompt is None or prompt.seat != scene.viewer:
            raise OrderRefused("A hint is for whoever is asked, and sees the own hand.")
        if self._hints_by_seat.get(prompt.seat, (None,))[0] != scene:  # it takes long, and may be asked for at will
            try:
                self._hints_by_seat[prompt.seat] = (scene, hint(session, prompt))
            except VaultkitError as error:
                raise OrderRefused(error.message) from error
        bot_hint = self._hints_by_seat[prompt.seat][1]
        offers = (offer for offer in scene.offers if offer.move == bot_hint.move)
        descriptions = [self._describe_offer(offer, scene.viewer) for offer in offers]
        return PrivateAnswer("A hint", [*descriptions, reason_words(bot_hint, prompt.seat, self._session.words)])

    def _card_answers(self, query: str, scene: Scene) -> Iterator[PrivateAnswer]:
        deck = self._session.deck
        visible_cards = {card for zone in scene.zones for card in zone.cards}
        cards = [deck[query]] if query in visible_cards else find_cards(query, deck, visible_cards)
        if not cards:
            raise OrderRefused(f"That is no card here. {suggest_card(query, deck)}".strip())
        yield from (self._card_answer(card, scene) for card in cards[:MAX_LISTED_CARDS])

    def _card_answer(self, card: Card, scene: Scene) -> PrivateAnswer:
        """The moves that can be made with a card, or the one reason why there are none; and its text."""
        reason = scene.refusals.get(card.id)
        moves = [self._describe_offer(offer, scene.viewer) for offer in scene.offers if card.id in offer.move.operands]
        why = [self._session.words(reason)] if reason else moves or ["No move now is made with it."]
        passage = rule_reference.card_passage(card, self.reference)
        return PrivateAnswer(card.title, [*why, *passage.text.splitlines()], passage.source)

    def _describe_offer(self, offer: Offer, viewer: Seat | None) -> str:
        """A move, and what comes of it."""
        label = self._session.words(offer.ends or offer.label).rstrip(".")
        return " ".join([f"{label}.", *self._describe_results(offer, viewer)])

    def _describe_results(self, offer: Offer, viewer: Seat | None) -> list[str]:
        """Return the consequences of a move, a sentence each."""
        changes = [f"{self._session.name(seat)} {change}." for seat, change in gains(offer, viewer)]
        return [*changes, *map(self._session.words, sentences(offer))]


def find_answers(words: str, reference: Reference, *, whole: bool = False) -> list[PrivateAnswer]:
    """Return all passages that answer a question; if `whole`, with the sections of which they are parts.

    Raises OrderRefused if there are none.
    """
    try:
        passages = reference.ask(words)
    except VaultkitError as error:
        raise OrderRefused(error.message_with_hint) from error
    return [passage_answer(replace(passage, text=whole_text(passage)) if whole else passage) for passage in passages]


def standings_answer(scene: Scene, say: Callable[[Sentence], str]) -> PrivateAnswer:
    """How everybody stands."""
    seat_texts = ((standing.seat, standing_text(standing, scene, say)) for standing in scene.standings)
    lines = [f"{scene.names[seat]}: {words}." for seat, words in seat_texts]
    return PrivateAnswer("How everybody stands", lines or ["Nobody counts anything before the end of this game."])


def clean_query(words: object) -> str:
    """Words as somebody may have typed them."""
    return clean_line(words[:_MAX_QUESTION_CHARS]) if isinstance(words, str) else ""


def passage_answer(passage: Passage) -> PrivateAnswer:
    """A passage for whoever asked; where a terminal has a link to copy, players read the note and the heading."""
    source = passage.source.removeprefix("[[").removesuffix("]]").replace("#", ", ")
    has_more = len(whole_text(passage)) > len(passage.text)
    return PrivateAnswer(passage.title, passage.text.splitlines(), source, has_more=has_more)
