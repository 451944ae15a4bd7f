"""An interrupt (Ctrl-C, a timeout by a signal) in the middle of a record leaves a journal that works."""

import subprocess
import sys
from threading import Thread

import pytest

from tallystick.store import liveness, notifications
from tests.store.interrupted_writer import JOURNAL
from tests.stores import Home


@pytest.mark.parametrize(("threads", "kind"), [(0, "interrupt"), (2, "interrupt"), (2, "timeout")])
def test_a_process_that_is_interrupted_again_and_again_goes_on(shared_home: Home, threads: int, kind: str) -> None:
    interrupts = 400 if threads == 0 else 100
    command = [
        sys.executable,
        "-m",
        "tests.store.interrupted_writer",
        shared_home.url,
        str(interrupts),
        "1",
        str(threads),
        kind,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout.strip(), done.stderr) == (str(interrupts), "")
    store = shared_home.open()
    stored = store.stored_entries(JOURNAL, after=0, limit=100_000)
    bodies = [each.body for each in stored]
    assert [each.seq for each in stored] == [*range(1, len(stored) + 1)]
    assert bodies.count('"healthy"') >= interrupts
    assert bodies.count('"first"') == 1


class InterruptedThread(Thread):
    """A thread during whose start somebody presses Ctrl-C."""

    def start(self) -> None:
        raise KeyboardInterrupt


def test_an_interrupt_while_a_thread_is_started_does_not_keep_the_store_from_closing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(notifications, "Thread", InterruptedThread)
    monkeypatch.setattr(liveness, "Thread", InterruptedThread)
    notifier = notifications.ChangeNotifier(lambda stop: None)
    with pytest.raises(KeyboardInterrupt):
        notifier.wait(lambda: 0, after=0, seconds=60)
    notifier.close()
    heartbeat = liveness.Heartbeat(lambda *lease: False)
    with pytest.raises(KeyboardInterrupt):
        heartbeat.keep("j", "se_1", 1, 60.0)
    heartbeat.close()
