"""The command to type for a word that is no command, from the list of such words in `guesses.toml`."""

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

from vaultkit import files
from vaultkit.errors import UsageError
from vaultkit.spelling import did_you_mean_by, suggest_names
from vaultkit.text import quote_word

MIN_SIMILARITY_PERCENT = 75
"""The minimum similarity of a misspelt subcommand, which is higher than usual: `print` is often followed by a name."""
Words = Sequence[str]
_ANY_WORD = "*"
_PLACEHOLDER = re.compile(r"\b(?:NOTE|GAME|WORDS|TABLE|DECK|NAME|FOLDER|TITLE|TAG|SPREAD|ID)\b")


def unknown_command_error(parent: str, words: Words, names: Words, nested_paths: Words = ()) -> UsageError:
    """Return the error for a word that is no command, with what to type instead.

    `parent` is the command before the word, "" for none, and `names` are the commands that may follow it. `words` are
    the word and what was typed after it. `nested_paths` are the commands elsewhere that have this name, such as
    `print scores`.
    """
    word, *rest = words
    guesses, paths = find_guesses(parent), {name: f"{parent} {name}".strip() for name in names}
    hint = _fill_in(guesses.get(word.casefold(), ""), rest)
    hint = hint or (suggest_names(*nested_paths) if nested_paths else "")
    hint = hint or did_you_mean_by(word, paths, min_score=MIN_SIMILARITY_PERCENT)
    hint = hint or _fill_in(guesses.get(_ANY_WORD, ""), words)
    return UsageError(f"There is no command '{f'{parent} {word}'.strip()}'.", hint=hint)


def _fill_in(text: str, words: Sequence[str]) -> str:
    """Return commands with the typed words in place of a name such as `NOTE`, unless there are none or also options."""
    if not words or any(word.startswith("-") for word in words):
        return text
    return _PLACEHOLDER.sub(lambda _: quote_word(" ".join(words)), text)


def find_guesses(parent: str) -> dict[str, str]:
    """Return, for each known word after the command `parent`, the commands to type instead, each with its purpose.

    The word `*` stands for any other word.
    """
    guesses = tomllib.loads(files.read(Path(__file__).with_suffix(".toml")).decode())["guess"]
    guesses = [guess for guess in guesses if guess.get("below", "") == parent]
    return {word: guess["type"] for guess in guesses for word in guess["words"].split()}
