"""Placeholders in braces, the template language of sentences in games and phrases in stories."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit.campaign.story_phrases import load_phrases
from vaultkit.games.messages import Sentence, TextTemplate

NAMES = st.sampled_from(("who", "s0", "in-front", "Größe"))


@pytest.mark.slow
@given(st.lists(st.tuples(NAMES, st.text(st.characters(exclude_characters="{}")))), st.dictionaries(NAMES, st.text()))
def test_each_field_is_replaced_once_and_all_other_text_stays(
    parts: list[tuple[str, str]], values: dict[str, str]
) -> None:
    values = {name: values.get(name, "{who} {s0}") for name in ("who", "s0", "in-front", "Größe")}
    template = TextTemplate.parse("".join(f"{{{name}}}{text}" for name, text in parts))
    assert template.fields == tuple(name for name, _ in parts)
    assert template.fill(values) == "".join(values[name] + text for name, text in parts)


def test_a_single_brace_is_text_and_a_field_without_a_value_is_an_error() -> None:
    assert TextTemplate.parse("a } b { c").fill({}) == "a } b { c"
    with pytest.raises(KeyError, match="who"):
        TextTemplate.parse("{who.__class__}").fill({"who": "Ada"})


def test_sentence_and_phrase_are_parsed_alike() -> None:
    texts = [template for several in load_phrases("propheta", None).by_key.values() for template in several]
    assert texts
    for template in texts:
        words = "".join(f"{{v{n // 2}}}" if n % 2 else piece for n, piece in enumerate(template.pieces))
        values = tuple(f"<{field}>" for field in template.fields)
        spoken = Sentence(words, values=values).render(str, str)
        assert spoken == template.fill({field: f"<{field}>" for field in template.fields})
