# The whole developer interface. Each target installs what it needs; `make help` lists them.

PYTHON ?= python3
# Many tests wait for a process or a browser: a third worker uses what two leave of two cores.
WORKERS ?= 3
VENV ?= .venv
BIN := $(VENV)/bin
UV := VIRTUAL_ENV="$(CURDIR)/$(VENV)" $(BIN)/uv

# Stamps of what is installed in $(VENV): RUN is enough to serve, DEV is everything.
RUN := $(VENV)/.run
DEV := $(VENV)/.dev

# $(VENV)/.whole names the folder in which a lock was last installed to its end. It cannot be read when the interpreter
# is gone, and it differs when the folder was moved or copied. Then the stamps do not count.
WHOLE := $(BIN)/python -c 'print(open("$(VENV)/.whole").read())' 2>/dev/null
ifneq ($(shell $(WHOLE)),$(CURDIR))
.PHONY: $(RUN) $(DEV)
endif

# The behaviour tests that `make quick` leaves to `make test`.
SLOW_CELLS := local-postgres or async-sqlite or cli-sqlite or mcp-sqlite or mcp2025-sqlite or rest-sqlite

.DEFAULT_GOAL := help
.PHONY: help setup run install demo test quick check hooks pythons bench torture reference page bundle plugins lock clean

help: ## List the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-18s %s\n", $$1, $$2 }'

run: $(RUN) ## Serve the journal on this machine: prints a link to the page, and what to paste into each client
	@$(BIN)/tallystick serve $(if $(PORT),--port $(PORT))

install: $(RUN) ## Put the command `tallystick` on your PATH (EXTRAS=postgres adds the driver of PostgreSQL)
	@echo "installing the command tallystick"
	@$(BIN)/uv tool install --quiet --force --python "$$($(BIN)/python -c 'import sys; print(sys._base_executable)')" \
		--constraints requirements/run.lock ".$(if $(EXTRAS),[$(EXTRAS)])"
	@folder="$$($(BIN)/uv tool dir --bin)"; echo "installed $$folder/tallystick"; \
	if [ "$$(command -v tallystick)" != "$$folder/tallystick" ]; then \
		echo "It is not on your PATH yet. Add this to your shell's profile: export PATH=\"$$folder:\$$PATH\""; \
	fi

demo: $(RUN) ## Watch a killed agent be replaced by another
	@$(BIN)/tallystick demo

setup: $(DEV) ## Install the locked development tools in .venv

test: $(DEV) ## Run the whole suite: all stores, a real PostgreSQL and browser, crashes, and what `make check` checks
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist=loadgroup

quick: check ## The first minutes of `make test`: checks, core, and behaviour on memory and SQLite
	$(BIN)/python -m pytest -q -n $(WORKERS) tests/core tests/conventions tests/behaviour \
		--deselect tests/conventions/test_checks.py -k "not ($(SLOW_CELLS))"

check: $(DEV) ## Format, lint, types and import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

hooks: ## Run `make check` before each commit of this checkout
	git config core.hooksPath tools/git-hooks

pythons: ## Run `make quick` on each Python from 3.11 to 3.14 that is on this machine
	@for version in 3.11 3.12 3.13 3.14; do \
		found=; \
		for python in "$$(command -v python$$version)" "$${PYENV_ROOT:-$$HOME/.pyenv}"/versions/$$version.*/bin/python; do \
			"$$python" -c '' 2>/dev/null && found="$$python" && break; \
		done; \
		if [ -n "$$found" ]; then \
			echo "Python $$version: $$found"; \
			$(MAKE) --no-print-directory quick VENV=.venv-$$version PYTHON="$$found" || exit 1; \
		else echo "Python $$version: not on this machine"; fi; \
	done

bench: $(DEV) ## Measure, as ratios in one run
	$(BIN)/python -m bench

torture: $(DEV) ## The crash and property campaigns at full size, and a journal of ten million entries
	$(BIN)/python -m tests.torture
	$(BIN)/python -m bench --only growth --entries 10000000

reference: $(DEV) ## Write docs/reference and the other generated texts from the source
	$(BIN)/python -m tools.reference

page: $(DEV) ## Bundle the page, after a change of its sources
	$(BIN)/python -m tools.page_bundle

bundle: $(DEV) ## Write dist/tallystick.mcpb, for clients that install a server from one file
	$(BIN)/python -m tools.bundle

plugins: $(DEV) ## Write dist/claude and dist/gemini, for clients that install a plugin or an extension
	$(BIN)/python -m tools.plugins

lock: $(DEV) ## Resolve pyproject.toml into the locks again (keeps pins that still fit)
	$(UV) pip compile pyproject.toml --quiet --all-extras --group dev --universal --generate-hashes --no-header \
		-o requirements/dev.lock
	$(UV) pip compile pyproject.toml --quiet --group build --universal --generate-hashes --no-header \
		--constraints requirements/dev.lock -o requirements/run.lock

clean: ## Remove the virtual environments, caches and build output
	rm -rf .venv .venv-* dist build tests/node/node_modules tools/page/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis \
		.import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(RUN): requirements/run.lock pyproject.toml
	$(call install_lock,run,what serving needs)
	@touch $(RUN)

$(DEV): requirements/dev.lock pyproject.toml
	$(call install_lock,dev,the development tools)
	@touch $(RUN) $(DEV)

# Two makes at once take turns (the lock is on this very file). A virtual environment that is not whole is made again.
# uv is pinned too: its own lines in the lock install it.
define install_lock
	@set -e; exec 9<Makefile; if command -v flock >/dev/null; then flock 9; fi; \
	if [ "$$($(WHOLE))" != "$(CURDIR)" ]; then \
		echo "making $(VENV)"; \
		$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed" if sys.version_info < (3, 11) else 0)'; \
		$(PYTHON) -m venv --clear --without-pip $(VENV); \
		sed -n '/^uv==/,/# via/p' requirements/$(1).lock > $(VENV)/uv.lock; \
		$(PYTHON) -m pip --python $(BIN)/python --disable-pip-version-check \
			install -q --require-hashes -r $(VENV)/uv.lock; \
	fi; \
	echo "installing $(2)"; \
	rm -f $(VENV)/.whole $(RUN) $(DEV); \
	$(UV) pip install -q --compile-bytecode --require-hashes -r requirements/$(1).lock; \
	printf '%s' "$(CURDIR)" > $(VENV)/.whole; \
	$(UV) pip install -q --no-deps --no-build-isolation -e .
endef
