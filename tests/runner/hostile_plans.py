"""Hostile plans, and hostile values in harmless plans."""

from collections.abc import Callable
from random import Random
from typing import Any

from tests.runner.canaries import ANYTHING, NAME_AT_LOOPBACK, SECRET_NAME, Attack, World

AttackMaker = Callable[[Random, World], Attack]
ATTACKS: dict[str, AttackMaker] = {}


def attack(function: AttackMaker) -> AttackMaker:
    ATTACKS[function.__name__] = function
    return function


def make_attack(seed: str, number: int, world: World) -> tuple[str, Attack]:
    """One attack; the kinds take turns."""
    name = sorted(ATTACKS)[number % len(ATTACKS)]
    return name, ATTACKS[name](Random(f"{seed}/{number}"), world)


def _fetch() -> dict[str, Any]:
    return {"id": "fetch", "tool": "fetch", "after": []}


def _send(text: Any, **fields: Any) -> dict[str, Any]:
    return {"id": "send", "tool": "send", "after": ["fetch"], "arguments": {"text": text}, **fields}


TOOL_NAMES = (
    *("canary", "os.system", "subprocess.run", "eval", "exec", "__import__", "__class__", "call", "mcp__bank__canary"),
    *(
        "bank.canary",
        "bank/canary",
        "shell",
        "Shell",
        "shell\0",
        "\u0455hell",
        "send\u200b",
        "\u202esend",
        "send ",
        "../send",
    ),
    *("${steps.fetch.result}", "${'sh' + 'ell'}", "secret://CANARY_KEY", "tallystick.runner.tools.shell:shell_tool"),
)


@attack
def a_tool_that_is_not_registered(random: Random, world: World) -> Attack:
    name, call = random.choice(TOOL_NAMES), {"command": f"touch {world.folder}/pwned"}
    other = {"tool": name, "arguments": call}
    fields: dict[str, Any] = random.choice(
        [{"tool": name, "arguments": call}, {"undo": other}, {"probe": other, "effect": "probeable"}]
    )
    steps = [_fetch(), {**_send("x"), **fields}, {"id": "fail", "tool": "fail", "after": ["send"]}]
    return Attack(steps=steps, value="shell", sent=("x",), unwind="on-failure")


def _addresses(world: World) -> list[str]:
    port, site = world.canary.rpartition(":")[2], world.site
    hosts = [
        *("127.0.0.1", "localhost", "LOCALHOST.", "127.1", "127.0.1", "2130706433", "0x7f000001", "017700000001"),
        *("0x7f.1", "0177.0.0.1", "0.0.0.0", "0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"),
        *("[0:0:0:0:0:ffff:127.0.0.1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "127.0.0.1."),
        *(NAME_AT_LOOPBACK, f"{NAME_AT_LOOPBACK}.", "①②⑦.⓪.⓪.①", "127。0。0。1", "１２７.0.0.1", "[::1%25lo]"),  # noqa: RUF001
    ]
    return [
        *(f"http://{host}:{port}/base/" for host in hosts),
        f"http://{site}@{world.canary}/base/",
        f"http://{site}:x@{world.canary}/base/",
        f"http://{world.canary}#@{site}/base/",
        f"http://{world.canary}\\@{site}/base/",
        f"http://{site}\\@{world.canary}/base/",
        f"http://{site}\t@{world.canary}/base/",
        f"http://{world.canary}\n.{site}/base/",
        f"http:/{world.canary}/base/",
        f"http:\\\\{world.canary}/base/",
        f"//{world.canary}/base/",
        f"HTTP://{world.canary}/base/",
        f" http://{world.canary}/base/",
        f"http://{world.canary}%00.{site}/base/",
        f"http://{site}%40{world.canary}/base/",
        "file:///etc/passwd",
        f"file://{world.file}",
        f"gopher://{world.canary}/",
        f"unix://{world.file}",
        f"http+unix://{world.canary}/",
        "data:text/plain,x",
    ]


@attack
def an_address_that_is_not_allowed(random: Random, world: World) -> Attack:
    address = random.choice(_addresses(world))
    url = random.choice([address, "${steps.fetch.result}", "${'' + steps.fetch.result}", "${context.address}"])
    step: dict[str, Any] = {"id": "ask", "tool": "http", "after": ["fetch"], "arguments": {"url": url}}
    if random.random() < 0.3:
        step |= {"for_each": "${[steps.fetch.result]}", "arguments": {"url": "${item}"}}
    tools = ("fetch", "http", *random.choice([("only",), ()]))
    return Attack(steps=[_fetch(), step], value=address, context={"address": address}, tools=tools)


@attack
def a_value_inside_an_address(random: Random, world: World) -> Attack:
    value = random.choice(
        [
            *(
                "..",
                ".",
                "../..",
                "%2e%2e",
                "..%2f",
                "\\..\\",
                "/../",
                "//x",
                "?a=b",
                "#x",
                "a b",
                "a\r\nX-Injected: 1",
            ),
            *(f"@{world.canary}/", f"//{world.canary}/", "\u2025", "%", "%zz", "\u0000", "é", "..;/", "x" * 5000),
            *(f"{world.canary}", f"{world.canary}/", f":{world.canary}", f"{world.site}@{world.canary}"),
        ]
    )
    site = world.site
    url = random.choice(
        [
            f"http://{site}/base/${{steps.fetch.result}}",
            f"http://{site}/base/${{steps.fetch.result}}/end",
            f"http://{site}/base/a${{steps.fetch.result}}",
            f"http://{site}/base/?q=${{steps.fetch.result}}",
            f"http://{site}/base/${{steps.fetch.result}}${{steps.fetch.result}}",
            "http://${steps.fetch.result}/base/",
            f"http://${{steps.fetch.result}}.{site}/base/",
            f"http://${{steps.fetch.result}}@{site}/base/",
            "http://127.0.0.1:${steps.fetch.result}/base/",
            f"${{'http://{site}/base/'}}${{steps.fetch.result}}",
        ]
    )
    tools = ("fetch", "http", *random.choice([("only",), ()]))
    return Attack(
        steps=[_fetch(), {"id": "ask", "tool": "http", "after": ["fetch"], "arguments": {"url": url}}],
        value=value,
        tools=tools,
    )


@attack
def a_request_with_more_than_its_fields_say(random: Random, world: World) -> Attack:
    evil = random.choice(
        ["x\r\nX-Injected: 1", "x\nX-Injected: 1", "x\rX-Injected: 1", "x\0", "ü", "\u2028X-Injected: 1"]
    )
    arguments: dict[str, Any] = random.choice(
        [
            {"headers": {"X-A": "${steps.fetch.result}"}},
            {"headers": {"X-A": evil}},
            {"headers": {evil: "1"}},
            {"headers": {"": "1"}},
            {"headers": {"X A": "1", "X-A:": "2"}},
            {
                "headers": {"Content-Length": "5", "Transfer-Encoding": "chunked"},
                "method": "POST",
                "body": "0\r\n\r\nGET /x",
            },
            {"method": "GET /x HTTP/1.1\r\nX-Injected: 1\r\n\r\nGET"},
            {"method": "${steps.fetch.result}"},
            {"query": {"a": evil, evil: "b", "c": {"d": [1]}, "e": None}},
            {"method": "POST", "json": {"a": evil}},
            {"method": "POST", "body": evil},
            {"headers": {"Proxy-Connection": "x", "Host": world.canary}},
        ]
    )
    step = {"id": "ask", "tool": "http", "after": ["fetch"]}
    path = random.choice(["/base/x", "/base/redirect"])
    return Attack(
        steps=[_fetch(), {**step, "arguments": {"url": f"http://{world.site}{path}", **arguments}}], value=evil
    )


@attack
def a_secret_in_an_odd_place(random: Random, world: World) -> Attack:
    named = f"secret://{SECRET_NAME}"
    name = random.choice(
        [
            "../canary",
            "..",
            ".",
            "/etc/passwd",
            "../../etc/passwd",
            "canary\0",
            "",
            "secret://",
            f"{SECRET_NAME} ",
            "%2e%2e/canary",
        ]
    )
    step: dict[str, Any] = random.choice(
        [
            _send("x", title=named),
            _send("x", resource=named),
            _send("x", undo=named),
            _send("x", when=f"'{named}' != ''"),
            _send("x", for_each=[named]),
            _send("${item}", for_each=[named]),
            {**_send("x"), "id": named},
            {**_send("x"), "arguments": {"text": "x", named: "x"}},
            _send(f"secret://{name}"),
            _send(f"x{named}"),
            _send(f" {named}"),
            _send(f"{named}{named}"),
            _send(f"${{'{named}'}}"),
            _send(f"${{context['{named}']}}"),
            _send("${'secret:' + '//CANARY_KEY'}"),
        ]
    )
    return Attack(steps=[_fetch(), step], sent=("x", f" {named}"), context={"k": named})


@attack
def a_value_that_names_a_secret(random: Random, world: World) -> Attack:
    scheme, text = random.choice(
        [
            ("secret", "${steps.fetch.result.a}://${steps.fetch.result.b}"),
            ("se", "${steps.fetch.result.a}cret://CANARY_KEY"),
            ("secret://", "${steps.fetch.result.a}${steps.fetch.result.b}"),
            ("secret://CANARY_KEY", "${steps.fetch.result.a}"),
            ("secret:/", "${steps.fetch.result.a}/CANARY_KEY"),
            ("CANARY_KEY", "secret://${steps.fetch.result.a}"),
            ("secret://CANARY_KEY", "${context.a}"),
            ("secret://CANARY_KEY", "${item}"),
            ("secret://", "${steps.fetch.result.a + steps.fetch.result.b}"),
            ("secret", "${context.a}://${parameters.name}"),
        ]
    )
    step: dict[str, Any] = _send(text, undo={"tool": "send", "arguments": {"text": text}})
    if "item" in text:
        step["for_each"] = "${[steps.fetch.result.a]}"
    if random.random() < 0.3:
        step = {"id": "send", "tool": "http", "after": ["fetch"], "arguments": {"url": text, "headers": {"X-A": text}}}
        step["for_each"] = "${[steps.fetch.result.a]}"
    steps = [_fetch(), step, {"id": "fail", "tool": "fail", "after": ["send"]}]
    value = {"a": scheme, "b": "CANARY_KEY"}
    return Attack(
        steps=steps, value=value, context={"a": scheme}, parameters={"name": "CANARY_KEY"}, unwind="on-failure"
    )


REFERENCES = (
    *("${parameters.p}", "${steps.fetch.result}", "$${x}", "${", "${}", "}", "${context.k}", "${'a' + 'b'}", "${item}"),
    *("${result.x}", "${arguments.text}", "a ${arguments.text} b", "$${arguments.text}", "{{ 7 * 7 }}", "%(a)s {0}"),
    *("[masked]", "@0", "${steps.send.result}", "${1 +", "#{x}", "<%= 1 %>"),
)


@attack
def a_value_that_looks_like_a_reference(random: Random, world: World) -> Attack:
    value = random.choice(REFERENCES)
    text = random.choice(["${steps.fetch.result}", "${context.k}", "${parameters.p}", "${item}"])
    step = _send(text, undo={"tool": "send", "arguments": {"text": text}})
    if text == "${item}":
        step["for_each"] = "${[steps.fetch.result]}"
        step["undo"] = "by hand"
    steps = [_fetch(), step, {"id": "fail", "tool": "fail", "after": ["send"]}]
    return Attack(
        steps=steps, value=value, sent=(value,), context={"k": value}, parameters={"p": value}, unwind="on-failure"
    )


def _shell_values(world: World) -> list[str]:
    touch = f"touch {world.folder}/pwned"
    return [
        *(f"; {touch}", f"$({touch})", f"`{touch}`", f"| {touch}", f"&& {touch}", f"\n{touch}\n", f"& {touch} &"),
        *(f"'; {touch}; '", f'"; {touch}; "', f"> {world.file}", f">{world.file}", f"\\'; {touch}", f"x' || {touch} #"),
        *(f"${{IFS}}{touch}", f"$IFS;{touch}", f"\\\n;{touch}", f"<<x\n{touch}\nx", f"{{{touch},}}", f"\r\n{touch}"),
        *(
            "*",
            "~",
            "$HOME",
            "${HOME}",
            "%s%d%n",
            "-n",
            "--help",
            "\\",
            "\\\\",
            "!!",
            "{a,b}",
            "$$",
            "$1",
            "'",
            '"',
            "`",
        ),
        *("$TALLY_VALUE_1", '"$TALLY_VALUE_2"', "a\tb", "a\x1bb", "é\u202e", "\u2028", "a b  c", "${x:=y}", "$((1+1))"),
    ]


@attack
def a_value_in_a_command(random: Random, world: World) -> Attack:
    value = random.choice(_shell_values(world))
    ref = random.choice(["${steps.fetch.result}", "${context.k}", "${parameters.p}", "${'' + steps.fetch.result}"])
    arguments, printed = random.choice(
        [
            ({"command": f"printf %s {ref}"}, value),
            ({"command": f'printf %s "{ref}"'}, value),
            ({"command": f'printf %s "a {ref} b"'}, f"a {value} b"),
            ({"command": f"printf %s a{ref}b"}, f"a{value}b"),
            ({"command": f'X={ref}; printf %s "$X"'}, value),
            ({"command": f"printf %s {ref}{ref}"}, value + value),
            ({"command": f'for x in {ref}; do printf %s "$x"; done'}, value),
            ({"command": f"case {ref} in *) printf %s {ref};; esac"}, value),
            ({"command": f"test -z {ref} || printf %s {ref} # {ref}"}, value),
            ({"command": f"printf %s 'quoted'\"'\" {ref}"}, f"quoted'{value}"),
            ({"command": ["printf", "%s", ref]}, value),
            ({"command": ["printf", "%s", f"a {ref}"]}, f"a {value}"),
            ({"command": 'printf %s "$V"', "env": {"V": ref}}, value),
            ({"command": "cat", "stdin": ref}, value),
            ({"command": f"printf %s {ref}", "env": {"TALLY_VALUE_1": "own"}}, value),
        ]
    )
    step = {"id": "run", "tool": "shell", "after": ["fetch"], "arguments": arguments}
    return Attack(
        steps=[_fetch(), step],
        value=value,
        printed=(printed,),
        context={"k": value},
        parameters={"p": value},
        tools=("fetch", "shell"),
    )


EXPRESSIONS = (
    *("steps.fetch.result.__class__", "steps.fetch.result['__class__']", "__import__('os').system('x')", "open('/x')"),
    *("getattr(steps, 'x')", "steps.fetch.__proto__", "context.__globals__", "parameters.p.format(1)", "eval('1')"),
    *("google.protobuf.Any{}", "google.protobuf.Struct{}", "type(1)", "dyn(steps).x", "1/0", "[][0]", "int('x')"),
    *("timestamp(0)", "bytes('x')", "'x'.matches('(a+)+$')", "env.HOME", "os.environ", "secrets", "this", "self"),
    *("[1].map(a, [a].map(b, b))", "!" * 1900 + "true", "(" * 900 + "1" + ")" * 900, "'x' + " * 300 + "'x'"),
    *("-9223372036854775808 / -1", "9223372036854775807 + 1", "1e999", "0x", "'", '"""', "//", "/*", "\\", ";", "{"),
    "steps.fetch.result." + ".".join("a" * 1 for _ in range(500)),
    "[1, 2, 3, 4, 5, 6, 7, 8, 9].all(a, " * 8 + "true" + ")" * 8,
    "[1, 2, 3, 4, 5, 6, 7, 8, 9].filter(a, [1, 2, 3, 4, 5, 6, 7, 8, 9].exists(b, b > a)).size()",
)


@attack
def an_expression_that_reaches_out(random: Random, world: World) -> Attack:
    expression = random.choice(EXPRESSIONS)
    step: dict[str, Any] = random.choice(
        [
            _send(f"${{{expression}}}"),
            _send(f"about ${{{expression}}}"),
            _send("x", when=expression),
            _send("x", when=f"string(dyn({expression})) == 'x'"),
            _send("x", for_each=f"${{{expression}}}"),
        ]
    )
    value = random.choice(["x", {"a": 1}, [1] * 200, None, 1.5])
    return Attack(steps=[_fetch(), step], value=value, sent=ANYTHING, parameters={"p": "x"})


def _nested(depth: int, inner: Any) -> Any:
    for number in range(depth):
        inner = [inner] if number % 2 else {"a": inner}
    return inner


@attack
def a_value_that_is_too_large_or_too_deep(random: Random, world: World) -> Attack:
    value = random.choice(
        [
            _nested(random.choice([70, 300, 5000]), "x"),
            "x" * 2_000_000,
            ["x"] * 50_000,
            {str(n): n for n in range(20_000)},
            10**400,
        ]
    )
    step: dict[str, Any] = random.choice(
        [
            _send("${steps.fetch.result}"),
            _send("a ${steps.fetch.result}"),
            _send("x", when="size(dyn(steps.fetch.result)) < 0"),
            _send(value),
            _send("x", **{random.choice(["title", "undo", "when", "resource", "probe"]): value}),
            {**_send("x"), "arguments": {"text": "x", "more": value}},
        ]
    )
    return Attack(steps=[_fetch(), step], value=value, sent=ANYTHING)


@attack
def an_id_that_plays_tricks(random: Random, world: World) -> Attack:
    name = random.choice(
        [
            *(
                "../../etc",
                "a/b",
                "a\0b",
                "a\nb",
                "\u202ea",
                "a\u200b",
                "fetch\u200b",
                "\uff46etch",
                "__proto__",
                "steps",
                "item",
            ),
            *(
                "${steps.fetch.result}",
                "secret://CANARY_KEY",
                "a'] || true || steps['a",
                "a.1",
                "-",
                ".",
                "[ac_x]",
                "@0",
            ),
            *(
                "x" * 200,
                "\ud800",
                "a:b",
                "#1",
                "%s",
                "'; drop table entries; --",
                "<script>",
                "\x1b[2J",
                "é",
                "\U0001d51e",
            ),
        ]
    )
    other = random.choice([name, f"{name}2"])
    steps = [
        {"id": name, "tool": "send", "after": [], "arguments": {"text": "x"}},
        {"id": other, "tool": "send", "after": [name], "arguments": {"text": f"${{steps['{name}'].state}}"}},
    ]
    return Attack(steps=steps, sent=("x", "done"))
