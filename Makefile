# The first working interpreter of 3.11 or later; another one: make test PYTHON=/path/to/python
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin

.PHONY: demo test slow docs bench clean

demo: .venv/.all
	$(BIN)/python examples/demo.py

# All three always run, so that one run shows everything that is wrong.
test: .venv/.dev
	@status=0; for part in mypy "ruff check" "pytest -n 2"; do \
		echo "$$part"; $(BIN)/$$part || status=1; done; exit $$status

slow: .venv/.dev
	$(BIN)/pytest -m slow

# Writes down anew what the documents take from the program; the tests compare.
docs: .venv/.dev
	$(BIN)/python docs/renew

bench: .venv/.bench
	$(BIN)/python benchmarks/run.py

clean:
	rm -rf .venv build dist src/*.egg-info

# One stamp for each extra: a second call installs nothing until pyproject.toml changes.
.venv/.%: pyproject.toml
	@test -n "$(PYTHON)" || { echo "monjudge needs Python 3.11 or later / Python 3.11 以上が必要です" >&2; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$*]'
	@touch $@
