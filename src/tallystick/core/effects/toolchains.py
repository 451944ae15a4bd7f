"""Package managers, test runners, linters and compilers: with which arguments they only look.

Running tests counts as reading: that is how an agent looks whether its work is right. An option that writes a report,
updates a snapshot or repairs a file does not.
"""

import re
from collections.abc import Callable, Sequence

from tallystick.core.effects.options import allows, names, parse_arguments, parse_spec
from tallystick.core.effects.services import VerbTable, judge_verbs, verb_words
from tallystick.core.effects.shell import Word

Words = Sequence[Word]

# ----------------------------------------------------------------------------------------------------------------------
# Package managers

_APT_DENIED = ("oc", ("--option", "--config-file"))
_PACKAGES: dict[str, VerbTable] = {
    "pip": VerbTable(
        "list, show, freeze, check, index versions, config list, config get, cache dir, cache list, cache info,"
        " inspect",
        "-q --python= --disable-pip-version-check --no-color --no-input --isolated --require-virtualenv",
        ("", ("--log",)),
    ),
    "uv": VerbTable(
        "pip list, pip show, pip freeze, pip check, pip tree, python list, python find, python dir, cache dir,"
        " tool list",
        "-q --quiet --offline --no-progress",
    ),
    "poetry": VerbTable("show, check, env info, env list, search", "-q -n --no-ansi"),
    "pipenv": VerbTable("graph"),
    "conda": VerbTable("list, info, env list, search"),
    "mamba": VerbTable("list, info, env list, search"),
    "brew": VerbTable("list, ls, info, search, deps, uses, outdated, config, leaves, desc, services list"),
    "apt": VerbTable("list, show, search, policy, depends, rdepends", "-q", _APT_DENIED),
    "apt-cache": VerbTable(
        "search, show, policy, depends, rdepends, madison, showpkg, pkgnames, stats", "-q", _APT_DENIED
    ),
    "dnf": VerbTable("list, info, search, provides, repolist, repoquery", "-q -y -C"),
    "yum": VerbTable("list, info, search, provides, repolist", "-q -y -C"),
    "apk": VerbTable("info, list, search, version, policy"),
    "gem": VerbTable("list, info, search, env, environment, which, specification, outdated, dependency"),
    "bundle": VerbTable("list, show, info, outdated, env, platform"),
    "composer": VerbTable("show, outdated, validate, why, licenses, search, status", "-n --no-ansi --no-interaction"),
    "rustup": VerbTable("show, toolchain list, target list, component list, which"),
    "nvm": VerbTable("ls, list, current, version, which, ls-remote"),
    "pyenv": VerbTable("versions, version, which, root"),
    "asdf": VerbTable("list, current, where, which"),
    "swift": VerbTable("test, package describe, package show-dependencies"),
    "alembic": VerbTable("current, history, heads, branches, show", "-c:"),
    "just": VerbTable("", ""),
    "npm": VerbTable(
        "ls, list, view, info, show, outdated, root, prefix, explain, why, search, ping, whoami, fund, pkg get,"
        " config get"
        ", config list, config ls, query",
        "-s -C: -w: --prefix= --workspace= --workspaces --silent --loglevel=",
    ),
    "pnpm": VerbTable(
        "ls, list, why, outdated, root, bin, config get, config list, licenses", "-s -C: -r -F: --filter= --dir="
    ),
    "yarn": VerbTable(
        "list, why, info, outdated, config get, config list, workspaces list, licenses list", "-s --silent --cwd="
    ),
    "bun": VerbTable("pm ls, pm bin, outdated", ""),
    "go": VerbTable("mod graph, mod why, mod verify, version, doc", "", ("", ("-http", "--http"))),
    "deno": VerbTable("check, info, doc"),
    "dotnet": VerbTable("list package, list reference, list", ""),
    "mix": VerbTable("deps, deps.tree, hex.outdated, hex.info, help"),
}
_SCRIPTS = re.compile(
    r"test(?::(?:unit|integration|e2e|ci|all|api|server|client|node))?|type-?check|check-types|check:types"
)
"""Scripts of a package that look whether it works, by the usual names."""
_LOOKING_OPTIONS: dict[str, tuple[str, str]] = {
    "dpkg": (
        "-l -L -s -S -c -I -V --list --listfiles --status --search --get-selections --print-architecture --contents",
        "l L s S c I V --list --listfiles --status --search --get-selections --print-architecture --contents",
    ),
    "dpkg-query": ("-l -L -s -S -W -f: --show --showformat= --list --listfiles --status --search", ""),
    "rpm": ("-q -a -i -l -f -p -d -c -R --queryformat= --qf= --changelog --requires --provides --whatprovides=", "q"),
    "just": ("-l --list --summary --show= --evaluate", "l --list --summary"),
    "php": ("-l -m -i -v", "l m i"),
    "ruby": ("-c -w", "c"),
    "node": ("-c --check --test --test-name-pattern= --test-reporter= --test-only", "c --check --test"),
    "dotnet": ("--info --list-sdks --list-runtimes", "--info --list-sdks --list-runtimes"),
}
"""Programs with these options only, of which one is needed."""

# ----------------------------------------------------------------------------------------------------------------------
# Test runners

_PYTEST = parse_spec(
    "-q -v -x -s -l -r: -k: -m: -n: -W: -p: -o: -h --verbose --quiet --exitfirst --capture= --showlocals --tb="
    " --lf --ff"
    " --nf --sw --co --last-failed --failed-first --new-first --stepwise --collect-only --maxfail= --durations="
    " --durations-min= --color= --no-header --no-summary --disable-warnings --disable-pytest-warnings --timeout="
    " --timeout-method= --deselect= --ignore= --ignore-glob= --no-cov --cov --cov-report= --cov-branch"
    " --cov-fail-under="
    " --dist= --reruns= --reruns-delay= --fixtures --markers --help --log-cli-level= --log-level= --log-cli"
    " --strict-markers --strict-config --asyncio-mode= --setup-show --import-mode= --rootdir= --pyargs"
    " --doctest-modules"
    " --benchmark-skip --benchmark-disable --hypothesis-seed= --hypothesis-profile= --hypothesis-show-statistics"
    " --full-trace --forked --numprocesses= --randomly-seed= --random-order --exitfirst --version --warnings"
)
_JAVASCRIPT_TESTS = (
    "-t: -i -b -w: --run --runInBand --bail --verbose --silent  --watch= --watchAll= --ci --testPathPattern="
    " --testNamePattern= --passWithNoTests --maxWorkers=  --grep= -g: --reporter= --project= --timeout="
    " --retry= --no-color --colors --color --detectOpenHandles --forceExit --listTests --workers= --list --retries="
    " --testTimeout= --no-cache --logHeapUsage --findRelatedTests --onlyChanged -o --config= -c: --pool="
    " --no-file-parallelism"
    " --typecheck --headed= --max-failures= -x --quiet"
)
_GO_TEST = (
    "-v -run= -count= -race -short -timeout= -bench= -benchmem -cover -tags= -failfast -parallel= -json -p="
    " -vet= -list="
    " -skip= -cpu= -shuffle= -benchtime= -covermode="
)
_CARGO_TEST = (
    "-p: -q -v -j: --lib --bins --tests --test= --bin= --example= --examples --doc --all --workspace --all-features"
    " --no-default-features --features= --release --no-fail-fast --package= --exclude= --quiet --verbose"
    " --locked --offline"
    " --frozen --no-run --all-targets --target= --profile= --color= --message-format= --jobs= --benches"
    " --manifest-path="
)
_RUST_TEST_OPTIONS = (
    "-q --nocapture --no-capture --test-threads= --show-output --exact --ignored --include-ignored --list"
    " --quiet --skip="
)

# ----------------------------------------------------------------------------------------------------------------------
# Linters

_LINTERS: dict[str, tuple[str, str]] = {
    "ruff check": (
        "-q -v -s -n --select= --ignore= --extend-select= --output-format= --no-cache --diff --statistics"
        " --show-files --exit-zero --config= --target-version= --exclude= --preview --quiet --no-fix"
        " --isolated",
        "",
    ),
    "ruff format": (
        "-q --check --diff --config= --line-length= --quiet --exclude= --target-version=",
        "--check --diff",
    ),
    "ruff rule": (
        "--all --output-format=",
        "",
    ),
    "black": (
        "-q -v -l: -S -t: --check --diff --color --quiet --verbose --line-length= --config= --exclude="
        " --target-version= --fast",
        "--check --diff",
    ),
    "isort": (
        "-c --check --check-only --diff --profile= -q --quiet --line-length= -l:",
        "c --check --check-only --diff",
    ),
    "flake8": (
        "-j: -q -v --max-line-length= --ignore= --select= --extend-ignore= --exclude= --count --statistics"
        " --show-source --config= --max-complexity= --format= --exit-zero",
        "",
    ),
    "pylint": (
        "-E -j: -r: -s: --errors-only --disable= --enable= --rcfile= --score= --reports= --output-format=",
        "",
    ),
    "mypy": (
        "-p: -m: -v --strict --ignore-missing-imports --show-error-codes --no-error-summary --pretty --no-"
        " color-output --config-file= --python-version= --follow-imports= --explicit-package-bases"
        " --namespace-packages --package= --module= --no-incremental --check-untyped-defs --disallow-untyped-"
        " defs --warn-unused-ignores --platform= --hide-error-context --show-column-numbers --exclude= --no-"
        " strict-optional --verbose --no-warn-unused-ignores --disable-error-code="
        " --enable-error-code=",
        "",
    ),
    "pyright": (
        "-p: --project= --outputjson --stats --warnings --level= --pythonversion= --verbose",
        "",
    ),
    "bandit": (
        "-r -q -l -i -ll -x: -s: -c: --severity-level= --skip=",
        "",
    ),
    "vulture": (
        "--min-confidence= --exclude=",
        "",
    ),
    "tsc": (
        "-p: --noEmit --project= --skipLibCheck --pretty= --strict --listFiles --showConfig --incremental="
        " --jsx= --target= --module= --esModuleInterop --watch=",
        "--noEmit --showConfig",
    ),
    "vue-tsc": (
        "-p: --noEmit --project= --skipLibCheck",
        "--noEmit",
    ),
    "eslint": (
        "-c: -f: --ext= --config= --format= --quiet --max-warnings= --no-eslintrc --cache --rule= --ignore-"
        " path= --no-ignore --no-warn-ignored --report-unused-disable-directives --no-error-on-unmatched-"
        " pattern --color",
        "",
    ),
    "prettier": (
        "-c -l --check --list-different --config= --ignore-path= --log-level= --no-error-on-unmatched-pattern"
        " --loglevel=",
        "c l --check --list-different",
    ),
    "biome check": (
        "--max-diagnostics= --diagnostic-level= --colors= --no-errors-on-unmatched",
        "",
    ),
    "biome lint": (
        "--max-diagnostics= --diagnostic-level= --colors=",
        "",
    ),
    "biome ci": (
        "--max-diagnostics= --diagnostic-level= --colors=",
        "",
    ),
    "golangci-lint run": (
        "-v --timeout= --enable= --disable= --new-from-rev= --out-format= -c: --config= --fast",
        "",
    ),
    "staticcheck": (
        "",
        "",
    ),
    "rubocop": (
        "-f: --format --only= --parallel -P --display-cop-names -D",
        "",
    ),
    "phpstan analyse": (
        "-l: -c: --level= --configuration= --no-progress --memory-limit= --error-format=",
        "",
    ),
    "swiftlint lint": (
        "--quiet --strict --config=",
        "",
    ),
    "ktlint": (
        "--reporter=plain",
        "",
    ),
    "cargo check": (_CARGO_TEST, ""),
    "cargo clippy": (_CARGO_TEST, ""),
    "cargo fmt": (
        "-v -p: --all --check --package=",
        "--check",
    ),
    "cargo tree": (
        "-i: -d -p: -e: -f: --invert= --duplicates --depth= --package= --edges= --prefix= --features="
        " --locked --all-features --no-default-features --target= --workspace --offline --format= --no-dedupe",
        "",
    ),
    "cargo metadata": (
        "--no-deps --format-version= --offline --locked --manifest-path= --frozen",
        "",
    ),
    "cargo search": (
        "--limit=",
        "",
    ),
    "cargo test": (_CARGO_TEST, ""),
    "cargo nextest": (f"{_CARGO_TEST} -E:", ""),
}
"""For the command of a linter: its allowed options, and those of which one is needed."""


def is_toolchain(program: str) -> bool:
    """Whether a program is one of those known here."""
    return program in _TOOLCHAINS


def judge_toolchain(program: str, words: Words) -> bool:
    """Whether a package manager, test runner or linter only looks with these arguments."""
    program = _ALIASES.get(program, program)
    if program in _JUDGES and _JUDGES[program](words):
        return True
    if program in _LOOKING_OPTIONS:
        spec, needs = _LOOKING_OPTIONS[program]
        if allows(words, spec, needs=needs):
            return True
    if _judge_linter(program, words):
        return True
    return program in _PACKAGES and judge_verbs(_PACKAGES[program], words)


def _judge_linter(program: str, words: Words) -> bool:
    verb = f"{program} {words[0].text}" if words and words[0].is_plain else ""
    spec = _LINTERS.get(verb) or _LINTERS.get(program)
    if spec is None:
        return False
    rest = words[1:] if verb in _LINTERS else words
    if program == "cargo" and any(word.text == "--" for word in rest):
        at = next(at for at, word in enumerate(rest) if word.text == "--")
        return allows(rest[:at], spec[0]) and allows(rest[at + 1 :], _RUST_TEST_OPTIONS) and "clippy" not in verb
    return allows(rest, spec[0], needs=spec[1])


def _judge_pytest(words: Words) -> bool:
    found = parse_arguments(words, _PYTEST)
    return found is not None and all(_is_harmless_pytest_value(name, value.text) for name, value in found.values)


def _is_harmless_pytest_value(name: str, value: str) -> bool:
    match name:
        case "-p":  # another plugin may write
            return value.startswith("no:")
        case "-o":
            return value in (
                "addopts=",
                "addopts=''",
                'addopts=""',
                "log_cli=true",
                "log_cli=1",
                "console_output_style=count",
            )
        case "--cov-report":
            return value.startswith("term") or value == ""
        case _:
            return True


_UNITTEST = "-v -q -f -b -c -k: -s: -p: -t: --verbose --quiet --failfast --buffer --locals"
_PYTHON_MODULES: dict[str, Callable[[Words], bool]] = {
    "pytest": _judge_pytest,
    "unittest": lambda words: allows(words, _UNITTEST),
    "json.tool": lambda words: allows(words, "--indent= --sort-keys --no-ensure-ascii --json-lines --compact", most=1),
}
_PYTHON_TOOLS = names("pip mypy ruff flake8 black isort pylint")


def _judge_python(words: Words) -> bool:
    """Modules that test or list. Code and scripts may do anything."""
    at = next((at for at, word in enumerate(words) if word.text == "-m"), len(words))
    is_plain = allows(words[:at], "-B -u -I -s -E -W: -X:", most=0)
    module = words[at + 1].text if at + 1 < len(words) else ""
    if not is_plain or module not in _PYTHON_TOOLS | _PYTHON_MODULES.keys():
        return False
    judge = _PYTHON_MODULES.get(module)
    return judge(words[at + 2 :]) if judge else judge_toolchain(module, words[at + 2 :])


def _judge_npm(words: Words) -> bool:
    """The tests of a package, and other scripts that look."""
    found = parse_arguments(words, parse_spec(_PACKAGES["npm"].options + " -r -F: --filter= --dir= --cwd="), stop=True)
    rest = found.rest if found else []
    path = verb_words(rest)
    if path[:1] == ["audit"]:
        return len(path) == 1 and allows(rest[1:], "--json --omit= --production --audit-level= --level=")
    if path[:1] in (["run"], ["run-script"]):
        if len(rest) == 1:
            return True  # lists the scripts
        rest, path = rest[1:], path[1:]
    if not path or not _SCRIPTS.fullmatch(path[0]):
        return False
    return allows([word for word in rest[1:] if word.text != "--"], _JAVASCRIPT_TESTS)


def _judge_yarn(words: Words) -> bool:
    """The same for clients that run a tool by its name alone."""
    is_tool = bool(words) and words[0].text in _NODE_TOOLS
    return judge_toolchain(words[0].text, words[1:]) if is_tool else _judge_npm(words)


def _judge_npx(words: Words) -> bool:
    found = parse_arguments(words, parse_spec("-y --yes --no-install --no -q --quiet"), stop=True)
    tool = found.rest[0].text if found and found.rest else ""
    return found is not None and tool in _NODE_TOOLS and judge_toolchain(tool, found.rest[1:])


_NODE_TOOLS = names("jest vitest mocha playwright tsc vue-tsc eslint prettier biome ava")


def _judge_javascript_tests(words: Words) -> bool:
    return allows(words, _JAVASCRIPT_TESTS)


def _judge_playwright(words: Words) -> bool:
    return bool(words) and words[0].text == "test" and allows(words[1:], _JAVASCRIPT_TESTS)


def _judge_bun(words: Words) -> bool:
    return bool(words) and words[0].text == "test" and allows(words[1:], _JAVASCRIPT_TESTS)


_GO = {
    "test": _GO_TEST,
    "vet": "-json -tags= -c= -printf= -copylocks= -composites= -shadow=",
    "list": "-m -json -f= -deps -test -e -u -versions -tags= -find",
    "env": "-json -changed",
}


def _judge_go(words: Words) -> bool:
    verb = words[0].text if words else ""
    return verb in _GO and allows(words[1:], _GO[verb], single_dash=True)


_MAVEN = "-q -B -o -e -pl= -am -ntp -T= -f= -Dtest= -DfailIfNoTests= -Dsurefire.failIfNoSpecifiedTests= -Dstyle.color="
_MAVEN_GOALS = names("test dependency:tree dependency:list validate help:effective-pom help:evaluate surefire:test")
_GRADLE = (
    "-q -i -s --tests= --info --stacktrace --no-daemon --console= --offline --quiet --continue --rerun-tasks --parallel"
)
_GRADLE_TASK = re.compile(r"(?:[\w:-]*:)?(?:test(?:\w*UnitTest)?|tasks|dependencies|projects|properties)")


def _judge_maven(words: Words) -> bool:
    found = parse_arguments(words, parse_spec(_MAVEN, single_dash=True))
    return bool(found and found.operands and all(word.text in _MAVEN_GOALS for word in found.operands))


def _judge_gradle(words: Words) -> bool:
    found = parse_arguments(words, parse_spec(_GRADLE))
    return bool(found and found.operands and all(_GRADLE_TASK.fullmatch(word.text) for word in found.operands))


def _judge_dotnet(words: Words) -> bool:
    spec = (
        "-v: -c: -f: --filter= --no-build --no-restore --nologo --configuration= --verbosity= --framework= --list-tests"
    )
    return bool(words) and words[0].text == "test" and allows(words[1:], spec)


def _judge_mix(words: Words) -> bool:
    if words and words[0].text == "format":
        return allows(words[1:], "--check-formatted --dry-run", needs="--check-formatted --dry-run")
    return (
        bool(words)
        and words[0].text == "test"
        and allows(words[1:], "--only= --exclude= --trace --seed= --failed --stale")
    )


def _judge_deno(words: Words) -> bool:
    verb = words[0].text if words else ""
    if verb == "fmt":
        return allows(words[1:], "--check --ignore= --quiet", needs="--check")
    return verb in ("test", "lint") and allows(
        words[1:], "-A -q --allow-all --filter= --quiet --no-check --ignore= --json"
    )


def _judge_pacman(words: Words) -> bool:
    is_query = bool(words) and re.fullmatch(r"-(?:Q[a-z]*|S[si]+)", words[0].text) is not None
    return is_query and not any(word.may_be_option or word.text[:1] == "-" for word in words[1:])


def _options(spec: str) -> Callable[[Words], bool]:
    return lambda words: allows(words, spec)


_JUDGES: dict[str, Callable[[Words], bool]] = {
    "pytest": _judge_pytest,
    "python": _judge_python,
    "npm": _judge_npm,
    "pnpm": _judge_yarn,
    "yarn": _judge_yarn,
    "npx": _judge_npx,
    "jest": _judge_javascript_tests,
    "vitest": _judge_javascript_tests,
    "mocha": _judge_javascript_tests,
    "ava": _judge_javascript_tests,
    "playwright": _judge_playwright,
    "bun": _judge_bun,
    "go": _judge_go,
    "mvn": _judge_maven,
    "gradle": _judge_gradle,
    "dotnet": _judge_dotnet,
    "mix": _judge_mix,
    "deno": _judge_deno,
    "pacman": _judge_pacman,
    "rspec": _options(
        "-f: -e: -t: -P: -b --format= --tag= --example= --pattern= --fail-fast --color --no-color --seed= --order="
    ),
    "phpunit": _options(
        "-v -c: --filter= --testsuite= --group= --colors --testdox --stop-on-failure --configuration= --no-coverage"
    ),
    "ctest": _options("-R: -E: -L: -j: -V -N -C: --output-on-failure --test-dir= --timeout= --verbose"),
}
_ALIASES = {
    "python3": "python",
    "py.test": "pytest",
    "pip3": "pip",
    "./gradlew": "gradle",
    "./mvnw": "mvn",
    "gradlew": "gradle",
}
_TOOLCHAINS = frozenset(
    (*_JUDGES, *_PACKAGES, *_LOOKING_OPTIONS, *_ALIASES, *(command.split()[0] for command in _LINTERS))
)
