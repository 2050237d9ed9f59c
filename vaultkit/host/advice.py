"""Answers to questions that change nothing: rules, cards, a hint, and how everybody stands."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from vaultkit.cards import Card, Deck
from vaultkit.errors import VaultkitError
from vaultkit.games.messages import Seat, Sentence
from vaultkit.games.turn import Chance, Prompt
from vaultkit.host.orders import OrderRefused
from vaultkit.scene import rule_reference
from vaultkit.scene.consequence_text import reason_words, result_words
from vaultkit.scene.hint import Hint, gm_hint, hint
from vaultkit.scene.real_cards import DEALER_SEAT_INDEX, Naming
from vaultkit.scene.rule_reference import Reference
from vaultkit.scene.scene import Offer, Scene, standing_text
from vaultkit.search.answer_lines import whole_text
from vaultkit.search.passages import Passage
from vaultkit.session import Session
from vaultkit.session.card_names import MAX_LISTED_CARDS, find_cards, suggest_card
from vaultkit.session.options import house_rules


def markdown_to_text(text: str) -> str:
    """Return Markdown as plain lines."""
    from vaultkit.campaign.reading import text_lines  # with all that a reading needs

    return "\n".join(text_lines(text))


@dataclass(frozen=True, slots=True)
class AdviceQuery:
    """A question that changes nothing: `kind` is ask, rule, hint, who or why; `whole` asks for whole sections."""

    kind: str
    words: str = ""
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """A rule, a card's text, a hint, or how everybody stands, for whoever asked.

    `has_more` says that it is a part of a section, which can be asked for.
    """

    title: str
    lines: Sequence[str]
    source: str = ""
    has_more: bool = False


class Advice:
    """The advice on one session, from its notes."""

    def __init__(self, session: Session, reference: Reference) -> None:
        self._session = session
        self.reference = reference
        self._hints_by_seat: dict[Seat, tuple[Scene, Hint]] = {}

    def answer(self, query: AdviceQuery, scene: Scene, session_ahead: Session | None = None) -> Sequence[Answer]:
        """Return the answers for a viewer who sees `scene`. Raises OrderRefused.

        `session_ahead` is the session in which the player chooses before it is their turn.
        """
        match query.kind:
            case "ask":
                return find_answers(query, self.reference)
            case "rule":
                return [*self._rule_answers(query.words)]
            case "hint":
                return [self._hint_answer(scene, session_ahead or self._session)]
            case "who":
                return [standings_answer(scene, self._session.words)]
        return [*self._card_answers(query.words, scene)]

    def hint(self, scene: Scene, session: Session) -> Hint:
        """Return the hint for the player who is asked; it takes long, so it is kept. Raises OrderRefused."""
        prompt, turn = session.prompt, session.turn
        if isinstance(turn, Chance) and session.is_gm_choice(turn) and scene.viewer == DEALER_SEAT_INDEX:
            if not session.is_party:  # the bids and hands on which the points depend are hidden from the GM
                raise OrderRefused("There is no hint for the dealer where players hide their hands.")
            return gm_hint(session, turn)
        if prompt is None or prompt.seat != scene.viewer:
            raise OrderRefused("Hints are only for the player who is asked: they use that player's hand.")
        if self._hints_by_seat.get(prompt.seat, (None,))[0] != scene:
            try:
                self._hints_by_seat[prompt.seat] = (scene, hint(session, prompt))
            except VaultkitError as error:
                raise OrderRefused(error.message) from error
        return self._hints_by_seat[prompt.seat][1]

    def _rule_answers(self, words: str) -> Iterator[Answer]:
        """Yield the passages of that name; without words the aim, the rule of this moment, and the house rules."""
        turn, header = self._session.turn, self._session.header
        aim = None if words else self._session.game.aim(self._session.view(0))
        if aim:
            yield Answer("The aim", [self._session.words(aim)])
        passages = rule_passages(words, turn, self._session.deck, self.reference) if words or turn else []
        yield from map(passage_answer, passages)
        if words and not passages:
            yield Answer(words, [explain_missing(words)])
        rules = house_rules(self._session.game, header.options, header.agreement.settled_options)
        if rules and not words:
            yield Answer("House rules", list(rules))

    def _hint_answer(self, scene: Scene, session: Session) -> Answer:
        bot_hint = self.hint(scene, session)
        moves = [self._describe_offer(offer, scene.viewer) for offer in scene.offers if offer.move == bot_hint.move]
        return Answer("A hint", [*moves, reason_words(bot_hint, scene.viewer or 0, self._session.words)])

    def _card_answers(self, query: str, scene: Scene) -> Iterator[Answer]:
        deck = self._session.deck
        cards = [deck[query]] if query in scene.zone_cards else find_cards(query, deck, scene.zone_cards)
        if not cards:
            raise OrderRefused(f"That is not a card here. {suggest_card(query, deck)}".strip())
        yield from (self._card_answer(card, scene) for card in cards[:MAX_LISTED_CARDS])

    def _card_answer(self, card: Card, scene: Scene) -> Answer:
        """Return the moves that can be made with a card, or the one reason why there are none; and its text."""
        reason = scene.refusals.get(card.id)
        moves = [self._describe_offer(offer, scene.viewer) for offer in scene.offers if card.id in offer.move.operands]
        why = [self._session.words(reason)] if reason else moves or ["No move is possible with it now."]
        passage = rule_reference.card_passage(card, self.reference)
        return Answer(card.title, [*why, *passage.text.splitlines()], passage.source)

    def _describe_offer(self, offer: Offer, viewer: Seat | None) -> str:
        """Return the text of a move and of its consequences."""
        label = self._session.words(offer.ends or offer.label).rstrip(".")
        return f"{label}. {result_words(offer, viewer, self._session)}".rstrip()


def explain_missing(words: str, rulings: Sequence[str] = ()) -> str:
    """Return the sentence for words that name no passage, or without words for a turn that no note explains."""
    if words:
        return f"Nothing is known of '{words}'. Search the rules and your notes: ask {words}"
    return f"No note explains this. Rulings: {', '.join(rulings)}."


def rule_passages(words: str, turn: Prompt | Chance | None, deck: Deck, reference: Reference) -> list[Passage]:
    """Return the passages that words name, or the passages on the current turn if there are no words."""
    if words:
        return [*rule_reference.text_passages(words, deck, reference)]
    return [*rule_reference.turn_passages(turn, deck, reference)] if turn else []


def explain_named_cards(words: str, session: Session, naming: Naming, reference: Reference) -> list[Answer]:
    """Return, for each real card that `words` mean, why it can or cannot be named now, and its text."""
    turn, deck = session.turn, session.deck
    assert turn is not None, "something is asked"
    answers = []
    for card in find_cards(words, deck, deck.by_id)[:MAX_LISTED_CARDS]:
        passage = rule_reference.card_passage(card, reference)
        lines = [naming.cards.explain_card(card, turn), *passage.text.splitlines()]
        answers.append(Answer(card.title, lines, passage.source))
    return answers


def find_answers(query: AdviceQuery, reference: Reference) -> list[Answer]:
    """Return the passages that answer a question. Raises OrderRefused if there are none."""
    try:
        passages = reference.ask(query.words)
    except VaultkitError as error:
        raise OrderRefused(error.message_with_hint) from error
    return [
        passage_answer(replace(passage, text=whole_text(passage)) if query.whole else passage) for passage in passages
    ]


def standings_answer(scene: Scene, say: Callable[[Sentence], str]) -> Answer:
    """Return how everybody stands."""
    seat_texts = ((standing.seat, standing_text(standing, scene, say)) for standing in scene.standings)
    lines = [f"{scene.names[seat]}: {words}." for seat, words in seat_texts]
    return Answer("How everybody stands", lines or ["Nothing is counted before the end of this game."])


def passage_answer(passage: Passage) -> Answer:
    """Return a passage as an answer; its source names the note and the heading in words, since pages have no links."""
    source = passage.source.removeprefix("[[").removesuffix("]]").replace("#", ", ")
    has_more = len(whole_text(passage)) > len(passage.text)
    return Answer(passage.title, passage.text.splitlines(), source, has_more=has_more)
