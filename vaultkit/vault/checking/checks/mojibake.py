"""Text that was UTF-8, was read as something else and saved so: `FranÃ§ois`. Reported with what it was; never changed.

Every rule needs two characters that no language writes next to each other, such as a lower-case letter, `Ã` and a sign.
What real text may hold at the end of a word (`AMANHÃ…`, `BRÅ–`, `«olá»…`) counts only between letters.
"""

import re
from collections.abc import Iterator
from itertools import islice

from vaultkit.errors import Problem
from vaultkit.vault.checking.check import Check
from vaultkit.vault.note import Note

MAX_SHOWN = 3
"""Words that are reported one by one; what follows is only counted."""
_REACH = 30
"""Characters on each side that a word is shown with, if it is longer."""
_ROUNDS = 3
"""How often the same text may have been misread."""

_SIGNS = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ\x80-\xbf"
"""The bytes 0x80 to 0xBF of UTF-8 as Windows-1252 or Latin-1 shows them."""
_ODD = "€‚ƒ„ˆ‰ŠŒŽ˜šœžŸ\x80-\x9f¡-ª¬®-\xb6¸-º¼-¿"
"""Those of them that do not follow a word: no quotes, dashes, dots, daggers or spaces."""
_WINDOWS = rf"""
    Ã[€‚ƒ„ˆ‰ŠŒŽ˜šœžŸ\x80-\x9f] | (?<![A-ZÀ-Þ]{{2}})Ã[¡-ª¬-¶¸-º¼-¿]       # À to ß, then à to ÿ
  | (?<=[a-z])[ÃÄÅÈ][{_SIGNS}] | [ÄÅ][{_ODD}](?=[a-z]) | Æ[¡°]          # são, Łódź
  | (?<![^\W\d_])Ã[{_SIGNS}](?=[a-z]) | (?<![^ \t\r\n])Ã\xa0(?=[ ]?[a-z])   # Österreich; à la
  | Â[¡-ª¬®-±´-¶¸º¼-¿] | (?<=[a-z\d])Â[¹²³]                              # 20°, km²
  | (?<![^\sa-z.,!?])Â[«»·] | (?<=[a-z\d.,;:!?)])Â\xa0                   # « and », no-break spaces
  | (?<=[A-Za-z])Ì[{_ODD}]                                               # decomposed accents
  | â[€‚„†ˆ‰˜™š›œžŸ\x80\x82\x84\x86\x88\x89\x98-\x9f¤¬¸][{_SIGNS}] | â[‘’“”–—•][{_ODD}] | â€   # ’ “ … → ✓ ─
  | á[º»][{_ODD}] | á[º»][{_SIGNS}](?=[a-z])                             # Vietnamese
  | ï»¿ | ï¿½ | ï¼[{_SIGNS}] | ð[Ÿ\x9f][{_SIGNS}]{{2}}                 # byte order marks, emoji
  | (?:[Î-ÑØ-Û×][{_SIGNS}]){{2,}} | (?:[à-ï][{_SIGNS}]{{2}}){{2,}}       # other scripts
"""
_MAC_SIGNS = "".join(bytes(range(0x80, 0xC0)).decode("mac_roman"))
_MAC = rf"""
    √[ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü¢£§•¶ß®©™´¨ÆØ¥ªºæø]              # what is no mathematics: ç, é, è, ü
  | (?<=[a-z]{{2}})√[{_MAC_SIGNS}](?=[a-z]) | (?<=[a-z])√†              # between letters anything: ö, ñ; à
  | ‚Ä[{_MAC_SIGNS}] | ¬[†£ß©®´ª] | (?<=\d)¬∞                            # ’ “ …; no-break spaces, 20°
"""
_PATTERN = re.compile(f"(?P<windows>{_WINDOWS})|(?P<mac>{_MAC})", re.VERBOSE)
_CANDIDATE = re.compile(f"[ÂÃÄÅÆÈÌÎ-Ñ×Ø-Ûà-ïð√‚¬][{_SIGNS}{_MAC_SIGNS}]|â€")
_QUICK = (b"\xc3", "√".encode(), "¬".encode())
"""Every garbled character that UTF-8 writes with the first, and two more."""
_LOST = {"â€": "”"}
"""The third byte of a closing quote is no character of Windows-1252 and was dropped."""
_HINT = "A program read the note's UTF-8 as another encoding and saved that. Correct it, or restore an older version."
_GAP = re.compile(r"[ \t\r\n]")


def _may_be(note: Note) -> bool:
    return not note.data.isascii() and any(map(note.data.__contains__, _QUICK))


def _look(note: Note) -> Iterator[Problem]:
    """The first garbled words of a note one by one, with what they probably were, and one for the rest."""
    words = _words(note.text)
    for start, end in islice(words, MAX_SHOWN):
        word = note.text[start:end]
        message = f"'{_visible(word)}' is garbled: probably '{_visible(restored(word))}'."
        yield CHECK.at(note, start, message, _HINT)
    if following := next(words, None):
        more = 1 + sum(1 for _ in words)
        message = f"And {more} more garbled {'word' if more == 1 else 'words'} from here on."
        yield CHECK.at(note, following[0], message, _HINT)


def restored(word: str) -> str:
    """A garbled word as it was before it was misread, once or several times; `word` itself if it is not garbled."""
    for _ in range(_ROUNDS):
        garbled = _PATTERN.search(word)
        better = garbled and (_reread(word, mac=bool(garbled["mac"])) or _PATTERN.sub(_part, word))
        if not better:
            break
        word = better
    return word


def _visible(word: str) -> str:
    """A word without characters that a terminal would act on."""
    return "".join(char if char.isprintable() else "·" for char in word.replace("\xa0", " "))


def _words(text: str) -> Iterator[tuple[int, int]]:
    """Where the garbled words start and end."""
    end = 0
    while candidate := _CANDIDATE.search(text, end):
        start = max(end, candidate.start() - _REACH)
        start += _last_gap(text[start : candidate.start()])
        gap = _GAP.search(text, candidate.end(), candidate.end() + _REACH)
        end = gap.start() if gap else min(candidate.end() + _REACH, len(text))
        if _PATTERN.search(text[start:end]):
            yield start, end


def _last_gap(before: str) -> int:
    return max(map(before.rfind, " \t\r\n")) + 1


def _part(match: re.Match[str]) -> str:
    return _LOST.get(match[0]) or _reread(match[0], mac=bool(match["mac"])) or match[0]


def _reread(garbled: str, *, mac: bool) -> str:
    """The bytes that the text was, read as the UTF-8 that they were; "" if they cannot be that."""
    try:
        data = garbled.encode("mac_roman") if mac else b"".join(map(_windows_byte, garbled))
        return data.decode("utf-8")
    except UnicodeError:
        return ""


def _windows_byte(char: str) -> bytes:
    """A character's byte in Windows-1252, or in Latin-1 for what Windows-1252 lacks."""
    try:
        return char.encode("cp1252")
    except UnicodeEncodeError:
        return char.encode("latin-1")


CHECK = Check("mojibake", "warning", in_note=_look, quick=_may_be)
