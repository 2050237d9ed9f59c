"""The moves of a Scene in rows: the letters to type, the cards, and the consequences of each."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from rich.text import Text

from vaultkit.games.messages import Sentence
from vaultkit.scene.consequence_text import gains, sentences, short_sentences, with_pronoun
from vaultkit.scene.scene import Offer, Scene
from vaultkit.terminal.terminal_text import TerminalText
from vaultkit.text import group

FEW_WORDS, OVERVIEW, POINTS = 1, 2, 3
"""Ways to say what comes of moves: in few words, of those with two letters in a range, and in points alone."""
_MAX_LISTED_MOVE_COUNT = 2
"""The most moves with one card that an overview lists one by one."""


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
class _ListedMove:
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
    """The moves of a scene in the order of their cards, with their letters; `letters` are those of the cards.

    `target_letters` are the second letters of cards on which others are played.
    """

    scene: Scene
    offers: Sequence[Offer]
    codes: Sequence[str]
    letters: Mapping[str, str]
    speaker: TerminalText
    target_letters: Mapping[str, str] = field(default_factory=dict)

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

    def rows(self, brevity: int = 0) -> list[MoveRow]:
        """Return a row for each card, or for cards with the same result."""
        entries = group((entry.offer.card or entry.offer.move.id, entry) for entry in self._entries(brevity))
        visible, rows = self.scene.zone_cards, dict[object, list[_ListedMove]]()
        for key, (first, *more) in entries.items():
            is_merged = not self._is_pair(first.offer, first.code) and first.offer.card in visible
            row_key = (first.action.plain, first.general.plain) if is_merged else key
            rows.setdefault(row_key, []).extend((first, *more))
        return [self._row(sorted(row, key=lambda entry: entry.code), brevity) for row in rows.values()]

    def is_shortened(self, brevity: int) -> bool:
        """Return whether few words leave something out."""
        entries = (self._entries(0), self._entries(min(brevity, FEW_WORDS)))
        full, short = ([entry.sentences for entry in listed_moves] for listed_moves in entries)
        return brevity >= OVERVIEW or full != short

    def remarks(self) -> list[Text]:
        """Return a paragraph for each kind of move with the facts that all its moves share."""
        kinds = group((offer.label.words, offer.label) for offer in self.offers if offer.card)
        return [
            Text.assemble(self._kind(kinds[words]) if len(kinds) > 1 else "Each", ": ", Text(" ").join(texts))
            for words, texts in self.shared.items()
        ]

    def _kind(self, labels: Sequence[Sentence]) -> Text:
        """Return the moves of a kind as one, with "it" for the card and without the others in which they differ."""
        action = with_pronoun(labels[0], labels[0].cards[0])
        words = action.words
        for index, cards in enumerate(zip(*(label.cards for label in labels), strict=False)):
            if len(set(cards)) > 1:
                words = words.partition(f" the {{c{index}}}")[0].removesuffix(" on")
        return self.speaker.text(replace(action, words=words))

    def facts(self, offer: Offer) -> list[Text]:
        """Return the consequences of an offer, one fact each."""
        points = [Text(f"{self.speaker.seat(seat)} {change} points") for seat, change in gains(offer, None)]
        return [*points, *map(self.speaker.text, sentences(offer))]

    def label(self, offer: Offer) -> Text:
        """Return a move as it is offered; one that ends the game says how."""
        return self.speaker.text(offer.ends or offer.label)

    def _entries(self, brevity: int) -> list[_ListedMove]:
        results = {offer.move: tuple(self._own_sentences(offer)) for offer in self.offers}
        if brevity:
            short = {offer.move: self._few_words(offer) for offer in self.offers if offer.touches[1:]}
            gained = {offer.move: self._points(offer).plain for offer in self.offers}
            keys = {move: (*move.operands[:1], gained[move], text.plain) for move, text in short.items()}
            meanings = group((key, str(results[move])) for move, key in keys.items())
            distinct = [move for move, key in keys.items() if len({*meanings[key]}) == 1]
            results |= {move: tuple(filter(None, [short[move]])) for move in distinct}
        actions = {offer.move: self._action(offer) for offer in self.offers if offer.card}
        usual = Counter(action.plain for action in actions.values()).most_common(1)
        entries = []
        for offer, code in zip(self.offers, self.codes, strict=True):
            action = actions.get(offer.move, Text())
            action = Text() if usual and action.plain == usual[0][0] else action
            points, general = self._points(offer), self._general_result(offer, results[offer.move])
            entries.append(_ListedMove(code, offer, action, points, results[offer.move], general))
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

    def _row(self, entries: Sequence[_ListedMove], brevity: int) -> MoveRow:
        codes, first = tuple(entry.code for entry in entries), entries[0]
        if len(entries) == 1 and not self._is_pair(first.offer, first.code):
            card = first.offer.card
            label = self.label(first.offer) if first.action or not card else self.speaker.card(card)
            is_named = brevity < OVERVIEW or first.action or card not in self.scene.zone_cards or not first.result
            return MoveRow(codes, label if is_named else Text(), first.points if brevity == POINTS else first.result)
        if len({entry.offer.card for entry in entries}) > 1:
            names = Text(", ").join(self.speaker.card(entry.offer.card) for entry in entries)
            is_same = len({entry.result.plain for entry in entries}) == 1
            result = first.points if brevity == POINTS else first.result if is_same else first.general
            return MoveRow(codes, names, Text.assemble(first.action, ": " if first.action and result else "", result))
        lead = [text for text in first.sentences if all(text in entry.sentences for entry in entries)]
        lead = lead if len(entries) > 1 else []
        letter = self.letters[first.offer.card]
        name = self.speaker.code(first.offer.card) if brevity else self.speaker.card(first.offer.card)
        if brevity >= OVERVIEW and len(entries) > _MAX_LISTED_MOVE_COUNT:
            return MoveRow((letter,), name, self._overview(entries))
        return MoveRow(
            (letter,), name, Text(" ").join(lead), tuple(self._part(entry, lead, brevity) for entry in entries)
        )

    def _overview(self, entries: Sequence[_ListedMove]) -> Text:
        """Return how many moves there are with a card, and what they are worth to the player."""
        offers, you = [entry.offer for entry in entries], self.scene.you
        points = sorted(int(dict(gains(offer, you)).get(you or 0, 0)) for offer in offers)
        letter = self.letters[offers[0].card]
        return Text(f"{len(offers)} moves, you {points[0]:+d} to {points[-1]:+d}: type {letter}")

    def _is_pair(self, offer: Offer, code: str) -> bool:
        """Return whether a move with a card has two letters, the first of which is that of the card."""
        return bool(offer.card) and code != self.letters[offer.card]

    def _part(self, entry: _ListedMove, lead: Sequence[Text], brevity: int) -> Text:
        """Return one of the moves with a card, `ab on the 2☾ Author +5`, without the facts that all of them share."""
        label, targets = with_pronoun(entry.offer.label, entry.offer.card), entry.offer.label.cards[1:]
        text = self.speaker.text(label)
        if len(targets) == len(entry.offer.touches) - 1 > 0:
            text = Text(" on ").join(map(self.speaker.code if brevity else self.speaker.card, targets))
            text = Text("on ").append_text(text) if len(targets) == 1 else text
        elif entry.offer.label.words in self.shared:  # which the line of its kind says in full
            text = self.speaker.text(replace(label, words=label.words.partition(":")[0]))
        own = [text for text in (entry.points, *entry.sentences) if text and text not in lead]
        own = [] if brevity >= OVERVIEW and not targets else own
        code = Text(f"{entry.code} ", self.speaker.look.style("number"))
        return Text.assemble(code, text, ": " if own else "", Text(" ").join(own))

    def _action(self, offer: Offer) -> Text:
        return self.speaker.text(with_pronoun(offer.ends or offer.label, offer.card))

    def _sentence_texts(self, offer: Offer) -> list[Text]:
        return [self.speaker.text(with_pronoun(sentence, offer.card, "with ")) for sentence in sentences(offer)]

    def _own_sentences(self, offer: Offer) -> list[Text]:
        """Return the sentences for an offer that are not true of all its kind; its card is "it" in them."""
        shared = self.shared.get(offer.label.words, []) if offer.card else []
        return [text for text in self._sentence_texts(offer) if text not in shared]

    def _few_words(self, offer: Offer) -> Text:
        """Return few words for what comes of a move with a target besides points."""
        words = [self.speaker.text(words) for words in short_sentences(offer, self.scene.you, detailed=True)]
        own = [text[: text.plain.find(" (")] if " (" in text.plain else text for text in words]
        return Text(", ").join(own) if own or self._points(offer) else Text(" ").join(self._own_sentences(offer))

    def _points(self, offer: Offer) -> Text:
        """Return the points that seats are certain to gain or lose."""
        you, style = self.scene.you, self.speaker.look.style("number")
        names = (f"{'you' if seat == you else self.speaker.seat(seat)} {change}" for seat, change in gains(offer, you))
        return Text("  ").join(Text(name, style) for name in names)


def _join_result(points: Text, texts: Sequence[Text]) -> Text:
    return Text("  ").join(filter(None, [points, Text(" ").join(texts)]))
