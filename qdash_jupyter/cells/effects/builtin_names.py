# ruff: noqa: E501, SIM905 - tables of names: long lines of words read better than one name a line
"""The builtins that only compute, and the strings that pandas may be given as names of functions."""

from __future__ import annotations

import builtins

FUNCTIONS = frozenset(
    "abs all any ascii bin bool bytes bytearray callable chr complex dict display divmod enumerate filter float format frozenset "
    "hash hex int isinstance issubclass iter len list map max min next oct ord pow print range repr reversed round set "
    "slice sorted str sum tuple type zip".split()
)
"""Builtin functions, and `display`, which IPython adds."""

CONSTANTS = frozenset({"True", "False", "None", "Ellipsis", "NotImplemented", "__debug__", "__name__"})

EXCEPTIONS = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
)

NAMED_FUNCTIONS = frozenset(
    "mean median sum std var min max count size nunique first last sem skew kurt prod quantile idxmin idxmax any all "
    "cumsum cumprod cummax cummin cumcount rank diff pct_change shift abs round sqrt log exp log10 log2 unique ffill "
    "bfill mode describe value_counts ohlc ngroup".split()
)
"""What `agg("...")` and its like may name: pandas calls the method of that name, whatever it is."""

PRINT_KEYWORDS = frozenset({"sep", "end", "flush"})

UNBOUND = {
    "str": "lower upper strip lstrip rstrip title capitalize split join zfill startswith endswith replace isdigit "
    "isalpha casefold swapcase rjust ljust center maketrans",
    "dict": "fromkeys",
    "int": "from_bytes",
    "float": "fromhex",
    "bytes": "fromhex",
}
"""Methods that may be named on the class itself (`map(str.strip, names)`)."""
