"""Corrections for printers, which `vaultkit print calibrate` saves in one file for all vaults."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from vaultkit import files
from vaultkit.errors import InvalidError, UnknownName, UsageError
from vaultkit.sheets.paper import Correction, Duplex, Size
from vaultkit.sheets.pdf.output_file import IS_DRY_RUN
from vaultkit.theme import design_loader
from vaultkit.theme.lengths import MM, parse_length, parse_signed_length
from vaultkit.vault.writing.atomic_file import put, translate_os_errors

LINE_LENGTH_UM = 100 * MM
"""The intended length, in micrometres, of the line on the calibration page that shows the printer's scale."""
_CORRECTION_KEYS = ("x", "y", "angle")
_NAME = re.compile(r"[\w.-][\w .-]{0,40}")


@dataclass(frozen=True)
class Printer:
    """A calibrated printer: the measured length of the line of 100 mm, in micrometres, and corrections for backs.

    The keys of `backs` are made by `turning_key`.
    """

    line: int = LINE_LENGTH_UM
    backs: Mapping[str, Correction] = field(default_factory=dict)


Printers = dict[str, Printer]
"""All calibrated printers by name."""


def correction_for(name: str, duplex: Duplex, paper: Size, printers: Printers) -> Correction:
    """Return the correction for the printer with a name; `paper` is in the orientation in which it is printed.

    Raises UsageError for a printer, or a way of turning sheets, that has not been calibrated.
    """
    if name not in printers:
        known_printers = f"Calibrated: {', '.join(printers)}." if printers else "None is calibrated yet."
        raise UnknownName(f"There is no printer '{name}'.", hint=f"{known_printers} See: vaultkit print calibrate")
    printer = printers[name]
    scale = LINE_LENGTH_UM / printer.line
    if not duplex.has_back_pages:
        return Correction(scale=scale)
    key = turning_key(duplex, landscape=paper.is_landscape)
    if key not in printer.backs:
        landscape_option = " --landscape" if paper.is_landscape else ""
        raise UsageError(
            f"The printer '{name}' is not calibrated for {key} sheets.",
            hint=f"Print: vaultkit print calibrate --printer {name} --duplex {duplex}{landscape_option}",
        )
    return replace(printer.backs[key], scale=scale)


def turning_key(duplex: Duplex, *, landscape: bool) -> str:
    """Return the key of a way of turning sheets, for each of which a printer may need another correction."""
    return f"{duplex}{'-landscape' if landscape else ''}"


def save_numbers(
    printer: str, duplex: Duplex, *, landscape: bool, x: str, y: str, angle: float, line: str, file: Path | None = None
) -> Path:
    """Save the numbers read off the calibration sheet, and return the file in which they are.

    Without `line` the saved scale stays. If only `line` is given, the saved correction for backs stays. Raises
    UsageError for impossible numbers and for a bad name of a printer.
    """
    if not printer:
        raise UsageError("For which printer are these numbers?", hint="Name it, for example: --printer office")
    if not _NAME.fullmatch(printer):
        raise UsageError("A printer's name has letters, digits, spaces, dots and dashes.", hint="For example: office")
    try:
        back_correction = Correction(parse_signed_length(x or "0", "--x"), parse_signed_length(y or "0", "--y"), angle)
        line_length = parse_length(line, "--scale") if line else None
    except InvalidError as error:
        raise UsageError(error.message, where=error.where, hint=error.hint) from error
    printers = load_printers(file)
    old_printer = printers.get(printer, Printer())
    backs = old_printer.backs
    if x or y or angle:
        backs = {**backs, turning_key(duplex, landscape=landscape): back_correction}
    new_printer = Printer(old_printer.line if line_length is None else line_length, backs)
    Correction(scale=LINE_LENGTH_UM / max(new_printer.line, 1))  # raises for a line that is too far from 100 mm
    return save_printers({**printers, printer: new_printer}, file)


def printers_file() -> Path:
    """Return the path of the file in which all printers are saved."""
    from platformdirs import user_config_path

    return user_config_path("vaultkit") / "printers.toml"


def load_printers(file: Path | None = None) -> Printers:
    """Return the saved printers, empty if there is no file. Raises InvalidError if the file cannot be read."""
    path = file or printers_file()
    try:
        tables = files.parse_toml(files.read_text(path, allow_links=True), str(path))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise files.unreadable_error("The saved printers", error, str(path)) from error
    except ValueError as error:
        raise InvalidError(f"The saved printers cannot be read: {error}", where=str(path)) from error
    return {name: _parse_printer(table, f"{path.name} [{name}]") for name, table in tables.items()}


def save_printers(printers: Printers, file: Path | None = None) -> Path:
    """Write the file of printers atomically, and return its path. Raises WriteError."""
    path = file or printers_file()
    with translate_os_errors("The numbers could not be saved", path):
        if not IS_DRY_RUN.get():
            path.parent.mkdir(parents=True, exist_ok=True)
            put(path, _format_toml(printers).encode())
    return path


def _parse_printer(value: object, location: str) -> Printer:
    ways = (duplex for duplex in Duplex if duplex.has_back_pages)
    keys = [turning_key(duplex, landscape=landscape) for duplex in ways for landscape in (False, True)]
    table = design_loader.check_keys(value, [], ["line", *keys], location)
    backs = {way: _parse_correction(table[way], f"{location} {way}") for way in keys if way in table}
    line = LINE_LENGTH_UM
    if "line" in table:
        line = parse_length(design_loader.get_string(table, "line", location), location)
    return Printer(line, backs)


def _parse_correction(value: object, location: str) -> Correction:
    table = design_loader.check_keys(value, [], _CORRECTION_KEYS, location)
    angle = table.get("angle", 0.0)
    if not isinstance(angle, int | float):
        raise InvalidError("'angle' must be a number of degrees.", where=location)
    x, y = (parse_signed_length(design_loader.get_string(table, side, location, "0"), location) for side in ("x", "y"))
    return Correction(x, y, float(angle))


def _format_toml(printers: Printers) -> str:
    lines = ["# How far printers are off, saved by `vaultkit print calibrate`."]
    for name, printer in printers.items():
        lines += ["", f'["{name}"]']
        if printer.line != LINE_LENGTH_UM:
            lines.append(f'line = "{printer.line / MM:g}mm"')
        for key, correction in printer.backs.items():
            lines += ["", f'["{name}".{key}]', f'x = "{correction.x / MM:g}mm"', f'y = "{correction.y / MM:g}mm"']
            lines.append(f"angle = {correction.angle:g}")
    return "\n".join(lines) + "\n"
