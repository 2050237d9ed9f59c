"""Words are compared without their endings, in seven languages."""

import pytest

from vaultkit.search.stemming import guess_language, language, language_codes, name_key

ENGLISH = language("en")


@pytest.mark.parametrize(
    "words",
    [
        "tie ties tied", "bid bids bidding", "prophecy prophecies", "three 3", "choose chose chosen choosing",
        "throw threw thrown throws", "raven Ravens raven's", "witch witches", "glass glasses", "score scored scoring",
    ],
)  # fmt: skip
def test_the_forms_of_a_word_have_one_stem(words: str) -> None:
    assert len(set(ENGLISH.stems(words))) == 1


@pytest.mark.parametrize(
    "words",
    [
        "defence defenses defensive defensively defensible", "offence offense offences offensive",
        "licence license licenced licensing", "practise practice practised practicing practices",
        "plough plow ploughs plowing ploughed", "ploughshare plowshares", "mould mold moulding molded",
        "draught draft drafted draughts", "programme program programmes programming",
        "behaviour behavior behaviours", "saviour savior saviors", "neighbour neighbors neighbouring",
        "neighbourhood neighborhoods", "colour color colored colouring colourful", "armour armored armouring",
        "armouries armory", "armourer armorer", "honour honorable honoured", "favourite favorites", "odour odors",
        "rumour rumors rumoured", "harbour harbors harbored", "glamour glamor", "vapour vapors", "candour candor",
        "splendour splendor", "centre center centred centering", "theatre theaters", "spectre specters",
        "sceptre scepters", "sabre sabers", "sepulchre sepulchers", "manoeuvre maneuver manoeuvred maneuvering",
        "organise organize organised organizing organisations", "recognise recognizable recognised",
        "exorcise exorcized", "baptise baptizing", "paralyse paralyzed", "dialogue dialogs", "catalogue catalogs",
        "travelled traveled travelling", "duelled dueled duelling", "duellist duelist", "jewellery jewelry",
        "marvellous marvelous", "skilful skillful", "fulfil fulfill fulfilled fulfills", "woollen woolen",
        "sceptic skeptical scepticism", "smoulder smoldering smouldered", "gaol jailed gaols", "gaoler jailers jailor",
        "grey gray greys", "greyish grayish", "kerb curbs", "pretence pretenses", "moustache mustaches",
        "artefact artifacts", "sulphur sulfurous", "mediaeval medieval", "archaeologist archeology",
        "judgement judgments", "cosy cozy", "axe ax axes", "pedlar peddlers", "learnt learned", "enquire inquired",
        "waggon wagons", "councillor councilors", "tsar czars tzar", "meagre meager", "encyclopaedia encyclopedias",
    ],
)  # fmt: skip
def test_spellings_of_britain_and_america_have_one_stem_in_all_forms(words: str) -> None:
    assert len(set(ENGLISH.stems(words))) == 1


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("de", "Drache Drachen drachens"), ("fr", "épée épées"), ("es", "espada espadas"), ("it", "spada spade"),
        ("pt", "espada espadas"), ("pl", "smoka smoki smokiem"),
    ],
)  # fmt: skip
def test_six_more_languages_have_stems_without_accents(code: str, words: str) -> None:
    (stem,) = set(language(code).stems(words))
    assert stem.isascii()


@pytest.mark.parametrize(
    "words",
    [
        "add ad", "glass gla", "king k1", "focus focal", "red r", "DC-1 DC-12", "hatred haters", "hamster hamstring",
        "timber timbre", "election electricity", "our or", "four for", "hour hor", "pour pore", "flour floor",
        "course corps", "advice advertise", "rise rice", "wise wiz", "prise price", "decent center",
        "organ organise", "precise precious", "mouldy mouse", "grammar gram", "matter matt", "tower towed",
        "program prologue", "greyhound ground", "defend defence", "journey jury", "devour devote", "velour velvet",
    ],
)  # fmt: skip
def test_different_words_have_different_stems(words: str) -> None:
    first, second = (ENGLISH.stems(word) for word in words.split())
    assert first != second


def test_a_phrase_with_one_meaning_has_one_stem() -> None:
    assert ENGLISH.stems("they ran off, we run away") != ENGLISH.stems("run")
    assert "flee" in ENGLISH.stems("can I still run away") and "skip" in ENGLISH.stems("may he hold back")
    assert ENGLISH.stems("armour class") == ENGLISH.stems("AC")


def test_synonyms_are_mutual_and_are_not_stop_words() -> None:
    synonyms = ENGLISH.synonyms
    assert all(word in synonyms[other] for word, others in synonyms.items() for other in others)
    assert "raven" not in ENGLISH.stop_words and ENGLISH.stem("the") in ENGLISH.stop_words
    assert not ENGLISH.stop_words.intersection(ENGLISH.stems("win won light rest level cost"))


@pytest.mark.parametrize(
    ("code", "question"),
    [
        ("en", "what does the owl do when it sleeps"), ("de", "was macht die Eule, wenn sie schläft"),
        ("fr", "que fait le hibou quand il dort"), ("es", "qué hace el búho cuando duerme"),
        ("it", "che cosa fa il gufo quando dorme"), ("pt", "o que faz a coruja quando ela dorme"),
        ("pl", "co robi sowa, kiedy śpi"),
    ],
)  # fmt: skip
def test_each_of_7_languages_is_recognized_by_its_question_words(code: str, question: str) -> None:
    assert guess_language(question.casefold().replace(",", "").split()) == code
    assert guess_language(["sowa"], code) == code
    assert len(language_codes()) == 7


def test_name_is_compared_without_case_accents_punctuation_and_leading_zeros() -> None:
    assert name_key("  Señora ÉLOÏSE-du  Lac!") == name_key("senora eloise du lac")
    assert name_key("Session 07") == name_key("session 7") != name_key("session 70")
