"""Whose secret it is: looked up each time, so that one who was revoked is out at once."""

from anyio import CapacityLimiter, to_thread

from tallystick.calls import Local
from tallystick.operations.access import Access, identify

AT_ONCE = 16
"""How many are looked up at the same time, in threads: a store may be slow, or away."""


class Identifying:
    """Looks credentials up in a store."""

    def __init__(self, caller: Local) -> None:
        self._store = caller.desk.store
        self._threads: CapacityLimiter | None = None

    async def __call__(self, secret: str) -> Access | None:
        """What it grants; None when it is nobody's, or nobody's any more. StorageUnavailable when nobody can tell."""
        if self._threads is None:
            self._threads = CapacityLimiter(AT_ONCE)  # it belongs to an event loop
        return await to_thread.run_sync(identify, self._store, secret, limiter=self._threads)
