"""The command to type for a word that is no command, from the list of such words in `guesses.toml`."""

import tomllib
from collections.abc import Sequence
from pathlib import Path

from vaultkit.errors import UsageError
from vaultkit.spelling import did_you_mean_by, suggest_names
from vaultkit.text import quote_word

MIN_SIMILARITY_PERCENT = 75
"""The minimum similarity of a misspelt subcommand, which is higher than usual: `print` is often followed by a name."""
_ANY_WORD = "*"


def unknown_command_error(parent: str, word: str, names: Sequence[str], nested_paths: Sequence[str] = ()) -> UsageError:
    """Return the error for a word that is no command, with what to type instead.

    `parent` is the command before the word, "" for none, and `names` are the commands that may follow it.
    `nested_paths` are the commands elsewhere that have this name, such as `print scores`.
    """
    guesses, paths = find_guesses(parent), {name: f"{parent} {name}".strip() for name in names}
    hint = guesses.get(word.casefold()) or (suggest_names(*nested_paths) if nested_paths else "")
    hint = hint or did_you_mean_by(word, paths, min_score=MIN_SIMILARITY_PERCENT) or guesses.get(_ANY_WORD, "")
    path = f"{parent} {word}".strip()
    return UsageError(f"There is no command '{path}'.", hint=hint.replace("{word}", quote_word(word)))


def find_guesses(parent: str) -> dict[str, str]:
    """Return, for each known word after the command `parent`, the commands to type instead, each with its purpose.

    The word `*` stands for any other word.
    """
    guesses = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["guess"]
    return {
        word: guess["type"] for guess in guesses if guess.get("below", "") == parent for word in guess["words"].split()
    }
