"""The lists of related words in `vaultkit/search/related`, made from WordNet and word vectors.

Usage: python -m scripts.related_words WORDNET VECTORS > vaultkit/search/related/en.dat

WORDNET is the folder `dict` of WordNet 3.0. VECTORS is a text file of GloVe, such as `glove.6B.50d.txt`: a line for
each word, the most frequent first, with its numbers. This needs numpy, which vaultkit itself does not.

Words are related as far as WordNet relates them and their vectors are alike, or if their vectors are nearly the same.
`vaultkit.search.related_words` describes the file.
"""

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from importlib import import_module
from itertools import combinations, islice
from math import log
from pathlib import Path
from typing import Any, NamedTuple

from vaultkit.search.related_words import MUTUAL_MASK
from vaultkit.search.stemming import ENGLISH, language

_FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
_SENSE_SHARES = (1.0, 0.9, 0.75, 0.6, 0.5, 0.4)
"""How much the first, the second and other meanings of a word count."""
_POINTER_SHARES = {"@": 0.6, "~": 0.6, "&": 0.7, "*": 0.6, ">": 0.7, "$": 0.8, "^": 0.5, "\\": 0.8, "=": 0.6, "+": 0.95}
"""How much a relation of WordNet counts, such as `@`, the more general word, or `+`, a derived word."""
_PART_SHARE, _GLOSS_SHARE, _MAX_GLOSS_RARITY = 0.4, 0.45, 8.0
"""How much the parts of a thing count, and the words of a definition if they are rare in definitions."""
_VECTOR_WORD_COUNT, _STEM_COUNT = 60_000, 20_000
_NEIGHBOUR_COUNT, _MIN_NEIGHBOUR_LIKENESS = 25, 0.62
"""The number of words with the nearest vectors, and the likeness of vectors of words that WordNet does not relate."""
_MIN_NEARNESS, _RELATED_COUNT = 0.33, 4
"""The nearness from which a word is listed, and the number of words in a line at most."""
_language = language(ENGLISH)


class Synset(NamedTuple):
    """Words with one meaning, the words of its definition, and the other synsets with their relation."""

    words: list[str]
    gloss: list[str]
    pointers: list[tuple[str, tuple[str, str]]]


def read_synsets(wordnet: Path) -> dict[tuple[str, str], Synset]:
    """Return the synsets of WordNet by part of speech and offset."""
    synsets: dict[tuple[str, str], Synset] = {}
    for letter, name in _FILES.items():
        for line in _lines(wordnet / f"data.{name}"):
            head, _, gloss = line.partition("|")
            parts = head.split()
            count = int(parts[3], 16)
            words = [re.sub(r"\(.*\)", "", word) for word in parts[4 : 4 + 2 * count : 2]]
            pointers = parts[5 + 2 * count :]
            targets = [
                (pointers[index], (pointers[index + 2].replace("s", "a"), pointers[index + 1]))
                for index in range(0, 4 * int(parts[4 + 2 * count]), 4)
            ]
            gloss_words = re.findall(r"[a-z]+", re.sub(r"\(.*?\)", "", gloss.partition(";")[0].lower()))
            synsets[letter, parts[0]] = Synset(words, gloss_words, targets)
    return synsets


def read_ranks(wordnet: Path) -> dict[tuple[str, str, str], int]:
    """Return the rank, from 0, of each meaning among those of a word, by word, part of speech and offset."""
    ranks: dict[tuple[str, str, str], int] = {}
    for letter, name in _FILES.items():
        for line in _lines(wordnet / f"index.{name}"):
            parts = line.split()
            for rank, offset in enumerate(parts[6 + int(parts[3]) :]):
                ranks[parts[0], letter, offset] = rank
    return ranks


def _lines(file: Path) -> Iterator[str]:
    with file.open(encoding="latin-1") as lines:
        yield from (line for line in lines if not line.startswith("  "))


def find_relations(wordnet: Path, synsets: dict[tuple[str, str], Synset]) -> dict[tuple[str, str], float]:
    """Return how much WordNet relates two stems, for all pairs that it relates."""
    ranks, shares = read_ranks(wordnet), defaultdict[tuple[str, str], float](float)

    def share(word: str, key: tuple[str, str]) -> float:
        return _SENSE_SHARES[min(ranks.get((word, *key), len(_SENSE_SHARES)), len(_SENSE_SHARES) - 1)]

    def relate(word: str, other: str, value: float) -> None:
        pair = _language.stem(word), _language.stem(other)
        for key in (pair, pair[::-1]):
            shares[key] = max(shares[key], value)

    uses = Counter(word for synset in synsets.values() for word in {*synset.gloss})
    for key, synset in synsets.items():
        for word, other in combinations(filter(_is_plain, synset.words), 2):
            relate(word, other, share(word, key) * share(other, key))
        for word in filter(_is_plain, synset.words):
            for other in synset.gloss:
                rarity = min(1.0, log(len(synsets) / uses[other]) / _MAX_GLOSS_RARITY)
                relate(word, other, _GLOSS_SHARE * rarity * share(word, key))
            for sign, target in synset.pointers:
                pointer_share = _POINTER_SHARES.get(sign, _PART_SHARE if sign[0] in "%#" else 0.0)
                for other in filter(_is_plain, synsets[target].words):
                    relate(word, other, pointer_share * share(word, key) * share(other, target))
    return shares


def _is_plain(word: str) -> bool:
    return word.islower() and word.isalpha()


def read_vectors(file: Path, stems: set[str], numpy: Any) -> tuple[list[str], Any]:
    """Return the most frequent ones of some stems, and the vector of each, of length 1."""
    sums: dict[str, Any] = {}
    with file.open(encoding="utf-8") as lines:
        for rank, line in enumerate(islice(lines, _VECTOR_WORD_COUNT), 1):
            word, _, numbers = line.partition(" ")
            stem = _language.stem(word)
            if len(word) > 2 and stem in stems and (stem in sums or len(sums) < _STEM_COUNT):
                vector = numpy.array(numbers.split(), numpy.float32)
                sums[stem] = sums.get(stem, 0) + vector / numpy.linalg.norm(vector) / rank**0.5
    vectors = numpy.stack([*sums.values()])
    vectors -= vectors.mean(0)
    main_axes = numpy.linalg.svd(vectors, full_matrices=False)[2][:2]  # these two say only how frequent a word is
    vectors -= (vectors @ main_axes.T) @ main_axes
    return [*sums], vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)


def find_steps(wordnet: Path, vector_file: Path) -> Iterator[tuple[str, dict[str, int]]]:
    """Yield each stem that has related ones, with their steps of nearness, the most frequent stem first."""
    numpy = import_module("numpy")
    synsets = read_synsets(wordnet)
    known_stems = {_language.stem(word) for synset in synsets.values() for word in synset.words if _is_plain(word)}
    relations = find_relations(wordnet, synsets)
    stems, vectors = read_vectors(vector_file, known_stems - _language.stop_words, numpy)
    numbers, related = {stem: number for number, stem in enumerate(stems)}, defaultdict[str, dict[str, float]](dict)
    for (stem, other), share in relations.items():
        if stem != other and stem in numbers and other in numbers:
            related[stem][other] = share
    for number, stem in enumerate(stems):
        likeness = vectors @ vectors[number]
        nearness = {
            other: 0.55 * (share + max(0.0, likeness[numbers[other]])) for other, share in related[stem].items()
        }
        for neighbour in numpy.argsort(-likeness)[: _NEIGHBOUR_COUNT + 1]:
            if stems[neighbour] != stem and likeness[neighbour] > _MIN_NEIGHBOUR_LIKENESS:
                nearness.setdefault(stems[neighbour], 0.9 * (likeness[neighbour] - 0.15))
        best = sorted(((value, other) for other, value in nearness.items() if value > _MIN_NEARNESS), reverse=True)
        if best:
            yield stem, {other: min(9, int(value * 10 + 0.5)) for value, other in best[:_RELATED_COUNT]}


def encode(steps_by_stem: dict[str, dict[str, int]]) -> bytes:
    """Return the bytes of a file of related words; a relation that holds in both directions is told once."""
    numbers = {stem: number for number, stem in enumerate(steps_by_stem)}
    counts, steps, others = list[int](), list[int](), list[int]()
    for stem, related in steps_by_stem.items():
        count = len(steps)
        for other, step in sorted(related.items(), key=lambda item: numbers.get(item[0], 0)):
            is_mutual = steps_by_stem.get(other, {}).get(stem) == step
            if other in numbers and not (is_mutual and numbers[other] < numbers[stem]):
                steps.append(step + MUTUAL_MASK * is_mutual)
                others.append(numbers[other])
        counts.append(len(steps) - count)
    low, high = (bytes(number >> shift & 0xFF for number in others) for shift in (0, 8))
    return "\n".join(numbers).encode() + b"\n\n" + bytes(counts) + bytes(steps) + low + high


if __name__ == "__main__":
    sys.stdout.buffer.write(encode(dict(find_steps(*map(Path, sys.argv[1:3])))))
