"""Settings, each read from the vault's `.vaultkit/config.toml`, else from the user's own file, else a default."""

import os
import re
import sys
from collections.abc import ItemsView, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from vaultkit import files, stdio
from vaultkit.budget import Limit
from vaultkit.errors import InvalidError
from vaultkit.key_lines import find_key_line
from vaultkit.spelling import did_you_mean
from vaultkit.text import clean_name, is_name
from vaultkit.user_folders import config_folder

VAULT_CONFIG_PATH = ".vaultkit/config.toml"


@dataclass(frozen=True, slots=True)
class CampaignSettings:
    """The settings in the section `campaign`.

    `note` is the campaign note, `heading` where its log is, `folder` where the notes of games go. `log_to` says which
    note gets the line of a game: `note`, `newest-session` or `daily-note`. `sessions` is the folder of the GM's own
    session notes, "" if they are known by the tag or the property `session`. `in_world` is their property that holds
    the date in the game world. `loot_heading` is the heading under which a character's note lists loot.
    """

    note: str = ""
    heading: str = "Log"
    folder: str = "Games"
    log_to: str = "note"
    sessions: str = ""
    in_world: str = "fc-date"
    loot_heading: str = "Loot"


@dataclass(frozen=True, slots=True)
class PrintSettings:
    """The settings in the section `print`.

    `paper` is a paper of print/paper.toml, "" for the usual one of the locale; `folder` is where PDFs go, "" for the
    current folder. `theme` is a file of print/themes; the switches are those of the command line. `vault_name` is what
    Obsidian calls this vault, for links that open a note there; "" makes no such links. `secrets` are the words that
    mark what `--no-secrets` leaves out. `language` is that of notes without a property `lang`; "" if unknown.
    `handouts` is the folder of notes and pictures that `print prep` gives to the players.
    """

    paper: str = ""
    folder: str = ""
    theme: str = "classic"
    ink_saver: bool = False
    grey: bool = False
    large: bool = False
    easy_read: bool = False
    system_fonts: bool = False
    vault_name: str = ""
    secrets: tuple[str, ...] = ("secret", "gm", "dm")
    language: str = ""
    handouts: str = "Handouts"


@dataclass(frozen=True, slots=True)
class StatsSettings:
    """The settings in the section `stats`.

    `note` is where `stats --write` keeps its note, `base` its list for Obsidian's Bases; "" for `campaign.folder`.
    """

    note: str = ""
    base: str = ""


@dataclass(frozen=True, slots=True)
class HistorySettings:
    """How long writes can be undone: at least `days`, unless they take more than `megabytes`; 0 means no limit."""

    days: int = 365
    megabytes: int = 200


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """The settings in the section `play`.

    `bot_names` are the names that bots get, in the order in which they sit down; if empty, the built-in names. `speed`
    is how fast bots play at a terminal: `slow`, `fast` or `off`.
    """

    bot_names: tuple[str, ...] = ()
    speed: str = "fast"


@dataclass(frozen=True, slots=True)
class AskSettings:
    """The settings in the section `ask`.

    `language` is the language of the notes: `en`, `de`, `fr`, `es`, `it`, `pt` or `pl`; "" if it is to be guessed.
    """

    language: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of one run.

    `games` holds options by game id. `origins` maps each key, such as `print.paper`, to the file that set it. `picks`
    maps ambiguous names to the cards that they mean in this vault. `check` maps codes of problems to `error`, `warning`
    or `off`.
    """

    players: tuple[str, ...] = ()
    campaign: CampaignSettings = field(default_factory=CampaignSettings)
    print: PrintSettings = field(default_factory=PrintSettings)
    stats: StatsSettings = field(default_factory=StatsSettings)
    history: HistorySettings = field(default_factory=HistorySettings)
    play: PlaySettings = field(default_factory=PlaySettings)
    ask: AskSettings = field(default_factory=AskSettings)
    games: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    origins: Mapping[str, str] = field(default_factory=dict)
    picks: Mapping[str, str] = field(default_factory=dict)
    check: Mapping[str, str] = field(default_factory=dict)


PICKS_SECTION = "link.picks"
"""The section that decides what ambiguous names mean, a card or something else: `Rogue = "tarokka:4-stars"`."""
_SECTIONS: Mapping[str, type[Any]] = {
    "campaign": CampaignSettings,
    "print": PrintSettings,
    "stats": StatsSettings,
    "history": HistorySettings,
    "play": PlaySettings,
    "ask": AskSettings,
}
_MAX_TEXT = Limit("A text in this file of settings has", 10_000, "characters", "Write a shorter one.")
CHECK_LEVELS = ("error", "warning", "off")
"""The values that the section `check` gives to the codes of problems."""


_LETTER_TERRITORIES = frozenset(["BZ", "CA", "CL", "CO", "CR", "GT", "MX", "NI", "PA", "PH", "PR", "SV", "US", "VE"])
"""The countries and territories that use letter paper, by the CLDR of Unicode."""


def locale_paper() -> str:
    """Return the usual paper where the user lives: `letter` or `a4`.

    The environment's locale counts, as `LC_PAPER=en_US.UTF-8`; without one, that of Windows.
    """
    name = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_PAPER", "LANG"))), "")
    if not name and sys.platform == "win32":
        import ctypes

        locale_name = ctypes.create_unicode_buffer(85)
        ctypes.windll.kernel32.GetUserDefaultLocaleName(locale_name, len(locale_name))
        name = locale_name.value
    territory = re.search(r"[_-]([A-Z]{2})\b", name)
    return "letter" if territory and territory[1] in _LETTER_TERRITORIES else "a4"


def user_settings_path() -> Path:
    """Return the path of the user's own settings, which hold for all vaults."""
    return Path(config_folder()) / "config.toml"


def load(vault: Path | None, user: Path | None = None) -> Settings:
    """Read and merge the settings of the user and of the vault, whose values win.

    Raises InvalidError that names the file and, for an unknown key, the accepted ones.
    """
    sections: dict[str, dict[str, Any]] = {"": {}, PICKS_SECTION: {}, "check": {}, **{name: {} for name in _SECTIONS}}
    origins: dict[str, str] = {}
    for file in (user or user_settings_path(), *([vault / VAULT_CONFIG_PATH] if vault else [])):
        for section, key, value in _parse_entries(_parse_file(file), file):
            texts = value if isinstance(value, tuple) else (value,)
            if any(isinstance(text, str) and len(text) > _MAX_TEXT.maximum for text in texts):
                raise _MAX_TEXT.error(_location(file, section, key))
            origins[_full_key(section, key)] = str(file)
            sections.setdefault(section, {})[key] = value
    groups = {
        name: section(**{key.replace("-", "_"): value for key, value in sections[name].items()})
        for name, section in _SECTIONS.items()
    }
    return Settings(
        players=sections[""].get("players", ()),
        games={name.removeprefix("games."): sections[name] for name in sections if name.startswith("games.")},
        origins=origins,
        picks=sections[PICKS_SECTION],
        check=sections["check"],
        **groups,
    )


def values_by_key(settings: Settings) -> dict[str, object]:
    """Return every setting by its key, such as `players`, `print.paper` or `games.propheta.follow`."""
    values: dict[str, object] = {"players": settings.players}
    for section, section_type in _SECTIONS.items():
        group = getattr(settings, section)
        values |= {f"{section}.{_key_of(field.name)}": getattr(group, field.name) for field in fields(section_type)}
    options = ((game, key, value) for game, pairs in settings.games.items() for key, value in pairs.items())
    values |= {f"games.{game}.{key}": value for game, key, value in options}
    values |= {f"check.{code}": level for code, level in settings.check.items()}
    return values | {f"{PICKS_SECTION}.{name}": card for name, card in settings.picks.items()}


def _key_of(field_name: str) -> str:
    return field_name.replace("_", "-")


def line_of(file: Path, section: str, key: str) -> int:
    """Return the line, from 1, that sets a key in a section such as `games.propheta`; 0 if the line cannot be found."""
    line, is_exact = find_key_line(_read_text(file).split("\n"), (*filter(None, section.split(".")), key))
    return line if is_exact else 0


@lru_cache(maxsize=2)
def _parse_text(text: str, where: str) -> dict[str, Any]:
    """Return the tables of the settings file `where`, which a command reads several times; do not change them."""
    return files.parse_toml(text, where)


def _parse_file(file: Path) -> dict[str, Any]:
    text = ""
    try:
        text = _read_text(file)
        return _parse_text(text, str(file))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise files.unreadable_error("The settings", error, str(file)) from error
    except UnicodeError as error:
        hint = "Open it in an editor, and save it as UTF-8."
        raise InvalidError("The settings cannot be read: they are not UTF-8.", where=str(file), hint=hint) from error
    except ValueError as error:
        raise toml_error(str(error), text, str(file)) from error


def _read_text(file: Path) -> str:
    """Return the text of a settings file with `\\n` as line ends."""
    is_in_vault = files.VAULTKIT_FOLDER in file.parts
    data = files.read_state(file) if is_in_vault else stdio.read_input(file, files.STATE_BYTES)
    return "\n".join(files.decode_text(data).replace("\r\n", "\n").split("\r"))


def toml_error(reason: str, text: str, file: str) -> InvalidError:
    """Return the error for a file that is not TOML, with its line and a hint for people who do not know TOML."""
    reason, _, position = reason.rstrip(")").partition(" (at ")
    lines = text.removesuffix("\n").split("\n")
    match = re.match(r"line (\d+)", position)
    last_line_number = len(lines) if position else 0
    line_number = int(match[1]) if match else last_line_number
    line = lines[line_number - 1] if 0 < line_number <= len(lines) else ""
    where = f"{file}:{line_number}" if line_number else file
    return InvalidError(f"The settings cannot be read: {reason}.", where=where, hint=_quoting_hint(line))


def _quoting_hint(line: str) -> str:
    """Return a hint how to write a line whose text lacks quotes or contains `\\`; "" if neither is the fault."""
    match = re.match(r"\s*([\w-]+\s*=)\s*([^#]*)", line)
    if not match:
        return ""
    value = (value_as_written := match[2].rstrip()).replace("\\", "/")
    if value != value_as_written:
        return f"Write / instead of \\: {match[1]} {value}"
    if re.match(r"[\"'\[{]", value):
        return ""
    return f'A text needs straight quotes: {match[1]} "{value.strip("“”„»«‘’")}"'


def _location(file: Path, section: str, key: str) -> str:
    line = line_of(file, section, key)
    return f"{file}:{line}" if line else str(file)


def _parse_entries(data: Mapping[str, Any], file: Path) -> Iterator[tuple[str, str, Any]]:
    """Yield section, key and value of every setting. Raises InvalidError for unknown keys and wrong values."""
    for name, value in data.items():
        if name == "players":
            yield "", name, _check_names("", name, value, file)
        elif name in _SECTIONS:
            for key, setting in _section_items(name, value, file):
                yield name, key, _check_value(name, key, setting, file)
        elif name == "games":
            for game, options in _section_items(name, value, file):
                for key, setting in _section_items(f"games.{game}", options, file):
                    yield f"games.{game}", key, setting
        elif name == "link":
            yield from _parse_picks(_section_items(name, value, file), file)
        elif name == "check":
            for code, level in _section_items(name, value, file):
                if level not in CHECK_LEVELS:
                    hint = f'Write "error", "warning" or "off": {code} = "warning"'
                    raise _invalid_error(name, code, "is not a level of a problem", file, hint)
                yield name, code, level
        else:
            raise _unknown_key_error("", name, {"players", *_SECTIONS, "games", "link", "check"}, file)


def _parse_picks(section: ItemsView[str, Any], file: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the section `link.picks` with each name and its card. Raises InvalidError for other keys and values."""
    for key, value in section:
        if key != "picks":
            raise _unknown_key_error("link", key, {PICKS_SECTION}, file)
        for name, card in _section_items(PICKS_SECTION, value, file):
            if not isinstance(card, str) or not card.strip():
                raise _invalid_error(
                    PICKS_SECTION, name, "must be a text", file, f'Write a card: {name} = "tarokka:raven"'
                )
            yield PICKS_SECTION, name, card


def _section_items(name: str, value: object, file: Path) -> ItemsView[str, Any]:
    if not isinstance(value, dict):
        hint = f"Write it as [{name}] above its keys."
        raise InvalidError(f"'{name}' must be a section.", where=str(file), hint=hint)
    return value.items()


def _check_names(section: str, key: str, value: object, file: Path) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) and is_name(clean_name(name)) for name in value):
        raise _invalid_error(section, key, "must be a list of names", file, f'For example: {key} = ["Ysolde", "Bram"]')
    return tuple(value)


def _check_value(section: str, key: str, value: object, file: Path) -> object:
    """Return `value` if it has the type of its default: a text, a whole number from 0, names, or yes or no.

    Raises InvalidError for another type and for an unknown key.
    """
    defaults = {_key_of(setting.name): setting.default for setting in fields(_SECTIONS[section])}
    if key not in defaults:
        raise _unknown_key_error(section, key, {f"{section}.{name}" for name in defaults}, file)
    expected_type = type(defaults[key])
    if expected_type is tuple:
        return _check_names(section, key, value, file)
    if type(value) is not expected_type or (isinstance(value, int) and value < 0):
        raise _invalid_error(section, key, f"must be {_TYPE_DESCRIPTIONS[expected_type]}", file)
    if isinstance(value, str) and any(character < " " for character in value):
        hint = "In quotes, \\n is a new line and \\t a tab: write / instead of \\."
        raise _invalid_error(section, key, "must be one line", file, hint)
    return value


_TYPE_DESCRIPTIONS: Mapping[type, str] = {
    bool: "true or false",
    str: "a text in quotes",
    int: "a whole number, 0 or more, without quotes",
}


def _invalid_error(section: str, key: str, fault: str, file: Path, hint: str = "") -> InvalidError:
    """Return the error for the value of a key; `fault` is the end of a sentence about it."""
    return InvalidError(f"'{_full_key(section, key)}' {fault}.", where=_location(file, section, key), hint=hint)


def _unknown_key_error(section: str, key: str, accepted_keys: set[str], file: Path) -> InvalidError:
    full_key, keys = _full_key(section, key), sorted(accepted_keys)
    hint = did_you_mean(full_key, keys, suffix=f"The settings here: {', '.join(keys)}.")
    return InvalidError(f"There is no setting '{full_key}'.", where=_location(file, section, key), hint=hint)


def _full_key(section: str, key: str) -> str:
    return f"{section}.{key}" if section else key
