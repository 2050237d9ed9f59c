"""Takes a note apart for its card: title, line below it, facts, words and picture. The note stays as it is."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from vaultkit.look import images
from vaultkit.sheets.cards.card import PrintableCard
from vaultkit.sheets.notecards.kinds import NoteKind
from vaultkit.sheets.qr import note_address
from vaultkit.sheets.secrecy import NO_SECRETS, SEALED, Secrets
from vaultkit.sheets.text import stat_block
from vaultkit.sheets.text.inline import left_out
from vaultkit.sheets.vault_source import VaultSource, language_of
from vaultkit.vault import Note, Vault
from vaultkit.vault.links import Link
from vaultkit.vault.markdown import parse

_OF_THE_VAULT = frozenset(
    {
        "tags", "tag", "aliases", "alias", "cssclasses", "cssclass", "publish", "permalink", "description", "statblock",
        "statblock-link", "obsidianuimode", "banner_x", "banner_y", "dg-publish", "position", "lang", "language",
    }
)  # fmt: skip
"""Properties that tell Obsidian, its plugins and converters what to do with a note."""
_FENCE = re.compile(
    r"^(?P<mark>`{3,}|~{3,})[ \t]*(?P<kind>ad-statblock|statblock)[^\n]*\n(?P<inside>.*?)^(?P=mark)[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_TYPE_LINE = re.compile(r"\A\s*(?:\*(?![*\s])(?P<star>[^*\n]+)\*|_(?![_\s])(?P<bar>[^_\n]+)_)[ \t]*\\?(?:\n|\Z)")
_SOURCE = re.compile(r"^\*Source:[^\n]*\*[ \t]*\\?$\n?", re.MULTILINE)
_STAT = re.compile(r"(?:[-*+][ \t]+)?\*\*(?P<label>[^*]+?)(?::\*\*|\*\*:)[ \t]*(?P<value>.*?)[ \t]*\\?")
_EMPTY_CALLOUT = re.compile(r"^>[ \t]*\[![^\]\n]+\][+-]?[ \t]*(?:\n|\Z)(?:^>[ \t]*(?:\n|\Z))*(?!>)", re.MULTILINE)
_LARGE_HEADING = re.compile(r"^#{1,2}(?=[ \t])", re.MULTILINE)
_PARTS = re.compile(r"(\[\[[^\]\n]*\]\]|\[[^\]\n]*\]\([^)\n]*\))")
_MARKS = re.compile(r"([\\`*_~<>|$=%\[\]])")


@dataclass(frozen=True)
class NoteCard:
    """A note as a card. `spare` are pictures that have no room on it, `missing` those that are not in the vault."""

    card: PrintableCard
    spare: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    left_out: Counter[str] = field(default_factory=Counter)
    """How many things of each kind only Obsidian can show."""


@dataclass(frozen=True)
class NoteContent:
    """A note, taken apart for a card of a kind."""

    note: Note
    vault: Vault
    kind: NoteKind
    secrets: Secrets = NO_SECRETS

    def card(self, vault_name: str) -> NoteCard:
        """The card; its title leads back to the note where the vault's name is known."""
        first, *others = self._files or [None]
        kicker, text = self._line_and_text
        card = PrintableCard(
            title=self.title,
            kicker=kicker,
            text_markdown=text,
            breaks=self.vault.breaks,
            image=first,
            link=note_address(vault_name, self.note.path),
            frame=self.kind.frame_for(self.vault.root, pictured=first is not None),
            shade=self.kind.shade,
            language=language_of(self.note),
            source=self._source,
        )
        return NoteCard(card, tuple(path.name for path in others if path), self._missing, _left_out(text))

    @property
    def _source(self) -> VaultSource:
        return VaultSource(self.note, self.vault, "", self.secrets)

    @property
    def title(self) -> str:
        """The words of the first heading, else the note's name."""
        return _words(self.note.title) or self.note.name

    @cached_property
    def _statblocks(self) -> list[stat_block.StatBlock]:
        """The statblocks that can be read, that of the note's properties first."""
        fences = (fence for text in (self._own_block, self.note.body) for fence in _FENCE.finditer(text))
        sources = (fence["inside"] for fence in fences if fence["kind"] == "statblock")
        read = (stat_block.read_stat_block(source, self._source.creature) for source in sources)
        return [block for block in read if block is not None]

    @cached_property
    def _own_block(self) -> str:
        """The note's properties as a block of code, if they are a stat block."""
        return stat_block.stat_fence(self.note)

    @property
    def _line_and_text(self) -> tuple[str, str]:
        """The line below the title, and all other words as Markdown."""
        text, spoken = self._body, self._spoken_line
        own = _TYPE_LINE.match(text)
        if own is not None and not text.lstrip().startswith("*Source:"):
            text, line = text[own.end() :], _words(own["star"] or own["bar"])
        else:
            line = spoken or next((block.line for block in self._statblocks if block.line), "")
        facts, text = _leading_facts(text)
        sources = [source.strip() for source in _SOURCE.findall(text)]
        stats = _labelled(dict.fromkeys([*self._properties, *facts]))
        parts = [
            "" if stat_block.says_all(line, spoken) else spoken,
            stats,
            "---" if stats and (text + self._own_block).strip() else "",
            self._own_block.strip(),
            _SOURCE.sub("", text).strip("\n"),
            *sources,
        ]
        return line, "\n\n".join(part for part in parts if part.strip())

    @property
    def _spoken_line(self) -> str:
        """The line that the note's properties make; "" if they make none."""
        names = [name for name in self.kind.line if not (self._own_block and name in stat_block.KEYS)]
        parts = [_words(_literal(stat_block.flat(self.note.property(name)))) for name in names]
        return ", ".join(filter(None, parts))

    @property
    def _properties(self) -> list[tuple[str, str]]:
        """The properties that are printed, those first that this kind of note names."""
        unprinted = {*_OF_THE_VAULT, *self.kind.hidden, *self.kind.line, *self.kind.pictures}
        given = {name.lower(): (name, stat_block.flat(value)) for name, value in self.note.properties.items()}
        given = {name: pair for name, pair in given.items() if not (self._own_block and name in stat_block.KEYS)}
        order: list[str] = [name for name in self.kind.facts if name in given]
        order += [name for name in given if name not in {*order, *unprinted}]
        pairs = (given[name] for name in order if given[name][1].casefold() not in ("", self.kind.name))
        return [(stat_block.label_of(name), _literal(value)) for name, value in pairs]

    @property
    def _body(self) -> str:
        """The text without title and pictures."""
        text = self.note.text
        for start, end, instead in sorted(self._changes(), reverse=True):
            text = f"{text[:start]}{instead}{text[end:]}"
        return _LARGE_HEADING.sub("###", _EMPTY_CALLOUT.sub("", text[self.note.body_start :])).strip("\n")

    def _changes(self) -> Iterator[tuple[int, int, str]]:
        heading = next((heading for heading in self.note.headings if heading.level == 1), None)
        if heading is not None:
            yield heading.start, heading.end, ""
        fences = list(_FENCE.finditer(self.note.text, self.note.body_start))
        for fence in fences:
            if fence["kind"] == "ad-statblock":
                yield fence.start(), fence.end(), self._unfenced(fence)
        for link in [*self._pictured, *self._sealed]:
            if not any(fence.start() <= link.start < fence.end() for fence in fences):
                yield link.start, link.end, ""

    def _unfenced(self, fence: re.Match[str]) -> str:
        """An admonition with a statblock as its words, with its title as a heading if it is not that of the note."""
        name, inside = stat_block.title_and_words(fence["inside"])
        return inside if _words(name).casefold() in {"", self.title.casefold()} else f"### {name}\n\n{inside}"

    @cached_property
    def _pictured(self) -> list[Link]:
        """The links that show pictures."""
        return [link for link in self._embeds if link.kind in ("wikilink", "markdown") and _is_picture(link)]

    @property
    def _sealed(self) -> list[Link]:
        """The embeds of notes that players are not to hear of."""
        return [link for link, text in self._embedded if text.startswith(SEALED) and self.secrets.hidden]

    @property
    def embedded_secrets(self) -> int:
        """How many secrets there are in what the note embeds."""
        texts = [text for _, text in self._embedded]
        return sum(self.secrets.count(text.removeprefix(SEALED)) + text.startswith(SEALED) for text in texts)

    @cached_property
    def _embedded(self) -> list[tuple[Link, str]]:
        """All that the note embeds, as Markdown."""
        return [(link, text) for link in self._embeds if (text := self._source.embed(link.target))]

    @property
    def _embeds(self) -> list[Link]:
        return [link for link in self.note.links if link.embed and link.start >= self.note.body_start]

    @cached_property
    def _named(self) -> list[tuple[str, str]]:
        """All pictures that the note names, each with the vault path of its file, "" if there is none."""
        values = filter(None, (stat_block.flat(self.note.property(name)) for name in self.kind.pictures))
        targets = [*map(stat_block.picture_path, values), *(link.path for link in self._pictured)]
        targets += [stat_block.picture_path(block.image) for block in self._statblocks if block.image]
        return [(target, self.vault.files.resolve(target, self.note.path).path or "") for target in targets]

    @property
    def _files(self) -> list[Path | None]:
        files = dict.fromkeys(path for _, path in self._named if path)
        return [found for path in files if (found := self.vault.inside(path)) is not None]

    @property
    def _missing(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(target for target, path in self._named if not path))


def _is_picture(link: Link) -> bool:
    return link.external or images.is_named_as_picture(link.path)


def _left_out(markdown: str) -> Counter[str]:
    return Counter(filter(None, map(left_out, parse(markdown).walk())))


def _labelled(pairs: Iterable[tuple[str, str]]) -> str:
    """Labels and their values, each pair in a line of its own."""
    return "\\\n".join(f"**{label}** {' '.join(value.split())}".rstrip() for label, value in pairs)


def _words(markdown: str) -> str:
    return " ".join(parse(markdown).words().split())


def _literal(value: str) -> str:
    """The text of a property as Markdown that shows it as it is; links stay links."""
    parts = _PARTS.split(" ".join(value.split()))
    return "".join(part if _PARTS.fullmatch(part) else _MARKS.sub(r"\\\1", part) for part in parts)


def _leading_facts(text: str) -> tuple[list[tuple[str, str]], str]:
    """The lines at the beginning that are a label and a value, as the converter writes them; and all below them."""
    facts: list[tuple[str, str]] = []
    lines = text.split("\n")
    end = 0
    for number, line in enumerate(lines):
        found = _STAT.fullmatch(line)
        goes_on = number + 1 < len(lines) and lines[number + 1][:1] in (" ", "\t") and lines[number + 1].strip()
        if line.strip() and (found is None or goes_on):
            break
        if found is not None:
            facts.append((found["label"].strip(), found["value"]))
            end = number + 1
    return facts, "\n".join(lines[end:])
