"""What is asked of a reader about a chip. Fields of one name mean the same in every query, and are checked here, once.

- `qid`, `qids`: in any spelling (`Q07`, `7` and `007` are the same), kept in QDash's form. None: any; `()`: none.
- `during`: when the task (or the run) started, or the note was written. A result without a start counts when its values
  were calibrated (in a series: the one asked for), else at its end. What has no date is only in the open range, and
  what has one that cannot be also in `ODD_TIME`.
- `at`: as it was right before that moment, kept in UTC. None: as it is.
- `last_n`: the newest n at most, 0 for none; None: all.
- `tags`: only what carries all of them.
- `cooldown_id`: only what belongs to that cool-down, `""` for none; None: any.
- `output`: only results that gave that parameter; None: any.
- `task_name`, `execution_id`, `task_id`, `status`, `username`: as QDash writes them, `""` for those without; None: any.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias, TypeGuard, get_args

from qdash_jupyter.data.records import ChipRef, ElementKind
from qdash_jupyter.domain.qid import is_coupling, normalise_qid
from qdash_jupyter.domain.time_range import ANY_TIME, TimeRange, utc
from qdash_jupyter.errors import InvalidArguments
from qdash_jupyter.messages.message import one_of


@dataclass(frozen=True, slots=True)
class ReadQuery:
    """What is asked about one chip. Equal questions are equal, and can be keys.

    Raises:
        InvalidArguments: (every query, when it is made) a field holds what can be no id, kind, count or list of texts.
    """

    chip: ChipRef

    def __post_init__(self) -> None:
        """Bring the fields into the one form that readers rely on."""
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None and field.name in _FORMS:
                object.__setattr__(self, field.name, _FORMS[field.name](field.name, value))


@dataclass(frozen=True, slots=True)
class ElementQuery(ReadQuery):
    """Which qubits, or which couplings: the shape of an id tells them apart, wherever its document stands."""

    kind: ElementKind
    _: KW_ONLY
    qids: Sequence[str] | None = None

    def is_about(self, qid: str | None) -> TypeGuard[str]:
        """Whether an id in QDash's form (`""` and None are none) is meant."""
        if not qid or is_coupling(qid) != (self.kind == "coupling"):
            return False
        return self.qids is None or qid in self.qids


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentQuery(ElementQuery):
    """Current values: of `parameters`, or of all; with `at` those of that moment, by the daily history and results."""

    parameters: Sequence[str] | None = None
    at: datetime | None = None

    @property
    def last_day(self) -> str | None:
        """The label of the last day that can hold something of before `at`: that of a zone ahead of UTC."""
        if self.at is None:
            return None
        day = timedelta(days=1)
        return f"{min(self.at, datetime.max.replace(tzinfo=UTC) - day) + day:%Y%m%d}"


@dataclass(frozen=True, slots=True)
class SeriesQuery(ElementQuery):
    """Measurements of one parameter. Here `last_n` counts for each element, so that none is crowded out by others."""

    parameter: str
    _: KW_ONLY
    during: TimeRange = ANY_TIME
    last_n: int | None = None
    cooldown_id: str | None = None
    tags: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultQuery(ReadQuery):
    """Results of tasks; `qid` `""` means the tasks of the whole chip, `excluded` None means excluded ones, too."""

    task_name: str | None = None
    qid: str | None = None
    status: str | None = None
    execution_id: str | None = None
    task_id: str | None = None
    cooldown_id: str | None = None
    tags: Sequence[str] = ()
    excluded: bool | None = None
    output: str | None = None
    during: TimeRange = ANY_TIME
    last_n: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionQuery(ReadQuery):
    """Runs of flows."""

    status: str | None = None
    username: str | None = None
    tags: Sequence[str] = ()
    during: TimeRange = ANY_TIME
    last_n: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationNoteQuery(ReadQuery):
    """Machine states that runs wrote down."""

    execution_id: str | None = None
    task_id: str | None = None
    during: TimeRange = ANY_TIME
    last_n: int | None = None


@dataclass(frozen=True, slots=True)
class VersionQuery(ReadQuery):
    """Versions of a parameter of one element (`""`: of the whole chip) that were written for the chip."""

    parameter: str
    qid: str
    _: KW_ONLY
    last_n: int | None = None


Countable: TypeAlias = SeriesQuery | ResultQuery | ExecutionQuery | CalibrationNoteQuery | VersionQuery
"""What a reader counts without reading it whole."""


def _kind(_: str, value: Any) -> str:
    if value not in get_args(ElementKind):
        raise InvalidArguments.with_hint("unknown-element-kind", value=repr(value), names=one_of(get_args(ElementKind)))
    return str(value)


def _qid(_: str, value: Any) -> str:
    if (qid := "" if value == "" else normalise_qid(value)) is None:
        raise InvalidArguments.with_hint("not-an-id", value=repr(value))
    return qid


def _qids(name: str, value: Any) -> tuple[str, ...]:
    return tuple(_qid(name, one) for one in _texts(name, value))


def _texts(name: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        raise InvalidArguments.with_hint("not-a-list", name=name, value=repr(value))
    return tuple(value)


def _count(name: str, value: Any) -> int:
    if not isinstance(value, int) or value < 0:
        raise InvalidArguments.with_hint("not-a-count", name=name, value=repr(value))
    return value


_FORMS: dict[str, Callable[[str, Any], Any]] = {
    "kind": _kind,
    "qid": _qid,
    "qids": _qids,
    "parameters": _texts,
    "tags": _texts,
    "last_n": _count,
    "at": lambda _, moment: utc(moment),
}
