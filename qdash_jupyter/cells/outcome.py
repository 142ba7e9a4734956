"""How a run ended, and what its error says to the model."""

from __future__ import annotations

import linecache
import re
from pathlib import Path
from traceback import format_exception_only
from types import CodeType

from qdash_jupyter.cells.outputs import charts_of, text_of
from qdash_jupyter.cells.result_value import value_of
from qdash_jupyter.config.mask import masked
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus

_MOST_FRAMES = 8
_OURS = Path(__file__).parent


def outcome_of(
    request: CellRequest, error: BaseException | None, outputs: tuple[JsonObject, ...], last: object
) -> CellRun:
    """What came of code that ended with this error, showed these outputs (without keys and passwords), and whose last
    expression gave `last`. From here on there are none in it.
    """
    status = CellStatus.INTERRUPTED if isinstance(error, KeyboardInterrupt) else CellStatus.ERROR
    return CellRun(
        request=request,
        status=CellStatus.OK if error is None else status,
        outputs=outputs,
        text=masked(text_of(outputs)),
        value=masked(value_of(last)) if error is None else None,
        charts=charts_of(outputs),
        traceback=masked(cell_lines(error)),
    )


def cell_lines(error: BaseException | None) -> str:
    """Where in the cell it happened, and the error: frames of libraries tell the model nothing it could mend."""
    if error is None:
        return ""
    frames = []
    step = error.__traceback__
    while step is not None:
        code, number = step.tb_frame.f_code, step.tb_lineno
        frames.append((code, _line_before(code, step.tb_lasti) if number is None else number))
        step = step.tb_next
    # The shell's own frames come first, and ours, then the cell.
    while frames and _is_machinery(Path(frames[0][0].co_filename)):
        frames.pop(0)
    home = frames[0][0].co_filename if frames else ""
    lines = [
        f"line {number}{'' if code.co_name == '<module>' else f', in {code.co_name}'}: "
        f"{linecache.getline(home, number).strip()}"
        for code, number in frames
        if code.co_filename == home
    ]
    if len(lines) > _MOST_FRAMES:
        lines[_MOST_FRAMES // 2 : -_MOST_FRAMES // 2] = [f"… {len(lines) - _MOST_FRAMES} more …"]
    said = "".join(format_exception_only(error)).rstrip()
    # Of code that does not parse, the file is the cell.
    return "\n".join([*lines, re.sub(r'\A  File ".*", line (\d+)', r"line \1", said)])


def _line_before(code: CodeType, instruction: int) -> int:
    """Python has no line for some instructions that it adds itself, and an interrupt may come at one of those."""
    known = [line for start, _, line in code.co_lines() if line is not None and start <= instruction]
    return known[-1] if known else code.co_firstlineno


def _is_machinery(file: Path) -> bool:
    return file.parent.parent.name == "IPython" or file.parent == _OURS
