"""Single values on their way out of the session: those of Python, numpy and pandas, each as JSON of one kind."""

from __future__ import annotations

import re
from binascii import a2b_base64, b2a_base64
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, timezone
from decimal import Context, Decimal, InvalidOperation
from functools import cache
from types import NoneType
from typing import Any
from zoneinfo import ZoneInfo

from qdash_jupyter.worker.names_out_arrays import Stays, Unreadable, plain_dtype, sound

_ZONE = re.compile(r"[A-Za-z0-9_+-]+(?:/[A-Za-z0-9_+-]+)*")
_OFFSET = re.compile(r"-?[0-9]{0,9}[A-Za-z]{1,8}(?:-[A-Z0-9]{1,4}){0,3}")
_UNITS = ("s", "ms", "us", "ns")

_SIMPLE: dict[type, tuple[str, Callable[[Any], Any], Callable[[Any], object]]] = {
    float: ("float", repr, float),  # finite ones are JSON
    int: ("int", hex, lambda text: int(text, 16)),  # those of 64 bits are JSON
    complex: ("complex", lambda value: [repr(value.real), repr(value.imag)], lambda pair: complex(*map(float, pair))),
    bytes: (
        "bytes",
        lambda raw: b2a_base64(raw, newline=False).decode(),
        lambda text: a2b_base64(text, strict_mode=True),
    ),
    date: ("date", date.isoformat, date.fromisoformat),
    timedelta: ("timedelta", lambda span: [span.days, span.seconds, span.microseconds], lambda span: timedelta(*span)),
    Decimal: ("decimal", str, lambda text: Decimal(text, Context(traps=[InvalidOperation]))),
}
"""Kind, writer and reader of the scalars that hold no other value."""


@cache
def scalar_writers() -> dict[int, Callable[[Any, Any], Any]]:
    """Return the functions that turn scalars into JSON, by the identity of their type."""
    import numpy as np
    import pandas as pd

    by_type: dict[Any, Callable[[Any, Any], Any]] = dict.fromkeys((str, bool, NoneType), _itself)
    by_type |= dict.fromkeys(set(np.sctypeDict.values()), _numpy)
    by_type |= {kind: _simple(name, down) for kind, (name, down, _) in _SIMPLE.items()}
    by_type |= {
        datetime: lambda _, value: {"datetime": _clock(value)},
        time: lambda _, value: {"time": _clock(value)},
        pd.Timestamp: _timestamp,
        pd.Timedelta: lambda _, value: {"pandas timedelta": _ticks(value)},
        type(pd.NaT): lambda *_: {"missing": "NaT"},
        type(pd.NA): lambda *_: {"missing": "NA"},
        pd.Period: lambda _, value: {"period": [value.ordinal, offset_text(value.freq)]},
        pd.Interval: lambda writer, value: {
            "interval": [writer.node(value.left), writer.node(value.right), value.closed]
        },
    }
    return {id(kind): writer for kind, writer in by_type.items()}


SCALAR_READERS: dict[str, Callable[[Any, Any], object]] = {
    **{name: lambda _, payload, up=up: up(payload) for name, _, up in _SIMPLE.values()},  # type: ignore[misc]
    "numpy": lambda _, payload: _numpy_read(*payload),
    "datetime": lambda _, payload: _clock_read(datetime, *payload),
    "time": lambda _, payload: _clock_read(time, *payload),
    "timestamp": lambda _, payload: _timestamp_read(*payload),
    "pandas timedelta": lambda _, payload: _timedelta_read(*payload),
    "missing": lambda _, payload: _missing_read(payload),
    "period": lambda _, payload: _period_read(*payload),
    "interval": lambda reader, payload: _interval_read(*reader.nodes_of(payload)),
}
"""The functions that turn JSON into scalars, by kind."""


def is_flat(value: Any) -> bool:
    """Return whether the value is a scalar, or a tuple of nothing else."""
    return all(map(is_flat, value)) if type(value) is tuple else id(type(value)) in scalar_writers()


def zone_node(zone: Any, *, pandas: bool = False) -> Any:
    """Return JSON for a time zone of Python, or for one that pandas has made of a name.

    Raises:
        Stays: It is of another kind.
    """
    if zone is None:
        return None
    if type(zone) is timezone:
        offset, *name = zone.__getinitargs__()  # type: ignore[attr-defined]
        return {"offset": [offset.days, offset.seconds, offset.microseconds, *name]}
    if type(zone) is ZoneInfo and _ZONE.fullmatch(zone.key or ""):
        return {"zone": zone.key}
    if pandas and type(zone).__module__.startswith("pytz") and _ZONE.fullmatch(zone.zone or ""):
        return {"pandas": zone.zone}
    raise Stays


def zone_of(node: Any) -> Any:
    """Return the time zone of JSON that `zone_node` has written.

    Raises:
        Unreadable: The name is not one of a time zone.
    """
    if node is None:
        return None
    ((kind, payload),) = node.items()
    if kind == "offset":
        return timezone(timedelta(*payload[:3]), *payload[3:])
    if not _ZONE.fullmatch(payload):
        raise Unreadable("Not a time zone")
    zone = ZoneInfo(payload)  # before pandas has the name: "dateutil/…" would open any file
    if kind == "zone":
        return zone
    import pandas as pd

    return pd.DatetimeTZDtype("ns", payload).tz


def offset_text(offset: Any) -> str:
    """Return the name of a frequency of pandas.

    Raises:
        Stays: The name does not say all of it.
    """
    if not _OFFSET.fullmatch(offset.freqstr) or offset_of(offset.freqstr) != offset:
        raise Stays
    return str(offset.freqstr)


def offset_of(text: Any) -> Any:
    """Return the frequency of pandas that has this name.

    Raises:
        Unreadable: The text is not such a name.
    """
    from pandas.tseries.frequencies import to_offset

    if not _OFFSET.fullmatch(text):
        raise Unreadable("Not a frequency")
    return to_offset(text)


def unit_of(text: Any) -> Any:
    """Return the unit of times of pandas.

    Raises:
        Unreadable: Pandas has no such unit.
    """
    if text not in _UNITS:
        raise Unreadable("Not a unit of time")
    return text


def _itself(_: Any, value: Any) -> Any:
    return value


def _simple(name: str, down: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda _, value: {name: down(value)}


def _numpy(writer: Any, value: Any) -> Any:
    import numpy as np

    array = np.asarray(value)
    if array.dtype.names:
        return {"record": writer.node(array)}
    if plain_dtype(array.dtype.str) != array.dtype or (array.dtype.kind in "SU" and len(array[()]) != len(value)):
        raise Stays  # numpy drops zeros at the end of a text
    return {"numpy": [array.dtype.str, array.tobytes().hex()]}


def _numpy_read(name: str, raw: str) -> Any:
    import numpy as np

    (array,) = (np.frombuffer(bytes.fromhex(raw), plain_dtype(name)),)
    if array.shape != (1,) or not sound(array):
        raise Unreadable("Not a scalar of numpy")
    return array[0]


def _clock(value: Any) -> list[Any]:
    return [value.replace(tzinfo=None, fold=0).isoformat(), value.fold, zone_node(value.tzinfo)]


def _clock_read(kind: Any, text: str, fold: int, zone: Any) -> Any:
    value = kind.fromisoformat(text)
    if value.tzinfo is not None:
        raise Unreadable("A time zone within the text of a time")
    return value.replace(tzinfo=zone_of(zone), fold=fold)


def _ticks(value: Any) -> list[Any]:
    return [int(value.asm8.astype("i8")), value.unit]


def _timestamp(_: Any, value: Any) -> Any:
    node = [*_ticks(value), zone_node(value.tz, pandas=True)]
    if _timestamp_read(*node).fold != value.fold:
        raise Stays
    return {"timestamp": node}


def _timestamp_read(ticks: int, unit: str, zone: Any) -> Any:
    import numpy as np
    import pandas as pd

    value = pd.Timestamp(np.datetime64(ticks, unit_of(unit)))
    return value if zone is None else value.tz_localize("UTC").tz_convert(zone_of(zone))


def _timedelta_read(ticks: int, unit: str) -> Any:
    import numpy as np
    import pandas as pd

    return pd.Timedelta(np.timedelta64(ticks, unit_of(unit)))


def _missing_read(name: Any) -> Any:
    import pandas as pd

    return {"NaT": pd.NaT, "NA": pd.NA}[name]


def _period_read(ordinal: int, freq: Any) -> Any:
    import pandas as pd

    return pd.Period(ordinal=ordinal, freq=offset_of(freq))


def _interval_read(left: Any, right: Any, closed: Any) -> Any:
    import pandas as pd

    return pd.Interval(left, right, closed)
