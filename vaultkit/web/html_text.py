"""Sentences of a Scene as words and as HTML, with the names of its seats and cards."""

import re
from dataclasses import replace

from markupsafe import Markup, escape

from vaultkit.games.messages import Event, Outcome, Seat, Sentence, Table
from vaultkit.host.view_state import ViewState
from vaultkit.scene.consequence_text import gains, sentences, with_pronoun
from vaultkit.scene.scene import Offer, Question
from vaultkit.session import Step
from vaultkit.text import capitalize_first, join_words

_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_RIGHT_TO_LEFT_RUN = re.compile(rf"\u2068[^\u2069]*\u2069|[{_RIGHT_TO_LEFT}](?:[\s'\".-]*[{_RIGHT_TO_LEFT}])*")
_NAME_BEFORE_QUESTION = re.compile(r"(^|[.?!] )\{s0\}, (\w)")


def isolate_right_to_left(text: str) -> str:
    """Return the text with isolates around words from right to left, which then cannot reorder their sentence."""
    isolated = _RIGHT_TO_LEFT_RUN.sub(lambda run: run[0] if run[0][0] == "\u2068" else f"\u2068{run[0]}\u2069", text)
    return Markup(isolated) if isinstance(text, Markup) else isolated


class HtmlText:
    """The words of a Scene for the viewer of one page."""

    def __init__(self, sight: ViewState) -> None:
        self._sight = sight

    def seat(self, seat: Seat) -> str:
        return self._sight.scene.names[seat]

    def title(self, card_id: str, *, short: bool = False) -> str:
        """Return the title of a card, or its name; an id that is no card of the deck is returned unchanged."""
        card = self._sight.deck.by_id.get(card_id)
        return card_id if card is None else card.name if short else card.title

    def text(self, sentence: Sentence) -> str:
        """Return a sentence without markup."""
        return sentence.render(self.seat, self.title)

    def html(self, sentence: Sentence, *, short: bool = False) -> Markup:
        """Return a sentence with its seats and cards highlighted; `short` names cards without rank and suit."""
        words = str(escape(sentence.words))
        safe_sentence = replace(sentence, words=words, values=tuple(escape(value) for value in sentence.values))
        html = safe_sentence.render(
            lambda seat: str(Markup("<bdi>{}</bdi>").format(self.seat(seat))),
            lambda card: str(Markup("<i>{}</i>").format(self.title(card, short=short))),
        )
        return Markup(html)

    def question(self, scene_question: Question) -> Markup:
        """Return a question for somebody whose name is shown above it."""
        words = _NAME_BEFORE_QUESTION.sub(lambda match: match[1] + match[2].upper(), scene_question.text.words)
        return self.html(replace(scene_question.text, words=words))

    def decides(self, scene_question: Question) -> str:
        """Return who decides, or the words of a decision by chance."""
        if scene_question.party:
            return "The party decides"
        if scene_question.seat is None and self._sight.cover:
            return f"{capitalize_first(self._sight.cover.name)} decides"
        if scene_question.luck:
            return self.text(scene_question.luck).removesuffix(".")
        if scene_question.seat is None:
            return "The table decides"
        if self._sight.waiting_for[1:]:
            return f"{self.names(self._sight.waiting_for)} decide"
        return f"{self.seat(scene_question.seat)} decides"

    def waiting_text(self) -> str:
        """Return the words that name the people still choosing, "" for nobody."""
        verb = "are" if self._sight.waiting_for[1:] else "is"
        return f"{self.names(self._sight.waiting_for)} {verb} choosing" if self._sight.waiting_for else ""

    def event(self, step: Step, event: Event) -> Markup:
        """Return the words of an event; the first sentence of a move without a choice says so."""
        auto = step.auto and event is step.events[0]
        return self.html(event.sentence) + (Markup(" <small>(no choice)</small>") if auto else "")

    def label(self, offer: Offer, card: str) -> str:
        """Return the words of an offer, in which the `card` is "it"; a move that ends the game says how."""
        return self.text(with_pronoun(offer.ends or offer.label, card))

    def gains(self, offer: Offer) -> list[tuple[str, str]]:
        """Return the changes of scores by an offer, the viewer's first, as pairs of a name and a change."""
        changes = gains(offer, self._sight.scene.viewer)
        return [("" if seat == self._sight.scene.viewer else self.seat(seat), change) for seat, change in changes]

    def effect(self, offer: Offer) -> Markup:
        """Return the consequences of an offer in words."""
        return Markup(" ").join(map(self.html, sentences(offer)))

    def rule(self, scene_question: Question) -> str:
        """Return the rule of a question in few words."""
        parts = (scene_question.rule.rpartition("#")[2], ", ".join(scene_question.rulings))
        return " · ".join(filter(None, parts))

    def names(self, seats: tuple[Seat, ...]) -> str:
        return join_words(map(self.seat, seats))

    def result(self, outcome: Outcome) -> Markup:
        """Return who won, or who lost together."""
        seats = tuple(range(len(self._sight.scene.names))) if outcome.kind == "loss" else outcome.winners
        verb = "lose" if outcome.kind == "loss" else "win"
        return self.html(Sentence(f"{{seats}} {verb}{'' if seats[1:] else 's'}" if seats else "Nobody wins", seats))

    def rows(self, sheet: Table, winners: tuple[Seat, ...]) -> list[tuple[bool, tuple[str, ...]]]:
        """Return the rows of a score table, each with whether it is a winner's, and with names in the first cell."""
        seats = sheet.seats or (None,) * len(sheet.rows)
        return [(seat in winners, row) for seat, row in zip(seats, sheet.with_names(self.seat).rows, strict=True)]
