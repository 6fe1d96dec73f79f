# Everything runs from a virtual environment that the first call makes; only Python 3.11+, venv and make are needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
LOCK := uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --extra telegram --extra discord --extra pictures --extra postgres --quiet

.DEFAULT_GOAL := help
.PHONY: help play test check audit format words schema bench crash soak lock foreign clean

help:  ## show what there is
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

play: $(VENV)/installed  ## set everything up and play a quiz in this terminal
	@$(BIN)/quizbot play

test: $(VENV)/installed-dev .node/installed  ## set everything up and run the whole test suite
	$(BIN)/pytest --numprocesses=auto --dist=worksteal --cov=bot/core --cov-report=
	$(BIN)/coverage report --include='bot/core/*' --fail-under=100 --show-missing

check: $(VENV)/installed-dev  ## format, lint, types, import rules, secrets, dependencies, content, tests
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/mypy docs
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m tests.hygiene
	$(BIN)/quizbot check --strict
	$(MAKE) --no-print-directory test

audit: $(VENV)/installed-dev  ## look for secrets, and for dependencies that are loose or known to be faulty
	$(BIN)/python -m tests.hygiene

format: $(VENV)/installed-dev  ## format the code and mend what the linter can mend
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

words: $(VENV)/installed-dev  ## bring the catalogues up to date with the sentences in the code
	$(BIN)/python -m tests.words.messages

schema: $(VENV)/installed-dev  ## write the schema that editors complete quiz files with
	$(BIN)/python -m bot.content.schema

bench: $(VENV)/installed-dev  ## measure throughput and latency beside a ceiling of the same run
	$(BIN)/python -m tests.bench

crash: $(VENV)/installed-dev  ## kill it hard, again and again, and judge what is left: some minutes
	$(BIN)/python -m tests.crash.full

soak: $(VENV)/installed-dev  ## play for half an hour while things go wrong, and see whether it needs more and more
	$(BIN)/python -m tests.soak

lock: $(VENV)/installed-dev  ## pin the dependencies anew, with hashes
	$(BIN)/$(LOCK) --group build --upgrade --output-file requirements.lock
	$(BIN)/$(LOCK) --group build --group dev --constraint requirements.lock --upgrade --output-file requirements-dev.lock

foreign: .node/installed  ## install the foreign Bot API server that some tests play against, where Node.js is

clean:  ## remove the virtual environment and every cache
	rm -rf $(VENV) .node .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache *.egg-info

# Without Node.js, npm or a network there is no such file, and the tests that want it say so and are skipped.
.node/installed: $(addprefix tests/telegram/foreign/,package.json package-lock.json)
	@{ command -v node && command -v npm && [ "$$QUIZBOT_TEST_NODE" != 0 ]; } >/dev/null || exit 0; \
	  mkdir -p .node && cp $^ .node && cd .node && \
	  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=1 --fetch-timeout=20000 >npm.log 2>&1 && \
	  touch installed || echo "telegram-test-api cannot be installed (see .node/npm.log); tests with it are skipped"

$(VENV)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Quizbot needs Python 3.11 or newer; name one with: make PYTHON=python3.12 …"; exit 1; }
	@echo "Setting up $(VENV), once …"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/installed: $(VENV)/python requirements.lock pyproject.toml
	@$(PIP) install --require-hashes -r requirements.lock
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed requirements-dev.lock
	@$(PIP) install --require-hashes -r requirements-dev.lock
	@touch $@
