"""A store that cannot be opened yet: whoever asks it for something tries again, and is told why that fails."""

from collections.abc import Callable
from threading import RLock
from typing import Any

from tallystick.core.errors import StorageUnavailable
from tallystick.store.port import Store


class LateStore:
    """The store itself, from the moment it can be opened."""

    def __init__(self, opened: Callable[[], Store]) -> None:
        self._opened = opened
        self._opening = RLock()
        self._store: Store | None = None

    def is_free(self) -> bool:
        """Nobody else is to be waited for where it cannot be opened."""
        try:
            return self._now().is_free()
        except StorageUnavailable:
            return True

    def close(self) -> None:
        if self._store is not None:
            self._store.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._now(), name)

    def _now(self) -> Store:
        with self._opening:  # threads that come at the same time are to have the same one
            self._store = self._store or self._opened()
            return self._store
