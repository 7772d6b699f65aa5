# `make demo` and `make test` need Python 3.11 or newer, make, and a pip that reaches a package registry.
# Another interpreter: `make test PYTHON=python3.12`.

PYTHON ?= python3
# One more than there are processors: a test often waits for what it has started.
JOBS ?= $(shell $(PYTHON) -c 'import os; print(os.cpu_count() + 1)' 2>/dev/null)
VENV := .venv
BIN := $(VENV)/bin
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
READY := $(VENV)/ready-$(VERSION)
LOCK := .ci/requirements.lock
WHEELS ?= build/images/wheels
SEEDS ?= 3000

.DEFAULT_GOAL := help
.PHONY: help setup demo test simulate-crash bench soak simulate lint format proto golden baseline wheels lock clean

help:  ## Show what can be made.
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 24

setup: $(READY)  ## Create or refresh .venv with the development set-up.

# The stamp is younger than what it was made from: a second run has nothing to do.
$(READY): $(LOCK) pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
		|| { echo "This needs Python 3.11 or newer; $(PYTHON) is $(or $(VERSION),missing). Name another: PYTHON=python3.12"; exit 1; }
	@test -e "$(BIN)/python$(VERSION)" || $(PYTHON) -m venv --clear $(VENV)
	"$(BIN)/python" -m pip install --quiet --disable-pip-version-check --require-hashes --requirement $(LOCK)
	"$(BIN)/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

demo: $(READY)  ## Watch the house bots of each game play a rated tournament.
	@"$(BIN)/tradepit" demo

test: $(READY)  ## Run every check: lint, types, import rules, schemas, tests; JOBS of them at the same time.
	@"$(BIN)/python" -m pytest --numprocesses $(JOBS) --dist loadfile --no-loadscope-reorder

simulate-crash: $(READY)  ## Kill tournaments at RUNS moments all over; they shall end as if nothing had been.
	@"$(BIN)/python" tests/crash/simulate.py $(if $(RUN),--run '$(RUN)',--runs $(or $(RUNS),200))

bench: $(READY)  ## Measure ratios against the fastest peers; writes build/bench.json.
	@"$(BIN)/python" tests/benchmarks/run.py

soak: $(READY)  ## Play for MINUTES (10), or BLOCKS, with BOTS (1000) whose lines break; fails if anything is lost.
	@"$(BIN)/python" tests/benchmarks/soak.py $(if $(BLOCKS),--blocks "$(BLOCKS)") $(if $(MINUTES),--minutes "$(MINUTES)") \
		$(if $(BOTS),--bots "$(BOTS)") $(SOAK)

simulate: $(READY)  ## Try the referee's core in SEEDS=3000 hostile worlds, or show SEED=0x2a alone.
	@"$(BIN)/python" tests/simulation/run.py $(if $(SEED),--seed $(SEED) --trace,--seeds $(SEEDS))

lint: $(READY)  ## Run the quick checks alone: ruff, mypy, import-linter.
	@"$(BIN)/python" -m pytest --quiet tests/house/test_lint.py

format: $(READY)  ## Let ruff lay out the code and mend what it can.
	@"$(BIN)/ruff" check --fix
	@"$(BIN)/ruff" format

proto: $(READY)  ## Regenerate code and stubs from proto/.
	@"$(BIN)/python" proto/generate.py clients/python/src

golden: $(READY)  ## Write the transcripts in tests/golden anew.
	@"$(BIN)/python" -m tradepit_server.testing transcripts tests/golden

baseline: $(READY)  ## Take proto/ as it is now for the image that no later change may break.
	@cd proto && "../$(BIN)/buf" build --output baseline.binpb

wheels: $(READY)  ## Gather what the images of docker/ install, in build/images/wheels.
	@rm -rf "$(WHEELS)"
	@"$(BIN)/python" -m pip download --quiet --disable-pip-version-check --require-hashes --only-binary=:all: \
		--python-version 3.11 --dest "$(WHEELS)" --requirement docker/requirements.lock
	@"$(BIN)/python" -m hatchling build --target wheel --directory "$(WHEELS)" >/dev/null

lock: $(READY)  ## Resolve the development set-up anew.
	@"$(BIN)/python" -m pip install --quiet --disable-pip-version-check uv
	@"$(BIN)/uv" pip compile pyproject.toml --extra dev --upgrade --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-header --no-annotate --quiet --output-file $(LOCK)
	@"$(BIN)/uv" pip compile pyproject.toml --extra server --constraint $(LOCK) --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-header --no-annotate --quiet --output-file docker/requirements.lock

clean:  ## Remove everything that can be made again.
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find clients server ladder tests proto -name __pycache__ -type d -prune -exec rm -rf {} +
