# Everything runs from a bare clone: the first target builds .venv with the package and its tools.
# Needs python3 (3.11 or newer; another one by `make PYTHON=python3.12 test`) and access to a package index.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
WORKERS ?= 2

.PHONY: help demo test lint bench clean
.DEFAULT_GOAL := help

help:
	@echo "make demo    run linkwork demo: a four-bar, its results and pictures into demo_output"
	@echo "make test    ruff, mypy and all tests ($(WORKERS) workers; WORKERS=0 for one process)"
	@echo "make lint    ruff and mypy only"
	@echo "make bench   measure run and start-up times"
	@echo "make clean   remove .venv and everything the tools leave behind"

# Rebuilt when pyproject.toml changes. The package is installed in place, so edits in src need nothing.
$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Linkwork needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1)." \
		"Name another one: make PYTHON=python3.12"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Setting up $(VENV) (once; again when pyproject.toml changes)"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(STAMP)
	$(BIN)/linkwork demo

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/mypy

test: lint
	$(BIN)/python -m pytest -n $(WORKERS)

bench: $(STAMP)
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
