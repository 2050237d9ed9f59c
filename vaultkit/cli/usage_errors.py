"""The conversion of usage mistakes, Typer's own included, into errors that show the syntax that was needed."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from pathlib import PureWindowsPath
from typing import Any, TypeGuard

import typer

from vaultkit.cli.app import app
from vaultkit.cli.command_registry import COMMANDS, describe_range, is_number
from vaultkit.cli.command_table import CommandEntry, Parameter, all_entries, find_entry, get_entry
from vaultkit.cli.guesses import (
    ANY_WORD,
    WORDS,
    before_options,
    describe_name,
    fill_in_line,
    find_assignment,
    find_guess,
    find_kinds,
    find_misspelt,
    find_option_guess,
    find_quoted_name,
    find_value_guess,
    is_deletion,
    is_placeholder,
    read_guess_list,
)
from vaultkit.errors import ExitCode, UsageError, VaultkitError
from vaultkit.spelling import did_you_mean, suggest_names
from vaultkit.text import join_words, quote_word

COUNT_OPTIONS = ("--number", "--times", "--games", "--players", "--rounds", "--ruling")
"""Options with a numeric value, which people often type without the option."""
OPTIONAL_COMMANDS = ("", "games", "templates")
"""Commands that do something without one of their subcommands."""
HIDDEN_OPTIONS = ("--json", "--quiet", "--vault", "--no-cache", "-h")
"""Options that every command has and that no hint lists."""
MISSING_EQUALS = "--set needs = between the house rule and its value."
_MISSING_NAME = re.compile(r"There is no (?P<kind>[a-z]+)\b.*? '(?P<name>.+?)'(?: |\.)")


def convert_error(error: typer.TyperException, words: Sequence[str]) -> UsageError:
    """Return an error of Typer's parser as an error for people; `words` are the arguments of the command line."""
    context: Any = getattr(error, "ctx", None)
    path = context.command_path.partition(" ")[2] if context else command_path(words)
    answer = _UsageMistake(path, words, context).answer(error)
    option = getattr(error, "option_name", "") or (answer.parameter.names[0] if _is_option(answer.parameter) else "")
    where = " ".join(filter(None, ("vaultkit", path, option)))
    sentence = _syntax_sentence(path if answer.path is None else answer.path, answer.parameter)
    hint = _explain_placeholder(path, words) or f"{answer.hint} {sentence}".strip()
    return UsageError(answer.message, where=where, hint=answer.hint if answer.is_complete else hint)


def add_syntax(error: VaultkitError, words: Sequence[str]) -> VaultkitError:
    """Add the command to an error about usage or a missing name, and the syntax of the command if it has no hint."""
    if error.exit_code in (ExitCode.USAGE, ExitCode.NOTHING):
        path = command_path(words)
        if get_entry(path, app).find_option("--set") and (assignment := find_assignment(words)):
            error.message, error.hint = MISSING_EQUALS, f"Write: --set {assignment}"
        error.where = error.where or f"vaultkit {path}".strip()
        error.hint = _explain_placeholder(path, words) or _explain_name(path, words, error) or error.hint
        if not error.hint:
            option = next(iter(re.findall(r"--[a-z-]+", error.message)), "")
            error.hint = _syntax_sentence(path, get_entry(path, app).find_option(option))
    return error


def _explain_placeholder(path: str, words: Sequence[str]) -> str:
    """Return a hint for a word that was copied from help, such as `NOTE`, "" if there is none."""
    copied_word = next(filter(is_placeholder, words), "")
    example = get_entry(path, app).help.partition("For example: ")[2] or "vaultkit check"
    return f"Replace {copied_word} by a name or value. For example: {example}" if copied_word else ""


def _explain_name(path: str, words: Sequence[str], error: VaultkitError) -> str:
    """Return a hint on the name that an error says is missing, "" if there is none."""
    match = _MISSING_NAME.match(error.message)
    if not match or match["kind"] == "command":
        return ""
    return next(filter(None, _explanations(path, words, *match.groups())), "")


def _explanations(path: str, words: Sequence[str], kind: str, name: str) -> Iterator[str]:
    """Yield hints on a name of which there is no `kind`, the likeliest first; "" for a hint that does not apply."""
    yield find_value_guess(path, f"--{kind}", name, words) or find_value_guess(path, kind, name, words)
    yield describe_name(path, name, kind, COMMANDS)
    yield next((hint for _, hint in _find_split_values(get_entry(path, app), words, "") if name in hint), "")
    quoted_name, last_part = find_quoted_name(words, name), PureWindowsPath(name).name
    yield f'Put a name of several words in quotes: "{quoted_name}".' if quoted_name else ""
    yield "Put a path with backslashes in quotes." if re.match(r"[A-Za-z]:[^\\/]", name) else ""
    yield suggest_names(last_part) if last_part != name and list(find_kinds(last_part)) else ""


def command_path(words: Sequence[str]) -> str:
    """Return the path of the command that is named in the arguments of a command line, "" if none is."""
    return ["", *_command_paths(words)][-1]


def _command_paths(words: Sequence[str]) -> Iterator[str]:
    """Yield the path of each command that is named among the words, such as `print`, `print scores`."""
    path = ""
    for word in words:
        longer_path = f"{path} {word}".strip()
        if find_entry(longer_path, app):
            path = longer_path
            yield path


def syntax(path: str, parameter: Parameter | None = None) -> str:
    """Return how a command is typed, with one of its options if `parameter` is one."""
    entry = get_entry(path, app)
    arguments = [argument.usage for argument in entry.arguments]
    if entry.nested:
        arguments = ["[COMMAND]" if path in OPTIONAL_COMMANDS else "COMMAND"]
    options = [parameter] if _is_option(parameter) else []
    option_texts = [f"{option.names[0]} {_example_value(option)}".rstrip() for option in options]
    return " ".join(filter(None, ["vaultkit", path, *arguments, *option_texts]))


def _example_value(option: Parameter) -> str:
    """Return a value for an option as it is typed: one of its choices, or else its placeholder."""
    return option.value if option.kind or not option.choices else option.choices[0]


def _syntax_sentence(path: str, parameter: Parameter | None = None) -> str:
    return f"Write: {syntax(path, parameter)}; all options: {f'vaultkit {path}'.strip()} --help"


def _is_option(parameter: Parameter | None) -> TypeGuard[Parameter]:
    return parameter is not None and parameter.names[0].startswith("-")


@dataclass(frozen=True)
class _Answer:
    """The error text for a mistake: a message, a hint, and the command `path` and `parameter` whose syntax is shown.

    With `is_complete`, the syntax is not shown after the hint.
    """

    message: str
    hint: str = ""
    parameter: Parameter | None = None
    path: str | None = None
    is_complete: bool = False


class _UsageMistake:
    """A mistake in the arguments `words` of the command `path`; `context` is the context of Typer's parser."""

    def __init__(self, path: str, words: Sequence[str], context: Any) -> None:
        self.path, self.words, self.context, self.entry = path, words, context, get_entry(path, app)
        self.name, self.example = f"vaultkit {path}".strip(), self.entry.help.partition("For example: ")[2]

    def answer(self, error: Any) -> _Answer:
        """Return the answer to an error of Typer's parser."""
        answers: Mapping[str, Callable[[Any], _Answer]] = {
            "NoSuchOption": self._answer_unknown_option,
            "BadOptionUsage": self._answer_value,
            "MissingParameter": self._answer_missing,
            "BadParameter": self._answer_wrong_value,
        }
        return answers.get(type(error).__name__, self._answer_other_error)(error)

    def _answer_other_error(self, error: Any) -> _Answer:
        """Return the answer to an error without a type of its own: too many words, or a missing subcommand."""
        if match := re.search(r"unexpected extra argument(?:s|\(s\))? \((.*)\)", error.message, re.DOTALL):
            leftover = match[1]
            return next(self._answers_to_extra_words(leftover, f"{self.name} does not expect '{leftover}'."))
        if self.entry.nested:
            hint = f"Commands: {', '.join(self.entry.nested)}. For example: {self.example}."
            return _Answer(f"{self.name} needs a command.", hint)
        return _Answer(error.format_message())

    def _answer_value(self, error: Any) -> _Answer:
        """Return the answer to an option without the value that it needs, or with one that it does not take."""
        option = self.entry.find_option(error.option_name)
        needs_value = option is None or option.value
        message = f"{error.option_name} {'needs a value' if needs_value else 'takes no value'}."
        return _Answer(message, _help_sentence(option) if needs_value else "", option)

    def _answer_unknown_option(self, error: Any) -> _Answer:
        name = error.option_name
        message = f"{self.name} has no option '{name}'."
        options = {name: option for option in self.entry.options for name in option.all_names}
        for path in _command_paths(self.words):
            entry = get_entry(path, app)
            if path != self.path and name in _option_names(entry):
                option = self._with_typed_value(entry.find_option(name), name)
                return _Answer(message, "Put it after the command.", option, path)
        if guess := find_option_guess(self.path, name, self._words_after(name), self.words):
            return _Answer(message, guess, is_complete=True)
        if argument := self._find_argument(name.lstrip("-")):
            return _Answer(
                message,
                fill_in_line(
                    f"{argument.value} needs no option before it: vaultkit THIS.", self.words, name, keeps_value=True
                ),
            )
        if likely_names := list(self._options_like(name, options)) or find_misspelt(
            name, list(filter(_is_long, options))
        ):
            likely_names = [name for name in likely_names if name != "--vault"] or likely_names
            option = self._with_typed_value(options[likely_names[0]], name) if len(likely_names) == 1 else None
            return _Answer(message, suggest_names(*likely_names), option)
        owners = [path for path, entry in all_entries(app).items() if path and name in _option_names(entry)]
        if owners and name.startswith("--"):
            commands = [*(f"vaultkit {path}" for path in owners[:3]), *["others"] * (len(owners) > 3)]
            return _Answer(message, f"{name} is an option of {join_words(commands)}.")
        return _Answer(message, _list_options(self.entry))

    def _with_typed_value(self, option: Parameter | None, name: str) -> Parameter | None:
        """Return the option with the value that was typed behind the wrong option `name`, or as its name: `--dark`."""
        if option is None or not option.value:
            return option
        joined_value = next((word.partition("=")[2] for word in self.words if word.startswith(f"{name}=")), "")
        own_name = name.lstrip("-")
        value = own_name if own_name in option.choices else joined_value or "".join(self._words_after(name)[:1])
        is_used = value and value[:1] != "-" and (not option.choices or value in option.choices)
        return option._replace(choices=(quote_word(value),), kind="") if is_used else option

    def _words_after(self, name: str) -> list[str]:
        """Return the words behind an option."""
        return [*self.words[self.words.index(name) + 1 :]] if name in self.words else []

    def _find_argument(self, name: str) -> Parameter | None:
        """Return the argument that is typed as if it were an option, None if none is."""
        names = {name, *read_guess_list()["arguments"].get(name, "").split()}
        return next((argument for argument in self.entry.arguments if argument.value.casefold() in names), None)

    def _options_like(self, name: str, options: Collection[str]) -> Iterator[str]:
        """Yield the options that a wrong one may stand for, such as one with another word, or with two dashes."""
        yield from (
            option
            for option, others in read_guess_list()["options"].items()
            if option in options and name in others.split()
        )
        typed_name = next((f"-{word}" for word in self.words if f"-{word}" in options and _is_long(f"-{word}")), "")
        if _is_long(name):
            yield from (option for option in options if option.startswith(f"{name}-"))
        elif typed_name:
            yield typed_name
        else:
            yield from [option for option in options if option.startswith(f"-{name}")][:3]

    def _answer_missing(self, error: Any) -> _Answer:
        parameter = self._find_parameter(error.param)
        value = parameter.value if parameter else error.param.name.upper()
        example = f" For example: {self.example}." if self.example else ""
        article = "" if value.endswith("S") else "an " if value[:1] in "AEIOU" else "a "
        hint = f"{_help_sentence(parameter)}{example}".strip()
        if joined_word := next((word for word in self.words if "=" in word and word[:1] != "-"), ""):
            hint = f"Write a space instead of =: {self.name} {joined_word.replace('=', ' ', 1)}."
        return _Answer(f"{self.name} needs {article}{value}.", hint, parameter)

    def _find_parameter(self, click_parameter: Any) -> Parameter | None:
        """Return the argument or option that a parameter of Typer's parser is, None if it is hidden."""
        if click_parameter.param_type_name == "option":
            return self.entry.find_option(click_parameter.opts[0])
        return next((argument for argument in self.entry.arguments if argument.names[0] == click_parameter.name), None)

    def _answer_wrong_value(self, error: Any) -> _Answer:
        parameter, value = self._find_parameter(error.param), _wrong_text(error.message)
        expected, choices = _describe_type(error.param.type), getattr(error.param.type, "choices", ())
        subject = error.param.opts[0] if error.param.param_type_name == "option" else error.param.name.upper()
        hint = did_you_mean(value, map(str, choices), min_score=50) if choices else ""
        message = f"'{value}' is not a value of {subject}, which is {expected}." if expected else error.format_message()
        return _Answer(message, hint, parameter)

    def _answers_to_extra_words(self, leftover: str, message: str) -> Iterator[_Answer]:
        """Yield the answers to superfluous words, the likeliest first: values without an option, or parts of a name."""
        if assignment := find_assignment(self.words):
            yield _Answer(MISSING_EQUALS, f"Write: --set {assignment}", is_complete=True)
        first_word = leftover.split(" ", maxsplit=1)[0]
        values = [str(value) for value in self.context.params.values()]
        for option in self.entry.options:
            is_count = option.names[0] in COUNT_OPTIONS and re.fullmatch(r"([A-Za-z]{1,2}-)?\d+", first_word)
            if option.value and (is_count or first_word.casefold() in option.choices):
                yield _Answer(message, f"Say what it is: {option.names[0]} {first_word}.", option)
        for option, hint in _find_split_values(self.entry, self.words, "" if first_word in values else first_word):
            yield _Answer(message, hint, option)
        argument = self.entry.arguments[-1] if self.entry.arguments else None
        value = str(self.context.params.get(argument.names[0])) if argument else ""
        if is_deletion(value):
            guess = find_guess(self.path, value, [leftover]) or find_guess("", value, [leftover])
            yield _Answer(message, guess, is_complete=True)
        is_one_name = argument is not None and argument.kind in find_kinds(f"{value} {leftover}")
        for name in (f"{value} {leftover}".strip(), leftover, first_word) if not is_one_name else ():
            if guess := find_guess(self.path, name) or describe_name(self.path, name):
                yield _Answer(message, guess, is_complete=True)
        if argument and not argument.choices and not any(find_kinds(value)):
            yield _Answer(message, f'Put a name of several words in quotes: {self.name} "{value} {leftover}".')
        if guess := find_guess(self.path, ANY_WORD, [leftover], placeholder=WORDS):
            yield _Answer(message, guess, is_complete=True)
        if argument:
            command = f"{self.name} {quote_word(value)}"
            yield _Answer(message, f"It takes one {argument.value}: {command}. For several, run it once for each.")
        options = [option for option in self.entry.options if option.value]
        options = [option for option in options if option.names[0] != "--vault"] or options
        names = ", ".join(option.names[0] for option in options)
        hint = f"A word needs its option before it: {names}." if names else ""
        yield _Answer(message, hint, options[0] if len(options) == 1 else None)


def _find_split_values(entry: CommandEntry, words: Sequence[str], leftover: str) -> Iterator[tuple[Parameter, str]]:
    """Yield each option with a value of several words that lacks quotes, and a hint.

    The word after the option's first is the superfluous word `leftover`, or there is a comma between them.
    """
    typed_words = [part for word in words for part in (word.split("=", 1) if word.startswith("--") else (word,))]
    for number, name in enumerate(typed_words, 1):
        option, value = entry.find_option(name), before_options(typed_words[number:])
        if option is None or not option.value or len(value) < 2:
            continue
        if value[1] != leftover:
            pairs = pairwise(value)
            value = value[: 1 + sum(1 for _ in takewhile(lambda pair: "," in (pair[0][-1:], pair[1][:1]), pairs))]
        if len(value) > 1:
            yield option, _quote_value(option, value)


def _quote_value(option: Parameter, words: Sequence[str]) -> str:
    """Return a hint to put the words of an option's value in quotes, or a list of names with commas between them."""
    is_list = re.search(r'"[^"]*, |commas|\w,\w', option.help)
    text = (", " if is_list and not any("," in word for word in words) else " ").join(words)
    names = [name.strip() for name in text.split(",") if name.strip()]
    if option.is_repeated and len(names) > 1:
        return f"Repeat the option: {' '.join(f'{option.names[0]} {quote_word(name)}' for name in names)}."
    return f'Put a value of several words in quotes: {option.names[0]} "{", ".join(names)}".'


def _is_long(name: str) -> bool:
    return name.startswith("--")


def _option_names(entry: CommandEntry) -> set[str]:
    return {name for option in entry.options for name in option.all_names} - {*HIDDEN_OPTIONS}


def _list_options(entry: CommandEntry) -> str:
    hidden = () if entry.nested else HIDDEN_OPTIONS
    names = [option.names[0] for option in entry.options if option.names[0] not in hidden]
    return f"Its options: {', '.join(names)}." if names else ""


def _help_sentence(parameter: Parameter | None) -> str:
    """Return the help of a parameter as a sentence with its name."""
    if parameter is None or not parameter.help:
        return ""
    name = parameter.names[0] if _is_option(parameter) else parameter.value
    return f"{name}: {parameter.help.rstrip('.')}."


def _wrong_text(message: str) -> str:
    """Return the value that a message of Typer's parser quotes."""
    match = re.match(r"'?(.*?)'? (?:is not|does not)|.*?'(.*?)'", message, re.DOTALL)
    return (match[1] or match[2] or "") if match else ""


def _describe_type(click_type: Any) -> str:
    """Return what a value must be, such as `a whole number from 1 to 64`; "" for a type without a description."""
    if choices := getattr(click_type, "choices", ()):
        return f"one of {join_words(list(map(str, choices)), 'or')}"
    if not is_number(click_type):
        return ""
    kind, limits = "a number" if click_type.name.startswith("float") else "a whole number", describe_range(click_type)
    return f"{kind}{' from' if ' to ' in limits else ','} {limits}" if limits else kind
