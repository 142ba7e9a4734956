# ruff: noqa: E501, SIM905 - tables of names: long lines of words read better than one name a line
"""The methods and attributes that only compute, for every kind of value that is not a module.

A method is listed only if it is harmless on *every* kind of value that has a method of that name: the kind is not always
known. What a method changes is its own object, so it is allowed where that object is fresh.
"""

from __future__ import annotations

import re

from qdash_jupyter.cells.effects.value_kinds import Kind

_K = Kind

PURE = frozenset(
    # tables and arrays
    "abs add_prefix add_suffix align all any argmax argmin argsort asfreq asof astype at_time autocorr between between_time "
    "bfill boxplot case_when clip combine combine_first compare convert_dtypes copy corr corrwith count cov cumcount cummax "
    "cummin cumprod cumsum describe diff div divide divmod dot drop drop_duplicates droplevel dropna duplicated eq equals ewm "
    "expanding explode factorize ffill fillna filter first first_valid_index floordiv ge get_group gt head hist idxmax idxmin "
    "infer_objects interpolate isin isna isnull iterrows itertuples join kurt kurtosis last last_valid_index le lt mask max "
    "mean median melt memory_usage merge min mod mode mul multiply ne ngroup nlargest notna notnull nsmallest nth nunique ohlc "
    "pct_change pivot pow prod product quantile radd rank rdiv reindex reindex_like rename rename_axis "
    "reorder_levels repeat replace reset_index rmod rmul rolling rsub rtruediv round rpow sample searchsorted "
    "select_dtypes sem set_axis set_index shift skew sort_index sort_values squeeze stack std sub subtract sum swaplevel "
    "tail take to_dict to_frame to_list to_numpy to_period to_pydatetime to_records to_timestamp tolist transpose truediv "
    "truncate tz_convert tz_localize unique unstack value_counts var where xs groupby resample get_level_values "
    "get_indexer get_loc to_flat_index union intersection difference symmetric_difference day_name month_name normalize "
    "total_seconds to_pytimedelta to_timedelta64 to_datetime64 floor ceil isocalendar is_unique remove_categories add_categories "
    "reorder_categories set_categories rename_categories as_ordered cumulative_sum set_names isetitem_copy assign add size "
    # numpy
    "reshape ravel flatten nonzero trace diagonal swapaxes conj conjugate ptp compress choose item tobytes view "
    # text
    "lower upper strip lstrip rstrip title capitalize split rsplit splitlines zfill startswith endswith find rfind isdigit "
    "isalpha isalnum isnumeric isdecimal isspace islower isupper casefold swapcase rjust ljust center partition rpartition expandtabs "
    "removeprefix removesuffix encode decode translate contains extract extractall findall cat len pad slice "
    "fullmatch match slice_replace rindex hex is_integer as_integer_ratio bit_length from_bytes "
    # containers
    "get items keys values most_common elements total isdisjoint issubset issuperset difference_with "
    # times
    "strftime isoformat timestamp date time timetuple weekday isoweekday toordinal astimezone utcoffset tzname "
    # patterns
    "group groups groupdict start end span search sub subn finditer expand "
    # random generators and distributions
    "binomial chisquare choice exponential gamma integers lognormal multivariate_normal normal permutation permuted poisson rand "
    "randint randn random standard_normal triangular uniform beta laplace rvs pdf pmf cdf sf ppf isf logpdf logcdf interval stats "
    "entropy evaluate integrate_box_1d derivative antiderivative integral roots deriv integ confidence_interval "
    "gauss choices randrange "
    # figures
    "to_plotly_json get_figure get_legend_handles_labels select_traces select_xaxes select_yaxes "
    "quantiles zscore "
    # errors
    "keys".split()
)

CHANGING = frozenset(
    "append extend insert remove pop popitem popleft appendleft extendleft rotate clear sort reverse update setdefault add discard "
    "difference_update intersection_update symmetric_difference_update move_to_end subtract fill resize put partition isetitem "
    "itemset".split()
)
"""Methods that change their own object, on some kind at least."""

CHANGES_ARGUMENT = {"shuffle": 0}
"""Methods that change an argument (of a random generator)."""

DRAWING = frozenset(
    "annotate arrow autofmt_xdate autoscale axhline axhspan axis axline axvline axvspan bar bar_label barh boxplot cla clabel clear "
    "clf colorbar contour contourf draw errorbar eventplot fill fill_between fill_betweenx grid hexbin hist hist2d hlines imshow "
    "invert_xaxis invert_yaxis label_outer legend locator_params loglog margins matshow minorticks_off minorticks_on pcolor "
    "pcolormesh pie plot quiver relim scatter semilogx semilogy set specgram stackplot stairs stem step subplots subplots_adjust "
    "suptitle supxlabel supylabel table text tick_params ticklabel_format tight_layout twinx twiny secondary_xaxis secondary_yaxis "
    "violinplot vlines update append_trace set_subplots remove set_array get_layout_engine".split()
)
"""Methods that draw, and so change the figure they belong to."""

_DRAWING_PATTERN = re.compile(
    r"(add_(trace|traces|annotation|bar|barpolar|box|candlestick|contour|funnel|heatmap|histogram|histogram2d|"
    r"histogram2dcontour|hline|vline|hrect|vrect|indicator|line|mesh3d|parcoords|pie|sankey|scatter|scatter3d|scattergl|"
    r"scatterpolar|shape|splom|surface|table|treemap|violin|waterfall|subplot|axes|patch|gridspec|artist|collection|"
    r"vrect|selection))|"
    r"(update_(layout|traces|xaxes|yaxes|annotations|shapes|coloraxes|scenes|polars|legends))|"
    r"(for_each_(trace|xaxis|yaxis|annotation|shape|coloraxis))|"
    r"(set_((x|y|z)?(lim|label|ticks|ticklabels|scale|bound|margin|inverted)|(x|y)(lim3d|label3d)|title|facecolor|edgecolor|"
    r"color|alpha|linewidth|linestyle|marker|visible|aspect|box_aspect|axis_off|axis_on|axisbelow|position|figwidth|figheight|"
    r"size_inches|dpi|label|text|rotation|fontsize|ha|va|tick_params|clim|cmap|norm|data|xdata|ydata|zorder|"
    r"major_formatter|major_locator|minor_locator|minor_formatter|bounds|prop_cycle))|"
    r"(get_((x|y)?(lim|label|ticks|ticklabels|scale|bound)|(x|y)axis|title|text|lines|legend|position|height|width|x|y))"
)

PLOTTED = frozenset("line bar barh hist box kde density area pie scatter hexbin".split())
"""What may follow `frame.plot.`."""

ON_TABLES = frozenset(
    {"add", "subtract", "partition", "plot", "hist", "boxplot", "line", "bar", "pie", "scatter", "size"}
)
"""Listed as changing or drawing, and harmless on tables, groups and text."""

GUARDED = frozenset(
    "to_string to_json to_latex to_markdown to_csv agg aggregate apply transform map pipe query format show pivot_table "
    "info plot_frame to_html".split()
) - {"to_csv", "to_html"}
"""Harmless with the right arguments; see `guards`."""

VIEWS = frozenset(
    "head tail to_frame transpose squeeze xs reshape ravel view swapaxes diagonal to_numpy get setdefault pop popitem popleft "
    "get_group items values keys iterrows choice sample choices drop infer_objects set_axis align rename droplevel swaplevel "
    "truncate rename_axis".split()
) - {"drop", "sample", "rename", "get_group"}
"""The result may share memory with the object, or be one of its elements."""

POSITIONAL = {
    **dict.fromkeys(
        "sum mean std var prod min max any all cumsum cumprod argmin argmax ptp round dot choose random".split(), 1
    ),
    **dict.fromkeys("standard_normal".split(), 1),
    **dict.fromkeys("clip take compress".split(), 2),
}
"""Beyond so many positional arguments comes one that an array writes into."""

SAME = frozenset("loc iloc at iat T index columns array real imag flat iat data layout frames".split())
"""Attributes that are a part of their object, and change it when they are changed."""

SIMPLE = frozenset(
    "shape size ndim dtype dtypes name names empty itemsize nbytes is_unique hasnans is_monotonic_increasing "
    "is_monotonic_decreasing year month day hour minute second microsecond nanosecond days seconds microseconds dayofweek "
    "dayofyear weekday day_of_week quarter week components tz tzinfo levels nlevels codes categories ordered left right mid "
    "closed start stop step freq ngroups indices groups args slope intercept pvalue statistic rvalue stderr "
    "numerator denominator string coeffs coef order pattern lastindex values fun success message nfev x y f_value eps tiny".split()
)
"""Attributes that are data of their own."""

ACCESSORS = frozenset({"str", "dt", "cat"})

FIGURE_PARTS = re.compile(
    r"[xyz]axis\d*|title|text|font|size|color|marker|line|width|dash|name|x|y|z|mode|type|opacity|legend|margin|[trblm]|"
    r"annotations|shapes|showlegend|hovertemplate|template|height|xaxes|yaxes|spines|patches|lines|transAxes|transData|transFigure|"
    r"figure|axes|colorbar|top|bottom|left|right|ticks|tickvals|ticktext|tickangle|range|data|layout|flat|T|shape|size|scene"
)


def is_drawing(name: str) -> bool:
    """Whether `name` is a method that draws on a figure, axes, or a trace."""
    return name in DRAWING or _DRAWING_PATTERN.fullmatch(name) is not None


GIVES: dict[str, Kind] = {
    **dict.fromkeys("groupby resample rolling expanding ewm".split(), _K.GROUPED),
    **dict.fromkeys("to_numpy ravel flatten reshape nonzero view argsort to_records".split(), _K.ARRAY),
    **dict.fromkeys("tolist to_list split rsplit splitlines findall most_common".split(), _K.LIST),
    **dict.fromkeys("to_dict groupdict to_plotly_json".split(), _K.DICT),
    **dict.fromkeys(
        "strip lstrip rstrip lower upper title capitalize join zfill strftime isoformat to_string to_json to_latex to_markdown".split(),
        _K.TEXT,
    ),
    **dict.fromkeys("plot boxplot".split(), _K.DRAWING),
    **dict.fromkeys("itertuples iterrows elements finditer".split(), _K.ITERATOR),
    **dict.fromkeys("interval stats fit".split(), _K.RECORD),
    **dict.fromkeys("derivative antiderivative deriv integ".split(), _K.OPAQUE),
}
"""What a method gives where that is not what its object is."""
