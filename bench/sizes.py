"""What a page loads of ours, and how large the panel is that the kernel sends it.

Goals: 100 kB of the labextension with each page; 80 kB of the panel's script, compressed as a browser would get it.
"""

from __future__ import annotations

import gzip
from importlib.resources import files

from in_lab import Row, Table, opened

LOADED = """() => performance.getEntriesByType('resource')
    .filter(each => each.name.includes('/extensions/qdash-jupyter/')).map(each => each.decodedBodySize)"""


def main() -> None:
    """Print the table."""
    with opened() as bench:
        loaded = sum(bench.page.evaluate(LOADED))
    static = files("qdash_jupyter.ui") / "static"
    table = Table("Sizes", "kB")
    table.add(Row("labextension, loaded with a page, not compressed", [loaded / 1000], 100))
    for name, goal in (("panel.js", 80), ("panel.css", None)):
        content = (static / name).read_bytes()
        table.add(Row(f"{name}, gzip", [len(gzip.compress(content)) / 1000], goal))
        table.add(Row(f"{name}, not compressed", [len(content) / 1000]))


if __name__ == "__main__":
    main()
