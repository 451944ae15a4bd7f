"""Wrong plans fail before the first effect, with the place and what is allowed there."""

from collections import Counter
from random import Random

import pytest

from tallystick import InvalidArgument, Journal
from tallystick.runner.checks import check_file
from tests.runner.sale_tools import CALLS, tools
from tests.runner.wrong_plans import MUTATIONS, WrongPlan, good_plan, wrong_plan

SAMPLE = 150


def assert_refused(wrong: WrongPlan, journal: Journal) -> None:
    """The plan is refused, with the place and a fix; nothing was called or recorded."""
    registry = tools()
    found = check_file(wrong.plan, registry, wrong.parameters)
    assert found, f"{wrong.mutation} is not found: {wrong}"
    assert [each for each in found if each.place.startswith(wrong.places)], f"{wrong.mutation}: {found}"
    assert all(each.fix or "expected" in each.message for each in found), f"{wrong.mutation}: {found}"
    with pytest.raises(InvalidArgument) as caught:
        journal.run(wrong.plan, tools=registry, parameters=wrong.parameters)
    assert caught.value.field == found[0].place, wrong.mutation
    assert found[0].place in str(caught.value), wrong.mutation


def refuse_plans(seed: str, count: int) -> Counter[str]:
    """Run wrong plans; returns how many were refused, by mutation."""
    CALLS.clear()
    met: Counter[str] = Counter()
    with Journal.open("memory:") as journal:
        for number in range(count):
            wrong = wrong_plan(seed, number)
            assert_refused(wrong, journal)
            met[wrong.mutation] += 1
        assert journal.list_executions().executions == ()
        assert journal.list_plans().plans == ()
    assert CALLS == []
    return met


def test_a_good_plan_made_at_random_has_no_problems() -> None:
    for number in range(50):
        assert check_file(good_plan(Random(number)), tools(), {"order": "o", "limit": 5}) == ()


def test_wrong_plans_are_refused_before_anything_is_recorded_or_called() -> None:
    assert refuse_plans("sample", SAMPLE).keys() == MUTATIONS.keys()
