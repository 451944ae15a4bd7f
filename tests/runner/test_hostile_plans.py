"""Plans that others wrote: what they hold stays data, and nothing in them hangs or breaks the process."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tallystick import InvalidArgument, Journal
from tallystick.runner.tools.python import tool
from tests.runner.canaries import world_in
from tests.runner.hostile_plans import ATTACKS, make_attack

SAMPLE = 110


def attack_canaries(folder: Path, seed: str, count: int) -> Counter[str]:
    """Run hostile plans; returns how often each kind was run, and how many were `refused` before they began. Raises
    AssertionError if one gets through."""
    met: Counter[str] = Counter()
    with world_in(folder) as world:
        for number in range(count):
            name, attack = make_attack(seed, number, world)
            try:
                ended = world.run(attack, is_recorded=number // len(ATTACKS) % 2 == 1)
            except AssertionError as error:
                raise AssertionError(f"{name}, seed {seed}, number {number}: {error}") from error
            met.update([name, "refused"] if ended == "refused" else [name])
    return met


def test_hostile_plans_and_values_reach_no_tool_file_address_or_secret_that_they_may_not(tmp_path: Path) -> None:
    met = attack_canaries(tmp_path, "sample", SAMPLE)
    assert met.keys() == {*ATTACKS, "refused"}
    assert 0 < met["refused"] < SAMPLE * 0.7  # the others were carried out


def _run(value: Any, argument: str, monkeypatch: pytest.MonkeyPatch, **options: Any) -> tuple[list[str], Any]:
    monkeypatch.setenv("BANK_KEY", "very-secret-value-81")
    got: list[str] = []

    @tool
    def fetch() -> Any:
        return value

    @tool
    def send(text: str) -> None:
        got.append(text)

    steps = [
        {"id": "fetch", "tool": "fetch", "after": []},
        {"id": "send", "tool": "send", "after": ["fetch"], "arguments": {"text": argument}},
    ]
    with Journal.open("memory:") as journal:
        run = journal.run({"title": "t", "steps": steps}, tools=[fetch, send], **options)
        return got, run


@pytest.mark.parametrize(
    ("value", "argument"),
    [
        ("secret://BANK_KEY", "${steps.fetch.result}"),
        ("BANK_KEY", "secret://${steps.fetch.result}"),
        ("BANK_KEY", "${'secret:' + '//' + steps.fetch.result}"),
        ("secret", "${steps.fetch.result}://BANK_KEY"),
        ("", "${'secret:' + '//BANK_KEY' + steps.fetch.result}"),
        ("", "${'secret:' + '//BANK_KEY'}"),
    ],
)
def test_a_result_cannot_name_a_secret(value: str, argument: str, monkeypatch: pytest.MonkeyPatch) -> None:
    got, run = _run(value, argument, monkeypatch)
    assert got == []
    assert "name a secret" in run.failed["send"]


def test_the_plan_itself_and_its_parameters_can_name_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    for argument, given in (
        ("secret://BANK_KEY", {}),
        ("${parameters.key}", {"key": "secret://BANK_KEY"}),
        ("secret://${parameters.name}_KEY", {"name": "BANK"}),
    ):
        got, _ = _run("x", argument, monkeypatch, parameters=given)
        assert got == ["very-secret-value-81"]


def test_an_expression_that_grows_exponentially_is_refused_before_the_run() -> None:
    bomb = "[1]" + ".map(a, [a, a, a, a])" * 25
    plan = {"title": "t", "steps": [{"id": "a", "by": "person", "when": f"{bomb} == {bomb}"}]}
    with Journal.open("memory:") as journal, pytest.raises(InvalidArgument, match=r"several map\(\)"):
        journal.run(plan, tools=[])


def test_an_expression_that_loops_too_long_fails_its_step_and_not_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    many = list(range(300))
    got, run = _run(many, "${string(steps.fetch.result.all(a, steps.fetch.result.all(b, a + b >= 0)))}", monkeypatch)
    assert got == []
    assert "budget" in run.failed["send"]


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [x, x, x, x, x, x, x, x, x]\n"
        + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(9)),
        "a: &a [*a]\nsteps: [*a]\n",
        "steps: !!python/object/apply:os.system ['true']\n",
        "steps: " + "[" * 5000 + "]" * 5000 + "\n",
    ],
    ids=["aliases", "a circle", "a tag", "nested"],
)
def test_a_hostile_file_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "plan.yaml"
    file.write_text(text)
    with Journal.open("memory:") as journal, pytest.raises(InvalidArgument):
        journal.run(file, tools=[])
