"""The words of all notes of a vault: the forms of a stem, words derived from the same one, and parts of compounds."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from vaultkit.search.stemming import ENGLISH, GERMAN, Language
from vaultkit.text import plain_letters

_PREFIX_LENGTH = 3
"""The number of letters at the beginning of a word that all its forms share, apart from irregular ones."""
_MIN_RELATED_LENGTH = 4
"""The number of letters that related words share at least."""
_MIN_COMPOUND_LENGTH = 8
"""The number of letters from which a word that is not German may be a compound, such as `shipwreck`."""
_MAX_COMPOUND_LENGTH = 80
"""The number of letters up to which a word is divided; German has words of 79."""
_MAX_ENDING_LENGTH, _MIN_SHARED_SHARE = 3, 0.6
"""The number of letters at the end in which related words differ at most, and the share of letters that they share."""


class Vocabulary:
    """The words in a full-text index with `size` sections.

    `lines` has a line for each word, in order: the word without accents and the number of sections that contain it.
    """

    def __init__(self, lines: bytes, size: int) -> None:
        self._lines, self.size = lines, size

    @lru_cache(maxsize=1000)  # noqa: B019 - a vocabulary lives as long as the answer
    def forms(self, stem: str, language: Language) -> frozenset[str]:
        """Return the words of the vault, without accents, that have a stem."""
        prefixes = {
            stem[:_PREFIX_LENGTH],
            *(plain_letters(form)[:_PREFIX_LENGTH] for form in language.irregular_forms(stem)),
        }
        return frozenset(
            term
            for prefix in prefixes
            for term in self._terms(prefix)
            if language.stem(term) == stem or (language.code != ENGLISH and _are_near(language.stem(term), stem))
        )

    @lru_cache(maxsize=1000)  # noqa: B019 - a vocabulary lives as long as the answer
    def _terms(self, prefix: str) -> dict[str, int]:
        """Return the words that begin with some letters, each with the number of sections that contain it."""
        sign = f"\n{prefix}".encode()
        start = self._lines.find(sign)
        end = self._lines.find(b"\n", self._lines.rfind(sign) + 1)
        pairs = (line.split() for line in self._lines[start:end].decode().split("\n") if line) if start >= 0 else ()
        return {word: int(count) for word, count in pairs}

    def _longer_words(self, part: str) -> Iterator[str]:
        """Yield the words that contain some letters."""
        letters, start = part.encode(), 0
        while (start := self._lines.find(letters, start)) >= 0:
            begin, start = self._lines.rfind(b"\n", 0, start) + 1, self._lines.find(b"\n", start)
            if part in (word := self._lines[begin:start].split()[0].decode()):
                yield word

    def words(self, prefix: str) -> set[str]:
        """Return the words, without accents, that begin with some letters."""
        return {*self._terms(prefix)}

    def count(self, stem: str, language: Language) -> int:
        """Return the number of sections, at most, that contain a word with a stem."""
        forms: Iterable[str] = self.forms(stem, language)
        return min(self.size, sum(self._terms(form[:_PREFIX_LENGTH]).get(form, 0) for form in forms))

    @lru_cache(maxsize=1000)  # noqa: B019 - a vocabulary lives as long as the answer
    def compounds(self, stem: str, language: Language) -> frozenset[str]:
        """Return the stems of compounds with a word at their beginning or end, and of the parts of a compound."""
        is_german = language.code == GERMAN
        stems = set[str]()
        if len(stem) >= _MIN_RELATED_LENGTH + (not is_german):
            stems = {
                language.stem(term)
                for term in self._longer_words(stem)
                if is_german or term.startswith(stem) or term.endswith(stem)
            }
        if (_MIN_RELATED_LENGTH if is_german else _MIN_COMPOUND_LENGTH) <= len(stem) <= _MAX_COMPOUND_LENGTH:
            for end in range(_MIN_RELATED_LENGTH, len(stem) - 2):
                parts = [part for part in (stem[:end], stem[end:]) if self.count(part, language)]
                if len(parts) == 2 or is_german:
                    stems.update(part for part in parts if len(part) >= _MIN_RELATED_LENGTH)
        return frozenset(stems - {stem})

    @lru_cache(maxsize=1000)  # noqa: B019 - a vocabulary lives as long as the answer
    def related_stems(self, stem: str, language: Language) -> frozenset[str]:
        """Return the stems of words that are derived from the same word as a stem, and of compounds with it."""
        if len(stem) < _MIN_RELATED_LENGTH:
            return frozenset()
        near = {language.stem(term) for term in self._terms(stem[:_MIN_RELATED_LENGTH])}
        derived = {
            other
            for other in near
            if (shared_count := _count_shared_letters(stem, other)) >= max(len(stem), len(other)) - _MAX_ENDING_LENGTH
            and shared_count >= min(len(stem), len(other)) - 1
            and (language.code != ENGLISH or shared_count >= _MIN_SHARED_SHARE * max(len(stem), len(other)))
        }
        return frozenset(derived - {stem}) | self.compounds(stem, language)


def _count_shared_letters(stem: str, other_stem: str) -> int:
    """Return the number of letters at the beginning that two stems share."""
    pairs = enumerate(zip(stem, other_stem, strict=False))
    return next((index for index, (letter, other) in pairs if letter != other), min(len(stem), len(other_stem)))


def _are_near(stem: str, other_stem: str) -> bool:
    """Return whether two stems differ by up to two letters at the end, as they do if accents are missing."""
    shorter, longer = sorted((stem, other_stem), key=len)
    return len(shorter) > _PREFIX_LENGTH and longer.startswith(shorter) and len(longer) <= len(shorter) + 2
