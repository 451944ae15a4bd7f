"""A bare Starlette route behind the same web server: it returns fixed bytes, and does nothing else.

`python -m bench.rest_floor FOLDER` answers GET with FOLDER/read and POST with FOLDER/record, and prints its address.
"""

import socket
import sys
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route


def application(folder: Path) -> Starlette:
    read, record = (folder / "read").read_bytes(), (folder / "record").read_bytes()

    async def answer(request: Request) -> Response:
        if request.method == "POST":
            await request.body()
            return Response(record, media_type="application/json")
        return Response(read, media_type="application/json")

    return Starlette(routes=[Route("/", answer, methods=["GET", "POST"])])


def main() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(128)
        print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
        config = uvicorn.Config(application(Path(sys.argv[1])), log_level="warning", access_log=False, ws="none")
        uvicorn.Server(config).run([listener])


if __name__ == "__main__":
    main()
