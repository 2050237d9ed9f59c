"""Changes of single settings in the vault's settings file, in which every other byte stays as it is."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import chain

from vaultkit import files
from vaultkit.campaign.log_target.line_target import LOG_TO_VALUES
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import UsageError, WriteError
from vaultkit.games.options import Option
from vaultkit.games.registry import GAMES
from vaultkit.scene.bot_speed import SPEEDS
from vaultkit.session.options import all_options
from vaultkit.settings import CHECK_LEVELS, PICKS_SECTION, VAULT_CONFIG_PATH, Settings, toml_error, values_by_key
from vaultkit.spelling import did_you_mean, did_you_mean_by
from vaultkit.text import clean_name, is_name, parse_whole_number, toml_key, toml_line, toml_value
from vaultkit.vault import Note
from vaultkit.vault.checking.check import Check
from vaultkit.vault.writing.escape import clean_line
from vaultkit.vault.writing.splice import Splice, smallest_splice
from vaultkit.vault.writing.write import Writer

_ANY_HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)
_LAST_KEY_LINE = re.compile(r"^[ \t]*[^\s#][^\r\n]*", re.MULTILINE)
_VALUE_TOKEN = re.compile(
    r'''"""(?:[^\\]|\\.)*?"{3,5}|'{3}.*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|(?P<bracket>[][{}])|(?P<end>#[^\n]*|\r?\n|\Z)''',
    re.DOTALL,
)
_OPENING_BRACKETS, _CLOSING_BRACKETS = ("[", "{"), ("]", "}")
_CHOICES = {"campaign.log-to": LOG_TO_VALUES, "play.speed": tuple(SPEEDS)}
"""The accepted texts of some settings."""
_SWITCH_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def parse_setting(workspace: Workspace, key: str, words: Sequence[str]) -> object:
    """Return the value that a person typed for a setting, with the type that the setting has.

    The words of a text are joined by spaces; a list takes names that are separated by commas or are words of their own.
    Raises UsageError for an unknown setting and for a value of another type.
    """
    text, defaults = clean_line(" ".join(words)), values_by_key(Settings())
    if key.startswith("games."):
        return _find_option(workspace, key).parse(text)
    if key.startswith("check."):
        return _parse_level(key, text)
    if key.startswith(f"{PICKS_SECTION}.") and text:
        return text
    if key not in defaults:
        raise _unknown_setting_error(key, defaults)
    return _parse_plain_value(key, defaults[key], text, words)


def _parse_plain_value(key: str, default: object, text: str, words: Sequence[str]) -> object:
    """Return the value of a setting with a type of its own, which is that of its default. Raises UsageError."""
    if isinstance(default, tuple):
        names = [name.strip() for word in words for name in word.split(",") if name.strip()]
        if all(is_name(clean_name(name)) for name in names):
            return names
        raise UsageError(f"'{text}' is not a list of names.", hint=f'Type: vaultkit config set {key} "Ysolde, Bram"')
    if isinstance(default, bool):
        if text.casefold() in _SWITCH_WORDS:
            return _SWITCH_WORDS[text.casefold()]
        raise UsageError(f"'{key}' is true or false, not '{text}'.", hint=f"Type: vaultkit config set {key} true")
    if isinstance(default, int):
        if (number := parse_whole_number(text)) is not None:
            return number
        hint = f"Type: vaultkit config set {key} {default}"
        raise UsageError(f"'{key}' is a whole number, 0 or more, not '{text}'.", hint=hint)
    if (choices := _CHOICES.get(key)) and text not in choices:
        raise UsageError(f"'{key}' cannot be '{text}'.", hint=f"Accepted: {', '.join(choices)}.")
    return text


def get_setting(workspace: Workspace, key: str) -> object:
    """Return the value of a setting, or the default of a house rule or of a problem's level that is not set.

    Raises UsageError for an unknown setting.
    """
    values = values_by_key(workspace.settings)
    if key in values:
        return values[key]
    if key.startswith("games."):
        return _find_option(workspace, key).default
    if key.startswith("check."):
        return _find_check(key).severity
    raise _unknown_setting_error(key, values)


def _unknown_setting_error(key: str, names: Iterable[str]) -> UsageError:
    """Return the error for a setting that is none of `names`, and no house rule of a game.

    Its hint suggests the setting that is meant, also without `games.`, or as the word after its last dot.
    """
    games = ((f"games.{info.id}.{option.key}" for option in all_options(info.rules())) for info in GAMES.values())
    all_names = [*chain.from_iterable(games), *names]
    names_by_word = {name.removeprefix("games.") if "." in key else name.rpartition(".")[2]: name for name in all_names}
    hint = did_you_mean_by(key.removeprefix("games."), names_by_word)
    return UsageError(f"There is no setting '{key}'.", hint=hint or "See: vaultkit config list")


def _find_option(workspace: Workspace, key: str) -> Option:
    """Return the house rule with a key such as `games.propheta.follow`. Raises UsageError for an unknown one."""
    _, game_id, *option_parts = key.split(".", 2)
    info, name = workspace.score_sheets.find_playable(game_id), "".join(option_parts)
    options = {option.key: option for option in all_options(info.rules())}
    if name in options and game_id == info.id:
        return options[name]
    hint = did_you_mean_by(name, {option_key: f"games.{info.id}.{option_key}" for option_key in options})
    raise UsageError(f"There is no setting '{key}'.", hint=hint or f"See: vaultkit rules {info.id} --options")


def _find_check(key: str) -> Check:
    """Return the check with a key such as `check.link-unresolved`. Raises UsageError for an unknown one."""
    from vaultkit.campaign.correction.game_check import every_check

    checks = {f"check.{check.code}": check for check in every_check()}
    if key not in checks:
        raise UsageError(f"There is no setting '{key}'.", hint=did_you_mean(key, checks) or "See: vaultkit config list")
    return checks[key]


def _parse_level(key: str, text: str) -> str:
    """Return the level of a code of problems. Raises UsageError for an unknown code or level."""
    _find_check(key)
    if text not in CHECK_LEVELS:
        raise UsageError(f"'{key}' cannot be '{text}'.", hint=f"Accepted: {', '.join(CHECK_LEVELS)}.")
    return text


def write_setting(workspace: Workspace, key: str, value: object, *, now: datetime, dry_run: bool = False) -> str:
    """Write one setting into the vault's settings file, which is created if it is missing; return the diff.

    Raises InvalidError if the file is not TOML, and WriteError if its form cannot be edited line by line.
    """
    writer = Writer(workspace.vault, f"config set {key}", now)
    plan_settings(workspace, _section_of(key), {key.removeprefix(f"{_section_of(key)}."): value}, writer)
    diff = writer.diff()
    if not dry_run:
        writer.commit()
    return diff


def plan_settings(workspace: Workspace, section: str, values: Mapping[str, object], writer: Writer) -> None:
    """Plan to set values in a section of the vault's settings file; the section "" is above all others."""
    plan = partial(settings_splice, section=section, values=values)
    if workspace.vault.file(VAULT_CONFIG_PATH).exists():
        writer.change(VAULT_CONFIG_PATH, plan)
    else:
        first_splice = plan(Note(VAULT_CONFIG_PATH, b""))
        writer.create(VAULT_CONFIG_PATH, first_splice.inserted if first_splice else "", plan)


def settings_splice(note: Note, section: str, values: Mapping[str, object]) -> Splice | None:
    """Return a splice that sets values in a section of a settings file, or None if they are set already.

    Raises InvalidError if the file is not TOML, and WriteError if its form cannot be edited line by line.
    """
    text = note.text
    for key, value in values.items():
        path = (*filter(None, section.split(".")), key)
        new_text = _set_value(text, path, value)
        if _parse(new_text) != _with_value(_parse(text, VAULT_CONFIG_PATH) or {}, path, value):
            place = f"below [{section}]" if section else "above all sections"
            hint = f"Write it there yourself, {place}: {toml_line(key, value)}"
            raise WriteError("This file cannot be edited line by line.", where=VAULT_CONFIG_PATH, hint=hint)
        text = new_text
    return smallest_splice(note.text, text) if text != note.text else None


def _section_of(key: str) -> str:
    """Return the section of a setting: `games.propheta` for `games.propheta.follow`, "" for `players`."""
    return PICKS_SECTION if key.startswith(f"{PICKS_SECTION}.") else key.rpartition(".")[0]


def _set_value(text: str, path: tuple[str, ...], value: object) -> str:
    """Return the text of a settings file with one value changed, uncommented or added."""
    newline = "\r\n" if "\r\n" in text else "\n"
    for header_length in range(len(path)):
        if span := _section_span(text, path[:header_length]):
            key = r"[ \t]*\.[ \t]*".join(map(_spellings, path[header_length:]))
            if match := re.compile(rf"^[ \t]*{key}[ \t]*=[ \t]*", re.MULTILINE).search(text, *span):
                return f"{text[: match.end()]}{toml_value(value)}{text[_value_end(text, match.end()) :]}"
    line, span = toml_line(path[-1], value), _section_span(text, path[:-1])
    if span is None:
        end = "" if not text or text.endswith("\n") else newline
        header = ".".join(map(toml_key, path[:-1]))
        return f"{text}{end}{newline if text.strip() else ''}[{header}]{newline}{line}{newline}"
    remark = re.compile(rf"^[ \t]*#[ \t]*{_spellings(path[-1])}[ \t]*=[^\r\n]*", re.MULTILINE).search(text, *span)
    if remark:
        return f"{text[: remark.start()]}{line}{text[remark.end() :]}"
    last_line = next(reversed([*_LAST_KEY_LINE.finditer(text, *span)]), None)
    position = last_line.end() if last_line else span[0]
    if position in (0, span[0]) and (not position or text[position - 1] == "\n"):
        return f"{text[:position]}{line}{newline}{text[position:]}"
    return f"{text[:position]}{newline}{line}{text[position:]}"


def _section_span(text: str, section: Sequence[str]) -> tuple[int, int] | None:
    """Return where a section begins, behind its header, and ends; None if the file has no such section."""
    start = 0
    if section:
        name = r"[ \t]*\.[ \t]*".join(map(_spellings, section))
        header = re.compile(rf"^[ \t]*\[[ \t]*{name}[ \t]*\][^\r\n]*(?:\r?\n|\Z)", re.MULTILINE).search(text)
        if header is None:
            return None
        start = header.end()
    next_header = _ANY_HEADER.search(text, start)
    return start, next_header.start() if next_header else len(text)


def _spellings(key: str) -> str:
    return "(?:" + "|".join(map(re.escape, (key, toml_value(key), f"'{key}'"))) + ")"


def _value_end(text: str, start: int) -> int:
    """Return the offset where the TOML value that begins at `start` ends, before a remark or the end of its line."""
    depth, end = 0, start
    for token in _VALUE_TOKEN.finditer(text, start):
        depth += (token["bracket"] in _OPENING_BRACKETS) - (token["bracket"] in _CLOSING_BRACKETS)
        if depth <= 0 and token["end"] is not None:
            end = token.start()
            break
    return start + len(text[start:end].rstrip())


def _parse(text: str, where: str = "") -> dict[str, object] | None:
    """Return the parsed TOML; None if it is faulty, or InvalidError is raised if it stands in the file `where`."""
    try:
        return files.parse_toml(text.replace("\r\n", "\n"), where)
    except ValueError as error:
        if where:
            raise toml_error(str(error), text, where) from error
        return None


def _with_value(document: Mapping[str, object], path: tuple[str, ...], value: object) -> dict[str, object]:
    """Return a copy of a parsed document with one value set."""
    key, *rest = path
    section = document.get(key)
    nested = _with_value(section if isinstance(section, dict) else {}, tuple(rest), value) if rest else value
    return {**document, key: nested}
