"""How sheets look: faces, colours, paragraph styles; and ReportLab put into a known state before it draws."""

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

INK, MUTED, ACCENT, LINK = "#1f1a17", "#5d5348", "#7b1e22", "#1d4468"
LINE, PANEL, PANEL_DARK, GOLD = "#c8b891", "#f7f1e3", "#ece0c6", "#a67c1e"
MARK = "#fbe7a1"

_SUITS = {
    "swords": "#2b4064", "stars": "#7d5a00", "glyphs": "#5a2d70", "coins": "#1e5f4b", "crowns": "#8b1d2c",
    "hearts": "#a0182c", "diamonds": "#a0182c", "spades": "#1f1a17", "clubs": "#1f1a17",
    "moons": "#3c4879", "suns": "#96490a", "waves": "#1c5a78", "leaves": "#2f6630", "wyrms": "#7a1f4b",
    "knots": "#5d4632", "fire": "#9e3512", "earth": "#5d4632", "air": "#356079", "water": "#1d4f8a",
}  # fmt: skip

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


def suit_colour(icon: str) -> str:
    """The dark colour of a suit, by its icon's name; plain ink for one that we do not know."""
    return _SUITS.get("crowns" if icon.startswith("emblem-") else icon.lower(), INK)


@lru_cache(maxsize=1)
def configure() -> None:
    """Give every ReportLab setting its value: by itself it reads files in the home folder and the environment."""
    from reportlab import rl_config, rl_settings

    for name in rl_settings.__all__:
        if hasattr(rl_settings, name):
            setattr(rl_config, name, _OVERRIDES.get(name, getattr(rl_settings, name)))


@dataclass(frozen=True)
class Theme:
    """Faces from `print/fonts/` (the vault's own first), registered one by one as a sheet needs them."""

    vault: Path | None = None

    def face(self, name: str) -> str:
        """Registers the face `name` if it is new; the name under which ReportLab knows it."""
        return _face(self.vault, name)

    def style(self, name: str = TEXT, size: float = 10.5, leading: float | None = None, **more: Any) -> Any:
        """A paragraph style: left aligned, no single lines left behind at a break."""
        from reportlab.lib.colors import HexColor
        from reportlab.lib.styles import ParagraphStyle

        settings: dict[str, Any] = {
            "textColor": HexColor(INK),
            "allowWidows": 0,
            "allowOrphans": 0,
            "splitLongWords": 1,
            "bulletFontName": self.face(name),
            "bulletFontSize": size,
        }
        settings.update(more)
        return ParagraphStyle(
            "vaultkit", fontName=self.face(name), fontSize=size, leading=leading or size * 1.25, **settings
        )


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
