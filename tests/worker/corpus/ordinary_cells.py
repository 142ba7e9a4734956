"""Ordinary notebooks of people who calibrate qubits, for `test_ordinary_cells`.

Each begins with a line `### title` and a cell of the user's. `#%%` begins a cell of the copilot's, `#%% user` another
of the user's. With `#%% asks: why`, the user is asked about the cell, and accepts it for this reason. With
`#%% differs: why`, it is known not to give what it gives in one process. `### title | library` needs that library.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

_PLAIN = Path(__file__).parent / "plain.txt"
_NOT_HERE = re.compile(r"copilot|data\[|data\.(items|keys|get)|list\(data|fig0|df\.sample\(3\)")
"""Of the single cells, those that use the copilot's results, other names, or chance."""


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


def _of_plain() -> list[Notebook]:
    """The single cells of `plain.txt`, four a notebook."""
    parts = ("\n" + _PLAIN.read_text(encoding="utf-8")).split("\n### ")[1:]
    codes = [part.partition("\n")[2] for part in parts if not _NOT_HERE.search(part)]
    fours = [codes[place : place + 4] for place in range(0, len(codes), 4)]
    setup = Cell(_OF_PLAIN, is_users=True)
    return [Notebook(f"plain {number}", (setup, *map(Cell, four))) for number, four in enumerate(fours)]


_OF_PLAIN = """\
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
@lru_cache
def square(x):
    return x * x
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
#%% differs: a function of the user's has globals of its own in the session
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
iq = np.concatenate([rng.normal(centre, 1, 200) + 1j * rng.normal(0, 1, 200) for centre in (0, 4)])
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
### a threshold that a function of the user's reads
limit = 40
def is_bad(t1):
    return t1 < limit
t1s = {"Q0": 38, "Q1": 55}
#%%
[q for q, v in t1s.items() if is_bad(v)]
#%% differs: a function of the user's has globals of its own in the session
limit = 60
[q for q, v in t1s.items() if is_bad(v)]
### cached function without recursion
from functools import lru_cache
@lru_cache(maxsize=32)
def square(x):
    return x * x
#%%
[square(i) for i in range(4)]
### names that everybody takes
import pandas as pd
data = pd.DataFrame({"qid": ["Q0", "Q1"], "v": [1.5, 2.5]})
result, output, fig = {"a": 1}, [1, 2], None
input = 3
#%%
data["v"].mean(), result["a"], output
#%%
list = [1, 2]
max = 5
sum = 0
for x in list:
    sum += x
sum, max
#%%
del list, max, sum
len(output), result
### result and data of the copilot's
import numpy as np
x = np.arange(4)
#%%
data = {"x": x, "sum": int(x.sum())}
data["sum"]
#%%
result = [v * 2 for v in data["x"]]
#%%
result[-1], data["x"].max()
### dates
from datetime import datetime, date, timedelta, timezone
from zoneinfo import ZoneInfo
start = datetime(2026, 3, 1, 9, 30, tzinfo=ZoneInfo("Asia/Tokyo"))
cooldown = date(2026, 2, 14)
step = timedelta(hours=6)
#%%
[(start + i * step).astimezone(timezone.utc).isoformat() for i in range(3)]
#%%
days = (start.date() - cooldown).days
f"{start:%d %b %Y}, day {days}"
#%%
import pandas as pd
pd.Timestamp(start).tz_convert("UTC"), pd.date_range(cooldown, periods=3, freq="W")
### paths and text
import re, json
from pathlib import Path
folder = Path("runs") / "2026-03"
pattern = re.compile(r"Q(\d+)_(\w+)")
names = ["Q03_t1", "Q17_ramsey", "log"]
config = json.loads('{"chip": "64Q", "qubits": {"Q03": {"f": 5.1}}}')
#%%
(folder / "a.csv").suffix, folder.parts
#%%
found = {m[1]: m[2] for n in names if (m := pattern.match(n))}
found
#%%
print(json.dumps(config, indent=1, sort_keys=True))
config["qubits"]["Q03"]["f"] += 0.2
#%%
config["qubits"]["Q03"], "-".join(names).title()
### lists, dicts and sets of all kinds
from collections import Counter, defaultdict, deque, OrderedDict, ChainMap
by_line = defaultdict(list)
for i in range(6):
    by_line[i % 2].append(i)
hist, last = Counter("abracadabra"), deque([1, 2, 3], maxlen=3)
defaults = ChainMap({"shots": 100}, {"shots": 10, "delay": 5})
#%%
by_line[5].append(1)
dict(by_line), hist.most_common(2)
#%%
last.append(4)
last, hist["z"]
#%%
{**by_line, "n": sum(hist.values())}, set(hist) & set("abc") == {"a", "b", "c"}
### a chain map
from collections import ChainMap
defaults = ChainMap({"shots": 100}, {"shots": 10, "delay": 5})
#%%
defaults["shots"], defaults["delay"]
### errors
import numpy as np
gains = {"Q0": 1.0}
def check(v):
    if v < 0:
        raise ValueError(f"negative: {v}")
    return v
#%%
gains["Q1"]
#%%
partial_sum = 3
check(-2)
#%%
try:
    check(-1)
except ValueError as e:
    message = str(e)
partial_sum, message
#%%
np.linalg.inv(np.zeros((2, 2)))
### errors of the copilot's own
shots = 100
class CalibrationError(RuntimeError):
    def __init__(self, qid):
        super().__init__(f"{qid} has no calibration")
        self.qid = qid
#%%
raise CalibrationError("Q7")
#%%
class TooFew(CalibrationError):
    pass
try:
    raise TooFew("Q8") from KeyError("x")
except CalibrationError as error:
    print(type(error).__name__, error.qid, error.__cause__)
#%%
assert shots > 1000, "too few shots"
#%%
for i in range(3)
    print(i)
### printing
values = [0.123456, 12.5, 1e-9]
#%%
for v in values:
    print(f"{v:>12.4g}", end=" | ")
print()
print(*values, sep="\n")
#%%
import sys
sys.stdout.write("done\n")
print("warning", file=sys.stderr)
values;
#%%
from pprint import pprint
pprint({"a": [[1] * 30, [2] * 30], "b": values})
print("Σ μs ± °", "日本語", sep="\t")
#%%
import warnings
warnings.warn("careful")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    warnings.warn("quiet")
values[0]
### display
import pandas as pd
df = pd.DataFrame({"a": [1, 2]})
#%%
display(df)
display("text", 3)
df.T
#%%
from IPython.display import HTML, Markdown, display as show
show(Markdown("**bold**"))
HTML("<b>5</b>")
#%%
for _, row in df.iterrows():
    display(row["a"])
df.info()
### representation of the user's own
class Report:
    def __init__(self, rows):
        self.rows = rows
    def _repr_html_(self):
        return "<ul>" + "".join(f"<li>{r}</li>" for r in self.rows) + "</ul>"
    def __repr__(self):
        return f"Report of {len(self.rows)}"
    def __len__(self):
        return len(self.rows)
    def __iter__(self):
        return iter(self.rows)
    def __getitem__(self, i):
        return self.rows[i]
    def __add__(self, other):
        return Report(self.rows + other.rows)
report = Report(["a", "b"])
#%%
report + Report(["c"])
#%%
len(report), [*report], report[-1], "a" in report
### abstract classes, protocols and generics
from abc import ABC, abstractmethod
from typing import Protocol, TypeVar, Generic
T = TypeVar("T")
class Model(ABC):
    @abstractmethod
    def predict(self, x): ...
    def residual(self, x, y):
        return y - self.predict(x)
class Line(Model):
    def __init__(self, k):
        self.k = k
    def predict(self, x):
        return self.k * x
class Box(Generic[T]):
    def __init__(self, item: T):
        self.item = item
models = [Line(2), Line(3)]
box = Box(5)
#%%
[m.residual(2, 7) for m in models], box.item
#%%
try:
    Model()
except TypeError as e:
    print("TypeError")
class Square(Model):
    def predict(self, x):
        return x * x
isinstance(Square(), Model), Square().residual(2, 5)
### class with state
class Tracker:
    made = 0
    def __init__(self):
        type(self).made += 1
        self.history = []
    def add(self, v):
        self.history.append(v)
        return self
    @property
    def mean(self):
        return sum(self.history) / len(self.history)
tracker = Tracker().add(1).add(2)
#%%
tracker.add(6).mean
#%%
other = Tracker()
Tracker.made, len(tracker.history)
#%%
tracker.history, vars(other)
### context managers and cached properties
from contextlib import contextmanager
from functools import cached_property, singledispatch
class Run:
    def __init__(self, n):
        self.n = n
    @cached_property
    def squares(self):
        return [i * i for i in range(self.n)]
    def __enter__(self):
        print("begin")
        return self
    def __exit__(self, *exc):
        print("end")
run = Run(4)
@contextmanager
def named(name):
    print("<", name)
    yield name.upper()
    print(">")
#%%
with run as r:
    print(r.squares)
#%%
with named("t1") as n:
    print(n)
### awaiting
import asyncio
async def measure(q, delay=0.001):
    await asyncio.sleep(delay)
    return f"{q}: ok"
#%%
await measure("Q0")
#%%
await asyncio.gather(*(measure(f"Q{i}") for i in range(3)))
#%%
async def stream(n):
    for i in range(n):
        yield i
[i async for i in stream(3)]
### threads
import time
def slow(x):
    time.sleep(0.001)
    return x * x
#%%
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(4) as pool:
    squares = list(pool.map(slow, range(5)))
squares
### figures of matplotlib
import numpy as np, matplotlib.pyplot as plt
x = np.linspace(0, 1, 20)
#%%
plt.rcParams["figure.figsize"] = (6, 4)
fig, axes = plt.subplots(1, 2, sharey=True)
for ax, k in zip(axes, (1, 2)):
    ax.plot(x, x**k, label=f"k={k}")
    ax.legend()
#%%
axes[0].set_title("linear")
fig.suptitle("powers")
len(fig.axes), axes[1].get_legend_handles_labels()[1]
#%%
with plt.style.context("ggplot"):
    plt.hist(x, bins=4)
    plt.show()
#%%
import io
buffer = io.BytesIO()
fig.savefig(buffer, format="png")
buffer.getvalue()[:4]
### settings of matplotlib that the user has changed
import matplotlib.pyplot as plt
plt.rcParams["figure.figsize"] = (9, 2)
x = [1, 2]
#%% differs: settings of libraries that the user has changed are not in the session
_ = plt.plot(x)
### colours of matplotlib
import numpy as np, matplotlib.pyplot as plt
from matplotlib.colors import Normalize
colors = plt.rcParams["axes.prop_cycle"].by_key()["color"]
norm = Normalize(0, 10)
#%%
plt.cm.viridis(0.5), colors[0]
#%%
from matplotlib import colormaps
[colormaps["plasma"](v)[:2] for v in (0.0, 1.0)]
### a colour map that the user has
import matplotlib.pyplot as plt
from matplotlib.colors import Normalize
cmap, norm = plt.cm.viridis, Normalize(0, 10)
#%% differs: objects of matplotlib do not travel
cmap(norm(5.0))
### figures of Plotly
import pandas as pd, plotly.graph_objects as go
df = pd.DataFrame({"qid": ["Q0", "Q1"], "t1": [40.0, 50.0]})
base = go.Figure(go.Bar(x=df["qid"], y=df["t1"]))
#%%
import plotly.express as px
fig = px.bar(df, x="qid", y="t1", color="qid")
fig.update_layout(showlegend=False)
#%%
fig.add_hline(y=45, line_dash="dot")
fig.show()
#%%
two = go.Figure(base)
two.add_scatter(x=df["qid"], y=df["t1"] + 1)
len(base.data), two.data[1].y.tolist()
#%%
import plotly.io as pio
pio.templates.default = "plotly_white"
px.scatter(df, x="qid", y="t1").layout.template.layout.plot_bgcolor
#%% user
base.layout.title.text, len(two.data), len(fig.data)
### the user goes on with it
import pandas as pd
df = pd.DataFrame({"qid": ["Q0", "Q1"], "t1": [40.0, 50.0]})
#%%
best = df.loc[df["t1"].idxmax(), "qid"]
table = df.assign(rate=1 / df["t1"])
summary = {"best": best, "n": len(df)}
#%% user
table["rate"] *= 1000
summary["by"] = "me"
df = df.iloc[:1]
extra = [1]
#%%
table["rate"].round(1).tolist(), summary, len(df)
#%%
summary["n"] += len(extra)
extra.append(2)
summary
#%% user
extra.append(3)
### tables read from text
text = """qid,t1,at
Q0,41.5,2026-01-01
Q1,,2026-01-02
"""
#%%
import io, pandas as pd
df = pd.read_csv(io.StringIO(text), parse_dates=["at"])
df
#%%
df.dtypes.astype(str).to_dict(), df.isna().sum().sum()
#%%
import csv
rows = list(csv.DictReader(text.splitlines()))
rows[0]
### magics
import numpy as np
a = np.eye(2)
#%%
%matplotlib inline
a.trace()
#%%
%precision 3
np.pi
#%%
b = a * 2
%who_ls ndarray
### match, walrus and other syntax
from __future__ import annotations
jobs = [{"type": "t1", "qid": 3}, {"type": "rb", "m": [1, 2]}, "noop"]
#%%
def label(job):
    match job:
        case {"type": "t1", "qid": q}:
            return f"T1 of Q{q}"
        case {"type": kind, **rest}:
            return f"{kind} with {sorted(rest)}"
        case str(s):
            return s
[label(j) for j in jobs]
#%%
if (n := len(jobs)) > 2:
    first, *rest = jobs
n, len(rest), (lambda *a, k=1: sum(a) + k)(1, 2)
#%%
x: int = 3
matrix = [[i * j for j in range(3)] for i in range(3)]
[*zip(*matrix)][2], {k: v for k, v in enumerate("ab")}
### bayesian estimate
import numpy as np
counts = {"0": 812, "1": 188}
#%%
from scipy import stats
posterior = stats.beta(1 + counts["1"], 1 + counts["0"])
posterior.mean().round(4), np.round(posterior.interval(0.95), 4)
#%%
samples = posterior.rvs(1000, random_state=3)
np.percentile(samples, [5, 50, 95]).round(2)
#%%
grid = np.linspace(0.1, 0.3, 5)
posterior.pdf(grid).argmax()
### optimisation
import numpy as np
def cost(p, target=(1.0, -2.0)):
    return sum((a - b) ** 2 for a, b in zip(p, target))
#%%
from scipy.optimize import minimize, brentq
res = minimize(cost, [0, 0], method="Nelder-Mead")
res.x.round(3), res.success
#%%
brentq(lambda x: x**3 - 2, 0, 2).__round__(6)
#%%
res2 = minimize(cost, res.x, args=((3.0, 3.0),))
res2.fun < 1e-6, type(res2).__name__
### drift of frequency
import numpy as np, pandas as pd
t = pd.date_range("2026-05-01", periods=30, freq="D")
f = pd.Series(5.1 + 1e-5 * np.arange(30) + 2e-5 * np.sin(np.arange(30)), index=t)
f.iloc[20:] += 3e-4
#%%
step = f.diff().abs()
jump = step.idxmax()
jump
#%%
before, after = f[:jump], f[jump:]
shift = (after.median() - before.median()) * 1e6
print(f"{shift:.0f} kHz on {jump:%Y-%m-%d}")
#%%
z = (f - f.rolling(7).mean()) / f.rolling(7).std()
z.describe().round(3)
### readout matrices
import numpy as np
M = np.array([[0.97, 0.06], [0.03, 0.94]])
raw = np.array([600, 400])
#%%
true = np.linalg.solve(M, raw)
true.round(1)
#%%
M2 = np.kron(M, M)
np.linalg.cond(M2).round(3), M2.sum(axis=0)
#%%
M[0, 0] = 0.98
M[1, 0] = 0.02
(M @ [1, 0]).tolist()
### couplings
import pandas as pd, itertools
edges = [("Q0", "Q1", 0.991), ("Q1", "Q2", 0.975), ("Q0", "Q3", 0.983)]
cz = pd.DataFrame(edges, columns=["a", "b", "f"])
#%%
both = pd.concat([cz, cz.rename(columns={"a": "b", "b": "a"})])
both.groupby("a")["f"].agg(["mean", "count"]).sort_values("mean")
#%%
neighbours = {q: sorted(g["b"]) for q, g in both.groupby("a")}
neighbours
#%%
seen, queue = {"Q2"}, ["Q2"]
while queue:
    q = queue.pop(0)
    for n in neighbours[q]:
        if n not in seen:
            seen.add(n)
            queue.append(n)
sorted(seen), list(itertools.combinations("ab", 2))
### a log of the user's
import logging
log = logging.getLogger("calibration")
log.addHandler(logging.NullHandler())
#%% differs: a logger does not travel
log.info("begin")
### a scikit-learn classifier | sklearn
import numpy as np
from sklearn.linear_model import LogisticRegression
X = np.r_[np.random.default_rng(0).normal(0, 1, (50, 2)), np.random.default_rng(1).normal(3, 1, (50, 2))]
y = np.repeat([0, 1], 50)
clf = LogisticRegression().fit(X, y)
#%%
clf.score(X, y)
#%%
from sklearn.mixture import GaussianMixture
GaussianMixture(2, random_state=0).fit(X).means_.round(1)
### a fit with lmfit | lmfit
import numpy as np
x = np.linspace(0, 10, 60)
y = 2 * np.exp(-x / 3) + np.random.default_rng(1).normal(0, 0.05, 60)
#%%
import lmfit
fit = lmfit.models.ExponentialModel().fit(y, x=x, amplitude=1, decay=2)
print(fit.fit_report())
#%%
decay = fit.params["decay"]
round(decay.value, 3), round(decay.stderr, 4)
### clusters of scikit-learn | sklearn
import numpy as np
X = np.r_[np.random.default_rng(0).normal(0, 1, (50, 2)), np.random.default_rng(1).normal(9, 1, (50, 2))]
#%%
from sklearn.cluster import KMeans
np.bincount(KMeans(2, n_init=1, random_state=0).fit(X).labels_)
### a seaborn figure | seaborn
import pandas as pd, seaborn as sns
df = pd.DataFrame({"a": [1, 2, 3], "b": [2, 4, 5]})
#%%
ax = sns.scatterplot(df, x="a", y="b")
#%%
ax.get_xlabel()
### an xarray | xarray
import numpy as np, xarray as xr
da = xr.DataArray(np.arange(6).reshape(2, 3), dims=("q", "t"), coords={"t": [0, 1, 2]})
#%%
da.mean("t").values
#%%
da.sel(t=1).sum().item()
### polars | polars
import polars as pl
df = pl.DataFrame({"q": ["a", "b", "a"], "v": [1.0, 2.0, 3.0]})
#%%
df.group_by("q").agg(pl.col("v").mean()).sort("q")
'''

NOTEBOOKS = [*_notebooks(_OWN), *_of_plain()]
