"""The moves of a Scene in rows: the letters to type, the cards, and the consequences of each."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rich.text import Text

from vaultkit.scene.consequence_text import gains, sentences, tags, with_pronoun
from vaultkit.scene.scene import Offer, Scene
from vaultkit.terminal.terminal_text import TerminalText
from vaultkit.text import group

_TAGGED_KINDS = frozenset({"permanent", "out", "ends", "risk"})
"""The kinds of facts for which there are short words."""


@dataclass(frozen=True, slots=True)
class MoveRow:
    """Moves with the same consequences, or with the same card.

    `label` names the cards, or the move. `parts` are the moves with one card that differ, each with its letters.
    """

    codes: tuple[str, ...]
    label: Text
    text: Text
    parts: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class _Entry:
    """A move: `action` says it with "it" for its card, "" for the usual one; the others say what comes of it.

    `general` has "its owner" for the owner of the card.
    """

    code: str
    offer: Offer
    action: Text
    points: Text
    sentences: tuple[Text, ...]
    general: Text

    @property
    def result(self) -> Text:
        return _join_result(self.points, self.sentences)


@dataclass(frozen=True)
class MoveList:
    """The moves of a scene in the order of their cards, with their letters; `letters` are those of the cards."""

    scene: Scene
    offers: Sequence[Offer]
    codes: Sequence[str]
    letters: Mapping[str, str]
    speaker: TerminalText

    @cached_property
    def shared(self) -> dict[str, list[Text]]:
        """The sentences that are true of all moves of a kind, by the words of the kind, unless nothing else is."""
        kinds = group((offer.label.words, offer) for offer in self.offers if offer.card)
        return {words: shared for words, offers in kinds.items() if (shared := self._shared_sentences(offers))}

    def _shared_sentences(self, offers: Sequence[Offer]) -> list[Text]:
        texts = [self._sentence_texts(offer) for offer in offers]
        shared = [text for text in texts[0] if all(text in other for other in texts)] if len(texts) > 1 else []
        is_all = all(len(other) == len(shared) for other in texts) and not any(map(self._points, offers))
        return [] if is_all else shared

    def rows(self, *, is_short: bool) -> list[MoveRow]:
        """Return a row for each card, or for cards with the same result; short rows have few words for usual facts."""
        entries = group((entry.offer.card or entry.offer.move.id, entry) for entry in self._entries(is_short=is_short))
        visible, rows = self.scene.zone_cards, dict[object, list[_Entry]]()
        for key, (first, *more) in entries.items():
            is_merged = not self._is_pair(first) and first.offer.card in visible
            row_key = (first.action.plain, first.general.plain) if is_merged else key
            rows.setdefault(row_key, []).extend((first, *more))
        return [self._row(row) for row in rows.values()]

    def shared_texts(self) -> list[Text]:
        """Return what is true of all moves of a kind, a paragraph for each kind."""
        actions = {offer.label.words: self._action(offer) for offer in self.offers if offer.card}
        return [
            Text.assemble(actions[words] if len(actions) > 1 else "Each", ": ", Text(" ").join(texts))
            for words, texts in self.shared.items()
        ]

    def facts(self, offer: Offer) -> list[Text]:
        """Return the consequences of an offer, one fact each."""
        points = [Text(f"{self.speaker.seat(seat)} {change} points") for seat, change in gains(offer, None)]
        return [*points, *map(self.speaker.text, sentences(offer))]

    def label(self, offer: Offer) -> Text:
        """Return a move as it is offered; one that ends the game says how."""
        return self.speaker.text(offer.ends or offer.label)

    def _entries(self, *, is_short: bool) -> list[_Entry]:
        results = {offer.move: tuple(self._own_sentences(offer)) for offer in self.offers}
        if is_short:
            short = {offer.move: tuple(self._short_sentences(offer)) for offer in self.offers}
            keys = {move: (*move.operands[:1], *map(str, text)) for move, text in short.items()}
            meanings = group((key, str(results[move])) for move, key in keys.items())
            results |= {move: text for move, text in short.items() if len({*meanings[keys[move]]}) == 1}
        actions = {offer.move: self._action(offer) for offer in self.offers if offer.card}
        usual = Counter(action.plain for action in actions.values()).most_common(1)
        entries = []
        for offer, code in zip(self.offers, self.codes, strict=True):
            action = actions.get(offer.move, Text())
            action = Text() if usual and action.plain == usual[0][0] else action
            points, general = self._points(offer), self._general_result(offer, results[offer.move])
            entries.append(_Entry(code, offer, action, points, results[offer.move], general))
        return entries

    def _general_result(self, offer: Offer, texts: Sequence[Text]) -> Text:
        """Return a result in which the owner of a card is not named, if all decide together."""
        owner = next((zone.owner for zone in self.scene.zones if offer.card in zone.cards), None)
        if owner is None or self.scene.you is not None:
            return _join_result(self._points(offer), texts)
        general = replace(self, speaker=self.speaker.with_seat_name(owner, "its owner"))
        own = general._own_sentences(offer)
        own = [Text("I").append_text(text[1:]) if text.plain.startswith("its owner") else text for text in own]
        return _join_result(general._points(offer), own)

    def _row(self, entries: Sequence[_Entry]) -> MoveRow:
        codes, first = tuple(entry.code for entry in entries), entries[0]
        if len(entries) == 1 and not self._is_pair(first):
            card = first.offer.card
            label = self.label(first.offer) if first.action or not card else self.speaker.card(card)
            return MoveRow(codes, label, first.result)
        if len({entry.offer.card for entry in entries}) > 1:
            names = Text(", ").join(self.speaker.card(entry.offer.card) for entry in entries)
            is_same = len({entry.result.plain for entry in entries}) == 1
            result = first.result if is_same else first.general
            return MoveRow(codes, names, Text.assemble(first.action, ": " if first.action and result else "", result))
        lead = [text for text in first.sentences if all(text in entry.sentences for entry in entries)]
        lead = lead if len(entries) > 1 else []
        parts = tuple(self._part(entry, lead) for entry in entries)
        name = self.speaker.card(first.offer.card)
        return MoveRow((self.letters[first.offer.card],), name, Text(" ").join(lead), parts)

    def _is_pair(self, entry: _Entry) -> bool:
        """Return whether a move with a card has two letters, the first of which is that of the card."""
        return bool(entry.offer.card) and entry.code != self.letters[entry.offer.card]

    def _part(self, entry: _Entry, lead: Sequence[Text]) -> Text:
        """Return one of the moves with a card, `ab on the 2☾ Author +5`, without what is true of them all."""
        label, card = with_pronoun(entry.offer.label, entry.offer.card), entry.offer.card
        if entry.offer.touches[1:] and label.cards[:1] == (card,) and " on the {c" in label.words:
            label = replace(label, words=label.words[label.words.rindex("on the {c") :])
        elif entry.offer.label.words in self.shared:  # which the line of its kind says in full
            label = replace(label, words=label.words.partition(":")[0])
        text = Text.assemble((entry.code, self.speaker.look.style("number")), " ", self.speaker.text(label))
        own = [text for text in (entry.points, *entry.sentences) if text and text not in lead]
        return text.append(": " if own else "").append_text(Text("  ").join(own))

    def _action(self, offer: Offer) -> Text:
        return self.speaker.text(with_pronoun(offer.ends or offer.label, offer.card))

    def _sentence_texts(self, offer: Offer) -> list[Text]:
        return [self.speaker.text(with_pronoun(sentence, offer.card, "with ")) for sentence in sentences(offer)]

    def _own_sentences(self, offer: Offer) -> list[Text]:
        """Return the sentences for an offer that are not true of all its kind; its card is "it" in them."""
        shared = self.shared.get(offer.label.words, []) if offer.card else []
        return [text for text in self._sentence_texts(offer) if text not in shared]

    def _short_sentences(self, offer: Offer) -> list[Text]:
        """Return few words for a move with a target; other moves, and facts without such words, as usual."""
        if not offer.touches[1:]:
            return self._own_sentences(offer)
        has_points, you = bool(self._points(offer)), self.scene.you
        others = tuple(
            effect for effect in offer.consequences
            if not (effect.fact.kind == "moved" and has_points)
            and not (effect.fact.seat in {you, None} and effect.fact.kind in _TAGGED_KINDS
                     and (effect.is_certain or effect.fact.kind == "risk"))
        )  # fmt: skip
        words = Text(" ".join(tags(offer, you, detailed=True)))
        return [*([words] if words else []), *self._own_sentences(replace(offer, consequences=others))]

    def _points(self, offer: Offer) -> Text:
        """Return the points that seats are certain to gain or lose."""
        you, style = self.scene.you, self.speaker.look.style("number")
        names = (f"{'you' if seat == you else self.speaker.seat(seat)} {change}" for seat, change in gains(offer, you))
        return Text("  ").join(Text(name, style) for name in names)


def _join_result(points: Text, texts: Sequence[Text]) -> Text:
    return Text("  ").join(filter(None, [points, Text(" ").join(texts)]))
