"""Creation of a game definition from a few answers of the GM, as a file in `.vaultkit/games/`."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from vaultkit.compendium.own_games import RawSheet, game_id, raw_sheets
from vaultkit.compendium.toml_tables import read_toml
from vaultkit.errors import InvalidError, UsageError
from vaultkit.session.scoresheets import ScoreSheets, names_of, sheet_of
from vaultkit.text import JOINERS, lookalike_key, slug
from vaultkit.vault import Vault
from vaultkit.vault.writing.escape import clean_line
from vaultkit.vault.writing.write import Writer, plan_and_commit

_NUMBER_WORDS, _YES_OR_NO = {"", "number", "a number"}, "yes or no"
WAYS_TO_WIN = ("highest", "lowest", "co-op", "chosen")


@dataclass(frozen=True)
class NewGame:
    """The GM's answers that define a game.

    `players` is the number of players, such as `2-4`; `rounds` is the name of a round, "" for a game without rounds.

    A column is one line of text: `Points` takes a number, `Honest?` yes or no, `Prize: ribbon, cake` one of the listed
    words, and `Score = 2 * points` is calculated. `Points: a number` and `Honest: yes or no` are equivalent to the
    first two.
    """

    title: str
    players: str
    columns: Sequence[str]
    win: str = "highest"
    rounds: str = ""

    @property
    def id(self) -> str:
        return game_id(self.title)

    def __post_init__(self) -> None:
        """Refuse an unknown way to win, before anything else is asked. Raises UsageError."""
        if self.win not in WAYS_TO_WIN:
            raise UsageError(f"'{self.win}' is no way to win.", hint=f"Accepted: {', '.join(sorted(WAYS_TO_WIN))}.")

    @property
    def checked(self) -> "NewGame":
        """The game itself. Raises UsageError for an answer that is not valid."""
        try:
            sheet_of(RawSheet(self.id, read_toml(self.text, self.path)))
        except InvalidError as error:
            raise UsageError(error.message, hint=error.hint) from error
        return self

    @property
    def hidden(self) -> str:
        """The title of vaultkit's own game that has the same name and is replaced by this one; "" for none."""
        names, shipped_sheets = {self.id, lookalike_key(self.title)}, ScoreSheets(None).defined.values()
        return next((sheet.title for sheet in shipped_sheets if names & names_of(sheet.info)), "")

    @property
    def path(self) -> str:
        return f".vaultkit/games/{self.id}.toml"

    @property
    def text(self) -> str:
        """The text of the definition's file. Raises UsageError for an invalid number of players."""
        if not (match := re.fullmatch(r"\s*(\d{1,2})\s*(?:(?:-|–|to)\s*(\d{1,2})\s*)?", self.players)):
            raise UsageError(f"'{self.players}' is no number of players.", hint="Write it as 3, or as 2-4.")
        lines = [
            f"# {clean_line(self.title)}, as a score sheet. `vaultkit check` looks it over.",
            "",
            f"title = {_quote(self.title)}",
            f"players = [{match[1]}, {match[2] or match[1]}]",
            f"win = {_quote(self.win)}  # or: {', '.join(win for win in WAYS_TO_WIN if win != self.win)}",
        ]
        if self.rounds:
            lines += ["", "[rounds]", f"name = {_quote(self.rounds)}", "most = 12"]
        return (
            "\n".join(
                (
                    *lines,
                    *(
                        line
                        for numbered_column in enumerate(self.columns, 1)
                        for line in _column_lines(*numbered_column)
                    ),
                )
            )
            + "\n"
        )


def write_game(game: NewGame, vault: Vault, *, now: datetime, dry_run: bool = False) -> tuple[str, str]:
    """Write the definition of a new game; return its path and the `diff`.

    Raises UsageError for invalid answers and for a game that the vault defines already; nothing is written then.
    """
    path, names = game.checked.path, {game.id, lookalike_key(game.title)}

    def plan(fresh: Vault) -> tuple[str, Writer]:
        if other_sheet := next((raw for raw in raw_sheets(fresh) if not raw.ours and names & raw.names), None):
            raise UsageError(
                f"There is a game '{game.title}' already.", hint=f"Change it in {other_sheet.tables.where}."
            )
        writer = Writer(fresh, f"games new {game.title}", now)
        writer.create(path, game.text)
        writer.check(path)
        return writer.diff(), writer

    diff, _ = plan_and_commit(vault, plan, dry_run=dry_run)
    return path, diff


def _column_lines(number: int, line: str) -> Iterator[str]:
    """Yield the lines of one column.

    Its id is made from the title, or is `column_2` if the title has letters but does not begin with an English one.
    """
    title, separator, rest = map(str.strip, line.partition("=" if "=" in line else ":"))
    words = slug(title, "_")
    key = f"column_{number}" if any(map(str.isalpha, title)) and not words[:1].isalpha() else words
    yield from ("", "[[columns]]", f"id = {_quote(key)}", f"title = {_quote(title)}")
    if separator == "=":
        yield f"formula = {_quote(rest)}"
    elif rest.casefold() == _YES_OR_NO or (title.endswith("?") and not rest):
        yield f'takes = "{_YES_OR_NO}"'
    elif rest.casefold() not in _NUMBER_WORDS:
        yield f"takes = [{', '.join(_quote(word.strip()) for word in rest.split(',') if word.strip())}]"


def _quote(text: str) -> str:
    return json.dumps(
        "".join(letter if letter.isprintable() or letter in JOINERS else " " for letter in text), ensure_ascii=False
    )
