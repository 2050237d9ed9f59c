"""Secrets of the game master: the decision whether a name, a property or a whole note is a secret.

`text/secret_parts.py` finds the secret parts of a note with it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from vaultkit.errors import InvalidError
from vaultkit.text import format_count, join_words, plain_letters
from vaultkit.theme.model import join_first_names
from vaultkit.vault import Note

PLAYERS_COPY = "players' copy"
Counts = Mapping[str, int]
"""The number of secrets by kind; the kinds are the keys of `PLURALS`."""
PLURALS = {
    "note": "notes", "heading": "headings", "callout": "callouts", "property": "properties", "field": "fields",
    "HTML block": "HTML blocks", "code block": "code blocks", "table row": "table rows",
    "table column": "table columns", "comment": "comments", "embed": "embeds", "link": "links", "card": "cards",
}  # fmt: skip
"""The plurals of the kinds of secrets, in the order in which counts are listed."""
_TRUE_VALUES = {"true", "yes"}
_MAX_LISTED_NAMES = 6


@dataclass(frozen=True)
class Secrets:
    """The rules about secrets: `kinds` are the words of the setting `print.secrets` that mark them.

    With `hidden`, secrets are left out, as in a players' copy.
    """

    kinds: tuple[str, ...] = ()
    hidden: bool = False

    def is_secret_name(self, name: str, *, alone: bool = False) -> bool:
        """Return whether a name says that the thing with this name is for the game master alone.

        The whole name is tested, its part before a colon or a dash, and each part in brackets. With `alone`, a word
        such as `keeper` or `SL` is enough by itself.
        """
        if len(name) > 2 * _MAX_END_CHARS:
            name = f"{name[:_MAX_END_CHARS]} {name[-_MAX_END_CHARS:]}"
        return _is_secret(name, tuple(kind.casefold() for kind in self.kinds), alone)

    def is_secret_label(self, label: str) -> bool:
        """Return whether a label before a colon makes the text after it a secret.

        A role alone does not, because it is a speaker (`GM: You enter the hall.`), nor does a sentence (`The GM
        reads aloud:`).
        """
        all_words = _normalize_words(label)
        main_words = [word for word in all_words if word not in _SMALL_WORDS]
        has_restriction = any(word in _RESTRICTIONS or word in _ADDRESSING_WORDS for word in all_words)
        if not has_restriction or not self.is_secret_name(label):
            return False
        is_short = len(main_words) <= _MAX_LABEL_WORDS
        return is_short or all(word in _KNOWN_WORDS or word in _RESTRICTIONS for word in main_words)

    def is_secret_note(self, note: Note) -> bool:
        """Return whether a whole note is a secret."""
        return bool(self.reason(note))

    def reason(self, note: Note) -> str:
        """Return what marks a whole note as a secret: `tag`, `property`, `name` or `title`; "" if it is none."""
        if not self.kinds:
            return ""
        if any(self.is_secret_name(part, alone=True) for tag in _tags(note) for part in tag.split("/")):
            return "tag"
        true_keys = (key for key, value in note.properties.items() if str(value).casefold() in _TRUE_VALUES)
        if any(map(self.is_secret_name, true_keys)):
            return "property"
        if self.is_secret_name(note.name):
            return "name"
        titles = [heading.text for heading in note.headings if heading.level == 1]
        return "title" if len(titles) == 1 and self.is_secret_name(titles[0]) else ""

    def sift_properties(self, properties: Mapping[str, object]) -> tuple[dict[str, object], int]:
        """Return the properties, without secret ones if secrets are hidden, and the number of secrets.

        Nested properties are treated alike.
        """
        visible_properties, count = dict[str, object](), 0
        for key, value in properties.items():
            if self.is_secret_name(key):
                count += value not in (None, "", False)
                visible_properties |= {} if self.hidden else {key: value}
            else:
                visible_properties[key], nested_count = self._sift_value(value)
                count += nested_count
        return visible_properties, count

    def _sift_value(self, value: object) -> tuple[object, int]:
        if isinstance(value, Mapping):
            return self.sift_properties(value)
        if not isinstance(value, list):
            return value, 0
        entries = ((entry, str(entry.get("name") or "")) for entry in value if isinstance(entry, Mapping))
        secret_entries = [entry for entry, name in entries if self.is_secret_name(name)]
        sifted_entries = [self._sift_value(entry) for entry in value if entry not in secret_entries or not self.hidden]
        return [entry for entry, _ in sifted_entries], len(secret_entries) + sum(count for _, count in sifted_entries)

    def remark(self, counts: Counts, holder: str) -> tuple[str, ...]:
        """Return a sentence in a tuple on the secrets that a file holds or lacks, or an empty tuple if there are none.

        `holder` is the beginning of the sentence if secrets are not hidden: `This sheet holds`.
        """
        kind_counts = [counted_secrets(number, kind) for kind in PLURALS if (number := counts.get(kind, 0))]
        if not kind_counts:
            return ()
        total = format_count(sum(counts.values()), "secret")
        if self.hidden:
            return (f"Left out for players: {total} ({join_words(kind_counts)}).",)
        return (f"{holder} {total} for the game master. A copy for players: --no-secrets.",)

    def filter_notes(self, notes: Sequence[Note]) -> tuple[list[Note], tuple[str, ...]]:
        """Return the notes, without secret ones if secrets are hidden, and remarks on the omitted ones.

        Raises InvalidError if no note is left.
        """
        hidden = [note for note in notes if self.hidden and self.is_secret_note(note)]
        visible_notes = [note for note in notes if note not in hidden]
        reasons = list(dict.fromkeys(map(self.reason, hidden)))
        if not visible_notes:
            hint = "Leave out --no-secrets to print it for yourself."
            reason_text = f"its {reasons[0]}"
            message = f"This note is only for the game master, by {reason_text}."
            raise InvalidError(message, where=hidden[0].path, hint=hint)
        if not hidden:
            return visible_notes, ()
        plurals = (PLURALS.get(reason, f"{reason}s") for reason in reasons)
        reason_text = f"its {reasons[0]}" if len(hidden) == 1 else f"their {join_words(plurals)}"
        return visible_notes, (f"Left out for players: {join_words(note.path for note in hidden)}, by {reason_text}.",)


def describe_linked_secrets(paths: Sequence[str]) -> tuple[str, ...]:
    """Return a sentence in a tuple on the notes that are left out since only secrets link to them; () for none."""
    names = join_first_names(paths, _MAX_LISTED_NAMES)
    return (f"Left out for players: {names} (only secrets link to them).",) if paths else ()


def counted_secrets(number: int, kind: str) -> str:
    """Return a number with a kind of secret, such as `1 property` or `2 properties`."""
    return f"{number} {kind if number == 1 else PLURALS[kind]}"


def counts_by_plural(counts: Counts) -> dict[str, int]:
    """Return counts by the plural names of their kinds: `{"callouts": 2}`."""
    return {PLURALS[kind]: counts[kind] for kind in PLURALS if counts.get(kind)}


def add_counts(counts: Iterable[Counts]) -> Counter[str]:
    """Return the sum of several counts by kind."""
    return sum(map(Counter[str], counts), Counter[str]())


def _tags(note: Note) -> Iterator[str]:
    """Yield the tags of a note, including the ones in its property `tag`, which older vaults use."""
    yield from note.tags
    value = note.properties.get("tag")
    for entry in value if isinstance(value, list) else [value]:
        yield from str(entry or "").replace(",", " ").split()


NO_SECRETS = Secrets()


def _split_words(words: str) -> frozenset[str]:
    return frozenset(words.split())


_ROLE_PHRASES = {
    "gm": (
        "gm", "gms", "game master", "game masters", "gamemaster", "gamemasters", "spielleiter", "spielleiterin",
        "spielleiters", "spielleitung", "maitre du jeu", "maitre de jeu", "maitresse du jeu", "meneur de jeu",
        "meneuse de jeu", "director de juego", "directora de juego", "director del juego", "mestre de jogo",
        "mestre do jogo", "mistrz gry", "mistrza gry", "mistrzowi gry", "mistrzyni gry", "mistrzem gry",
        "meisterinformation", "meisterinformationen", "meisterinfo", "meisterinfos", "meisternotizen",
    ),
    "dm": ("dm", "dms", "dungeon master", "dungeon masters", "dungeonmaster", "dungeonmasters"),
}  # fmt: skip
"""For each word of the setting `print.secrets`, phrases that always mean the game master."""
_WEAK_ROLE_PHRASES = {
    "gm": ("sl", "mj", "mg", "dj", "keeper", "keepers", "storyteller", "referee", "master", "meister", "mestre")
}
"""Words that may mean the game master or somebody else: they count only in a name with one of `_RESTRICTIONS`."""
_SECRET_PHRASES = {
    "secret": (
        "secret", "secrets", "geheim", "geheime", "geheimes", "geheimnis", "geheimnisse", "secrete", "secretes",
        "secreto", "secretos", "secreta", "secretas", "segreto", "segreta", "segreti", "segrete", "segredo", "segredos",
        "tajne", "tajny", "tajna", "tajemnica", "tajemnice", "sekret", "sekrety",
    ),
}  # fmt: skip
"""Words that mark a secret if all other words of the name are restrictions, small words or numbers."""
_RESTRICTIONS = _split_words("""
    only eyes note notes info infos information details section background history truth plot plots agenda motive
    motives motivation identity clues data comments remarks hint hints secret secrets private hidden internal spoiler
    nur augen notiz notizen informationen hinweise hintergrund wissen intern geheim geheime geheimes geheimnis
    geheimnisse bereich abschnitt
    uniquement seulement exclusivement yeux renseignements informations reserve reservee secrete secretes
    solo unicamente exclusivo nota notas ojos informacion reservado secreto secretos secreta secretas
    apenas somente olhos informacoes segredo segredos
    soltanto appunti occhi informazioni riservato segreto segreti segreta
    tylko wylacznie notatka notatki oczu oczy informacje uwagi tajne tajny tajna
""")
"""Words that say for whom a text is, or what kind of text it is; none of them is a thing in a story."""
_SMALL_WORDS = _split_words("""
    the a an and of to for s my your this is are by in on fur fuer den die das dem der des und vom zum pour le la les
    l du de d et el los del y per il lo della e o os do da para dla i se
""")
_ADDRESSING_WORDS = _split_words("for fur pour para per dla")
"""Small words that say for whom a text is: `For the GM:` marks a secret, but `The GM:` is a speaker."""
_NEGATION_WORDS = _split_words("no not non without less ohne kein keine nicht sans sin senza sem bez nie")
_COMPOUND_STARTS = {"spielleit": "gm", "gamemaster": "gm", "dungeonmaster": "dm"}
"""Beginnings of compound words that mean the game master, such as `Spielleiternotizen`."""
_MAX_END_CHARS = 5_000
"""The most characters at each end of a name that are read; no heading that is printed has more in all."""
_MIN_JOINED_CHARS = 4
"""The least number of characters of a restriction that follows a role without a space, as in `gmnotes`."""
_MAX_LABEL_WORDS = 3
"""The most words of a label, without small ones, if not all of them are roles, secrets or restrictions."""
_WORD = re.compile(r"[^\W_]+")
_CAMEL_CASE_BREAK = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=\D)(?=\d)")
_BRACKETED = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_LABEL_END = re.compile(r"\s*[:|–—]|\s-\s")

Phrase = tuple[str, ...]


@lru_cache(maxsize=4096)
def _is_secret(name: str, kinds: tuple[str, ...], alone: bool) -> bool:
    parts = (name, _LABEL_END.split(name, maxsplit=1)[0], *_BRACKETED.findall(name))
    return any(_is_secret_phrase(_normalize_words(part), kinds, alone) for part in dict.fromkeys(parts))


def _is_secret_phrase(words: Sequence[str], kinds: tuple[str, ...], alone: bool) -> bool:
    roles, weak_roles, secrets = _phrases_for(kinds)
    spans = [span for phrase in roles for span in _find_phrase(words, phrase)]
    spans += [(n, n + 1) for n, word in enumerate(words) if _joins_role_and_restriction(word, kinds)]
    if any(not _is_negated(words, span) for span in spans):
        return True
    for phrases, is_enough in ((weak_roles, alone), (secrets, True)):
        for start, end in (span for phrase in phrases for span in _find_phrase(words, phrase)):
            other_words = [*words[:start], *words[end:]]
            restrictions = [word for word in other_words if word in _RESTRICTIONS]
            is_restricted = all(map(_is_qualifier, other_words)) and (is_enough or restrictions)
            if is_restricted and not _is_negated(words, (start, end)):
                return True
    return False


def _is_qualifier(word: str) -> bool:
    return word in _RESTRICTIONS or word in _SMALL_WORDS or word.isdecimal()


def _joins_role_and_restriction(word: str, kinds: tuple[str, ...]) -> bool:
    """Return whether a single word joins a role and a restriction, such as `dmonly` or `Spielleiternotizen`."""
    roles, weak_roles, secrets = _phrases_for(kinds)
    if any(kind in kinds and word.startswith(start) for start, kind in _COMPOUND_STARTS.items()):
        return True
    endings = (word.removeprefix(phrase[0]) for phrase in (*roles, *weak_roles, *secrets) if len(phrase) == 1)
    return any(ending != word and len(ending) >= _MIN_JOINED_CHARS and ending in _RESTRICTIONS for ending in endings)


def _is_negated(words: Sequence[str], span: tuple[int, int]) -> bool:
    """Return whether the words around a phrase negate it, as in `without a GM`, `GM-less` or `not secret`.

    `span` holds the start and end indices of the phrase.
    """
    start, end = span
    before = [word for word in words[max(0, start - 2) : start] if word not in _SMALL_WORDS]
    return any(word in _NEGATION_WORDS for word in before[-1:]) or list(words[end : end + 1]) == ["less"]


def _find_phrase(words: Sequence[str], phrase: Phrase) -> Iterator[tuple[int, int]]:
    """Return an iterator over the start and end indices of each occurrence of a phrase in a list of words."""
    phrase_length = len(phrase)
    return (
        (start, start + phrase_length)
        for start in range(len(words) - phrase_length + 1)
        if tuple(words[start : start + phrase_length]) == phrase
    )


@lru_cache(maxsize=64)
def _phrases_for(kinds: tuple[str, ...]) -> tuple[list[Phrase], list[Phrase], list[Phrase]]:
    """Return the phrases for the roles, weak roles and secrets of a setting.

    The phrases for secrets include words of the setting that are neither roles nor known secrets.
    """
    normalized_kinds = [" ".join(_normalize_words(kind)) for kind in kinds]
    own_kinds = (kind for kind in normalized_kinds if kind and kind not in {*_ROLE_PHRASES, *_SECRET_PHRASES})
    own_phrases = [form for kind in own_kinds for form in (kind, f"{kind}s")]
    roles, weak_roles, secrets = (
        [tuple(phrase.split()) for kind in normalized_kinds for phrase in table.get(kind, ())]
        for table in (_ROLE_PHRASES, _WEAK_ROLE_PHRASES, _SECRET_PHRASES)
    )
    return roles, weak_roles, [*secrets, *(tuple(phrase.split()) for phrase in own_phrases)]


def _normalize_words(name: str) -> list[str]:
    """Return the words of a name in lower case without accents; `gmNotes` and `GM_notes` have two words each."""
    return [part for word in _WORD.findall(name) for part in _split_camel_case(word)]


def _split_camel_case(word: str) -> list[str]:
    plain_word = plain_letters(word)
    if plain_word in _KNOWN_WORDS or word.isupper():
        return [plain_word]
    return [plain_letters(part) for part in _CAMEL_CASE_BREAK.split(word)]


_KNOWN_WORDS = frozenset(
    word
    for table in (_ROLE_PHRASES, _WEAK_ROLE_PHRASES, _SECRET_PHRASES)
    for phrases in table.values()
    for phrase in phrases
    for word in phrase.split()
)
