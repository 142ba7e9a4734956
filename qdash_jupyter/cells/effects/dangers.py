# ruff: noqa: E501, ICN001, ISC004 - tables of names: long lines of words read better than one name a line
"""Why something is not on the allow-list: words for people, and the class. Nothing here makes code plain."""

from __future__ import annotations

import datetime
import re
import sys
import types
from functools import lru_cache

from qdash_jupyter.cells.effects.verdict import EffectClass

_E = EffectClass
Danger = tuple[EffectClass, str]

_MODULES: dict[EffectClass, tuple[str, str]] = {
    _E.SHELL: ("reaches the operating system", "os posix nt subprocess pty signal multiprocessing pexpect resource"),
    _E.NETWORK: (
        "speaks to another machine",
        "socket ssl urllib urllib3 requests http httpx httpx2 aiohttp ftplib smtplib telnetlib paramiko pymongo bson "
        "websocket websockets zmq grpc openai xmlrpc webbrowser socketserver boto3 scipy.datasets pooch neo4j redis",
    ),
    _E.FILES: (
        "reads or writes files",
        "io pathlib shutil tempfile glob pickle shelve dbm sqlite3 duckdb zipfile tarfile gzip bz2 lzma h5py csv joblib "
        "fileinput mmap logging configparser scipy.io plotly.io pyarrow polars yaml dill cloudpickle netCDF4 zarr "
        "numpy.lib numpy.lib.npyio matplotlib.image codecs",
    ),
    _E.DYNAMIC: (
        "reaches code that cannot be read beforehand",
        "importlib builtins ctypes sys inspect gc types code codeop ast runpy pkgutil marshal cffi imp dis traceback "
        "numpy.ctypeslib numpy.f2py __main__ site weakref zipimport",
    ),
    _E.DISPLAY: ("displays HTML or JavaScript", "IPython.display IPython.core.display ipywidgets anywidget html"),
    _E.MAGIC: ("reaches IPython itself", "IPython ipykernel IPython.core"),
    _E.MUTATES: ("changes settings that stay after the cell", "warnings locale faulthandler"),
}
MODULES: dict[str, Danger] = {name: (e, why) for e, (why, names) in _MODULES.items() for name in names.split()}

_NAMES: dict[EffectClass, tuple[str, str]] = {
    _E.FILES: (
        "reads or writes a file",
        "open to_csv to_parquet to_pickle to_excel to_clipboard to_sql to_hdf to_feather to_orc to_stata to_gbq to_xml "
        "to_iceberg save savez savez_compressed savetxt load loadtxt genfromtxt fromfile fromregex memmap tofile dump "
        "dumps_to savefig imsave imread write_html write_image write_json write_images to_image read_text write_text "
        "write_bytes read_bytes ExcelWriter ExcelFile HDFStore DataSource print_figure print_png load_npz NpzFile",
    ),
    _E.DYNAMIC: (
        "runs or reaches code that cannot be read beforehand",
        "eval exec compile __import__ globals locals vars dir getattr setattr delattr hasattr attrgetter methodcaller "
        "memoryview super classmethod staticmethod property object ctypes ctypeslib f2py gi_frame gi_code f_globals f_locals "
        "f_builtins tb_frame cr_frame ag_frame",
    ),
    _E.MAGIC: ("runs IPython commands", "get_ipython run_line_magic run_cell_magic In Out"),
    _E.DISPLAY: (
        "displays HTML, JavaScript, or something fetched from outside",
        "HTML Javascript IFrame Image SVG Markdown Audio Video YouTubeVideo style to_html Latex FileLink FileLinks "
        "add_layout_image add_image update_layout_images FigureWidget",
    ),
    _E.MUTATES: (
        "changes settings that stay after the cell",
        "set_option reset_option rcParams rc rcdefaults seterr seterrcall set_printoptions filterwarnings simplefilter "
        "use switch_backend register_dataframe_accessor set_state ion ioff xkcd set_loglevel templates",
    ),
    _E.UNKNOWN: (
        "does something that cannot be known beforehand",
        "input breakpoint exit quit help copyright credits license",
    ),
}
NAMES: dict[str, Danger] = {name: (e, why) for e, (why, names) in _NAMES.items() for name in names.split()}

_MAPS = re.compile(
    r"(?i)(^|_)(scatter|line|choropleth|density|scatter_|line_|choropleth_|density_)?_?(map(box)?|geo)(_|$)|choropleth"
)
_MAP_CLASS = re.compile(r"(?i)mapbox|scattergeo|choropleth|scattermap|densitymap|layout_image|^image$|add_image")


def danger_of(name: str, path: str = "") -> Danger | None:
    """The danger of a name (attribute or function), or None where it is merely not listed."""
    if name.startswith("__") or (name.startswith("_") and name != "_"):
        return _E.DYNAMIC, "reaches into the inside of an object"
    if _MAP_CLASS.search(name) or (path.startswith("plotly.express") and _MAPS.search(name)):
        return _E.DISPLAY, "displays something that is fetched from outside"
    if name in NAMES:
        return NAMES[name]
    if name.startswith("read_") and path.split(".", maxsplit=1)[0] in {"pandas", ""}:
        return _E.FILES, "reads a file or an address"
    return None


def danger_of_module(path: str) -> Danger:
    """The class of a module that is not on the allow-list."""
    parts = path.split(".")
    for end in range(len(parts), 0, -1):
        found = MODULES.get(".".join(parts[:end]))
        if found is not None:
            return found
    return _E.UNKNOWN, "is not among the libraries whose effects are known"


_TABULAR = (("pandas", "DataFrame"), ("pandas", "Series"), ("pandas", "Index"), ("pandas", "MultiIndex"))
_OTHERS = (
    *(("numpy", "ndarray"), ("plotly.graph_objects", "Figure"), ("matplotlib.figure", "Figure")),
    *(("matplotlib.axes", "Axes"), ("matplotlib.backend_bases", "FigureCanvasBase"), ("matplotlib.lines", "Line2D")),
    *(("pandas.core.groupby", "DataFrameGroupBy"), ("pandas.core.groupby", "SeriesGroupBy")),
    *(("numpy.random", "Generator"), ("pandas", "ExcelWriter"), ("pandas", "DatetimeIndex")),
)
_BUILTIN = (
    *(str, bytes, list, dict, set, tuple, int, float, complex, slice, range, type, object, BaseException, ImportError),
    *(types.FunctionType, types.MethodType, types.GeneratorType, types.FrameType, types.CodeType, types.TracebackType),
    *(types.ModuleType, types.BuiltinFunctionType, types.CoroutineType, re.Pattern, re.Match, datetime.datetime),
    *(datetime.timedelta, datetime.timezone),
)
_VERB = re.compile(
    r"(to|read|write|save|load|dump|open|exec|eval|call|print|run|send|set|get|add|update|register|import|export)(_|$)|"
    r"(gi|f|tb|cr|ag|co|func)_(frame|code|globals|locals|builtins|back|name|trace)|"
    r"(canvas|manager|figure|axes|callbacks|refresh|fire|tofile|savefig|mro|base|parent|obj|fromfile)$"
)


@lru_cache(maxsize=8)
def _attributes(loaded: tuple[str, ...]) -> frozenset[str]:
    names: set[str] = set()
    for kind in _BUILTIN:
        names.update(dir(kind))
    for module, name in (*_TABULAR, *_OTHERS):
        if module in loaded:
            names.update(dir(sys.modules[module].__dict__.get(name)))
    return frozenset(names)


def may_be_a_column(name: str) -> bool:
    """Whether `frame.name` can only be a column: no class that a value may have knows an attribute of that name."""
    loaded = tuple(sorted({module for module, _ in (*_TABULAR, *_OTHERS) if module in sys.modules}))
    return not (name.startswith("_") or name in NAMES or _VERB.match(name) or name in _attributes(loaded))
