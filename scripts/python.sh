#!/usr/bin/env bash
# Prints a Python >= 3.11. Every candidate is started, for a name on PATH may be a shim with no interpreter behind it.
set -euo pipefail

for name in ${PYTHON:-} python3.13 python3.12 python3.11 python3; do
  if "$name" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info)' 2>/dev/null; then
    exec "$name" -c 'import sys; print(sys.executable)'
  fi
done
echo "Python 3.11 or newer is needed, and none was found (PYTHON=/path/to/python3 make … names one)." >&2
exit 1
