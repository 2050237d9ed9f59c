"""The backs of cards: each is drawn once for a document and placed as often as it is needed."""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from vaultkit.errors import InvalidError, UnknownName
from vaultkit.sheets.imposition import OUTER_BLEED_UM
from vaultkit.sheets.paper import Box, Size
from vaultkit.sheets.pdf.document import Document
from vaultkit.spelling import did_you_mean
from vaultkit.theme import icons, image_transcoding, print_pictures
from vaultkit.theme.back_design import CARD_WIDTH_UM, BackDesign, Medallion, load_back, load_default_back
from vaultkit.theme.design_loader import design_files
from vaultkit.theme.image_fitting import Fit
from vaultkit.theme.lengths import points
from vaultkit.vault import Vault
from vaultkit.vault.file_facts import is_note

_FORM = "card-back"
_EXTRA_BLEED_UM = 300
"""The width, in micrometres, of the strip drawn beyond the bleed, so that neighbouring backs overlap."""


Back = BackDesign | Path
"""A drawn design, or a picture that fills every back."""


class BackPainter:
    """Places backs on the pages of `document`. Drawn ones look the same from both ends of the card.

    Raises InvalidError for a picture that cannot be used.
    """

    def __init__(self, document: Document, back: Back, card: Size, *, bleed: int) -> None:
        self.document = document
        self.canvas = document.canvas
        self.card = card
        self.bleed = card.box.inset(-max(bleed, OUTER_BLEED_UM) - _EXTRA_BLEED_UM)
        left, bottom, right, top = self.bleed.corners
        self.canvas.beginForm(_FORM, left, bottom, right, top)
        if isinstance(back, Path):
            self._draw_picture(back)
        else:
            self._draw_design(back)
        self.canvas.endForm()

    def draw(self, slot: Box, bleed: Box, *, is_turned: bool = False) -> None:
        """Draw the back into `slot` and over its cut as far as `bleed`, upside down if it is turned."""
        with self.canvas.preserve_state():
            self.canvas.clip(*bleed.points)
            self.canvas.translate(points(slot.x), points(slot.y))
            if is_turned:
                self.canvas.turn_upside_down(points(slot.width), points(slot.height))
            self.canvas.doForm(_FORM)

    def _draw_picture(self, source: Path) -> None:
        """Draw the picture `source`, cropped equally on opposite sides so that it fills the card and its bleed."""
        x, y, *size = self.bleed.points
        width, height = map(image_transcoding.to_pixels, size)
        fit = Fit(width, height, cover=True, top=0.5, tone=self.document.glyphs.theme.tone)
        try:
            picture = print_pictures.prepare(source, fit, self.document.glyphs.theme)
        except image_transcoding.UnusablePicture as problem:
            raise InvalidError(f"The picture for the back cannot be used: {problem}.", where=source.name) from problem
        self.canvas.draw_picture(picture, x, y, (size[0], size[1]))

    def _draw_design(self, design: BackDesign) -> None:
        """Draw a half and the same half upside down, so that the back looks the same from both ends of the card."""
        canvas, (_, _, width, height) = self.canvas, self.card.box.points
        canvas.fill(design.ground)
        canvas.rect(*self.bleed.points, stroke=0, fill=1)
        if design.medallion is not None:
            self._medallion(design.medallion)
        for is_turned in (False, True):
            with canvas.preserve_state():
                if is_turned:
                    canvas.turn_upside_down(width, height)
                self._half(design)
        self._lines(design)

    def _half(self, design: BackDesign) -> None:
        """Draw the upright half of a back."""
        x, y = points(self.card.width) / 2, points(self.card.height) / 2
        for across, up, sign in signs_of(design, self.card, self.bleed, self._scale):
            with self.canvas.preserve_state():
                self.canvas.translate(x + across, y + up)
                if up == 0:
                    self.canvas.rotate(-90)
                self._sign(sign, 0, 0, self._length(design.pattern.size), design.pattern.colour)
        if design.medallion is not None:
            medallion, radius = design.medallion, self._length(design.medallion.radius)
            self._sign(medallion.sign, x, y + radius * 0.43, radius * 0.72, medallion.colour)

    def _medallion(self, medallion: Medallion) -> None:
        x, y, radius = points(self.card.width) / 2, points(self.card.height) / 2, self._length(medallion.radius)
        self.canvas.fill(medallion.ground)
        self.canvas.setStrokeColor(self.canvas.theme.colour(medallion.colour))
        for share, width in ((1.0, 0.05), (0.9, 0.02)):
            self.canvas.setLineWidth(radius * width)
            self.canvas.circle(x, y, radius * share, stroke=1, fill=1)

    def _sign(self, name: str, x: float, y: float, size: float, colour: str) -> None:
        """Draw the sign `name` with its middle at x, y points."""
        theme = self.document.glyphs.theme
        icons.draw_sign(self.canvas, theme, name, x=x - size / 2, y=y - size / 2, size=size, colour=colour)

    def _lines(self, design: BackDesign) -> None:
        canvas, (_, _, width, height) = self.canvas, self.card.box.points
        for line in design.lines:
            gap = self._length(line.inset) + self._length(line.width) / 2
            canvas.pen(line.colour, self._length(line.width))
            canvas.roundRect(gap, gap, width - 2 * gap, height - 2 * gap, self._length(line.corner), stroke=1, fill=0)

    @property
    def _scale(self) -> float:
        """The size of this card as a share of the one that backs are designed for.

        It has a lower limit, below which lines would come too near to the cut.
        """
        return max(0.8, self.card.width / CARD_WIDTH_UM)

    def _length(self, micrometres: int) -> float:
        return points(micrometres) * self._scale


_ROW_STEP_RATIO = 0.866
"""The distance of rows as a share of that of signs in a row; all neighbours are then equally far from each other."""


def signs_of(design: BackDesign, card: Size, bleed: Box, scale: float) -> Iterator[tuple[float, float, str]]:
    """Yield half of a back's signs: the middle of each, in points from the middle of the card, and its name.

    The signs fill the rows above the middle, each shifted by half a step, and the right half of the middle row;
    the other half of the back is this one upside down. No sign is cut by the frame or covered by the medallion.
    """
    pattern = design.pattern
    size = points(pattern.size) * scale
    area = card.box.inset(round(pattern.inset * scale)) if pattern.inset else bleed
    inside = size * 0.85 if pattern.inset else 0.0
    columns, step = _divide_evenly(points(area.width) / 2 - inside, points(pattern.step) * scale)
    rows, rise = _divide_evenly(points(area.height) / 2 - inside, points(pattern.step) * scale * _ROW_STEP_RATIO)
    medallion = points(design.medallion.radius) * scale + size * 0.7 if design.medallion else 0.0
    for row in range(rows + 1):
        for column in range(-columns, columns + 1 - row % 2):
            across, up = (column + row % 2 / 2) * step, row * rise
            if (row or across > 0) and across**2 + up**2 >= medallion**2:
                yield across, up, pattern.signs[(int(abs(across) / step) + row) % len(pattern.signs)]


def _divide_evenly(room: float, step: float) -> tuple[int, float]:
    """Return the number of steps of about the length `step` in `room`, and the exact length that fills it."""
    count = max(1, round(room / step))
    return count, max(room, step / 2) / count


def choose_back(choice: str, kind: str, vault: Vault) -> Back:
    """Return the back named by `choice`: a design, a picture of the vault, or the first picture in a note.

    Raises UsageError if there is no such back, InvalidError for a note without a picture or a name of several notes.
    """
    if not choice:
        return load_default_back(kind, vault.root)
    back_names = design_files("backs", vault.root)
    if choice.lower() in back_names:
        return load_back(choice.lower(), vault.root)
    path = _find_picture(choice, vault)
    file = vault.file_or_none(path) if path else None
    if file is None:
        hint = f"Backs: {', '.join(back_names)}; or name a picture or a note of the vault."
        near = did_you_mean(choice, [*back_names, *_list_picture_names(vault)], limit=2, suffix=hint)
        raise UnknownName(f"There is no back '{choice}'.", hint=near)
    return file


def _list_picture_names(vault: Vault) -> list[str]:
    """Return the file names of the vault's pictures."""
    paths, suffixes = vault.listing.stamps, image_transcoding.PICTURE_SUFFIXES
    return [PurePosixPath(path).name for path in paths if path.lower().endswith(suffixes)]


def _find_picture(name: str, vault: Vault) -> str | None:
    picture_path = vault.files.resolve(name, "").path
    if picture_path is not None and not is_note(picture_path):
        return picture_path
    note = vault.lookup(name)
    if note is None:
        return None
    for link in note.links:
        path = vault.files.resolve(link.path, note.path).path if link.embed else None
        if path is not None and not is_note(path):
            return path
    raise InvalidError("There is no picture in this note.", where=note.path, hint="Name another with --back.")
