#!/usr/bin/env bash
# Prints the path of a Chromium for the browser tests, installing one where that can be done without asking.
set -euo pipefail

find_browser() {
  local name
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$name" && return 0
  done
  # Playwright's own copy, or a Chrome that macOS keeps outside PATH.
  if [ -x .venv/bin/python ]; then
    .venv/bin/python - <<'PY' && return 0
import pathlib
import sys

from playwright.sync_api import sync_playwright

with sync_playwright() as playwright:
    candidates = [
        playwright.chromium.executable_path,
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
    ]
found = [path for path in candidates if pathlib.Path(path).is_file()]
if not found:
    sys.exit(1)
print(found[0])
PY
  fi
  return 1
}

cd "$(dirname "$0")/.."
if find_browser; then
  exit 0
fi

echo "No Chromium found: installing one for the browser tests." >&2
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  if ! { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends chromium; } >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    exit 1
  fi
else
  .venv/bin/python -m playwright install chromium >&2
fi
find_browser || {
  echo "Still no Chromium. Install chromium or google-chrome, then try again." >&2
  exit 1
}
