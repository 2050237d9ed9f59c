"""Diagnosis of a vault's problems: each cause with the number of its problems and the command that fixes them."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from vaultkit.errors import Problem, UnknownName
from vaultkit.spelling import did_you_mean
from vaultkit.text import format_count, group
from vaultkit.vault.resolve import key

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
"""For each cause, the beginning of its sentence for one problem and for several, and the end of both.

The order is that of a diagnosis.
"""
MAX_SAMPLES = 3
MAX_CODES = 4
MIN_LOST_LINKS = 3
"""The minimum number of links to a missing note that suggest that the note was renamed."""
_NOT_A_NOTE_NAME = re.compile(r"[/\\]|://|\.\w{1,5}$")
"""A match in a path with folders, an address, or the name of a file that is not a note."""


class RepairInfo(msgspec.Struct, frozen=True):
    """Facts about the repair that `check --fix` makes for a problem; `certain` says that it needs no guess.

    `generated` says that the note is generated, so that its converter's next run restores the problem. `hint` is the
    start of the problem's hint, "" for its usual hint.
    """

    certain: bool
    generated: bool = False
    hint: str = ""


class LostName(msgspec.Struct, frozen=True):
    """A missing note's name, with the number of `links` to it and of `notes` with such links."""

    name: str
    links: int
    notes: int

    @property
    def sentence(self) -> str:
        return (
            f"{self.links:,} links lead to '{self.name}', which is no note, in {format_count(self.notes, 'note')}. "
            "Renamed? Write the old name under aliases of the new note, then: "
            "vaultkit check --fix --cause alias --write"
        )


class Cause(msgspec.Struct, frozen=True):
    """A cause of problems, with the numbers of `problems` and of `notes` that have it.

    `certain` and `guessed` are the numbers of problems that are fixed without and with a guess; `generated` is the
    number of those in generated notes, which need `--generated`. `codes` counts the problems by code. `names` are
    missing notes with many links. If any problem is guessed, `command` has no `--write`, so that the user reviews the
    fixes first.
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
        base_command = f"vaultkit check --cause {self.code}"
        if not (self.certain or self.guessed):
            return base_command
        generated_option = " --generated" if self.generated else ""
        write_option = "" if self.guessed else " --write"
        return f"vaultkit check --fix --cause {self.code}{generated_option}{write_option}"

    @property
    def sentence(self) -> str:
        """A sentence such as `1,052 links are written with \\ for /, in 13 notes`."""
        singular, plural, ending = CAUSES[self.code]
        problems_phrase = f"{self.problems:,} {singular if self.problems == 1 else plural}"
        notes_phrase = f"in {self.notes:,} {'note' if self.notes == 1 else 'notes'}"
        if self.code == "other":
            top_codes = [f"{count:,} {code}" for code, count in Counter(self.codes).most_common(MAX_CODES)]
            more_phrase = " and more" if len(self.codes) > MAX_CODES else ""
            return f"{problems_phrase} {notes_phrase}: {', '.join(top_codes)}{more_phrase}"
        return f"{problems_phrase} {ending}, {notes_phrase}"

    @property
    def certainty(self) -> str:
        """The number of problems that are fixed without a guess, in words."""
        if self.certain == self.problems:
            return "all certain"
        kinds = ((self.certain, "certain"), (self.guessed, "to be looked at"))
        return ", ".join(f"{count:,} {kind}" for count, kind in kinds if count) or "none can be mended for you"


def diagnose(
    problems: Sequence[Problem], repair_infos: Mapping[Problem, RepairInfo], lost_paths: Mapping[Problem, str]
) -> tuple[Cause, ...]:
    """Return the causes of problems, in the order of CAUSES; `lost_paths` has the missing paths of broken links."""
    by_cause = group((problem.cause, problem) for problem in problems)
    return tuple(_make_cause(code, by_cause[code], repair_infos, lost_paths) for code in CAUSES if code in by_cause)


def _make_cause(
    code: str,
    problems: Sequence[Problem],
    repair_infos: Mapping[Problem, RepairInfo],
    lost_paths: Mapping[Problem, str],
) -> Cause:
    infos = [repair_infos[problem] for problem in problems if problem in repair_infos]
    return Cause(
        code,
        len(problems),
        len({problem.note for problem in problems}),
        sum(info.certain for info in infos),
        sum(not info.certain for info in infos),
        sum(info.generated for info in infos),
        Counter(problem.code for problem in problems),
        tuple(_choose_samples(problems)),
        tuple(_find_lost_names(problems, lost_paths)) if code == "other" else (),
    )


def _find_lost_names(problems: Sequence[Problem], lost_paths: Mapping[Problem, str]) -> Iterator[LostName]:
    """Yield the missing notes to which the most links lead, most first; paths with folders and other files excluded."""
    names = {problem: lost_paths[problem].removesuffix(".md") for problem in problems if problem in lost_paths}
    by_name = group((key(name), problem) for problem, name in names.items() if not _NOT_A_NOTE_NAME.search(name))
    for problems_of_name in sorted(by_name.values(), key=len, reverse=True)[:MAX_SAMPLES]:
        if len(problems_of_name) >= MIN_LOST_LINKS:
            yield LostName(
                names[problems_of_name[0]], len(problems_of_name), len({problem.note for problem in problems_of_name})
            )


def _choose_samples(problems: Sequence[Problem]) -> Iterator[Problem]:
    """Yield up to MAX_SAMPLES problems in order, from different notes if possible."""
    firsts = {problem.note: problem for problem in reversed(problems)}
    candidates = [*reversed(firsts.values()), *(problem for problem in problems if firsts[problem.note] is not problem)]
    yield from sorted(candidates[:MAX_SAMPLES])


def check_name(name: str, codes: Collection[str]) -> None:
    """Raise UsageError if a name is neither a cause nor the code of a check."""
    if name not in CAUSES and name not in codes:
        alternatives = f"Causes: {', '.join(CAUSES)}. The code of a check does, too."
        raise UnknownName(
            f"There is no cause '{name}'.", hint=did_you_mean(name, (*CAUSES, *codes), suffix=alternatives)
        )
