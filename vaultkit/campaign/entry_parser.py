"""Parsing of typed entries about a game with real cards: names of players and cards, and words of the game."""

import re
from collections.abc import Sequence

from vaultkit.campaign.players import find_seats
from vaultkit.errors import UsageError
from vaultkit.games.ledger import Ledger, LedgerLine
from vaultkit.session.card_names import MIN_SIMILARITY_PERCENT, find_cards, is_exact_name, spellings
from vaultkit.spelling import did_you_mean
from vaultkit.text import name_key

_MAX_NAME_WORDS = 5
"""The highest number of words in one name."""
_FILLERS = frozenset({"the", "and", "on", "with", "by", "of", "a", "from", "to", "is", "takes", "took", "taken"})


def read_entry(text: str, names: Sequence[str], ledger: Ledger, prefix: LedgerLine = ()) -> LedgerLine:
    """Return the entry that the text stands for, with the tokens of `prefix` before it.

    Raises UsageError for a word that is no player, card or word of the game, or that can mean several cards.
    """
    words, line_tokens = re.findall(r"[^\s,;:()]+", text), list(prefix)
    while words:
        candidates = (words[:count] for count in range(min(len(words), _MAX_NAME_WORDS), 0, -1))
        matches = ((name, _match_tokens(" ".join(name), names, ledger, line_tokens)) for name in candidates)
        name_words, tokens = next((match for match in matches if match[1]), (words[:1], ()))
        if not tokens and words[0].casefold() not in _FILLERS:
            raise _unknown_word_error(words, names, ledger)
        if len(tokens) > 1:
            cards = "; ".join(ledger.deck[token].title for token in tokens)
            raise UsageError(f"'{' '.join(name_words)}' could be: {cards}.")
        line_tokens += tokens
        words = words[len(name_words) :]
    return tuple(line_tokens)


def _match_tokens(text: str, names: Sequence[str], ledger: Ledger, line_tokens: Sequence[str]) -> tuple[str, ...]:
    """Return the tokens that a text can mean: `@` and a seat, a word of the game, or ids of cards.

    A full name takes precedence over the beginning of a name.
    """
    seats = find_seats(names, text)
    if any(name_key(names[seat]) == name_key(text) for seat in seats):
        return (f"@{seats[0]}",)
    if text.casefold() in ledger.words:
        return (text.casefold(),)
    cards = find_cards(text, ledger.deck, ledger.possible_cards(tuple(line_tokens)))
    if len(seats) == 1 and not any(is_exact_name(text, card) for card in cards):
        return (f"@{seats[0]}",)
    return tuple(card.id for card in cards)


def _unknown_word_error(words: Sequence[str], names: Sequence[str], ledger: Ledger) -> UsageError:
    """Return the error for words that cannot be parsed, with all players that fit, or else the nearest name."""
    if len(seats := find_seats(names, words[0])) > 1:
        return UsageError(f"'{words[0]}' could be: {'; '.join(names[seat] for seat in seats)}.")
    choices = list_completions(names, ledger)
    attempts = (" ".join(words[:size]) for size in range(min(len(words), 3), 0, -1))
    hints = (did_you_mean(text, choices, min_score=MIN_SIMILARITY_PERCENT) for text in attempts)
    suggestion = next(filter(None, hints), "")
    return UsageError(f"'{words[0]}' is not a card, player or word here. {suggestion}".strip())


def list_completions(names: Sequence[str], ledger: Ledger) -> tuple[str, ...]:
    """Return the full spellings with which typed text can be completed."""
    return (*names, *ledger.words, *spellings(ledger.deck, ledger.deck.by_id))
