"""The cost of masking: time that is linear in the text, and few modules of the standard library."""

import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tallystick.capture.setup.hook_bundle import MODULES
from tests.core.secret_fragments import SLOW_UNITS

ROOT = Path(__file__).parents[2]


def test_no_pattern_takes_more_than_linear_time() -> None:
    _run_alone("""
        from tallystick.core.redaction import assignments, commands, encoded, prefilter, prefixed_tokens, token_formats
        from tallystick.core.redaction.prefilter import rx
        from tests.core.secret_fragments import adversaries
        sources = [row[2] for row in (*token_formats.TOKEN_FORMATS, *assignments.CONTEXT_RULES)]
        sources += [row[1] for row in assignments.VALUE_SITES]
        for text in adversaries(8_000):
            others = (*prefilter.ANCHORS, *commands.COMMAND_SOURCES, *commands.SET_VALUE_SOURCES, *encoded.PATTERNS)
            others = (*others, prefilter.IN_RUN, prefilter.TAIL, prefilter.GLUED, *prefixed_tokens.PATTERNS)
            for source in (*sources, *others, assignments._BARE, assignments._ASSIGNED):
                sum(1 for _ in rx(source).finditer(text))
    """)


@pytest.mark.parametrize("unit", SLOW_UNITS)
def test_a_megabyte_that_was_made_to_be_slow_is_masked(unit: str) -> None:
    _run_alone(f"""
        from tallystick.core.redaction.masker import DEFAULT_MASKER
        DEFAULT_MASKER.mask_text({unit!r} * (1_000_000 // {len(unit)}))
    """)


def test_the_masker_works_on_the_standard_library_and_little_of_it(tmp_path: Path) -> None:
    for module in MODULES:
        if module.startswith("core."):
            name = f"tallystick/{module.replace('.', '/')}.py"
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "src" / name, tmp_path / name)
    code = (
        "import sys; from tallystick.core.redaction import masker; "
        "print(masker.DEFAULT_MASKER.mask({'token': 'abc'}), sorted(sys.modules))"
    )
    alone = [sys.executable, "-S", "-E", "-c", code]
    done = subprocess.run(alone, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "{'token': '[masked:token]'}" in done.stdout
    assert not [name for name in ("msgspec", "typing", "json", "dataclasses") if f"'{name}'" in done.stdout]


def _run_alone(code: str) -> None:
    """In a process that is killed after a minute. Linear takes seconds; quadratic, on a megabyte, would take hours."""
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], cwd=ROOT, check=True, timeout=60)
