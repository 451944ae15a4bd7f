"""The installed hook: a bundle of modules, run by a bare interpreter, with a spool of its own."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tallystick.capture.setup import hook_bundle
from tallystick.capture.spool import file as spool_file

TIMEOUT_SECONDS = 60
"""How long to wait for the hook before the test fails."""


class Answer(NamedTuple):
    code: int
    output: str
    errors: str

    @property
    def message(self) -> Any:
        """The output as JSON; None if there is none."""
        return json.loads(self.output) if self.output else None


class Hook:
    """One installed hook, for one journal."""

    def __init__(self, run: Path, folder: Path) -> None:
        self.run = run
        self.folder = folder
        self.env = {"TALLYSTICK_SPOOL": str(folder / "spool"), "TALLYSTICK_JOURNAL": "journal"}

    @property
    def spool(self) -> str:
        return spool_file.path(self.env["TALLYSTICK_SPOOL"], "journal")

    def send(
        self,
        arguments: list[str],
        hook_input: bytes | dict[str, Any],
        limit: Callable[[], None] | None = None,
        env: dict[str, str] | None = None,
    ) -> Answer:
        """Run it with one event."""
        done = subprocess.run(
            [hook_bundle.base_python(), "-I", "-S", str(self.run), *arguments],
            input=hook_input if isinstance(hook_input, bytes) else json.dumps(hook_input).encode(),
            env={**self.env, **(env or {})},
            cwd=self.folder,
            capture_output=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
            preexec_fn=limit,
        )
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())

    def records(self) -> list[dict[str, Any]]:
        """Its spool records; none is torn."""
        found = spool_file.read(self.spool)
        assert found.torn == []
        return found.records

    def bytes_on_disk(self) -> bytes:
        """Everything in the spool's folder."""
        spool_path = self.env["TALLYSTICK_SPOOL"]
        return b"\n".join(Path(spool_path, name).read_bytes() for name in sorted(os.listdir(spool_path)))
