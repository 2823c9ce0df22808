# Everything happens in one virtual environment, .venv in this checkout. `make` lists the targets.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

# The Python that .venv is made with: make PYTHON=python3.12 venv
PYTHON ?= python3
# How many tests run at the same time: as many as there are cores.
WORKERS ?= $(shell nproc 2>/dev/null || echo 2)

# How many inputs `make fuzz` spoils.
N ?= 10000

VENV := .venv
IN_VENV := $(VENV)/bin/python
FORETREE := $(IN_VENV) -m foretree

# Empty files that say what is installed already; older than pyproject.toml means: look again.
READY := $(VENV)/.ready
DEV_READY := $(VENV)/.ready-dev

# Prints the packages as pip comes to them, so that a slow line shows that it is getting on.
define install
	@begun=$$SECONDS; printf 'Installing %s:' "$(1)"; \
	if ! $(IN_VENV) -m pip install --disable-pip-version-check --no-input -e "$(2)" \
	    2>$(VENV)/pip-errors.txt | while read -r word name _; do \
	    if [[ $$word == Collecting ]]; then printf ' %s' "$${name%%[][<>=!~;]*}"; fi; done; \
	then printf '\n'; cat $(VENV)/pip-errors.txt >&2; \
	    echo "make: the installation failed; pip says why in the lines above." >&2; exit 1; fi; \
	printf '\n'; echo "Installed in $$((SECONDS - begun)) s."
endef

.PHONY: help
help: ## list the targets
	@echo "Foretree: a behaviour-tree agent that checks the world before every action."; echo
	@sed -n 's/^\([a-z-]*\):.* ## \(.*\)/  make \1|\2/p' Makefile | column -t -s '|' 2>/dev/null || \
	    sed -n 's/^\([a-z-]*\):.* ## \(.*\)/  make \1: \2/p' Makefile

.PHONY: venv
venv: $(READY) ## set up .venv with Foretree in it (PYTHON=python3.12 chooses the Python)

.PHONY: run
run: $(READY) ## put the mango into the fridge, while somebody moves the mango
	@$(FORETREE) run "put the mango into the fridge" --scene kitchen \
	    --fault "after 1: move mango1 table2" --compare

.PHONY: test
test: $(DEV_READY) ## run the tests (WORKERS=8 runs more at the same time)
	@$(IN_VENV) -m pytest -n $(WORKERS) --dist worksteal -m "not slow and not ros" tests

.PHONY: test-slow
test-slow: $(DEV_READY) ## run the tests that take minutes
	@$(IN_VENV) -m pytest -n $(WORKERS) --dist worksteal -m slow tests

.PHONY: test-ros
test-ros: ## run the tests that take a sourced ROS 2, with the Python of that ROS (skipped without one)
	@if ! python3 -c 'import rclpy' 2>/dev/null; then \
	    echo "make test-ros: skipped, no ROS 2 is sourced here (. /opt/ros/DISTRIBUTION/setup.bash)."; \
	else PYTHONPATH="$$PWD:$$PYTHONPATH" python3 -m pytest -m ros tests/ros; fi

.PHONY: fuzz
fuzz: $(DEV_READY) ## give spoilt files and options to everything that reads them (N=1000000 takes hours)
	@$(IN_VENV) tests/hostile.py $(N)

.PHONY: lint
lint: $(DEV_READY) ## check style and formatting
	@$(IN_VENV) -m ruff check .
	@$(IN_VENV) -m ruff format --check .

.PHONY: types
types: $(DEV_READY) ## check types
	@$(IN_VENV) -m mypy

.PHONY: building
building: $(DEV_READY) ## plan the fifty tasks of the building; the report goes to reports/ (takes hours)
	@$(FORETREE) regress building --output reports

.PHONY: bench
bench: $(DEV_READY) ## measure speed
	@$(IN_VENV) -m pytest benchmarks/bench_*.py

.PHONY: docs
docs: $(DEV_READY) ## write the generated parts of docs/ and the README anew
	@$(IN_VENV) docs/generate.py
	@$(IN_VENV) docs/make_picture.py
	@$(IN_VENV) docs/draw_house.py

.PHONY: web
web: web/node_modules ## build the front-end of the debugger into the package (needs Node.js)
	@cd web && npm run --silent build

.PHONY: web-check
web-check: web/node_modules ## check its types, and that the bundle in the repository is up to date
	@cd web && npm run --silent check

web/node_modules: web/package-lock.json
	@cd web && npm ci --silent --no-audit --no-fund
	@touch $@

.PHONY: wheel
wheel: $(DEV_READY) ## build the source distribution and the wheel into dist/
	@rm -rf dist
	@$(IN_VENV) -m build --outdir dist . >$(VENV)/build.txt 2>&1 || { cat $(VENV)/build.txt >&2; exit 1; }
	@ls dist/*

.PHONY: clean
clean: ## remove .venv and everything else that was made
	@rm -rf $(VENV) web/node_modules build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks
	@find foretree tests docs benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

$(READY): pyproject.toml | $(IN_VENV)
	$(call install,Foretree,.)
	@touch $@

$(DEV_READY): pyproject.toml | $(IN_VENV)
	$(call install,Foretree and what its tests need,.[dev])
	@touch $(READY) $@

# One line for each thing that is missing, and what brings it.
$(IN_VENV):
	@missing=0; \
	miss() { echo "make: $$1" >&2; missing=1; }; \
	command -v git >/dev/null || miss "git is missing. On Debian: sudo apt install git"; \
	if ! command -v "$(PYTHON)" >/dev/null; then \
	    miss "there is no $(PYTHON). On Debian: sudo apt install python3 python3-venv"; \
	elif ! "$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then \
	    miss "$(PYTHON) is $$("$(PYTHON)" -V 2>&1), but Foretree needs Python 3.10 or newer. \
	Name one: make PYTHON=python3.12 venv"; \
	elif ! "$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null; then \
	    miss "$(PYTHON) cannot make virtual environments. On Debian: sudo apt install python3-venv"; \
	fi; \
	exit $$missing
	@echo "Making $(VENV) with $$("$(PYTHON)" -V)."
	@"$(PYTHON)" -m venv $(VENV)
