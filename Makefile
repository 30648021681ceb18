# Everything runs from a bare clone: the first target builds .venv with the package and its tools.
# Needs python3 (3.11 or newer; another one by `make PYTHON=python3.12 test`) and access to a package index.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
WORKERS ?= 2

# Other packages that Linkwork is compared with, in an environment of their own; ARGS goes to the comparison.
PEERS := exudyn mujoco pin drake opensim
PEERS_VENV := .venv-peers
PEERS_BIN := $(PEERS_VENV)/bin
PEERS_STAMP := $(PEERS_VENV)/.installed
ARGS ?=

# The wheel, and the oldest dependencies, each in an environment of its own.
WHEEL_VENV := .venv-wheel
OLDEST_VENV := .venv-oldest
OLDEST_PYTHON ?= python3.11

CHECK_PYTHON = $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	|| { echo "Linkwork needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1)." \
	"Name another one: make PYTHON=python3.12"; exit 1; }

.PHONY: help demo test quick soak coverage wheel release oldest lint format bench bench-peers clean
.DEFAULT_GOAL := help

help:
	@echo "make demo         run linkwork demo: a four-bar, its results, pictures and a page into demo_output"
	@echo "make test         ruff, mypy and all tests ($(WORKERS) workers; WORKERS=0 for one process)"
	@echo "make quick        the tests to run while working: contracts, architecture, units but files, cli, view, textbook"
	@echo "make soak         the whole suite, campaigns at full length, then the suite by the library (about an hour)"
	@echo "make lint         ruff and mypy only"
	@echo "make format       the one formatter, ruff format, over everything"
	@echo "make bench        measure run and start-up times"
	@echo "make bench-peers  time to an error beside $(PEERS) (about half an hour; ARGS=--quick for a short look)"
	@echo "make coverage     which lines contracts and units run, kernels as plain Python; with a total"
	@echo "make wheel        build the wheel and run the README from it in an environment of its own"
	@echo "make release      build and try everything that would be published; publishes nothing (Linux, x86-64)"
	@echo "make oldest       make quick with the oldest dependencies that pyproject.toml allows (Python 3.11)"
	@echo "make clean        remove the environments and everything the tools leave behind"

# Rebuilt when pyproject.toml changes. The package is installed in place, so edits in src need nothing.
$(STAMP): pyproject.toml
	@$(CHECK_PYTHON)
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Setting up $(VENV) (once; again when pyproject.toml changes)"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(STAMP)
	$(BIN)/linkwork demo

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check -q . || { echo "Some files are not formatted: make format"; exit 1; }
	$(BIN)/mypy

format: $(STAMP)
	$(BIN)/ruff format .

test: lint
	$(BIN)/python -m pytest -n $(WORKERS)
	$(BIN)/python tests/library/by_library.py -n $(WORKERS) -q tests/contract tests/reference \
		--ignore-glob="*/test_textbook_*"  # which call no kernel

# Parts of the suite that say quickly whether something broke, unit tests with one case a set of coordinates;
# WHILE_WORKING is also what make oldest runs, and coverage takes the parts that it leaves aside, too.
AT_ONCE := --one-case -m "not slow and not soak" tests/architecture tests/contract tests/outside tests/unit \
	tests/reference/test_behaviour.py --ignore=tests/unit/kernels/test_plain.py
WHILE_WORKING := $(AT_ONCE) $(foreach part,cli files textbook view,--ignore=tests/unit/$(part))

quick: $(STAMP)
	$(BIN)/python -m pytest -n $(WORKERS) $(WHILE_WORKING)

# Lines of kernels count where kernels run as plain Python, which is slow: the small cases of tests/unit/kernels.
coverage: $(STAMP)
	$(BIN)/python -m pytest -n $(WORKERS) --cov --cov-report= $(AT_ONCE)
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m coverage run --append tests/unit/kernels/plain_cases.py --plain > /dev/null
	$(BIN)/python -m coverage report

wheel:
	@$(CHECK_PYTHON)
	rm -rf dist $(WHEEL_VENV)
	$(PYTHON) -m venv $(WHEEL_VENV)
	$(WHEEL_VENV)/bin/python -m pip wheel -qq --disable-pip-version-check --no-deps --wheel-dir dist .
	$(WHEEL_VENV)/bin/python -m pip install -qq --disable-pip-version-check "$$(ls dist/*.whl)[all]" pytest
	$(WHEEL_VENV)/bin/python tests/docs/from_wheel.py

# Everything that a release would publish, built and tried in empty environments; nothing is published.
release: $(STAMP)
	rm -rf dist build/release
	$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[dev,release]'
	$(BIN)/python tools/build_library.py build/release/_library.so
	$(BIN)/python -m hatchling build -t sdist -t wheel
	LINKWORK_BUILT_LIBRARY=build/release/_library.so HATCH_BUILD_HOOK_ENABLE_CUSTOM=true \
		$(BIN)/python -m hatchling build -t wheel
	$(BIN)/python tools/try_release.py dist

oldest:
	rm -rf $(OLDEST_VENV)
	$(OLDEST_PYTHON) -m venv $(OLDEST_VENV)
	$(OLDEST_PYTHON) tests/oldest.py > $(OLDEST_VENV)/constraints.txt
	$(OLDEST_VENV)/bin/python -m pip install -qq --disable-pip-version-check -c $(OLDEST_VENV)/constraints.txt \
		--editable '.[dev]'
	$(OLDEST_VENV)/bin/python -m pytest -n $(WORKERS) $(WHILE_WORKING)

soak: $(STAMP)
	LINKWORK_SOAK=1 $(BIN)/python -m pytest -n $(WORKERS) -rP
	$(BIN)/python tests/library/by_library.py -n $(WORKERS) -q

bench: $(STAMP)
	$(BIN)/python -m benchmarks

# A package without a wheel for this Python is left out; the table says so.
$(PEERS_STAMP): pyproject.toml
	@$(CHECK_PYTHON)
	@test -x $(PEERS_BIN)/python || $(PYTHON) -m venv $(PEERS_VENV)
	@echo "Setting up $(PEERS_VENV) (once; again when pyproject.toml changes; about 1.5 GB)"
	@$(PEERS_BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[frames]'
	@for peer in $(PEERS); do \
		$(PEERS_BIN)/python -m pip install -qq --disable-pip-version-check --only-binary :all: $$peer \
		|| echo "$$peer cannot be installed here and is left out"; done
	@touch $@

bench-peers: $(PEERS_STAMP)
	$(PEERS_BIN)/python -m benchmarks.peers $(ARGS)

clean:
	rm -rf $(VENV) $(PEERS_VENV) $(WHEEL_VENV) $(OLDEST_VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
