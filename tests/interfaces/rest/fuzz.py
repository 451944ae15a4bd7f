"""schemathesis makes requests out of the OpenAPI document, right and wrong ones, and holds every answer to it.

All its checks are on. Its settings beside the document: no NUL in texts (refused everywhere, and JSON Schema has no
short way to say so); that waiting takes no time; which statuses a request may get that fits the schema (422: its
values are not allowed together; 304: it has them already); and the credential for what needs one.
"""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from zlib import crc32

from tallystick import Journal
from tallystick.operations import CATALOGUE
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.settings import Settings
from tests.drivers import Local
from tests.interfaces.rest.rest_server import StoreServer
from tests.stores import open_store

EXAMPLES = 20
"""Of each kind for each operation, in one go."""
_GUARDED = [operation.name for operation in CATALOGUE.values() if operation.scope in ("approve", "admin")]
_GENERATED = re.compile(r"(\d+) generated")


def fuzz(folder: Path, seed: str, phases: str) -> Counter[str]:
    """One go over all operations; what was found is an error, with the request that shows it."""
    url = f"sqlite://{folder / 'journal.db'}"
    store = open_store(url)
    settings = Settings(url=url, journal="fuzz", actor="agent")
    secret = Journal(Local(OperationContext(store, settings, Principal()))).add_credential(name="ada").secret
    with StoreServer(store, settings) as server:
        config = folder / "schemathesis.toml"
        config.write_text(_config(seed, secret))
        command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "run", "--phases", phases]
        done = subprocess.run([*command, f"{server.url}/openapi.json"], capture_output=True, text=True, cwd=folder)
    store.close()
    generated = _GENERATED.search(done.stdout)
    assert done.returncode == 0, f"{done.stdout[-20_000:]}\n{done.stderr[-2000:]}"
    assert generated, done.stdout[-2000:]
    return Counter(done=EXAMPLES, acknowledged=int(generated[1]))


def _config(seed: str, secret: str) -> str:
    return f"""
seed = {crc32(seed.encode())}
color = false
[generation]
allow-x00 = false
max-examples = {EXAMPLES}
database = "none"
[parameters]
wait_seconds = 0
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "304", "401", "403", "404", "409", "422"]
[[operations]]
include-path = "/events"
enabled = false
[[operations]]
include-operation-id = {json.dumps(_GUARDED)}
headers = {{ Authorization = "Bearer {secret}" }}
"""
