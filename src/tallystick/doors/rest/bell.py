"""Wakes many who wait, a few at a time, so that whoever asks for something meanwhile is served in between."""

import asyncio

AT_ONCE = 8
"""Streams that are told before others have their turn: about a millisecond."""


class Bell:
    """Rung when there is news. Who waits then is woken; who waits again after that waits for the next."""

    def __init__(self) -> None:
        self._waiting: dict[asyncio.Future[None], None] = {}
        self._rung = False
        self._ringing: asyncio.Task[None] | None = None

    async def heard(self) -> None:
        """Until it is rung."""
        future = asyncio.get_running_loop().create_future()
        self._waiting[future] = None
        try:
            await future
        finally:
            self._waiting.pop(future, None)

    def ring(self) -> None:
        self._rung = True
        if self._ringing is None:
            self._ringing = asyncio.get_running_loop().create_task(self._ring())

    def stop(self) -> None:
        if self._ringing is not None:
            self._ringing.cancel()
            self._ringing = None

    async def _ring(self) -> None:
        while self._rung:
            self._rung = False
            woken, self._waiting = list(self._waiting), {}
            for place in range(0, len(woken), AT_ONCE):
                for each in woken[place : place + AT_ONCE]:
                    if not each.done():
                        each.set_result(None)
                await asyncio.sleep(0)
        self._ringing = None
