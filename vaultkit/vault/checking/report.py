"""The report of a check: its problems, the groups and causes that they have, and its encoding for the index."""

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from typing import Literal, get_args

import msgspec

from vaultkit.errors import Problem, UnknownName, UsageError
from vaultkit.spelling import did_you_mean
from vaultkit.text import group
from vaultkit.vault.resolve import key

Group = Literal["certain", "likely", "to-be-written", "missing", "by-hand"]
"""The groups of problems by the next step: run the repair, look at a guess, write a note, get a folder, fix by hand."""
GROUPS: tuple[Group, ...] = get_args(Group)
CAUSES = {
    "backslash": ("link is written", "links are written", "with \\ for /"),
    "prefix": ("link begins", "links begin", "with a folder too many"),
    "signs": ("link has", "links have", "another kind of apostrophe, quote or dash than the file's name"),
    "moved": ("link names", "links name", "another folder than the file's"),
    "alias": ("link names", "links name", "a note only by its alias"),
    "tree": ("link fits", "links fit", "several trees of the same notes, such as translations"),
    "short-name": ("link is only", "links are only", "the beginning of a note's name"),
    "misspelt": ("link misspells", "links misspell", "a file's name"),
    "ending": ("link has", "links have", "another file extension, or none"),
    "table-pipe": ("link in a table is cut", "links in tables are cut", "by a bare |"),
    "deck-pictures": ("picture of a card is", "pictures of cards are", "not where the deck says"),
    "heading-renamed": ("link names", "links name", "a heading that its note does not have"),
    "comment": ("kind of broken link is", "kinds of broken links are", "in comments, where nobody sees it"),
    "unwritten": ("link names", "links name", "a note that nobody has written yet"),
    "missing-folder": ("link points", "links point", "into a folder that is not in this vault"),
    "unzip": ("name was changed", "names were changed", "by an unzip program"),
    "conflict-copy": ("file is a conflict copy", "files are conflict copies", "of a sync program"),
    "base-name": ("base has", "bases have", "names that mean nothing"),
    "placeholder": ("link is a placeholder", "links are placeholders", "in a template"),
}
"""For each cause, the beginning of its sentence for one problem and for several, and the end of both.

The order is that of a diagnosis.
"""
CODE_SENTENCES = {
    "link-unresolved": ("link points", "links point", "to a file that is not in this vault"),
    "link-space": ("link has", "links have", "a space in the path"),
    "property-link": ("link in the properties lacks", "links in the properties lack", "quotes"),
    "property-tags": ("line of tags is", "lines of tags are", "not read as tags"),
    "frontmatter-place": ("note has", "notes have", "something before the properties"),
    "frontmatter": ("note has", "notes have", "properties that cannot be read"),
    "file-name": ("name is", "names are", "not safe in links or on other systems"),
    "html-heading": ("heading belongs", "headings belong", "to the HTML above it"),
    "footnote": ("mark has", "marks have", "no footnote"),
    "unreadable": ("file cannot", "files cannot", "be read"),
    "too-many": ("limit is", "limits are", "exceeded"),
    "canvas": ("part of a canvas is", "parts of canvases are", "damaged"),
    "folder-link": ("symbolic link to a folder is", "symbolic links to folders are", "not followed"),
    "not-downloaded": ("file is", "files are", "in the cloud, not on this computer"),
    "file-case": ("name differs", "names differ", "from another only in case"),
    "mojibake": ("text is", "texts are", "garbled"),
    "nul": ("note has", "notes have", "NUL characters"),
    "link-block": ("link names", "links name", "a block or footnote that its note does not have"),
    "link-view": ("link names", "links name", "a view that its base does not have"),
    "link-ambiguous": ("link fits", "links fit", "several files"),
    "link-partial": ("link fits", "links fit", "a file only because the path of that file ends so"),
    "property-type": ("value does not fit", "values do not fit", "the type of the property"),
    "base": ("line of a base cannot", "lines of bases cannot", "be read"),
    "card-missing": ("deck lacks", "decks lack", "cards"),
    "card-unknown": ("card is", "cards are", "unknown to the deck"),
    "card-twice": ("card is", "cards are", "in the deck twice"),
    "card-line": ("card has", "cards have", "no line with rank and suit"),
    "card-suit": ("card has", "cards have", "a suit that its deck does not have"),
    "card-rank": ("card has", "cards have", "a rank that its deck does not have"),
    "card-facts": ("card differs", "cards differ", "from the known deck"),
    "card-words": ("line of vaultkit-suits is", "lines of vaultkit-suits are", "no translation"),
    "deck-empty": ("deck has", "decks have", "no cards"),
    "deck-size": ("deck has", "decks have", "too many cards"),
    "card-columns": ("table has", "tables have", "columns that look like rank and suit"),
    "card-image": ("picture of a card is", "pictures of cards are", "not in this vault"),
    "deck-property": ("property is", "properties are", "written with _ for -"),
    "deck-kind": ("deck has", "decks have", "a kind that no game asks for"),
    "deck-several": ("deck is", "decks are", "not used because of another deck"),
    "inventory-card": ("card of an inventory is", "cards of inventories are", "in no deck"),
    "inventory-twice": ("card of an inventory is", "cards of inventories are", "listed twice"),
    "spread": ("mistake is", "mistakes are", "in a spread"),
    "table-row": ("row of a table is", "rows of tables are", "never rolled"),
    "table-range": ("row of a table is", "rows of tables are", "beyond the die"),
    "table-overlap": ("row of a table shares", "rows of tables share", "a number with another row"),
    "table-gap": ("table has", "tables have", "no row for some numbers"),
    "table-roll": ("table cannot", "tables cannot", "be rolled"),
    "settings": ("setting has", "settings have", "an unknown name or value"),
    "rule-card": ("card of the rules is", "cards of the rules are", "not in the deck"),
    "rule-option": ("option has", "options have", "an unknown name or value"),
    "rule-option-place": ("option is", "options are", "outside of vaultkit-options"),
    "rule-example": ("example fails", "examples fail", "or cannot be played"),
    "game": ("mistake is", "mistakes are", "in a score sheet definition"),
    "game-score": ("score of a corrected game contradicts", "scores of corrected games contradict", "the others"),
    "player-renamed": ("player's note has", "players' notes have", "a new name"),
}
"""The parts of the sentences of codes whose cause has no name, as in CAUSES."""
MAX_SAMPLES = 3


class RepairInfo(msgspec.Struct, frozen=True):
    """Facts about the repair that `check --fix` makes for a problem; `certain` says that it needs no guess.

    `generated` says that the note is generated, so that its converter's next run restores the problem. `hint` is the
    start of the problem's hint, "" for its usual hint.
    """

    certain: bool
    generated: bool = False
    hint: str = ""


class LostName(msgspec.Struct, frozen=True):
    """A missing note or folder, with the number of `links` to it and of `notes` with such links."""

    name: str
    links: int
    notes: int


class Cause(msgspec.Struct, frozen=True):
    """A cause of problems in one group, with the numbers of `problems` and of `notes` that have it.

    `code` is the name of the cause, or for a cause without a name the code of the problems. `generated` is the number
    of problems in generated notes, which need `--generated`.
    """

    group: Group
    code: str
    problems: int
    notes: int
    generated: int
    has_errors: bool
    samples: tuple[Problem, ...]

    @property
    def command(self) -> str:
        """The command that lists the problems, shows guesses as a diff, or writes certain repairs."""
        if self.group not in ("certain", "likely"):
            return f"vaultkit check --cause {self.code}"
        generated_option = " --generated" if self.generated else ""
        write_option = " --write" if self.group == "certain" else ""
        return f"vaultkit check --fix --cause {self.code}{generated_option}{write_option}"

    @property
    def sentence(self) -> str:
        """A sentence such as `1,052 links are written with \\ for /, in 13 notes`."""
        unnamed = ("problem has", "problems have", f"the code {self.code}")
        singular, plural, ending = (CAUSES | CODE_SENTENCES).get(self.code, unnamed)
        notes_phrase = f"in {self.notes:,} {'note' if self.notes == 1 else 'notes'}"
        return f"{self.problems:,} {singular if self.problems == 1 else plural} {ending}, {notes_phrase}"


def _rank(code: str) -> int:
    names = [*CAUSES]
    return names.index(code) if code in CAUSES else len(names)


_GROUPS_BY_CODE: Mapping[str, Group] = {"link-unwritten": "to-be-written", "folder-missing": "missing"}


def cause_name(problem: Problem) -> str:
    """Return the name of a problem's cause, or its code if the cause has no name."""
    return problem.code if problem.cause == "other" else problem.cause


def _choose_samples(problems: Sequence[Problem]) -> Iterator[Problem]:
    """Yield up to MAX_SAMPLES problems in order, from different notes if possible."""
    firsts = {problem.note: problem for problem in reversed(problems)}
    candidates = [*reversed(firsts.values()), *(problem for problem in problems if firsts[problem.note] is not problem)]
    yield from sorted(candidates[:MAX_SAMPLES])


def check_name(name: str, codes: Collection[str], *, is_fixed: bool) -> None:
    """Raise UnknownName if a name is neither a group nor a cause nor the code of a check.

    With `is_fixed`, it must not be a group of which a repair would make the guesses of several causes at once.
    """
    if is_fixed and name in GROUPS[1:]:
        raise UsageError(f"--fix repairs one cause at a time, not all that is {name}.", hint="Causes: vaultkit check")
    if name not in (*GROUPS, *CAUSES, *codes):
        alternatives = f"Causes: {', '.join(CAUSES)}. A group or the code of a check does, too."
        hint = did_you_mean(name, (*CAUSES, *GROUPS, *codes), suffix=alternatives)
        raise UnknownName(f"There is no cause '{name}'.", hint=hint)


class Report(msgspec.Struct, frozen=True):
    """The result of a check: the numbers of checked `notes` and `links`, the sorted `problems`, and more.

    `excluded` is the number of excluded notes. `repair_infos` says how `check --fix` repairs a problem, if it can.
    `lost` has the name of the missing note or folder for problems that stand for one. `others` is the number of
    problems that `filter_by` left out.
    """

    notes: int
    links: int
    problems: tuple[Problem, ...]
    excluded: int = 0
    repair_infos: Mapping[Problem, RepairInfo] = {}
    lost: Mapping[Problem, str] = {}
    others: int = 0

    @property
    def causes(self) -> tuple[Cause, ...]:
        """The causes of the problems, in the order of GROUPS; in each group, causes with errors come first."""
        by_cause = group(((self.group_of(problem), cause_name(problem)), problem) for problem in self.problems)
        causes = (
            Cause(
                group_name,
                code,
                len(problems),
                len({problem.note for problem in problems}),
                sum(self.repair_infos[problem].generated for problem in problems if problem in self.repair_infos),
                any(problem.severity == "error" for problem in problems),
                tuple(_choose_samples(problems)),
            )
            for (group_name, code), problems in by_cause.items()
        )
        return tuple(sorted(causes, key=lambda each: (GROUPS.index(each.group), not each.has_errors, _rank(each.code))))

    def group_of(self, problem: Problem) -> Group:
        """Return the only group of a problem."""
        info = self.repair_infos.get(problem)
        if info is not None:
            return "certain" if info.certain else "likely"
        return _GROUPS_BY_CODE.get(problem.code, "by-hand")

    def lost_names(self, group_name: Group) -> list[LostName]:
        """Return the missing notes or folders that the problems of a group name, the ones with the most links first."""
        problems = (each for each in self.problems if each in self.lost and self.group_of(each) == group_name)
        by_name = group((key(self.lost[problem]).removesuffix(".md"), problem) for problem in problems)
        names = (
            LostName(self.lost[each[0]].removesuffix(".md"), len(each), len({problem.note for problem in each}))
            for each in by_name.values()
        )
        return sorted(names, key=lambda name: (-name.links, name.name))

    def filter_by(self, name: str) -> "Report":
        """Return a copy of the report with only the problems that have the group, cause or code `name`."""
        selected = tuple(
            problem for problem in self.problems if name in (problem.cause, problem.code, self.group_of(problem))
        )
        return msgspec.structs.replace(self, problems=selected, others=len(self.problems) - len(selected))

    def without_places(self, places: Container[tuple[str, int, int, str]]) -> "Report":
        """Return a copy of the report without the problems at `places`, each a note, line, column and code."""
        remaining = tuple(problem for problem in self.problems if problem.place not in places)
        return msgspec.structs.replace(self, problems=remaining)

    @property
    def can_be_stored(self) -> bool:
        """Whether the report stays valid until a file changes; False if a file was unreadable, perhaps temporarily."""
        return not any(problem.code == "unreadable" and not problem.line for problem in self.problems)

    def encode(self) -> bytes:
        """Return the report as bytes, for `decode_report`."""
        return msgspec.msgpack.encode(self)


def decode_report(data: bytes) -> Report | None:
    """Return the report from the bytes of `Report.encode`, or None if they are not valid."""
    try:
        return msgspec.msgpack.decode(data, type=Report)
    except msgspec.MsgspecError:
        return None
