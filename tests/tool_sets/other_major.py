"""What a tool set does with the SDK that is installed here: run by `test_mcp_majors`, one line of JSON."""

from __future__ import annotations

import json
import sys
import threading
import time
from dataclasses import replace
from typing import Any

from qdash_jupyter.config.tool_sets import McpToolSetSection
from qdash_jupyter.domain.tool_call import ToolResult
from qdash_jupyter.tool_sets.mcp import mcp_tools
from tests.tool_sets.conftest import Bench


def told(result: ToolResult) -> Any:
    return result.content if not result.ok else json.loads(result.content)


def tried(section: McpToolSetSection) -> dict[str, Any]:
    """Each of the lab's tools that says something of the session."""
    built = mcp_tools([section], 20)
    bench = Bench(built)
    if bench.issues:
        return {"issues": bench.issues}
    try:
        bench.call("lab_grow")
        found: dict[str, Any] = {
            "read": bench.call("lab_read_temperature", stage="mxc"),
            "acts": [name for name, spec in bench.box.specs.items() if spec.effect == "act"],
            "rows": bench.call("lab_fridge_log", hours=2),
            "failed": told(bench.direct("lab_fail", key="a")),
            "picture": bench.call("lab_picture"),
            "wrong": told(bench.direct("lab_promises")),
        }
        limit = time.monotonic() + 10
        while "lab_grown" not in bench.names and time.monotonic() < limit:
            bench.refresh()
        found["grown"] = "lab_grown" in bench.names
        if section.command is not None:
            found["reborn"] = bench.call("lab_die_once")
            found["died"] = told(bench.results(("lab_set_and_die", {}))[0])
            bench.call("lab_read_temperature", stage="mxc")  # it is there again before a call that has a second
        found["slow"] = _stopped(bench)
        return found
    finally:
        for each in built:
            each.close()
        found_threads = [each.name for each in threading.enumerate() if each.name == "qdash-mcp"]
        assert not found_threads, found_threads


def _stopped(bench: Bench) -> str:
    """A call that reaches its limit."""
    built = bench.box.specs["lab_slow"]
    bench.box.remove(["lab_slow"])
    bench.box.add(replace(built, timeout_s=1.0))
    return str(told(bench.direct("lab_slow")))


if __name__ == "__main__":
    print(json.dumps(tried(McpToolSetSection(**json.loads(sys.argv[1])))))  # noqa: T201 - for the test
