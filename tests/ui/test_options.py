"""Options whose labels depend on a result: each keeps its own label, and what is chosen is always an option."""

import ast
import builtins
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]
OF_THE_OPTION = {
    "texts.plain": "the option itself, escaped",
    "plain": "the option itself, escaped",
    "str": "the option itself",
    "word_sets.title": "the title of a published test by its number",
    "lambda by: 'alpha, as in the article' if by == BY_ALPHA else 'share of its maximum'": "two constants",
    "lambda mask: f'Mask {mask}'": "the number of the mask",
    "entry.or_strongest": "the number, or a word for 0",
    "entry.or_largest": "the number, or words for 0",
}
"""The labels that are allowed outside ui/options.py, and why they never change for an option."""

SCRIPT = """
import streamlit as st
from embtools.ui import options, state
from embtools.ui.fields import Choice, Numbers, Text

TEXT, WORD, SEVERAL = Text("t", "a cat, a dog"), Choice("w", "1"), Numbers("s", (2,))
state.enter("", (TEXT, WORD, SEVERAL))
st.text_input("Text", **TEXT.widget)
words = dict(enumerate(TEXT.value.split()))
options.choose(st.selectbox, "Word", WORD.key, {str(n): f"{n} {word}" for n, word in words.items()}, WORD.value)
options.choose(st.pills, "Several", SEVERAL.key, words, SEVERAL.value, selection_mode="multi")
options.choose(st.pills, "Press", "press", words, None, lambda n: state.put({TEXT.key: f"{TEXT.value} {n}"}))
"""


@pytest.fixture
def at() -> AppTest:
    return AppTest.from_string(SCRIPT, default_timeout=30).run()


def test_the_choice_is_the_fields_also_after_its_label_has_changed(at):
    at.selectbox[0].set_value("3").run()
    assert at.session_state["w"] == "3" and at.query_params["w"] in ("3", ["3"])
    key = at.selectbox[0].key
    at.text_input[0].set_value("one bird, one fish").run()
    assert at.selectbox[0].key != key  # an old label from the browser would reach a widget that no longer exists
    assert at.session_state["w"] == at.selectbox[0].value == "3" and at.selectbox[0].options[3] == "3 fish"
    at.selectbox[0].set_value("0").run()
    assert at.session_state["w"] == "0"


def test_a_choice_that_is_no_longer_offered_is_not_shown(at):
    at.session_state["w"], at.session_state["s"] = "9", [1, 9]
    at.run()
    assert at.selectbox[0].value is None and at.get("button_group")[0].value == [1]


def test_equal_labels_are_different_options(at):
    """`a` is there twice: a press on the first must not choose the second."""
    several = at.get("button_group")[0]
    assert [label.replace("\u2060", "") for label in several.options] == ["a", "cat,", "a", "dog"]
    assert len(set(several.options)) == 4 and several.value == [2]
    several.set_value([0]).run()
    assert at.session_state["s"] == [0]


def test_another_callback_gets_the_pressed_option(at):
    at.get("button_group")[1].set_value(1).run()
    assert at.session_state["t"] == "a cat, a dog 1" and at.get("button_group")[1].value is None


def labels_of(source: str) -> Iterator[tuple[str, bool]]:
    """Each `format_func` of a module as written, and whether it reads only the option and names of the module."""
    tree = ast.parse(source)
    own = set(dir(builtins))
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            own |= {(name.asname or name.name).partition(".")[0] for name in node.names}
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            own.add(node.name)
        else:
            own |= {
                each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
            }
    for node in ast.walk(tree):
        pairs = [(word.arg, word.value) for word in node.keywords] if isinstance(node, ast.Call) else []
        if isinstance(node, ast.Dict):  # settings that are passed on with **
            pairs = [
                (key.value, value)
                for key, value in zip(node.keys, node.values, strict=True)
                if isinstance(key, ast.Constant)
            ]
        for value in (value for name, value in pairs if name == "format_func"):
            known = own | {each.arg for each in ast.walk(value) if isinstance(each, ast.arg)}
            used = {each.id for each in ast.walk(value) if isinstance(each, ast.Name)}
            yield ast.unparse(value), used <= known


def test_labels_that_depend_on_results_are_drawn_by_choose():
    files = [*ROOT.glob("embtools/ui/**/*.py"), *ROOT.glob("pages/*.py"), ROOT / "app.py"]
    found = [
        (str(file.relative_to(ROOT)), *each)
        for file in files
        if file.name != "options.py"
        for each in labels_of(file.read_text(encoding="utf-8"))
    ]
    wrong = [(file, label) for file, label, constant in found if label not in OF_THE_OPTION or not constant]
    assert not wrong, f"Labels that may change from run to run belong into options.choose: {wrong}"
    assert {label for _, label, _ in found} == set(OF_THE_OPTION), "a reason without a use"


@pytest.mark.parametrize(
    "argument",
    ["format_func=labels.get", "format_func=lambda n: words[n]", '**{"format_func": lambda n, w=labels: w[n]}'],
)
def test_a_label_of_a_result_is_found(argument):
    source = f"import streamlit as st\n\ndef show(labels, words):\n    st.pills('Word', list(labels), {argument})\n"
    ((label, constant),) = labels_of(source)
    assert not constant and label not in OF_THE_OPTION
    fine = source.replace("(labels, words)", "()").replace("\n\n", "\nlabels, words = {}, []\n\n", 1)
    assert [constant for _, constant in labels_of(fine)] == [True]
