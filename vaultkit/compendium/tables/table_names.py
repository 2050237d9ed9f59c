"""The names by which users and notes name roll tables: files, lines, block ids, and words for kinds of tables."""

import re
from collections.abc import Iterable, Iterator

from vaultkit.text import list_first
from vaultkit.vault.links import split_wikilink

_KINDS = (
    "treasure loot hoard magic-item reward prize schatz schätze beute trésor butin tesoro botín tesori",
    "weather wetter météo meteo clima tempo pogoda climate forecast",
    "encounter encounters monster monsters begegnung begegnungen rencontre encuentro incontro",
    "name names namen noms nombres nomi",
)
"""Words for the same kind of table."""
_PATH_WITH_LINE = re.compile(r"(?P<path>.+)(?P<line>:[0-9]{1,7})", re.DOTALL)


def split_name(name: str) -> tuple[str, str]:
    """Split a table's name from a user into note and subpath: a heading, `^block-id`, or `:9` for a line."""
    _, path, subpath = split_wikilink(name.strip().removeprefix("[[").removesuffix("]]"))
    if not subpath:
        path, caret, block_id = path.partition("^")
        subpath = f"{caret}{block_id}"
    return path.strip(), subpath


def split_line_number(path: str) -> tuple[str, str]:
    """Split a name such as `Note:9` into the note and its line, `:9`; the line is "" if the name has none."""
    match = _PATH_WITH_LINE.fullmatch(path)
    return (match["path"], match["line"]) if match else (path, "")


def possible_files(name: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to read a name as a file's path and a subpath, the longest path first."""
    yield name, ""
    if split_line_number(name)[1]:
        yield split_line_number(name)
    for sign in reversed([*re.finditer("#", name)]):
        yield name[: sign.start()], name[sign.end() :].partition("|")[0].strip()


def quote_names(names: Iterable[str]) -> str:
    """Return the first ten names in quotes, separated by commas, and how many more there are."""
    return list_first([f"'{name}'" for name in names], 10)


def words_of_kind(word: str) -> list[str]:
    """Return the words in the titles of tables of the kind that `word` names, `word` among them."""
    words = next((words.split() for words in _KINDS if word in words.split()), [])
    return [word, *(other.replace("-", sign) for other in words for sign in " -")]
