"""The designs that there are to print with, kind by kind, and whether those of the vault can be used."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from vaultkit import resources
from vaultkit.campaign.health import HealthCheck, failed_check
from vaultkit.errors import VaultkitError
from vaultkit.look import theme
from vaultkit.settings import PrintSettings
from vaultkit.sheets.cards.back_design import load_back
from vaultkit.sheets.cards.frame import load_frame
from vaultkit.sheets.export.vendor import load_vendor
from vaultkit.sheets.geometry.paper import load_stock
from vaultkit.sheets.notecards.kinds import load_kind
from vaultkit.sheets.print_setup import paper_of, theme_of
from vaultkit.sheets.reference.aids import load_aids
from vaultkit.sheets.scoresheets import reading as scores

_SCORE = "-score"
_THEMES, _FONTS = "themes", "fonts"
_FOLDERS: dict[str, tuple[str, Callable[[str, Path], object]]] = {
    _THEMES: ("themes", lambda name, vault: theme.Theme(vault, name).code(theme.INK)),
    "frames": ("frames", load_frame),
    "backs": ("backs", load_back),
    "score sheets": ("sheets", lambda name, vault: scores.check_boxes(name.removesuffix(_SCORE), vault)),
    "aids": ("aids", load_aids),
    "note cards": ("notecards", load_kind),
    "services": ("vendors", load_vendor),
}
_MOST_NAMES = 9
"""Of a kind of design, all are named if there are no more."""
_OTHERS = {"spreads": "spreads/*.toml", "signs": "icons/*.svg", _FONTS: "fonts/*.ttf"}


@dataclass(frozen=True)
class Designs:
    """The designs of one kind by name. `own` are those of the vault; `fault` is what is wrong with one of these.

    `remarks` name designs that can be used, but not well.
    """

    kind: str
    names: tuple[str, ...]
    own: frozenset[str] = frozenset()
    fault: VaultkitError | None = None
    remarks: tuple[str, ...] = ()


def inventory(vault: Path) -> Iterator[Designs]:
    """Papers, cards, designs, signs and fonts that a vault prints with; its own hide ours of the same name."""
    yield from _stock(vault)
    for kind, (folder, load) in _FOLDERS.items():
        names, own = _listed(vault, f"{folder}/*.toml")
        fault = _fault(own, load, vault)
        remarks = _hard_to_read(own, vault) if kind == _THEMES and fault is None else ()
        yield Designs(kind, tuple(name.removesuffix(_SCORE) for name in names), own, fault, remarks)
    for kind, pattern in _OTHERS.items():
        yield Designs(kind, *_listed(vault, pattern), fault=_fault_of_fonts(vault) if kind == _FONTS else None)


def print_checks(vault: Path, settings: PrintSettings) -> Iterator[HealthCheck]:
    """Whether there are the paper and the theme of the settings."""
    paper, name = paper_of(vault, settings), theme_of(vault, settings)
    yield _setting("print.paper", paper, lambda: load_stock(vault).paper(paper))
    yield _setting("print.theme", name, lambda: theme.Theme(vault, name).code(theme.INK))


def _setting(name: str, value: str, load: Callable[[], object]) -> HealthCheck:
    try:
        load()
    except VaultkitError as error:
        return HealthCheck(name, False, error.message, error.hint)
    return HealthCheck(name, True, value)


def design_checks(vault: Path) -> Iterator[HealthCheck]:
    """The designs that there are to print with. Those of the vault win over ours, and have to be sound."""
    for found in inventory(vault):
        name, remarks = f"print {found.kind}", " ".join(found.remarks)
        if found.fault is not None:
            yield failed_check(name, found.fault)
        elif len(found.names) > _MOST_NAMES:
            own = f", yours: {', '.join(sorted(found.own))}" if found.own else ""
            yield HealthCheck(name, True, f"{len(found.names)} files{own}", remarks)
        else:
            names = ", ".join(f"{one} (yours)" if one in found.own else one for one in found.names)
            yield HealthCheck(name, bool(names), names or "none; install vaultkit again", remarks)


def _stock(vault: Path) -> Iterator[Designs]:
    _, own = _listed(vault, "paper.toml")
    try:
        stock = load_stock(vault)
    except VaultkitError as error:
        yield Designs("papers", (), own, error)
        return
    yield Designs("papers", tuple(stock.papers), frozenset(stock.papers) if own else frozenset())
    yield Designs("card sizes", tuple(stock.cards), frozenset(stock.cards) if own else frozenset())


def _listed(vault: Path, pattern: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """All names that fit, and which of them are the vault's own."""
    found = {path.stem: path for _, path in resources.listing("print", pattern, vault)}
    place = resources.own_folder("print", vault)
    return tuple(found), frozenset(name for name, path in found.items() if path.is_relative_to(place))


def _hard_to_read(own: frozenset[str], vault: Path) -> tuple[str, ...]:
    return tuple(remark for name in sorted(own) for remark in theme.theme_remarks(theme.Theme(vault, name)))


def _fault(own: frozenset[str], load: Callable[[str, Path], object], vault: Path) -> VaultkitError | None:
    for name in sorted(own):
        try:
            load(name, vault)
        except VaultkitError as error:
            return error
    return None


def _fault_of_fonts(vault: Path) -> VaultkitError | None:
    """The first face that `fonts.toml` names and that cannot be used."""
    return _fault(frozenset([_FONTS]), lambda _, root: theme.check_own_faces(root), vault)
