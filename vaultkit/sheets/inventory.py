"""Checks of the available print designs, kind by kind, including whether the vault's own designs can be used."""

import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from vaultkit import resources
from vaultkit.campaign.health import HealthCheck, failed_check
from vaultkit.campaign.scoresheets.record import placed
from vaultkit.errors import InvalidError, VaultkitError
from vaultkit.look import design, theme
from vaultkit.look.back_design import load_back
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.settings import PrintSettings
from vaultkit.sheets.cards.frame import load_frame
from vaultkit.sheets.export.vendor import load_vendor
from vaultkit.sheets.geometry.paper import load_stock
from vaultkit.sheets.notecards.kinds import load_kind
from vaultkit.sheets.print_setup import paper_of
from vaultkit.sheets.reference.aids import load_aids
from vaultkit.sheets.scoresheets.design import ScoreDesign, design_files, find_score_design, read_score_design
from vaultkit.vault import Vault

_SCORE = "-score"
_THEMES, _FONTS = "themes", "fonts"
_KINDS: dict[str, tuple[str, Callable[[str, Path], object]]] = {
    _THEMES: ("themes/*.toml", lambda name, vault: theme.Theme(vault, name).code(theme.INK)),
    "frames": ("frames/*.toml", load_frame),
    "backs": ("backs/*.toml", load_back),
    "score sheets": ("sheets/*.toml", lambda name, vault: check_boxes(name.removesuffix(_SCORE), vault)),
    "aids": ("aids/*.toml", load_aids),
    "note cards": ("notecards/*.toml", load_kind),
    "services": ("vendors/*.toml", load_vendor),
    "spreads": ("spreads/*.toml", lambda _name, _vault: None),
    "signs": ("icons/*.svg", lambda _name, _vault: None),
    _FONTS: ("fonts/*.ttf", lambda _, vault: theme.check_own_faces(vault)),
}
"""For each kind of design, the pattern of its files and a function that loads one of the vault's own designs."""
_NUMBER = re.compile(r"\.\d+(?=\.|$)")
_MOST_NAMES = 9
"""A kind with more designs than this shows their number instead of all names."""


def print_checks(vault: Path, settings: PrintSettings) -> Iterator[HealthCheck]:
    """Yield checks that the paper and the theme of the settings exist."""
    paper, chosen = paper_of(vault, settings), theme.theme_of(vault, settings)
    yield _setting("print.paper", paper, lambda: load_stock(vault).paper(paper))
    yield _setting("print.theme", chosen.name, lambda: chosen.code(theme.INK))


def _setting(name: str, value: str, load: Callable[[], object]) -> HealthCheck:
    try:
        load()
    except VaultkitError as error:
        return HealthCheck(name, False, error.message, error.hint)
    return HealthCheck(name, True, value)


def design_checks(vault: Path) -> Iterator[HealthCheck]:
    """Yield a check of each kind of design; the vault's own designs override ours and must be valid."""
    _, own = _listed(vault, "paper.toml")
    try:
        stock = load_stock(vault)
    except VaultkitError as error:
        yield failed_check("print papers", error)
    else:
        yield _check("papers", tuple(stock.papers), set(stock.papers) if own else set())
        yield _check("card sizes", tuple(stock.cards), set(stock.cards) if own else set())
    for kind in _KINDS:
        yield _of_kind(kind, vault)


def _of_kind(kind: str, vault: Path) -> HealthCheck:
    """Check the designs of one kind.

    Fonts are checked even if the vault has none, because its `fonts.toml` may name some.
    """
    pattern, load = _KINDS[kind]
    names, own = _listed(vault, pattern)
    try:
        for name in [_FONTS] if kind == _FONTS else sorted(own):
            load(name, vault)
    except VaultkitError as error:
        return failed_check(f"print {kind}", error)
    themes = (theme.Theme(vault, name) for name in sorted(own) if kind == _THEMES)
    remarks = " ".join(remark for one in themes for remark in theme.theme_remarks(one))
    return _check(kind, tuple(name.removesuffix(_SCORE) for name in names), own, remarks)


def _check(kind: str, names: Collection[str], own: Collection[str], remarks: str = "") -> HealthCheck:
    """Return a check that lists the names of designs.

    `own` holds the names of the vault's designs. `remarks` are about designs that can be used, but not well.
    """
    if len(names) > _MOST_NAMES:
        more = f", yours: {', '.join(sorted(own))}" if own else ""
        return HealthCheck(f"print {kind}", True, f"{len(names)} files{more}", remarks)
    listed = ", ".join(f"{one} (yours)" if one in own else one for one in names)
    return HealthCheck(f"print {kind}", bool(names), listed or "none; install vaultkit again", remarks)


def _listed(vault: Path, pattern: str) -> tuple[tuple[str, ...], set[str]]:
    """Return the names of all designs that match the pattern, and the set of the vault's own names."""
    found = {path.stem: path for _, path in resources.listing("print", pattern, vault)}
    place = resources.own_folder("print", vault)
    return tuple(found), {name for name, path in found.items() if path.is_relative_to(place)}


def check_boxes(name: str, vault: Path) -> None:
    """Raise InvalidError if a vault's score sheet lacks a box that its game needs, or has an unknown one."""
    path, games = design_files(vault)[name], ScoreSheets(Vault(vault))
    where = design.name_of(path)
    made = read_score_design(design.load(path), where)
    if not made.game:
        return
    with placed(f"{where} [sheet]"):
        sheet, have = games.find(made.game), _boxes(made)
        known = _boxes(find_score_design(sheet.id, None, games)[1])
    options = {option.key: option.default for option in sheet.options}
    asked = [one.key for one in sheet.each(options, {one.key: 1 for one in sheet.first(options)})]
    missing = [key for key in asked if _NUMBER.sub("", key) not in have]
    faults = [f"The box '{key}' is missing on this sheet, and {sheet.title} asks for it." for key in missing]
    others = [key for part, key in have.items() if part not in known]
    faults += [f"{sheet.title} has no box '{key}', so nobody would read what is written there." for key in others]
    if faults:
        raise InvalidError(faults[0], where=where, hint=f"The game's boxes: {', '.join(known.values())}.")


def _boxes(made: ScoreDesign) -> dict[str, str]:
    """Return the boxes that a design offers to its game, by their names without numbers.

    A group of boxes to tick counts as one box.
    """
    names = (*made.names, *(group.id for group in made.ticks))
    return {_NUMBER.sub("", name): name for name in reversed(names)}
