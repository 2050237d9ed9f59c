"""The typographic settings of a note's text, and the place of its next piece."""

from collections.abc import Callable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.secrecy import NO_SECRETS, Secrets
from vaultkit.sheets.text.blocks import Enclosure
from vaultkit.sheets.text.html_styles import PLAIN, HtmlStyle
from vaultkit.sheets.text.inline import Inline
from vaultkit.sheets.text.note_source import NO_SOURCE, LinkTarget, NoteSource
from vaultkit.theme import model as look

_MAX_FRAMES_DEPTH = 4


class PartContext(msgspec.Struct, frozen=True):
    """The files, links, headings and language of a note that stands below other ones."""

    source: NoteSource
    follow: Callable[[str], LinkTarget | None]
    headings: Mapping[str, str]
    language: str


class Setting(msgspec.Struct):
    """The typographic settings of a note's text.

    `width` is that of a column, `full_width` and `height` those of the page's body, and `size` is the font size, all in
    points. Without `pictures`, pictures are replaced by their names.
    """

    inline: Inline
    width: float
    full_width: float
    height: float
    size: float
    pictures: bool = True
    above: int = 1
    """The heading level of the title above the note, from which the levels of its own headings are counted."""
    source: NoteSource = NO_SOURCE
    secrets: Secrets = NO_SECRETS
    leading: float = 1.25
    """The distance from line to line as a multiple of the font size."""
    title: str = ""
    """The title above the text; a picture whose caption only repeats it gets none."""
    tallest: float = 0.45
    """The largest height of a picture as a share of the page height."""
    parts: Sequence[PartContext] = ()
    """The notes of which the text consists if there are several."""

    def scale_size(self, share: float) -> float:
        """Return a share of the font size in points, but not less than the minimum size."""
        return max(self.inline.min_size, self.size * share)


class Place(msgspec.Struct, frozen=True):
    """The place of the next text: its tag, its indent in points, and the boxes (`frames`) around it.

    `bullet` or `box` (a check box) precede it, and their tag is `label`. `face` is the font role, `style` the look
    of the HTML elements around it, and `deepest` the largest indent in points that nested boxes lead to.
    """

    tag: Tag
    indent: float = 0.0
    frames: tuple[Enclosure, ...] = ()
    bullet: str = ""
    box: str = ""
    label: Tag | None = None
    face: str = look.TEXT
    style: HtmlStyle = PLAIN
    deepest: float = 75.0

    @property
    def ground(self) -> str:
        """The role of the background colour."""
        return next((frame.fill for frame in reversed(self.frames) if frame.fill), look.PAPER)

    @property
    def below(self) -> "Place":
        """The place of text below the first line, which has no bullet or check box."""
        return replace(self, bullet="", box="")

    @property
    def has_bullet(self) -> bool:
        """Whether the place begins with a bullet or a check box."""
        return bool(self.bullet or self.box)

    def add_box(self, tag: Tag, padding: float, fill_role: str = "", bar_role: str = "") -> "Place":
        """Return the place inside a further box; a box nested too deeply is not drawn.

        `padding` is in points; `fill_role` and `bar_role` are the colour roles of its background and of its left bar.
        """
        if len(self.frames) >= _MAX_FRAMES_DEPTH:
            return replace(self.below, tag=tag)
        frames = (*self.frames, Enclosure(self.indent, padding, fill_role, bar_role))
        return replace(self.below, tag=tag, indent=min(self.indent + padding + 3, self.deepest), frames=frames)
