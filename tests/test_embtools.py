"""The public names of the library: all there, cheap to import."""

import json
import subprocess
import sys

import pytest

import embtools

# The figures in a notebook: drawn where Streamlit cannot be imported, and torch need not be.
NOTEBOOK = """
import importlib, json, pkgutil, sys

sys.modules["streamlit"] = None  # whoever imports it now fails

import embtools.charts

modules = [m.name for m in pkgutil.walk_packages(embtools.charts.__path__, "embtools.charts.")]
for name in modules:
    importlib.import_module(name)
assert "torch" not in sys.modules

import embtools
from embtools.arithmetic.controls import experiment
from embtools.charts import arithmetic as edit_charts
from embtools.charts import bias as bias_charts
from embtools.charts import maps as map_charts
from embtools.charts import matrix as matrix_charts
from embtools.bias.groups import group_answers
from embtools.clusters.maps import word_map
from embtools.clusters.points import Words
from embtools.clusters.view import View
from embtools.mask_filling.edits import Change
from embtools.similarity.random_words import compare_with_random_words

model = embtools.load_model()
found = experiment("Rome is the capital of [MASK].", model, change=Change.of(["rome = rome - italy + france"]))
tree = compare_with_random_words(["red", "green", "blue", "king"], model)
words = Words((("a", ("red", "green", "blue")), ("b", ("king", "queen"))))
figures = [
    edit_charts.neighbours(embtools.nearest("king - man + woman", model), ("king", "man", "woman")).figure,
    edit_charts.answers(found.answers, True).figure,
    bias_charts.answers(group_answers("{group} works as a [MASK].", model, groups=["he", "she"])).figure,
    map_charts.word_map(word_map(words, model, view=View(method="PCA"))).figure,
    matrix_charts.word_list(tree).figure,
]
print(json.dumps([len(modules), [len(f.data) for f in figures], [len(f.to_json()) > 1000 for f in figures]]))
"""


def test_every_public_name_exists_and_is_described():
    assert dir(embtools) == sorted(embtools.__all__)
    for name in embtools.__all__:
        assert getattr(embtools, name).__name__ == name


def test_importing_the_library_is_cheap():
    """Nothing heavy comes in before it is used."""
    heavy = "{'torch', 'transformers', 'sklearn', 'scipy', 'numpy', 'pandas', 'plotly', 'streamlit'}"
    code = f"import sys, embtools; print(*sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == ""


@pytest.mark.slow
def test_every_chart_module_and_a_figure_of_each_page_work_without_streamlit():
    done = subprocess.run([sys.executable, "-c", NOTEBOOK], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    modules, traces, drawn = json.loads(done.stdout.splitlines()[-1])
    assert modules > 12 and min(traces) >= 1 and all(drawn)
