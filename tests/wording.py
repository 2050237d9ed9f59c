"""Comparison of messages by their facts, so that words may change. Whole texts are in transcripts and recordings."""

import re


class Says:
    """Equal to each text with a line that holds these facts in this order: names, numbers, places, telling words.

    A fact is a part of the line that begins and ends as a word does.
    """

    def __init__(self, *facts: str) -> None:
        self.facts = facts
        self._pattern = re.compile(".*".join(map(_as_whole_words, facts)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and bool(self._pattern.search(other))

    __hash__ = None  # type: ignore[assignment]  # a set or a dict would compare hashes, and so never find the text

    def __repr__(self) -> str:
        return f"Says({', '.join(map(repr, self.facts))})"


def _as_whole_words(fact: str) -> str:
    start, end = (r"\b" if place.isalnum() else "" for place in (fact[0], fact[-1]))
    return f"{start}{re.escape(fact)}{end}"
