"""The analysis code that plans write: small functions on `copilot.data`, each worth keeping and editing.

stems     names, scales and windows as code
changes   levels before a window against now
rankings  the worst, the best, the ones beyond a limit
values    current values: findings, overview, comparison, what was not measured
trends    level, scatter and slope over time
charts    figures
"""
