"""Ids of qubits and couplings.

QDash stores a qubit as unpadded decimal text (`"7"`) and a coupling as `"<control>-<target>"`; people write `Q07`,
`qubit 7`, `007`, `Q4-Q1`; real databases also hold padded and integer ids. One form is used inside: QDash's own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

_QUBIT = re.compile(r"^\s*(?:q(?:ubit)?|量子ビット)?[\s_#]*0*(\d+)\s*$", re.IGNORECASE)
_COUPLING = re.compile(
    r"^\s*(?:coupling\s*)?(?:q(?:ubit)?)?[\s_#]*0*(\d+)\s*(?:-|–|->|→|_)\s*(?:q(?:ubit)?)?[\s_#]*0*(\d+)\s*$",
    re.IGNORECASE,
)


def normalise_qid(raw: object) -> str | None:
    """The id of a qubit (`"7"`) or coupling (`"4-1"`) in QDash's form; None when `raw` is neither."""
    return None if isinstance(raw, bool) or raw is None else _in_form(str(raw))


@lru_cache(10_000)  # a snapshot has a hundred thousand documents of the same thousand qubits
def _in_form(raw: str) -> str | None:
    text = unicodedata.normalize("NFKC", raw)  # full-width digits are digits
    if match := _QUBIT.match(text):
        return match.group(1)
    if match := _COUPLING.match(text):
        return f"{match.group(1)}-{match.group(2)}"
    return None


def is_coupling(qid: str) -> bool:
    """Whether a normalised id names a coupling."""
    return "-" in qid


def other_direction(qid: str) -> str:
    """The same pair with control and target exchanged; a qubit is its own."""
    return "-".join(reversed(qid.split("-")))


def qid_order(qid: str) -> tuple[int, ...]:
    """Sort key: by number, couplings by control, then target."""
    return tuple(int(part) for part in qid.split("-"))


def qid_label(qid: str, size: int = 0) -> str:
    """The label people see: `Q` and the number, zero-padded to the digits of the chip's size, at least two (`Q07`)."""
    width = max(2, len(str(size)))
    return "-".join(f"Q{int(part):0{width}d}" for part in qid.split("-"))


def in_ranges(qubits: Sequence[str]) -> str:
    """Ids of qubits, in order, as ranges: `0-15, 20`."""
    ranges: list[list[int]] = []
    for number in map(int, qubits):
        if not ranges or number != ranges[-1][-1] + 1:
            ranges.append([number])
        ranges[-1][1:] = [number]
    return ", ".join("-".join(map(str, dict.fromkeys(ends))) for ends in ranges)


def of_ranges(text: str) -> list[str]:
    """The ids of such ranges."""
    ends = ([int(end) for end in part.split("-")] for part in text.split(", "))
    return [str(number) for first, *last in ends for number in range(first, (last or [first])[0] + 1)]


def spellings(qid: str) -> list[object]:
    """The spellings of an id found in real databases, for a filter that the server evaluates."""
    padded = ["-".join(f"{int(part):0{width}d}" for part in qid.split("-")) for width in (1, 2, 3, 4)]
    named = [f"{prefix}{number.replace('-', f'-{prefix}')}" for prefix in ("Q", "q") for number in padded]
    spaced = [f" {qid}", f"{qid} ", f" {qid} "]
    words = [] if is_coupling(qid) else [int(qid), *(f"{word}{qid}" for word in ("qubit ", "Qubit ", "qubit_"))]
    return list(dict.fromkeys([qid, *padded, *named, *spaced, *words]))
