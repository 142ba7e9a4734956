"""Ordinary notebooks of people who calibrate qubits, for `test_ordinary_cells`.

Each begins with a line `### title` and a cell of the user's; `#%%` begins a cell of the copilot's, `#%% user` another of the
user's. `#%% asks: why` is a cell about which the user is asked, and why they accept that; `#%% differs: why` one that is
known not to give what it gives in one process. `### title | library` is taken where that library is installed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

_GUARDS = Path(__file__).parents[2] / "cells" / "corpus" / "plain.txt"
_NOT_HERE = re.compile(r"copilot|data\[|data\.(items|keys|get)|list\(data|fig0|df\.sample\(3\)")
"""Of the guard's cells, those that use the copilot's results, other names, or chance."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell, by whom, and what the corpus says of it."""

    code: str
    is_users: bool = False
    asks: str = ""
    differs: str = ""


@dataclass(frozen=True, slots=True)
class Notebook:
    """Cells that run one after the other."""

    title: str
    cells: tuple[Cell, ...]


def _cell(part: str) -> Cell:
    head, _, code = part.partition("\n")
    kind, _, why = head.strip().partition(": ")
    return Cell(code, kind == "user", why if kind == "asks" else "", why if kind == "differs" else "")


def _notebooks(text: str) -> list[Notebook]:
    found = []
    for part in ("\n" + text).split("\n### ")[1:]:
        head, _, body = part.partition("\n")
        title, _, library = head.partition(" | ")
        if not library or find_spec(library):
            first, *more = ("user\n" + body).split("\n#%%")
            found.append(Notebook(title, tuple(map(_cell, [first, *more]))))
    return found


def _of_guard() -> list[Notebook]:
    """The guard's ordinary cells, four a notebook."""
    parts = ("\n" + _GUARDS.read_text(encoding="utf-8")).split("\n### ")[1:]
    codes = [part.partition("\n")[2] for part in parts if not _NOT_HERE.search(part)]
    fours = [codes[place : place + 4] for place in range(0, len(codes), 4)]
    setup = Cell(_OF_GUARD, is_users=True)
    return [Notebook(f"guard {number}", (setup, *map(Cell, four))) for number, four in enumerate(fours)]


_OF_GUARD = """\
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
import plotly.express as px
import plotly.graph_objects as go
rng = np.random.default_rng(3)
n = 36
df = pd.DataFrame({
    "qid": [str(i % 6) for i in range(n)],
    "at": pd.date_range("2026-01-01", periods=n, freq="6h", tz="UTC"),
    "t1": rng.normal(60, 15, n).clip(5),
    "t2_echo": rng.normal(70, 15, n).clip(5),
})
cz = pd.DataFrame({"qid": ["0-1", "1-2"], "fidelity": [0.98, 0.97]})
s = df["t1"].copy()
arr = rng.normal(1, 0.2, 24)
xs = [3, 1, 2]
limits = {"t1": 50.0, "t2_echo": 80.0}
frames = {"a": df[["qid", "t1"]].copy(), "b": df[["qid", "t1"]].copy()}
n = 3
"""

_OWN = r'''
### column added to the user's frame
import pandas as pd, numpy as np
df = pd.DataFrame({"qid": ["Q0", "Q1", "Q2"], "t1": [45.1, 52.3, 38.8], "t2": [60.2, 71.9, 55.0]})
limit = 1.3
#%%
df["ratio"] = df["t2"] / df["t1"]
df
#%%
df[df["ratio"] > limit]
#%%
df["ok"] = df["ratio"] <= limit
df.groupby("ok")["t1"].mean()
### frame cleaned in place
import pandas as pd, numpy as np
raw = pd.DataFrame({"f": [5.1, np.nan, 5.3, 5.2], "chi": [1.0, 2.0, np.nan, 0.5]})
labels = ["a", "b", "c", "d"]
#%%
raw.dropna(inplace=True)
raw.reset_index(drop=True, inplace=True)
raw
#%%
print(len(raw), labels[: len(raw)])
raw.loc[0, "chi"] = -1
raw
#%%
raw.rename(columns={"f": "freq_GHz"}, inplace=True)
raw.columns.tolist()
### user's list is appended to
results = []
qubits = ["Q00", "Q01"]
#%%
for q in qubits:
    results.append({"qid": q, "t1": 10 * len(results)})
results
#%%
import pandas as pd
pd.DataFrame(results)
#%%
offset = 3
results[-1]["t1"] + offset
### T1 fit with a model of the user's
import numpy as np
from scipy.optimize import curve_fit
def model(t, a, tau, c):
    return a * np.exp(-t / tau) + c
t = np.linspace(0, 200e-6, 41)
y = model(t, 0.9, 52e-6, 0.05) + np.random.default_rng(1).normal(0, 0.01, t.size)
#%%
popt, pcov = curve_fit(model, t, y, p0=[1, 50e-6, 0])
perr = np.sqrt(np.diag(pcov))
print(f"T1 = {popt[1] * 1e6:.2f} ± {perr[1] * 1e6:.2f} μs")
#%%
def model(t, tau):
    return np.exp(-t / tau)
model(1.0, 2.0)
#%%
chi2 = float(((y - popt[0] * model(t, popt[1]) - popt[2]) ** 2).sum())
round(chi2, 6)
### copilot's own function under a name of the user's
def scale(x):
    return 10 * x
values = [1, 2, 3]
#%%
def scale(x):
    return 100 * x
#%%
[scale(v) for v in values]
### figure of the user's and one of the copilot's
import matplotlib.pyplot as plt
fig, ax = plt.subplots()
ax.plot([1, 2])
plt.close(fig)
#%%
fig, ax = plt.subplots(figsize=(5, 3))
ax.plot([0, 1, 4], "o-")
ax.set_xlabel("delay [μs]")
#%%
ax.get_xlabel(), [line.get_ydata().tolist() for line in ax.lines]
#%%
ax.set_title("T1")
fig
### drawing into the user's axes
import matplotlib.pyplot as plt
fig, ax = plt.subplots()
_ = ax.plot([1, 2])
plt.close(fig)
#%% asks: the figure that it draws into is in the kernel
ax.axhline(1.5, color="k")
### export
import pandas as pd
df = pd.DataFrame({"qid": ["Q0", "Q1"], "t1": [45.1, 52.3]})
#%%
text = df.to_csv(index=False)
print(text)
#%% asks: it writes a file
df.to_csv("t1.csv", index=False)
### random numbers of the user's generator
import numpy as np
rng = np.random.default_rng(42)
sigma = 0.2
#%%
noise = rng.normal(0, sigma, 5)
noise.round(3)
#%%
boot = [rng.choice(noise, noise.size).mean() for _ in range(4)]
np.round(boot, 4)
### random numbers of the user's old generator
import numpy as np
state = np.random.RandomState(7)
#%%
draws = state.randn(4)
draws.round(4)
#%%
state.randint(0, 10, 5).tolist()
### seed of the user's
import numpy as np, random
np.random.seed(5)
random.seed(5)
#%% differs: the session has random states of its own: the user's seed is not in it
np.random.normal(size=3).round(3)
#%% differs: the same, of the standard library
round(random.random(), 6)
#%%
np.random.seed(1)
random.seed(1)
np.random.rand(2).round(3), random.randint(0, 100)
### seed of the copilot's
import numpy as np
n = 6
#%%
np.random.seed(11)
x = np.random.exponential(50, n)
x.round(2)
#%%
np.random.permutation(n)
### precision of decimals
from decimal import Decimal, getcontext
f = Decimal("5.123456789")
#%%
getcontext().prec = 6
f / 3
#%%
getcontext().prec, f / 7
#%%
total = sum([Decimal("0.1")] * 3, Decimal(0))
total
### precision that the user has set
from decimal import Decimal, getcontext
getcontext().prec = 50
a = Decimal(1)
#%% differs: settings of modules that the user's code has changed are not in the session
a / 3
### pandas options of the copilot's
import pandas as pd, numpy as np
df = pd.DataFrame({"v": np.arange(8) / 7})
#%%
pd.set_option("display.precision", 2)
pd.set_option("display.max_rows", 4)
df
#%%
pd.reset_option("all")
df
#%%
with pd.option_context("display.float_format", "{:.1f}".format):
    print(df.head(2))
### pandas options of the user's
import pandas as pd, numpy as np
pd.set_option("display.precision", 2)
np.set_printoptions(precision=3, suppress=True)
df = pd.DataFrame({"v": np.arange(4) / 7})
#%% differs: options that the user has set are not in the session
df
#%% differs: the same for numpy's
df["v"].to_numpy()
### style of a table
import pandas as pd
df = pd.DataFrame({"qid": ["Q0", "Q1"], "fid": [0.9991, 0.9912]})
#%%
df.style.format({"fid": "{:.2%}"}).highlight_min(subset=["fid"], color="salmon")
#%%
styled = df.style.background_gradient(subset=["fid"]).hide(axis="index")
styled
#%%
html = styled.set_uuid("a").to_html()
"99" in html, type(styled).__name__
### class with methods
import numpy as np
class Decay:
    unit = "μs"
    def __init__(self, tau, amplitude=1.0):
        self.tau, self.amplitude = tau, amplitude
    def __call__(self, t):
        return self.amplitude * np.exp(-np.asarray(t) / self.tau)
    @property
    def rate(self):
        return 1 / self.tau
    @classmethod
    def from_rate(cls, rate):
        return cls(1 / rate)
    @staticmethod
    def half(tau):
        return tau * np.log(2)
    def __repr__(self):
        return f"Decay({self.tau} {self.unit})"
decays = [Decay(40.0), Decay(55.0, 0.9)]
#%%
decays
#%%
[round(float(d(10)), 4) for d in decays], Decay.from_rate(0.1), Decay.half(2.0)
#%%
class Stretched(Decay):
    def __init__(self, tau, beta):
        super().__init__(tau)
        self.beta = beta
    def __call__(self, t):
        return super().__call__(np.asarray(t) ** self.beta)
one = Stretched(30.0, 0.8)
isinstance(one, Decay), one, float(one(5.0))
#%%
sorted([*decays, one], key=lambda d: d.rate)
### dataclasses
from dataclasses import dataclass, field, asdict, replace
@dataclass(order=True)
class Qubit:
    qid: str
    freq: float
    t1: float = 0.0
    neighbours: list[str] = field(default_factory=list)
chip = [Qubit("Q0", 5.1, 40.0, ["Q1"]), Qubit("Q1", 4.9, 60.0, ["Q0"])]
#%%
max(chip, key=lambda q: q.t1)
#%%
import pandas as pd
table = pd.DataFrame([asdict(q) for q in chip])
table
#%%
chip[0] = replace(chip[0], t1=41.5)
new = Qubit("Q2", 5.0)
sorted([*chip, new])[-1], chip[0] == Qubit("Q0", 5.1, 41.5, ["Q1"])
### frozen dataclass with slots
from dataclasses import dataclass, astuple
@dataclass(frozen=True, slots=True)
class Pulse:
    amp: float
    length: int = 32
pulses = {"x90": Pulse(0.21), "x180": Pulse(0.42)}
#%%
{name: astuple(p) for name, p in pulses.items()}
#%%
try:
    pulses["x90"].amp = 1
except Exception as e:
    print(type(e).__name__, e)
hash(Pulse(0.21)) == hash(pulses["x90"])
### enums
from enum import Enum, IntEnum, Flag, auto
class Status(Enum):
    GOOD = "good"
    BAD = "bad"
class Level(IntEnum):
    LOW = 1
    HIGH = 2
class Part(Flag):
    I = auto()
    Q = auto()
states = {"Q0": Status.GOOD, "Q1": Status.BAD}
both = Part.I | Part.Q
#%%
[q for q, s in states.items() if s is Status.BAD]
#%%
states["Q2"] = Status("good")
list(Status), Level.HIGH > Level.LOW, Part.I in both
#%%
from collections import Counter
Counter(s.name for s in states.values())
### named tuples
from collections import namedtuple
from typing import NamedTuple
Point = namedtuple("Point", "x y")
class Fit(NamedTuple):
    tau: float
    error: float = 0.1
points, fits = [Point(1, 2), Point(3, 4)], [Fit(40.0), Fit(50.0, 2.0)]
#%%
sum(p.x * p.y for p in points), points[0]._replace(y=9)
#%%
weights = [1 / f.error**2 for f in fits]
mean = sum(w * f.tau for w, f in zip(weights, fits)) / sum(weights)
Fit(mean)
### closures and decorators
import functools, time
def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        calls.append(function.__name__)
        return function(*args, **kwargs)
    return wrapper
calls = []
@logged
def to_db(x):
    """Power to decibel."""
    import math
    return 10 * math.log10(x)
def offset(by):
    return lambda x: x + by
plus2 = offset(2)
#%%
to_db(100), plus2(3)
#%%
print(to_db.__doc__, to_db.__name__)
[to_db(x) for x in (1, 10)]
#%%
@logged
def half(x):
    return x / 2
half(plus2(4))
### cached functions
from functools import lru_cache, cache, partial, reduce
@lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
power = partial(pow, 2)
#%%
fib(30)
#%%
power(10), reduce(lambda a, b: a * b, [1, 2, 3, 4])
#%%
@cache
def tri(n):
    return n + (tri(n - 1) if n else 0)
tri(10)
### global counter
count = 0
def bump():
    global count
    count += 1
    return count
#%%
bump(), bump()
#%%
count
### generators and iterators
def chunks(xs, n):
    for i in range(0, len(xs), n):
        yield xs[i : i + n]
ids = [f"Q{i:02d}" for i in range(7)]
#%%
list(chunks(ids, 3))
#%%
gen = chunks(ids, 2)
next(gen)
#%%
next(gen), [*gen]
### IQ data
import numpy as np
rng = np.random.default_rng(8)
iq = np.concatenate([rng.normal(0, 1, 200) + 1j * rng.normal(0, 1, 200), rng.normal(4, 1, 200) + 1j * rng.normal(0, 1, 200)])
label = np.repeat([0, 1], 200)
#%%
centres = np.array([iq[label == k].mean() for k in (0, 1)])
centres.round(2)
#%%
guess = (np.abs(iq - centres[1]) < np.abs(iq - centres[0])).astype(int)
fidelity = (guess == label).mean()
confusion = np.array([[np.mean(guess[label == i] == j) for j in (0, 1)] for i in (0, 1)])
print(f"{fidelity:.3f}")
confusion
#%%
angle = np.angle(centres[1] - centres[0])
rotated = (iq * np.exp(-1j * angle)).real
threshold = np.median(rotated)
rotated.min().round(4), threshold.round(4)
#%%
import plotly.express as px
fig = px.scatter(x=iq.real, y=iq.imag, color=label.astype(str), opacity=0.4)
fig.update_yaxes(scaleanchor="x")
fig
### Ramsey fringes
import numpy as np
t = np.arange(0, 4e-6, 2e-8)
p = 0.5 + 0.45 * np.exp(-t / 2e-6) * np.cos(2 * np.pi * 1.3e6 * t + 0.2)
#%%
spectrum = np.abs(np.fft.rfft(p - p.mean()))
freq = np.fft.rfftfreq(t.size, t[1] - t[0])
f0 = freq[spectrum.argmax()]
f0
#%%
from scipy.optimize import curve_fit
def ramsey(t, a, tau, f, phi, c):
    return a * np.exp(-t / tau) * np.cos(2 * np.pi * f * t + phi) + c
popt, pcov = curve_fit(ramsey, t, p, p0=[0.5, 1e-6, f0, 0, 0.5])
print(" ".join(f"{v:.4g}" for v in popt))
#%%
import matplotlib.pyplot as plt
plt.plot(t * 1e6, p, ".", ms=3)
plt.plot(t * 1e6, ramsey(t, *popt))
plt.xlabel("delay [μs]")
plt.show()
#%%
detuning = popt[2] - 1e6
f"{detuning / 1e3:.1f} kHz"
### Rabi
import numpy as np
amp = np.linspace(0, 1, 51)
pop = 0.5 - 0.5 * np.cos(2 * np.pi * amp / 0.62)
#%%
from scipy.optimize import least_squares
res = least_squares(lambda p: 0.5 - 0.5 * np.cos(2 * np.pi * amp / p[0]) - pop, x0=[0.6])
res.x.round(5), res.success
#%%
pi_amp = res.x[0] / 2
pi_amp
#%%
print(res.message, res.nfev > 1)
### randomized benchmarking
import numpy as np, pandas as pd
m = np.array([1, 5, 10, 20, 50, 100, 200])
rb = pd.DataFrame({"m": np.tile(m, 3), "seed": np.repeat([0, 1, 2], 7)})
rb["survival"] = 0.5 * 0.995 ** rb["m"] + 0.5 + np.random.default_rng(2).normal(0, 0.003, len(rb))
#%%
mean = rb.groupby("m")["survival"].agg(["mean", "sem"])
mean
#%%
from scipy.optimize import curve_fit
f = lambda m, a, p, b: a * p**m + b
popt, pcov = curve_fit(f, mean.index.to_numpy(), mean["mean"], p0=[0.5, 0.99, 0.5], sigma=mean["sem"])
epc = (1 - popt[1]) / 2
print(f"error per Clifford {epc:.2e}")
#%%
per_seed = rb.pivot(index="m", columns="seed", values="survival")
per_seed.corr().round(2)
### spectroscopy peaks
import numpy as np
f = np.linspace(4.8, 5.4, 601)
s = 1 / (1 + ((f - 5.0) / 0.004) ** 2) + 0.5 / (1 + ((f - 5.25) / 0.006) ** 2)
#%%
from scipy.signal import find_peaks, peak_widths
peaks, props = find_peaks(s, height=0.2, prominence=0.1)
f[peaks], props["peak_heights"].round(3)
#%%
widths = peak_widths(s, peaks, rel_height=0.5)
widths[0] * (f[1] - f[0])
#%%
alpha = np.diff(f[peaks])[0]
print(f"{alpha * 1e3:.0f} MHz apart", props.keys())
### results of scipy that the user has
import numpy as np
from scipy import stats, optimize
x = np.arange(10.0)
fit = stats.linregress(x, 2 * x + 1)
best = optimize.minimize(lambda p: (p[0] - 3) ** 2, [0.0])
#%%
fit.slope, fit.intercept
#%%
best.x.round(4), best.success
#%%
slope, intercept, r, p, err = fit
round(r, 6)
### interpolation that the user has
import numpy as np
from scipy.interpolate import interp1d, CubicSpline
x = np.linspace(0, 1, 6)
line, spline = interp1d(x, x**2), CubicSpline(x, x**3)
#%%
float(line(0.55)), float(spline(0.5))
#%%
spline.derivative()(0.5).round(4)
### distributions that the user has
import numpy as np
from scipy import stats
prior = stats.norm(50, 5)
grid = np.linspace(30, 70, 5)
#%%
prior.pdf(grid).round(5)
#%%
prior.interval(0.9), prior.mean()
### statsmodels
import numpy as np, pandas as pd
rng = np.random.default_rng(4)
df = pd.DataFrame({"temp": rng.normal(10, 1, 60), "power": rng.normal(0, 1, 60), "line": list("ABC") * 20})
df["t1"] = 80 - 3 * df["temp"] + rng.normal(0, 1, 60)
#%%
import statsmodels.api as sm
X = sm.add_constant(df[["temp", "power"]])
ols = sm.OLS(df["t1"], X).fit()
ols.params.round(3)
#%%
print(ols.rsquared.round(4), ols.pvalues["temp"] < 0.01)
ols.conf_int().round(2)
#%%
import statsmodels.formula.api as smf
smf.ols("t1 ~ temp + C(line)", data=df).fit().params.round(3)
#%%
resid = ols.resid
sm.stats.durbin_watson(resid).round(3)
### a model that the user has fitted
import numpy as np, statsmodels.api as sm
x = np.arange(20.0)
ols = sm.OLS(3 * x + np.sin(x), sm.add_constant(x)).fit()
#%%
ols.params.round(3)
#%%
ols.summary().tables[1].as_text().count("x1")
### time series
import numpy as np, pandas as pd
idx = pd.date_range("2026-03-01", periods=48, freq="h", tz="Asia/Tokyo")
ts = pd.Series(np.sin(np.arange(48) / 5), index=idx, name="freq_offset")
#%%
daily = ts.resample("D").agg(["min", "max", "mean"])
daily
#%%
ts.tz_convert("UTC").between_time("00:00", "03:00").head(3)
#%%
shifted = ts.shift(1, freq="h")
(shifted.index[0], ts.index.freq, daily.index.tz)
#%%
ts.rolling("6h").mean().iloc[-1].round(5), ts.ewm(halflife=3).std().iloc[-1].round(5)
### statsmodels on time series
import numpy as np, pandas as pd
y = pd.Series(np.cumsum(np.random.default_rng(0).normal(size=120)), index=pd.date_range("2026-01-01", periods=120))
#%%
from statsmodels.tsa.stattools import adfuller, acf
stat, p, *_ = adfuller(y)
round(stat, 3), round(p, 3)
#%%
acf(y, nlags=3).round(3)
#%%
from statsmodels.nonparametric.smoothers_lowess import lowess
smooth = lowess(y.to_numpy(), np.arange(len(y)), frac=0.3, return_sorted=False)
smooth[:3].round(3)
### Allan deviation
import numpy as np, allantools
f = np.random.default_rng(0).normal(0, 1, 1024)
#%%
taus, adev, err, n = allantools.oadev(f, rate=1.0, data_type="freq", taus="octave")
np.column_stack([taus, adev]).round(3)
#%%
slope = np.polyfit(np.log10(taus), np.log10(adev), 1)[0]
round(slope, 2)
### multi-index
import pandas as pd, numpy as np
idx = pd.MultiIndex.from_product([["Q0", "Q1"], ["t1", "t2"]], names=["qid", "param"])
long = pd.Series([40.0, 60, 50, 70], index=idx, name="value")
#%%
wide = long.unstack("param")
wide
#%%
long.xs("t1", level="param"), long.loc["Q0", "t2"]
#%%
wide.stack().groupby(level=0).max()
#%%
wide.columns = pd.MultiIndex.from_tuples([("coherence", c) for c in wide.columns])
wide["coherence"]["t1"].idxmax()
### categories, nullable and other types
import pandas as pd
df = pd.DataFrame({
    "grade": pd.Categorical(["good", "bad", "good"], categories=["bad", "good"], ordered=True),
    "n": pd.array([1, None, 3], dtype="Int64"),
    "ok": pd.array([True, None, False], dtype="boolean"),
    "note": pd.array(["a", None, "c"], dtype="string"),
    "dt": pd.to_timedelta([1, 2, 3], unit="h"),
    "per": pd.period_range("2026-01", periods=3, freq="M"),
})
#%%
df.dtypes
#%%
df["grade"].min(), df["n"].sum(), df["ok"].isna().sum(), df["dt"].sum()
#%%
cut = pd.cut(pd.Series([10, 40, 90]), bins=[0, 30, 60, 100], labels=["low", "mid", "high"])
cut
#%%
bins = pd.cut(pd.Series([10, 40, 90]), 3)
bins.cat.categories[0].mid, df.assign(b=cut).groupby("b", observed=True)["n"].sum()
### grouping that the user has made
import pandas as pd
df = pd.DataFrame({"qid": list("aabb"), "v": [1.0, 2, 3, 5]})
g = df.groupby("qid")
roll = df["v"].rolling(2)
#%%
g["v"].median()
#%%
roll.mean(), g.ngroups
#%%
for name, part in g:
    print(name, part["v"].tolist())
### arrays of many kinds
import numpy as np
rec = np.array([("Q0", 40.0), ("Q1", 50.0)], dtype=[("qid", "U4"), ("t1", "f8")])
masked = np.ma.masked_invalid([1.0, np.nan, 3.0])
poly = np.poly1d([1, -3, 2])
days = np.array(["2026-01-01", "2026-01-05"], dtype="datetime64[D]")
grid = np.arange(12).reshape(3, 4)
#%%
rec["t1"].mean(), rec[rec["t1"] > 45]["qid"]
#%%
masked.mean(), poly.roots, poly(3)
#%%
np.diff(days), grid[:, ::2].T, grid.flags["C_CONTIGUOUS"]
#%%
view = grid[1]
view[0] = 99
grid
### masks, fits by polynomial and matrices
import numpy as np
H = np.array([[1, 0.1j], [-0.1j, -1]])
rho = np.diag([0.7, 0.3])
#%%
w, v = np.linalg.eigh(H)
w.round(4)
#%%
from scipy.linalg import expm
U = expm(-1j * H * 0.5)
np.allclose(U @ U.conj().T, np.eye(2))
#%%
purity = np.trace(rho @ rho).real
entropy = -sum(p * np.log2(p) for p in np.diag(rho))
print(f"{purity:.2f} {entropy:.3f}")
np.kron(np.eye(2), rho)
### fit of a parabola
import numpy as np
flux = np.linspace(-0.5, 0.5, 11)
freq = 5.2 - 1.1 * (flux - 0.03) ** 2
#%%
coef, cov = np.polyfit(flux, freq, 2, cov=True)
p = np.poly1d(coef)
p.deriv().roots.round(4)
#%%
from numpy.polynomial import Polynomial
q = Polynomial.fit(flux, freq, 2)
q.convert().coef.round(3), float(p(0.03))
### underscore
import numpy as np
x = np.array([1.0, 2.0])
_scale = 3
#%%
x * _scale
#%%
_hidden = x.sum()
def _twice(v):
    return 2 * v
_twice(_hidden)
#%%
_twice(_hidden) + _scale
#%% differs: the session keeps no last result
_ + 1
### names deleted
import numpy as np
base = np.ones(3)
#%%
tmp = base * 2
keep = tmp.sum()
del tmp
keep
#%%
temporary = 5
#%%
del temporary
#%%
temporary
### which names are there
import pandas as pd
first, second = pd.DataFrame({"a": [1]}), pd.DataFrame({"b": [2]})
#%% differs: names that the code does not mention are not sent
[name for name, v in sorted(globals().items()) if isinstance(v, pd.DataFrame)]
#%%
"first" in globals(), "third" in globals()
#%%
pd.concat([globals()["first"], eval("second")], axis=1)
'''

NOTEBOOKS = [*_notebooks(_OWN), *_of_guard()]
