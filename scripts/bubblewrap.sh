#!/usr/bin/env bash
# Installs bubblewrap for the tests of the worker, where that can be done without asking. They are skipped without it.
set -euo pipefail

without() { echo "No bubblewrap, so its tests are skipped: $1" >&2; exit 0; }

if command -v bwrap >/dev/null; then
  exit 0
fi
[ "$(uname)" = Linux ] || without "it is for Linux alone, and this is $(uname)."
command -v apt-get >/dev/null || without "there is no apt-get here. Install it with this system's packages."
sudo=()
if [ "$(id -u)" != 0 ]; then
  { command -v sudo && sudo -n true; } >/dev/null 2>&1 || without "only root may install it. Try: sudo apt install bubblewrap"
  sudo=(sudo -n)
fi

echo "Installing bubblewrap for the tests of the worker." >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() { "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends bubblewrap; }
if ! { install || { "${sudo[@]}" apt-get update -q && install; }; } >"$log" 2>&1; then
  without "apt-get could not install it: $(grep -m 1 '^E:' "$log" || tail -n 1 "$log")"
fi
