# Every target creates .venv when it is missing, installs taut into it once, and reuses it.
# Nothing is written outside this folder. No compiler is needed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# numba compiles on first use; two workers keep two cores busy
WORKERS ?= 2

CORE := $(VENV)/.taut-installed
DEV := $(VENV)/.taut-installed-dev
DOCS := $(VENV)/.taut-installed-docs

# What "make demo" runs, and where it writes.
DEMO := mamidi-pick-and-place
DEMO_FOLDER := demo

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export MPLBACKEND := Agg
export NO_MKDOCS_2_WARNING := 1
# tests start some hundred processes: without bytecode on the disk each would parse all sources that it imports anew
unexport PYTHONDONTWRITEBYTECODE

.NOTPARALLEL:
.DEFAULT_GOAL := help
.PHONY: help demo test quick check format bench docs wheel clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

demo: $(CORE) ## run the pick and place of a cable robot, draw its figures and write its report
	@mkdir -p $(DEMO_FOLDER)
	$(BIN)/taut run $(DEMO) -o $(DEMO_FOLDER)/pick-and-place.nc
	$(BIN)/taut plot $(DEMO_FOLDER)/pick-and-place.nc -o $(DEMO_FOLDER) --group motion,deviation,tension,energy
	$(BIN)/taut report $(DEMO_FOLDER)/pick-and-place.nc -o $(DEMO_FOLDER)/report.html
	@echo "--> open $(DEMO_FOLDER)/report.html in a browser: the machine in motion, figures, audit"
	@echo "--> open $(DEMO_FOLDER)/deviation.png: how far the platform swings behind the four moving exits"
	@echo "--> open $(DEMO_FOLDER)/tension.png: the pull at both ends of every cable"
	@echo "--> next: $(BIN)/taut init $(DEMO), edit the copy, and run it"
	@echo "--> other kinds of machines compile their code once, a minute each; $(BIN)/taut compile does it in advance"

test: $(DEV) ## run all tests and the import contracts
	$(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder
	$(BIN)/lint-imports

quick: $(DEV) ## the daily loop: reading and building, and the kernels as plain Python
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n $(WORKERS) -m "nojit or uncompiled" tests/unit tests/identities
	$(BIN)/pytest -n $(WORKERS) -m "not slow" tests/unit/scenario tests/unit/build tests/unit/results

check: $(DEV) ## lint, format, types, import contracts, file sizes
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright
	$(BIN)/lint-imports
	$(BIN)/pytest tests/house/test_file_sizes.py

format: $(DEV) ## let ruff repair and format the code
	$(BIN)/ruff check --fix --exit-zero --quiet
	$(BIN)/ruff format

bench: $(DEV) ## measure speed and growth on this machine
	$(BIN)/taut bench forward-dynamics

docs: $(DOCS) ## build the documentation into site/
	$(BIN)/mkdocs build --strict
	@echo "--> open site/index.html"

wheel: $(DEV) ## a wheel with compiled code inside, for this version of Python, in dist/ (a quarter of an hour)
	$(BIN)/python packaging/make_wheel.py
	@echo "--> pip install dist/taut-*.whl"

clean: ## remove caches and builds, compiled kernels included; .venv stays
	rm -rf build dist site demo .hypothesis .import_linter_cache .pytest_cache .ruff_cache
	find src tests docs -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "taut needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..."; exit 1; }
	@echo "--> creating $(VENV)"
	$(PYTHON) -m venv $(VENV)

$(CORE): pyproject.toml | $(BIN)/python
	@echo "--> installing taut into $(VENV) (once)"
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(DEV) $(DOCS): $(VENV)/.taut-installed-%: pyproject.toml $(CORE)
	@echo "--> installing the [$*] tools into $(VENV) (once)"
	$(BIN)/python -m pip install --quiet --editable ".[$*]"
	@touch $@
