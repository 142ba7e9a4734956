#!/usr/bin/env bash
# Installs this checkout into .venv, editable, with the extras named: scripts/install.sh lab,test
set -euo pipefail
cd "$(dirname "$0")/.."

what=".[$1]"
python=.venv/bin/python
by_pip=("$python" -m pip install --quiet --disable-pip-version-check --no-input)

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# uv takes a third of pip's time, but reads none of its configuration, so where a lab's mirror is named there pip goes on.
# Certificates are the system's: those of a lab's proxy are among them.
by_uv() {
  "${by_pip[@]}" uv && UV_SYSTEM_CERTS=1 .venv/bin/uv pip install --quiet --python "$python" --compile-bytecode --editable "$what"
}
if ! by_uv >"$log" 2>&1; then
  "${by_pip[@]}" --editable "$what"
fi

# An editable install may write this through its link into the source, where a wheel would then hold it twice.
rm -f qdash_jupyter/labextension/install.json
