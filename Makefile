# One word runs each habit. Everything happens in a .venv of this folder's own.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
PDFCHECK := $(VENV)/pdfcheck
BROWSERS := $(VENV)/browsers
SITE := .site/venv

# Without bytecode on disk each process that a test starts would compile everything anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-slow soak fuzz lowest platforms pdfcheck browsers check format golden pictures bench docs site clean

demo: $(READY)
	@test ! -e vaultkit-demo || { echo "vaultkit-demo is there already. Delete it and make demo again;" \
		"'make clean' deletes it, and .venv, too. For another folder: $(BIN)/vaultkit demo DIR"; exit 1; }
	$(BIN)/vaultkit demo

test: $(READY)
	$(BIN)/python -m pytest -n 2 --dist load -m "not slow"

test-slow: $(READY)
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m slow

soak: $(READY)
	VAULTKIT_TESTS=soak $(BIN)/python -m pytest -n 2 --dist loadgroup

# Files that strangers may send, mutated for so long; VAULTKIT_SEED takes others.
MINUTES ?= 20
fuzz: $(READY)
	$(BIN)/python -m tests.fuzz $(MINUTES)

# The short tests with the oldest libraries that pyproject.toml allows.
lowest: .uv/ready
	.uv/bin/uv venv --quiet --clear --python $(PYTHON) .lowest
	.uv/bin/uv pip compile --quiet --resolution lowest-direct pyproject.toml --output-file .lowest/lowest.txt
	.uv/bin/uv pip install --quiet --python .lowest/bin/python --requirement .lowest/lowest.txt --group dev --editable .
	.lowest/bin/python -m pytest -n 2 --dist load -m "not slow"

# Where there are wheels of everything, for docs/installing.md.
platforms: .uv/ready
	PATH=.uv/bin:$$PATH $(PYTHON) scripts/platforms.py

.uv/ready:
	$(PYTHON) -m venv .uv
	.uv/bin/python -m pip install --quiet --disable-pip-version-check uv
	touch .uv/ready

pdfcheck: $(PDFCHECK)

# What drives the browsers of the machine, axe, which finds what keeps people out of a page, and programs that fill in PDFs.
browsers: $(BROWSERS)

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	printf '%s\n' linux darwin win32 | xargs -P 3 -I NAME $(BIN)/mypy --platform NAME --cache-dir .mypy_cache/NAME
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m scripts.shape --check
	$(BIN)/python -m scripts.names --check

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

golden: $(READY)
	$(BIN)/python scripts/golden.py

pictures: $(READY)
	$(BIN)/python scripts/pictures.py
	$(BIN)/python -m scripts.note_picture
	$(BIN)/python -m scripts.readme_pictures

docs: $(READY)
	$(BIN)/python -m scripts.cli_reference
	$(BIN)/python -m scripts.fields
	$(BIN)/python -m scripts.layers
	$(BIN)/python -m scripts.limits
	$(BIN)/python -m scripts.obsidian_files
	$(MAKE) --no-print-directory site

# The same pages to read in a browser, without a network: .site/html/index.html
site: $(SITE)/ready
	$(SITE)/bin/python -m sphinx -c site -q -j 2 -W --keep-going -d .site/kept . .site/html

$(SITE)/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(SITE)
	$(SITE)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(SITE)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --group site
	touch $(SITE)/ready

bench: $(READY) .bench/ready
	$(BIN)/python bench/startup.py
	$(BIN)/python bench/vault.py --tools .bench/bin
	$(BIN)/python bench/fixing.py
	$(BIN)/python bench/games.py --tools .bench/bin
	$(BIN)/python bench/printing.py --tools .bench/bin
	$(BIN)/python bench/table.py

.bench/ready: bench/peers.txt
	$(PYTHON) -m venv .bench
	.bench/bin/python -m pip install --quiet --disable-pip-version-check --requirement bench/peers.txt
	touch .bench/ready

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'vaultkit needs Python 3.11 or newer')"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --group dev --editable ".[scripts]"
	touch $(READY)

$(BROWSERS): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --group browsers
	npm install --silent --no-audit --no-fund --no-save --omit=optional --prefix .tools axe-core@4.11 pdfjs-dist@5.6 pdf-lib@1.17
	touch $(BROWSERS)

$(PDFCHECK): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --group pdfcheck
	touch $(PDFCHECK)

clean:
	rm -rf $(VENV) .bench .lowest .site .tools .uv dist vaultkit-demo
