# ruff: noqa: C901, PLR0911, PLR0912 - a list of rules reads best as a list of branches
"""Calls that are harmless with the right arguments only."""

from __future__ import annotations

import ast
import re
import string

from qdash_jupyter.cells.effects import builtin_names
from qdash_jupyter.cells.effects.call_reader import Arguments, CallReader
from qdash_jupyter.cells.effects.dangers import danger_of
from qdash_jupyter.cells.effects.value_kinds import (
    ARRAY,
    DATA,
    DRAWING,
    RECORD,
    SCALAR,
    TABLE,
    TEXT,
    UNKNOWN,
    Kind,
    Method,
    Value,
    call_of,
    join,
)
from qdash_jupyter.cells.effects.verdict import EffectClass

_E = EffectClass

_KEYWORDS = {
    **dict.fromkeys(("file", "buf", "path", "path_or_buf", "filename", "fname"), (_E.FILES, "writes a file")),
    "storage_options": (_E.NETWORK, "reaches a storage"),
    "usetex": (_E.SHELL, "starts LaTeX"),
    "backend": (_E.DYNAMIC, "imports a module by its name"),
    "images": (_E.DISPLAY, "displays something that is fetched from outside"),
    **dict.fromkeys(("workers", "n_jobs"), (_E.UNKNOWN, "starts other processes or calls something for every task")),
    **dict.fromkeys(("FigureClass", "engine", "engine_kwargs"), (_E.UNKNOWN, "chooses other code to run")),
}
_COPIED = frozenset({Kind.DICT, Kind.LIST, Kind.TUPLE, Kind.ITERATOR})
_HELD = frozenset({Kind.DICT, Kind.LIST, Kind.SET, Kind.TUPLE, Kind.DATA, Kind.DRAWING, Kind.RECORD})
_WRITTEN = frozenset({"out", "output", "ax", "fig"})
_DISPATCH = frozenset({"agg", "aggregate", "transform", "apply", "map"})
_TO_TEXT = frozenset({"to_string", "to_json", "to_latex", "to_markdown", "info"})
_GROUPING = frozenset(
    {"combinations", "combinations_with_replacement", "permutations", "product", "pairwise", "zip_longest", "batched"}
)
_OPTIONS = ("display.", "mode.", "future.")


def keywords(reader: CallReader, name: str, args: Arguments, node: ast.AST) -> None:
    """Keywords that write somewhere, whatever the function is."""
    for keyword, value in args.keywords.items():
        if keyword in _KEYWORDS and keyword not in args.false and not name.startswith("builtins."):
            reader.report(node, *_KEYWORDS[keyword])
        elif keyword in _WRITTEN:
            reader.mutate(value, node)
        elif keyword == "aggfunc":
            named(reader, value, node)
        elif (keyword.startswith("overwrite") and keyword not in args.false) or (
            keyword == "copy" and name.endswith("nan_to_num")
        ):
            for one in args.all():
                reader.mutate(one, node)


def along_axis(node: ast.AST) -> bool:
    """`np.apply_along_axis(f, axis, array)`: no further argument reaches `f`."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr.startswith("apply_")
        and len(node.args) == 3  # noqa: PLR2004
    )


def callback_kind(path: str) -> Value:
    """What a library calls a function with that it was given."""
    root = path.split(".", 1)[0]
    return {"numpy": ARRAY, "scipy": ARRAY, "pandas": TABLE, "plotly": DRAWING, "re": RECORD}.get(root, DATA)


def shares(reader: CallReader, path: str, args: Arguments) -> bool:
    """Whether the result may share memory with the arguments: pandas and numpy copy the numbers in a dict or list."""
    first = args.first()
    if not path.startswith(("pandas.", "numpy.")) or "copy" in args.keywords or first.kind not in _COPIED:
        return True
    inner = reader.inner(first)
    deeper = [reader.inner(inner)] if inner.kind in _COPIED else []
    cells = deeper if first.kind is Kind.DICT else [inner, *deeper]
    return any(one.kind in _HELD and reader.reach(one) for one in cells)


def elements(reader: CallReader, path: str, args: Arguments, kept: list[Value], node: ast.AST) -> list[Value]:
    """What is in the container that a function of the standard library gives."""
    name = path.rpartition(".")[2]
    inner = [reader.inner(value) for value in args.all()] or [SCALAR]
    if name in _GROUPING:
        return [reader.made(Kind.LIST, node, inner, "group")]
    if name == "groupby":
        return [Value(Kind.TUPLE, items=(SCALAR, reader.made(Kind.ITERATOR, node, inner[:1], "group")))]
    if name == "from_iterable":
        return [reader.inner(value) for value in inner]
    if name in {"repeat", "tee"}:
        return kept
    return [*inner, DATA] if name in {"accumulate", "starmap"} else inner


def library(reader: CallReader, path: str, args: Arguments, node: ast.AST) -> Value | None:
    """Functions of libraries that need a rule of their own; None for all others."""
    first = args.first()
    if path == "functools.partial":
        if not _callable(first):
            return reader.report(node, _E.UNKNOWN, "calls something that cannot be resolved")
        return call_of(Method(Value(Kind.TUPLE, items=tuple(reader.flat(v) for v in args.all())), "<partial>"))
    if path == "functools.reduce":
        inner = [reader.inner(value) for value in args.positional[1:2]]
        start = join(*inner, *args.positional[2:])
        once = _call(reader, first, [start, *inner], node)
        return _call(reader, first, [join(start, once), *inner], node)
    if path in {"itertools.starmap", "itertools.accumulate"}:
        function = (
            first if path.endswith("starmap") else (args.positional[1:2] or [args.keywords.get("func", SCALAR)])[0]
        )
        if function.kind is not Kind.SCALAR and not _callable(function):
            return reader.report(node, _E.UNKNOWN, "calls something that cannot be resolved")
    if path == "collections.defaultdict":
        made = [reader.inner(value) for value in args.positional[1:]]
        if args.positional and first.kind is not Kind.SCALAR:
            made.append(_call(reader, first, [], node))
        return reader.made(Kind.DICT, node, made)
    if path == "collections.namedtuple":
        return Value(Kind.OPAQUE, path="namedtuple")
    if path == "pandas.option_context" and not all(
        value.kind is Kind.SCALAR
        or (value.texts is not None and all(t.startswith(_OPTIONS) or "." not in t for t in value.texts))
        for value in args.positional
    ):
        return reader.report(node, _E.UNKNOWN, "sets an option that cannot be read beforehand")
    place = {"pandas.pivot_table": 4, "pandas.crosstab": 5}.get(path)
    if place is not None:
        for value in args.positional[place:]:
            named(reader, value, node)
    if path == "numpy.nan_to_num" and len(args.positional) > 1:
        reader.mutate(first, node)
    if path == "operator.itemgetter":
        return Value(Kind.OPAQUE, path="namedtuple")
    if path == "collections.OrderedDict":
        return _dict(reader, args, node)
    if path.startswith("matplotlib."):
        drawn_on(reader, args, node)
    if path == "pandas.NamedAgg":
        named(reader, (args.positional[1:2] or [SCALAR])[0], node)
    if path == "numpy.vectorize":
        if not _callable(first):
            return reader.report(node, _E.UNKNOWN, "calls something that cannot be resolved")
        reader.hand_on([first], SCALAR, frozenset(), node)
        return Value(Kind.OPAQUE)
    if path == "re.sub" and len(args.positional) > 1 and args.positional[1].kind is Kind.DATA:
        return reader.report(node, _E.UNKNOWN, "calls something that cannot be resolved")
    if path == "matplotlib.pyplot.subplots":
        return Value(Kind.TUPLE, items=(DRAWING, DRAWING))
    return None


def drawn_on(reader: CallReader, args: Arguments, node: ast.AST) -> None:
    """Figures and axes that are passed to something that draws."""
    for value in args.positional:
        if value.kind is Kind.DRAWING:
            reader.mutate(value, node)


def _callable(value: Value) -> bool:
    return value.kind in {Kind.CALLABLE, Kind.OPAQUE}


def _call(reader: CallReader, function: Value, values: list[Value], node: ast.AST) -> Value:
    return reader.call(function, Arguments(values), node)


def builtin(reader: CallReader, name: str, args: Arguments, node: ast.AST) -> Value:
    """A call of a builtin of the list."""
    first = args.first()
    inner = [reader.inner(value) for value in args.all()] or [SCALAR]
    if name == "print":
        if "file" in args.keywords:
            return reader.report(node, _E.FILES, "prints into something else than the cell's output")
        if args.keywords.keys() - builtin_names.PRINT_KEYWORDS:
            return reader.report(node, _E.UNKNOWN, "is no call of print that is known")
        return SCALAR
    if name == "display":
        if args.keywords:
            return reader.report(node, _E.DISPLAY, "displays something in a form of its own")
        return SCALAR
    if name == "type":
        if len(args.positional) != 1:
            return reader.report(node, _E.UNKNOWN, "makes a class, whose methods may do anything")
        return Value(Kind.CLASS)
    if name in {"map", "filter"}:
        return _mapped(reader, name, args, node)
    if name in {"sorted", "min", "max"}:
        key = args.keywords.get("key", SCALAR)
        rest = [value for keyword, value in args.keywords.items() if keyword != "key"]
        whole = len(args.positional) == 1 and args.starred is None
        found = inner[0] if whole else join(*args.positional, *([args.starred] if args.starred else []), *rest)
        if key.kind is not Kind.SCALAR:
            _call(reader, key, [found], node)
        if name == "sorted":
            return reader.made(Kind.LIST, node, [inner[0]])
        return join(found, *rest) if rest else found
    if name in {"list", "tuple", "set", "frozenset", "reversed"}:
        kind = {"list": Kind.LIST, "tuple": Kind.TUPLE, "reversed": Kind.ITERATOR}.get(name, Kind.SET)
        return reader.made(kind, node, [_iterated(reader, value, node) for value in args.all()])
    if name == "iter":
        if len(args.positional) > 1:
            return reader.made(Kind.ITERATOR, node, [_call(reader, first, [], node)])
        return reader.made(Kind.ITERATOR, node, [_iterated(reader, first, node)])
    if name == "next":
        return join(inner[0], *args.positional[1:])
    if name == "enumerate":
        return reader.made(Kind.ITERATOR, node, [Value(Kind.TUPLE, items=(SCALAR, _iterated(reader, first, node)))])
    if name == "zip":
        if args.starred is not None:
            deeper = [reader.inner(value) for value in inner]
            return reader.made(Kind.ITERATOR, node, [reader.made(Kind.LIST, node, [*inner, *deeper], "zipped")])
        items = tuple(_iterated(reader, value, node) for value in args.positional)
        return reader.made(Kind.ITERATOR, node, [Value(Kind.TUPLE, items=items)])
    if name == "dict":
        return _dict(reader, args, node)
    if name == "range":
        return reader.made(Kind.ITERATOR, node, [SCALAR])
    if name == "sum" and inner[0].kind in {Kind.LIST, Kind.TUPLE, Kind.DATA}:
        deeper = [reader.inner(inner[0]), *(reader.inner(value) for value in args.positional[1:])]
        return reader.made(Kind.LIST, node, deeper).owned_by(inner[0].owners)
    if name == "sum":
        return join(*(DATA if one.kind is Kind.LIST else Value(one.kind) for one in (inner[0], *args.positional[1:])))
    if name in {"str", "repr", "format", "ascii", "bin", "hex", "oct", "chr"}:
        return TEXT
    if name in {"abs", "round", "pow", "divmod"}:
        return Value(first.kind) if first.kind in {Kind.TABLE, Kind.ARRAY} else DATA
    return SCALAR


def _iterated(reader: CallReader, value: Value, node: ast.AST) -> Value:
    return reader.element(value, node)


def _mapped(reader: CallReader, name: str, args: Arguments, node: ast.AST) -> Value:
    function, *rest = args.positional or [UNKNOWN]
    values = [_iterated(reader, value, node) for value in rest]
    if function.kind is Kind.SCALAR and name == "filter":
        return reader.made(Kind.ITERATOR, node, values)
    if args.starred is not None:
        return reader.report(node, _E.UNKNOWN, "passes arguments that cannot be read beforehand")
    result = _call(reader, function, values, node)
    # The calls are made when the map is walked, which may be later than here.
    reader.later(function, values)
    return reader.made(Kind.ITERATOR, node, values if name == "filter" else [result])


def _dict(reader: CallReader, args: Arguments, node: ast.AST) -> Value:
    if "images" in args.keywords:
        reader.report(node, *_KEYWORDS["images"])
    inside = list(args.keywords.values())
    for value in args.positional:
        pair = reader.inner(value)
        pairs = pair.items is not None and len(pair.items) == 2  # noqa: PLR2004
        inside.append(
            pair.items[1] if pairs and pair.items else reader.inner(pair) if value.kind is not Kind.DICT else pair
        )
    inside += [reader.inner(args.unsure)] if args.unsure is not None else []
    return reader.made(Kind.DICT, node, inside)


def handle(reader: CallReader, receiver: Value, name: str, args: Arguments, node: ast.AST) -> Value:
    """A call of a method of the copilot's handles; the name is already known to be on their list."""
    if receiver.kind is Kind.TOOLS:
        return DATA
    inner = Value(Kind.STORED if receiver.kind is Kind.STORE else Kind.TABLE, receiver.owners)
    if name == "get":
        return join(inner, *args.positional[1:]) if args.positional[1:] else inner
    inside = {"keys": TEXT, "values": inner, "items": Value(Kind.TUPLE, items=(TEXT, inner))}[name]
    return reader.made(Kind.ITERATOR, node, [inside])


def method(reader: CallReader, receiver: Value, name: str, args: Arguments, node: ast.AST) -> bool:
    """Whether the arguments of a method that needs care are harmless; writes the reason down where they are not."""
    before = len(reader.reasons)
    if name in {"plot", "hist", "boxplot"}:
        drawn_on(reader, args, node)
    values = list(args.positional)
    if name in _TO_TEXT and values:
        reader.report(node, _E.FILES, "writes a file")
    elif name in _DISPATCH:
        function = [*values[:1], *([args.keywords["func"]] if "func" in args.keywords else [])]
        for value in function:
            if name == "map":
                if value.kind is Kind.DATA:
                    reader.report(node, _E.UNKNOWN, "calls something that cannot be resolved")
            else:
                named(reader, value, node)
        if name in {"agg", "aggregate"} and not function:
            for value in args.keywords.values():
                named(reader, value.items[-1] if value.items else value, node)
    elif name == "query":
        if not values or values[0].texts is None or not all(_harmless_query(one) for one in values[0].texts):
            reader.report(node, _E.DYNAMIC, "evaluates text as code")
    elif name == "format":
        template(reader, receiver, node)
    elif name == "show" and args.all():
        reader.report(node, _E.DISPLAY, "shows the figure in a way of its own")
    elif name == "pivot_table" and len(values) > 3:  # noqa: PLR2004
        named(reader, values[3], node)
    elif name == "pipe" and not _callable(args.first()):
        reader.report(node, _E.UNKNOWN, "calls something that cannot be resolved")
    return len(reader.reasons) == before


def named(reader: CallReader, value: Value, node: ast.AST) -> None:
    """A function given to pandas: a plain function, or the name of one, or containers of these."""
    if value.kind in {Kind.CALLABLE, Kind.OPAQUE, Kind.SCALAR}:
        return
    if value.cells and not value.owners:
        named(reader, reader.inner(value), node)
    if value.items and not value.owners:
        named(reader, join(*value.items), node)
    if value.kind in {Kind.LIST, Kind.TUPLE, Kind.DICT, Kind.SET} and not value.owners:
        return
    if value.texts is None:
        reader.report(node, _E.UNKNOWN, "calls a method by a name that cannot be read beforehand")
        return
    for one in sorted(value.texts - builtin_names.NAMED_FUNCTIONS):
        reader.report(node, *(danger_of(one) or (_E.UNKNOWN, f"calls the method {one!r} by its name")))


def template(reader: CallReader, receiver: Value, node: ast.AST) -> None:
    """`"...".format`: the fields must not reach into the attributes of what they show."""
    if receiver.texts is None:
        reader.report(node, _E.UNKNOWN, "formats with a template that cannot be read beforehand")
        return
    for one in receiver.texts:
        try:
            fields = [field or "" for _, field, spec, _ in string.Formatter().parse(one) for field in (field, spec)]
        except ValueError:
            continue
        if any(
            ("." in field and not re.fullmatch(r"[^{}]*", field)) or re.search(r"\w\s*\.\s*[A-Za-z_]|_", field)
            for field in fields
        ):
            reader.report(node, _E.DYNAMIC, "reaches into an object while formatting")


_QUERY = (
    *(
        ast.Expression,
        ast.BoolOp,
        ast.And,
        ast.Or,
        ast.UnaryOp,
        ast.Not,
        ast.Invert,
        ast.USub,
        ast.UAdd,
        ast.Compare,
        ast.cmpop,
    ),
    *(
        ast.BinOp,
        ast.Add,
        ast.Sub,
        ast.Mult,
        ast.Div,
        ast.Mod,
        ast.Pow,
        ast.BitAnd,
        ast.BitOr,
        ast.Name,
        ast.Load,
        ast.Constant,
    ),
    *(ast.List, ast.Tuple),
)


def _harmless_query(text: str) -> bool:
    try:
        tree = ast.parse(re.sub(r"`[^`]*`", "x", text).strip(), mode="eval")
    except (SyntaxError, ValueError):
        return False
    return all(
        isinstance(node, _QUERY) and not (isinstance(node, ast.Name) and node.id.startswith("_"))
        for node in ast.walk(tree)
    )
