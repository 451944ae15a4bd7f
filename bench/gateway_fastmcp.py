"""Runs fastmcp's proxy over stdio, for the server command in the arguments. Uses an interpreter of its own."""

import sys

from fastmcp.server import create_proxy  # type: ignore[import-not-found]  # it is in the peers' own environment

configuration = {"mcpServers": {"backend": {"command": sys.argv[1], "args": sys.argv[2:]}}}
create_proxy(configuration, name="bench").run(show_banner=False)
