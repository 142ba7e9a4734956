"""The curve behind a number: its points fitted again, and a verdict by numbers.

    stored = {"t1": qm.StoredParameter(48.2, 1.9, "μs")}
    verdict = qm.judge(qm.Curve("CheckT1", "Q07", x, y, x_unit="μs", stored=stored))
    verdict.fit, verdict.code, verdict.told()

`families` says what kinds of curves there are, `shapes` what they look like, `solution` fits them, `judge` decides by
`thresholds`, `codes` is what can be said. scipy is imported when the first fit is made.
"""
