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
    return _EntryParser(names, ledger).parse(re.findall(r"[^\s,;:()]+", text), prefix)


class _EntryParser:
    """A parser of entries, for players with `names` and the ledger of a game."""

    def __init__(self, names: Sequence[str], ledger: Ledger) -> None:
        self._names, self._ledger, self._deck = names, ledger, ledger.deck

    def parse(self, words: list[str], prefix: LedgerLine) -> LedgerLine:
        """Return the tokens that `words` stand for, after the ones of `prefix`.

        Raises UsageError for a word that has no meaning, or that can mean several cards.
        """
        line_tokens = list(prefix)
        while words:
            word_counts = range(min(len(words), _MAX_NAME_WORDS), 0, -1)
            matching_counts = (count for count in word_counts if self._match_tokens(words[:count], line_tokens))
            word_count = next(matching_counts, 0)
            if not word_count and words[0].casefold() not in _FILLERS:
                raise self._unknown_word_error(words)
            tokens = self._match_tokens(words[:word_count], line_tokens)
            if len(tokens) > 1:
                cards = "; ".join(self._deck[token].title for token in tokens)
                raise UsageError(f"'{' '.join(words[:word_count])}' could be: {cards}.")
            line_tokens += tokens
            words = words[max(word_count, 1) :]
        return tuple(line_tokens)

    def _match_tokens(self, words: Sequence[str], line_tokens: Sequence[str]) -> tuple[str, ...]:
        """Return the tokens that the words can mean: `@` and a seat, a word of the game, or ids of cards.

        A full name takes precedence over the beginning of a name.
        """
        text = " ".join(words)
        if not text:
            return ()
        seats = find_seats(self._names, text)
        if any(name_key(self._names[seat]) == name_key(text) for seat in seats):
            return (f"@{seats[0]}",)
        if text.casefold() in self._ledger.words:
            return (text.casefold(),)
        cards = find_cards(text, self._deck, self._ledger.possible_cards(tuple(line_tokens)))
        if len(seats) == 1 and not any(is_exact_name(text, card) for card in cards):
            return (f"@{seats[0]}",)
        return tuple(card.id for card in cards)

    def _unknown_word_error(self, words: Sequence[str]) -> UsageError:
        """Return the error for words that cannot be parsed, with all players that fit, or else the nearest name."""
        if len(seats := find_seats(self._names, words[0])) > 1:
            return UsageError(f"'{words[0]}' could be: {'; '.join(self._names[seat] for seat in seats)}.")
        choices = [*self._names, *self._ledger.words, *spellings(self._deck, self._deck.by_id)]
        attempts = (" ".join(words[:size]) for size in range(min(len(words), 3), 0, -1))
        hints = (did_you_mean(text, choices, min_score=MIN_SIMILARITY_PERCENT) for text in attempts)
        suggestion = next(filter(None, hints), "")
        return UsageError(f"'{words[0]}' is not a card, player or word here. {suggestion}".strip())


def list_completions(names: Sequence[str], ledger: Ledger) -> tuple[str, ...]:
    """Return the full spellings with which typed text can be completed."""
    return (*names, *ledger.words, *spellings(ledger.deck, ledger.deck.by_id))
