"""The command to type for a word that is no command, from the list of such words in `guesses.toml`."""

import tomllib
from collections.abc import Sequence
from pathlib import Path

from vaultkit.errors import UsageError
from vaultkit.spelling import did_you_mean, did_you_mean_by, suggest_names
from vaultkit.text import quote_word

MIN_SUBCOMMAND_SIMILARITY_PERCENT = 75
"""The minimum similarity of a misspelt subcommand, which is higher than usual: `print` is often followed by a name."""


def unknown_command_error(parent: str, word: str, names: Sequence[str], nested_paths: Sequence[str] = ()) -> UsageError:
    """Return the error for a word that is no command, with what to type instead.

    `parent` is the command before the word, "" for none, and `names` are the commands that may follow it.
    `nested_paths` are the commands elsewhere that have this name, such as `print scores`.
    """
    hint = find_guess(parent, word) or (_subcommand_hint(parent, word, names) if parent else "")
    if not hint:
        general_hint = f"All commands: vaultkit --help. What a card does, or what a rule says: vaultkit ask {word}"
        hint = suggest_names(*nested_paths) if nested_paths else did_you_mean(word, names) or general_hint
    return UsageError(f"There is no command '{f'{parent} {word}'.strip()}'.", hint=hint)


def find_guess(parent: str, word: str) -> str:
    """Return the commands to type for a word after the command `parent`, each with its purpose; "" if unknown."""
    guesses = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["guess"]
    return next(
        (
            str(guess["type"])
            for guess in guesses
            if guess.get("below", "") == parent and word.casefold() in guess["words"].split()
        ),
        "",
    )


def _subcommand_hint(parent: str, word: str, names: Sequence[str]) -> str:
    paths = {name: f"vaultkit {parent} {name}" for name in names}
    if hint := did_you_mean_by(word, paths, min_score=MIN_SUBCOMMAND_SIMILARITY_PERCENT):
        return hint
    if parent == "config":
        return f"Show it: vaultkit config get {word}. Change it: vaultkit config set {word} VALUE"
    if parent != "print":
        return "Type one of: " + ", ".join(paths.values())
    commands = {"A note": "rules", "A score sheet": "scores", "A deck": "cards"}
    return ". ".join(f"{kind}: vaultkit print {command} {quote_word(word)}" for kind, command in commands.items())
