# Two commands do everything: `make play` and `make test`.
.PHONY: play test test-faults test-deploy test-browsers load bench install install-dev lint format lock clean help
.DEFAULT_GOAL := help

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes

help:
	@echo 'make play         install what is needed and start the game on this machine'
	@echo 'make test         install what is needed and run every test'
	@echo 'make test-browsers  a whole game each in Firefox and WebKit (Debian)'
	@echo 'make test-deploy  the containers, built and run as a host would (Debian, root)'
	@echo 'make test-faults  the long form of the fault runs: 100,000 commands of each kind, an hour or more'
	@echo 'make install      only install: the program is $(BIN)/gameserver'
	@echo 'make load         players by locust against the whole product; leaves loadtests/report.html'
	@echo 'make bench        the speed of every part, as a table'
	@echo 'make lint         formatting, types, imports'
	@echo 'make format       put the formatting right'
	@echo 'make lock         renew the lock files after a change of pyproject.toml'

play: install
	@exec $(BIN)/gameserver play

install: .venv/installed

install-dev: .venv/installed-dev

# The page is built by the package's build hook, which skips it when nothing has changed.
.venv/installed: requirements.txt pyproject.toml build_page.py $(shell find clients/web -type f -not -path '*/node_modules/*' -not -path '*/dist/*')
	@deploy/make-venv $(PYTHON)
	@$(PIP) -r requirements.txt -r requirements-build.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

.venv/installed-dev: .venv/installed requirements-dev.txt
	@$(PIP) -r requirements-dev.txt
	@touch $@

.venv/installed-load: .venv/installed-dev requirements-load.txt
	@$(PIP) -r requirements-load.txt
	@touch $@

test: install-dev
	tests/run

test-faults: install-dev
	.venv/bin/python -m tests.faults

test-browsers: install-dev
	@tests/browser/others/run

test-deploy: install-dev
	tests/deploy/run

load: .venv/installed-load
	$(BIN)/python -m loadtests.run

bench: .venv/installed-load
	tests/prepare
	$(BIN)/python -m loadtests.bench

lint: install-dev
	tests/lint

format: install-dev
	$(BIN)/ruff check --quiet --fix .
	$(BIN)/ruff format --quiet .
	$(BIN)/python build_page.py npm run --silent format

lock:
	$(BIN)/python -m pip install --quiet uv
	for extra in '' dev load; do \
	  $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
	    $${extra:+--extra $$extra} pyproject.toml --output-file requirements$${extra:+-$$extra}.txt || exit 1; \
	done
	printf 'hatchling\neditables\nnodejs-wheel-binaries\n' | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-header - --output-file requirements-build.txt

clean:
	rm -rf .venv build dist gameserver/web/page clients/web/node_modules clients/web/dist
