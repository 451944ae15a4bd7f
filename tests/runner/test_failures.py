"""What follows from a step that failed for good: by the mode of unwinding, the failure policy and a person's answer."""

from typing import Any

import pytest

from tallystick import Journal
from tallystick.runner.tools.registry import Policy
from tests.runner.test_unwinding import World, answer, person, question, step

__all__ = ["person"]


def failing(policy: str, **more: Any) -> list[dict[str, Any]]:
    """A plan in which `b` fails, `c` depends on it, and `d` does not."""
    return [
        step("a", after=[]),
        step("b", after=["a"], failure_policy=policy, priority=1, **more),
        step("c", after=["b"]),
        step("d", after=["a"]),
    ]


def run(journal: Journal, world: World, steps: list[dict[str, Any]], **options: Any) -> Any:
    policy = options.pop("policy", None)
    plan = {"title": "t", "steps": steps, **options.pop("plan", {})}
    return journal.run(plan, tools=world.tools(), policy=policy, key="k", at_once=1, **options)


@pytest.mark.parametrize("policy", ["cancel_all", "cancel_dependent", "continue_others", "manual_decision"])
def test_a_failure_unwinds_what_was_done_once_nothing_else_can_go_on(journal: Journal, policy: str) -> None:
    world = World()
    world.say["b"] = ["not_done"]
    done = run(journal, world, failing(policy), unwind="on-failure")
    assert world.log == (["a", "b", "-a"] if policy == "cancel_all" else ["a", "b", "d", "-d", "-a"])
    assert done.status == "cancelled"
    (decided,) = [entry for entry in done if entry.facts.get("decision") == "unwind"]
    assert decided.actor_kind == "runner"
    assert "b (not_done: not_done on purpose)" in decided.body["why"]
    assert "on purpose" in done.failed["b"]


def test_by_default_nothing_is_unwound(journal: Journal) -> None:
    world = World()
    world.say["b"] = ["not_done"]
    done = run(journal, world, failing("cancel_all"))
    assert world.log == ["a", "b"]
    assert (done.status, [item.step for item in done.owed]) == ("failed", ["a"])


@pytest.mark.parametrize(
    ("call", "plan", "policy", "unwinds"),
    [
        ("on-failure", None, "never", True),
        (None, "on-failure", "never", True),
        (None, None, "on-failure", True),
        ("never", "on-failure", "on-failure", False),
        (None, "never", "on-failure", False),
    ],
)
def test_the_call_goes_before_the_plan_and_the_plan_before_the_policy(
    journal: Journal, call: Any, plan: Any, policy: Any, unwinds: bool
) -> None:
    world = World()
    world.say["b"] = ["not_done"]
    given = {"plan": {"unwind": plan} if plan else {}, "policy": Policy(unwind=policy), "unwind": call}
    done = run(journal, world, failing("cancel_all"), **given)
    assert done.status == ("cancelled" if unwinds else "failed")


def test_a_step_that_failed_and_may_have_had_an_effect_is_asked_about(journal: Journal) -> None:
    world = World()
    world.say["b"] = ["failed"]
    done = run(journal, world, failing("cancel_all"), unwind="on-failure")
    assert world.log == ["a", "b", "-a"]
    assert (done.status, set(done.waiting)) == ("unwinding", {"unwinding"})
    assert "b: it failed: look whether it had an effect" in question(journal, done).question


@pytest.mark.parametrize("policy", ["cancel_all", "continue_others"])
def test_only_cancel_all_unwinds_while_another_step_is_held(journal: Journal, policy: str) -> None:
    world = World()
    world.say.update(a=["lost"], b=["not_done"])
    steps = [step("a", after=[], priority=1), step("b", after=[], failure_policy=policy), step("c", after=["a"])]
    done = run(journal, world, steps, unwind="on-failure")
    assert done.status == ("unwinding" if policy == "cancel_all" else "running")
    assert set(done.held) == ({"undo of a"} if policy == "cancel_all" else {"a"})
    (doubt,) = journal.list_in_doubt().in_doubt
    settled: dict[str, Any] = {"outcome": "failed", "without_effect": True, "evidence": "looked"}
    journal.record_decision(decision="settle", action_id=doubt.action_id, **settled)
    assert run(journal, world, steps, unwind="on-failure").status == "cancelled"


@pytest.mark.parametrize("word", ["retry", "skip", "unwind", "stop"])
def test_a_person_is_asked_once_about_a_failure_and_the_answer_is_carried_out(
    journal: Journal, person: Journal, word: str
) -> None:
    world = World()
    world.say["b"] = ["not_done"]
    done = run(journal, world, failing("manual_decision"), unwind="ask")
    assert (done.status, set(done.waiting)) == ("blocked", {"failure"})
    assert question(journal, done).options == ("retry", "skip", "unwind", "stop")
    assert "b: not_done: not_done on purpose" in question(journal, done).question
    run(journal, world, failing("manual_decision"), unwind="ask")
    answer(person, done, word)
    done = run(journal, world, failing("manual_decision"), unwind="ask")
    after = {"retry": ["b", "c"], "skip": ["c"], "unwind": ["-d", "-a"], "stop": []}
    assert world.log == ["a", "b", "d", *after[word]]
    assert done.status == ("completed" if word in ("retry", "skip") else "cancelled")
    assert len(journal.list_approvals(execution_id=done.id).approvals) == 1


def test_a_step_that_fails_again_is_asked_about_again(journal: Journal, person: Journal) -> None:
    world = World()
    world.say["b"] = ["not_done", "not_done"]
    done = run(journal, world, failing("cancel_all"), unwind="ask")
    assert world.log == ["a", "b"]
    answer(person, done, "retry")
    run(journal, world, failing("cancel_all"), unwind="ask")
    assert world.log == ["a", "b", "b"]
    answer(person, done, "unwind")
    assert run(journal, world, failing("cancel_all"), unwind="ask").status == "cancelled"


def test_a_rejected_question_about_a_failure_is_left_to_a_decision(journal: Journal, person: Journal) -> None:
    world = World()
    world.say["b"] = ["not_done"]
    done = run(journal, world, failing("cancel_all"), unwind="ask")
    person.decide_approval(approval_id=question(person, done).id, verdict="reject", reason="let me think")
    done = run(journal, world, failing("cancel_all"), unwind="ask")
    assert "let me think" in done.waiting["failure"]
    assert len(journal.list_approvals(execution_id=done.id).approvals) == 1
    journal.record_decision(execution_id=done.id, decision="skip", step="b", why="not needed")
    assert run(journal, world, failing("cancel_all"), unwind="ask").status == "completed"


@pytest.mark.parametrize("mode", ["never", "on-failure", "ask"])
def test_what_is_temporary_is_put_back_in_the_end_if_the_run_may_undo(journal: Journal, mode: str) -> None:
    world = World()
    steps = [
        step("lock", after=[], temporary=True),
        step("page", after=["lock"], temporary=True),
        step("work", after=["page"]),
        {**step("unpage", after=["work"], undoes="page"), "tool": "unmake", "arguments": {"name": "page"}},
    ]
    done = run(journal, world, steps, unwind=mode)
    assert done.status == "completed"
    assert world.log == ["lock", "page", "work", "-page", *(() if mode == "never" else ("-lock",))]
    assert [item.step for item in done.owed] == (["lock"] if mode == "never" else [])


def test_a_temporary_step_that_cannot_be_put_back_is_owed_and_one_in_doubt_is_held(journal: Journal) -> None:
    world = World()
    world.say["-lock"] = ["failed"]
    done = run(journal, world, [step("lock", after=[], temporary=True)], unwind="on-failure")
    assert (done.status, [item.step for item in done.owed]) == ("completed", ["lock"])
    world.say["-page"] = ["lost"]
    plan = {"title": "t", "steps": [step("page", temporary=True)]}
    held = journal.run(plan, tools=world.tools(), key="other", unwind="on-failure")
    assert (held.status, set(held.held)) == ("running", {"undo of page"})
    assert journal.run(plan, tools=world.tools(), key="other", unwind="on-failure").status == "running"
    assert world.log.count("-page") == 1
