# ruff: noqa: E501, SIM905 - tables of names: long lines of words read better than one name a line
"""The functions, classes and constants of libraries that only compute or draw, by path. What is not here is not plain."""

from __future__ import annotations

import re
from dataclasses import dataclass

from qdash_jupyter.cells.effects.value_kinds import Kind

_K = Kind


@dataclass(frozen=True, slots=True)
class Rule:
    """What a call gives.

    `positional`: beyond so many positional arguments comes one that is written into. `view`: the result may share
    memory with its arguments. `keeps`: the result may hold the elements of its arguments. `changes`: the argument of
    that place is changed. `any_keywords`: no keyword of it does more than set a property, so `**anything` is allowed.
    """

    gives: Kind
    positional: int | None = None
    view: bool = False
    keeps: bool = False
    changes: int | None = None
    any_keywords: bool = False


MODULES: set[str] = set()
FUNCTIONS: dict[str, Rule] = {}
CONSTANTS: set[str] = set()


def _add(
    module: str,
    names: str,
    gives: Kind = _K.DATA,
    *,
    positional: int | None = None,
    view: bool = False,
    keeps: bool = False,
    changes: int | None = None,
    any_keywords: bool = False,
) -> None:
    if not module.rpartition(".")[2][:1].isupper():
        MODULES.add(module)
    for name in names.split():
        FUNCTIONS[f"{module}.{name}"] = Rule(gives, positional, view, keeps, changes, any_keywords)


def _constants(module: str, names: str) -> None:
    MODULES.add(module)
    CONSTANTS.update(f"{module}.{name}" for name in names.split())


# --- the standard library -------------------------------------------------------------------------------------------
_add(
    "math",
    "acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist erf erfc exp exp2 expm1 fabs "
    "factorial floor fmod frexp fsum gamma gcd hypot isclose isfinite isinf isnan isqrt lcm ldexp lgamma log log10 log1p "
    "log2 modf nextafter perm pow prod radians remainder sin sinh sqrt tan tanh trunc ulp",
    _K.SCALAR,
)
_constants("math", "pi e tau inf nan")
_add("cmath", "exp log sqrt phase polar rect sin cos isnan", _K.SCALAR)
_constants("cmath", "pi e tau inf nan")
_add(
    "statistics",
    "mean fmean median median_low median_high mode multimode stdev pstdev variance pvariance quantiles correlation "
    "covariance linear_regression geometric_mean harmonic_mean NormalDist",
    _K.RECORD,
)
_add("datetime", "datetime date time timedelta timezone", _K.SCALAR)
_constants("datetime", "UTC timezone.utc datetime.min datetime.max")
for _name in ("datetime", "date"):
    _add(f"datetime.{_name}", "now utcnow today fromisoformat fromtimestamp strptime combine fromordinal", _K.SCALAR)
_add("zoneinfo", "ZoneInfo", _K.SCALAR)
_add("time", "time perf_counter monotonic strftime gmtime localtime", _K.RECORD)
_add("collections", "Counter defaultdict OrderedDict", _K.DICT, keeps=True)
_add("collections", "ChainMap", _K.DICT, keeps=True, view=True)
_add("collections", "deque", _K.LIST, keeps=True)
_add("collections", "namedtuple", _K.OPAQUE)
_add(
    "itertools",
    "accumulate batched chain combinations combinations_with_replacement compress count cycle dropwhile filterfalse "
    "groupby islice pairwise permutations product repeat starmap takewhile tee zip_longest",
    _K.ITERATOR,
    keeps=True,
)
_add("itertools.chain", "from_iterable", _K.ITERATOR, keeps=True)
_add("functools", "partial reduce cmp_to_key", _K.OPAQUE, keeps=True)
_add(
    "operator",
    "add sub mul truediv floordiv mod pow neg pos abs eq ne lt le gt ge and_ or_ not_ xor contains truth index countOf",
    _K.DATA,
)
_add("operator", "itemgetter", _K.OPAQUE)
_add("re", "match search fullmatch findall finditer split sub subn compile escape", _K.RECORD)
_constants("re", "I IGNORECASE M MULTILINE S DOTALL X VERBOSE A ASCII")
_add("json", "dumps", _K.TEXT)
_add("json", "loads", _K.DICT)
_add(
    "random",
    "random uniform choice choices sample randint randrange gauss normalvariate seed Random",
    _K.DATA,
    keeps=True,
)
_add("random", "shuffle", _K.SCALAR, changes=0)
_add("bisect", "bisect bisect_left bisect_right", _K.SCALAR)
_add("bisect", "insort insort_left insort_right", _K.SCALAR, changes=0)
_add("heapq", "nlargest nsmallest merge", _K.LIST, keeps=True)
_add("heapq", "heappush heappop heapify heapreplace heappushpop", _K.DATA, changes=0, keeps=True)
_add("copy", "copy", _K.DATA, view=True, keeps=True)
_add("copy", "deepcopy", _K.DATA)
_add("textwrap", "dedent indent fill shorten wrap", _K.TEXT)
_add("pprint", "pprint pformat", _K.TEXT, positional=1)
_add("string", "capwords", _K.TEXT)
_constants("string", "ascii_letters ascii_lowercase ascii_uppercase digits punctuation")
_add("decimal", "Decimal", _K.SCALAR)
_add("fractions", "Fraction", _K.SCALAR)
_add("calendar", "monthrange isleap", _K.RECORD)
_constants("typing", "Any Callable Iterable Sequence Mapping Optional Union Literal List Dict Tuple")
_constants("collections.abc", "Callable Iterable Iterator Sequence Mapping")
_constants("__future__", "annotations")
_add("contextlib", "suppress nullcontext", _K.CONTEXT)

# --- numpy ----------------------------------------------------------------------------------------------------------
_add(
    "numpy",
    "abs absolute acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh bitwise_not bitwise_count "
    "cbrt ceil conj conjugate cos cosh deg2rad degrees exp exp2 expm1 fabs fix floor invert isfinite isinf isnan isnat "
    "isneginf isposinf log log10 log1p log2 logical_not negative positive rad2deg radians reciprocal rint sign signbit sin "
    "sinh spacing sqrt square tan tanh trunc nan_to_num",
    _K.ARRAY,
    positional=1,
)
_add(
    "numpy",
    "add arctan2 atan2 bitwise_and bitwise_or bitwise_xor copysign divide equal float_power floor_divide fmax fmin fmod "
    "gcd greater greater_equal heaviside hypot lcm ldexp left_shift less less_equal logaddexp logaddexp2 logical_and "
    "logical_or logical_xor matmul maximum minimum mod multiply nextafter not_equal pow power remainder right_shift "
    "subtract true_divide vecdot dot outer around round modf frexp divmod all any amax amin argmax argmin cumprod cumsum "
    "max mean median min nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin nanprod nanstd nansum "
    "nanvar prod ptp std sum var choose nanpercentile nanquantile percentile quantile take compress stack",
    _K.ARRAY,
    positional=2,
)
_add("numpy", "clip trace", _K.ARRAY, positional=3)
_add("numpy", "concatenate concat", _K.ARRAY, positional=2)
_add(
    "numpy",
    "allclose angle append apply_along_axis apply_over_axes arange argpartition argsort argwhere array_equal array_equiv "
    "average bartlett bincount blackman block broadcast_shapes column_stack convolve corrcoef correlate count_nonzero cov "
    "cross delete diag_indices diff digitize dstack ediff1d einsum empty empty_like extract eye flatnonzero fromfunction "
    "fromiter full full_like geomspace gradient hamming hanning histogram histogram2d histogramdd histogram_bin_edges "
    "hstack i0 identity indices inner insert interp intersect1d isclose iscomplex isin isreal isrealobj isscalar issubdtype "
    "ix_ kaiser kron lexsort linspace logspace meshgrid ndim nonzero ones ones_like pad partition piecewise poly polyadd "
    "polyder polydiv polyfit polyint polymul polysub polyval repeat resize roll roots rot90 searchsorted select setdiff1d "
    "setxor1d shape sinc size sort take_along_axis tensordot tile trapezoid trapz tri tril tril_indices triu triu_indices "
    "trim_zeros union1d unique unravel_index unwrap vander vdot vstack where zeros zeros_like finfo iinfo isdtype "
    "array2string format_float_positional format_float_scientific row_stack result_type ndenumerate ndindex copy "
    "ravel_multi_index float64 float32 float16 int64 int32 int16 int8 uint8 uint16 uint32 uint64 bool_ int_ str_ "
    "complex128 complex64 datetime64 timedelta64 dtype integer floating number generic",
    _K.ARRAY,
)
_add(
    "numpy",
    "array asarray asanyarray ascontiguousarray atleast_1d atleast_2d atleast_3d broadcast_to broadcast_arrays diag diagonal "
    "expand_dims flip fliplr flipud hsplit vsplit split array_split imag real moveaxis ravel reshape rollaxis squeeze "
    "swapaxes transpose real_if_close ndarray",
    _K.ARRAY,
    view=True,
)
_add("numpy", "copyto put place putmask fill_diagonal put_along_axis", _K.SCALAR, changes=0)
_add("numpy", "vectorize", _K.OPAQUE)
_add("numpy", "poly1d", _K.OPAQUE, view=True)
_add("numpy", "errstate printoptions", _K.CONTEXT)
_constants("numpy", "pi e inf nan newaxis euler_gamma c_ r_ s_ mgrid ogrid True_ False_")
_add(
    "numpy.linalg",
    "cholesky cond det eig eigh eigvals eigvalsh inv lstsq matrix_norm matrix_power matrix_rank norm pinv qr slogdet solve svd "
    "trace vector_norm LinAlgError",
    _K.ARRAY,
)
_add("numpy.fft", "fft ifft rfft irfft fft2 ifft2 fftn rfft2", _K.ARRAY, positional=4)
_add("numpy.fft", "fftfreq rfftfreq fftshift ifftshift", _K.ARRAY)
_DRAWS = (
    "binomial chisquare choice exponential gamma integers lognormal multivariate_normal normal permutation poisson rand "
    "randint randn random random_sample standard_normal triangular uniform beta laplace logistic rayleigh weibull"
)
_add("numpy.random", _DRAWS + " seed default_rng RandomState Generator", _K.DATA)
_add("numpy.random", "shuffle", _K.SCALAR, changes=0)
_add("numpy.polynomial", "Polynomial Chebyshev Legendre", _K.OPAQUE)
_add("numpy.polynomial.Polynomial", "fit", _K.OPAQUE)

# --- pandas ---------------------------------------------------------------------------------------------------------
_add("pandas", "DataFrame Series Index RangeIndex DatetimeIndex TimedeltaIndex Categorical array", _K.TABLE, view=True)
_add(
    "pandas",
    "MultiIndex Grouper NamedAgg DateOffset Interval IntervalIndex Period Timestamp Timedelta CategoricalDtype bdate_range "
    "concat crosstab cut date_range factorize get_dummies interval_range isna isnull json_normalize melt merge merge_asof "
    "merge_ordered notna notnull period_range pivot pivot_table qcut timedelta_range to_datetime to_numeric to_timedelta "
    "unique wide_to_long lreshape",
    _K.TABLE,
)
_add("pandas.DataFrame", "from_dict from_records", _K.TABLE, view=True)
_add("pandas.MultiIndex", "from_tuples from_arrays from_product from_frame", _K.TABLE)
_add("pandas.Timestamp", "now utcnow today fromtimestamp combine", _K.TABLE)
_add("pandas.IntervalIndex", "from_breaks from_tuples", _K.TABLE)
_add("pandas", "option_context", _K.CONTEXT)
_constants("pandas", "NaT NA IndexSlice")
_add(
    "pandas.api.types",
    "is_numeric_dtype is_datetime64_any_dtype is_string_dtype is_bool_dtype is_float_dtype",
    _K.SCALAR,
)

# --- scipy ----------------------------------------------------------------------------------------------------------
_constants("scipy", "")
_add(
    "scipy.stats",
    "anderson anderson_ksamp ansari barnard_exact bartlett binned_statistic binned_statistic_2d binomtest bootstrap boxcox "
    "brunnermunzel chi2_contingency chisquare circmean circstd combine_pvalues cumfreq describe ecdf entropy epps_singleton_2samp "
    "f_oneway false_discovery_control fisher_exact fligner friedmanchisquare gaussian_kde gmean goodness_of_fit gstd gzscore "
    "hmean iqr jarque_bera kendalltau kruskal ks_1samp ks_2samp kstest kurtosis kurtosistest levene linregress mannwhitneyu "
    "median_abs_deviation median_test mode moment monte_carlo_test mood multiscale_graphcorr normaltest page_trend_test "
    "pearsonr percentileofscore permutation_test pmean pointbiserialr power_divergence probplot quantile_test rankdata ranksums "
    "relfreq scoreatpercentile sem shapiro siegelslopes sigmaclip skew skewtest somersd spearmanr theilslopes tiecorrect "
    "tmean tmin tmax trim_mean trimboth tsem tstd ttest_1samp ttest_ind ttest_ind_from_stats ttest_rel tukey_hsd tvar "
    "variation wasserstein_distance weightedtau wilcoxon yeojohnson zmap zscore",
    _K.RECORD,
)
DISTRIBUTIONS = (
    "norm t chi2 f gamma beta expon lognorm weibull_min weibull_max uniform poisson binom bernoulli geom cauchy laplace "
    "logistic gumbel_r gumbel_l rayleigh pareto halfnorm nbinom hypergeom multivariate_normal truncnorm genextreme"
).split()
for _name in DISTRIBUTIONS:
    _add("scipy.stats", _name, _K.RECORD)
    FUNCTIONS.update(
        {
            f"scipy.stats.{_name}.{method}": Rule(_K.ARRAY)
            for method in (
                "pdf pmf cdf sf ppf isf logpdf logcdf logsf rvs fit mean std var median stats interval entropy moment expect"
            ).split()
        }
    )
_add(
    "scipy.optimize",
    "bisect brent brentq brenth basinhopping curve_fit differential_evolution dual_annealing fmin fminbound fsolve golden "
    "least_squares leastsq linear_sum_assignment linprog lsq_linear minimize minimize_scalar newton nnls root root_scalar shgo "
    "ridder toms748 OptimizeWarning",
    _K.RECORD,
)
_add(
    "scipy.signal",
    "argrelextrema argrelmax argrelmin butter coherence convolve correlate correlation_lags csd decimate fftconvolve filtfilt "
    "find_peaks freqz gaussian hilbert lfilter lombscargle medfilt peak_prominences peak_widths periodogram resample savgol_filter "
    "sosfilt sosfiltfilt spectrogram stft welch wiener",
    _K.RECORD,
)
_add("scipy.signal", "detrend", _K.ARRAY, positional=4)
_add("scipy.signal.windows", "hann hamming blackman gaussian kaiser tukey", _K.ARRAY)
_add(
    "scipy.interpolate",
    "interp1d UnivariateSpline InterpolatedUnivariateSpline CubicSpline PchipInterpolator Akima1DInterpolator BSpline "
    "make_interp_spline make_smoothing_spline RegularGridInterpolator LinearNDInterpolator NearestNDInterpolator RBFInterpolator "
    "RectBivariateSpline",
    _K.OPAQUE,
    view=True,
)
_add("scipy.interpolate", "griddata splrep splev pchip_interpolate", _K.RECORD)
_add("scipy.integrate", "quad dblquad trapezoid simpson cumulative_trapezoid solve_ivp odeint romb", _K.RECORD)
_add(
    "scipy.special",
    "erf erfc erfinv expit logit gamma gammaln beta betaln binom comb factorial j0 j1 jv zeta",
    _K.ARRAY,
    positional=2,
)
_add("scipy.special", "softmax logsumexp", _K.ARRAY)
_add("scipy.linalg", "det expm inv logm pinv sqrtm", _K.ARRAY, positional=1)
_add("scipy.linalg", "norm solve eigh eig svd lstsq qr cholesky", _K.ARRAY, positional=2)
_add("scipy.fft", "fft ifft rfft irfft dct idct", _K.ARRAY, positional=4)
_add("scipy.fft", "fftfreq rfftfreq fftshift ifftshift", _K.ARRAY)
_add("scipy.ndimage", "gaussian_filter gaussian_filter1d median_filter uniform_filter1d label", _K.ARRAY, positional=2)
_add("scipy.spatial.distance", "pdist cdist squareform euclidean cosine", _K.ARRAY, positional=2)
_add("scipy.cluster.hierarchy", "linkage fcluster leaves_list", _K.ARRAY)
_add("scipy.cluster.vq", "kmeans kmeans2 vq whiten", _K.RECORD)
_constants("scipy.constants", "pi c h hbar k e m_e epsilon_0 mu_0 physical_constants")
_constants("scipy.spatial", "")
_constants("scipy.cluster", "")

# --- drawing --------------------------------------------------------------------------------------------------------
_constants("plotly", "")
_add("plotly.subplots", "make_subplots", _K.DRAWING, any_keywords=True)
_add(
    "plotly.express",
    "area bar bar_polar box density_contour density_heatmap ecdf funnel histogram imshow line line_3d line_polar "
    "parallel_categories parallel_coordinates pie scatter scatter_3d scatter_matrix scatter_polar scatter_ternary strip "
    "sunburst timeline treemap violin",
    _K.DRAWING,
)
_add("plotly.colors", "sample_colorscale n_colors hex_to_rgb label_rgb", _K.LIST)
for _name in ("plotly.colors", "plotly.express.colors"):
    MODULES.update({_name, *(f"{_name}.{group}" for group in ("qualitative", "sequential", "diverging", "cyclical"))})
for _name in ("plotly.graph_objects", "plotly.graph_objs"):
    MODULES.update(
        {_name, f"{_name}.layout", f"{_name}.scatter", f"{_name}.bar", f"{_name}.heatmap", f"{_name}.histogram"}
    )
_GRAPH = re.compile(r"plotly\.graph_obj(ect)?s(\.[a-z0-9]+){0,2}\.(?P<name>[A-Z][A-Za-z0-9]*)")
_PALETTE = re.compile(r"plotly\.(express\.)?colors\.(qualitative|sequential|diverging|cyclical)\.[A-Za-z]\w*")
_REMOTE = re.compile(r"(?i)(scatter|density|choropleth)map|geo$|^image|choropleth|widget|mapbox")

_add(
    "matplotlib.pyplot",
    "annotate arrow axes axhline axhspan axis axline axvline axvspan bar bar_label barh boxplot cla clf clim close "
    "colorbar contour contourf draw errorbar eventplot figlegend figtext figure fill fill_between fill_betweenx gca gcf grid "
    "hexbin hist hist2d hlines imshow legend locator_params loglog margins matshow minorticks_off minorticks_on pcolor "
    "pcolormesh pie plot polar quiver scatter semilogx semilogy show sca specgram stackplot stairs stem step streamplot subplot "
    "subplot_mosaic subplots subplots_adjust suptitle table text tick_params ticklabel_format tight_layout title tricontour "
    "tricontourf twinx twiny violinplot vlines xlabel xlim xscale xticks ylabel ylim yscale yticks",
    _K.DRAWING,
)
_add("matplotlib.pyplot", "get_cmap", _K.OPAQUE)
_add("matplotlib.pyplot", "rc_context", _K.CONTEXT)
FUNCTIONS["matplotlib.pyplot.rc_context"] = Rule(_K.CONTEXT, positional=0)
_constants("matplotlib", "")
_constants("matplotlib.pyplot.cm", "")
_constants("matplotlib.cm", "")
for _name in ("matplotlib.pyplot.cm", "matplotlib.cm"):
    _add(
        _name,
        "viridis plasma inferno magma cividis coolwarm RdBu tab10 tab20 Blues Reds Greens RdYlGn jet turbo",
        _K.OPAQUE,
    )
    _add(_name, "ScalarMappable", _K.DRAWING)
_add(
    "matplotlib.colors", "Normalize LogNorm TwoSlopeNorm ListedColormap LinearSegmentedColormap BoundaryNorm", _K.OPAQUE
)
_add("matplotlib.colors", "to_hex to_rgb to_rgba", _K.DATA)
_add(
    "matplotlib.dates",
    "DateFormatter AutoDateLocator DayLocator HourLocator MonthLocator AutoDateFormatter date2num",
    _K.DATA,
)
_add(
    "matplotlib.ticker",
    "FuncFormatter MaxNLocator MultipleLocator PercentFormatter FormatStrFormatter LogLocator",
    _K.DATA,
)
_add("matplotlib.patches", "Circle Rectangle Patch Ellipse Polygon FancyArrowPatch", _K.DRAWING)
_add("matplotlib.lines", "Line2D", _K.DRAWING)
_add("matplotlib.gridspec", "GridSpec", _K.DRAWING)

# --- our own --------------------------------------------------------------------------------------------------------
_constants("qdash_jupyter", "")
_add(
    "qdash_jupyter.methods",
    "allan_deviation best_connected changes compare_windows findings fit_exponential fit_line meeting outliers overall overview "
    "ranked relation shown spread telegraph trends unmeasured",
    _K.TABLE,
)
_add(
    "qdash_jupyter.methods",
    "band_chart histogram levels_chart ranking_chart scatter_chart series_chart",
    _K.DRAWING,
)


MODULES -= FUNCTIONS.keys()  # `datetime.datetime` is a class, though it has functions of its own


def rule_of(path: str) -> Rule | None:
    """How to call what stands at `path`, or None where it is not on the list."""
    found = FUNCTIONS.get(path)
    if found is not None:
        return found
    graph = _GRAPH.fullmatch(path)
    if graph and not _REMOTE.search(graph["name"]):
        return Rule(_K.DRAWING, any_keywords=True)
    return None


def is_palette(path: str) -> bool:
    """Whether `path` is one of plotly's lists of colours: data that belongs to plotly."""
    return _PALETTE.fullmatch(path) is not None
