"""The moves of a Scene in words: what each letter stands for, and what comes of it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rich.text import Text

from vaultkit.games.messages import Seat, Sentence
from vaultkit.games.turn import Move
from vaultkit.scene.consequence_text import gains, sentences, tags, with_pronoun
from vaultkit.scene.move_input import folds_of
from vaultkit.scene.scene import Offer
from vaultkit.terminal.terminal_text import TerminalText


@dataclass(frozen=True, slots=True)
class MoveKey:
    """The meaning of one letter: a move, or the moves of one card (`is_fold`).

    `result` is what comes of it, `short` that in points and a few words, "" if these do not say it; `meaning` is it
    without the names of its own cards. `card` is its place, and `action` the label with "it" for the card, for a board
    on which the letter stands at that card.
    """

    letters: str
    label: Text
    action: Text
    result: Text
    card: str = ""
    is_fold: bool = False
    meaning: object = None
    short: Text = field(default_factory=Text)


def build_keys(
    offers: Sequence[Offer], letters: Sequence[str], viewer: Seat | None, speaker: TerminalText
) -> list[MoveKey]:
    """A key for each letter, or for the first one where moves fold by their card."""
    folds = folds_of(offers, letters)
    short = _short_results(list(folds.values()), viewer, speaker)
    if len(folds) == len(offers):
        whole = [build_key(entry, fold[0], viewer, speaker) for entry, fold in folds.items()]
        return [replace(entry, short=short[folds[entry.letters][0].move]) for entry in whole]
    keys = [
        _build_fold_key(entry, fold, speaker, short)
        if len(fold) > 1
        else build_key(entry, fold[0], viewer, speaker, folded=True)
        for entry, fold in folds.items()
    ]
    times = Counter(entry.result.plain for entry in keys if entry.is_fold)
    return [
        _add_shared_results(entry, folds[entry.letters], speaker) if times[entry.result.plain] > 1 else entry
        for entry in keys
    ]


def _add_shared_results(key: MoveKey, fold: Sequence[Offer], speaker: TerminalText) -> MoveKey:
    """The key of a fold that reads like another one, with what all its moves have in common."""
    shared = set(fold[0].consequences).intersection(*(other.consequences for other in fold))
    common = replace(fold[0], consequences=tuple(part for part in fold[0].consequences if part in shared), ends=None)
    texts = [speaker.text(with_pronoun(part, key.card, "with ")) for part in sentences(common)]
    text = Text(" ").join([key.result.copy().append("."), *texts]) if texts else key.result
    return replace(key, result=text, meaning=text.plain)


def label_text(offer: Offer, speaker: TerminalText) -> Text:
    """A move as an offer; one that ends the game says what comes of it."""
    return speaker.text(offer.ends or offer.label)


def result_text(offer: Offer, viewer: Seat | None, speaker: TerminalText, *, card: str = "") -> Text:
    """The consequences of an offer: certain points first, then sentences, in which the `card` is "it"."""
    text = _gains(offer, viewer, speaker, "  ")
    texts = (speaker.text(with_pronoun(sentence, card, "with ")) for sentence in sentences(offer))
    return text.append_text(Text(" ").join(texts))


def _gains(offer: Offer, viewer: Seat | None, speaker: TerminalText, end: str) -> Text:
    """The points that seats are certain to gain or lose, each followed by `end`."""
    text = Text()
    for seat, change in gains(offer, viewer):
        whose = "" if seat == viewer else f"{speaker.seat(seat)} "
        text.append(f"{whose}{change}{end}", speaker.look.style("number"))
    return text


def fact_texts(offer: Offer, speaker: TerminalText) -> list[Text]:
    """The consequences of an offer, one fact each."""
    points = [Text(f"{speaker.seat(seat)} {change} points") for seat, change in gains(offer, None)]
    return [*points, *map(speaker.text, sentences(offer))]


def build_key(
    letters: str, offer: Offer, viewer: Seat | None, speaker: TerminalText, *, folded: bool = False
) -> MoveKey:
    """The key of one move; `folded` where others are folded."""
    card = _first_card(offer)
    action = speaker.text(with_pronoun(offer.ends or offer.label, card))
    outcome = result_text(offer, viewer, speaker, card=card)
    if folded and card:
        outcome = action.append(".  " if outcome else "").append_text(outcome)
        return MoveKey(letters, speaker.card(card), Text(), outcome, card, meaning=outcome.plain)
    return MoveKey(letters, label_text(offer, speaker), action, outcome, card, meaning=_meaning(offer))


def _first_card(offer: Offer) -> str:
    return next((touch for touch in offer.touches[:1] if isinstance(touch, str)), "")


def _build_fold_key(letters: str, fold: Sequence[Offer], speaker: TerminalText, short: Mapping[Move, Text]) -> MoveKey:
    """The key of several moves with one card, the results in `short`."""
    card = _first_card(fold[0])
    name = speaker.card(card) if card else label_text(fold[0], speaker)
    choices = _fold_text(fold, card, speaker, short)
    return MoveKey(letters, name, Text(), choices, card, is_fold=True, meaning=choices.plain)


def _fold_text(fold: Sequence[Offer], card: str, speaker: TerminalText, short: Mapping[Move, Text]) -> Text:
    """The deeds that one card allows: `Play it on the 8☾ +20, 4≈`, or one deed after the other."""
    by_deed: dict[tuple[str, ...], list[Offer]] = {}
    for offer in fold:
        deed = with_pronoun(offer.label, card)
        others = deed.cards[:-1] if _is_on_card(deed) else ()
        by_deed.setdefault((deed.words, *others), []).append(offer)
    return Text("; ").join(_deed_text(offers, card, short, speaker) for offers in by_deed.values())


def _deed_text(offers: Sequence[Offer], card: str, short: Mapping[Move, Text], speaker: TerminalText) -> Text:
    deed = with_pronoun(offers[0].label, card)
    if not _is_on_card(deed):
        labels = (speaker.text(with_pronoun(offer.label, card)) for offer in offers)
        results = (_bracket(short[offer.move].copy()) for offer in offers)
        return Text("; ").join(_with_result(text, result) for text, result in zip(labels, results, strict=True))
    text = speaker.text(replace(deed, words=deed.words[: deed.words.rindex("{")]))
    targets = (_with_result(speaker.code(offer.label.cards[-1]), short[offer.move]) for offer in offers)
    return text.append_text(Text(", ").join(targets))


def _with_result(text: Text, short: Text) -> Text:
    return text.append(" ").append_text(short) if short.plain else text


def _short_results(folds: Sequence[Sequence[Offer]], viewer: Seat | None, speaker: TerminalText) -> dict[Move, Text]:
    """The results of moves in as few words as tell different ones apart, at least those of one card."""
    offers = [offer for fold in folds for offer in fold]
    meanings = {offer.move: _meaning(offer) for offer in offers}
    ways = [
        {offer.move: _short_text(offer, tags(offer, viewer, detailed=detailed), viewer, speaker) for offer in offers}
        for detailed in (False, True)
    ]

    def is_clear(texts: Mapping[Move, Text], offer: Offer, among: Sequence[Offer]) -> bool:
        alike = {meanings[other.move] for other in among if texts[other.move].plain == texts[offer.move].plain}
        return len(alike) == 1

    short: dict[Move, Text] = {}
    for fold in folds:
        for offer in fold:
            clear = (texts[offer.move] for texts in ways if is_clear(texts, offer, offers))
            in_fold = (texts[offer.move] for texts in ways[::-1] if is_clear(texts, offer, fold))
            own = _without_shared(offer, fold)
            full = _bracket(result_text(own, viewer, speaker, card=_first_card(offer)))
            short[offer.move] = next(clear, next(in_fold, full if sentences(own) else ways[0][offer.move]))
    return short


def _without_shared(offer: Offer, fold: Sequence[Offer]) -> Offer:
    """The offer without the consequences beside points that all of the fold have."""
    shared = set(offer.consequences).intersection(*(other.consequences for other in fold))
    effects = [effect for effect in offer.consequences if effect not in shared or effect.fact.kind == "score"]
    return replace(offer, consequences=tuple(effects))


def _meaning(offer: Offer) -> tuple[object, ...]:
    """Return the consequences of a move, without the names of its own cards."""
    own = set(offer.move.operands)
    own_sentences = (
        replace(sentence, cards=tuple(card for card in sentence.cards if card not in own))
        for sentence in sentences(offer)
    )
    return (*gains(offer, None), *own_sentences)


def _short_text(offer: Offer, tags: Sequence[str], viewer: Seat | None, speaker: TerminalText) -> Text:
    text = _gains(offer, viewer, speaker, " ")
    text.rstrip()
    return Text(" ").join([*([text] if text.plain else []), *map(Text, tags)])


def _bracket(text: Text) -> Text:
    text.rstrip()
    if text.plain.startswith("("):
        return text
    return Text("(").append_text(text[:-1] if text.plain.endswith(".") else text).append(")") if text.plain else text


def _is_on_card(sentence: Sentence) -> bool:
    return len(sentence.cards) > 1 and sentence.words.endswith(f"{{c{len(sentence.cards) - 1}}}")


def group_letters(keys: Sequence[MoveKey], say: Callable[[MoveKey], Text]) -> dict[str, tuple[Text, list[str]]]:
    """The letters of all keys of which the same is to be said, by what that is."""
    by_text: dict[str, tuple[Text, list[str]]] = {}
    for key in keys:
        text = say(key)
        if text.plain:
            by_text.setdefault(text.plain, (text, []))[1].append(key.letters)
    return by_text
