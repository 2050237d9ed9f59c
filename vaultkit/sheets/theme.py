"""How sheets look: faces, colours, paragraph styles; and ReportLab put into a known state before it draws."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from vaultkit.errors import InvalidError
from vaultkit.sheets import design

TEXT, BOLD, ITALIC, BOLD_ITALIC = "Alegreya-Regular", "Alegreya-Bold", "Alegreya-Italic", "Alegreya-BoldItalic"
TITLE, TITLE_BOLD = "Cinzel-Regular", "Cinzel-Bold"
BOX, BOX_BOLD = "AtkinsonHyperlegibleNext-Regular", "AtkinsonHyperlegibleNext-Bold"
SYMBOLS, EMOJI = "NotoSansSymbols-Regular", "NotoEmoji-Regular"

PAPER, INK, MUTED, ACCENT, LINK = "paper", "ink", "muted", "accent", "link"
LINE, PANEL, PANEL_DARK, GOLD, MARK = "line", "panel", "panel-dark", "gold", "mark"
HEAD, ON_HEAD = "head", "on-head"
"""Roles of colours: what each is for. A theme says what they look like."""

_ROLES = (PAPER, INK, MUTED, ACCENT, LINK, LINE, PANEL, PANEL_DARK, GOLD, MARK, HEAD, ON_HEAD)
_CODE = re.compile(r"#[0-9a-fA-F]{6}")

_OVERRIDES: dict[str, Any] = {
    "invariant": 1,
    "useA85": 0,
    "pageCompression": 1,
    "canvas_basefontname": TEXT,
    "documentLang": None,
    "platypus_link_underline": 0,
    "paraFontSizeHeightOffset": 0,
    "trustedSchemes": [],
    "trustedHosts": [],
    "verbose": 0,
    "warnOnMissingFontGlyphs": 0,
    "T1SearchPath": (),
    "TTFSearchPath": (),
    "CMapSearchPath": (),
    "unShapedFontGlob": [],
    "defaultPageSize": (595.2755905511812, 841.8897637795277),
}


@lru_cache(maxsize=1)
def configure() -> None:
    """Give every ReportLab setting its value: by itself it reads files in the home folder and the environment."""
    from reportlab import rl_config, rl_settings

    for name in rl_settings.__all__:
        if hasattr(rl_settings, name):
            setattr(rl_config, name, _OVERRIDES.get(name, getattr(rl_settings, name)))


@dataclass(frozen=True)
class Theme:
    """Colours from `print/themes/<name>.toml` and faces from `print/fonts/`, the vault's own first.

    Faces are registered one by one as a sheet needs them.
    """

    vault: Path | None = None
    name: str = "classic"

    def face(self, name: str) -> str:
        """Registers the face `name` if it is new; the name under which ReportLab knows it."""
        return _face(self.vault, name)

    def code(self, role: str) -> str:
        """The colour of a role (`ACCENT`, or what `suit` gave) as `#rrggbb`, for a paragraph's markup."""
        return _palette(self.vault, self.name)[role]

    def colour(self, role: str) -> Any:
        """The colour of a role as ReportLab draws it."""
        from reportlab.lib.colors import HexColor

        return HexColor(self.code(role))

    def suit(self, icon: str) -> str:
        """The role of a suit's dark colour, by its icon's name; plain ink for a suit that the theme does not know."""
        role = "suit:" + ("crowns" if icon.startswith("emblem-") else icon.lower())
        return role if role in _palette(self.vault, self.name) else INK

    def style(self, name: str = TEXT, size: float = 10.5, leading: float | None = None, **more: Any) -> Any:
        """A paragraph style: left aligned, no single lines left behind at a break; colours are roles."""
        from reportlab.lib.styles import ParagraphStyle

        settings: dict[str, Any] = {
            "textColor": INK,
            "allowWidows": 0,
            "allowOrphans": 0,
            "splitLongWords": 1,
            "bulletFontName": self.face(name),
            "bulletFontSize": size,
        }
        settings.update(more)
        settings["textColor"] = self.colour(settings["textColor"])
        return ParagraphStyle(
            "vaultkit", fontName=self.face(name), fontSize=size, leading=leading or size * 1.25, **settings
        )


CLASSIC = Theme()


@lru_cache(maxsize=16)
def _palette(vault: Path | None, name: str) -> dict[str, str]:
    path = design.find(f"themes/{name}.toml", vault)
    table = design.check(design.load(path), ["colours", "suits"], [], path.name)
    colours = design.check(table["colours"], _ROLES, [], f"{path.name} [colours]")
    suits = table["suits"] if isinstance(table["suits"], dict) else {}
    found = {**colours, **{f"suit:{suit.lower()}": code for suit, code in suits.items()}}
    for role, code in found.items():
        if not isinstance(code, str) or not _CODE.fullmatch(code):
            raise InvalidError(f"'{role}' is not a colour.", where=path.name, hint='Write it like "#7b1e22".')
    return found


@lru_cache(maxsize=64)
def _face(vault: Path | None, name: str) -> str:
    return _register(name, str(design.find(f"fonts/{name}.ttf", vault)))


@lru_cache(maxsize=64)
def _register(name: str, file: str) -> str:
    configure()
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFError, TTFont

    known = pdfmetrics.getRegisteredFontNames()
    registered = name if name not in known else f"{name}-{len(known)}"
    try:
        pdfmetrics.registerFont(TTFont(registered, file))
    except (TTFError, OSError) as error:
        raise InvalidError(f"The font cannot be used: {error}", where=file, hint="Use a TrueType file.") from error
    return registered
