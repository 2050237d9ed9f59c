"""Hints for words at the wrong place of a command line: an option before its command, or a name without quotes."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from vaultkit import files


@contextmanager
def place_hints(words: Sequence[str]) -> Iterator[None]:
    """Adds to the parser's complaints about the command line `words` where a word belongs, if that is known."""
    try:
        yield
    except Exception as error:
        context: Any = getattr(error, "ctx", None)
        if context is not None and (hint := _hint(error, context, words)):
            error.message = f"{error.message}\n{hint}"  # type: ignore[attr-defined]
        raise


def inner_commands(name: str) -> tuple[str, ...]:
    """The commands within others that are called so: `print scores`."""
    return tuple(path for path in _table() if path.endswith(f" {name}"))


def _hint(error: Exception, context: Any, words: Sequence[str]) -> str:
    path = context.command_path.partition(" ")[2]
    option = getattr(error, "option_name", "")
    if option:
        return "" if option in _options(path) else _behind(option, words, path)
    is_group = hasattr(context.command, "commands")
    return "" if hasattr(error, "param") or is_group else _one_word(context, path)


def _behind(option: str, words: Sequence[str], above: str) -> str:
    """Behind which command, named in `words` and within the one `above`, an option belongs."""
    path = ""
    for word in words:
        longer = f"{path} {word}".strip()
        path = longer if longer in _table() else path
        if path != above and option in _options(path):
            return f"Put it behind the command: vaultkit {path} {option}"
    return ""


def _one_word(context: Any, path: str) -> str:
    """How a word too many may be meant: as part of the name before it, or as the value of an option."""
    if names := [one.name for one in context.command.params if one.param_type_name == "argument"]:
        return f'Put a name of several words in quotes: vaultkit {path} "{context.params.get(names[-1])} ..."'
    options = [name for name, value in _options(path).items() if value and name not in _options("")]
    return f"A word needs its option before it: {', '.join(options)}" if options else ""


def _options(path: str) -> Mapping[str, str]:
    """The options of a command, each with what it takes, "" for nothing."""
    return {name: one["value"] for one in _table().get(path, {"options": ()})["options"] for name in one["names"]}


@cache
def _table() -> Mapping[str, Any]:
    import json

    from vaultkit.completion.answer import TABLE

    table: Mapping[str, Any] = json.loads(files.read(TABLE, links=True))
    return table
