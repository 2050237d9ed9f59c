"""The questions of a score sheet, their answers, and checks of the texts and columns of a definition."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import Annotated, Any, Literal, Self
from unicodedata import category

from msgspec import Meta, Struct
from msgspec.structs import replace

from vaultkit.games.formula import MAX_VALUE
from vaultkit.schema import INTERNAL_FIELD, Path, SchemaError
from vaultkit.text import join_words, lookalike_key

Text = Annotated[str, Meta(max_length=3_000, description="3,000 signs at most.")]
Answer = int | float | str
"""The answer to a question: a number, the key of one of its choices, or words."""
MAX_SCORE = 999_999
MIN_STEP = 0.01
Bound = Annotated[int, Meta(ge=-MAX_SCORE, le=MAX_SCORE)] | Annotated[float, Meta(ge=-MAX_SCORE, le=MAX_SCORE)]
ID_PATTERN = r"^[a-z][a-z0-9_]*\Z"


_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the direction of the text after them."""
_MULTILINE_KEYS = {("form", "panels", "text"), ("form", "panels", "items"), ("form", "panels", "after")}
"""The keys of texts that may have several lines: Markdown of a printed sheet."""


def to_number(value: Fraction) -> int | float:
    """Return a value as a whole number, or else rounded to two decimals."""
    return int(value) if value.denominator == 1 else round(float(value), 2)


def to_fraction(number: int | float | str) -> Fraction:
    """Return a number as it is written, without rounding: `0.1` becomes a tenth."""
    return Fraction(str(number))


class Question(Struct, frozen=True, forbid_unknown_fields=True, rename={"key": "id"}):
    """One question of a score sheet.

    `key` is the name of its box on the printed sheet, such as `swords.total`; the part before the last dot is the row.
    With `choices` the answer is one of their keys, and their values are words for people; with `words` it is a text;
    else it is a number from `least` in steps of `step`. A number above `most` is accepted, but raises a doubt; one
    above `limit` is refused. `default` is the answer of an empty box, None if there must be an answer. `how` explains
    in a sentence what counts. If `summed` is true, people may write a sum, such as `8+9`.
    """

    key: str
    title: Annotated[str, Meta(pattern=r"^.{0,80}\Z", description="80 signs at most.")]
    choices: Annotated[Mapping[str, str], INTERNAL_FIELD] = {}
    least: Bound = 0
    most: Bound | None = None
    words: Annotated[bool, INTERNAL_FIELD] = False
    default: Answer | None = None
    rulings: Annotated[tuple[str, ...], INTERNAL_FIELD] = ()
    how: Text = ""
    summed: Annotated[bool, INTERNAL_FIELD] = False
    step: int | float = 1

    @property
    def limit(self) -> int | None:
        """The number above which no answer is accepted; None for no limit."""
        return None

    @property
    def row(self) -> str:
        """The row of the sheet: `swords` of `swords.total`, `deal.1` of `deal.1.tricks`, else the key itself."""
        return self.key.rpartition(".")[0] or self.key

    @property
    def label(self) -> str:
        """The title without a final question mark or colon: `Forfeited` of `Forfeited?`."""
        return self.title.rstrip("?: ")

    @property
    def default_answer(self) -> Answer:
        """The answer if nobody gives one: the default, else the first choice, an empty text, or the least number."""
        first_answer = next(iter(self.choices), "" if self.words else self.least)
        return first_answer if self.default is None else self.default

    @property
    def accepted(self) -> str:
        """The answers that are accepted, in words for people."""
        if self.choices or self.words:
            return ", ".join(self.choices) or "any words"
        if self.least <= -MAX_SCORE and self._highest is None:
            return f"{self.kind}, also below 0{self._examples}"
        if (highest := self._highest) is None:
            return f"{self.kind} from {self.least} on{self._examples}"
        return f"{self.kind} from {self.least} to {highest}{self._examples}"

    @property
    def kind(self) -> str:
        """The kind of number that is accepted, in words for people."""
        return f"a number in steps of {self.step}" if self.step != 1 or self.least % 1 else "a whole number"

    def has_value(self, number: Fraction) -> bool:
        """Return whether a number can be reached from `least` in steps of `step`, up or down."""
        return not (number - to_fraction(self.least)) % to_fraction(self.step)

    @property
    def _highest(self) -> int | float | None:
        """The highest number that can be true, in steps of `step`; None for no limit."""
        if self.most is None:
            return None
        most = to_fraction(self.most)
        return to_number(most - (most - to_fraction(self.least)) % to_fraction(self.step))

    @property
    def _examples(self) -> str:
        """The examples in `accepted`: a sum, or the first three numbers if the steps do not pass through 0."""
        if self.has_value(Fraction(0)):
            return ", or a sum such as 8+9" * self.summed
        numbers = [to_number(to_fraction(self.least) + step_count * to_fraction(self.step)) for step_count in range(3)]
        examples = [str(number) for number in numbers if self.most is None or number <= self.most]
        return f", such as {join_words(examples, 'or')}"

    def replace_fields(self, **fields: Any) -> Self:
        """Return a copy of the question with `fields` replaced."""
        return replace(self, **fields)


class Column(Question, frozen=True):
    """A column of a definition: a question to every seat, asked in each round if there are rounds, or only `once`.

    It `takes` a number, yes or no, any words, or one of the words listed. `worth` holds the number of each choice in a
    formula; by default yes is 1 and no is 0, and other choices count from 1. A column with a `formula` is computed
    instead of asked. One that is not `asked` is only a box on the sheet. `brief` is a shorter `how`, for little room.
    `adds_up_to` is a formula for the sum over all players.
    """

    takes: Literal["number", "yes or no", "words"] | tuple[str, ...] = "number"
    worth: tuple[int | float, ...] = ()
    formula: str = ""
    once: bool = False
    adds_up_to: str = ""
    asked: Annotated[bool, INTERNAL_FIELD] = True
    brief: Text = ""

    @property
    def is_asked(self) -> bool:
        return self.asked and not self.formula

    @property
    def is_yes_no(self) -> bool:
        return set(self.choices) == {"yes", "no"}


def complete_column(column: Column) -> Column:
    """Return a column with its choices and, as far as it lacks one, a default: no, or 0 if that is accepted."""
    if column.takes == "yes or no" or (set(map(str.casefold, column.takes)) == {"yes", "no"} and not column.worth):
        yes_no_words = ("no", "yes")
        default = _find_choice(yes_no_words, "no" if column.default is None else column.default)
        return replace(column, choices={word: word for word in yes_no_words}, default=default)
    if column.takes == "words":
        return replace(column, words=True, default=str(column.default or ""))
    if column.takes != "number":
        default = _find_choice(column.takes, column.default)
        return replace(column, choices={word: word for word in column.takes}, default=default)
    if column.formula:
        return replace(column, least=-MAX_SCORE, step=MIN_STEP)
    has_zero = column.default is None and _is_step(column.step) and not _default_fault(column, 0)
    return replace(column, default=0) if has_zero else column


def _find_choice(words: Sequence[str], default: Answer | None) -> Answer | None:
    """Return the choice that a default names, in any case; the default itself if it names none."""
    by_key = {lookalike_key(word): word for word in words}
    return None if default is None else by_key.get(lookalike_key(str(default)), default)


def _default_fault(column: Column, default: Answer) -> str:
    """Return why an answer cannot be the default of a number column, such as `is less than 0`; "" if it can."""
    if isinstance(default, str) or not isfinite(default):
        return "is not a number"
    if default < column.least:
        return f"is less than {column.least}"
    if column.most is not None and default > column.most:
        return f"is more than {column.most}"
    return "" if column.has_value(to_fraction(default)) else f"is not {column.kind} from {column.least}"


def refuse(is_wrong: object, path: Path, message: str, hint: str = "") -> None:
    """Raise SchemaError with this message if `is_wrong` is true."""
    if is_wrong:
        raise SchemaError(path, message, hint)


def check_column(column: Column, path: Path, reserved: set[str]) -> None:
    """Check the values of a single column. Raises SchemaError."""
    hint = "Lower-case letters, digits and _, as in last_round, but no word that formulas or the sheet use."
    is_valid_id = re.search(ID_PATTERN, column.key) and column.key not in reserved
    refuse(not is_valid_id, (*path, "id"), f"A column cannot be called '{column.key}'.", hint)
    for bound, number in (("least", column.least), ("most", column.most or 0)):
        decimals_message = f"'{column.key}' needs a {bound} with two decimals at most, such as 0.25."
        refuse(not is_hundredths(number), (*path, bound), decimals_message)
    step_message = f"'{column.key}' needs a step of {MIN_STEP} or more, such as 0.5."
    refuse(not _is_step(column.step), (*path, "step"), step_message)
    is_below_least = column.most is not None and column.most < column.least
    refuse(is_below_least, (*path, "most"), f"'most' of '{column.key}' is below its 'least'.")
    _check_choices(column, path)
    has_default = column.takes == "number" and not column.formula and column.default is not None
    if has_default and (fault := _default_fault(column, column.default or 0)):
        message = f"The default of '{column.key}' {fault}."
        raise SchemaError((*path, "default"), message, f"Accepted: {column.accepted}.")


def _check_choices(column: Column, path: Path) -> None:
    """Check that choices can be written and told apart, and that each has a worth or none has. Raises SchemaError."""
    choices, key = [*column.choices], column.key
    has_listed_words = column.takes not in ("number", "words")
    forbidden_signs = {*"".join(choices)} & {*"/,;="} | {*choices} & {"-", "–"}
    sign = min(forbidden_signs, default="")
    separator_message = f"'{key}' takes a word with '{sign}', which separates scores or means none."
    refuse(has_listed_words and forbidden_signs, (*path, "takes"), separator_message)
    refuse(not all(map(str.strip, choices)), (*path, "takes"), f"'{key}' takes an empty word.")
    if has_listed_words and (twin := find_twin(column.takes if isinstance(column.takes, tuple) else choices)):
        message = f"'{key}' takes '{column.takes[twin[0]]}' and '{column.takes[twin[1]]}', which are read as one word."
        raise SchemaError((*path, "takes"), message, "They differ only in capitals or accents.")
    refuse(has_listed_words and len(choices) < 2, (*path, "takes"), f"'{key}' needs two choices at least, each once.")
    is_unfit = has_listed_words and column.default is not None and column.default not in choices
    hint = f"Accepted: {', '.join(choices)}."
    refuse(is_unfit, (*path, "default"), f"'{key}' does not take '{column.default}'.", hint)
    is_worth_valid = not column.worth or (len(column.worth) == len(choices) and all(map(_is_worth, column.worth)))
    hint = f"Numbers up to {MAX_VALUE}, with few decimals."
    refuse(not is_worth_valid, (*path, "worth"), f"'{key}' needs a worth for each of its choices.", hint)


def _is_worth(number: float) -> bool:
    """Return whether a number is small and simple enough to be the worth of a choice in a formula."""
    return isfinite(number) and abs(to_fraction(number)) <= MAX_VALUE and to_fraction(number).denominator <= MAX_VALUE


def _is_step(number: float) -> bool:
    return MIN_STEP <= number <= MAX_SCORE and is_hundredths(number)


def is_hundredths(number: float) -> bool:
    """Return whether a number is finite and has two decimals at most."""
    return isfinite(number) and not to_fraction(number) % to_fraction(MIN_STEP)


def tidy_texts(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the table of a definition with each text on one line, apart from the paragraphs of a printed sheet.

    Raises SchemaError for a control character, which no sheet, note or terminal can show.
    """
    return {key: _tidy(value, (key,)) for key, value in table.items()}


def _tidy(value: Any, path: Path) -> Any:
    if isinstance(value, dict):
        return {key: _tidy(item, (*path, key)) for key, item in value.items()}
    if isinstance(value, list):
        return [_tidy(item, (*path, index)) for index, item in enumerate(value)]
    return _tidy_text(value, path) if isinstance(value, str) else value


def _tidy_text(text: str, path: Path) -> str:
    keys = tuple(step for step in path if isinstance(step, str))
    tidy_text = text if keys in _MULTILINE_KEYS else " ".join(text.split()) or text
    if control := next((sign for sign in tidy_text if _is_control(sign)), ""):
        message = f"'{keys[-1]}' has a control character, U+{ord(control):04X}, which cannot be printed."
        raise SchemaError(path, message, "Delete it, or type the text again.")
    return tidy_text


def _is_control(character: str) -> bool:
    return character in _BIDI_CONTROLS or (category(character) in {"Cc", "Cs"} and character not in "\t\n\r")


def find_twin(words: Sequence[str]) -> tuple[int, int] | None:
    """Return the indexes of two words that look alike, or None. Empty words do not count."""
    index_by_key: dict[str, int] = {}
    for index, key in enumerate(map(lookalike_key, words)):
        if key and key in index_by_key:
            return index_by_key[key], index
        index_by_key[key] = index
    return None
