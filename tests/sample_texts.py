"""Deterministic texts of many kinds, for which tokenizers give very different counts."""

import base64
import json
import string
from collections.abc import Callable
from random import Random
from uuid import UUID

SENTENCE = (
    "the deploy of a new server went wrong because its health check never answered so roll back to previous image and "
    "tell people who are on call before anything else is copied into bucket delete what was switched"
)
WORDS = SENTENCE.split()
OTHER_LANGUAGES = (
    "Die Umstellung der Datenbankverbindung ist gescheitert, weil die Berechtigungsprüfung nicht antwortete. ",
    "Le déploiement a échoué parce que la vérification de l'état n'a jamais répondu; prévenez l'équipe d'astreinte. ",
    "Palvelimen käyttöönotto epäonnistui, koska terveystarkastus ei koskaan vastannut; palauta edellinen versio. ",
    "Wdrożenie nie powiodło się, ponieważ sprawdzenie stanu nigdy nie odpowiedziało; powiadom dyżurnych. ",
    "Развёртывание не удалось, потому что проверка состояния не ответила; верните предыдущую версию. ",
    "新服务器的部署失败了。健康检查没有响应。请回滚到之前的镜像并通知值班人员。",
    "新しいサーバーのデプロイはヘルスチェックが応答しなかったため失敗しました。",
    "새 서버의 배포가 상태 확인에 응답하지 않아 실패했습니다. ",
    "فشل نشر الخادم الجديد لأن فحص الحالة لم يستجب أبدا. ",
)
RARE = (0x12000, 0xA000, 0x1400, 0x13000, 0x1F600)


def _of(letters: str) -> Callable[[Random, int], str]:
    return lambda random, length: "".join(random.choices(letters, k=length))


def _between(first: int, last: int) -> Callable[[Random, int], str]:
    return lambda random, length: "".join(chr(random.randint(first, last)) for _ in range(length))


def _items(item: Callable[[Random], object]) -> Callable[[Random, int], str]:
    """Return a maker of JSON lists of items."""

    def make(random: Random, length: int) -> str:
        return json.dumps([item(random) for _ in range(length)], separators=(",", ":"))[:length]

    return make


def _words(random: Random, length: int) -> str:
    return " ".join(random.choices(WORDS, k=length // 3))[:length]


def _nested(random: Random, length: int) -> str:
    return "".join(random.choice(('{"a":', "[[", '[{"b":', "}}", "]]", "1,")) for _ in range(length))[:length]


KINDS: dict[str, Callable[[Random, int], str]] = {
    "english": _words,
    "base64": lambda random, length: base64.b64encode(random.randbytes(length)).decode()[:length],
    "hex": lambda random, length: random.randbytes(length).hex()[:length],
    "digits": lambda random, length: " ".join(random.choices(string.digits, k=length))[:length],
    "marks": lambda random, length: "".join(
        random.choice(string.ascii_letters)
        + "".join(chr(random.randint(0x300, 0x36F)) for _ in range(random.randint(1, 3)))
        for _ in range(length)
    )[:length],
    "chinese": _between(0x4E00, 0x9FA5),
    "emoji": _between(0x1F300, 0x1F5FF),
    "rare": lambda random, length: "".join(chr(random.choice(RARE) + random.randint(0, 79)) for _ in range(length)),
    "nested": _nested,
}
"""Kinds for the tests of response limits."""
MORE: dict[str, Callable[[Random, int], str]] = {
    "capitals": lambda random, length: _words(random, length).upper(),
    "names": lambda random, length: _words(random, length).replace(" ", "_"),
    "small letters": _of(string.ascii_lowercase),
    "consonants": _of("bcdfghjklmnpqrstvwxz"),
    "vowels": _of("aeiou"),
    "letters": _of(string.ascii_letters),
    "single letters": lambda random, length: " ".join(random.choices(string.ascii_letters, k=length))[:length],
    "long numbers": _of(string.digits),
    "ids": _items(lambda random: f"ac_{_of('abcdefghjkmnpqrstvwxyz23456789')(random, 4)}"),
    "uuids": _items(lambda random: str(UUID(int=random.getrandbits(128)))),
    "numbers": _items(lambda random: random.randint(0, 10 ** random.randint(1, 12))),
    "fractions": _items(lambda random: random.random()),
    "times": _items(
        lambda random: f"2025-11-{random.randint(10, 28)}T{random.randint(10, 23)}:07:22.{random.random()}Z"
    ),
    "objects": _items(lambda random: {_of("abcxyz")(random, 2): random.choice((1, True, None, "x", [], {}))}),
    "punctuation": _of(string.punctuation),
    "anything printable": _of(string.digits + string.ascii_letters + string.punctuation + " "),
    "control characters": _of("".join(map(chr, range(1, 32)))),
    "escapes": lambda random, length: "".join(f"\\u{random.getrandbits(16):04x}" for _ in range(length))[:length],
    "one letter": lambda _, length: "x" * length,
    "short lines": lambda _, length: "a\n" * (length // 2),
    "hangul": _between(0xAC00, 0xD7A3),
    "cyrillic": _between(0x410, 0x44F),
    "latin": _between(0xA0, 0x17F),
    "kana": _between(0x3041, 0x30FF),
    "arabic": _between(0x620, 0x64A),
    "devanagari": _between(0x905, 0x95F),
    "dashes and quotes": _between(0x2010, 0x2030),
}


def text(kind: str, length: int, seed: int = 0) -> str:
    """Return `length` characters of a kind, different for each seed."""
    return {**KINDS, **MORE}[kind](Random(f"{kind} {seed}"), length)
