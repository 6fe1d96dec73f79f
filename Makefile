# Everything runs from a virtual environment that the first call makes; only Python 3.11+, venv and make are needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
LOCK := uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet

.DEFAULT_GOAL := help
.PHONY: help play test check format words schema bench lock clean

help:  ## show what there is
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

play: $(VENV)/installed  ## set everything up and play a quiz in this terminal
	@$(BIN)/quizbot play

test: $(VENV)/installed-dev  ## set everything up and run the whole test suite
	$(BIN)/pytest --cov --cov-report=
	$(BIN)/coverage report --include='bot/core/*' --fail-under=100 --show-missing

check: $(VENV)/installed-dev  ## format, lint, types, import rules, content, tests
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/mypy docs
	$(BIN)/lint-imports --no-logo
	$(BIN)/quizbot check --strict
	$(MAKE) --no-print-directory test

format: $(VENV)/installed-dev  ## format the code and mend what the linter can mend
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

words: $(VENV)/installed-dev  ## bring the catalogues up to date with the sentences in the code
	$(BIN)/python -m tests.words.messages

schema: $(VENV)/installed-dev  ## write the schema that editors complete quiz files with
	$(BIN)/python -m bot.content.schema

bench: $(VENV)/installed-dev  ## measure throughput and latency beside a ceiling of the same run
	$(BIN)/python -m tests.bench

lock: $(VENV)/installed-dev  ## pin the dependencies anew, with hashes
	$(BIN)/$(LOCK) --group build --upgrade --output-file requirements.lock
	$(BIN)/$(LOCK) --group build --group dev --constraint requirements.lock --upgrade --output-file requirements-dev.lock

clean:  ## remove the virtual environment and every cache
	rm -rf $(VENV) .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache *.egg-info

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
