#!/usr/bin/env bash
# Makes .venv in the checkout.
set -euo pipefail
cd "$(dirname "$0")/.."

python=$(scripts/python.sh)
log=$(mktemp)
trap 'rm -f "$log"' EXIT

make_venv() { "$python" -m venv .venv >"$log" 2>&1 && .venv/bin/python -m pip --version >>"$log" 2>&1; }

echo "Making .venv with $("$python" --version)"
if make_venv; then
  exit 0
fi

# Debian ships venv and ensurepip apart from its python3.
if [ -f /etc/debian_version ]; then
  package=$("$python" -c 'import sys; print("python{}.{}-venv".format(*sys.version_info))')
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Python's venv module is missing: installing $package"
    apt-get update -q >"$log" 2>&1 && apt-get install -q -y "$package" >>"$log" 2>&1 && rm -rf .venv && make_venv && exit 0
  else
    echo "Python's venv module seems to be missing. Try: sudo apt install $package (or python3-venv)" >&2
  fi
fi
cat "$log" >&2
rm -rf .venv
exit 1
