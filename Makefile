# The whole developer interface. Each target sets up what it needs; `make help` lists them.

PYTHON ?= python3
WORKERS ?= 2
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.stamp
LOCK := requirements/dev.lock
UV := VIRTUAL_ENV="$(CURDIR)/$(VENV)" $(BIN)/uv

# $(VENV)/.whole names the folder in which the lock was last installed to its end. It cannot be read when the
# interpreter is gone, and it differs when the folder was moved or copied: then the stamp counts for nothing.
WHOLE := $(BIN)/python -c 'print(open("$(VENV)/.whole").read())' 2>/dev/null
ifneq ($(shell $(WHOLE)),$(CURDIR))
.PHONY: $(STAMP)
endif

.DEFAULT_GOAL := help
.PHONY: help setup run demo test check bench torture reference bundle plugins lock clean

help: ## List the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-18s %s\n", $$1, $$2 }'

setup: $(STAMP) ## Make .venv and install the locked dependencies and the project in it

run: $(STAMP) ## Serve the journal on this machine: prints a link to the page, and what to paste into each client
	@$(BIN)/tallystick serve

demo: $(STAMP) ## Watch a killed agent be replaced by another
	@$(BIN)/tallystick demo

test: $(STAMP) ## Run the whole suite: all stores, a real PostgreSQL and browser, crashes, and what `make check` checks
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist=loadgroup

check: $(STAMP) ## Format, lint, types and import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP) ## Measure, as ratios in one run
	$(BIN)/python -m bench

torture: $(STAMP) ## The crash and property campaigns at full size
	$(BIN)/python -m tests.torture

reference: $(STAMP) ## Write docs/reference anew from the operations
	$(BIN)/python -m tools.reference

bundle: $(STAMP) ## Write dist/tallystick.mcpb, for clients that install a server from one file
	$(BIN)/python -m tools.bundle

plugins: $(STAMP) ## Write dist/claude and dist/gemini, for clients that install a plugin or an extension
	$(BIN)/python -m tools.plugins

lock: $(STAMP) ## Resolve pyproject.toml into the lock again (keeps pins that still fit)
	$(UV) pip compile pyproject.toml --quiet --all-extras --group dev --universal --generate-hashes --no-header -o $(LOCK)

clean: ## Remove .venv, caches and build output
	rm -rf $(VENV) dist build tests/node/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Two makes at once take turns (the lock is on this very file). A .venv that is not whole is made anew; the lock pins
# uv as well, so its own lines in the lock are what installs it.
$(STAMP): $(LOCK) pyproject.toml
	@set -e; exec 9<Makefile; if command -v flock >/dev/null; then flock 9; fi; \
	if [ "$$($(WHOLE))" != "$(CURDIR)" ]; then \
		echo "making $(VENV)"; \
		$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed" if sys.version_info < (3, 11) else 0)'; \
		$(PYTHON) -m venv --clear --without-pip $(VENV); \
		sed -n '/^uv==/,/# via/p' $(LOCK) > $(VENV)/uv.lock; \
		$(PYTHON) -m pip --python $(BIN)/python --disable-pip-version-check \
			install -q --require-hashes -r $(VENV)/uv.lock; \
	fi; \
	rm -f $(VENV)/.whole $(STAMP); \
	$(UV) pip install -q --compile-bytecode --require-hashes -r $(LOCK); \
	printf '%s' "$(CURDIR)" > $(VENV)/.whole; \
	$(UV) pip install -q --no-deps --no-build-isolation -e .; \
	touch $(STAMP)
