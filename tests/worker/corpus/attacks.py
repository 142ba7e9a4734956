"""Attacks on the way from a session back into the kernel, each a piece of code under its name.

`IN_SESSION` runs in the session on the user's names. `ON_CHANNEL` runs there too, and speaks the channel itself.
`IN_KERNEL` makes the user's object `value`, which must not be touched while it is gathered.
"""

# ruff: noqa: E501 - code in long rows

from __future__ import annotations


def _parted(text: str) -> dict[str, str]:
    parts = [part.partition("\n") for part in text.split("### ")[1:]]
    codes = {head: code for head, _, code in parts}
    if len(codes) != len(parts):
        raise ValueError("Two attacks have one name")
    return codes


INSTRUMENT = '''
seen = []
_GIVES = {"__hash__": 1, "__eq__": False, "__ne__": True, "__lt__": True, "__repr__": "awg", "__str__": "awg",
    "__format__": "awg", "__len__": 1, "__bool__": True, "__int__": 1, "__index__": 1, "__float__": 1.0,
    "__contains__": True, "__reduce__": (int, ()), "__reduce_ex__": (int, ()), "__dir__": [], "__sizeof__": 1,
    "__instancecheck__": True, "__subclasscheck__": True}
_SPECIAL = """__hash__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __repr__ __str__ __format__ __bytes__ __len__ __bool__
    __int__ __index__ __float__ __complex__ __contains__ __iter__ __next__ __reversed__ __getitem__ __setitem__
    __delitem__ __reduce__ __reduce_ex__ __getstate__ __dir__ __sizeof__ __call__ __enter__ __exit__ __add__ __radd__
    __sub__ __mul__ __rmul__ __matmul__ __truediv__ __neg__ __abs__ __copy__ __deepcopy__
    __fspath__ __await__ __get__ __set_name__""".split()
def _counts(name):
    def use(self, *_, **__):
        seen.append(name)
        return _GIVES.get(name, self)
    return use
_all = {name: _counts(name) for name in _SPECIAL}
def _read(self, name):
    seen.append(name)
    return object.__getattribute__(self, name)
def _write(self, name, *_):
    seen.append("set " + name)
def _of_class(cls, name):
    seen.append("class." + name)
    return type.__getattribute__(cls, name)
def _call(cls, *args):
    return type.__call__(cls, *args)
_never = ("__call__", "__get__", "__set_name__", "__next__", "__await__", "__copy__", "__deepcopy__")
Meta = type("Meta", (type,), {**{k: v for k, v in _all.items() if k not in _never}, "__getattribute__": _of_class})
class Awg:
    __getattribute__, __setattr__, __delattr__ = _read, _write, _write
    def output_on(self, *_): seen.append("output_on")
for name in _SPECIAL:
    setattr(Awg, name, _all[name])
class Generator(metaclass=Meta):
    pass
class Text(str):
    pass
for name in ("__hash__", "__eq__", "__lt__", "__format__", "__str__", "__repr__"):
    def _as_text(self, *args, _name=name):
        seen.append("text " + _name)
        return getattr(str, _name)(self, *args)
    setattr(Text, name, _as_text)
awg = Awg()
fire = awg.output_on
'''
"""A cell of the user's: `awg` notes in `seen` whatever is done with it."""

IN_SESSION = _parted("""
### functools.wraps into the globals of a function of the user's
import functools
functools.wraps(user_fn, assigned=(), updated=("__globals__",))(lambda: None)
user_fn.__globals__["pi"] = 3
### functools.update_wrapper with the module's names
import functools, numpy
functools.update_wrapper(user_fn, numpy, assigned=(), updated=("__dict__",))
user_fn.__globals__.clear()
### the code of a function of the user's
user_fn.__code__ = (lambda x: 0).__code__
user_fn(1)
### its defaults and annotations
user_fn.__defaults__ = (df,); user_fn.__kwdefaults__ = {"x": arr}; user_fn.__annotations__ = {"x": d}
### a hook of a representation that writes
class Bad:
    def _repr_html_(self): open(SECRET, "w").write("x"); return "<script>1</script>"
Bad()
### a hook of a mime bundle that sends
class Bad:
    def _repr_mimebundle_(self, **_): return {"application/javascript": "fetch('http://127.0.0.1:%d')" % PORT}
Bad()
### a formatter for the user's frames
get_ipython().display_formatter.formatters["text/html"].for_type(type(df), lambda f: awg.output_on())
df
### a hook of IPython's events
get_ipython().events.register("post_run_cell", lambda *_: df.drop(df.index, inplace=True))
### a transformer of cells
get_ipython().input_transformers_cleanup.append(lambda lines: ["open(SECRET, 'w')"])
### an exception handler of IPython
get_ipython().set_custom_exc((Exception,), lambda *_: awg.output_on())
1 / 0
### a magic that writes a file
get_ipython().run_cell_magic("writefile", SECRET, "x")
### a magic that runs the shell
get_ipython().system("touch " + SECRET)
### hooks of matplotlib's figures
import sys, types, matplotlib.pyplot as plt
m = types.ModuleType("hook_m"); m.h = lambda fig: df.drop(df.index, inplace=True); sys.modules["hook_m"] = m
plt.rcParams["figure.hooks"] = ["hook_m:h"]
plt.figure()
### matplotlib settings
import matplotlib
matplotlib.rcParams["font.size"] = 99; matplotlib.use("svg", force=True)
### matplotlib saves
import matplotlib.pyplot as plt
plt.figure().savefig(SECRET)
### a subclass of str as a path
class P(str):
    def __fspath__(self): return SECRET
open(P("/dev/null"), "w").write("x"); open(P(SECRET), "w")
### a subclass of str as a name
class S(str):
    def __eq__(self, other): return True
    __hash__ = str.__hash__
globals()[S("df")] = df.iloc[:0]
### a subclass of dict comes back
class D(dict):
    def __reduce__(self): return eval, ("awg.output_on()",)
out = D(a=1)
### a subclass of ndarray comes back
import numpy as np
class A(np.ndarray):
    def __array_finalize__(self, other): arr[:] = -1
out = np.zeros(3).view(A)
### a subclass of DataFrame comes back
import pandas as pd
class F(pd.DataFrame):
    @property
    def _constructor(self): return F
    def __reduce__(self): return eval, ("1",)
out = F({"a": [1]})
### out= of numpy
import numpy as np
np.multiply(arr, 0, out=arr); np.copyto(arr, 7); arr.fill(9); arr.sort()
### out= of einsum and of take
import numpy as np
np.einsum("i->i", arr, out=arr); np.take(arr, [0] * len(arr), out=arr)
### a strided view beyond the array
import numpy as np
np.lib.stride_tricks.as_strided(arr, (10**6,), writeable=True)[:] = 1
### flags and dtype of the array
arr.flags.writeable = False; arr.dtype = "u1"; arr.shape = (-1,)
### views of columns
df["v"].to_numpy(copy=False)[...] = 0
### frames in place
df.drop(df.index, inplace=True); df.attrs["x"] = 1; df.columns = ["z"] * df.shape[1]; df.flags.allows_duplicate_labels = False
### the blocks of a frame
df._mgr.blocks[0].values[:] = 0
### eval and query of a frame
df.eval("v = 0", inplace=True); df.query("@awg.output_on()")
### containers in place
d.clear(); xs.append(d); xs.sort(key=str); d["self"] = d
### random state
import numpy as np, random
np.random.seed(0); random.seed(0); np.random.set_state(np.random.RandomState(1).get_state())
### decimal precision
from decimal import getcontext, setcontext, Context
getcontext().prec = 2; setcontext(Context(prec=1))
### numpy's handling of errors
import numpy as np
np.seterr(all="raise"); np.seterrcall(lambda *_: awg.output_on()); np.set_printoptions(precision=1)
### pandas options
import pandas as pd
pd.set_option("display.max_rows", 1); pd.options.mode.copy_on_write = False
### plotly's template and renderer
import plotly.io as pio
pio.templates.default = "none"; pio.renderers.default = "browser"
### warnings
import warnings
warnings.simplefilter("error"); warnings.showwarning = lambda *_: awg.output_on(); warnings.warn("x")
### the environment
import os
os.environ.clear(); os.putenv("HOME", "x"); os.chdir("/tmp"); os.umask(0)
### the locale and the time zone
import locale, os, time
os.environ["TZ"] = "Asia/Tokyo"; time.tzset(); locale.setlocale(locale.LC_ALL, "C")
### builtins
import builtins
builtins.open = builtins.print = builtins.isinstance = lambda *_: awg.output_on()
### sys
import sys
sys.setrecursionlimit(10**9); sys.stdout = sys.stderr = None; sys.path.insert(0, "/tmp"); sys.modules.pop("json")
### gc turned against the worker
import gc
for o in gc.get_objects():
    if type(o).__name__ in ("KernelNames", "Session", "StoredData", "Attempts"):
        o.__dict__.clear()
### gc looks for the instrument
import gc
[o.output_on() for o in gc.get_objects() if hasattr(o, "output_on")]
### frames of the callers
import sys
f = sys._getframe()
while f: f.f_locals.update(stays=[("df", "x")], bound=["awg"]); f.f_globals["written"] = lambda v: [b"0"]; f = f.f_back
### frames of the callers, to the names given
import inspect
for f in inspect.stack():
    for v in list(f.frame.f_locals.values()):
        if type(v) is dict: v["awg"] = 1
### ctypes in its own memory
import ctypes
ctypes.memset(id(df) + 16, 0, 8)
### ctypes changes a small number
import ctypes
ctypes.memset(id(5) + 24, 7, 1)
### ctypes changes the type of the placeholder
import ctypes
ctypes.c_ssize_t.from_address(id(awg) + 8).value = id(int)
awg + 1
### ctypes closes the channel
import ctypes
ctypes.CDLL(None).close(3)
### the channel closed
import os
os.close(3)
### the channel duplicated
import os
os.dup2(os.open("/dev/null", os.O_WRONLY), 3)
### standard streams of the worker
import os
for n in range(64):
    try: os.write(n, b"\\x00" * 64)
    except OSError: pass
### names_out.written patched
import qdash_jupyter.worker.names_out as n, qdash_jupyter.worker.kernel_names as k
n.written = k.written = lambda value: [b"cos\\nsystem\\n(S'touch /tmp/x'\\ntR."]
out = 1
### names_out.written gives a reduced object
import pickle, qdash_jupyter.worker.kernel_names as k
class R:
    def __reduce__(self): return eval, ("awg.output_on()",)
k.written = lambda value: [pickle.dumps(R())]
out = 1
### is_given patched, so that the user's own are sent
import qdash_jupyter.worker.kernel_names as k
k.KernelNames.is_given = lambda self, name: False
k.KernelNames._given = {}
df = df.iloc[:0]; awg = 1
### names of the kernel rebound
df = awg = user_fn = fire = arr = d = None
### all names deleted
for n in list(globals()): globals().pop(n)
### _is_told patched
import qdash_jupyter.worker.inside as i
i.Session._is_told = lambda self, name: True
__builtins__ = _x = get_ipython = In = exit = 1
### the json writer patched
import qdash_jupyter.worker.inside as i
i.to_json = lambda m: "[" * 100000
### in_words patched
import qdash_jupyter.worker.inside as i
i.in_words = lambda names, some: ["<img src=x onerror=1>\\x1b]0;x\\x07"] * 600
made = object()
### pandas patched
import pandas as pd
pd.DataFrame.__reduce__ = lambda self: (eval, ("1",)); pd.DataFrame.to_numpy = lambda *_, **__: awg.output_on()
out = pd.DataFrame({"a": [1]})
### pyarrow patched
import pyarrow as pa
pa.RecordBatch = pa.ipc.new_stream = None; pa.ipc.read_message = lambda *_: awg.output_on()
import pandas as pd
out = pd.DataFrame({"a": [1]})
### numpy's writer patched
import numpy as np
np.lib.format.write_array = lambda f, a, **_: f.write(b"\\x93NUMPY\\x03\\x00" + b"\\xff" * 100)
out = np.zeros(3)
### orjson patched
import orjson
orjson.dumps = lambda *_, **__: b'{"array": 1}' * 1000
out = 1
### a thread that goes on
import threading, time
def go():
    for _ in range(200): df.drop(df.index, inplace=True); arr.fill(0); time.sleep(0.001)
threading.Thread(target=go, daemon=True).start()
### a thread that shows after the end
import threading, time
threading.Thread(target=lambda: (time.sleep(0.01), [print("late") for _ in range(1000)])).start()
### atexit
import atexit
atexit.register(lambda: open(SECRET, "w")); raise SystemExit
### a signal handler
import signal, os
signal.signal(signal.SIGINT, lambda *_: awg.output_on()); os.kill(os.getpid(), signal.SIGINT)
### signals for the kernel
import os, signal
for pid in (os.getppid(), 1, -1, PARENT): os.kill(pid, signal.SIGINT)
### an alarm
import signal
signal.setitimer(signal.ITIMER_REAL, 0.01); signal.alarm(1)
import time; time.sleep(0.1)
### an audit hook that raises
import sys
sys.addaudithook(lambda *_: 1 / 0)
### audit hooks evaded by io.FileIO
import _io
_io.FileIO(SECRET, "w").write(b"x")
### audit hooks evaded by ctypes
import ctypes
ctypes.CDLL(None).open(SECRET.encode(), 1); ctypes.CDLL(None).system(b"id")
### audit hooks evaded by pyarrow
import pyarrow as pa
pa.OSFile(SECRET, "w").write(b"x")
### audit hooks given a path that lies
class P:
    n = 0
    def __fspath__(self): self.n += 1; return SECRET if self.n > 1 else "/dev/null"
open(P(), "w").write("x"); open(P(), "w")
### Attempts cleared
import gc, sys
for o in gc.get_objects():
    if type(o).__name__ == "Attempts": o._noted = None; o._trying = {1}
open(SECRET)
### __del__
class Bad:
    def __del__(self): open(SECRET, "w").write("x"); df.drop(df.index, inplace=True)
Bad(); x = Bad(); x.me = x; del x
### weakref callbacks
import weakref
class Bad: pass
b = Bad(); weakref.finalize(b, lambda: df.drop(df.index, inplace=True)); del b
### a reducer registered for the user's types
import copyreg
copyreg.pickle(type(df), lambda f: (eval, ("awg.output_on()",)))
out = df.copy()
### an import hook
import sys
class F:
    def find_spec(self, name, path=None, target=None): awg.output_on()
sys.meta_path.insert(0, F())
import nothing_of_that_name
### numpy's memmap of the parent
import numpy as np
np.memmap(f"/proc/{PARENT}/mem", mode="r+")
### the parent's files
open(f"/proc/{PARENT}/environ").read()
### the server
import socket
socket.create_connection(("127.0.0.1", PORT), 1)
### the server, by pandas
import pandas as pd
pd.read_csv(f"http://127.0.0.1:{PORT}/x.csv")
### the server, by asyncio
import asyncio
await asyncio.open_connection("127.0.0.1", PORT)
### an image of the server
from IPython.display import Image, IFrame, HTML, display
display(HTML(f"<img src='http://127.0.0.1:{PORT}/x.png'>"), IFrame(f"http://127.0.0.1:{PORT}", 1, 1)); Image(url=f"http://127.0.0.1:{PORT}/x.png")
### a file shown
from IPython.display import Markdown
Markdown(filename=SECRET)
### the placeholder's class
type(awg).output_on = lambda self: None; awg.output_on(); type(awg).__getattr__(awg, "on")
### the placeholder copied and pickled
import copy, pickle
copy.deepcopy(awg); pickle.dumps(awg)
### the placeholder compared and sorted
sorted([awg, awg]); awg == awg; hash(awg); awg in [awg]; repr(awg); f"{awg}"
### the instrument's bound method
fire(); fire.__self__.output_on(); fire.__func__.__globals__["seen"].append(1)
### frames with the instrument
held.iloc[0, 0].output_on(); held.map(lambda x: x.output_on())
### a generator that never ends, as a value
import itertools
out = itertools.count(); more = (i for i in out)
### deep and circular values
out = []
for _ in range(10**5): out = [out]
loop = []; loop.append(loop)
### keys with one hash
out = {i * (2**61 - 1): i for i in range(3000)}
### a huge integer
out = 1 << 50_000_000
### a proxy of a class for a name
import sys
sys.modules["os"] = type("M", (), {"__name__": "os"})(); os = sys.modules["os"]
### a module with a name that is code
import types
np = types.ModuleType("os; awg.output_on()"); xx = types.ModuleType("x" * 10**6)
### breakpointhook and displayhook
import sys
sys.breakpointhook = sys.displayhook = sys.excepthook = lambda *_: awg.output_on()
breakpoint()
### faulthandler and tracing
import sys, faulthandler
sys.settrace(lambda *_: awg.output_on()); sys.setprofile(lambda *_: df.drop(df.index, inplace=True))
### the interpreter crashes
import ctypes
ctypes.string_at(0)
### the stack overflows in C
f = lambda: None
for _ in range(10**6): f = f.__get__(1)
del f
""")

_SPEAKS = """\
import os, struct, json, base64, io
def raw(data):
    data = bytes(data)
    while data: data = data[os.write(3, data):]
def text(data): raw(struct.pack("<Q", len(data)) + data)
def send(message): text(json.dumps(message).encode())
def name(key, *parts):
    send({"name": key, "parts": len(parts)})
    for part in parts: text(part if isinstance(part, bytes) else json.dumps(part).encode())
def out(kind, **content): send({"out": kind, "content": content})
def show(mime, value, **more): out("display_data", data={mime: value}, metadata={}, **more)
def end(**done): send({"done": {"error": "", **done}})
def described(dtype, shape, data): return {"array": [dtype, shape, "C", {"raw": len(data)}]}
def array(key, dtype, shape, data=b""): name(key, described(dtype, shape, data), data)
def rows(stop): return {"range index": [0, stop, 1, None]}
def series(column, stop, data=b""): name("evil", {"series": [column, rows(stop), None, {"dict": [[], []]}]}, data)
def figure(layout, data="[]"):
    text = ('{"data":%s,"layout":{"template":{}%s}}' % (data, layout)).encode()
    name("evil", {"figure": [described("|u1", [len(text)], text)]}, text)
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
"""

KEPT_FROM_BOUND = [
    "__builtins__",
    "__name__",
    "__file__",
    "__doc__",
    "__loader__",
    "__spec__",
    "_",
    "__",
    "___",
    "_i",
    "_ii",
    "_oh",
    "_dh",
    "_ih",
    "_exit_code",
    "class",
    "None",
    "True",
    "import",
    "lambda",
]
"""No user's cell binds these to hold a value, or they are IPython's and Python's own."""

_MIMES = {
    "text/html": "<script>go()</script><img src=x onerror=go()><a href='javascript:go()'>x</a><svg onload=go()>",
    "text/html ": "<script>go()</script>",
    "TEXT/HTML": "<script>go()</script>",
    "text/markdown": "<script>go()</script>[x](javascript:go())",
    "text/latex": r"\href{javascript:go()}{x}",
    "image/svg+xml": "<svg onload='go()'/>",
    "application/javascript": "go()",
    "application/vnd.jupyter.widget-view+json": {"model_id": "x", "version_major": 2},
    "application/vnd.jupyterlab-plotly+json": {"data": [], "layout": {"script": "<script>"}},
    "application/vnd.plotly.v1+json": {
        "data": [{"type": "scatter", "text": "<a href='javascript:go()'>"}],
        "layout": {"images": [{"source": "http://127.0.0.1/x"}]},
        "config": {"plotlyServerURL": "javascript:go()"},
    },
    "application/vnd.vega.v5+json": {"data": {"url": "javascript:go()"}},
    "application/vnd.bokehjs_exec.v0+json": "<script>go()</script>",
    "application/geo+json": {"type": "<script>"},
    "application/pdf": "JVBERi0=<script>",
    "image/png": "<script>go()</script>",
    "image/gif": "R0lGODlh<script>",
    "application/json": {"a": "<script>"},
    "video/mp4": "<script>",
    "text/vnd.mermaid": "<script>",
}

ON_CHANNEL = {
    name: _SPEAKS + code
    for name, code in {
        **{f"the name {bound} bound": f"name({bound!r}, 1)" for bound in KEPT_FROM_BOUND},
        **{f"shown as {mime}": f"show({mime!r}, {value!r})" for mime, value in _MIMES.items()},
        **_parted(
            r"""
### begun twice
send({"begun": True}); send({"begun": True})
### done early, then more
end(names=[]); name("late", 1); print("late"); end()
### done early, and the code goes on
end(); import time; time.sleep(0.2)
### done a hundred times
for _ in range(100): end(names=["df"])
### done is a list
send({"done": []}); send({"done": None})
### done without fields
send({"done": {}})
### done with every field of a wrong type
end(error=1, value=[], output={}, traceback=[], created={}, names=3, stays="ab", modules=[[1, 2]], needed=[None], tried=5)
### done with pairs of three
end(stays=[["a", "b", "c"]])
### done with an object in place of a list
end(stays={"a": "b"}, names={"a": 1})
### done with NaN
text(b'{"done":{"error":"","value":NaN}}')
### done with a huge number
text(b'{"done":{"error":"","value":' + b"9" * 4000 + b"}}")
### done with a number too long to be read
text(b'{"done":{"error":"","value":' + b"9" * 5000000 + b"}}")
### done with 1e999
text(b'{"done":{"error":"","value":1e999}}')
### done with half of a surrogate pair
text(b'{"done":{"error":"\\ud800","stays":[["\\udfff","\\ud800"]]}}')
### done with bytes that are no UTF-8
text(b'{"done":{"error":"\xff"}}')
### done with a deep value
text(b'{"done":{"error":"","value":' + b"[" * 190 + b"]" * 190 + b"}}")
### done with a value too deep to be read
text(b"[" * 10**6)
### done with the same key often
text(b"{" + b'"done":{"error":""},' * 10000 + b'"done":{}}')
### done with megabytes of text
end(error="x" * 5000000, traceback="y" * 5000000, output="z" * 5000000)
### done with many names
end(names=["n%d" % i for i in range(500000)])
### done with memory as the error
end(error="memory")
### done with a key as a secret
end(error="sk-proj-" + "a" * 48)
### get of unknown keys
for key in ("nothing", "", "../x", "__class__", "\u0000"): send({"get": key})
### get with other types
for key in (1, None, [], {"a": 1}): send({"get": key})
### get without reading the answer
for _ in range(2000): send({"get": "nothing"})
### a message of nothing
text(b"")
### a length of nothing, then the end
raw(b"\x00" * 8)
### a huge length
raw(struct.pack("<Q", 2**63))
### a length just above the limit
raw(struct.pack("<Q", 20_000_001))
### a length below the limit and nothing behind it
raw(struct.pack("<Q", 19_000_000)); os.close(3)
### half a length
raw(b"\x01\x02"); os.close(3)
### random bytes
raw(bytes(range(256)) * 100)
### no JSON
text(b"cos\nsystem\n(S'id'\ntR.")
### JSON that is no object
for one in (1, "x", [], None): send(one)
### unknown messages
send({"eval": "1"}); send({"__class__": "x"}); send({"out": 1, "content": {}}); send({"out": "x", "content": []})
### parts that never come
send({"name": "evil", "parts": 3}); os.close(3)
### parts that never come, and the session waits
send({"name": "evil", "parts": 1}); import time; time.sleep(60)
### a part of a huge length that never comes
send({"name": "evil", "parts": 1}); raw(struct.pack("<Q", 999_000_000)); os.close(3)
### a part of a huge length that comes slowly
send({"name": "evil", "parts": 1}); raw(struct.pack("<Q", 999_000_000)); import time; time.sleep(60)
### a part above the limit
send({"name": "evil", "parts": 1}); raw(struct.pack("<Q", 2**40))
### a hundred thousand empty parts
send({"name": "evil", "parts": 100_000}); raw(b"\x00" * 800_000)
### more parts than may be
send({"name": "evil", "parts": 10**9})
### fewer parts than none
send({"name": "evil", "parts": -1})
### parts that are no number
for count in (True, None, "1", 1.5, [1]): send({"name": "evil", "parts": count})
### many names with the same large value
data = bytes(30000000)
for i in range(100): array("big%d" % i, "|u1", [30000000], data)
### one name again and again with a large value
data = bytes(30000000)
for i in range(100): array("big", "|u1", [30000000], data)
### names that are no identifiers
for bad in ("a b", "", "1", "a;b", "a.b", "a\nb", "x" * 300, "\u0000"): name(bad, 1)
### a name that Python spells otherwise
name("\u212f", 1); name("\u00b5", 1)
### a thousand names
for i in range(1000): name("n%d" % i, 1)
### a pickle as a value
name("evil", b"cos\nsystem\n(S'id'\ntR.")
### a pickle as a part
array("evil", "|O", [1], b"\x80\x05cos\nsystem\nR.")
### an array of objects
array("evil", "|O", [1], bytes(8))
### an array of fields of objects
array("evil", "[('a', '|O')]", [1], bytes(8))
### an array whose dtype is code
array("evil", "__import__('os').system('id')", [1])
### an array with a shape that overflows
array("evil", "<f8", [9223372036854775807, 2])
### an array of a huge text of nothing
array("evil", "<U999999999", [0])
### a kind of value that is none
for kind in ("__class__", "eval", "os.system", ""): name("evil", {kind: ["id"]})
### two kinds at once
name("evil", {"tuple": [], "set": []})
### a deep value
name("evil", b"[" * 900 + b"]" * 900)
### a value too deep for the reader
name("evil", b"[" * 500000)
### a range as long as it gets
name("evil", {"range": [0, 2**63 - 1, 1]})
### a slice of a dict
name("evil", {"set": [{"slice": [0, 1, {"dict": [[], []]}]}]})
### keys with one hash
name("evil", {"dict": [[{"int": [hex(i * (2**61 - 1))]} for i in range(20000)], [0] * 20000]})
### keys with one hash, in tuples
name("evil", {"set": [{"tuple": [{"int": [hex(i * (2**61 - 1))]}]} for i in range(20000)]})
### a decimal with a huge exponent as a key
name("evil", {"set": [{"decimal": ["1E+999999999999999999"]}]})
### an integer of millions of digits
name("evil", {"int": ["f" * 20000000]})
### a set in a set
name("evil", {"set": [{"set": []}]})
### a time zone that is a file
name("evil", {"timestamp": [0, "s", 0, "dateutil/" + SECRET]})
### a time zone that is a module
name("evil", {"datetime": ["2026-01-01", 0, {"zone": ["antigravity"]}]})
### times beyond all bounds
for t in (2**63 - 1, -2**63, 10**18): name("evil", {"timestamp": [t, "s", 0, None]}); name("evil", {"period": [t, "Y"]})
### frequencies of pandas
for f in ("H", "A", "999999999D", "-1s", "W-XXX", "C", "BQE-DEC", "ZZZ"): name("evil", {"period": [10**17, f]})
### texts of random bytes
data = bytes(range(256)) * 9
texts = {"texts": [described("|u1", [1000], data[:1000]), described("<i8", [101], data[:808]), described("|b1", [100], data[:100])]}
series({"array": ["|O", [100], "C", texts]}, 100, data[:1000] + data[:808] + b"\1" * 100)
### texts whose bounds are far away
import numpy as np
data = bytes(8) + np.array([0, 2**62], "<i8").tobytes() + b"\1"
texts = {"texts": [described("|u1", [8], data[:8]), described("<i8", [2], data[:16]), described("|b1", [1], b"\1")]}
series({"array": ["|O", [1], "C", texts]}, 1, data)
### categories that all have one place in a hash table
import numpy as np
high = np.arange(500000, dtype="u8") << 33
low = np.zeros_like(high)
for bit in range(32):
    above = (high >> (33 + bit)) & 1 if bit < 31 else 0 * high
    low |= (above ^ ((low >> (bit - 11)) & 1 if bit > 10 else 0 * high)) << bit
data = b"\0" + np.random.default_rng(0).permutation(high | low).tobytes()
labels = {"index": [described("<i8", [500000], data[1:]), None, None]}
series({"category": [described("|i1", [1], data[:1]), labels, False]}, 1, data)
### an index of a frequency that takes long to find
import numpy as np
data = np.arange(10**6).tobytes()
name("evil", {"index": [described("<M8[s]", [10**6], data), None, "cbh"]}, data)
### small tables that take long together
data = bytes(8)
name("evil", [{"series": [described("<f8", [1], data), rows(1), None, {"dict": [[], []]}]}] * 100000, data * 100000)
### a Series of one value for a trillion rows
series(described("<f8", [], bytes(8)), 10**12, bytes(8))
### columns and codes that are ranges
for column in (rows(10**10), {"range": [0, 10**10, 1]}): series(column, 10**10)
name("evil", {"index": [rows(10**10), None, None]}); name("evil", {"index": [{"range": [0, 10**10, 1]}, None, None]})
name("evil", {"category": [rows(10**10), rows(1), False]}); name("evil", {"intervals": [rows(10**10), rows(10**10), "left"]})
name("evil", {"levels": [[rows(1)], [{"range": [0, 10**10, 1]}], [None]]}); name("evil", {"dict": [{"range": [0, 10**10, 1]}] * 2})
name("evil", {"periods": [{"range": [0, 10**10, 1]}, "D"]}); name("evil", {"times": [{"range": [0, 10**10, 1]}, "UTC"]})
### a frame of a trillion rows
name("evil", {"frame": [[], rows(10**12), rows(0), {"dict": [[], []]}]})
### a MultiIndex of huge ranges
code = described("|i1", [1], bytes(1))
name("evil", {"levels": [[rows(10**12)] * 3, [code] * 3, [None] * 3]}, bytes(3))
### attrs of a table as a table
name("evil", {"frame": [[], rows(1), rows(0), rows(9)]})
### a figure with a million annotations
figure(',"annotations":[%s]' % ",".join(["{}"] * 1000000))
### a figure with a hundred thousand traces
figure("", "[%s]" % ",".join(['{"type":"bar"}'] * 100000))
### a figure with a million colours
figure("", '[{"type":"scatter","marker":{"color":[%s]}}]' % ",".join(['"#abc"'] * 1000000))
### a figure of another class
figure("", '[{"type":"../os"}]'); figure(',"__class__":1'); figure(',"_parent":{}')
### a figure that asks a server
figure(',"images":[{"source":"http://127.0.0.1:%d/x.png"}]' % PORT)
### a figure's array that expands
figure("", '[{"type":"scatter","y":{"dtype":"i1","bdata":"AA==","shape":"1000000000,0"}}]')
### a chart's array that expands
show("application/vnd.plotly.v1+json", {"data": [{"type": "bar", "y": {"dtype": "i1", "bdata": "", "shape": "0, 100000000"}}], "layout": {}})
### modules of the attacker
end(modules=[["os", "attacker"], ["df", "antigravity"], ["x", "this"]])
### modules whose names are code
end(modules=[["x", "os; __import__('antigravity')"], ["a = 1; b", "os"], ["x", "os\nawg.output_on()"], ["x", "../x"]])
### modules bound to names of Python's own
end(modules=[["__builtins__", "os"], ["_", "sys"], ["class", "os"]])
### markup in the words
end(stays=[["x", "<img src=x onerror=go()>"]], needed=[["awg", "<script>go()</script>"]], tried=[["reads", "<script>"]])
### terminal codes in the words
end(stays=[["x\x1b]0;t\x07", "\x1b[2J"]], needed=[["awg", "on\r\n\x1b[31m"]], tried=[["reads", "\u202egnp.\x00"]])
### megabytes in the words
end(stays=[["x", "y" * 10**6]], needed=[["awg", "y" * 10**6]], tried=[["reads", "y" * 10**6]] * 5)
### a message of one type that is of another
out("stream", output_type="display_data", data={"text/plain": "x"})
### a comm opened as a stream
out("comm_open", output_type="stream", name="stdout", text="x", comm_id="1", target_name="x")
### messages that are no outputs
for kind in ("comm_open", "comm_msg", "input_request", "status", "execute_input", "execute_reply", "shutdown_reply"):
    out(kind, data={"text/html": "<script>"}, comm_id="x", target_name="jupyter.widget", prompt="x")
### a payload that sets the next cell
out("execute_reply", payload=[{"source": "set_next_input", "text": "awg.output_on()"}])
### a display that everybody has
show("text/plain", "x", transient={"display_id": ["a"]}); show("text/plain", "x", transient="x")
### a display changed, and shown again, a thousand times
for _ in range(3000): show("text/plain", "x", transient={"display_id": "a"})
for _ in range(3000): out("update_display_data", data={"text/plain": "y"}, metadata={}, transient={"display_id": "a"})
### streams by turns
for _ in range(15000): out("stream", name="stdout", text="a"); out("stream", name="stderr", text="b")
### a stream of another name
for n in ("stdin", 1, None, ["stdout"]): out("stream", name=n, text="x")
### a stream of terminal codes
out("stream", name="stdout", text="\x1b]8;;javascript:go()\x07x\x1b[2J\x9b31m\x00" * 100)
### a stream of carriage returns
for _ in range(100): out("stream", name="stdout", text="a\rb\b" * 10000)
### an error with markup
out("error", ename="<script>", evalue="\x1b]0;x\x07", traceback=["x\u0000", "<script>"])
### an error that is none
out("error", ename=1, evalue=None, traceback="x"); out("error", traceback=[1])
### clear_output with other types
out("clear_output", wait="x"); out("clear_output")
### an execution count of another type
out("execute_result", data={"text/plain": "x"}, metadata={}, execution_count="<script>")
### data of another type
for data in ([], "x", None, {"text/html": 1}, {"text/plain": ["a"]}, {"image/png": {}}, {"": ""}): out("display_data", data=data, metadata={})
### metadata of another type
out("display_data", data={"image/png": base64.b64encode(PNG).decode()}, metadata={"image/png": {"width": "1;x", "height": 1e300}, "trusted": True})
### metadata with an isolated frame
out("display_data", data={"text/html": "<b>x</b>"}, metadata={"text/html": {"isolated": True}, "needs_background": "x"})
### a picture that expands
import zlib
def chunk(kind, data): return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
big = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 60000, 60000, 8, 6, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(bytes(10**7))) + chunk(b"IEND", b"")
show("image/png", base64.b64encode(big).decode())
### HTML of unclosed elements
show("text/html", "<p>" + "".join("<b id=%d>" % i for i in range(20000)) + "x<p>x" * 20000)
### HTML as deep as it gets
show("text/html", "<div>" * 190000); show("text/html", "<table><tr><td>" * 60000)
### HTML with styles as deep as they get
show("text/html", "<style>" + "a{" * 300000 + "</style><p style='" + "(" * 300000 + "'>")
### Markdown of line ends
show("text/markdown", "\n" * 900000)
### Markdown of brackets
show("text/markdown", "[![](" * 180000)
### LaTeX with a macro for all formulas
show("text/latex", r"\gdef\x{\href{javascript:go()}{y}}")
### a chart that asks a server
show("application/vnd.plotly.v1+json", {"data": [], "layout": {"images": [{"source": "http://127.0.0.1:%d/x.png" % PORT}]}})
### a chart as deep as it gets
text(b'{"out":"display_data","content":{"metadata":{},"data":{"application/vnd.plotly.v1+json":{"data":[],"layout":{"a":' + b"[" * 180 + b"]" * 180 + b"}}}}}")
### the worker's own send patched
import gc, types
for o in gc.get_objects():
    if type(o) is types.FunctionType and o.__module__ == "qdash_jupyter.worker.inside" and o.__name__ == "send":
        o.__code__ = (lambda message: None).__code__ if not o.__closure__ else o.__code__
        o.__globals__["to_json"] = lambda message: '{"done":{"error":"","names":["df"]},"begun":true}'
### the channel patched
from qdash_jupyter.worker.channel import Channel
Channel.send = lambda self, message: raw(b"\x00" * 4)
### a thread that speaks between the messages
import threading
def speak():
    for _ in range(200): raw(b"\x05")
threading.Thread(target=speak).start(); print("x" * 1000)
""",
        ),
    }.items()
}

IN_KERNEL = _parted(r"""
### the instrument
value = awg
### its bound method
value = fire
### its class
value = Awg
### a class with a metaclass
value = Generator
### an instance of it
value = Generator()
### in a list, a dict, a set and a tuple
value = [{"a": (awg, [awg])}, {Generator()}]
### as a key
value = {awg: 1}
### as a key beside others of its hash
value = {awg: 1, 1: 2}
### in a frozenset, a deque and an OrderedDict
import collections
value = [frozenset([awg]), collections.deque([awg]), collections.OrderedDict(a=awg), collections.Counter({awg: 2})]
### a default factory
import collections
value = collections.defaultdict(fire)
### partial of its method
import functools
value = functools.partial(fire, awg, a=awg)
### a partial with a reduce of its own
import functools
value = functools.partial(print); value.__reduce__ = fire
### a SimpleNamespace with a reduce of its own
import types
value = types.SimpleNamespace(__reduce__=fire)
### a SimpleNamespace with __getstate__ and __reduce_ex__
import types
value = types.SimpleNamespace(__getstate__=fire, __reduce_ex__=fire, a=1)
### an OrderedDict with values of its own
import collections
value = collections.OrderedDict(a=1); value.values = value.items = value.__reduce__ = fire
### a Counter with values of its own
import collections
value = collections.Counter("a"); value.values = value.items = value.__reduce__ = fire
### an index with a reduce of its own
import pandas as pd
value = pd.Index([1, 2]); value.__reduce__ = fire
### a frame with a reduce of its own
import pandas as pd
value = pd.DataFrame({"a": [1]}); vars(value)["__reduce__"] = fire
### a frame with a state of its own
import pandas as pd
value = pd.DataFrame({"a": [1]}); vars(value)["__getstate__"] = fire
### a frame whose index has a reduce of its own
import pandas as pd
value = pd.DataFrame({"a": [1]}, pd.Index(["x"])); value.index.__dict__["__reduce__"] = fire
### a frame whose fields have strange names
import pandas as pd
value = pd.DataFrame({"a": [1]}); vars(value)[Text("__reduce__")] = 1
### a frame with the instrument in attrs
import pandas as pd
value = pd.DataFrame({"a": [1]}); value.attrs["awg"] = awg
### a frame with a column of instruments
import pandas as pd, numpy as np
a = np.empty(2, object); a[:] = [awg, 1]
value = pd.DataFrame({"a": a})
### a frame with instruments as labels
import pandas as pd
value = pd.Series([1]); value.name = ("a", 1); vars(value)["_name"] = awg
### a categorical of instruments
import pandas as pd
value = pd.Series([awg, awg], dtype=object).astype(object).to_frame()
### a frame with a changed manager
import pandas as pd
value = pd.DataFrame({"a": [1]}); object.__setattr__(value, "_mgr", awg)
### a frame with changed flags
import pandas as pd
value = pd.DataFrame({"a": [1]}); object.__setattr__(value, "_flags", awg)
### a subclass of DataFrame
import pandas as pd
class F(pd.DataFrame):
    _metadata = ["_x"]
    @property
    def _x(self): seen.append("_x")
    @property
    def _constructor(self): seen.append("constructor"); return F
value = F({"a": [1]})
### an accessor of pandas
import pandas as pd
class Accessor:
    def __init__(self, s): seen.append("accessor")
value = pd.Series([1]); vars(value)["_accessors"] = vars(value)["str"] = Accessor
### a time with a zone of the user's
import datetime as dt
class Zone(dt.tzinfo):
    def utcoffset(self, t): seen.append("utcoffset"); return dt.timedelta(0)
    dst = tzname = utcoffset
    def __reduce__(self): seen.append("reduce"); return Zone, ()
value = [dt.datetime(2026, 1, 1, tzinfo=Zone()), dt.time(1, tzinfo=Zone())]
### a groupby of a frame with the instrument
import pandas as pd
value = pd.DataFrame({"a": [1], "b": [awg]}).groupby("a")
### an array of objects
import numpy as np
value = np.empty(3, object); value[:] = [awg, 1, awg]
### an array of records with objects
import numpy as np
value = np.empty(2, [("a", "f8"), ("b", "O")]); value["b"] = [awg, None]
### metadata of a dtype
import numpy as np
value = np.zeros(2, np.dtype("f8", metadata={"awg": awg}))
### a dtype with metadata
import numpy as np
value = np.dtype([("a", "f8")], metadata={Text("a"): awg})
### a subclass of ndarray
import numpy as np
class A(np.ndarray):
    def __array_finalize__(self, other): seen.append("finalize")
    def __reduce__(self): seen.append("reduce"); return int, ()
value = np.zeros(2).view(A)
### a masked array that is filled with the instrument
import numpy as np
value = np.ma.MaskedArray([1], fill_value=1); vars(value)["_optinfo"] = {"a": awg}
### a ufunc of the user's
import numpy as np
value = np.frompyfunc(fire, 1, 1)
### an object with an array interface
class L:
    __module__ = "numpy"
    @property
    def __array_interface__(self): seen.append("array")
    def __reduce__(self): seen.append("reduce")
L.__name__ = L.__qualname__ = "ndarray"
value = L()
### an instance that says it is a dict
class L:
    @property
    def __class__(self): seen.append("class"); return dict
value = L()
### lazily loaded attributes
class L:
    def __getattr__(self, name): seen.append(name); raise AttributeError(name)
value = L()
### a property that measures
class L:
    def __init__(self): self.a = 1
    @property
    def level(self): seen.append("level"); return 1
value = L()
### descriptors in a class
class D:
    def __get__(self, *_): seen.append("get")
class L: level = D()
value = L()
### a descriptor as __slots__'s type
class D:
    def __get__(self, *_): seen.append("get"); return ()
class L: pass
L.__orig_bases__ = D()
value = L
### a descriptor as the state of an abstract class
import abc
class D:
    def __get__(self, *_): seen.append("get")
class L(abc.ABC): pass
L.__abstractmethods_ = D(); L.__doc__ = D(); L.__annotations__ = {"a": awg}
value = L
### slots with strange names
class L: __slots__ = (Text("a"),)
seen.clear()
value = L
### a class whose fields have strange names
value = type("L", (), {Text("a"): 1, "b": 2})
### an instance whose fields have strange names
class L: pass
value = L(); vars(value)[Text("a")] = 1
### an instance with a reduce of its own
class L: pass
value = L(); value.__reduce_ex__ = value.__reduce__ = value.__getstate__ = fire
### an instance of a class with a reduce
class L:
    def __reduce__(self): seen.append("reduce"); return int, ()
value = L()
### an instance of a class with a state
class L:
    def __getstate__(self): seen.append("state"); return {}
value = L()
### equality and hash of an instance
class L:
    def __eq__(self, o): seen.append("eq"); return True
    def __hash__(self): seen.append("hash"); return 1
value = [L(), L()]
### a dataclass with a default factory that measures
import dataclasses
@dataclasses.dataclass
class L: level: int = dataclasses.field(default_factory=fire)
value = L(3)
### an enum of instruments
import enum
class E(enum.Enum): A = awg
seen.clear()
value = E.A
### an enum whose value is a property
import enum
class E(enum.Enum):
    A = 1
    @property
    def value(self): seen.append("value")
value = E.A
### a namedtuple with the instrument
import collections
P = collections.namedtuple("P", "a b")
value = P(awg, 1)
### a subclass of int, str, float and dict
class I(int):
    def __reduce__(self): seen.append("reduce"); return int, ()
class D(dict):
    def __iter__(self): seen.append("iter"); return iter(())
    def items(self): seen.append("items"); return ()
    values = __len__ = items
value = [Text("a"), I(1), D(a=1)]
### a closure
def maker(held):
    def f(): return held.level
    return f
value = maker(awg)
### a closure over a list
def maker(held):
    def f(): return held
    return f
value = maker([{"a": awg}])
### a default
def value(a=awg, *, b=awg): return a
### an annotation
def value(a: awg) -> Generator: return a
### an annotation of typing
import typing
def value(a: typing.List[Generator]) -> typing.Optional[Generator]: return a
### an alias of typing
import typing
value = typing.List[Generator]
### a literal of typing
import typing
value = typing.Literal[awg]
seen.clear()
### annotated
import typing
value = typing.Annotated[int, awg]
### an alias of the built-in list
value = list[awg]
### an attribute of a function
def value(): return 1
value.awg = awg; value.__wrapped__ = awg
### a name of a function
def value(): return 1
value.__name__ = Text("f"); value.__qualname__ = Text("f"); value.__module__ = None
### a module of a function
def value(): return 1
value.__module__ = awg
### documents of a function
def value(): return 1
value.__doc__ = awg
### a global of a function
def value(): return awg.level
### a global in a nested function
def value(): return [lambda: Generator for _ in range(3)]
### constants of code
def value(): return 1
value.__code__ = value.__code__.replace(co_consts=(awg,))
### constants of code in a tuple
def value(): return 1
value.__code__ = value.__code__.replace(co_consts=((awg,),))
seen.clear()
### a decorated method
import functools
class L:
    @functools.lru_cache
    def f(self): seen.append("f")
    g = functools.cached_property(lambda self: seen.append("g"))
value = L()
### a method of a strange function
import types
value = types.MethodType(awg, 1)
### a built-in method of an instance of a metaclass
value = object.__reduce_ex__.__get__(Generator())
seen.clear()
### a built-in method of the instrument
value = object.__format__.__get__(awg)
seen.clear()
### a method-wrapper of it
value = object.__str__.__get__(awg)
seen.clear()
### a static and a class method
value = [staticmethod(fire), classmethod(fire)]
seen.clear()
### a property
value = property(fire, fire, fire)
seen.clear()
### a slice and a range
value = [slice(awg, awg, awg), range(3)]
### a proxy of a mapping
import types
value = types.MappingProxyType({"a": awg})
### a proxy of a mapping of its own
import types
class D(dict):
    def __iter__(self): seen.append("iter"); return iter(())
    keys = items = values = __len__ = copy = __iter__
value = types.MappingProxyType(D(a=1))
### a generator and a coroutine
value = (awg.level for _ in [1])
### a file, a lock and a thread
import threading
import io, sys
value = [sys.__stderr__, threading.Lock(), io.StringIO()]
### a module that loads lazily
import types
value = types.ModuleType("lab"); value.__getattr__ = lambda name: seen.append(name); del value.__package__
### a function that uses a module that loads lazily
import types
lab = types.ModuleType("lab"); lab.__getattr__ = lambda name: seen.append(name); del lab.__package__
def value(): return lab.level
### a module with a spec of its own
import types
value = types.ModuleType("lab"); value.__spec__ = awg; value.__name__ = awg; value.__file__ = awg
### a module of another class
import types
class M(types.ModuleType):
    def __getattribute__(self, name): seen.append(name); return super().__getattribute__(name)
value = M("numpy")
### a weak reference
import weakref
class L: pass
held = L()
value = [weakref.ref(held, fire), weakref.proxy(held)]
### an object that is deleted
class L:
    def __del__(self): seen.append("del")
value = L()
### a figure with the instrument
import plotly.graph_objects as go
value = go.Figure(go.Scatter(y=[1])); value._data[0]["meta"] = awg
### a figure whose frames are the instrument
import plotly.graph_objects as go
value = go.Figure(); value.__dict__["_frame_objs"] = awg
### a table of Arrow with an extension type
import pyarrow as pa
class T(pa.ExtensionType):
    def __init__(self): super().__init__(pa.int64(), "lab.t")
    def __arrow_ext_serialize__(self): seen.append("serialize"); return b""
    @classmethod
    def __arrow_ext_deserialize__(cls, *_): seen.append("deserialize"); return T()
value = pa.ExtensionArray.from_storage(T(), pa.array([1]))
seen.clear()
### an exception with the instrument
value = ValueError(awg)
### a TypeVar bound to it
import typing
value = typing.TypeVar("value", bound=Generator)
seen.clear()
### a context variable and a frame
import contextvars, sys
value = [contextvars.ContextVar("a", default=awg), sys._getframe()]
### a pattern with a strange text
import re
value = re.compile(Text("a"))
seen.clear()
### an abstract class that others are registered with
import abc
class L(abc.ABC): pass
L.register(Generator)
value = L
seen.clear()
""")
