"""Hints for words, options and names that a command does not know, from the list in `guesses.toml`."""

import re
import sys
import tomllib
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import chain, dropwhile, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vaultkit import files
from vaultkit.errors import UsageError, VaultkitError
from vaultkit.spelling import find_fewest_edits, suggest_names
from vaultkit.text import lookalike_key, name_key, quote_word, strip_article

if TYPE_CHECKING:
    from vaultkit.campaign.workspace import Workspace
    from vaultkit.games.options import Option
    from vaultkit.session.scoresheets import ScoreSheets

Words = Sequence[str]
ANY_WORD = "*"
_PLACEHOLDERS = (
    "NOTE GAME WORDS TABLE DECK NAME FOLDER TITLE TAG SPREAD ID SETTING VALUE PLAYER FILE NUMBER DATE COMMAND"
)
_PLACEHOLDER = re.compile(rf"\b(?:{'|'.join(_PLACEHOLDERS.split())})\b")
_NAME_PLACEHOLDER, WORDS, THIS = (re.compile(rf"\b{word}\b") for word in ("NAME", "WORDS", "THIS"))
_MAX_NAME_WORDS = 6
"""The most words of a game's name that are looked for among all typed words."""
_COMMAND_WITH_SIGN = re.compile(r"([a-z][a-z-]*)[=:.,;!?/\\]+(.*)")
"""A command with a sign behind it, or between it and its argument: `check.`, `scores=skat`."""
_MIN_LETTERS_OF_TWO_EDITS = 6
"""The minimum number of letters of a misspelt word that may differ from the word that is meant in two letters."""


def unknown_command_error(parent: str, words: Words, names: Words, nested_paths: Words = ()) -> UsageError:
    """Return the error for a word that is no command, with what to type instead.

    `parent` is the command before the word, "" for none, and `names` are the commands that may follow it. `words` are
    the word and what was typed after it. `nested_paths` are the commands elsewhere that have this name, such as
    `print scores`.
    """
    word, *rest = words
    similar_names = [f"{parent} {name}".strip() for name in find_misspelt(word, names)]
    own_guess = find_guess(parent, word, rest) or (find_guess("", word, rest) if is_deletion(word) else "")
    split = _COMMAND_WITH_SIGN.fullmatch(word)
    if split and split[1] in names:
        own_guess = suggest_names(
            " ".join(filter(None, ("vaultkit", parent, split[1], split[2], *map(quote_word, rest))))
        )
    hint = own_guess or (suggest_names(*nested_paths) if nested_paths else "")
    hint = hint or (suggest_names(*similar_names) if similar_names else "")
    hint = hint or describe_name(parent, " ".join(before_options(words))) or find_guess(parent, ANY_WORD, words)
    return UsageError(f"There is no command '{f'{parent} {word}'.strip()}'.", hint=hint)


def is_deletion(word: str) -> bool:
    """Return whether a word, in one of several languages, means to delete something."""
    guesses = find_guesses("")
    return guesses.get(word.casefold(), "") == guesses["delete"]


def find_misspelt(word: str, names: Words) -> list[str]:
    """Return the names of which `word` may be a misspelling: one letter is wrong, or two in a long word."""
    key, names_by_key = word.casefold().lstrip("-"), {name.lstrip("-").casefold(): name for name in names}
    max_edits = 1 + (len(key) >= _MIN_LETTERS_OF_TWO_EDITS)
    return [names_by_key[name] for name in find_fewest_edits(key, names_by_key, max_edits)]


def find_guess(path: str, word: str, rest: Words = (), *, placeholder: re.Pattern[str] = _PLACEHOLDER) -> str:
    """Return what to type instead of a word after the command `path`; "" if unknown.

    `rest` are the words that were typed after it, which replace each `placeholder`. A guess for 00 is for any number of
    two digits.
    """
    guesses, key = find_guesses(path), word.casefold()
    return _fill_in(guesses.get(key) or guesses.get(re.sub(r"\d", "0", key), ""), rest, placeholder)


def find_option_guess(path: str, option: str, rest: Words, words: Words) -> str:
    """Return what to type instead of an option of the command `path`, or of one above it; "" if unknown.

    `words` are the whole command line, which replaces the placeholder `THIS` without the option, and without its value
    if options of that name have one.
    """
    guesses = (find_guess(parent, option, rest, placeholder=WORDS) for parent in _path_and_parents(path))
    takes_value = option in read_guess_list()["value_options"].split()
    return fill_in_line(next(filter(None, guesses), ""), words, option, keeps_value=not takes_value)


def find_value_guess(path: str, kind: str, value: str, words: Words) -> str:
    """Return what to type instead of a value of a `kind`, such as `paper`, that the command `path` does not know.

    `words` are the whole command line, which replaces the placeholder `THIS` without the option and its value.
    """
    guesses = (find_guess(f"{parent} {kind}".strip(), value) for parent in _path_and_parents(path))
    return fill_in_line(next(filter(None, guesses), ""), words, kind)


def fill_in_line(text: str, words: Words, option: str, *, keeps_value: bool = False) -> str:
    """Return commands with the words of a command line in place of `THIS`, without an option and its value.

    With `keeps_value` the option had none of its own: what follows it stays.
    """
    line_words, rest = [], iter(words)
    for word in rest:
        name, sign, value = word.partition("=")
        if name != option:
            line_words.append(word)
        elif keeps_value:
            line_words += [value] * bool(sign)
        elif not sign:
            next(rest, None)
    line = " ".join(map(quote_word, line_words))
    return THIS.sub(lambda _: line, text)


def find_guesses(parent: str) -> dict[str, str]:
    """Return, for each known word after the command `parent`, the commands to type instead, each with its purpose.

    The word `*` stands for any other word.
    """
    guesses = [guess for guess in read_guess_list()["guess"] if guess.get("below", "") == parent]
    return {word: guess["type"] for guess in guesses for word in guess.get("words", "").split()}


def describe_name(path: str, name: str, missing_kind: str = "", commands: Collection[str] = ()) -> str:
    """Return what a name is that the command `path` does not know, and what to type for it; "" if that is unknown.

    The command has nothing of the `missing_kind` with this name, which may be one of `commands`.
    """
    guesses = [guess for guess in read_guess_list()["guess"] if "kind" in guess]
    kinds = chain(_find_named(name) if name else (), [("command", name.casefold())] * (name.casefold() in commands))
    for kind, full_name in kinds:
        for guess in guesses:
            if (
                kind != missing_kind
                and kind in guess["kind"].split("; ")
                and path in guess.get("below", "").split("; ")
            ):
                return f"'{name}' is a {kind}. {_fill_in_name(guess['type'], full_name)}"
    return ""


def _fill_in_name(text: str, name: str) -> str:
    return _NAME_PLACEHOLDER.sub(lambda _: quote_word(name), text)


def find_quoted_name(words: Words, name: str) -> str:
    """Return the longer name that begins with `name` among the words and that something in the vault has, else ""."""
    following_words = before_options(words[words.index(name) :]) if name in words else []
    names = (" ".join(following_words[:count]) for count in range(len(following_words), 1, -1))
    return next((longer for longer in names if any(find_kinds(longer))), "")


def find_assignment(words: Words) -> str:
    """Return a house rule as `option=value` that follows `--set` with a space or a colon instead; "" if none does."""
    typed_words = [part for word in words for part in re.split(r"(?<=^--set)=", word, maxsplit=1)]
    texts = (
        " ".join(before_options(typed_words[number:])) for number, word in enumerate(typed_words, 1) if word == "--set"
    )
    options = [*_options_of_named_games(words)] if "--set" in typed_words else []
    for text in texts:
        for option in options:
            key = option.key.replace("_", "[-_]")
            match = re.match(rf"{key}(?!=\S)[\s=:]+(\S+)", text, re.IGNORECASE)
            with suppress(VaultkitError):
                if match:
                    return f"{option.key}={option.parse(match[1])}"
    return ""


def _options_of_named_games(words: Words) -> Iterator["Option"]:
    """Yield the options of the games that words name, or of all games if they name none."""
    from vaultkit.games.registry import GAMES
    from vaultkit.session.options import all_options

    sheets = _score_sheets_of(_find_workspace())
    known_names, count = sheets.names, len(words)
    ends = ((start, end) for start in range(count) for end in range(start + 1, min(start + _MAX_NAME_WORDS, count) + 1))
    names = (" ".join(words[start:end]) for start, end in ends)
    infos = [sheets.find_info(name) for name in names if lookalike_key(name) in known_names] or [*GAMES.values()]
    for info in infos:
        yield from all_options(info.rules() if info.id in GAMES else sheets.find(info.id))


def is_placeholder(word: str) -> bool:
    """Return whether a word is copied from help, such as `NOTE` or `<game>`, and stands for a name."""
    name = re.sub(r"\.\.\.$", "", word).strip("<>[]")
    return name in _PLACEHOLDERS.split() or (word[:1] == "<" and name.upper() in _PLACEHOLDERS.split())


@cache
def read_guess_list() -> dict[str, Any]:
    """Return the tables of `guesses.toml`."""
    return tomllib.loads(files.read(Path(__file__).with_suffix(".toml")).decode())


def _path_and_parents(path: str) -> Iterator[str]:
    """Yield the path of a command, then the paths of its parents: `print rules`, `print`, ""."""
    while path:
        yield path
        path = path.rpartition(" ")[0]
    yield ""


def before_options(words: Words) -> list[str]:
    """Return the words before the first option."""
    return list(takewhile(lambda word: not word.startswith("-"), words))


def _fill_in(text: str, words: Words, placeholder: re.Pattern[str]) -> str:
    """Return commands with the typed words in place of a name such as `NOTE`, without words that name nothing.

    If the commands have the placeholder `NAME`, it is the only one that is replaced. The first word replaces `SETTING`,
    and the others `VALUE` after it.
    """
    placeholder = _NAME_PLACEHOLDER if _NAME_PLACEHOLDER.search(text) else placeholder
    fillers = {*read_guess_list()["fillers"].split(), *find_guesses("")}
    names = [word for word in before_options(words) if word.casefold() not in fillers]
    if names and "SETTING" in text:
        setting, *value_words = dropwhile(lambda word: word.casefold() in fillers, before_options(words))
        text = text.replace("SETTING", quote_word(setting))
        return text.replace("VALUE", quote_word(" ".join(value_words))) if value_words else text
    return placeholder.sub(lambda _: quote_word(" ".join(names)), text) if names else text


def find_kinds(name: str) -> Iterator[str]:
    """Yield what a name is in the vault that the command line or the current folder names, and what without a vault."""
    return (kind for kind, _ in _find_named(name))


def _find_named(name: str) -> Iterator[tuple[str, str]]:
    """Yield each kind of thing that has a name, with the name by which commands find it."""
    from vaultkit.games.registry import GAMES

    workspace = _find_workspace()
    sheets = _score_sheets_of(workspace)
    finders: dict[str, Callable[[], object]] = {
        "game": lambda: sheets.find_info(name).id in GAMES,
        "score-sheet game": lambda: sheets.find_info(name).id not in GAMES,
    }
    if workspace:
        finders |= _vault_finders(workspace, name)
    for kind, find in finders.items():
        with suppress(VaultkitError):
            if result := find():
                yield kind, result if isinstance(result, str) and kind == "heading" else name


def _vault_finders(workspace: "Workspace", name: str) -> dict[str, Callable[[], object]]:
    """Return, for each kind of name, a function that finds `name`: it raises VaultkitError, or returns nothing."""
    from vaultkit.campaign.players import bare_name
    from vaultkit.compendium.spreads import Spreads
    from vaultkit.vault.queries import find_folder, find_heading

    key, card_key = name_key(name), strip_article(name)
    player_keys = [name_key(bare_name(player)) for player in workspace.settings.players]
    return {
        "player": lambda: any(key in (player, player.split(" ")[0]) for player in player_keys),
        "deck": lambda: workspace.compendium.deck(name),
        "card": lambda: any(
            card.name.casefold() == card_key for deck in workspace.compendium.decks for card in deck.deck
        ),
        "spread": lambda: Spreads(workspace.vault).find(name),
        "folder": lambda: find_folder(workspace.vault, name),
        "note": lambda: workspace.vault.lookup(name),
        "heading": lambda: find_heading(workspace.vault, name, sys.argv),
    }


def _score_sheets_of(workspace: "Workspace | None") -> "ScoreSheets":
    """Return the score sheets of a vault, or the shipped ones without a vault."""
    from vaultkit.session.scoresheets import ScoreSheets

    return workspace.score_sheets if workspace else ScoreSheets(None)


def _find_workspace() -> "Workspace | None":
    """Return the vault that the command line, which may be wrong, the environment or the current folder names."""
    import os

    from vaultkit.campaign.workspace import Workspace
    from vaultkit.vault.root_folder import find_root

    option = re.search(r"(?:^|\0)--vault[=\0]([^\0]+)", "\0".join(sys.argv))
    with suppress(VaultkitError):
        return Workspace(find_root(Path(option[1]) if option else None, os.environ, Path.cwd()))
    return None
