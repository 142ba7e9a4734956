"""What a key costs while a question is typed: the list of completions, made in the page.

Runs the panel's own module in node, with the forms of both languages. Goal: 30 ms a key on a chip of 1,024 qubits.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

from in_lab import Row, Table, p95

from qdash_jupyter.llm.offline.completion import completions

JS = Path(__file__).parents[1] / "js"
TYPED = (
    "which qubits have a T1 below 40 μs in the last",
    "compare Q0003, Q0007, Q1",
    "of the T1 of Q0512 of Q0513 of Q0",
    "T1のQ05",
)
DRIVER = """
import { readFileSync } from 'node:fs';
import { completer } from './completion.mjs';
const { tables, mentions, typed } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const complete = completer(tables, mentions);
const key = text => {
  const begun = process.cpuUsage();
  complete(text, 'en');
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
};
console.log(JSON.stringify(typed.flatMap(text => Array.from(text, (_, place) => key(text.slice(0, place + 1))))));
"""


def main() -> None:
    """Print the table."""
    table = Table("Processor time from a key to the list of completions")
    with tempfile.TemporaryDirectory() as folder:
        bundled = Path(folder, "completion.mjs")
        source = "src/panel/completion.ts"
        command = ["node_modules/.bin/esbuild", source, "--format=esm", "--log-level=error", f"--outfile={bundled}"]
        subprocess.run(command, cwd=JS, check=True)
        Path(folder, "driver.mjs").write_text(DRIVER, encoding="utf-8")
        small = keys(Path(folder), 64)
        table.add(Row("a chip of 64 qubits", small, 30, judged=p95))
        large = keys(Path(folder), 1024)
        table.add(Row("1,024 qubits", large, 30, judged=p95, note=f"  ratio {sum(large) / sum(small):.1f}"))


def keys(folder: Path, qubits: int) -> list[float]:
    """Processor time of each key, in milliseconds."""
    names = [f"Q{number:0{len(str(qubits - 1))}}" for number in range(qubits)]
    given = {
        "tables": completions(datetime.now(UTC), ("CheckRabi", "CheckT1")),
        "mentions": [
            *({"kind": "qubit", "name": name} for name in names),
            *({"kind": "coupling", "name": "-".join(pair)} for pair in pairwise(names)),
        ],
        "typed": TYPED,
    }
    Path(folder, "given.json").write_text(json.dumps(given), encoding="utf-8")
    command = ["node", str(folder / "driver.mjs"), str(folder / "given.json")]
    found: list[float] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found


if __name__ == "__main__":
    main()
