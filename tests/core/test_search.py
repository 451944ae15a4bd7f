"""Search as every store understands it: all words of the query, whole or by their beginnings."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.core.chain import genesis, seal
from tallystick.core.entries import ActionBegun, Draft, Entry
from tallystick.core.errors import InvalidArgument
from tallystick.core.formats.canonical_json import encode
from tallystick.core.formats.search import MAX_QUERY_WORDS, MAX_WORD_LENGTH, parse_query, search_words
from tallystick.core.types import Actor
from tests.core.values import objects

simple = st.text(st.sampled_from("abcxyzäöß019"), min_size=1, max_size=6)
separators = st.sampled_from([" ", ", ", "-", "_", "\n", ": ", "/"])


def entry(tool: str = "", body: Any = None) -> tuple[Entry, str | None]:
    text = encode(body) if body is not None else None
    draft = Draft(facts=ActionBegun(tool=tool), actor=Actor(name="Ada"), body=text)
    return seal(genesis("law"), draft, at=1, salt=b"")[0], text


@given(st.lists(simple, min_size=1, max_size=8), separators, st.data())
def test_words_are_found_in_any_order_and_case_and_by_their_beginnings(
    texts: list[str], between: str, data: st.DataObject
) -> None:
    words = search_words(*entry(body={"why": between.join(texts)}))
    query = data.draw(st.lists(st.sampled_from(texts), min_size=1, max_size=4))
    cut = data.draw(st.lists(st.integers(1, 6), min_size=len(query), max_size=len(query)))
    assert parse_query(" ".join(query)).matches(words)
    assert parse_query(" ".join(word.upper() for word in query if "ß" not in word) or query[0]).matches(words)
    assert parse_query(" ".join(f"{word[:end]}*" for word, end in zip(query, cut, strict=True))).matches(words)


@given(st.lists(simple, min_size=1, max_size=6), simple)
def test_a_word_that_is_not_there_is_not_found(texts: list[str], other: str) -> None:
    words = search_words(*entry(body={"why": " ".join(texts)}))
    assert parse_query(other).matches(words) == (other in words)
    assert parse_query(f"{texts[0]} {other}").matches(words) == (other in words)


@given(objects)
def test_every_text_and_name_in_a_body_is_found_by_its_words(body: dict[str, Any]) -> None:
    words = search_words(*entry(body=body))
    for text in _texts(body):
        for word in re.findall(r"[^\W_]+", text.lower()):
            if "\\" not in repr(text) and '"' not in text:
                assert word[:MAX_WORD_LENGTH] in words


def test_an_entry_is_found_by_its_tool_kind_actor_and_id() -> None:
    made, body = entry(tool="send_mail")
    for query in ("send mail", "action begun", "ada", made.id, "act*"):
        assert parse_query(query).matches(search_words(made, body))


@given(st.integers(1, 200))
def test_long_words_are_cut_alike_in_the_text_and_in_the_query(length: int) -> None:
    words = search_words(*entry(body={"x": "y" * length}))
    assert parse_query("y" * length).matches(words)


@pytest.mark.parametrize("text", ["", "  ", "*", "?!", "_"])
def test_a_query_without_words_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgument):
        parse_query(text)


def test_a_query_of_too_many_words_is_refused_with_the_limit() -> None:
    assert len(parse_query("a " * MAX_QUERY_WORDS).words) == MAX_QUERY_WORDS
    with pytest.raises(InvalidArgument, match=str(MAX_QUERY_WORDS)):
        parse_query("a " * (MAX_QUERY_WORDS + 1))


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for name, item in value.items() for text in [name, *_texts(item)]]
    return [text for item in value for text in _texts(item)] if isinstance(value, list) else []


@pytest.mark.parametrize(
    ("title", "query"),
    [
        ("新しい顧客ID登録", "顧客"),
        ("新しい顧客ID登録", "顧客id"),
        ("新しい顧客ID登録", "登録*"),
        ("فاتورة العميل", "فاتورة"),
        ("فاتورة العميل", "فات*"),
        ("ใบแจ้งหนี้ลูกค้า", "ลูกค้า"),
        ("고객에게 청구서", "고객*"),
        ("Größe ändern", "GRÖSSE*".replace("SS", "ß")),
    ],
)
def test_a_word_of_any_script_is_found_where_it_stands(title: str, query: str) -> None:
    assert parse_query(query).matches(search_words(*entry(body={"title": title})))
    assert not parse_query(query).matches(search_words(*entry(body={"title": "another one"})))


def test_a_sentence_without_spaces_is_a_query() -> None:
    text = "新しい顧客の登録を確認してからメールを送信する"
    assert parse_query(text).matches(search_words(*entry(body={"why": text})))
