"""`python -m tools.reference` writes the generated documents; with `--check` it only compares them."""

import json
import sys
from pathlib import Path

from tallystick.outbound.webhooks.examples import example_messages, message_schema
from tallystick.runner.plan_files import plan_schema
from tools import command_pages, generated_parts, mcp_pages, reference_pages, server_json

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "reference"


def expected_files() -> dict[Path, str]:
    """Return every generated file with its expected content."""
    return {
        FOLDER / "README.md": reference_pages.index(),
        FOLDER / "operations.md": reference_pages.operations(),
        FOLDER / "values.md": reference_pages.values(),
        FOLDER / "entries.md": reference_pages.entry_kinds(),
        FOLDER / "errors.md": reference_pages.error_codes(),
        FOLDER / "settings.md": reference_pages.environment_variables(),
        FOLDER / "commands.md": command_pages.page(),
        FOLDER / "tools.md": mcp_pages.page(),
        FOLDER / "plan.schema.json": json.dumps(plan_schema(), indent=2) + "\n",
        FOLDER / "webhook.schema.json": json.dumps(message_schema(), indent=2) + "\n",
        FOLDER / "webhook.examples.json": json.dumps(example_messages(), indent=2) + "\n",
        **generated_parts.documents(),
        ROOT / "server.json": server_json.page(),
    }


def stale() -> list[str]:
    """Return generated files that differ from what is expected, and files in the folder that nothing generates."""
    expected = expected_files()
    differing = [path for path, text in expected.items() if not path.exists() or path.read_text() != text]
    return [str(path.relative_to(ROOT)) for path in [*differing, *(set(FOLDER.iterdir()) - expected.keys())]]


def main(arguments: list[str]) -> int:
    if arguments == ["--check"]:
        for name in (names := stale()):
            print(f"{name} is not current: run `make reference`", file=sys.stderr)
        return 1 if names else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path, text in expected_files().items():
        path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
