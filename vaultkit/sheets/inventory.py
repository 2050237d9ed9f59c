"""Checks of the available print designs, kind by kind, and whether the vault's own designs can be used."""

import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from vaultkit import resources
from vaultkit.campaign.diagnostics import HealthCheck, failed_check
from vaultkit.campaign.scoresheets.paper_record import locate_errors
from vaultkit.errors import InvalidError, VaultkitError
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.settings import PrintSettings
from vaultkit.sheets.aids import load_aids
from vaultkit.sheets.cards.print_card import load_frame
from vaultkit.sheets.export.vendor import load_vendor
from vaultkit.sheets.notecards.kinds import load_kind
from vaultkit.sheets.paper import load_stock
from vaultkit.sheets.print_setup import paper_of
from vaultkit.sheets.scoresheets.design import ScoreDesign, design_files, find_score_design, read_score_design
from vaultkit.theme import design_loader, font_registry, model
from vaultkit.theme.back_design import load_back
from vaultkit.vault import Vault

_SCORE_SUFFIX = "-score"
_THEMES, _FONTS = "themes", "fonts"
_DESIGN_KINDS: dict[str, tuple[str, Callable[[str, Path], object]]] = {
    _THEMES: ("themes/*.toml", lambda name, vault: model.Theme(vault, name).colour_code(model.INK)),
    "frames": ("frames/*.toml", load_frame),
    "backs": ("backs/*.toml", load_back),
    "score sheets": ("sheets/*.toml", lambda name, vault: check_boxes(name.removesuffix(_SCORE_SUFFIX), vault)),
    "aids": ("aids/*.toml", load_aids),
    "note cards": ("notecards/*.toml", load_kind),
    "services": ("vendors/*.toml", load_vendor),
    "spreads": ("spreads/*.toml", lambda _name, _vault: None),
    "signs": ("icons/*.svg", lambda _name, _vault: None),
    _FONTS: ("fonts/*.ttf", lambda _, vault: font_registry.check_own_faces(vault)),
}
"""For each kind of design, the pattern of its files and a function that loads one of the vault's own designs."""
_BOX_NUMBER = re.compile(r"\.\d+(?=\.|$)")
_MAX_LISTED_NAMES = 9
"""The most designs of one kind whose names are listed; of more designs only the number is shown."""


def check_print_settings(vault: Path, settings: PrintSettings) -> Iterator[HealthCheck]:
    """Yield checks that the paper and the theme of the settings exist."""
    paper, selected_theme = paper_of(vault, settings), model.theme_from_settings(vault, settings)
    yield _check_setting("print.paper", paper, lambda: load_stock(vault).paper(paper))
    yield _check_setting("print.theme", selected_theme.name, lambda: selected_theme.colour_code(model.INK))


def _check_setting(name: str, value: str, load: Callable[[], object]) -> HealthCheck:
    try:
        load()
    except VaultkitError as error:
        return HealthCheck(name, False, error.message, error.hint)
    return HealthCheck(name, True, value)


def check_designs(vault: Path) -> Iterator[HealthCheck]:
    """Yield a check of each kind of design, which fails if one of the vault's own designs is invalid."""
    _, own_names = _list_designs(vault, "paper.toml")
    try:
        stock = load_stock(vault)
    except VaultkitError as error:
        yield failed_check("print papers", error)
    else:
        yield _summarize_names("papers", tuple(stock.papers), set(stock.papers) if own_names else set())
        yield _summarize_names("card sizes", tuple(stock.cards), set(stock.cards) if own_names else set())
    for kind in _DESIGN_KINDS:
        yield _check_kind(kind, vault)


def _check_kind(kind: str, vault: Path) -> HealthCheck:
    """Return a check of the designs of one kind.

    Fonts are checked even if the vault has none, because its `fonts.toml` may name some.
    """
    pattern, load = _DESIGN_KINDS[kind]
    names, own_names = _list_designs(vault, pattern)
    try:
        for name in [_FONTS] if kind == _FONTS else sorted(own_names):
            load(name, vault)
    except VaultkitError as error:
        return failed_check(f"print {kind}", error)
    themes = (model.Theme(vault, name) for name in sorted(own_names) if kind == _THEMES)
    remarks = " ".join(remark for own_theme in themes for remark in model.theme_remarks(own_theme))
    return _summarize_names(kind, tuple(name.removesuffix(_SCORE_SUFFIX) for name in names), own_names, remarks)


def _summarize_names(kind: str, names: Collection[str], own_names: Collection[str], remarks: str = "") -> HealthCheck:
    """Return a check that lists the names of designs.

    `own_names` are those of the vault's own designs. `remarks` are about designs that can be used, but not well.
    """
    if len(names) > _MAX_LISTED_NAMES:
        more = f", yours: {', '.join(sorted(own_names))}" if own_names else ""
        return HealthCheck(f"print {kind}", True, f"{len(names)} files{more}", remarks)
    listed = ", ".join(f"{name} (yours)" if name in own_names else name for name in names)
    return HealthCheck(f"print {kind}", bool(names), listed or "none; install vaultkit again", remarks)


def _list_designs(vault: Path, pattern: str) -> tuple[tuple[str, ...], set[str]]:
    """Return the names of all designs that match the pattern, and the set of the vault's own names."""
    paths = {path.stem: path for _, path in resources.list_files("print", pattern, vault)}
    own_folder = resources.vault_folder("print", vault)
    return tuple(paths), {name for name, path in paths.items() if path.is_relative_to(own_folder)}


def check_boxes(name: str, vault: Path) -> None:
    """Raise InvalidError if a vault's score sheet lacks a box that its game needs, or has an unknown box."""
    path, score_sheets = design_files(vault)[name], ScoreSheets(Vault(vault))
    where = design_loader.name_of(path)
    score_design = read_score_design(design_loader.parse_file(path), where)
    if not score_design.game:
        return
    with locate_errors(f"{where} [sheet]"):
        sheet, own_boxes = score_sheets.find(score_design.game), _boxes_by_name(score_design)
        game_boxes = _boxes_by_name(find_score_design(sheet.id, None, score_sheets)[1])
    options = {option.key: option.default for option in sheet.options}
    common = {box.key: 1 for box in sheet.opening_questions(options)}
    required_keys = [box.key for box in sheet.seat_questions(options, common)]
    missing = [key for key in required_keys if _BOX_NUMBER.sub("", key) not in own_boxes]
    faults = [f"The box '{key}' is missing on this sheet, and {sheet.title} asks for it." for key in missing]
    unknown_keys = [key for part, key in own_boxes.items() if part not in game_boxes]
    faults += [f"{sheet.title} has no box '{key}', so nobody would read what is written there." for key in unknown_keys]
    if faults:
        raise InvalidError(faults[0], where=where, hint=f"The game's boxes: {', '.join(game_boxes.values())}.")


def _boxes_by_name(score_design: ScoreDesign) -> dict[str, str]:
    """Return the names of the boxes of a score sheet, by the same names without numbers.

    A group of boxes to tick counts as one box.
    """
    names = (*score_design.names, *(group.id for group in score_design.ticks))
    return {_BOX_NUMBER.sub("", name): name for name in reversed(names)}
