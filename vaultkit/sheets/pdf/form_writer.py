"""Form fields in a PDF: their widgets and groups, the appearance of their values, and the fonts to type in.

A file with fields still conforms to PDF/A: each field has an embedded font to type in, an appearance for every value,
and no scripts.
"""

from typing import Any

from reportlab.pdfbase.pdfdoc import (
    BasicFonts,
    PDFArray,
    PDFDictionary,
    PDFName,
    PDFObjectReference,
    PDFStream,
    PDFZCompress,
)
from reportlab.pdfbase.pdfdoc import PDFString as String
from reportlab.pdfbase.pdfmetrics import getFont

from vaultkit import files
from vaultkit.errors import InvalidError
from vaultkit.sheets.pdf.forms import FIELD_FACE, Field, value_operators
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.theme import model as look
from vaultkit.theme import reportlab_private
from vaultkit.theme.glyphs import Glyphs
from vaultkit.theme.shaped_font import make_unicode_map

TICKED_STATE = "Yes"
_NEEDED_LETTERS = frozenset(map(ord, "ąőΩж\u1ebf"))
"""Letters of names that the font for words must have: Latin, Greek, Cyrillic and Vietnamese."""
_NON_SYMBOLIC_FLAG = 1 << 5
_PRINT_FLAG = 4
_READ_ONLY_FLAG, _MULTILINE_FLAG, _NO_SPELL_CHECK_FLAG, _DROP_DOWN_FLAG = 1 << 0, 1 << 12, 1 << 22, 1 << 17
_RADIO_FLAG = 1 << 15
_SIGN_FACE, _SIGNS = "ZaDb", {"radio": "l", "check": "8"}
"""The standard font, and in it the signs with which viewers tick a box: a dot and a cross."""
_ALIGNMENT_CODES = {"left": 0, "center": 1, "right": 2}
_OFF = PDFName("Off")
_LAST_CODE = 0xFFFF


class FormWriter:
    """A writer of the form fields of one document, whose catalog gets a form with the first field."""

    def __init__(self, canvas: Any, glyphs: Glyphs) -> None:
        self._canvas, self._glyphs = canvas, glyphs
        self._document = reportlab_private.pdf_document(canvas)
        self._fonts = PDFDictionary()
        self._roots = PDFArray([])
        """The fields and groups that are in no group."""
        self._groups: dict[str, Any] = {}
        self._fields: dict[str, Any] = {}

    def add(self, field: Field, tag: Tag) -> None:
        """Add a field to the current page as content of `tag`, with its value drawn in the sheet's fonts.

        Raises InvalidError if two fields share a name, if a name is also the beginning of another, or if part of a name
        is empty.
        """
        red, green, blue = self._glyphs.theme.colour(look.INK).rgb()
        colour, face = f"{red:.4g} {green:.4g} {blue:.4g}", self._find_face(field)
        if not self._fields:
            form = {"Fields": self._roots, "DR": PDFDictionary({"Font": self._fonts})}
            self._document.Catalog.AcroForm = PDFDictionary(form | {"DA": String(f"/{face} 0 Tf {colour} rg")})
        if face not in self._fonts.dict:
            self._fonts[face] = self._embed_font(face)
        widget, is_radio = self._canvas.add_widget(tag), field.kind == "radio"
        if not (is_radio and "Kids" in getattr(self._fields.get(field.name), "dict", {})):
            self._check_name(field.name)
            own = self._fields[field.name] = _radio_group(field) if is_radio else widget
            own["T"] = String(field.name.rpartition(".")[2])
            self._attach(own, self._find_or_add_group(field.name))
        self._fill_widget(widget, field, face, colour)

    def _find_face(self, field: Field) -> str:
        """Return the font to type in: that of the role, or for words one that has the letters of most names."""
        theme = self._glyphs.theme
        face = theme.face(field.face)
        if field.face == FIELD_FACE and not getFont(face).face.charToGlyph.keys() >= _NEEDED_LETTERS:
            return theme.face(look.MONO)
        return face

    def _check_name(self, name: str) -> None:
        parts = name.split(".")
        group_names = {".".join(parts[:count]) for count in range(1, len(parts))}
        if name in self._fields or name in self._groups or not group_names.isdisjoint(self._fields):
            hint = "Give each box of the design its own id."
            raise InvalidError(f"The sheet has two boxes named '{name}'.", hint=hint)
        if not all(parts):
            raise InvalidError(f"A box of the sheet is named '{name}'.", hint="Give every row and column an id.")

    def _find_or_add_group(self, name: str) -> Any:
        """Return the group that contains the field or group `name`, after creating it if necessary.

        None means that the name has only one part.
        """
        group, _, _ = name.rpartition(".")
        if group and group not in self._groups:
            self._groups[group] = PDFDictionary({"T": String(group.rpartition(".")[2]), "Kids": PDFArray([])})
            self._attach(self._groups[group], self._find_or_add_group(group))
        return self._groups.get(group)

    def _attach(self, field: Any, parent: Any) -> None:
        siblings = self._roots if parent is None else parent["Kids"]
        siblings.sequence.append(self._document.Reference(field))
        if parent is not None:
            field["Parent"] = self._document.Reference(parent)

    def _fill_widget(self, widget: Any, field: Field, face: str, colour: str) -> None:
        """Set the entries of a widget; except for a radio box, the widget is the field itself."""
        x, y = self._canvas.absolutePosition(*field.box[:2])
        widget["Rect"] = PDFArray([x, y, x + field.box[2], y + field.box[3]])
        widget["F"], widget["TU"] = _PRINT_FLAG, String(field.tip)
        operators = value_operators(field, colour, self._glyphs, self._canvas)
        if field.kind in _SIGNS:
            self._set_tick(widget, field, operators, colour)
        else:
            self._set_text(widget, field, operators, f"/{face} 0 Tf {colour} rg")

    def _set_text(self, widget: Any, field: Field, operators: str, font_operators: str) -> None:
        flags = _NO_SPELL_CHECK_FLAG | _READ_ONLY_FLAG * field.fixed
        if field.kind == "choice":
            widget["FT"], widget["Ff"] = PDFName("Ch"), flags | _DROP_DOWN_FLAG
            widget["Opt"] = PDFArray(map(String, field.options))
            if field.value in field.options:
                widget["I"] = PDFArray([field.options.index(field.value)])
        else:
            widget["FT"], widget["Ff"] = PDFName("Tx"), flags | _MULTILINE_FLAG * field.lines
        widget["Q"], widget["DA"] = _ALIGNMENT_CODES[field.align], String(font_operators)
        widget["V"] = String(field.value)
        _, _, width, height = field.box
        clipped = f"q 0 0 {width:.3f} {height:.3f} re W n {operators} Q" if operators else ""
        widget["AP"] = PDFDictionary({"N": self._make_appearance(field, f"/Tx BMC {clipped} EMC")})

    def _set_tick(self, widget: Any, field: Field, operators: str, colour: str) -> None:
        """Set the current state of a check or radio box and both appearances."""
        if _SIGN_FACE not in self._fonts.dict:
            entries = {"Type": PDFName("Font"), "Subtype": PDFName("Type1"), "BaseFont": PDFName("ZapfDingbats")}
            self._fonts[_SIGN_FACE] = self._document.Reference(PDFDictionary(entries))
        widget["MK"] = PDFDictionary({"CA": String(_SIGNS[field.kind])})
        widget["DA"] = String(f"/{_SIGN_FACE} 0 Tf {colour} rg")
        ticked = field.options[0] if field.kind == "radio" else TICKED_STATE
        looks = {"Off": self._make_appearance(field, "q Q"), ticked: self._make_appearance(field, operators)}
        widget["AP"] = PDFDictionary({"N": PDFDictionary(looks)})
        widget["AS"] = PDFName(ticked) if field.value else _OFF
        if field.kind == "check":
            widget["FT"], widget["Ff"], widget["V"] = PDFName("Btn"), _READ_ONLY_FLAG * field.fixed, widget["AS"]
            return
        group = self._fields[field.name]
        self._attach(widget, group)
        if field.value:
            group["V"] = widget["AS"]

    def _make_appearance(self, field: Field, code: str) -> Any:
        """Return an appearance of a box, drawn by the operators in `code`, with the fonts of all pages."""
        fonts = {"Font": PDFObjectReference(BasicFonts)} if "Tf" in code else {}
        entries = {"Type": PDFName("XObject"), "Subtype": PDFName("Form"), "FormType": 1}
        entries |= {"BBox": PDFArray([0, 0, *field.box[2:]]), "Resources": PDFDictionary(fonts)}
        return self._document.Reference(PDFStream(PDFDictionary(entries), code, [PDFZCompress]))

    def _embed_font(self, name: str) -> Any:
        """Return a completely embedded font to type in; its codes are the numbers of its glyphs, as programs expect."""
        face, refer = getFont(name).face, self._document.Reference
        letters = {glyph: code for code, glyph in sorted(face.charToGlyph.items(), reverse=True) if code <= _LAST_CODE}
        widths = list[Any]()
        for glyph, code in sorted(letters.items()):
            widths += [glyph, PDFArray([round(face.charWidths.get(code, face.defaultWidth))])]
        unicode_map = make_unicode_map({f"{glyph:04X}": chr(code) for glyph, code in sorted(letters.items())})
        data = files.read(face.filename, files.PICTURE_BYTES, allow_links=True)
        descriptor = {
            "Type": PDFName("FontDescriptor"), "FontName": PDFName(name), "Flags": _NON_SYMBOLIC_FLAG,
            "FontBBox": PDFArray(map(round, face.bbox)), "ItalicAngle": round(face.italicAngle),
            "Ascent": round(face.ascent), "Descent": round(face.descent), "CapHeight": round(face.capHeight),
            "StemV": round(face.stemV),
            "FontFile2": refer(PDFStream(PDFDictionary({"Length1": len(data)}), data, [PDFZCompress])),
        }  # fmt: skip
        system_info = {"Registry": String("Adobe"), "Ordering": String("Identity"), "Supplement": 0}
        cid_font = {
            "Type": PDFName("Font"), "Subtype": PDFName("CIDFontType2"), "BaseFont": PDFName(name),
            "W": PDFArray(widths), "DW": round(face.defaultWidth), "CIDSystemInfo": PDFDictionary(system_info),
            "CIDToGIDMap": PDFName("Identity"), "FontDescriptor": refer(PDFDictionary(descriptor)),
        }  # fmt: skip
        font = {
            "Type": PDFName("Font"), "Subtype": PDFName("Type0"), "BaseFont": PDFName(name),
            "Encoding": PDFName("Identity-H"), "DescendantFonts": PDFArray([refer(PDFDictionary(cid_font))]),
            "ToUnicode": refer(PDFStream(PDFDictionary(), unicode_map, [PDFZCompress])),
        }  # fmt: skip
        return refer(PDFDictionary(font))


def _radio_group(field: Field) -> Any:
    """Return a new, still empty field for a group of radio boxes with the same name."""
    flags, kids = _RADIO_FLAG | _READ_ONLY_FLAG * field.fixed, PDFArray([])
    return PDFDictionary({"FT": PDFName("Btn"), "Ff": flags, "TU": String(field.group), "V": _OFF, "Kids": kids})
