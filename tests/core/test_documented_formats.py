"""Formats that services document, and credentials in XML: at least 99 % are masked."""

import json
import sysconfig
from collections import Counter
from pathlib import Path

import pytest

from tallystick.core.redaction.masker import DEFAULT_MASKER
from tests.core.documented_formats import documented, judged

AROUND = ("use {} here", "got {}.", '"{}"', "url?x={}&y=1", "{}")
SECRET = "Zx9dkw02kdlwQ8"


def test_the_documented_formats_are_masked() -> None:
    made = [(name, around.format(value), value) for name, value in documented(7, 20) for around in AROUND]
    kept = [(name, text) for name, text, value in made if value[-12:] in DEFAULT_MASKER.mask_text(text)]
    assert len(kept) <= len(made) // 100, kept[:20]


def test_the_formats_of_public_scanners_are_masked_beside_a_name_and_mostly_alone() -> None:
    assert_judged_formats_masked("sample", each=1)


def assert_judged_formats_masked(seed: str, each: int) -> int:
    """The shares that docs/secrets.md states, and that nothing masked looks clean. Returns the number of texts."""
    texts, masked, left = Counter[tuple[str, bool]](), Counter[tuple[str, bool]](), []
    for each_secret in judged(seed, each):
        output = DEFAULT_MASKER.mask_text(each_secret.text)
        assert output == each_secret.text or not DEFAULT_MASKER.looks_clean(json.dumps(each_secret.text))
        key = (each_secret.format.half, bool(each_secret.name))
        texts[key] += 1
        masked[key] += not each_secret.survives(output)
        if each_secret.survives(output):
            left.append((each_secret.format.service, each_secret.name))
    shares = {key: 100 * masked[key] / texts[key] for key in texts}
    for half in ("tuned", "held"):
        assert shares[half, True] >= 99, (shares, left)
        assert shares[half, False] >= 90, (shares, left)
    return texts.total()


@pytest.mark.parametrize(
    "text",
    [
        "<password>{}</password>",
        "<password>\n  {}\n</password>",
        "<password><![CDATA[{}]]></password>",
        '<password encrypted="true">{}</password>',
        "<ns:password>{}</ns:password>",
        '<wsse:Password Type="x">{}</wsse:Password>',
        '<property name="password">{}</property>',
        "<property><name>db.password</name><value>{}</value></property>",
        '<entry key="db.password">{}</entry>',
        '<string name="api_key">{}</string>',
        "<key>ApiKey</key>\n<string>{}</string>",
        '<setting name="Password" serializeAs="String"><value>{}</value></setting>',
        '<Resource username="a" password="{}" />',
        "<bindPassword>{}</bindPassword>",
        "<secretBytes>{{AQAAABAAAAAg{}Yp+3k1bLq7Zx9dkw02kdlwQ8Yp/x1=}}</secretBytes>",
    ],
)
def test_a_secret_in_xml_is_masked_and_its_elements_stay(text: str) -> None:
    masked = DEFAULT_MASKER.mask_text(text.format(SECRET))
    assert SECRET not in masked
    assert masked.count("<") == text.count("<")


@pytest.mark.parametrize("text", ["<password>\n</password>", '<property name="user">ada</property>', "<key>a</key>"])
def test_xml_without_a_secret_stays(text: str) -> None:
    assert DEFAULT_MASKER.mask_text(text) == text


def test_at_most_one_of_two_thousand_lines_of_the_standard_library_is_changed() -> None:
    paths = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))[::4]
    lines = [line for path in paths for line in path.read_text(errors="replace").split("\n") if line.strip()]
    changed = [line for line in lines if DEFAULT_MASKER.mask_text(line) != line]
    assert len(lines) > 10_000
    assert len(changed) <= len(lines) // 2000, changed
