"""A hook that is killed at any point leaves a whole record or a torn one; the next record is whole."""

import signal
import subprocess
from pathlib import Path

from tallystick.capture.setup import hook_bundle
from tallystick.capture.spool import file as spool_file
from tests.capture.hook.events import encoded
from tests.capture.hook.installed_hook import Hook

KILLED = Path(__file__).parent / "killed.py"


def test_a_hook_killed_at_any_point_leaves_a_whole_record_or_a_torn_one_that_is_kept_apart(hook: Hook) -> None:
    spool_file.replace_file(spool_file.sibling(hook.spool, "key"), b"6b" * 32)
    points = whole = torn = 0
    while True:
        before = len(hook.records())
        code = _killed(hook, points + 1)
        found = spool_file.read(hook.spool)
        whole += len(found.records) - before
        torn += len(found.torn)
        assert len(found.records) in (before, before + 1)
        assert not found.torn or len(found.records) == before
        if code == 0:
            break
        assert code == -signal.SIGKILL
        points += 1
        assert hook.send(["claude-code"], encoded("claude-code", "PreToolUse", number=points)).errors == ""
        found = spool_file.read(hook.spool)
        assert found.records[-1]["payload"]["number"] == points
        assert spool_file.clear(hook.spool, found.mark)
    assert points > 9
    assert whole > 1  # killed after the record was written, before the answer
    assert torn == 1
    assert len(Path(spool_file.sibling(hook.spool, "torn")).read_bytes().splitlines()) == 1


def test_a_hook_killed_before_its_answer_and_run_again_gives_two_records_with_two_ids(hook: Hook) -> None:
    """The drain recognises one call by the client's id; the spool keeps both records."""
    for _ in range(2):
        hook.send(["claude-code"], encoded("claude-code", "PreToolUse"))
    assert len({record["id"] for record in hook.records()}) == 2


def _killed(hook: Hook, at: int) -> int:
    command = [hook_bundle.base_python(), "-I", "-S", str(KILLED), str(at), str(hook.run), "claude-code"]
    hook_input = encoded("claude-code", "PreToolUse", number=0)
    return subprocess.run(command, input=hook_input, env=hook.env, capture_output=True, check=False).returncode
