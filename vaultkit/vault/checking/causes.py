"""Why so many problems: each cause once, with how many it explains and the one command that mends them."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from vaultkit.errors import Problem, UsageError
from vaultkit.grouping import group
from vaultkit.spelling import did_you_mean
from vaultkit.vault.resolve import key
from vaultkit.wording import counted

CAUSES = {
    "backslash": ("link is written", "links are written", "with \\ for /"),
    "prefix": ("link begins", "links begin", "with a folder too many"),
    "moved": ("link names", "links name", "another folder than the file's"),
    "alias": ("link names", "links name", "a note by its alias alone"),
    "table-pipe": ("link in a table is cut", "links in tables are cut", "by a bare |"),
    "deck-pictures": ("picture of a card is", "pictures of cards are", "not where the deck says"),
    "heading-renamed": ("link names", "links name", "a heading that its note does not have"),
    "comment": ("kind of broken link stands", "kinds of broken links stand", "in comments, where nobody sees it"),
    "other": ("other problem", "other problems", ""),
}
"""Each cause with the words for one problem, for several, and what both go on with, in the order of a diagnosis."""
SAMPLES = 3
MOST_CODES = 4
MANY = 3
"""So many links to one name that no note has: the note may have got another name."""
_NO_NAME = re.compile(r"[/\\]|://|\.\w{1,5}$")
"""Part of a path, an address, or a file that is no note."""


class Mending(msgspec.Struct, frozen=True):
    """How `check --fix` mends a problem: without a guess if that is `certain`; `generated` if a converter's next run
    brings it back. `promise` is what a hint says of it, "" for what it says anyway."""

    certain: bool
    generated: bool = False
    promise: str = ""


class LostName(msgspec.Struct, frozen=True):
    """A name that no note has, with how many links lead to it, in how many notes."""

    name: str
    links: int
    notes: int

    @property
    def sentence(self) -> str:
        return (
            f"{self.links:,} links lead to '{self.name}', which is no note, in {counted(self.notes, 'note')}. "
            "Renamed? Write the old name under aliases of the new note, then: "
            "vaultkit check --fix --cause alias --write"
        )


class Cause(msgspec.Struct, frozen=True):
    """One cause of problems in so many notes.

    `certain` ones of them are mended without a guess. Where others are `guessed`, the `command` has no `--write`, so
    that they are looked at first. `generated` ones need `--generated`. `codes` counts the problems by code. `names` are
    those that no note has, to which many of the links lead.
    """

    code: str
    problems: int
    notes: int
    certain: int
    guessed: int
    generated: int
    codes: Mapping[str, int]
    samples: tuple[Problem, ...]
    names: tuple[LostName, ...] = ()

    @property
    def command(self) -> str:
        named = f"vaultkit check --cause {self.code}"
        if not (self.certain or self.guessed):
            return named
        generated = " --generated" if self.generated else ""
        write = "" if self.guessed else " --write"
        return f"vaultkit check --fix --cause {self.code}{generated}{write}"

    @property
    def sentence(self) -> str:
        """`1,052 links are written with \\ for /, in 13 notes`."""
        one, many, behind = CAUSES[self.code]
        counts = f"{self.problems:,} {one if self.problems == 1 else many}"
        notes = f"in {self.notes:,} {'note' if self.notes == 1 else 'notes'}"
        if self.code == "other":
            most = [f"{count:,} {code}" for code, count in Counter(self.codes).most_common(MOST_CODES)]
            return f"{counts} {notes}: {', '.join(most)}{' and more' if len(self.codes) > MOST_CODES else ''}"
        return f"{counts} {behind}, {notes}"

    @property
    def certainty(self) -> str:
        """How many of them are mended without a guess."""
        if self.certain == self.problems:
            return "all certain"
        kinds = ((self.certain, "certain"), (self.guessed, "to be looked at"))
        return ", ".join(f"{count:,} {kind}" for count, kind in kinds if count) or "none can be mended for you"


def diagnose(
    problems: Sequence[Problem], mendings: Mapping[Problem, Mending], lost: Mapping[Problem, str]
) -> tuple[Cause, ...]:
    """The causes of the problems, in the order of CAUSES; `lost` are the paths of links that lead to no file."""
    by_cause = group((problem.cause, problem) for problem in problems)
    return tuple(_cause(code, by_cause[code], mendings, lost) for code in CAUSES if code in by_cause)


def _cause(
    code: str, problems: Sequence[Problem], mendings: Mapping[Problem, Mending], lost: Mapping[Problem, str]
) -> Cause:
    mended = [mendings[problem] for problem in problems if problem in mendings]
    return Cause(
        code,
        len(problems),
        len({problem.note for problem in problems}),
        sum(one.certain for one in mended),
        sum(not one.certain for one in mended),
        sum(one.generated for one in mended),
        Counter(problem.code for problem in problems),
        tuple(_samples(problems)),
        tuple(_lost_names(problems, lost)) if code == "other" else (),
    )


def _lost_names(problems: Sequence[Problem], lost: Mapping[Problem, str]) -> Iterator[LostName]:
    """The names to which many of the links lead, most first; no folders, and no files that are no notes."""
    names = {problem: lost[problem].removesuffix(".md") for problem in problems if problem in lost}
    by_name = group((key(name), problem) for problem, name in names.items() if not _NO_NAME.search(name))
    for of_name in sorted(by_name.values(), key=len, reverse=True)[:SAMPLES]:
        if len(of_name) >= MANY:
            yield LostName(names[of_name[0]], len(of_name), len({problem.note for problem in of_name}))


def _samples(problems: Sequence[Problem]) -> Iterator[Problem]:
    """A few, of different notes if there are so many."""
    firsts = {problem.note: problem for problem in reversed(problems)}
    chosen = [*reversed(firsts.values()), *(problem for problem in problems if firsts[problem.note] is not problem)]
    yield from sorted(chosen[:SAMPLES])


def check_name(name: str, codes: Collection[str]) -> None:
    """Raises UsageError for what is neither a cause nor the code of a check."""
    if name not in CAUSES and name not in codes:
        known = f"Causes: {', '.join(CAUSES)}. The code of a check does, too."
        raise UsageError(f"There is no cause '{name}'.", hint=did_you_mean(name, (*CAUSES, *codes), then=known))
