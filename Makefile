# Two commands, each does all its own set-up on a machine with Python >= 3.11, Node >= 20.19 and make:
#   make demo    plays the recorded game and prints the address for the phone (more options: make demo ARGS="--port 9000")
#   make test    every check and every test but the slow ones

PYTHON ?= $(shell scripts/find-python)
ARGS   ?=
VENV   := .venv
PIP    := $(VENV)/bin/python -m pip install -qq --disable-pip-version-check -c requirements.lock
WEB    := api/web
PAGE   := $(WEB)/dist/index.html
# What the page is made of. Folders count too: they change when a file in them is deleted.
WEB_SOURCES := $(shell find $(WEB)/* \( -path $(WEB)/node_modules -o -path $(WEB)/dist \) -prune -o -print)
START  := $(shell date +%s)
# Many tests wait for a server, a broker or a page: one more than there are cores keeps all of them busy.
AT_ONCE = $$(( $$($(VENV)/bin/python -c 'import os; print(os.cpu_count())') + 1 ))

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-slow test-search check lock pages pictures notebooks docs docs-version film version release clean

help: ## say what can be made
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' Makefile | expand -t 12

demo: $(VENV)/runtime.stamp $(PAGE) ## play the recorded game; phone page and overlay on the printed address
	@$(VENV)/bin/tableside demo $(ARGS)

test: $(VENV)/dev.stamp $(PAGE) ## every check and every test but the slow ones
	@scripts/ensure-chromium
	@scripts/ensure-hall-servers
	@scripts/check lint
	@mkdir -p build; scripts/check types > build/types.log 2>&1 & types=$$!; \
	$(VENV)/bin/python -m pytest -m "not slow" -n $(AT_ONCE) --dist loadfile --no-loadscope-reorder $(ARGS); tests=$$?; \
	wait $$types || { tests=1; cat build/types.log; }; exit $$tests
	@echo "make test: $$(( $$(date +%s) - $(START) )) s wall time, set-up included"

test-slow: $(VENV)/dev.stamp $(PAGE) ## the tests that take minutes
	@scripts/ensure-chromium
	@scripts/ensure-hall-servers
	@$(VENV)/bin/python -m pytest -m slow $(ARGS)

test-search: $(VENV)/dev.stamp $(PAGE) ## the laws on other examples each time; what it finds becomes a test of its own
	@$(VENV)/bin/python -m pytest -m "not slow and not browser" --hypothesis-profile=search $(ARGS)

check: $(VENV)/dev.stamp ## lint, format and types; no test
	@scripts/check

lock: ## write the locks anew, pins that still fit kept (ARGS=--upgrade: what is newest today; ARGS=--check: writes nothing)
	@PYTHON=$(PYTHON) scripts/lock $(ARGS)

pages: $(VENV)/dev.stamp ## write anew what comes from the code: pages of docs/ and the phone's types
	@$(VENV)/bin/python scripts/generate_docs.py
	@$(VENV)/bin/python scripts/generate_ts_types.py

pictures: $(VENV)/dev.stamp $(PAGE) ## take every picture of the README and of docs/ anew from the product (ARGS="book hall": these sets)
	@$(VENV)/bin/python -m scripts.docs_pictures $(ARGS)

docs: $(VENV)/dev.stamp ## build the documentation as a site, strictly: build/site/index.html
	@NO_MKDOCS_2_WARNING=1 $(VENV)/bin/mkdocs build --strict --quiet
	@echo "build/site/index.html"

docs-version: export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
docs-version: $(VENV)/dev.stamp ## add the pages of this version to the branch gh-pages, beside those of earlier ones
	@NO_MKDOCS_2_WARNING=1 mike deploy --update-aliases "$$(tableside --version | cut -d' ' -f2)" latest
	@mike set-default latest

notebooks: $(VENV)/dev.stamp ## run the notebooks of the cookbook anew, and keep what comes out
	@$(VENV)/bin/python -m scripts.docs_cookbook

film: $(VENV)/dev.stamp $(PAGE) ## take the film on the documentation's home page anew from the demo
	@$(VENV)/bin/python scripts/docs_film.py

version: $(VENV)/dev.stamp ## raise the version and gather changelog.d: make version VERSION=1.0.0
	@$(VENV)/bin/python -m scripts.release version "$(VERSION)"
	@$(VENV)/bin/python -m scripts.licences

release: $(if $(filter yes,$(TESTED)),check $(PAGE),test) ## checks, tests, then sdist, wheels, bill of materials and SHA-256 sums in dist/ (TESTED=yes: no tests again)
	@$(PIP) -e '.[release]'
	@$(VENV)/bin/python -m scripts.release build
	@echo "make release: $$(( $$(date +%s) - $(START) )) s wall time"

clean: ## remove everything that was built or installed here
	rm -rf $(VENV) $(WEB)/node_modules $(WEB)/dist dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	@scripts/make-venv "$(PYTHON)" $(VENV)

# Installing also compiles the kernels (hatch_build.py).
$(VENV)/runtime.stamp: requirements.lock pyproject.toml hatch_build.py $(wildcard referee/line_of_sight/kernel/*.[ch] vision/native/kernel/*.[ch]) | $(VENV)/bin/python
	@echo "Installing what runs at a table (about a minute the first time) ..."
	@$(PIP) -e .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/runtime.stamp
	@echo "Installing what tests and checks need ..."
	@$(PIP) -e '.[announce,dev,docs,https,hub,metrics,mqtt,streams,timestamp]'
	@touch $@

$(WEB)/node_modules/.package-lock.json: $(WEB)/package-lock.json
	@scripts/need-node
	@echo "Installing what builds the phone's page ..."
	@cd $(WEB) && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(PAGE): $(WEB)/node_modules/.package-lock.json $(WEB_SOURCES)
	@echo "Building the phone's page ..."
	@cd $(WEB) && npm run --silent build
	@touch $@
