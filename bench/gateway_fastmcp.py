"""fastmcp's proxy over stdio, before the server whose command stands in the arguments: run by its own interpreter."""

import sys

from fastmcp.server import create_proxy  # type: ignore[import-not-found]  # it is in the peers' own environment

configuration = {"mcpServers": {"backend": {"command": sys.argv[1], "args": sys.argv[2:]}}}
create_proxy(configuration, name="bench").run(show_banner=False)
