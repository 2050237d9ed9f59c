"""The phrases of stories, in one file for each game: `templates/story/GAME.toml`, and their schema.

Each case in a vault's own file replaces that case of ours. A phrase is a `TextTemplate`, as the words of a `Sentence`
are: nothing in it is run. The schema, `story_schema.toml`, has for each case the facts that its phrases may claim and
the places (fields) they may have. It is part of the program; no vault can change it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from vaultkit import files, resources
from vaultkit.campaign.story_facts import GAME_FACTS, MOMENT_FACTS
from vaultkit.compendium.toml_tables import read_toml
from vaultkit.compendium.words import ENGLISH, VaultWords, load_words
from vaultkit.errors import InvalidError
from vaultkit.games.messages import TextTemplate
from vaultkit.spelling import did_you_mean
from vaultkit.vault.text_positions import LINE_END

EVERY_GAME_TABLE = "all"
RETIRED = {"cause": "A story does not say what would have happened otherwise: delete the table."}
"""Tables that older versions accepted in a file of phrases, each with what to do about it."""
FOLDER = "story"
SCORES_FILE = "scores"
"""The file for games of which only the scores are known, and for games without a file of their own."""
MAX_PHRASE_CHARS = 300
"""The greatest number of characters in a phrase."""

WHOLE_GAME_TABLES = (
    *("when", "opening", "halfway", "meanwhile", "turning", "in-front", "end", "result", "headline", "last", "card"),
)
"""The tables of a file of phrases that are not about one kind of event."""

SEAT_PLACES = ("who", "other", "winners", "second", "leader", "players", "former")
CARD_PLACES = ("card", "with", "cards", "dealt", "best", "against", "lost")
TEXT_PLACES = (
    *("when", "chapter", "number", "length", "points", "gain", "loss", "score", "lead", "margin", "count", "left"),
    *("hand", "foe", "ranks", "others", "earlier", "chapters", "own-hand", "other-hand", "was", "now"),
    *("price", "prize", "asked"),
)
PLACES = (*SEAT_PLACES, *CARD_PLACES, *TEXT_PLACES)
"""The names of all fields (places) of phrases: for seats and cards, which become links in a note, and for words."""


@dataclass(frozen=True, slots=True)
class Case:
    """One case of a story: the `facts` that must hold, and the `places` that its phrases may have."""

    facts: tuple[str, ...]
    places: frozenset[str]


Schema = Mapping[tuple[str, str], Case]


@lru_cache(maxsize=8)
def load_schema(game: str) -> Schema:
    """Return the cases of a game's stories by kind and name; `scores` stands for games known only by their scores."""
    tables = files.parse_toml(files.read_text(Path(__file__).with_name("story_schema.toml"), allow_links=True))
    schema = {}
    for kind, cases in (tables[EVERY_GAME_TABLE] | tables[game]).items():
        kind_places = cases.pop("places", "")
        for name, facts in cases.items():
            fact_places = [tables["places-of-facts"].get(fact, "") for fact in facts]
            places = " ".join((kind_places, tables["places-of-runs"].get(name, ""), *fact_places))
            assert all(fact.split()[0] in {*GAME_FACTS, *MOMENT_FACTS} for fact in facts), f"unknown fact among {facts}"
            schema[kind, name] = Case(tuple(facts), frozenset(places.split()))
    return schema


@dataclass(frozen=True, slots=True)
class Phrases:
    """The phrases of one game, by kind of event and case. `cases` has the facts and places of each case.

    `words` writes numbers and lists. `own` are the kinds and cases that the vault has phrases of its own for.
    """

    by_key: Mapping[tuple[str, str], tuple[TextTemplate, ...]]
    cases: Schema = field(default_factory=dict)
    words: VaultWords = ENGLISH
    own: Collection[tuple[str, str]] = ()

    @property
    def kinds(self) -> Mapping[str, bool]:
        """The kinds of events; the value of each says whether it has any phrase."""
        kinds = (kind for kind, _ in self.by_key if kind not in WHOLE_GAME_TABLES)
        return {kind: any(self.by_key[key] for key in self.by_key if key[0] == kind) for kind in kinds}


def has_phrases(game: str) -> bool:
    """Return whether a game has its own file of phrases."""
    return resources.find("templates", f"{FOLDER}/{game}.toml") is not None


def load_phrases(game: str, vault: Path | None) -> Phrases:
    """Return the phrases of a game; cases in the vault's own file replace the ones of the shipped file.

    Raises InvalidError, with file and line, if a phrase in the vault's own file is not allowed.
    """
    name = f"{FOLDER}/{game if has_phrases(game) else SCORES_FILE}.toml"
    file = resources.find("templates", name, vault)
    where = resources.name_of("templates", file) if file else ""
    own = check_phrases(name, read_phrases(name, vault), where) if where.startswith(".vaultkit/") else {}
    words, schema = load_words(vault), _load_schema(name)
    if name == f"{FOLDER}/{SCORES_FILE}.toml":
        own = check_story(words) | own
    return Phrases({**_shipped_phrases(name), **own}, schema, words, own.keys())


def check_story(words: VaultWords) -> dict[tuple[str, str], tuple[TextTemplate, ...]]:
    """Return the phrases in a vault's file of words. Raises InvalidError for a phrase that is not allowed."""
    return dict(_parse_tables(words.story, words.source, words.where, load_schema(SCORES_FILE)))


def check_phrases(name: str, text: str, where: str) -> dict[tuple[str, str], tuple[TextTemplate, ...]]:
    """Return the phrases in the text of a file that replaces phrases of the shipped file `name`.

    Raises InvalidError for a phrase that is not allowed.
    """
    return dict(_parse_tables(read_toml(text, where).table, text, where, _load_schema(name)))


def read_phrases(name: str, vault: Path | None) -> str:
    """Return the text of the vault's own file of phrases, else of ours, without checking the phrases.

    Raises InvalidError if the file cannot be read.
    """
    file = resources.find("templates", name, vault)
    assert file, "it was found before"
    return resources.read_user_text(file, "file of phrases", resources.name_of("templates", file))


@lru_cache(maxsize=16)
def _shipped_phrases(name: str) -> Mapping[tuple[str, str], tuple[TextTemplate, ...]]:
    return check_phrases(name, read_phrases(name, None), name)


def _load_schema(name: str) -> Schema:
    """Return the cases that a file of phrases may have, by the name of the file."""
    return load_schema(name.removeprefix(f"{FOLDER}/").removesuffix(".toml"))


def _parse_tables(
    tables: Mapping[str, object], text: str, where: str, schema: Schema
) -> Iterator[tuple[tuple[str, str], tuple[TextTemplate, ...]]]:
    """Yield each kind and case in the tables of a file with its phrases; `text` is the text of the file.

    Raises InvalidError for a kind or case that is not in the schema, and for a phrase that is not allowed.
    """
    for kind, cases in tables.items():
        if kind in RETIRED:
            place = _locate_name(where, text, kind)
            raise InvalidError(f"The table '{kind}' is no longer used.", where=place, hint=RETIRED[kind])
        _check_name(kind, dict.fromkeys(kind for kind, _ in schema), "table", text, where)
        if not isinstance(cases, dict):
            raise InvalidError(f"'{kind}' is not a table.", where=where, hint=f"Write [{kind}], and its phrases below.")
        for case, texts in cases.items():
            known_cases = [known_case for table, known_case in schema if table == kind]
            _check_name(case, known_cases, f"case of [{kind}]", text, where)
            case_phrases = tuple(_parse_phrases(texts, f"{kind}.{case}", text, where))
            _check_places(case_phrases, (kind, case), schema, text, where)
            yield (kind, case), case_phrases


def _parse_phrases(texts: object, key: str, text: str, where: str) -> Iterator[TextTemplate]:
    """Yield the phrases of a case, from one text or a list of texts; `key` names the case in errors.

    Raises InvalidError for a value that is no phrase, and for an unknown place.
    """
    phrase_texts = [texts] if isinstance(texts, str) else texts
    if not isinstance(phrase_texts, list) or not all(
        isinstance(phrase_text, str) and len(phrase_text) <= MAX_PHRASE_CHARS for phrase_text in phrase_texts
    ):
        hint = f"Write one phrase in quotes, or several in brackets, of at most {MAX_PHRASE_CHARS} characters."
        raise InvalidError(f"'{key}' is not a phrase.", where=where, hint=hint)
    for phrase_text in phrase_texts:
        phrase = TextTemplate.parse(" ".join(phrase_text.split()))
        for place in phrase.fields:
            _check_name(place, PLACES, "place", text, where)
        yield phrase


def _check_places(
    case_phrases: Sequence[TextTemplate], key: tuple[str, str], schema: Schema, text: str, where: str
) -> None:
    """Raise InvalidError, with the line, for a field that phrases of this case cannot have."""
    kind, case = key
    places = [place for place in PLACES if place in schema[key].places]
    for place in (place for phrase in case_phrases for place in phrase.fields if place not in places):
        hint = f"There are: {', '.join(places)}." if places else "It has none."
        message = f"The case '{case}' of [{kind}] has no place '{place}'."
        raise InvalidError(message, where=_locate_name(where, text, f"{{{place}}}", kind, case), hint=hint)


def _check_name(name: str, names: Collection[str], what: str, text: str, where: str) -> None:
    """Raise InvalidError, with the line, for a name that is not in `names`; `what` is the word for such a name."""
    if name not in names:
        hint = did_you_mean(name, names, suffix=f"There are: {', '.join(names)}.")
        raise InvalidError(f"There is no {what} '{name}'.", where=_locate_name(where, text, name), hint=hint)


def _locate_name(where: str, text: str, name: str, kind: str = "", case: str = "") -> str:
    """Return `file:line` of the first occurrence of a name, after the table `kind` and its `case` if given.

    Return the file `where` alone if the name does not occur there.
    """
    lines = [line.partition("#")[0] for line in LINE_END.split(text)]
    start = 0
    for mark in filter(None, (kind and f"{kind}]", case)):
        start = next((index for index in range(start, len(lines)) if mark in lines[index]), start)
    line_index = next((index for index in range(start, len(lines)) if name in lines[index]), -1)
    return f"{where}:{line_index + 1}" if line_index >= 0 else where
