"""The TypeScript of the panel's words says the same as the catalogues."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.panel_words import PAGE, UnknownFluentError, typescript


def written(folder: Path, **messages: str) -> str:
    for language, text in messages.items():
        (folder / f"{language}.ftl").write_text(text, encoding="utf-8")
    return typescript(folder)


def test_it_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == typescript(), "run make js"


def test_a_third_language_is_one_more_file(tmp_path: Path) -> None:
    cells = "panel-a-cells = { $n } { $n ->\n    [one] cell\n   *[other] cells\n }\n"
    words = written(
        tmp_path,
        en=f"other = Not of the page\npanel-a-it = It's `it`\n{cells}",
        pl="panel-a-cells = { $n } { $n ->\n    [0] nic\n    [few] komórki\n   *[other] komórek\n }\n",
    )
    assert "LANGUAGES = ['en', 'pl']" in words
    assert '    it: [\n      "It\'s `it`",\n      undefined,\n    ],\n' in words
    assert "readonly cells: (f: { readonly n: number }) => string;" in words
    assert "      f => text`${f.n} ${enPlural(f.n) === 'one' ? 'cell' : 'cells'}`," in words
    polish = "f.n === 0 ? 'nic' : plPlural(f.n) === 'few' ? 'komórki' : 'komórek'"
    assert f"      f => text`${{f.n}} ${{{polish}}}`," in words
    assert "Not of the page" not in words


def test_fields_have_their_types_and_texts_stay_as_they_are(tmp_path: Path) -> None:
    words = written(
        tmp_path,
        en='panel-a-b = { $kind ->\n    [x] `${ $name }\n   *[y] { "{" } { NUMBER($n) }\n }\n',
        ja="panel-a-b = いつも\n",
    )
    fields = "readonly kind: 'x' | 'y'; readonly name: string | number; readonly n: number"
    assert f"readonly b: (f: {{ {fields} }}) => string;" in words
    assert "      f => f.kind === 'x' ? text`\\`\\$${f.name}` : text`{ ${f.n}`," in words
    assert "      () => 'いつも'," in words


@pytest.mark.parametrize(
    ("english", "japanese", "problem"),
    [
        ("panel-a-b = { -term }", "", "en.ftl: scripts/panel_words.py doesn't know TermReference"),
        ("panel-a-b = { panel-a-c }", "", "doesn't know MessageReference"),
        ('panel-a-b = { DATETIME($n, month: "long") }', "", "doesn't know FunctionReference"),
        ("panel-a-b = x\n    .title = y", "", "doesn't know attributes"),
        ("panel-b = x", "", "panel-b: the ID of a message of the page is PART-GROUP-KEY"),
        ("panel-a-b = {", "", "en.ftl can't be read at"),
        ("panel-a-b = x", "panel-a-c = y", "ja.ftl has messages that en.ftl doesn't have: panel-a-c"),
        ("panel-a-b = x", "panel-a-b = { $y }", "ja.ftl: panel-a-b has a field that en.ftl doesn't have: y"),
        ("panel-a-b = { $x ->\n   *[one] 1\n }", "panel-a-b = { $x ->\n   *[y] 1\n }", "is a number in one place"),
    ],
)
def test_what_it_cannot_write_is_named(tmp_path: Path, english: str, japanese: str, problem: str) -> None:
    with pytest.raises(UnknownFluentError) as raised:
        written(tmp_path, en=f"{english}\n", ja=f"{japanese}\n")
    assert problem in str(raised.value)
