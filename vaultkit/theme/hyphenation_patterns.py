"""Hyphenation of words by the patterns of their language; Pyphen has patterns for some forty languages."""

import re
from functools import lru_cache
from pathlib import Path

from vaultkit import files

HYPHEN = "-"
_MIN_WORD_LENGTH = 6
"""The minimum length of a word that may be divided."""
_MIN_PREFIX_LENGTH, _MIN_SUFFIX_LENGTH = 3, 3
"""The minimum number of letters before and after a division."""
_MAX_WORD_LENGTH = 60
_WORD = re.compile(r"[^\W\d_]+")
_NOUN_CAPITALIZING_LANGUAGES = ("de", "lb")
"""Languages that capitalize all nouns; in others, a capitalized word may be a name, and names are never divided."""
_DIGITS = b"0123456789"
_LEVEL_AND_LETTER = re.compile(r"(\d?)(\D?)")
_FORBIDDEN_LEVEL = 10
"""An even level above all others, which forbids a division where it would change the spelling."""
_CODE_PAGES = {"microsoft-cp1251": "cp1251"}


@lru_cache(maxsize=2_000)
def hyphenation_points(word: str, language: str) -> tuple[int, ...]:
    """Return the positions at which a word may be divided, each as the number of letters before it.

    Short words, names, and words in an unknown language are never divided.
    """
    patterns = (
        _load_patterns(language)
        if _MIN_WORD_LENGTH <= len(word) <= _MAX_WORD_LENGTH and _WORD.fullmatch(word)
        else None
    )
    is_noun = language.lower().partition("-")[0] in _NOUN_CAPITALIZING_LANGUAGES and word[1:].islower()
    if patterns is None or not (word.islower() or is_noun):
        return ()
    return tuple(
        point for point in patterns.places(word) if _MIN_PREFIX_LENGTH <= point <= len(word) - _MIN_SUFFIX_LENGTH
    )


class _Patterns:
    """A Pyphen dictionary that is parsed word by word, since parsing all of German takes a second."""

    def __init__(self, file: Path) -> None:
        head, _, body = files.read(file, allow_links=True).partition(b"\n")
        name = head.decode("ascii").strip().lower()
        body, code_page = body.replace(b"\r", b""), _CODE_PAGES.get(name, name)
        lines, keys = (text.decode(code_page).split("\n") for text in (body, body.translate(None, _DIGITS)))
        self._lines = dict(zip(keys, lines, strict=True))
        changes = [(key, line) for key, line in zip(keys, lines, strict=True) if "/" in key] if b"/" in body else []
        self._lines |= {key.partition("/")[0]: line for key, line in changes}

    def places(self, word: str) -> list[int]:
        """Return the positions at which the patterns allow a division, the ones with an odd level.

        A position is the number of letters before it.
        """
        dotted_word = f".{word.lower()}."
        levels = [0] * (len(dotted_word) + 1)
        for start in range(len(dotted_word)):
            for end in range(start + 1, len(dotted_word) + 1):
                line = self._lines.get(dotted_word[start:end])
                if line is not None:
                    self._raise_levels(levels, start, line)
        return [index - 1 for index, level in enumerate(levels) if level % 2]

    @staticmethod
    def _raise_levels(levels: list[int], start: int, line: str) -> None:
        pattern, changes, _ = line.partition("/")
        for index, (digit, _letter) in enumerate(_LEVEL_AND_LETTER.findall(pattern), start):
            level = int(digit or 0)
            if index < len(levels):
                levels[index] = max(levels[index], _FORBIDDEN_LEVEL if changes and level % 2 else level)


@lru_cache(maxsize=4)
def _load_patterns(language: str) -> _Patterns | None:
    """Return the patterns of a language such as `de` or `pt-BR`; None if there are none."""
    if not language:
        return None
    import pyphen

    name = pyphen.language_fallback(language)
    return None if name is None else _Patterns(Path(pyphen.LANGUAGES[name]))
