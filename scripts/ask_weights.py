"""The weights with which `ask` ranks passages of notes, learned from questions with known answers.

Usage: python -m scripts.ask_weights VAULTS FILE [FILE ...]    such as tests/data/strangers/vaults and its questions

The model is a conditional logit: each question chooses one of its candidate passages, or none of them, with a chance in
proportion to the exponential of the sum of its weighted features, which is 1 for none. The weights are those with which
the right choices are most likely, less a penalty for their squares. Each file is also answered with the weights that
are learned from the others, and the number of right answers is printed for it: this is what new questions are likely to
score. Questions that a name answers before any ranking count, but teach nothing.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from math import exp
from operator import mul
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from tests.search.question_files import first_passage, is_right, read_questions
from vaultkit.search.answer_lines import lines
from vaultkit.search.note_ranking import Features, NoteRanking
from vaultkit.search.ranking import RankedEntry

_NONE_WEIGHT = 0.7
"""How much a question without an answer counts, compared with one that has one."""
_PENALTY, _STEP_COUNT, _RATE, _DECAY, _SQUARE_DECAY = 3.0, 250, 0.1, 0.9, 0.99
"""The penalty for squares of weights, and the number, size and decays of steps of the gradient method Adam."""


class Choice(NamedTuple):
    """A question with the features of its candidates, and which of them are right.

    Without candidates, a name has answered it, or nothing has, and `right` says whether that is right.
    """

    kind: str
    candidates: list[Features]
    right: list[bool]


def read_choices(file: Path, vaults: Path) -> Iterator[Choice]:
    """Yield the questions of a file, with their candidates if they are answered by rank."""
    found: list[tuple[Features, Any]] = []

    def rank(self: NoteRanking, *arguments: Any, **options: Any) -> list[RankedEntry]:
        found[:] = self.candidates(*arguments, **options)
        return []

    with patch.object(NoteRanking, "rank", rank):
        for question in read_questions(file):
            found.clear()
            answer = first_passage(question, vaults)
            right = [is_right(question, (entry.passage, lines([entry.passage])[0])) for _, entry in found]
            if answer or not found:
                yield Choice(question["kind"], [], [is_right(question, answer)])
            else:
                yield Choice(question["kind"], [features for features, _ in found], right)


def learn(choices: Sequence[Choice]) -> list[float]:
    """Return the weights with which the right choices are most likely."""
    count = len(Features._fields)
    values = [[features[index] for choice in choices for features in choice.candidates] for index in range(count)]
    means = [sum(column) / len(column) for column in values]
    scales = [
        (sum((value - mean) ** 2 for value in column) / len(column)) ** 0.5 or 1.0
        for column, mean in zip(values, means, strict=True)
    ]
    examples = [
        (
            choice.kind == "none",
            [[*map(lambda a, b: a / b, features, scales)] for features in choice.candidates],
            choice.right,
        )
        for choice in choices
        if choice.candidates and (choice.kind == "none" or any(choice.right))
    ]
    weights, moments, squares = [0.0] * count, [0.0] * count, [0.0] * count
    for step in range(1, _STEP_COUNT + 1):
        gradient = [-_PENALTY * weight for weight in weights]
        for is_none, rows, right in examples:
            odds = [exp(min(50.0, sum(map(mul, weights, row)))) for row in rows]
            total = 1 + sum(odds)
            right_total = sum(value for value, fits in zip(odds, right, strict=True) if fits)
            for row, value, fits in zip(rows, odds, right, strict=True):
                error = (value / right_total if fits and not is_none else 0.0) - value / total
                error *= _NONE_WEIGHT if is_none else 1.0
                if abs(error) > 1e-4:
                    for index, number in enumerate(row):
                        gradient[index] += error * number
        for index, slope in enumerate(gradient):
            moments[index] = _DECAY * moments[index] + (1 - _DECAY) * slope
            squares[index] = _SQUARE_DECAY * squares[index] + (1 - _SQUARE_DECAY) * slope**2
            size = (squares[index] / (1 - _SQUARE_DECAY**step)) ** 0.5 + 1e-8
            weights[index] += _RATE * _SQUARE_DECAY ** (step / 3) * moments[index] / (1 - _DECAY**step) / size
    return [weight / scale for weight, scale in zip(weights, scales, strict=True)]


def score(choices: Sequence[Choice], weights: Sequence[float]) -> Counter[str]:
    """Return the number of questions of each kind that the weights answer correctly."""
    counts = Counter[str]()
    for choice in choices:
        if not choice.candidates:
            counts[choice.kind] += choice.right[0]
            continue
        scores = [sum(map(mul, weights, features)) for features in choice.candidates]
        best = max(range(len(scores)), key=scores.__getitem__)
        counts[choice.kind] += scores[best] < 0 if choice.kind == "none" else choice.right[best] and scores[best] >= 0
    return counts


def main() -> None:
    """Print the score of each file with the weights learned from the others, and the weights learned from all."""
    vaults, *files = map(Path, sys.argv[1:])
    choices = {file: [*read_choices(file, vaults)] for file in files}
    for file in files:
        others = [choice for other in files if other != file for choice in choices[other]]
        counts, totals = score(choices[file], learn(others)), Counter(choice.kind for choice in choices[file])
        print(file.stem, ", ".join(f"{kind}: {counts[kind]} of {total}" for kind, total in totals.items()), flush=True)
    weights = learn([choice for file in files for choice in choices[file]])
    print("WEIGHTS = Features(")
    for name, weight in zip(Features._fields, weights, strict=True):
        print(f"    {name}={weight:.2f},")
    print(")")


if __name__ == "__main__":
    main()
