"""Configuration files in the shapes that occur in practice."""

THEIRS = b"""{
  // what I like
  "theme": "dark", /* really */
  "hooks": {
    "PreToolUse": [
      {"matcher": "Bash", "hooks": [{"type": "command", "command": "lint"}]} // mine
    ],
    "BeforeTool": [{"matcher": "x", "hooks": [{"type": "command", "command": "lint"}]},],
    "preToolUse": [ { "command": "lint" } ],
    "Stop": [], // none yet
    "Odd": [{"hooks": [7, null, {"type": "http"}]}, "text", 3],
  },
  "mcpServers": {"other": {"command": "x", "args": []}},
}
"""
OLD = b"""{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [
  {"type": "command", "command": "mine"},
  {"type": "command", "command": "/old/python -I -S /x/tallystick/hook/run.py claude-code --strict"}]}],
  "preToolUse": [{"command": "/old/python -I -S /x/tallystick/hook/run.py cursor"}, {"command": "mine"}],
"Gone": [{"hooks": [{"type": "command", "command": "'/a b/tallystick/hook/run.py' claude-code"}]}]},
"mcpServers": {"tallystick": {
  "command": "/old/tallystick", "args": ["mcp", "--tools", "all", "--journal", "mine"], "env": {"A": "1"}}}}"""
JSON: dict[str, bytes | None] = {
    "absent": None,
    "empty": b"",
    "blank": b" \n\n",
    "only a comment": b"// nothing yet",
    "braces": b"{}",
    "braces and a line": b"{ }\n",
    "open braces": b"{\n}\n",
    "byte order mark": b'\xef\xbb\xbf{"a": 1}\n',
    "one line": b'{"a":1,"hooks":{},"mcpServers":{"b":{}}}',
    "tabs and CRLF": b'{\r\n\t"a": {\r\n\t\t"b": [1,\t2]\r\n\t}\r\n}\r\n',
    "four spaces": b'{\n    "hooks": {\n        "Stop": [\n        ]\n    }\n}',
    "theirs": THEIRS,
    "ours of old": OLD,
    "named twice": b'{"hooks": {"Stop": 1}, "hooks": {"PreToolUse": []}, "\\u0068": "\\ud83d\\ude00", "n": 1e400}',
    "nested": b'{"a": ' + b"[" * 100 + b"]" * 100 + b"}",
}
TOML: dict[str, bytes | None] = {
    "absent": None,
    "empty": b"",
    "comments": b"# mine\nmodel = 'x' # y\n\n# end",
    "CRLF": b'[mcp_servers.other]\r\ncommand = "x"\r\n\r\n# end\r\n',
    "a table of servers": b"[mcp_servers]\n\n[[other]]\na = 1\n",
    "inline": b"mcp_servers = { other = {command = 'x'} } # mine\nb = 2\n",
    "dotted": b"mcp_servers.other.command = 'x'\n",
    "ours of old": b"""[mcp_servers.tallystick] # mine
command = '/old/tallystick' # c
args = ['mcp']
env = {A = '1'}

# theirs
[other]
""",
}
