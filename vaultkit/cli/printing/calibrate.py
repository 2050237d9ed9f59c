"""`vaultkit print calibrate`: how far a printer is off, and what was read off."""

from typing import Annotated

import typer

from vaultkit.cli.printing.press import Press, anywhere


@anywhere
def calibrate(
    press: Press,
    printer: Annotated[str, typer.Option("--printer", help="Your name for the printer.")] = "",
    x: Annotated[str, typer.Option("--x", help="What the scale x of the sheet shows, like 0.8mm.")] = "",
    y: Annotated[str, typer.Option("--y", help="What the scale y of the sheet shows, like -0.5mm.")] = "",
    angle: Annotated[
        float, typer.Option("--angle", help="How far it is turned, in degrees; the sheet says how to find that.")
    ] = 0.0,
    scale: Annotated[str, typer.Option("--scale", help="How long the line of 100 mm came out, like 99.5mm.")] = "",
    duplex: Annotated[
        str, typer.Option("--duplex", help="How backs are printed: long-edge, short-edge or two-pass.")
    ] = "long-edge",
    landscape: Annotated[bool, typer.Option("--landscape", help="For cards on sheets that lie on their side.")] = False,
) -> None:
    """A sheet that shows how far a printer is off; with numbers, saves them for --printer. It needs no vault."""
    from vaultkit.cli.output import document, talk
    from vaultkit.sheets.calibrating import printers
    from vaultkit.sheets.calibrating.calibration import calibration_page
    from vaultkit.sheets.geometry.duplex import duplex_named

    turn = duplex_named(duplex, turned=True)
    if x or y or angle or scale:
        file = printers.save_numbers(printer, turn, landscape=landscape, x=x, y=y, angle=angle, line=scale)
        if press.as_json:
            document({"file": file.as_posix(), "printer": printer})
        talk(f"Saved for the printer '{printer}' ({printers.way_of(turn, landscape=landscape)} sheets): {file}")
        return
    press.tell(calibration_page(press.job("calibration"), duplex=turn, landscape=landscape))
