"""Good plans made at random, and mutations of them: each mistake can be known before the first effect."""

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

from msgspec import Struct

from tests.runner.sale_tools import PARAMETERS

Places = tuple[str, ...]
"""The beginnings of the places, one of which an error has to name."""
SCHEMA = {
    "type": "object",
    "required": ["order", "limit"],
    "properties": {
        "order": {"type": "string"},
        "limit": {"type": "integer", "minimum": 0},
        "fast": {"type": "boolean", "default": False},
        "names": {"type": "array", "items": {"type": "string"}, "default": []},
    },
}


class WrongPlan(Struct, frozen=True, kw_only=True):
    """A plan with one mistake, and the parameters of its run."""

    mutation: str
    places: Places
    plan: dict[str, Any]
    parameters: dict[str, Any]


# ----------------------------------------------------------------------------------------------------------------------
# Good plans


def good_plan(random: Random) -> dict[str, Any]:
    """A plan without a mistake: a price first, then steps that refer to it and come after some others."""
    steps: list[dict[str, Any]] = [
        {"id": "s0", "tool": "quote", "arguments": {"order": "${parameters.order}"}, "after": []}
    ]
    for number in range(1, random.randint(4, 9)):
        earlier = [f"s{each}" for each in range(1, number)]
        after = ["s0", *random.sample(earlier, random.randint(0, min(2, len(earlier))))]
        steps.append({"id": f"s{number}", "after": after, **random.choice(_KINDS)(random)})
    for kind in (_charge, _each, _line):  # so that every mutation has something to change
        after = [random.choice(steps)["id"]]
        steps.append({"id": f"s{len(steps)}", "after": list(dict.fromkeys(["s0", *after])), **kind(random)})
    return {"title": "Sell", "parameters": deepcopy(SCHEMA), "steps": steps}


def _charge(random: Random) -> dict[str, Any]:
    return {
        "tool": "charge",
        "arguments": {"order": "${parameters.order}", "amount": "${steps.s0.result.total}", "options": {"a": 1}},
        "when": "steps.s0.result.total < parameters.limit",
        "undo": {"tool": "refund", "arguments": {"charge": "${result.id}", "reason": "for ${arguments.order}"}},
        "probe": {"tool": "quote", "arguments": {"order": "${arguments.order}"}},
        "retry": random.choice([2, {"attempts": 3, "on": ["transient"]}]),
        "timeout": 30,
        "priority": random.randint(-5, 5),
    }


def _tell(random: Random) -> dict[str, Any]:
    text = random.choice(["plain", "${steps.s0.result.currency}", "at ${steps.s0.result.lines[0]}, ${context.place}"])
    return {"tool": "announce", "arguments": {"text": text}, "effect": "idempotent", "estimate": 5}


def _each(random: Random) -> dict[str, Any]:
    given = random.choice(["${steps.s0.result.lines}", "${parameters.names}", ["a", "b"]])
    return {"tool": "announce", "for_each": given, "arguments": {"text": "${item} ${index}"}, "when": "index < 9"}


def _line(random: Random) -> dict[str, Any]:
    command = random.choice(['echo ${parameters.order} "${steps.s0.result.total}"', ["echo", "${parameters.order}"]])
    return {"tool": "shell", "arguments": {"command": command}, "failure_policy": "cancel_all"}


def _request(random: Random) -> dict[str, Any]:
    url = "https://example.org/orders/${parameters.order}"
    return {"tool": "http", "arguments": {"url": url, "method": "POST", "json": {"n": "${steps.s0.result.total}"}}}


def _lock(random: Random) -> dict[str, Any]:
    return {"tool": "announce", "arguments": {"text": "lock"}, "temporary": True, "undo": "unlock it"}


def _person(random: Random) -> dict[str, Any]:
    return {"by": random.choice(["agent", "person"]), "title": "Look", "when": "steps.s0.result.total > 0"}


_KINDS = (_charge, _tell, _each, _line, _request, _lock, _person)


# ----------------------------------------------------------------------------------------------------------------------
# Mutations


class Draft:
    """A good plan that is being made wrong."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.plan = good_plan(random)
        self.parameters: dict[str, Any] = {"order": PARAMETERS["order"], "limit": PARAMETERS["limit"]}

    @property
    def steps(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.plan["steps"]
        return found

    def step(self, tool: str = "", field: str = "") -> dict[str, Any]:
        """A step for the runner at random, of a tool and with a field."""
        fitting = [
            each for each in self.steps if tool in ("", each.get("tool")) and field in ("", *each) and "tool" in each
        ]
        return self.random.choice(fitting)

    def places(self, step: dict[str, Any], rest: str) -> Places:
        """The place of a part of a step, by its number and by its id."""
        return f"steps[{self.steps.index(step)}].{rest}", f"steps.{step['id']}.{rest}"

    def put(self, step: dict[str, Any], name: str, value: Any) -> Places:
        """Change a field, or a field of a field, and return its places."""
        inner, _, last = name.rpartition(".")
        found = step
        for part in inner.split(".") if inner else ():
            found = found[part]
        found[last] = value
        return self.places(step, name)

    def misspell(self, word: str) -> str:
        """The word with two letters exchanged, or one left out."""
        at = self.random.randrange(len(word) - 1)
        other = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        return other if other != word and self.random.random() < 0.5 else word[:at] + word[at + 1 :]


Mutation = Callable[[Draft], Places]
MUTATIONS: dict[str, Mutation] = {}


def mutation(function: Mutation) -> Mutation:
    MUTATIONS[function.__name__] = function
    return function


def wrong_plan(seed: str, number: int) -> WrongPlan:
    """A plan with one mistake; the mutations take turns."""
    draft = Draft(Random(f"{seed}/{number}"))
    name = sorted(MUTATIONS)[number % len(MUTATIONS)]
    places = MUTATIONS[name](draft)
    return WrongPlan(mutation=name, places=places, plan=draft.plan, parameters=draft.parameters)


# Fields

STEP_FIELDS = ("arguments", "after", "retry", "timeout", "priority", "undo", "probe", "when", "for_each", "effect")
WRONG_TYPES: dict[str, tuple[Any, ...]] = {
    "id": (5, "", ["a"], None, "x" * 201),
    "title": ("", 5, ["a"], "x" * 2001),
    "tool": (5, None, ["shell"], {"name": "shell"}, "x" * 201),
    "arguments": ([], "x", None, 5),
    "after": ("s0", {"s0": True}, 5, [1], [["s0"]], [""]),
    "undo": (5, [], {"tol": "refund"}, {"tool": 5}, {"arguments": []}),
    "undo_until": (5, ["1h"], None),
    "needs_approval": ("yes", 1, None),
    "failure_policy": ("stop", 5, {"action": "stop"}, {"why": "x"}, ["cancel_all"], None),
    "effect": ("reading", 5, None, "Read"),
    "probe": (5, [], {"name": "quote"}),
    "estimate": ("5", -1, [5], 4e9),
    "temporary": ("yes", 1, None),
    "undoes": (5, ["s0"], None),
    "by": ("robot", 5, None, "Person"),
    "when": (True, 5, ["true"], None, "true || " * 300 + "true"),
    "for_each": (5, {"a": 1}, None, True),
    "priority": ("high", 1.5, 1001, -1001, None),
    "resource": (5, ["bank"], None),
    "timeout": ("5", -1, 0, True, 4e9),
    "retry": (0, -1, 1001, "3", 2.5, True, {"attempts": 0}, {"tries": 3}, {"on": ["never"]}, {"backoff": -1}, [3]),
    "cancellable": ("maybe", 5, None),
}


@mutation
def a_field_of_the_plan_is_misspelt(draft: Draft) -> Places:
    field = draft.random.choice(sorted(draft.plan))
    other = draft.misspell(field)
    draft.plan[other] = draft.plan.pop(field)
    return (other, "steps")


@mutation
def a_field_of_a_step_is_misspelt(draft: Draft) -> Places:
    step = draft.step()
    field = draft.random.choice([name for name in step if name in STEP_FIELDS])
    other = draft.misspell(field)
    step[other] = step.pop(field)
    return draft.places(step, other)


@mutation
def a_field_is_of_a_wrong_type_or_out_of_its_bounds(draft: Draft) -> Places:
    field = draft.random.choice(sorted(WRONG_TYPES))
    return draft.put(draft.step(), field, draft.random.choice(WRONG_TYPES[field]))


@mutation
def the_plan_has_no_list_of_steps(draft: Draft) -> Places:
    draft.plan["steps"] = draft.random.choice([[], None, {}, "s0", {"s0": draft.steps[0]}])
    return ("steps",)


@mutation
def a_step_is_no_object(draft: Draft) -> Places:
    steps: list[Any] = draft.steps
    steps.insert(draft.random.randrange(len(steps)), draft.random.choice(["shell", 5, None, []]))
    return ("steps",)


@mutation
def a_field_of_the_plan_is_of_a_wrong_type(draft: Draft) -> Places:
    field, wrong = draft.random.choice(
        [("title", 5), ("goal", []), ("unwind", "always"), ("unwind", True), ("parameters", []), ("task_id", 17)]
    )
    draft.plan[field] = wrong
    return (field,)


# The order


@mutation
def two_steps_have_one_id(draft: Draft) -> Places:
    draft.step()["id"] = "s1"
    draft.steps[0]["id"] = "s1"
    return ("steps",)


@mutation
def a_step_comes_after_an_unknown_one(draft: Draft) -> Places:
    return draft.put(draft.step(), "after", ["s0", draft.random.choice(["s99", "S0", "s0 ", "0"])])


@mutation
def steps_wait_for_each_other(draft: Draft) -> Places:
    draft.steps[0]["after"] = [draft.random.choice(draft.steps)["id"]]
    return ("steps",)


@mutation
def a_step_that_others_name_is_left_out(draft: Draft) -> Places:
    draft.steps.pop(0)
    return ("steps",)


@mutation
def a_step_undoes_an_unknown_one(draft: Draft) -> Places:
    step = draft.step()
    return draft.put(step, "undoes", draft.random.choice(["s99", step["id"]]))


@mutation
def a_policy_names_an_unknown_step(draft: Draft) -> Places:
    return draft.put(draft.step(), "failure_policy", {"action": "cancel_dependent", "propagate_to": ["s99"]})


# Tools and arguments


@mutation
def a_tool_is_unknown(draft: Draft) -> Places:
    step = draft.step()
    where = draft.random.choice([name for name in ("tool", "undo.tool", "probe.tool") if _has(step, name)])
    unknown = draft.random.choice(
        ["qoute", "Shell", "shell ", "bank.charge", "mcp__bank__charge", "__class__", "\u0455hell"]
    )
    return draft.put(step, where, unknown)


def _has(step: dict[str, Any], name: str) -> bool:
    outer, _, inner = name.partition(".")
    return outer in step and (not inner or isinstance(step[outer], dict))


@mutation
def a_step_of_the_runner_has_no_tool(draft: Draft) -> Places:
    step = draft.step()
    step.pop("tool")
    return draft.places(step, "tool")


@mutation
def an_argument_is_missing(draft: Draft) -> Places:
    step = draft.step(field="arguments")
    name = next(iter(step["arguments"]))
    step["arguments"].pop(name)
    return (*draft.places(step, f"arguments.{name}"), *draft.places(step, "undo"), *draft.places(step, "probe"))


@mutation
def an_argument_is_misspelt(draft: Draft) -> Places:
    step = draft.step(field="arguments")
    name = next(iter(step["arguments"]))
    step["arguments"][draft.misspell(name)] = step["arguments"].pop(name)
    return draft.places(step, "")


@mutation
def an_argument_is_of_a_wrong_type(draft: Draft) -> Places:
    tool, name, wrong = draft.random.choice(
        [
            ("quote", "order", 5),
            ("quote", "express", "yes"),
            ("charge", "amount", "5"),
            ("charge", "amount", 1.5),
            ("charge", "amount", "${steps.s0.result.currency}"),
            ("charge", "amount", "EUR ${steps.s0.result.total}"),
            ("charge", "amount", "${steps.s0.result}"),
            ("charge", "amount", "${parameters.order}"),
            ("charge", "amount", "${steps.s0.result.total > 1}"),
            ("charge", "amount", "${timestamp('2026-01-01T00:00:00Z')}"),
            ("charge", "options", {"a": "b"}),
            ("charge", "options", ["a"]),
            ("shell", "command", 5),
            ("shell", "command", {"line": "ls"}),
            ("shell", "command", ["ls", ["-l"]]),
            ("shell", "command", ""),
            ("shell", "command", []),
            ("shell", "env", ["A=1"]),
            ("announce", "text", "${b'bytes'}"),
        ]
    )
    return draft.put(draft.step(tool), f"arguments.{name}", wrong)


@mutation
def a_name_in_the_arguments_is_no_text(draft: Draft) -> Places:
    step = draft.step("shell")
    step["arguments"]["env"] = {8080: "x"}
    return draft.places(step, "arguments")


@mutation
def a_request_is_wrong(draft: Draft) -> Places:
    good = {"url": "https://example.org/"}
    name, wrong = draft.random.choice(
        [
            ("url", "example.org/orders"),
            ("url", "ftp://example.org/"),
            ("url", "https://"),
            ("url", "https://user:word@example.org/"),
            ("url", "https://example.org:99999/"),
            ("url", "file:///etc/passwd"),
            ("url", "ftp://example.org/${parameters.order}"),
            ("url", ""),
            ("url", 5),
            ("method", "FETCH"),
            ("method", "get"),
            ("headers", {"A": 5}),
            ("headers", ["A: 5"]),
            ("timeout", 5),
        ]
    )
    step = {"id": "web", "tool": "http", "after": ["s0"], "arguments": {**good, name: wrong}}
    draft.steps.append(step)
    return draft.places(step, f"arguments.{name}")


@mutation
def a_secret_is_named_wrongly(draft: Draft) -> Places:
    text = draft.random.choice(["secret://NO_SUCH_SECRET", "Bearer secret://HOME", "secret://", "x secret://HOME"])
    return draft.put(draft.step("announce"), "arguments.text", text)


@mutation
def an_undo_or_probe_is_called_wrongly(draft: Draft) -> Places:
    where, wrong = draft.random.choice(
        [
            ("undo.arguments.charge", "${result.idd}"),
            ("undo.arguments.charge", "${arguments.ordr}"),
            ("undo.arguments.charge", 5),
            ("undo.arguments.charge", "${steps.nope.result}"),
            ("undo.arguments.colour", "red"),
            ("undo.arguments", {}),
            ("probe.arguments.order", 5),
            ("probe.arguments.order", "${arguments.amont}"),
            ("probe.arguments", {}),
        ]
    )
    return draft.put(draft.step("charge"), where, wrong)


# References and conditions


@mutation
def a_reference_leads_nowhere(draft: Draft) -> Places:
    wrong = draft.random.choice(
        [
            "${steps.s99.result}",
            "${steps.s0.reslt}",
            "${steps.s0.result.totl}",
            "${steps.s0.result.total.cents}",
            "${steps.s0.result.lines.first}",
            "${parameters.ordr}",
            "${parametrs.order}",
            "${env.HOME}",
            "${context}",
            "${steps}",
            "${}",
            "${ }",
            "${steps.s0.result",
            "${'}",
            "${steps.s0..result}",
            "${result.total}",
            "${arguments.text}",
            "${item.name.first}",
            "${__import__('os')}",
        ]
    )
    step = draft.step("announce")
    step.pop("for_each", None)
    step.pop("when", None)
    return draft.put(step, "arguments.text", draft.random.choice([wrong, f"about {wrong}"]))


@mutation
def a_reference_names_a_step_that_does_not_come_before(draft: Draft) -> Places:
    step = draft.random.choice([draft.steps[0], draft.step()])
    later = draft.random.choice([step["id"], draft.steps[-1]["id"]])
    draft.steps[-1]["after"] = ["s0"]
    field = draft.random.choice(["arguments.text", "when"])
    step.update(tool="announce", arguments={"text": "x"})
    for name in ("for_each", "undo", "probe", "when", "retry", "temporary"):
        step.pop(name, None)
    if step is not draft.steps[-1] and later == draft.steps[-1]["id"] and step["id"] in draft.steps[-1]["after"]:
        later = step["id"]
    return draft.put(step, field, f"${{steps.{later}.state}}" if field != "when" else f"steps.{later}.state == 'done'")


@mutation
def a_condition_is_wrong(draft: Draft) -> Places:
    wrong = draft.random.choice(
        [
            "steps.s0.result.total >",
            "steps.s0.result.total",
            "'true'",
            "1",
            "foo(1)",
            "steps.s0.result.totl > 1",
            "steps.s0.result.currency > 1",
            "steps.s99.state == 'done'",
            "parameters.ordr == 'x'",
            "total > 1",
            "steps.s0.result.total = 1",
            "steps.s0.result.total > 1 and true",
            "not true",
            "steps.s0.result.total > 1)",
            "${steps.s0.result.total > 1}",
            "has(steps.s0.result.totl)",
            "steps['s' + '0'].result.total > 1",
            "[1, 2].map(a, [1].map(b, a)) == []",
            " ",
        ]
    )
    return draft.put(draft.step(), "when", wrong)


@mutation
def a_list_is_none(draft: Draft) -> Places:
    wrong = draft.random.choice(
        [
            "lines",
            "${steps.s0.result.total}",
            "${steps.s0.result.currency}",
            "${steps.s0.result}",
            "${parameters.order}",
            "a ${parameters.names}",
            "${parameters.names} ${parameters.names}",
            "${parameters.nams}",
            "${item}",
            "${steps.s0.result.lines",
            "${1 + 1}",
            ["a", "${parameters.order}"],
            [{"name": ["${steps.s0.result.total}"]}],
        ]
    )
    return draft.put(draft.step("announce"), "for_each", wrong)


@mutation
def an_item_is_named_without_a_list(draft: Draft) -> Places:
    step = draft.step("quote")
    return draft.put(step, "arguments.order", draft.random.choice(["${item}", "${item.name}", "no. ${index}"]))


@mutation
def an_item_is_used_as_what_it_is_not(draft: Draft) -> Places:
    step = draft.step("announce", "for_each")
    step["for_each"] = "${steps.s0.result.lines}"
    field, wrong = draft.random.choice([("when", "item > 3"), ("arguments.text", "${item.name}"), ("when", "index")])
    return draft.put(step, field, wrong)


@mutation
def a_command_line_has_a_reference_where_none_is_filled_in(draft: Draft) -> Places:
    line = draft.random.choice(
        [
            "echo '${parameters.order}'",
            "echo `${parameters.order}`",
            "echo $(ls ${parameters.order})",
            "cat <<end\n${parameters.order}\nend",
            "echo \\${parameters.order}",
            'echo "$(ls ${parameters.order})"',
            "echo $((${steps.s0.result.total} + 1))",
        ]
    )
    return draft.put(draft.step("shell"), "arguments.command", line)


# The rest


@mutation
def something_temporary_has_no_undo(draft: Draft) -> Places:
    step = draft.step("announce")
    step.pop("undo", None)
    return draft.put(step, "temporary", True)


@mutation
def a_time_to_undo_is_none(draft: Draft) -> Places:
    step = draft.step()
    step.setdefault("undo", "by hand")
    return draft.put(step, "undo_until", draft.random.choice(["soon", "24x", "-5h", "2026-13-01", "tomorrow"]))


@mutation
def what_is_never_repeated_is_to_be_repeated(draft: Draft) -> Places:
    step = draft.step(draft.random.choice(["charge", "shell"]))
    step["effect"] = "unsafe"
    wrong = draft.random.choice(["not_done", "cancelled", "failed", "timed_out", "lost"])
    draft.put(step, "retry", {"on": ["transient", wrong]})
    return draft.places(step, "retry.on")


@mutation
def an_id_takes_the_names_of_items(draft: Draft) -> Places:
    step = draft.step("announce", "for_each")
    other = draft.random.choice([each for each in draft.steps if each is not step and each["id"] != "s0"])
    old, new = other["id"], f"{step['id']}.{draft.random.randint(1, 3)}"
    other["id"] = new
    for each in draft.steps:
        each["after"] = [new if name == old else name for name in each["after"]]
    return draft.places(step, "for_each")


@mutation
def a_parameter_is_wrong(draft: Draft) -> Places:
    name, value = draft.random.choice(
        [("order", 5), ("limit", "ten"), ("limit", -1), ("fast", "yes"), ("names", "a"), ("names", [5]), ("limt", 5)]
    )
    draft.parameters[name] = value
    return (f"parameters.{name}",)


@mutation
def a_parameter_is_missing(draft: Draft) -> Places:
    name = draft.random.choice(["order", "limit"])
    draft.parameters.pop(name)
    return (f"parameters.{name}",)


@mutation
def the_schema_of_the_parameters_is_wrong(draft: Draft) -> Places:
    draft.plan["parameters"] |= draft.random.choice(
        [
            {"type": "objekt"},
            {"pattern": "x"},
            {"required": "order"},
            {"properties": ["order"]},
            {"properties": {"order": "string"}},
            {"properties": {"order": {"type": "text"}}},
            {"$ref": "https://example.org/schema"},
            {"$ref": "#/$defs/Nope"},
        ]
    )
    return ("parameters",)
