"""The text of each kind of note in the benchmark's vault, in the converter's forms."""

import random
from collections.abc import Callable

from vault_links import Linker
from vault_plan import Outline
from vault_words import sentences

SENTENCES = 4000


class Author:
    """Writes notes: the same seed, the same notes."""

    def __init__(self, linker: Linker, chance: random.Random) -> None:
        self._link = linker
        self._chance = chance
        self._sentences = sentences(SENTENCES, chance)
        self._kinds: dict[str, Callable[[Outline], str]] = {
            "items": self._item,
            "bestiary": self._monster,
            "spells": self._spell,
            "rules": self._rule,
            "feats": self._feat,
            "tables": self._table,
            "decks": self._deck,
            "campaign": self._campaign,
        }

    def write(self, note: Outline) -> str:
        """The whole text of a note."""
        return self._kinds[note.kind](note)

    def index(self, title: str, notes: list[Outline]) -> str:
        """A folder's index note: a list of links."""
        lines = "\n".join(f"- {self._link.entry(note)}" for note in notes)
        return f"---\nobsidianUIMode: preview\ncssclasses:\n- json5e-note\n---\n# {title}\n\n{lines}\n"

    def _prose(self, count: int, links: int = 0) -> str:
        """`count` sentences, `links` of them with a link at the end."""
        said = self._chance.choices(self._sentences, k=count)
        for place in range(min(links, count)):
            said[place] = f"{said[place][:-1]} {self._link.markdown()}."
        return " ".join(said)

    def _head(self, note: Outline, css: str) -> str:
        """Frontmatter, title and source; one note in three as older converters wrote it, the class a plain text."""
        style = f"cssclasses: {css}" if self._chance.random() < 0.36 else f"cssclasses:\n- {css}"
        tags = f"tags:\n- compendium/src/5e/vkb\n- ttrpg-cli/{note.kind}"
        page = self._chance.randint(1, 320)
        return (
            f"---\nobsidianUIMode: preview\n{style}\n{tags}\naliases:\n- {note.title}\n---\n"
            f"# {note.title}\n*Source: Book of the Bench, p. {page}*  \n\n"
        )

    def _item(self, note: Outline) -> str:
        rarity = self._chance.choice(("common", "uncommon", "rare", "very rare"))
        facts = f"- **Cost**: {self._chance.randint(1, 500)} gp\n- **Weight**: {self._chance.randint(1, 20)} lbs.\n"
        picture = f"{self._link.image()}\n\n" if self._chance.random() < 0.3 else ""
        text = "\n\n".join(self._prose(self._chance.randint(3, 9), 3) for _ in range(2))
        return f"{self._head(note, 'json5e-item')}*Wondrous item, {rarity}*\n\n{picture}{facts}\n{text}\n\n^item-end"

    def _feat(self, note: Outline) -> str:
        points = "\n".join(f"- {self._prose(2, 1)}" for _ in range(self._chance.randint(3, 6)))
        return f"{self._head(note, 'json5e-feat')}{self._prose(4, 1)}\n\n{points}\n"

    def _spell(self, note: Outline) -> str:
        facts = "- **Casting time:** 1 Action\n- **Range:** 60 feet\n- **Duration:** 1 minute\n"
        known = ", ".join(self._link.markdown() for _ in range(self._chance.randint(3, 8)))
        return (
            f"{self._head(note, 'json5e-spell')}*2nd-level, calling*\n\n{facts}\n"
            f"{self._prose(self._chance.randint(6, 20), 3)}\n\n"
            f"## {note.headings[0]}\n\n{self._prose(4, 1)}\n\n## {note.headings[1]}\n\n{known}\n"
        )

    def _monster(self, note: Outline) -> str:
        lair, habits, statistics = note.headings
        length = self._chance.randint(45, 85) if self._chance.random() < 0.12 else self._chance.randint(4, 22)
        return (
            f"{self._head(note, 'json5e-monster')}{self._link.image()}\n\n{self._prose(6, 3)}\n\n"
            f"## {lair}\n\n{self._prose(5, 3)}\n\n## {habits}\n\n{self._prose(length // 2, 4)}\n\n"
            f"## {statistics}\n\n{self._statblock(note, length)}\n^statblock\n"
        )

    def _statblock(self, note: Outline, length: int) -> str:
        """A fence of YAML, with `length` actions whose texts hold links."""
        stats = ", ".join(str(self._chance.randint(3, 24)) for _ in range(6))
        lines = [
            "```statblock",
            f'"name": "{note.title} (VKB)"',
            '"size": "Large"',
            f'"hp": !!int "{self._chance.randint(5, 300)}"',
            f'"stats":\n  [{stats}]',
            '"actions":',
        ]
        for number in range(length):
            said = (
                f"{self._chance.choice(self._sentences)} {self._link.hidden()} {self._chance.choice(self._sentences)}"
            )
            lines += [f'- "name": "Action {number + 1}"', f'  "desc": "{said}"']
        return "\n".join([*lines, '"source":\n  - "VKB"', "```"])

    def _rule(self, note: Outline) -> str:
        parts = [self._head(note, "json5e-note"), self._prose(4, 1)]
        for number, heading in enumerate(note.headings):
            level = "##" if number % 3 == 0 else "###"
            parts.append(f"\n\n{level} {heading}\n\n{self._prose(self._chance.randint(2, 5), 1)}")
            if number % 6 == 5:
                parts.append(f"\n\n> [!note] {heading}\n> {self._prose(2, 1)}")
        return "".join(parts) + "\n"

    def _deck(self, note: Outline) -> str:
        parts = [self._head(note, "json5e-deck"), self._prose(8, 2), "\n\n## Cards\n"]
        for number, card in enumerate(note.headings[1:]):
            suit = self._chance.choice(("Lanterns", "Keys", "Wheels", "Reeds"))
            parts.append(f"\n### {card}\n\n*{number % 10 + 1} of {suit}*\n\n{self._prose(3, number % 2)}\n")
        return "".join(parts).rstrip("\n")

    def _table(self, note: Outline) -> str:
        results, use = note.headings
        rows = [self._rows(block) for block in note.blocks]
        return f"{self._head(note, 'json5e-note')}## {results}\n\n" + "\n\n".join(
            [*rows, f"## {use}", f"{self._prose(3, 1)} {self._link.dice()}\n"]
        )

    def _rows(self, block: str) -> str:
        """A table to roll on, its block id straight after the last row, as the converter puts it."""
        count = self._chance.randint(6, 20)
        rows = [f"| {number + 1} | {self._prose(1, 1 if number % 2 else 0)} |" for number in range(count)]
        return "\n".join([f"| dice: 1d{count} | Result |", "|----|----|", *rows, f"^{block}"])

    def _campaign(self, note: Outline) -> str:
        """As people write: wikilinks, callouts, embeds, tags, comments, footnotes."""
        summary, people, still_open = note.headings
        number = self._chance.randint(1, 400)
        met = "\n".join(f"- {self._link.wikilink()}: {self._wiki_prose(2, 0)} #npc/ally" for _ in range(2))
        return (
            f'---\naliases: ["{note.title} ({number})"]\ntags: [session, arc/{number}]\n'
            f"number: {number} # ours\n---\n# {note.title}\n\n"
            f"## {summary}\n\n{self._wiki_prose(12, 1)} #session\n\n{self._prose(8, 4)}[^1]\n\n"
            f"> [!quote]- {self._chance.choice(self._sentences)}\n> {self._prose(3, 1)}\n\n{self._link.embed()}\n\n"
            f"## {people}\n\n{met}\n\n%% {self._wiki_prose(2, 1)} %%\n\n"
            f"## {still_open}\n\n- [ ] {self._prose(2, 1)}\n- {self._prose(8)} ^{note.blocks[0]}\n\n"
            f"Roll {self._link.dice()} and see.\n\n[^1]: {self._prose(2)}\n"
        )

    def _wiki_prose(self, count: int, links: int) -> str:
        said = self._chance.choices(self._sentences, k=count)
        return " ".join([*said, *(self._link.wikilink() for _ in range(links))])
