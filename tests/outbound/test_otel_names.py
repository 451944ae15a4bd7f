"""Names and values are those of the conventions, as far as the package of the conventions has them."""

import importlib
from enum import Enum
from pathlib import Path

from opentelemetry.semconv import schemas

from tallystick.outbound.otel import names
from tallystick.outbound.otel.totals import METRICS

# In the GenAI repository only: the package has what was there before the conventions moved, up to 1.41.
NEWER_METRICS = {names.TOOL_DURATION, names.AGENT_DURATION, names.WORKFLOW_DURATION}
NEWER_OPERATIONS = {names.PLAN}
SDK_SPECIFICATION = {names.OVERFLOW}


def _texts() -> set[str]:
    """All constants and enumeration values of the package."""
    found: set[str] = set()
    root = Path(schemas.__file__).parent
    for path in root.rglob("*.py"):
        module = importlib.import_module(
            ".".join(("opentelemetry.semconv", *path.relative_to(root).with_suffix("").parts))
        )
        for value in vars(module).values():
            if isinstance(value, str):
                found.add(value)
            elif isinstance(value, type) and issubclass(value, Enum):
                found.update(member.value for member in value if isinstance(member.value, str))
    return found


def test_every_name_is_of_the_conventions_or_in_our_own_namespace() -> None:
    ours = {value for name, value in vars(names).items() if name.isupper() and isinstance(value, str)}
    others = {value for value in ours if not value.startswith(names.PREFIX)}
    others -= {names.GENAI_SCHEMA, names.GENERAL_CONVENTIONS, names.IN_DOUBT}
    assert others - _texts() == NEWER_METRICS | NEWER_OPERATIONS | SDK_SPECIFICATION


def test_the_version_of_the_conventions_is_one_that_the_package_knows() -> None:
    assert names.GENERAL_CONVENTIONS in {schema.value.rpartition("/")[2] for schema in schemas.Schemas}


def test_every_metric_is_described() -> None:
    metrics = {value for value in vars(names).values() if isinstance(value, str) and value in METRICS}
    assert metrics == set(METRICS)
    assert metrics >= NEWER_METRICS
