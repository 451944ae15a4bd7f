"""An agent that awaits: many actions at once, each recorded before it begins and after it ends."""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from tallystick import AsyncJournal


async def main(folder: Path) -> None:
    async with AsyncJournal.open(f"sqlite:///{folder}/journal.db", actor="crawler") as journal:

        @journal.recorded(effect="read")
        async def fetch(page: int) -> int:
            await asyncio.sleep(0)  # a real agent would wait for the network here
            if page == 13:
                raise LookupError("there is no page 13")
            return page * 100

        async with journal.execution("Fetch the pages") as execution:
            # The current execution travels with the context into each of these tasks.
            found = await asyncio.gather(*(fetch(page) for page in range(20)), return_exceptions=True)
            await execution.remember("pages.missing", [13])
            await execution.decide("continue", "one page is missing, and the others are enough")
            await execution.decide("skip", "page 13 does not exist")

        status = await journal.get_status(execution_id=execution.id)
        print(sum(isinstance(each, int) for each in found), "pages fetched;", status.execution.actions)
        assert status.execution.actions == {"ok": 19, "failed": 1}
        assert status.execution.status == "completed"


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        asyncio.run(main(Path(folder)))
