"""Words that are no commands: each is answered with a command that exists."""

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from vaultkit.cli.app import app
from vaultkit.cli.command_registry import COMMANDS
from vaultkit.cli.command_table import all_entries
from vaultkit.cli.guesses import find_guesses, read_guess_list, unknown_command_error
from vaultkit.cli.typed_words import PHRASES_BY_COMMAND, read_typed_words
from vaultkit.errors import ExitCode

MISTAKES = Path(__file__).parents[1] / "frozen" / "expected" / "commands" / "mistakes.txt"
GUESSES = read_guess_list()["guess"]
PARENTS = dict.fromkeys(guess.get("below", "") for guess in GUESSES if "words" in guess)
HINTS = [(parent, word, text) for parent in PARENTS for word, text in find_guesses(parent).items()]
PHRASES = [phrase for phrases in PHRASES_BY_COMMAND.values() for phrase in phrases.split("; ")]
ENTRIES = all_entries(app)


def commands_in(text: str) -> list[list[str]]:
    """Return the words of each command that a hint names."""
    commands = re.findall(r"vaultkit ((?:\"[^\"]*\"|[^\"])*?)(?=\. |\.$|, vaultkit| \(|$)", text)
    return [shlex.split(command) for command in commands]


def assert_exists(words: list[str]) -> None:
    """Check that words are a command with its options, and that what it needs is given."""
    path, used = "", 0
    while used < len(words) and f"{path} {words[used]}".strip() in ENTRIES:
        path, used = f"{path} {words[used]}".strip(), used + 1
    entry = ENTRIES[path]
    names = {name for option in (*entry.options, *ENTRIES[""].options) for name in option.names}
    assert path or words[:1] == ["--vault"] or {*words} <= names, words
    assert {word for word in words if word.startswith("-")} <= names, words
    assert len(words) - used >= sum(argument.is_required for argument in entry.arguments) or "--help" in words, words


@pytest.mark.short(58)
@pytest.mark.parametrize(
    "guess", GUESSES, ids=lambda guess: f"{guess.get('below', '')}-{guess.get('words', guess.get('kind'))}"[:40]
)
def test_each_suggestion_names_existing_commands(guess: dict[str, str]) -> None:
    commands = commands_in(guess["type"])
    assert commands
    for words in commands:
        if words[0] == "THIS":  # any command that is typed there
            place = guess["below"].partition(" --")[0]
            groups = {path.rpartition(" ")[0] for path in ENTRIES}
            entries = [ENTRIES[path] for path in {*ENTRIES} - groups if f"{path} ".startswith(f"{place} ")]
            names = [{name for option in entry.options for name in option.names} for entry in entries]
            assert names and all({word for word in words if word[:2] == "--"} <= own for own in names), words
        else:
            assert words[0] == "NAME" or not assert_exists(words)


def test_guessed_words_are_not_commands_and_have_a_suggestion() -> None:
    for parent, word, _ in HINTS:
        assert f"{parent} {word}".strip() not in {*ENTRIES, *PHRASES} and word == word.casefold()
    for name, phrases in PHRASES_BY_COMMAND.items():
        assert name.partition(" --")[0] in ENTRIES or name == "--version"
        assert not {*phrases.split("; ")} & {*ENTRIES}


def test_each_suggested_place_is_a_command_with_an_option_or_value() -> None:
    for guess in GUESSES:
        for path in guess.get("below", "").split("; "):
            words = path.split(" ")
            assert any(" ".join(words[:count]) in ENTRIES for count in (len(words), len(words) - 1)), path


def test_hints_for_40_mistakes_name_existing_commands() -> None:
    text = MISTAKES.read_text(encoding="utf-8")
    assert text.count("$ vaultkit") >= 40 and text.count("Traceback") == 0
    hints = [line for line in text.splitlines() if line.startswith("!   Hint:")]
    for hint in hints:
        for words in commands_in(hint.rstrip(".")):
            assert_exists(words)


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["search", "raven"], "vaultkit ask raven"),
        (["Search", "the", "raven"], "vaultkit ask raven"),
        (["booklet", "House Rules"], 'vaultkit print rules "House Rules" --booklet a5'),
        (["loot", "--seed", "3"], "vaultkit roll TABLE"),
        (["rolll"], "Did you mean 'roll'?"),
        (["xyzzy", "plugh"], "All commands: vaultkit --help"),
        (["imprimer", "House Rules"], 'vaultkit print rules "House Rules"'),
        (["spielen", "propheta"], "vaultkit play propheta"),
    ],
)
def test_suggested_command_contains_the_typed_words(words: list[str], hint: str) -> None:
    error = unknown_command_error("", words, list(COMMANDS))
    assert f"'{words[0]}'" in error.message and hint in error.hint


@pytest.mark.slow
def test_old_names_work_and_are_hidden(vk: Vaultkit, example: Path) -> None:
    assert vk("decks", cwd=example).out == vk("deck", cwd=example).out != ""
    note = example / "Inn.md"
    note.write_text("Then came the Berserker.\n", encoding="utf-8")
    old, new = (
        vk("link", "Inn", "--deck", "tarokka", cwd=example),
        vk("links", "Inn", "--add", "--deck=tarokka", cwd=example),
    )
    assert (old.code, old.out) == (new.code, new.out) and "|Berserker]]" in old.out
    listed = vk("--help", cwd=example).out
    assert not re.search(r"│ (decks|link) ", listed) and re.search(r"│ deck ", listed)


@pytest.mark.slow
def test_a_group_takes_its_argument_unless_it_is_a_subcommand(vk: Vaultkit, example: Path) -> None:
    assert vk("deck", "tarokka", "--backlinks", cwd=example).code == ExitCode.OK
    assert vk("deck", "--backlinks", "tarokka", cwd=example).code == ExitCode.OK
    assert "vaultkit deck new [OPTIONS]" in vk("deck", "new", "-h", cwd=example).out
    assert vk("deck", "--backlinks", cwd=example).code == ExitCode.USAGE


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--write",), 'vaultkit links "House Rules" --add'),
        (("--pick", "A=b"), "--pick is for --add"),
        (("--add", "--back"), "Leave one of them out"),
        (("--add", "--pick", "Rogue"), "NAME=card"),
    ],
)
def test_incompatible_options_of_links_are_refused(
    vk: Vaultkit, example: Path, options: tuple[str, ...], said: str
) -> None:
    done = vk("links", "House Rules", *options, cwd=example)
    assert done.code == ExitCode.USAGE and said in done.err and not done.out


@pytest.mark.slow
def test_printer_options_have_a_help_panel_and_sources_are_hidden(vk: Vaultkit, example: Path) -> None:
    text = vk("print", "rules", "-h", cwd=example).out
    panel = text.partition("─ Printer ─")[2]
    assert "--flip" in panel and "--grey" in panel and "--sources" not in text
    done = vk("print", "rules", "House Rules", "--sources", "--out", "rules.pdf", cwd=example)
    assert done.code == ExitCode.OK, done.err


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["decks", "tarokka"], ["deck", "tarokka"]),
        (["--vault", "V", "deck", "create", "Items"], ["--vault", "V", "deck", "new", "Items"]),
        (["$", "vaultkit", "Check"], ["check"]),
        (
            ["print", "rules", "“House", "Rules”", "—theme", "dark"],
            ["print", "rules", "House Rules", "--theme", "dark"],
        ),
        (["games", "new", "--title=„Goose", "Fair“"], ["games", "new", "--title=Goose Fair"]),
        (["links", "[[House", "Rules]]"], ["links", "[[House Rules]]"]),
        (["print", "score", "sheet", "for", "chess"], ["print", "scores", "chess"]),
        (["ask", "“without", "an", "end"], ["ask", "“without", "an", "end"]),
        (["undo", "the", "last", "write"], ["undo"]),
        (["ask", "deck", "create"], ["ask", "deck", "create"]),
        ([], []),
    ],
)
def test_typed_words_are_normalized(typed: list[str], meant: list[str]) -> None:
    assert read_typed_words(typed) == meant
