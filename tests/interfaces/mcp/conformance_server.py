"""`tallystick serve` with the tools, prompts and resources that the official conformance suite calls by fixed names.

They are defined here, so that the product never offers them. Everything else is real: the command, the authentication,
the transport, the journal and its own tools. The suite tests how they carry every kind of content, errors and progress.
"""

import json
import re
import sys
from collections.abc import Callable
from typing import Any

from tallystick.core.errors import TallystickError
from tallystick.interfaces import cli
from tallystick.interfaces.mcp import resources, server
from tallystick.interfaces.mcp.responses import McpResponse
from tallystick.interfaces.mcp.sessions import CallInfo, RequestCaller, SessionLookup
from tallystick.interfaces.mcp.tools import Tool
from tallystick.interfaces.mcp.transport import http
from tallystick.protocol import ProtocolError
from tallystick.server import command

OF_THE_SUITE = "What the conformance suite calls by this name."
MISSING_CAPABILITY = -32021
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
SILENCE = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA=="

Block = dict[str, Any]


def _text(text: str) -> Block:
    return {"type": "text", "text": text}


def _embedded(uri: str, text: str, kind: str = "text/plain") -> Block:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": kind, "text": text}}


IMAGE = {"type": "image", "data": PIXEL, "mimeType": "image/png"}
AUDIO = {"type": "audio", "data": SILENCE, "mimeType": "audio/wav"}
MIXED = _embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json")


class Blocks(McpResponse, frozen=True, kw_only=True):
    """A response with any content blocks."""

    blocks: tuple[Block, ...]

    def as_result(self) -> dict[str, Any]:
        return {**super().as_result(), "content": list(self.blocks)}


def _answering(*blocks: Block) -> Callable[[RequestCaller, dict[str, Any]], McpResponse]:
    return lambda calling, arguments: Blocks(text="", content={}, blocks=blocks)


def _failing(caller: RequestCaller, arguments: dict[str, Any]) -> McpResponse:
    raise TallystickError("This tool intentionally returns an error for testing.")


def _progressing(caller: RequestCaller, arguments: dict[str, Any]) -> McpResponse:
    for done in (0, 50, 100):
        if caller.progress is not None:
            caller.progress(done, 100)
    return McpResponse(text="It went on until it was done.", content={})


def _tool(
    name: str, run: Callable[[RequestCaller, dict[str, Any]], McpResponse], schema: dict[str, Any] | None = None
) -> Tool:
    return Tool(
        name=name,
        description=OF_THE_SUITE,
        input_schema=schema or {"type": "object", "properties": {}},
        output_schema={"type": "object"},
        is_read_only=True,
        run=run,
    )


REGION = {"type": "string", "x-mcp-header": "Region"}
SCHEMA_2020_12: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
TOOLS = (
    _tool("test_simple_text", _answering(_text("This is a simple text response for testing."))),
    _tool("test_image_content", _answering(IMAGE)),
    _tool("test_audio_content", _answering(AUDIO)),
    _tool(
        "test_embedded_resource",
        _answering(_embedded("test://embedded-resource", "This is an embedded resource content.")),
    ),
    _tool("test_multiple_content_types", _answering(_text("Multiple content types test:"), IMAGE, MIXED)),
    _tool("test_error_handling", _failing),
    _tool("test_tool_with_progress", _progressing),
    _tool("test_logging_tool", _answering(_text("Nothing is ever logged to a client."))),
    _tool("test_streaming_elicitation", _progressing),
    _tool("test_missing_capability", _failing),
    _tool("test_tool_with_header", _answering(_text("here")), {"type": "object", "properties": {"region": REGION}}),
    _tool("json_schema_2020_12_tool", _answering(_text("valid")), SCHEMA_2020_12),
)
RESOURCES: dict[str, Block] = {
    "test://static-text": {"mimeType": "text/plain", "text": "This is the content of the static text resource."},
    "test://static-binary": {"mimeType": "image/png", "blob": PIXEL},
}
TEMPLATE = {"uriTemplate": "test://template/{id}/data", "name": "test_template", "mimeType": "application/json"}
_OF_TEMPLATE = re.compile(r"test://template/(\w+)/data")
PROMPTS: dict[str, tuple[tuple[str, ...], Callable[[dict[str, str]], tuple[Block, ...]]]] = {
    "test_simple_prompt": ((), lambda arguments: (_text("This is a simple prompt for testing."),)),
    "test_prompt_with_arguments": (
        ("arg1", "arg2"),
        lambda arguments: (_text(f"Prompt with arguments: arg1='{arguments['arg1']}', arg2='{arguments['arg2']}'"),),
    ),
    "test_prompt_with_embedded_resource": (
        ("resourceUri",),
        lambda arguments: (
            _embedded(arguments["resourceUri"], "Embedded resource content for testing."),
            _text("See above."),
        ),
    ),
    "test_prompt_with_image": ((), lambda arguments: (IMAGE, _text("See above."))),
}


class WithFixtures(server.McpServer):
    """The real server, with the fixtures of the suite."""

    def __init__(
        self,
        sessions: SessionLookup,
        profile: str = "all",
        extra_tools: tuple[Tool, ...] = (),
        before_read: Callable[[], object] = lambda: None,
        **more: Any,
    ) -> None:
        super().__init__(sessions, profile, (*TOOLS, *extra_tools), before_read, **more)

    def answer(self, method: str, params: dict[str, Any], info: CallInfo) -> dict[str, Any]:
        name = params.get("name") or params.get("uri") or ""
        if method == "tools/call" and name == "test_missing_capability":
            needed: Block = {"requiredCapabilities": {"sampling": {}}}
            raise ProtocolError(MISSING_CAPABILITY, "The client cannot sample.", needed)
        if method == "resources/read" and (content := _content(name)):
            return {"contents": [{"uri": name, **content}]}
        if method == "prompts/get" and name in PROMPTS:
            blocks = PROMPTS[name][1](params.get("arguments") or {})
            return {"messages": [{"role": "user", "content": block} for block in blocks]}
        return _extended(method, super().answer(method, params, info))


def _content(uri: str) -> Block | None:
    if found := _OF_TEMPLATE.fullmatch(uri):
        result = {"id": found[1], "templateTest": True, "data": f"Data for ID: {found[1]}"}
        return {"mimeType": "application/json", "text": json.dumps(result)}
    return RESOURCES.get(uri)


def _is_resource(uri: str) -> bool:
    return uri.startswith("test://") or resources.is_resource(uri)


def _extended(method: str, result: dict[str, Any]) -> dict[str, Any]:
    """The lists of the product, extended by the fixtures."""
    more: dict[str, list[Block]] = {
        "resources": [{"uri": uri, "name": uri, "mimeType": held["mimeType"]} for uri, held in RESOURCES.items()],
        "resourceTemplates": [TEMPLATE],
        "prompts": [
            {
                "name": name,
                "description": OF_THE_SUITE,
                "arguments": [{"name": each, "required": True} for each in needed],
            }
            for name, (needed, _) in PROMPTS.items()
        ],
    }
    listing = method in ("resources/list", "resources/templates/list", "prompts/list")
    return {name: [*found, *more[name]] for name, found in result.items()} if listing else result


if __name__ == "__main__":
    setattr(server, "McpServer", WithFixtures)  # noqa: B010  # `serve` takes it from there when it starts
    setattr(http, "is_resource", _is_resource)  # noqa: B010
    serve = cli.LazyCommand("", command.command)
    sys.exit(cli.main(["serve", *sys.argv[1:]], external={"serve": serve}))
