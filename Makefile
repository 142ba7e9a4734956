# Everything runs in .venv of this checkout, made on first use. `make help` lists the commands.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

PY := .venv/bin/python
NPM := $(shell command -v npm 2>/dev/null)

DOC_TESTS := $(wildcard tests/docs tests/test_docs.py)

# What an editable install has copied, so a change of these needs a new one.
INSTALLED_FROM := pyproject.toml hatch_build.py install.json $(wildcard qdash_jupyter/labextension/package.json qdash_jupyter/labextension/schemas/*/*.json)

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile

.PHONY: demo
demo: .venv/.installed-demo ## Open JupyterLab with the copilot on demo data (PORT=n, NO_BROWSER=1)
	@exec $(PY) -m scripts.demo

.PHONY: test
test: .venv/.installed-test browser bubblewrap $(if $(NPM),js/node_modules/.package-lock.json) ## All checks and the tests, browser tests included
	@$(PY) -m scripts.tests

.PHONY: quick
quick: .venv/.installed-test $(if $(NPM),js/node_modules/.package-lock.json) ## The checks, and the tests without browsers, kernels and databases
	@$(PY) -m scripts.tests quick

.PHONY: long
long: .venv/.installed-test browser bubblewrap $(if $(NPM),js/node_modules/.package-lock.json) ## The tests that take minutes
	@$(PY) -m scripts.tests long

.PHONY: check
check: .venv/.installed-test ## Linters, types and the drawn imports
	@$(MAKE) --no-print-directory -j2 types style

.PHONY: types
types:
	@.venv/bin/pyrefly check --summary=none

.PHONY: style
style: $(if $(NPM),js/node_modules/.package-lock.json)
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/lint-imports
	@$(PY) -m scripts.messages
	@.venv/bin/deptry qdash_jupyter
	@.venv/bin/deptry --ignore DEP002,DEP004 tests bench scripts
ifneq ($(NPM),)
	@$(NPM) --prefix js run --silent check
	@$(NPM) --prefix js --silent test
else
	@echo "npm is not installed: the TypeScript was not checked"
endif

.PHONY: fix
fix: .venv/.installed-test ## Mend what the linters can mend
	@.venv/bin/ruff check --fix .
	@.venv/bin/ruff format .

.PHONY: js
js: js/node_modules/.package-lock.json ## Rebuild what the browser gets after a change in js/src, domain/wire or messages
	@[ ! -e .venv/.installed-test ] || { $(PY) -m scripts.wire_types; $(PY) -m scripts.panel_words; }
	@$(NPM) --prefix js run --silent build
	@[ ! -e .venv/.installed-test ] || $(MAKE) --no-print-directory .venv/.installed-test

.PHONY: demo-chip
demo-chip: .venv/.installed-test ## Write the demo chip that comes with the package again, from bench/demo_chip; commit the result
	@rm -rf qdash_jupyter/data/demo/64Q-demo
	@PYTHONPATH=bench $(PY) -m demo_chip --curves -o qdash_jupyter/data/demo/64Q-demo

.PHONY: bench
bench: .venv/.installed-bench browser ## Run the measurements in bench/
	@for file in $$(grep -l '__main__' bench/*.py); do echo "== $$file"; $(PY) "$$file"; done

.PHONY: eval
eval: .venv/.installed-test ## Ask about chips with planted faults, judge curves with planted faults, and count what is right (QUESTIONS=regex)
	@PYTHONPATH=bench $(PY) -m eval
	@PYTHONPATH=bench $(PY) -m eval.curves

.PHONY: docs
docs: .venv/.installed-test ## Write the pages that are made of code, check the documentation: its code, names and links
	@$(PY) -m scripts.tools_page
	@$(PY) -m scripts.planner_page
	@$(PY) -m scripts.failures_page
	@$(PY) -m scripts.methods_page
	@$(PY) -m scripts.messages --write
	@PYTHONPATH=bench $(PY) -m scripts.curves_page
	@$(if $(DOC_TESTS),$(PY) -m pytest $(DOC_TESTS),echo "There are no tests of the documentation yet")

.PHONY: clean
clean: ## Remove everything that these commands made
	@rm -rf .venv .demo dist build js/node_modules .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: browser
browser: .venv/.installed-test
	@scripts/browser.sh >/dev/null

.PHONY: bubblewrap
bubblewrap:
	@scripts/bubblewrap.sh

.venv/pyvenv.cfg:
	@scripts/venv.sh

.venv/.installed-demo: $(INSTALLED_FROM) | .venv/pyvenv.cfg
	@echo "Installing qdash_jupyter and JupyterLab into .venv (half a minute to two minutes at first)"
	@scripts/install.sh lab,mcp
	@touch $@

# The tests' set holds all that the demo needs.
.venv/.installed-test: $(INSTALLED_FROM) | .venv/pyvenv.cfg
	@echo "Installing qdash_jupyter, JupyterLab and the tools of the tests into .venv (half a minute to two minutes at first)"
	@scripts/install.sh lab,test
	@touch $@ .venv/.installed-demo

.venv/.installed-bench: .venv/.installed-test
	@echo "Installing what the measurements compare with into .venv"
	@scripts/install.sh bench
	@touch $@

js/node_modules/.package-lock.json: js/package-lock.json
	@cd js && $(NPM) ci --loglevel=error >/dev/null
	@touch $@
