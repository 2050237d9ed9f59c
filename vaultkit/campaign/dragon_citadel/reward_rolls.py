"""Rewards that players earned: cells of the reward table are parsed, and rolls made on the tables they name (DC-36)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vaultkit.campaign.dragon_citadel.note_scores import EarnedRolls
from vaultkit.campaign.dragon_citadel.quoted_text import COIN_WORDS, Words, join_words, link_roll, link_words
from vaultkit.campaign.dragon_citadel.reward_table import RewardTable, word_set
from vaultkit.compendium.tables.dice import Dice, Generator, insert_rolls
from vaultkit.compendium.tables.roll_table import RollTable
from vaultkit.compendium.tables.roll_tables import Roll, RollTables
from vaultkit.errors import InvalidError, VaultkitError
from vaultkit.vault import Link, Note
from vaultkit.vault.tables import BREAK, plain_cell_text

MAX_ROLLS_PER_ROW = 100
"""The maximum number of rolls that one row of the reward table may give each time it is earned."""


@dataclass(frozen=True)
class TableReward:
    """A reward written in a cell: rolls, not made yet, on the roll table called `title`.

    `count` is their number, or dice for it. `table` is None if the vault has no such table or the player may choose;
    then `manual_reason` is the reason why the GM must roll by hand.
    """

    count: str
    title: str
    table: RollTable | None
    manual_reason: str = ""


@dataclass(frozen=True)
class PlainReward:
    """A reward written in a cell in plain words, with its links, without a roll table; its dice are not rolled yet."""

    text: str
    links: tuple[Link, ...]


@dataclass(frozen=True)
class TableRoll:
    """One roll that was made: the number rolled on `table`, and the words of its row.

    `number` and `table` are None for a reward without a table.
    """

    number: int | None
    table: RollTable | None
    words: Words


@dataclass(frozen=True)
class RolledResult:
    """The result of one roll for a reward: the roll itself, and the rolls on further tables that it led to."""

    steps: tuple[TableRoll, ...]

    @property
    def words(self) -> Words:
        """The words of all steps, joined by arrows."""
        return join_words([step.words for step in self.steps], " \u2192 ")

    @property
    def items(self) -> tuple[tuple[str, str], ...]:
        """The text and vault path of each link in the result, except links to the tables rolled on."""
        rolled = {step.table.path for step in self.steps if step.table}
        return tuple((piece.text, piece.note) for piece in self.words if piece.note and piece.note not in rolled)


@dataclass(frozen=True)
class RolledReward:
    """A reward for one score, after rolling: the number of rolls on one table, as text in `count`, and their results.

    `title` is the table's name in the reward table, "" for a reward without a table. If `manual_reason` is not "", it
    says why the GM must roll by hand, and `count` may be dice. Otherwise no `results` mean no reward, as for an empty
    cell.
    """

    earned: EarnedRolls
    title: str
    count: str
    table: RollTable | None = None
    results: tuple[RolledResult, ...] = ()
    manual_reason: str = ""


def roll_rewards(
    earned: Sequence[EarnedRolls], table: RewardTable, column: int, roll_tables: RollTables, rng: Generator
) -> tuple[RolledReward, ...]:
    """Roll all rewards that were earned, as the cells in `column` of the reward table say, and return them in order.

    Rolls on tables that the vault does not have are left to the GM. Raises InvalidError for a row that may give more
    than MAX_ROLLS_PER_ROW rolls.
    """
    reward_roller = _RewardRoller(table, roll_tables, rng)
    return tuple(reward for earning in earned for reward in reward_roller.roll_cell(earning, earning.row.cells[column]))


@dataclass(frozen=True)
class _RewardRoller:
    """A roller for the rewards in the cells of one reward table."""

    table: RewardTable
    roll_tables: RollTables
    rng: Generator

    def roll_cell(self, earned: EarnedRolls, cell: str) -> Iterator[RolledReward]:
        """Yield the rewards in a cell, rolled as often as they were earned; one without results for an empty cell."""
        items = _CellParser(self.table.note, earned.row.line, cell, self.roll_tables).read()
        if not items:
            yield RolledReward(earned, "", "0")
        for item in items:
            if isinstance(item, PlainReward):
                results = tuple(self._roll_plain_reward(item) for _ in range(earned.count))
                yield RolledReward(earned, "", str(earned.count), results=results)
            elif item.table:
                yield self._roll_on_table(earned, item, item.table)
            else:
                count = Dice.parse(item.count)
                times = earned.count * count.added if not count.terms else 0
                count_text = str(times) if times else f"{earned.count} \u00d7 {item.count}"
                yield RolledReward(
                    earned, item.title, count_text, manual_reason=f"to be rolled by hand: {item.manual_reason}"
                )

    def _roll_on_table(self, earned: EarnedRolls, rolls: TableReward, table: RollTable) -> RolledReward:
        """Make the rolls on a table that were earned, and return them as a reward."""
        dice = Dice.parse(rolls.count)
        if dice.highest > MAX_ROLLS_PER_ROW:
            limit_text = f"more than {MAX_ROLLS_PER_ROW} are not made"
            message = f"A row of the reward table gives {rolls.count} rolls; {limit_text}."
            place = self.table.location(earned.row.line)
            raise InvalidError(message, where=place, hint="Correct the number in the table.")
        count = sum(max(dice.roll(self.rng), 0) for _ in range(earned.count))
        rolled = [self.roll_tables.roll(table, self.rng) for _ in range(count)]
        results = tuple(RolledResult(tuple(map(self._build_table_roll, (roll, *roll.chain)))) for roll in rolled)
        return RolledReward(earned, rolls.title, str(count), table, results)

    def _build_table_roll(self, roll: Roll) -> TableRoll:
        """Return a roll with the words of its row, in which links are kept."""
        text = _without_dashes(roll.shown_text)
        return TableRoll(roll.number, roll.table, link_roll(roll, text, self.roll_tables.vault))

    def _roll_plain_reward(self, reward: PlainReward) -> RolledResult:
        """Return a reward in plain words as a result, with the dice in it rolled."""
        text = insert_rolls(reward.text, self.rng)
        words = link_words(text, reward.links, self.table.note, self.roll_tables.vault)
        return RolledResult((TableRoll(None, None, words),))


def _without_dashes(text: str) -> str:
    """Return the text of a row, such as `GP: 5; PP: -`, without the cells that hold only a dash.

    If all of them hold only a dash, they stay.
    """
    cells = text.split("; ")
    return "; ".join([cell for cell in cells if not re.fullmatch(rf"[^:]+: [{_DASHES}]", cell)] or cells)


def _missing_table_reason(title: str) -> str:
    """Return the words that the vault has no table called `title`, with the pages of a book that has it (DC-36)."""
    lower_title, pages = title.casefold(), ""
    if re.search(r"\btable [a-i]\b", lower_title) or "magic item" in lower_title:
        pages = "; it is in the Dungeon Master's Guide, pages 144\u2013145"
    elif re.search("challenge|treasure", lower_title):
        pages = "; it is in the Dungeon Master's Guide, page 136"
    return f"this vault has no such roll table{pages}"


_DASHES = "-\u2013\u2014\u2212"
_FIRST_PLACEHOLDER, _LAST_PLACEHOLDER = 0xE000, 0xF8FF
"""Private use characters that stand for links while the text around them is parsed."""
_LINK_PLACEHOLDER = f"[{chr(_FIRST_PLACEHOLDER)}-{chr(_LAST_PLACEHOLDER)}]"
_NUMBER_WORDS = {"a": 1, "an": 1, "once": 1, "twice": 2, "thrice": 3, "one": 1, "two": 2, "three": 3, "four": 4}
_NUMBER_WORDS |= {"five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_COUNT_PATTERN = rf"[0-9]*d[0-9]+(?:\s*[+\-\u2212]\s*[0-9]+)?|[0-9]+|\b(?:{'|'.join(_NUMBER_WORDS)})\b"
_AND, _OR = r"and|plus|und|sowie|et|y|e", r"or|oder|ou|o"
"""The words for and and or between two rewards, also in languages into which GMs have translated their rule notes."""
# A word that may stand before a count or a table, with the space behind it; none that separates two rewards.
_LEADING_WORD = (
    rf"(?!(?:{_AND}|{_OR}|with|mit|con|avec|{'|'.join(COIN_WORDS)})\b)"
    r"[^\W\d_]+(?:['\u2019.\-][^\W\d_]+)*[.:]?\s+"
)
_TABLE_REFERENCE = re.compile(
    rf"(?:(?P<times>{_COUNT_PATTERN})\s+)?\brolls?\s+(?:(?P<repeat>{_COUNT_PATTERN})\s+(?:times\s+)?)?on\s+(?:the\s+)?"
    rf"(?P<name>[^{chr(_FIRST_PLACEHOLDER)}-{chr(_LAST_PLACEHOLDER)}]+?)"
    rf"(?=\s*(?:,|;|\band\b|\bor\b|\bplus\b|&)+\s*(?:(?:{_COUNT_PATTERN})\s+)?rolls?\b|\s*\Z)"
    rf"|(?<![\w+.,])(?:(?:{_LEADING_WORD}){{0,4}}?(?P<count>{_COUNT_PATTERN})\s*(?:[x\u00d7*]\s*|-)?)?(?:{_LEADING_WORD}){{0,4}}"
    rf"(?:(?P<link>{_LINK_PLACEHOLDER})|\[(?P<bracketed>[^\[\]]+)\])",
    re.IGNORECASE,
)
"""A reference to a table: `roll twice on Gifts A`, or a link or a name in brackets, after up to 8 words and a count."""
_ROLL_ON = re.compile(r"\brolls?\s(?:.*\s)?on\b", re.IGNORECASE)
_TABLE_WORD = re.compile(r"\bta[bv]", re.IGNORECASE)
"""The start of the word for table in several languages: Table, Tabelle, tabla, tavola."""
_JOINING_WORDS = re.compile(rf"^(?:\s|[,;&+]|(?:{_AND})\b)+|(?:\s|[,;&+]|\b(?:{_AND}))+$", re.IGNORECASE)
"""Words and signs at either end of a text that join one reward to the next."""


class _CellParser:
    """A parser for one cell of a reward table."""

    def __init__(self, note: Note, line: int, cell: str, roll_tables: RollTables) -> None:
        self._note, self._roll_tables = note, roll_tables
        start = note.text.find(cell, note.places.start(line))
        links = (link for link in note.links if start <= link.start < start + len(cell))
        self._links = [link for link, _ in zip(links, range(_LAST_PLACEHOLDER - _FIRST_PLACEHOLDER), strict=False)]
        text = BREAK.sub(", ", cell)
        for number, link in enumerate(self._links):
            text = text.replace(note.text[link.start : link.end], chr(_FIRST_PLACEHOLDER + number), 1)
        self._text = plain_cell_text(text)

    def read(self) -> list[TableReward | PlainReward]:
        """Return the rewards that are written in the cell, in order; none for an empty cell or a dash."""
        rewards: list[TableReward | PlainReward] = []
        parsed_end = 0
        for match in _TABLE_REFERENCE.finditer(self._text):
            last, between = rewards[-1] if rewards else None, self._text[parsed_end : match.start()]
            count = last.count if isinstance(last, TableReward) and not _JOINING_WORDS.sub("", between) else "1"
            rolls = self._parse_table_reward(match, count)
            if rolls is None:
                continue
            if isinstance(last, TableReward) and re.fullmatch(_OR, between.strip(" ,;"), re.IGNORECASE):
                title = f"{last.title} or {rolls.title}"
                rewards[-1] = TableReward(last.count, title, None, "the player chooses the table")
            else:
                rewards += (*self._parse_plain_reward(between), rolls)
            parsed_end = match.end()
        return rewards + self._parse_plain_reward(self._text[parsed_end:])

    def _parse_table_reward(self, match: re.Match[str], default_count: str) -> TableReward | None:
        """Return the rolls on the table that `match` refers to, or None if it refers to no table.

        `default_count` is the number of rolls for a link alone. Any other reference without a number means
        1 roll.
        """
        count = _count_text(match, default_count if match[0] == match["link"] else "1")
        is_roll = match["name"] is not None or _ROLL_ON.search(match[0]) is not None
        if match["link"] is None:
            title = plain_cell_text(match["name"] or match["bracketed"]).strip(" .[]")
            manual_reason = f"{_missing_table_reason(title)}; if the vault has it by another name, link it"
            is_table = is_roll or _TABLE_WORD.search(title)
            return TableReward(count, title, self._find_table(title), manual_reason) if is_table else None
        link = self._links[ord(match["link"]) - _FIRST_PLACEHOLDER]
        title, tables = self._link_text(link), self._roll_tables.tables_of_link(link, self._note.path)
        if len(tables) == 1:
            return TableReward(count, title, tables[0])
        is_missing = not self._roll_tables.vault.resolve(link, self._note.path).path
        if is_roll or (is_missing and _TABLE_WORD.search(f"{title} {link.path}")):
            return TableReward(count, title, None, _missing_table_reason(title))
        return None

    def _find_table(self, name: str) -> RollTable | None:
        """Return the table called `name`, or else the only one whose title or block id has all words of `name`.

        Returns None if no table fits, or several do.
        """
        try:
            return self._roll_tables.find(name)
        except VaultkitError:
            words = word_set(name)
            tables = self._roll_tables.all
            matches = [table for table in tables if words <= word_set(table.title) or words <= word_set(table.block_id)]
            return matches[0] if words and len(matches) == 1 else None

    def _link_text(self, link: Link) -> str:
        """Return the text that the note shows for a link."""
        return plain_cell_text(self._note.text[link.start : link.end])

    def _parse_plain_reward(self, text: str) -> list[PlainReward]:
        """Return the text between two table references as a list of one plain reward, without joining words.

        The list is empty if nothing is left, or only a dash.
        """
        text = " ".join(_JOINING_WORDS.sub("", text).split()).strip(" .")
        links = [self._links[ord(char) - _FIRST_PLACEHOLDER] for char in re.findall(_LINK_PLACEHOLDER, text)]
        for link in links:
            text = re.sub(_LINK_PLACEHOLDER, self._link_text(link).replace("\\", "\\\\"), text, count=1)
        return [PlainReward(text, tuple(links))] if text.strip(_DASHES) else []


def _count_text(match: re.Match[str], default_count: str) -> str:
    """Return how many rolls a table reference names, as digits or dice: `2` for `twice`.

    It is `default_count` if the reference names none.
    """
    count = (match["times"] or match["repeat"] or match["count"] or default_count).lower()
    return str(_NUMBER_WORDS.get(count, count))
