"""A cell of the copilot while the kernel runs it."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import logging
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from qdash_jupyter.cells.gate import InterruptGate
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus

if TYPE_CHECKING:
    from IPython.core.interactiveshell import ExecutionInfo, ExecutionResult, InteractiveShell

    from qdash_jupyter.cells.fold import OutputFold
    from qdash_jupyter.cells.namespace import Namespace
    from qdash_jupyter.cells.tee import OutputTee
    from qdash_jupyter.domain.answer import JsonObject

logger = logging.getLogger("qdash_jupyter")


class OwnCell:
    """From `pre_run_cell` to `post_run_cell`; made, begun and ended on the main thread."""

    def __init__(self, request: CellRequest, info: ExecutionInfo, message_id: str) -> None:
        """The cell of `request`, whose source is by now that of `info`."""
        self.edited = not same_source(info.raw_cell, request.code)
        self.request = replace(request, code=info.raw_cell) if self.edited else request
        self.gate = InterruptGate()
        self._inspected = request.code
        self._raw = info.raw_cell
        self._message_id = message_id
        self._has_code = False
        self._names: dict[str, object] | None = None
        self._figures: frozenset[int] = frozenset()
        self._fold: OutputFold | None = None
        self._renderer = contextlib.ExitStack()
        self._began: float | None = None

    def is_of(self, info: object) -> bool:
        """Whether the shell means this cell: it makes another `ExecutionInfo` where the cell ends in an interrupt."""
        return getattr(info, "cell_id", None) == self.request.cell_id and getattr(info, "raw_cell", None) == self._raw

    def begin(self, shell: InteractiveShell, namespace: Namespace, tee: OutputTee | None) -> None:
        """Keep what it shows and binds from here on."""
        from qdash_jupyter.cells.figures import open_figures
        from qdash_jupyter.cells.renderers import plotly_as_json

        self._names = namespace.before_run()
        self._figures = open_figures()
        if tee is not None:
            self._fold = tee.begin(self._message_id, self.gate)
        self._renderer.enter_context(plotly_as_json(self.request.code, shell))
        self._began = time.monotonic()

    def code(self, node: ast.AST) -> ast.AST:
        """What is to run, given what the shell has made of the cell's source. Raises nothing but an interrupt."""
        if self._has_code:
            return node  # of a magic in the cell
        self._has_code = True
        self.gate.arm()
        if self.gate.wanted:
            self.gate.interrupted = True
            return ast.parse("raise KeyboardInterrupt")
        return node if self.edited else _exactly(self._inspected, node)

    def end(
        self, result: ExecutionResult | None, shell: InteractiveShell, namespace: Namespace, tee: OutputTee | None
    ) -> CellRun:
        """What came of it. Never raises."""
        elapsed = 0.0 if self._began is None else time.monotonic() - self._began
        try:
            return replace(self._outcome(result, shell, namespace, tee), elapsed_s=elapsed)
        except Exception:
            logger.exception("The outcome of a cell could not be read")
            reason = "What the cell showed could not be read; details are in the copilot's log."
            return CellRun(self.request, CellStatus.ERROR, reason=reason, elapsed_s=elapsed)

    def _outcome(
        self, result: ExecutionResult | None, shell: InteractiveShell, namespace: Namespace, tee: OutputTee | None
    ) -> CellRun:
        from qdash_jupyter.cells.outcome import cell_lines, status_of
        from qdash_jupyter.cells.outputs import charts_of, text_of
        from qdash_jupyter.cells.values import value_of

        error: BaseException | None = None if result is None else result.error_before_exec or result.error_in_exec
        status = status_of(error)
        if result is None or (isinstance(error, asyncio.CancelledError) and self.gate.interrupted):
            status = CellStatus.INTERRUPTED
        self._renderer.close()
        outputs = self._outputs(result, shell, tee)
        created = () if self._names is None else namespace.bound_since(self._names)
        self._names = None
        if not self.edited:  # what the person has written is theirs
            namespace.own_up(created)
        return CellRun(
            request=self.request,
            status=status,
            outputs=outputs,
            text=text_of(outputs),
            value=value_of(result.result) if result is not None and error is None else None,
            charts=charts_of(outputs),
            traceback=cell_lines(error),
            created=created,
            # A result that the shell has made up for an interrupt has no number.
            execution_count=getattr(result, "execution_count", None) or shell.execution_count - 1,
        )

    def _outputs(
        self, result: ExecutionResult | None, shell: InteractiveShell, tee: OutputTee | None
    ) -> tuple[JsonObject, ...]:
        if tee is None or self._fold is None:
            return ()
        from qdash_jupyter.cells.figures import publish_unshown

        publish_unshown(shell, self._figures, None if result is None else result.result)
        tee.end(self._message_id)
        return self._fold.outputs()


def same_source(raw: str, code: str) -> bool:
    """Whether a cell's source is still the copilot's: editors change line ends, and the space after the last line."""
    return raw == code or raw.replace("\r\n", "\n").rstrip() == code.replace("\r\n", "\n").rstrip()


def _exactly(code: str, node: ast.AST) -> ast.AST:
    """The tree of the very code that was inspected: of some of its lines the shell makes prompts, magics or help."""
    try:
        tree = ast.parse(code)
        return node if ast.dump(tree) == ast.dump(node) else tree
    except Exception as error:  # noqa: BLE001 - what was not inspected must not run, whatever the reason
        return ast.parse(f"raise SyntaxError({str(error)!r})")
