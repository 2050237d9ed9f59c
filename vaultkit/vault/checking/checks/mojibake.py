"""The check for mojibake: UTF-8 text that was read in another encoding and saved, such as `FranÃ§ois`.

It suggests a correction and changes nothing. Each rule requires characters that no language writes next to each other,
such as a lower-case letter, `Ã` and a sign. Characters that correct text may have at the end of a word (`AMANHÃ…`,
`BRÅ–`, `«olá»…`) count only between letters.
"""

import re
from collections.abc import Iterator
from itertools import islice

from vaultkit.errors import Problem
from vaultkit.vault.checking.check import Check
from vaultkit.vault.note import Note

MAX_SHOWN_WORDS = 3
"""The maximum number of words that are reported one by one; further words are only counted."""
_MAX_CONTEXT_CHARS = 30
"""The maximum number of characters of a word that are shown on each side of its garbled ones."""
_MAX_ROUNDS = 3
"""The maximum number of times that the same text may have been misread."""

_SIGNS = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ\x80-\xbf"
"""The characters that Windows-1252 or Latin-1 shows for the UTF-8 bytes 0x80 to 0xBF."""
_RARE_SIGNS = "€‚ƒ„ˆ‰ŠŒŽ˜šœžŸ\x80-\x9f¡-ª¬®-\xb6¸-º¼-¿"
"""The `_SIGNS` that do not usually follow a word: no quotes, dashes, dots, daggers or spaces."""
_WINDOWS_PATTERN = rf"""
    Ã[€‚ƒ„ˆ‰ŠŒŽ˜šœžŸ\x80-\x9f] | (?<![A-ZÀ-Þ]{{2}})Ã[¡-ª¬-¶¸-º¼-¿]       # À to ß, then à to ÿ
  | (?<=[a-z])[ÃÄÅÈ][{_SIGNS}] | [ÄÅ][{_RARE_SIGNS}](?=[a-z]) | Æ[¡°]          # são, Łódź
  | (?<![^\W\d_])Ã[{_SIGNS}](?=[a-z]) | (?<![^ \t\r\n])Ã\xa0(?=[ ]?[a-z])   # Österreich; à la
  | Â[¡-ª¬®-±´-¶¸º¼-¿] | (?<=[a-z\d])Â[¹²³]                              # 20°, km²
  | (?<![^\sa-z.,!?])Â[«»·] | (?<=[a-z\d.,;:!?)])Â\xa0                   # « and », no-break spaces
  | (?<=[A-Za-z])Ì[{_RARE_SIGNS}]                                               # decomposed accents
  | â[€‚„†ˆ‰˜™š›œžŸ\x80\x82\x84\x86\x88\x89\x98-\x9f¤¬¸][{_SIGNS}] | â[‘’“”–—•][{_RARE_SIGNS}] | â€   # ’ “ … → ✓ ─
  | á[º»][{_RARE_SIGNS}] | á[º»][{_SIGNS}](?=[a-z])                             # Vietnamese
  | ï»¿ | ï¿½ | ï¼[{_SIGNS}] | ð[Ÿ\x9f][{_SIGNS}]{{2}}                 # byte order marks, emoji
  | (?:[Î-ÑØ-Û×][{_SIGNS}]){{2,}} | (?:[à-ï][{_SIGNS}]{{2}}){{2,}}       # other scripts
"""
_MAC_SIGNS = "".join(bytes(range(0x80, 0xC0)).decode("mac_roman"))
_MAC_PATTERN = rf"""
    √[ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü¢£§•¶ß®©™´¨ÆØ¥ªºæø]              # what is not mathematics: ç, é, è, ü
  | (?<=[a-z]{{2}})√[{_MAC_SIGNS}](?=[a-z]) | (?<=[a-z])√†              # between letters anything: ö, ñ; à
  | ‚Ä[{_MAC_SIGNS}] | ¬[†£ß©®´ª] | (?<=\d)¬∞                            # ’ “ …; no-break spaces, 20°
"""
_PATTERN = re.compile(f"(?P<windows>{_WINDOWS_PATTERN})|(?P<mac>{_MAC_PATTERN})", re.VERBOSE)
_CANDIDATE = re.compile(f"[ÂÃÄÅÆÈÌÎ-Ñ×Ø-Ûà-ïð√‚¬][{_SIGNS}{_MAC_SIGNS}]|â€")
_NEEDED_BYTES = (b"\xc3", "√".encode(), "¬".encode())
"""Bytes, one of which is in every garbled text: the first byte of most garbled characters, and two other signs."""
_LOST_BYTE_CORRECTIONS = {"â€": "”"}
"""Corrections of garbled characters that lack a byte: the last byte of a closing quote is none of Windows-1252."""
_HINT = "A program read the note's UTF-8 as another encoding and saved that. Correct it, or restore an older version."
_BLANK_CHARACTER = re.compile(r"[ \t\r\n]")


def _may_have_problem(note: Note) -> bool:
    return not note.data.isascii() and any(map(note.data.__contains__, _NEEDED_BYTES))


def _find_problems(note: Note) -> Iterator[Problem]:
    """Yield a problem for each of the first garbled words, with a correction, and one problem for all others."""
    words = _find_garbled_words(note.text)
    for start, end in islice(words, MAX_SHOWN_WORDS):
        word = note.text[start:end]
        message = f"'{_make_visible(word)}' is garbled: probably '{_make_visible(restore(word))}'."
        yield CHECK.problem_at(note, start, message, _HINT)
    if next_word := next(words, None):
        more_count = 1 + sum(1 for _ in words)
        message = f"And {more_count} more garbled {'word' if more_count == 1 else 'words'} from here on."
        yield CHECK.problem_at(note, next_word[0], message, _HINT)


def restore(word: str) -> str:
    """Return the original of a garbled word, which may be misread several times; `word` itself if it is not garbled."""
    for _ in range(_MAX_ROUNDS):
        garbled_match = _PATTERN.search(word)
        restored = garbled_match and (
            _decode_again(word, mac=bool(garbled_match["mac"])) or _PATTERN.sub(_restore_match, word)
        )
        if not restored:
            break
        word = restored
    return word


def _make_visible(word: str) -> str:
    """Return a word with `·` for each character that a terminal cannot show, such as control characters."""
    return "".join(char if char.isprintable() else "·" for char in word.replace("\xa0", " "))


def _find_garbled_words(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each garbled word."""
    end = 0
    while candidate := _CANDIDATE.search(text, end):
        start = max(end, candidate.start() - _MAX_CONTEXT_CHARS)
        start += _end_of_last_blank(text[start : candidate.start()])
        blank = _BLANK_CHARACTER.search(text, candidate.end(), candidate.end() + _MAX_CONTEXT_CHARS)
        end = blank.start() if blank else min(candidate.end() + _MAX_CONTEXT_CHARS, len(text))
        if _PATTERN.search(text[start:end]):
            yield start, end


def _end_of_last_blank(before: str) -> int:
    return max(map(before.rfind, " \t\r\n")) + 1


def _restore_match(match: re.Match[str]) -> str:
    return _LOST_BYTE_CORRECTIONS.get(match[0]) or _decode_again(match[0], mac=bool(match["mac"])) or match[0]


def _decode_again(garbled: str, *, mac: bool) -> str:
    """Encode the garbled text to its original bytes and decode them as UTF-8; return "" if that is impossible."""
    try:
        data = garbled.encode("mac_roman") if mac else b"".join(map(_windows_byte, garbled))
        return data.decode("utf-8")
    except UnicodeError:
        return ""


def _windows_byte(char: str) -> bytes:
    """Return a character's byte in Windows-1252, or in Latin-1 if Windows-1252 lacks the character."""
    try:
        return char.encode("cp1252")
    except UnicodeEncodeError:
        return char.encode("latin-1")


CHECK = Check("mojibake", "warning", in_note=_find_problems, quick=_may_have_problem)
