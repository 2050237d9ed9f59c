"""The moves of a Scene in words: what each letter stands for, and what comes of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rich.text import Text

from vaultkit.games.words import Seat, Sentence
from vaultkit.play.speaking import Speaker
from vaultkit.scene.picking import folds_of
from vaultkit.scene.scene import Offer


@dataclass(frozen=True, slots=True)
class Key:
    """The meaning of one letter: a move, or the moves of one card. `result` is what comes of it, `card` its place.

    `action` is the label with "it" for the card, for a board on which the letter stands at that card.
    """

    letters: str
    label: Text
    action: Text
    result: Text
    card: str = ""


def keys_of(offers: Sequence[Offer], letters: Sequence[str], viewer: Seat | None, speaker: Speaker) -> list[Key]:
    """A key for each letter, or for the first one where moves fold by their card."""
    folds = folds_of(offers, letters)
    return [key(one, fold, viewer, speaker, folded=len(folds) < len(offers)) for one, fold in folds.items()]


def label(offer: Offer, speaker: Speaker) -> Text:
    """A move as an offer; one that ends the game says what comes of it."""
    return speaker.text(offer.ends or offer.label)


def result(offer: Offer, viewer: Seat | None, speaker: Speaker, *, card: str = "") -> Text:
    """The consequence of an offer: points first, then sentences, in which the `card` is "it".

    One that ends the game says in its label what comes of it.
    """
    text = Text()
    for seat, change in sorted(offer.consequence.gains.items(), key=lambda gain: gain[0] != viewer):
        whose = "" if seat == viewer else f"{speaker.seat(seat)} "
        text.append(f"{whose}{change:+g}  ", speaker.look.style("number"))
    sentences = () if offer.ends else offer.consequence.sentences
    said = (speaker.text(_with_it(sentence, card, "with ")) for sentence in sentences)
    return text.append_text(Text(" ").join(said))


def facts(offer: Offer, speaker: Speaker) -> list[Text]:
    """The consequence of an offer, one fact each."""
    gains = offer.consequence.gains.items()
    points = [Text(f"{speaker.seat(seat)} {change:+g} points") for seat, change in gains]
    return [*points, *map(speaker.text, offer.consequence.sentences)]


def key(letters: str, fold: Sequence[Offer], viewer: Seat | None, speaker: Speaker, *, folded: bool = False) -> Key:
    """The key of a move, or of the moves with one card; `folded` where others are folded."""
    first = fold[0]
    card = next((touch for touch in first.touches[:1] if isinstance(touch, str)), "")
    if len(fold) == 1:
        action = speaker.text(_with_it(first.ends or first.label, card))
        comes = result(first, viewer, speaker, card=card)
        if folded and card:
            return Key(
                letters, speaker.card(card), Text(), action.append(".  " if comes else "").append_text(comes), card
            )
        return Key(letters, label(first, speaker), action, comes, card)
    name = speaker.card(card) if card else label(first, speaker)
    return Key(letters, name, Text(), _choices(fold, card, viewer, speaker), card)


def _choices(fold: Sequence[Offer], card: str, viewer: Seat | None, speaker: Speaker) -> Text:
    """The deeds that one card allows: `Play it on the 8☾ +20, 4≈`, or one deed after the other."""
    by_deed: dict[tuple[str, ...], list[Offer]] = {}
    for offer in fold:
        deed = _with_it(offer.label, card)
        others = deed.cards[:-1] if _is_on_card(deed) else ()
        by_deed.setdefault((deed.words, *others), []).append(offer)
    return Text("; ").join(_deed(offers, card, viewer, speaker) for offers in by_deed.values())


def _deed(offers: Sequence[Offer], card: str, viewer: Seat | None, speaker: Speaker) -> Text:
    said = _with_it(offers[0].label, card)
    if not _is_on_card(said):
        return Text("; ").join(speaker.text(_with_it(offer.label, card)) for offer in offers)
    text = speaker.text(replace(said, words=said.words[: said.words.rindex("{")]))
    return text.append_text(Text(", ").join(_target(offer, viewer, speaker) for offer in offers))


def _target(offer: Offer, viewer: Seat | None, speaker: Speaker) -> Text:
    """The last card of a deed, and what it brings."""
    text, gain = speaker.code(offer.label.cards[-1]), offer.consequence.gains.get(viewer or 0)
    return text.append(f" {gain:+g}" if gain else "", speaker.look.style("number"))


def _is_on_card(said: Sentence) -> bool:
    return len(said.cards) > 1 and said.words.endswith(f"{{c{len(said.cards) - 1}}}")


def _with_it(sentence: Sentence, card: str, before: str = "") -> Sentence:
    """The sentence with "it" for the card that it is about, where nothing but `before` is there to say which."""
    words = sentence.words
    for place, name in enumerate(sentence.cards):
        if name == card and f"up the {{c{place}}}" not in words:
            words = words.replace(f"{before}the {{c{place}}}", f"{before}it").replace(f"the open {{c{place}}}", "it")
    return replace(sentence, words=words)


def groups(keys: Sequence[Key], say: Callable[[Key], Text]) -> dict[str, tuple[Text, list[str]]]:
    """The letters of all keys of which the same is to be said, by what that is."""
    found: dict[str, tuple[Text, list[str]]] = {}
    for key in keys:
        text = say(key)
        if text.plain:
            found.setdefault(text.plain, (text, []))[1].append(key.letters)
    return found
