"""Themes: fonts, colours and paragraph styles of printed sheets."""

import contextlib
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from vaultkit import resources
from vaultkit.errors import InvalidError
from vaultkit.settings import PrintSettings
from vaultkit.theme import colour, design_loader, font_registry, system_fonts
from vaultkit.theme.custom_fonts import FALLBACK, own_faces

TEXT, BOLD, ITALIC, BOLD_ITALIC = font_registry.DEFAULT_FACE, "Alegreya-Bold", "Alegreya-Italic", "Alegreya-BoldItalic"
TITLE, TITLE_BOLD = "Cinzel-Regular", "Cinzel-Bold"
BOX, BOX_BOLD = "AtkinsonHyperlegibleNext-Regular", "AtkinsonHyperlegibleNext-Bold"
MONO = "JetBrainsMono-Regular"
SYMBOLS, MORE_SYMBOLS = "NotoSansSymbols-Regular", "NotoSansSymbols2-Regular"
MATHS, EMOJI = "NotoSansMath-Regular", "NotoEmoji-Regular"
_EASY_READ_FACES = {TEXT: BOX, ITALIC: BOX, TITLE: BOX, BOLD: BOX_BOLD, BOLD_ITALIC: BOX_BOLD, TITLE_BOLD: BOX_BOLD}
"""The face used in easy reading, by the face that it replaces."""
_LARGE_PRINT_FACES = {ITALIC: TEXT, BOLD_ITALIC: BOLD, TITLE: TEXT, TITLE_BOLD: BOLD}
"""The face used in large print, by the face that it replaces: italics, and Cinzel, which has capitals only."""
_INK_SAVING_FACES = {TITLE_BOLD: TITLE}
"""The face used on ink-saving sheets, by the face that it replaces; large print and easy reading keep bold titles."""
_CUSTOM_FACE_ROLES = {TEXT: "body", BOLD: "bold", ITALIC: "italic", BOLD_ITALIC: "bold-italic", MONO: "mono"}
"""The role of the vault's own face that may replace a built-in face, by the built-in face."""
_MIN_LINE_WIDTH_PT = 0.4
"""The minimum width in points of a line that is thinned to save ink."""

PAPER, INK, MUTED, ACCENT, LINK = "paper", "ink", "muted", "accent", "link"
LINE, PANEL, PANEL_DARK, GOLD, MARK = "line", "panel", "panel-dark", "gold", "mark"
HEAD, ON_HEAD = "head", "on-head"
"""The roles of colours. A theme has a colour for each."""

HEAD_LINE = "head-line"
"""The outline of a head in the head's own colour. On an ink-saving sheet, a head is only its outline."""
_ACCENTED_ROLES = {False: (ACCENT, HEAD, HEAD_LINE), True: (ACCENT, ON_HEAD, HEAD_LINE)}
"""The roles that have a theme's `accent_role` as their colour, by whether the theme saves ink."""

_TEXT_CONTRAST_RATIO, _OTHER_TEXT_CONTRAST_RATIO = 6.0, 4.6
"""The contrast of running text and of other words on an ink-saving sheet; readers with low vision need 4.5."""
_DECORATION_CONTRAST_RATIO = 1.9
"""The contrast of decoration on an ink-saving sheet, which nobody has to read."""
_HIGHLIGHT_CONTRAST_RATIO = 1.08
"""The contrast of highlights on an ink-saving sheet, light enough that words on them can be as light as elsewhere."""

BARE, ON_BARE = "bare", "on-bare"
"""The unprinted paper, and words, marks and codes on it."""

GILT = "gilt"
"""Gold on the ground of a head or a back, light enough to stand out, in grey too."""
_GILT_CONTRAST_RATIO = 4.0
"""The contrast of gilt with a head."""

_WHITE = "#ffffff"
_COLOUR_ROLES = (PAPER, INK, MUTED, ACCENT, LINK, LINE, PANEL, PANEL_DARK, GOLD, MARK, HEAD, ON_HEAD)
_COLOUR_CODE_PATTERN = re.compile(r"#[0-9a-fA-F]{6}")


class Tone(msgspec.Struct, frozen=True):
    """The way pictures are printed: `grey` without colour, `light` as lines that save ink, `cmyk` for print shops."""

    grey: bool = False
    light: bool = False
    cmyk: bool = False
    ground: str = ""
    """The colour under transparent parts of a picture, as `#rrggbb`; "" means white."""


@dataclass(frozen=True)
class Theme:
    """Colours from `print/themes/<name>.toml` and faces from `print/fonts/`; the vault's own files come first.

    `ink_saver` omits fills, draws pictures and large signs as lines, and makes lines finer and words lighter: sheets
    with fills or pictures take 60 % less ink, pages of words alone a third less. `grey` prints without colour, `large`
    is large print, `easy_read` sets all words in a face for readers with low vision, `cmyk` draws with a print shop's
    inks. Headings and heads of tables have the colour of `accent_role`. With `system_fonts`, fonts of the system show
    scripts that no other font has. Faces are registered one by one when a sheet needs them.
    """

    vault: Path | None = None
    name: str = "classic"
    ink_saver: bool = False
    grey: bool = False
    large: bool = False
    easy_read: bool = False
    cmyk: bool = False
    accent_role: str = ACCENT
    system_fonts: bool = False

    @property
    def body_text_size(self) -> float:
        """The size of running text in points."""
        return 16.0 if self.large else 10.5

    @property
    def min_text_size(self) -> float:
        """The smallest size of words on a sheet in points; cards have their own minimum."""
        return 16.0 if self.large else 10.0

    def stroke_width(self, width: float) -> float:
        """Return the thickness of a line in points, less than `width` if ink is saved."""
        return min(width, max(_MIN_LINE_WIDTH_PT, width / 2)) if self.ink_saver else width

    @property
    def is_paper_printed(self) -> bool:
        """Whether the paper's colour is printed: every colour except white, unless ink is saved."""
        return self.colour_code(PAPER) != self.colour_code(BARE)

    @property
    def is_dark(self) -> bool:
        """Whether the paper is darker than the words on it."""
        return colour.luminance(self.colour_code(PAPER)) < colour.luminance(self.colour_code(INK))

    @property
    def margin_text_role(self) -> str:
        """The role of small words beside cards, on unprinted paper."""
        return ON_BARE if self.is_paper_printed else MUTED

    @property
    def tone(self) -> Tone:
        """The way pictures are printed."""
        return Tone(grey=self.grey, light=self.ink_saver, cmyk=self.cmyk)

    @property
    def color_filter(self) -> Any:
        """The function that ReportLab applies to every colour, None if there is none.

        On a grey sheet it returns greys only, for a print shop inks only.
        """
        if self.cmyk:
            return colour.to_reportlab_inks
        return colour.to_reportlab_grey if self.grey else None

    def resolve_face(self, name: str) -> str:
        """Return the face that replaces `name` in the theme.

        Large print has no italics, easy reading uses one family, and ink saving uses a slim face for titles.
        """
        if self.ink_saver and not (self.large or self.easy_read):
            name = _INK_SAVING_FACES.get(name, name)
        if self.easy_read:
            name = _EASY_READ_FACES.get(name, name)
        return self._vault_face(_LARGE_PRINT_FACES.get(name, name) if self.large else name)

    def _vault_face(self, name: str) -> str:
        """Return the role of the vault's own face that replaces `name`, else `name`."""
        role = _CUSTOM_FACE_ROLES.get(name, "")
        return role if role in own_faces(self.vault) else name

    def faces_for(self, face: str) -> tuple[str, ...]:
        """Return the faces in which a character is looked up, in order: `face` itself, then fallbacks."""
        text = BOLD if "bold" in face.lower() else TEXT
        fallbacks = (role for role in own_faces(self.vault) if role.startswith(FALLBACK))
        return face, self._vault_face(text), text, *fallbacks, SYMBOLS, MORE_SYMBOLS, MATHS, EMOJI

    def shaped_font(self, face: str, letters: str, language: str) -> Any:
        """Return the first font of the vault or the system that has all the letters, to be shaped; None without one.

        Fonts are tried as for `face`; of fallbacks, bold ones come first for bold faces, and last for others.
        `language` decides between Chinese, Japanese and Korean fonts of the system.
        """
        own, is_bold = own_faces(self.vault), "bold" in face.lower()
        roles = [role for role in self.faces_for(face) if role in own]
        roles.sort(key=lambda role: role.startswith(FALLBACK) and ("bold" in own[role].file.stem.lower()) != is_bold)
        fonts = (font_registry.register_own_face(own[role], is_shaped=True) for role in roles)
        font = next((font for font in fonts if font_registry.font_has_letters(font, letters)), None)
        for file in system_fonts.find_system_fonts(letters, language, is_bold=is_bold) if self.system_fonts else ():
            if font is not None:
                break
            with contextlib.suppress(InvalidError):  # damaged, or not to be embedded
                font = font_registry.register_font_file(file, is_shaped=True)
        return font

    def face(self, name: str) -> str:
        """Register the face that replaces `name` in the theme, and return the name by which ReportLab knows it."""
        return self.register_exact_face(self.resolve_face(name))

    def register_exact_face(self, name: str) -> str:
        """Register exactly the face `name`, for characters that its replacement lacks; return its ReportLab name."""
        font_registry.register_face(
            self.vault, TEXT
        )  # ReportLab's own styles, loaded sooner or later, rest on this one
        return font_registry.register_face(self.vault, name)

    def colour_code(self, role: str) -> str:
        """Return the colour of a role as `#rrggbb`, for a paragraph's markup; such a code is returned as it is."""
        if role.startswith("#"):
            return role
        is_accented = self.accent_role != ACCENT and role in _ACCENTED_ROLES[self.ink_saver]
        role = self.accent_role if is_accented else role
        return _printed_palette(self.vault, self.name, self.ink_saver, self.grey)[role]

    def colour(self, role: str) -> Any:
        """Return the colour of a role as a ReportLab colour."""
        from reportlab.lib.colors import HexColor

        return HexColor(self.colour_code(role))

    def suit_role(self, icon: str) -> str:
        """Return the role of a suit's dark colour by its icon's name; plain ink if the theme does not know the suit."""
        role = "suit:" + ("crowns" if icon.startswith("emblem-") else icon.lower())
        return role if role in _load_palette(self.vault, self.name) else INK

    def colour_role(self, name: str) -> str:
        """Return the role called `name`, of a suit or of the theme itself; plain ink if the theme does not have it."""
        return name if name in _COLOUR_ROLES else self.suit_role(name)

    def style(self, name: str = TEXT, size: float | None = None, leading: float | None = None, **options: Any) -> Any:
        """Return a paragraph style: left aligned, without widows and orphans; colours are roles.

        Without `size`, it has the size of running text.
        """
        from reportlab.lib.styles import ParagraphStyle

        size = size or self.body_text_size
        face, colour_of_text = self.face(name), self.colour(options.pop("textColor", INK))
        style_options = {"allowWidows": 0, "allowOrphans": 0, "splitLongWords": 1} | options
        return ParagraphStyle(
            "vaultkit", fontName=face, fontSize=size, leading=leading or size * 1.25, textColor=colour_of_text,
            bulletFontName=face, bulletFontSize=size, **style_options,
        )  # fmt: skip


CLASSIC = Theme()


def theme_from_settings(root: Path, settings: PrintSettings) -> Theme:
    """Return the theme of the settings, or the classic theme if only an untrusted vault has that theme."""
    is_only_in_untrusted_vault = resources.is_ignored_as_untrusted("print", f"themes/{settings.theme}.toml", root)
    is_unavailable = is_only_in_untrusted_vault and settings.theme not in design_loader.design_files("themes", root)
    return Theme(root, CLASSIC.name if is_unavailable else settings.theme)


def register_default_face() -> None:
    """Register the face that ReportLab's styles read from its settings as soon as they are imported."""
    from reportlab.pdfbase.pdfmetrics import getRegisteredFontNames

    font_registry.configure()
    if TEXT not in getRegisteredFontNames():
        CLASSIC.face(TEXT)


_MIN_CONTRAST_RATIO = 4.5
"""The least contrast between words and their ground that readers with low vision need, by WCAG 2."""
_TEXT_GROUNDS = (PAPER, PANEL, PANEL_DARK, MARK)


def find_faint_texts(theme: Theme) -> tuple[str, ...]:
    """Return the colours of words that are hard to read in print, with their worst ground: `muted on panel 3.2`."""
    colours = _printed_palette(theme.vault, theme.name, theme.ink_saver, theme.grey)
    suits = (role for role in colours if role.startswith("suit:"))
    pairs = [[(role, ground) for ground in _TEXT_GROUNDS] for role in (INK, MUTED, ACCENT, LINK, *suits)]
    remarks = []
    for role_pairs in (*pairs, [(ON_HEAD, HEAD)]):
        lowest_contrast, role, ground = min(
            (colour.contrast(colours[text_role], colours[text_ground]), text_role, text_ground)
            for text_role, text_ground in role_pairs
        )
        if lowest_contrast < _MIN_CONTRAST_RATIO:
            remarks.append(f"{role.removeprefix('suit:')} on {ground} {math.floor(lowest_contrast * 10) / 10:.1f}")
    return tuple(remarks)


def theme_remarks(theme: Theme) -> tuple[str, ...]:
    """Return remarks on a theme that a person should know before printing with it."""
    faint_texts = find_faint_texts(theme)
    names = join_first_names(faint_texts, 4)
    contrast = f"They need a contrast of at least {_MIN_CONTRAST_RATIO}."
    remark = f"The theme '{theme.name}' has words that are hard to read: {names}. {contrast}"
    return (remark,) if faint_texts else ()


def join_first_names(names: Sequence[str], limit: int) -> str:
    """Return the names joined by commas; beyond `limit`, the rest are left out."""
    return ", ".join(names[:limit]) + (", ..." if len(names) > limit else "")


@lru_cache(maxsize=16)
def _printed_palette(vault: Path | None, name: str, ink_saver: bool, grey: bool) -> dict[str, str]:
    """Return the palette as it is printed: without fills to save ink, without colour on a grey sheet."""
    colours = dict(_load_palette(vault, name))
    colours[HEAD_LINE] = colours[HEAD]
    colours[GILT] = colour.lighten(colours[GOLD], colours[HEAD], _GILT_CONTRAST_RATIO)
    colours[BARE], colours[ON_BARE] = _WHITE, colour.darken(colours[INK], _WHITE, _TEXT_CONTRAST_RATIO)
    colours = _reduce_ink(colours) if ink_saver else colours
    return {role: colour.grey_of(code) for role, code in colours.items()} if grey else colours


def _reduce_ink(colours: dict[str, str]) -> dict[str, str]:
    """Return the colours for an ink-saving sheet: white paper, no fills, words and lines as light as they can be."""
    paper = _WHITE
    if colours[PAPER] != paper:
        others = {role: code for role, code in colours.items() if role != MARK}
        colours = colours | {role: colour.darken(code, paper, _TEXT_CONTRAST_RATIO) for role, code in others.items()}
    mark = colour.fade(colours[MARK], paper, _HIGHLIGHT_CONTRAST_RATIO)
    fills = {HEAD: paper, PANEL: paper, PANEL_DARK: paper, MARK: mark}
    lines = {role: colour.fade(colours[role], paper, _DECORATION_CONTRAST_RATIO) for role in (LINE, GOLD, HEAD_LINE)}
    lines[GILT] = lines[GOLD]
    text_colours = {role: code for role, code in colours.items() if role not in {PAPER, BARE, *fills, *lines}} | {
        ON_HEAD: colours[HEAD]
    }
    texts = {
        role: colour.fade(code, mark, _TEXT_CONTRAST_RATIO if role == INK else _OTHER_TEXT_CONTRAST_RATIO)
        for role, code in text_colours.items()
    }
    return {**colours, **fills, **lines, **texts, PAPER: paper, BARE: paper, ON_BARE: texts[INK]}


class _ThemeFile(design_loader.Design, frozen=True):
    colours: dict[str, Any]
    suits: dict[str, str]


@lru_cache(maxsize=16)
def _load_palette(vault: Path | None, name: str) -> dict[str, str]:
    theme_file, where = design_loader.load_design("themes", "theme", name, vault, _ThemeFile)
    colours = design_loader.check_keys(theme_file.colours, _COLOUR_ROLES, [], f"{where} [colours]")
    palette = {**colours, **{f"suit:{suit.lower()}": code for suit, code in theme_file.suits.items()}}
    for role, code in palette.items():
        if not isinstance(code, str) or not _COLOUR_CODE_PATTERN.fullmatch(code):
            raise InvalidError(f"'{role}' is not a colour.", where=where, hint='Write it like "#7b1e22".')
    return palette
