"""A busy sample journal: the same drafts at the same times for every store, without bodies and so without salts."""

import random
from collections.abc import Iterator

from tallystick.core.entries import Draft, Entry
from tallystick.core.types import Outcome
from tests.store.drafts import begin, context, end, end_session, note, open_session, plan, start
from tests.stores import AnyStore, Clock

TOOLS = ("pay", "mail", "copy")
OUTCOMES: tuple[Outcome, ...] = ("ok", "failed", "skipped", "unknown")


def append(store: AnyStore, *drafts: Draft, journal: str = "j") -> list[Entry]:
    """Append drafts in one work."""
    return store.write(journal, lambda ledger: [ledger.append(draft) for draft in drafts])


def record(*stores: AnyStore, clock: Clock, seed: int, works: int) -> None:
    """Record the same random history in each store, in works of one to four entries."""
    chance = random.Random(seed)
    known: dict[str, list[str]] = {"ex": [], "ac": [], "se": []}
    for _ in range(works):
        clock.advance(chance.choice((0, 0.001, 5)))
        drafts = list(_some_drafts(chance, known))
        all_entries = [append(store, *drafts) for store in stores]
        assert all(entries == all_entries[0] for entries in all_entries)
        for entry in all_entries[0]:
            known.setdefault(entry.id[:2], []).append(entry.id)


def _some_drafts(chance: random.Random, known: dict[str, list[str]]) -> Iterator[Draft]:
    yield open_session() if not known["se"] or chance.random() < 0.05 else note()
    session = chance.choice(known["se"] or [""])
    execution = chance.choice(known["ex"] or [""])
    tool = chance.choice(TOOLS)
    for kind in chance.sample(("start", "begin", "end", "plan", "context", "over"), chance.randint(0, 3)):
        if kind == "start":
            yield start(task_id=f"task {chance.randint(1, 3)}", session=session)
        elif kind == "begin":
            yield begin(execution, tool, effect_key=f"e1:{chance.randint(1, 9)}", step="s", session=session)
        elif kind == "end" and known["ac"]:
            yield end(chance.choice(known["ac"]), execution, chance.choice(OUTCOMES), session=session)
        elif kind == "plan":
            yield plan("a", "b", task_id=f"task {chance.randint(1, 3)}")
        elif kind == "context":
            yield context(f"key {chance.randint(1, 9)}", key=f"k{chance.random()}", digest="d")
        elif kind == "over" and chance.random() < 0.1:
            yield end_session(session)
