"""When a change of level is more than noise: one threshold for the tools and for the cells that the planner writes."""

SIGNIFICANT_Z = 3.4
"""A change is named when it is this many times its own uncertainty, which is widened by `1 + 4 / (n - 3)` because few
measurements tell their own scatter badly. False alarms on independent Gaussian noise: at most 0.1 % of series of any
length from 6 to 200 measurements, one on 16 chips of 64 qubits; with stored errors that are right, three times too
small, missing or partly missing. At most 0.11 % on Laplace noise, on Student noise with 4 degrees of freedom and with
5 % of values ten times wilder; 0.25 % on uniform noise, whose medians are less precise. Slow wandering is no noise: the
smallest change that matters covers it. Why this test: `docs/decisions/0011-the-trend-test.md`.
"""
