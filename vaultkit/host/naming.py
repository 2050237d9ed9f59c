"""The naming of real cards as its clients see it."""

from vaultkit.host.advice import Answer
from vaultkit.host.view_state import EntryDraft
from vaultkit.scene import rule_reference
from vaultkit.scene.real_cards import WORDS_FOR_NOTHING, HandNaming, Naming
from vaultkit.scene.rule_reference import Reference
from vaultkit.session import Session
from vaultkit.session.card_names import MAX_LISTED_CARDS, find_cards
from vaultkit.text import capitalize_first


def naming_draft(naming: Naming) -> EntryDraft:
    """Return what is to be named now."""
    words = tuple((label, label, "") for _, label in naming.choices)
    if isinstance(naming, HandNaming) and naming.words and naming.move is None:
        words = ((WORDS_FOR_NOTHING[0], capitalize_first(WORDS_FOR_NOTHING[0]), ""),)
    deck = naming.session.deck
    return EntryDraft(
        naming.question,
        None if naming.choices else naming.pile,
        words,
        tuple(deck[card].title for card in naming.named),
        answers=naming.words,
        subject=naming.subject,
        can_go_back=bool(naming.named or naming.move),
    )


def explain_cards(words: str, session: Session, naming: Naming, reference: Reference) -> list[Answer]:
    """Return for each card that words name why it can or cannot be named now, and its text."""
    turn, deck = session.turn, session.deck
    assert turn is not None, "something is asked"
    answers = []
    for card in find_cards(words, deck, deck.by_id)[:MAX_LISTED_CARDS]:
        passage = rule_reference.card_passage(card, reference)
        lines = [naming.cards.explain_card(card, turn), *passage.text.splitlines()]
        answers.append(Answer(card.title, lines, passage.source))
    return answers
