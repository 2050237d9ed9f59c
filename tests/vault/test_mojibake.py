"""Garbled words, with what they were; and real text in many languages, in which nothing is garbled."""

import unicodedata
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.wording import Says
from vaultkit.errors import Problem
from vaultkit.vault import Note
from vaultkit.vault.checking.check import inspect
from vaultkit.vault.checking.checks.mojibake import CHECK, restore


def find(text: str, path: str) -> Iterable[Problem]:
    return inspect(Note(path, text.encode("utf-8", "replace")), (CHECK,)).problems


NFD = unicodedata.normalize("NFD", "café")
REAL = r"""
François a mangé à l’été, “déjà vu”. LIBERTÉ, ÉGALITÉ, « À », À… É” ÂGE Âge « Â » «Â» BEAUTÉ” «BEAUTÉ» BEAUTÉ… À
— ÎLE DÔME CŒUR
“ATÉ AMANHÃ” AMANHÃ… IRMÃ– NÃO “IRMÃ” CORAÇÃ­O MAÇÃ® a letra Ã – nasal « Ã » «Ã» Ã…
Tiếng Việt: ĐÂU NGÃ… Ãt? VÂNG “NGÃ” Trường đại học ở đó có nhiều người. Ẩn… â
Românii „â”, „â”… «â» â” â— â–, Â…, Â”. Împărat ÎN țară „În” România â’n
Müller, größer „ÄPFEL“ ‚Äpfel‘ ‚Ähnlich‘ Österreich ÜBER — “Ä” Ä… SPÄ–
BRÅ–rapporten PÅ… Å – Å· 10 Å–20 Å 5 Å² 3 Å³ på Å, Å»
„Zażółć” gęślą jaźń »Łódź« ÓŚ… Święty „ŚWIĘTY”
„KÔŠ” VÍŽ MÝŽE KŔČ ÔŠA ÚŽAS DÔŽ ĽÚBOSŤ… NÁŠ «Éš»
“Привет” мир… РУССКИЙ «Ы» Українська «ї» ï… «naïve» “ï”
Íslenska: Það ÞAÐ… BORÐ” ð… sverð” “orð”… sverð—og «orð»… ÞAÐ»
2√π √2 √(x²) √π/2 x√π ¬(A∧B) ¬∃x ¬π ¬A 5 ± √5 √Ω √∞ √µ
IPA: /ɔ̃/ ˈfʁɑ̃swa [ð̞] ʔæ… æ” [æ—œ] ð” ð„ /ð/… å” «å»… olá»… «olá»… «disse olá»… à “là”… “voilà”— «voilà»… »là«
è… sì” perché»… città»… È’ COSÌ” LUNEDÌ… È… Ì”
中文，這是一個關於龍的筆記。日本語のメモです。「竜」… 한국어 안녕 ไทย สวัสดี
עברית שלום العربية مرحبا Ελληνικά “Ώ” Ὀδυσσεύς ×2 3×½ ×¼ 2×² 5×¹
×… ×“ד
ß” Spaß… Spaß” Ñ” ESPAÑA… “Ñ” niño» ñ… ESPAÑ… señor… ¿Qué? ¡Órale! Ó… Ö” Ø… Ø” Øl» Ø2 10 Ø™ Þ™ Æ® IKEÆ… Æ”
Turkish: Şeyh Ğ İ ı DÜNYÂ… “Â” çok. Ü… Ü” Hungarian: Ő Ű «ő» Ú”
Welsh: â â’r tâ… ŵ ŷ. Bahá’í Bahá’u’lláh Balâ™ crêpe… ê” Esperanto ĉ ĝ ŭ. Kashubian ã… jã”
résumé® café™ naïveté© PRÉ® É® É² é² x² â² â¹ ê¹ «é»¹ é”² é”¹ à”¹ ã”¹ «à»² “ê”³ «ã»»
Čeština: Příliš žluťoučký kůň úpěl ďábelské ódy. „ŽLUŤOUČKÝ KŮŇ“ Lietuvių: ąžuolas ŠĖ… Latviešu: ēna Ā… Eesti:
šokolaad ÖÖ…
Gaeilge: Éire, Ó Briain, SÉ… Català: l·l, CAFÈ… col·legi «això» ÀÈÒ. Galego: Ñ… Suomi: Åbo, “yötyö”, ÄÄ… SÄÄ–
Dansk: på Ærø, ÅÅ–
Afrikaans: sê, “môre”, wêreld… Íslenska: ÞAÐ – ég Ægir. Malti: ħobż, ġdid. Shqip: është, ÇË… Føroyar: Ó…
Azərbaycan: Ə.
Հայերեն «բարև» ქართული हिन्दी தமிழ் বাংলা አማርኛ ᚠᚢᚦ 🐉🎲 ½ × ¾ °C ±2 §5 ¶ © ® ™ † ‡ • · ¿¡ “”‘’ «» ‹› — – … €5 £3
¥9 ¢
Shannon: Ĥψ = Eψ, Â, Â†, ÂB̂, ⟨Â⟩, σ², Δx, Å⁻¹, 1.5 Å, ñ̃, ẋ, √2, √(a), √∞, ¬p ∨ ¬q, ‚einfach‘, ‚Ämter‘, ƒ(x),
≈√2
Sindarin: Eärendil, Lúthien, Nînaeth, “Manwë”, Númenórë… Drûadan, Ûñâr — “Thû”… «Dûn» ô! ê? î… Â… Ê” Î– Ð— Þ• Ñ™
"""
GARBLED = {
    "FranÃ§ois": "François",
    "donâ€™t": "don’t",
    "Ã©tÃ©": "été",
    "20Â°": "20°",
    "mÂ²": "m²",
    "Â£5": "£5",
    "â€œHelloâ€\x9d": "“Hello”",
    "â€œHelloâ€": "“Hello”",
    "Ã–sterreich": "Österreich",
    "GrÃ¶ÃŸe": "Größe",
    "CAFÃ‰": "CAFÉ",
    "dÃ\xada": "día",
    "ZaÅ¼Ã³Å‚Ä‡": "Zażółć",
    "Viá»‡t": "Việt",
    "ðŸ˜€": "😀",
    "â†’": "→",
    "ï»¿#": "\ufeff#",
    "FranÃƒÂ§ois": "François",
    "donÃ¢â‚¬â„¢t": "don’t",
    "Fran√ßois": "François",
    "don‚Äôt": "don’t",
    "‚ÄúHi‚Äù": "“Hi”",
    "Gr√∂√üe": "Größe",
    "20¬∞C": "20°C",
    NFD.encode().decode("latin-1"): NFD,
    "Ð\x9fÑ€Ð¸Ð²ÐµÑ‚": "Привет",
    "日本語".encode().decode("latin-1"): "日本語",
}
WORDS = "François Müller größer Österreich señor mañana été déjà coração não Łódź święty kůň đường Ελλάδα Привет 龍騎士"
MARKS = "“hi” don’t it’s 20° £5 naïve Ångström smörgåsbord þetta bjór Øl æble år"


@pytest.mark.parametrize("garbled", GARBLED)
def test_garbled_words_are_reported_with_the_original(garbled: str) -> None:
    (problem,) = find(f"One\r\n漢 {garbled}\tend", "N.md")
    assert (problem.note, problem.line, problem.column) == ("N.md", 2, 3)
    assert (problem.code, problem.severity) == ("mojibake", "warning")
    assert restore(garbled) == GARBLED[garbled]
    assert f"probably '{GARBLED[garbled]}'".replace("\ufeff", "·") in problem.message
    assert problem.message.isprintable() and problem.hint


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
@pytest.mark.parametrize("word", f"{WORDS} {MARKS}".split())
def test_words_of_many_languages_are_restored(word: str, encoding: str) -> None:
    try:
        garbled = word.encode().decode(encoding)
    except UnicodeDecodeError:
        pytest.skip("Windows-1252 lacks one of these bytes")
    assert restore(garbled) == word
    assert len(list(find(garbled, "N.md"))) == 1
    assert list(find(word, "N.md")) == []


@pytest.mark.parametrize("line", REAL.strip().splitlines(), ids=lambda line: line[:12])
def test_correct_text_is_not_changed(line: str) -> None:
    assert [problem.message for problem in find(line, "N.md")] == []
    assert [problem.message for problem in find(line.replace(" ", "\n"), "N.md")] == []
    assert restore(line) == line


def test_at_most_three_garbled_words_are_listed_and_the_rest_counted() -> None:
    text = "FranÃ§ois\n" * 3
    assert len(list(find(text, "N.md"))) == 3
    *_, last = find(text + "x FranÃ§ois", "N.md")
    assert (last.line, last.column, last.message) == (4, 3, Says("1 more garbled word"))
    *three, last = find("FranÃ§ois\r" * 9, "N.md")
    assert (len(three), last.line, last.message) == (3, 4, Says("6 more garbled words"))


def test_long_garbled_word_is_shortened() -> None:
    (problem,) = find(f"{'x' * 5000}Ã©{'y' * 5000}", "N.md")
    assert problem.column > 4900 and len(problem.message) < 200


@pytest.mark.short(3)
@pytest.mark.parametrize("text", ["Ã©" * 100_000, "Ã" * 200_000, "à»»" * 50_000, "ã" * 200_000, "√" * 200_000])
def test_hostile_mojibake_takes_no_time(text: str) -> None:
    assert len(list(find(text, "N.md"))) <= 4


@given(st.text("aZ .\n\xa0ÃÂÅâ€™œ”»…©éðŸ√‚¬ï¿½\x81", max_size=40))
def test_any_text_gives_places_inside_it(text: str) -> None:
    for problem in find(text, "N.md"):
        assert problem.line >= 1 and problem.column >= 1 and problem.message.isprintable()
