"""The options of a game: house rules, each of which offers several ways to settle a numbered ruling."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from vaultkit.errors import UsageError
from vaultkit.spelling import did_you_mean
from vaultkit.text import parse_whole_number

Value = str | int
Options = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Option:
    """A house rule. `values` are the values that may be set, the default first; `summary` is a sentence for people.

    `before` is the value in games that were recorded before the option existed; None if that is the default.
    """

    key: str
    ruling: str
    values: tuple[Value, ...]
    summary: str
    before: Value | None = field(default=None, kw_only=True)

    @property
    def default(self) -> Value:
        return self.values[0]

    @property
    def accepted(self) -> str:
        """The values that may be set, in words for people: sorted if all are numbers, else with the default first."""
        numbers = sorted(value for value in self.values if isinstance(value, int))
        return self.mark_default(numbers if len(numbers) == len(self.values) else self.values)

    def mark_default(self, values: Iterable[Value]) -> str:
        """Return the values as one text, in which the default is marked."""
        return ", ".join(f"{value} (default)" if value == self.default else str(value) for value in values)

    def parse(self, raw: object) -> Value:
        """Return the accepted value that `raw` stands for, ignoring case.

        Raises UsageError, which lists the accepted values, if there is none.
        """
        text = str(raw).strip().lower()
        for value in self.values:
            if str(value).lower() == text:
                return value
        raise self.refusal_error(raw)

    def refusal_error(self, raw: object) -> UsageError:
        """Return the error for a value that is not accepted."""
        hint = f"Accepted: {self.accepted} ({self.ruling})."
        return UsageError(f"'{raw}' is not a value of '{self.key}'.", hint=hint)


@dataclass(frozen=True, slots=True)
class SwitchOption(Option):
    """An option with the values yes and no, which settings and frontmatter may also spell `true` and `false`."""

    def parse(self, raw: object) -> Value:
        text = str(raw).strip().lower()
        return Option.parse(self, {"true": "yes", "false": "no"}.get(text, raw))


@dataclass(frozen=True, slots=True)
class NumberOption(Option):
    """An option with any whole number from `low` to `high`, or one of the words in `values`.

    `values` lists the default, words, and numbers worth trying. `what` says for people what is counted.
    """

    low: int
    high: int
    what: str = "a number"

    @property
    def accepted(self) -> str:
        words = [value for value in self.values if isinstance(value, str)]
        default_mark = f" (default {self.default})" if isinstance(self.default, int) else ""
        number_words = f"{self.what} from {self.low} to {self.high}{default_mark}"
        return ", ".join(filter(None, (self.mark_default(words), number_words)))

    def parse(self, raw: object) -> Value:
        """Return the number or word that `raw` stands for. Raises UsageError, which lists the accepted values."""
        text = str(raw).strip().lower()
        number = parse_whole_number(text)
        if number is not None and self.low <= number <= self.high:
            return number
        if text in self.values:
            return text
        raise self.refusal_error(raw)


def resolve(options: Iterable[Option], values: Mapping[str, object], game: str) -> dict[str, Value]:
    """Return the value of every option, by key: the one in `values`, else the default.

    Raises UsageError for an unknown key or value.
    """
    by_key = {option.key: option for option in options}
    for key in values:
        if key not in by_key:
            keys = sorted(by_key)
            hint = did_you_mean(key.replace("-", "_"), keys, suffix=f"Its options: {', '.join(keys)}.")
            raise UsageError(f"{game} has no option '{key}'.", hint=hint)
    return {key: option.parse(values[key]) if key in values else option.default for key, option in by_key.items()}


def resolve_recorded(options: Iterable[Option], recorded: Mapping[str, object], game: str) -> dict[str, Value]:
    """Return the value of every option in a recorded game, by key.

    Options that the record lacks did not exist when the game was played; they get their values of that time
    (`Option.before`). Raises UsageError for an unknown key or value.
    """
    all_options = tuple(options)
    values_before = {option.key: option.before for option in all_options if option.before is not None}
    return resolve(all_options, {**values_before, **recorded}, game)
