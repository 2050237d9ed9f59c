"""Names of tables as people write them: `Note#^block-id`, `Note^block-id`, `Note#Heading`, `Note:9` by the line."""

import re
from collections.abc import Iterable, Iterator

from vaultkit.vault.links import split_wikilink

_LINE = re.compile(r"(?P<path>.+)(?P<line>:[0-9]{1,7})", re.DOTALL)


def split(name: str) -> tuple[str, str]:
    """Note and subpath of what a person names: a heading, `^block-id`, or `:9` for a line."""
    _, path, subpath = split_wikilink(name.strip().removeprefix("[[").removesuffix("]]"))
    if not subpath:
        path, caret, block_id = path.partition("^")
        subpath = f"{caret}{block_id}"
    return path.strip(), subpath


def split_line(path: str) -> tuple[str, str]:
    """Note and line, `:9`, which is "" if the name ends otherwise."""
    match = _LINE.fullmatch(path)
    return (match["path"], match["line"]) if match else (path, "")


def as_files(name: str) -> Iterator[tuple[str, str]]:
    """The ways to take a name as a file's path and what stands behind it, the longest path first."""
    yield name, ""
    if split_line(name)[1]:
        yield split_line(name)
    for sign in reversed([*re.finditer("#", name)]):
        yield name[: sign.start()], name[sign.end() :].partition("|")[0].strip()


def listed(names: Iterable[str]) -> str:
    """Names in quotes, of many the first ones."""
    first, *more = quoted = [f"'{name}'" for name in names]
    return ", ".join(quoted) if len(more) < 10 else ", ".join([first, *more[:8], "and more"])
