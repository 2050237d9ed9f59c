"""Questions that change nothing: rules, cards, a hint, how everybody stands. Only whoever asks is told."""

from collections.abc import Callable, Iterator, Sequence

from vaultkit.cards import Card
from vaultkit.errors import VaultkitError
from vaultkit.games.words import Seat, Sentence
from vaultkit.scene import lookup
from vaultkit.scene.consequence_text import gains, reason_words, sentences
from vaultkit.scene.hint import Hint, hint
from vaultkit.scene.reference import Reference
from vaultkit.scene.scene import Offer, Scene
from vaultkit.scene.standing import spoken_standing
from vaultkit.session import Session
from vaultkit.session.card_names import MOST_TOLD, cards_meant, nearest_card
from vaultkit.session.options import house_rules
from vaultkit.session.passages import Passage
from vaultkit.table.host import Refused, Words
from vaultkit.table.marks import Marks
from vaultkit.table.sight import Aside
from vaultkit.vault.writing.escape import clean

_LONGEST = 200
"""Letters of a question."""


def plain(text: str) -> str:
    """Markdown as plain lines."""
    from vaultkit.campaign.readings.reading_page import text_lines  # with all that a reading needs

    return "\n".join(text_lines(text))


class Consulting:
    """Answers questions about one session out of its notes."""

    def __init__(self, session: Session, reference: Reference) -> None:
        self._session = session
        self.reference = reference
        self._hinted: dict[Seat, tuple[Scene, Hint]] = {}

    def answer(self, order: Words, scene: Scene, marks: Marks, ahead: Session | None = None) -> Sequence[Aside] | None:
        """The answer for whoever sees this scene; None where the order is no question. Raises Refused.

        `ahead` is the session in which they choose before it is their turn.
        """
        words = line_of(order.get("words"))
        match order["do"]:
            case "ask":
                return passages_on(words, self.reference)
            case "rule":
                return list(self._rule(words))
            case "hint":
                return [self._hint(scene, ahead or self._session)]
            case "who":
                return [standings_in(scene, self._session.words)]
            case "why":
                return list(self._why(marks.card_of(order.get("card")) or line_of(order.get("card")) or words, scene))
        return None

    def _rule(self, words: str) -> Iterator[Aside]:
        """The passages of that name; without any the rule of this moment, and the house rules."""
        deck, turn = self._session.deck, self._session.turn
        if words.strip():
            found = list(lookup.of_text(words, deck, self.reference))
            yield from map(aside_of, found) if found else [Aside(words, ["Nothing is known of that."])]
            return
        yield from map(aside_of, lookup.of_turn(turn, deck, self.reference) if turn else ())
        header = self._session.header
        rules = house_rules(self._session.game, header.options, header.agreement.settled_options)
        if rules:
            yield Aside("House rules", list(rules))

    def _hint(self, scene: Scene, session: Session) -> Aside:
        prompt = session.prompt
        if prompt is None or prompt.seat != scene.viewer:
            raise Refused("A hint is for whoever is asked, and sees the own hand.")
        if self._hinted.get(prompt.seat, (None,))[0] != scene:  # it takes long, and may be asked for at will
            try:
                self._hinted[prompt.seat] = (scene, hint(session, prompt))
            except VaultkitError as error:
                raise Refused(error.message) from error
        found = self._hinted[prompt.seat][1]
        told = [self._told_of(offer, scene.viewer) for offer in scene.offers if offer.move == found.move]
        return Aside("A hint", [*told, reason_words(found, prompt.seat, self._session.words)])

    def _why(self, wanted: str, scene: Scene) -> Iterator[Aside]:
        deck = self._session.deck
        seen = {card for zone in scene.zones for card in zone.cards}
        cards = [deck[wanted]] if wanted in seen else cards_meant(wanted, deck, seen)
        if not cards:
            raise Refused(f"That is no card here. {nearest_card(wanted, deck)}".strip())
        yield from (self._about(card, scene) for card in cards[:MOST_TOLD])

    def _about(self, card: Card, scene: Scene) -> Aside:
        """The moves that can be made with a card, or the one reason why there are none; and its text."""
        reason = scene.refusals.get(card.id)
        moves = [self._told_of(offer, scene.viewer) for offer in scene.offers if card.id in offer.move.operands]
        why = [self._session.words(reason)] if reason else moves or ["No move now is made with it."]
        passage = lookup.of_card(card, self.reference)
        return Aside(card.title, [*why, *passage.text.splitlines()], passage.source)

    def _told_of(self, offer: Offer, viewer: Seat | None) -> str:
        """A move, and what comes of it."""
        label = self._session.words(offer.ends or offer.label).rstrip(".")
        return " ".join([f"{label}.", *self._results(offer, viewer)])

    def _results(self, offer: Offer, viewer: Seat | None) -> list[str]:
        """Return the consequences of a move, a sentence each."""
        changes = [f"{self._session.name(seat)} {change}." for seat, change in gains(offer, viewer)]
        return [*changes, *map(self._session.words, sentences(offer))]


def passages_on(words: str, reference: Reference) -> list[Aside]:
    """All that answers a question. Raises Refused."""
    try:
        return list(map(aside_of, reference.ask(words)))
    except VaultkitError as error:
        raise Refused(error.in_full) from error


def standings_in(scene: Scene, say: Callable[[Sentence], str]) -> Aside:
    """How everybody stands."""
    told = ((one.seat, spoken_standing(one, scene, say)) for one in scene.standings)
    lines = [f"{scene.names[seat]}: {words}." for seat, words in told]
    return Aside("How everybody stands", lines or ["Nobody counts anything before the end of this game."])


def line_of(words: object) -> str:
    """Words as somebody may have typed them."""
    return clean(words[:_LONGEST]) if isinstance(words, str) else ""


def aside_of(passage: Passage) -> Aside:
    """A passage for whoever asked; where a terminal has a link to copy, players read the note and the heading."""
    source = passage.source.removeprefix("[[").removesuffix("]]").replace("#", ", ")
    return Aside(passage.title, passage.text.splitlines(), source)
