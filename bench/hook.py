"""The installed hook at a tool call, compared with the start of a bare interpreter.

The hook runs from its bundle, with the interpreter that the environment was made from, `-I -S`. It reads, masks,
appends to the spool, synchronises and answers; the bare interpreter does nothing.
"""

from __future__ import annotations

import json
import sysconfig
from pathlib import Path

from bench.figure import Aim, Bench, Figure
from bench.rounds import interleave, ratio, run_program, spread
from tallystick.capture.setup import hook_bundle
from tallystick.capture.spool import file as spool_file

AIM = Aim(bound=2.5)
FILE_BYTES = 20 << 10


def figures(bench: Bench) -> list[Figure]:
    run = hook_bundle.write(bench.folder / "hook", ["tallystick"])
    env = {"TALLYSTICK_SPOOL": str(bench.folder / "spool"), "TALLYSTICK_JOURNAL": "bench"}
    spool_file.replace_file(spool_file.sibling(spool_file.path(env["TALLYSTICK_SPOOL"], "bench"), "key"), b"6b" * 32)
    python = hook_bundle.base_python()
    hook = [python, "-I", "-S", str(run), "claude-code"]
    turns = {
        "bare": run_program([python, "-I", "-S", "-c", "pass"], b"", env),
        "small": run_program(hook, _call("Bash", {"command": "git status && ls -la src", "description": "Look"}), env),
        "large": run_program(hook, _call("Write", {"file_path": "client.py", "content": _code()}), env),
    }
    for turn in turns.values():
        turn()
    samples = interleave(turns, bench.amount(60, 10))
    small, large = ratio(samples, "small", "bare"), ratio(samples, "large", "bare")
    bare = spread([1000 * seconds for seconds in samples["bare"]])
    return [
        Figure(
            "hook.small",
            "Hook on a small shell call, compared with the start of a bare interpreter",
            small.median,
            aim=AIM,
            low=small.low,
            high=small.high,
            notes=f"a bare interpreter, -I -S, starts and ends in {bare.median:.1f} ms here",
        ),
        Figure(
            "hook.large",
            "Hook on writing a file of 20 KiB, compared with the start of a bare interpreter",
            large.median,
            aim=AIM,
            low=large.low,
            high=large.high,
            notes="the file is code that speaks of passwords and tokens, so that the masker looks closely",
        ),
    ]


def _code() -> str:
    """Ordinary code about secrets that contains none."""
    return (Path(sysconfig.get_path("stdlib")) / "smtplib.py").read_text(encoding="utf-8")[:FILE_BYTES]


def _call(tool: str, arguments: dict[str, str]) -> bytes:
    payload = {
        "session_id": "6f0c7f0e-2f0c-4b52-9d5c-0d6c2a3f1c11",
        "transcript_path": "/tmp/transcript.jsonl",
        "cwd": "/tmp",
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": arguments,
        "tool_use_id": "toolu_01Hq",
    }
    return json.dumps(payload).encode()
