"""The browser that the page is tested in, and where a fresh machine gets it from.

From npm, as everything else that is not Python: one package carries a Chromium with all it needs but the C library, so
its version and its hash stand in the lock, and neither a right of root nor a mirror is needed. It is built for x86-64
alone; on other machines the `chromium` or `google-chrome` of the PATH is taken, or Debian's is installed. Nothing is
skipped where all of that fails. Its fonts come along, and it sees no others: a text is as wide on every machine.
"""

import fcntl
import os
import platform
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from msgspec import Struct
from playwright.sync_api import Browser, Playwright, sync_playwright

from tests import node

PACKAGE = node.MODULES / "@sparticuz" / "chromium"
MONOSPACED = node.MODULES / "dejavu-fonts-ttf"
UNPACKED = node.MODULES / ".chromium"
"""Goes with the packages when npm installs anew."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
APT = ("apt-get", "install", "-y", "--no-install-recommends", "chromium")
INSTALLING_SECONDS = 600
FLAGS = (
    "--no-sandbox",  # tests may run as root, and open only what they wrote themselves
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",  # containers have little of it
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--font-render-hinting=none",
)
_UNPACK = """
const { brotliDecompressSync } = require("zlib"), { readFileSync, writeFileSync } = require("fs");
const [from, to] = process.argv.slice(1);
for (const name of ["chromium", "al2023.tar", "fonts.tar"])
  writeFileSync(`${to}/${name}`, brotliDecompressSync(readFileSync(`${from}/${name}.br`)));
"""
_FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>{fonts}</dir>
  <dir>{mono}</dir>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
  <cachedir>{cache}</cachedir>
</fontconfig>
"""


class Chromium(Struct, frozen=True):
    """A program, and what has to stand in its environment."""

    path: str
    environment: dict[str, str]


@cache
def installed() -> Chromium:
    """The pinned one, else one that is there, else Debian's."""
    if platform.machine() == "x86_64":
        return _pinned()
    if found := _on_path():
        return Chromium(found, {})
    if os.geteuid() == 0 and shutil.which("apt-get"):
        for command in (("apt-get", "update"), APT):
            subprocess.run(command, check=False, capture_output=True, timeout=INSTALLING_SECONDS)
        if found := _on_path():
            return Chromium(found, {})
    raise AssertionError(f"No browser to test the page in. Run, as root: {' '.join(APT)}")


@contextmanager
def launched() -> Iterator[tuple[Playwright, Browser]]:
    """A browser of one's own, and what drives it."""
    chromium = installed()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LD_")}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.path, args=list(FLAGS), env={**environment, **chromium.environment}
        )
        yield playwright, browser
        browser.close()


def _on_path() -> str:
    return next((found for name in NAMES if (found := shutil.which(name))), "")


def _pinned() -> Chromium:
    """Of several processes that ask at once, one unpacks and the others wait for it."""
    node.installed()
    with (PACKAGE / "package.json").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (UNPACKED / "fonts.conf").exists():
            _unpack()
    libraries = UNPACKED / "lib"
    environment = {"LD_LIBRARY_PATH": str(libraries), "FONTCONFIG_FILE": str(UNPACKED / "fonts.conf")}
    return Chromium(str(UNPACKED / "chromium"), environment)


def _unpack() -> None:
    shutil.rmtree(UNPACKED, ignore_errors=True)
    UNPACKED.mkdir()
    done = node.evaluate(_UNPACK, str(PACKAGE / "bin"), str(UNPACKED))
    assert done.returncode == 0, f"{PACKAGE} could not be unpacked:\n{done.stderr}"
    for name in ("al2023", "fonts"):
        with tarfile.open(UNPACKED / f"{name}.tar") as archive:
            archive.extractall(UNPACKED, filter="data")
        (UNPACKED / f"{name}.tar").unlink()
    (UNPACKED / "chromium").chmod(0o755)
    said = _FONTS.format(fonts=UNPACKED / "fonts", mono=MONOSPACED / "ttf", cache=UNPACKED / "cache")
    (UNPACKED / "fonts.conf").write_text(said)  # last: it says that all the rest is there
