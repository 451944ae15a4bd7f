"""Installs and starts the browser for tests of the page.

It comes from npm: one package has a Chromium with all libraries except the C library. So its version and hash are in
the lock, and no root rights are needed. It is built for x86-64 only; other machines use `chromium` or `google-chrome`
from the PATH, or install it from Debian. If all fails, the tests fail. The browser sees only its own fonts, so that
text has the same width on every machine.
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
"""Inside node_modules, so that npm removes it when it installs again."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
APT = ("apt-get", "install", "-y", "--no-install-recommends", "chromium")
INSTALL_SECONDS = 600
FLAGS = (
    "--no-sandbox",  # tests may run as root, and open only their own pages
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
    """The path of a browser and its environment variables."""

    path: str
    environment: dict[str, str]


@cache
def installed() -> Chromium:
    """Return the pinned browser, else an installed one, else that of Debian."""
    if platform.machine() == "x86_64":
        return _pinned()
    if found := _on_path():
        return Chromium(found, {})
    if os.geteuid() == 0 and shutil.which("apt-get"):
        for command in (("apt-get", "update"), APT):
            subprocess.run(command, check=False, capture_output=True, timeout=INSTALL_SECONDS)
        if found := _on_path():
            return Chromium(found, {})
    raise AssertionError(f"No browser to test the page in. Run, as root: {' '.join(APT)}")


@contextmanager
def launched() -> Iterator[tuple[Playwright, Browser]]:
    """Start a browser; yield Playwright and the browser."""
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
    """Return the pinned browser. One process unpacks it, and others wait for it."""
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
    configuration = _FONTS.format(fonts=UNPACKED / "fonts", mono=MONOSPACED / "ttf", cache=UNPACKED / "cache")
    (UNPACKED / "fonts.conf").write_text(configuration)  # last, because it marks a complete installation
