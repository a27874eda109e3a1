"""What every page does, also with a model that lacks parts; errors offer words that correct them."""

import re
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from embtools.ui import cached, menu, models, page
from tests.visit import ROOT

pytestmark = pytest.mark.usefixtures("as_shipped")

LACKS = {  # what a page says of a model without segments and next-sentence head, and the tab and expanders where it does
    "inputs": ("This model has no segment embeddings.", {"open": "positions"}),
    "attention": ("This model has no segments", {"open": ["more"]}),
    "layers": ("This model has no segment embeddings", {"open": ["segments"]}),
    "pairs": ("This model has no next-sentence head.", {"pairs_tab": "next"}),
}


@pytest.mark.slow("clusters", "bias", "concepts", "features", "evidence", "layers")
@pytest.mark.parametrize("name", [each.name for each in menu.IDEAS])
def test_every_tab_works_with_a_model_that_lacks_parts_or_says_what_it_lacks(visit, lend, worded_distil, name):
    lend(worded_distil)
    tab = f"{name}_tab"
    for option, _ in visit(name).session_state["state-fields"][tab].keys:
        at = visit(name, **{tab: option})
        drawn = at.charts or at.tables or any(field.key.startswith("guess") for field in at.get("button_group"))
        drawn = drawn or at.says("This model has no next-sentence head.")
        drawn = drawn or at.says("This model has no learned dictionary.")
        drawn = drawn or at.says("Shares of such an effect would mean little, so none are shown.")
        assert drawn, option
        assert not [problem for problem in at.problems if "This model has no" not in problem], option
    if name in LACKS:
        sentence, query = LACKS[name]
        assert visit(name, **query).says(sentence)


@pytest.mark.parametrize("here", [False, True])
def test_while_the_model_is_loaded_the_browser_already_fetches_what_draws_charts(visit, monkeypatch, here) -> None:
    monkeypatch.setattr(cached, "at_hand", lambda name: here)
    monkeypatch.setattr(models, "load", lambda name: st.stop())
    assert len(visit("bias").test.sidebar.get("plotly_chart")) == (not here)
    monkeypatch.undo()
    assert not visit("bias").test.sidebar.get("plotly_chart")


def test_link_says_what_it_contains_and_who_may_read_it(visit) -> None:
    """The text that was typed is really in the address."""
    at = visit("bias", bias_text="The nurse said that she has a secret.")
    at.test.session_state["share-link"] = True
    at.test.run()
    assert at.says(
        "with the same model, tab, texts and settings.",
        "It contains what you typed: anyone who has the link can read it, and a proxy or server along the way may log"
        " the address.",
        "The link does not store the zoom level of charts or the viewpoint of 3-D maps.",
    )
    assert any("secret" in block.value for block in at.test.code)


def slip() -> None:
    """A page with a field in which a word is misspelled, and its problem."""
    import streamlit as st

    from embtools.models.unknown_words import UnknownWord
    from embtools.ui import state, texts
    from embtools.ui.fields import Text

    text = Text("x_text", "itly + italys - itly*2, *b*")
    state.enter("x", (text,))
    st.text_input("Text", **text.widget)
    texts.problem(UnknownWord("'itly' is …", "itly", ("italy", "*b*")), text)
    texts.problem(UnknownWord("'itly' is …", "itly", ("italy",)))
    texts.problem("a **bold** word", text)


@pytest.mark.parametrize("name", ["corpus", "lessons"])
def test_a_link_whose_long_text_is_missing_says_so_above_the_page(name: str) -> None:
    test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).switch_page(f"pages/{name}.py")
    test.query_params["left_out"] = "0a1b2c3d"
    captions = [each.value for each in test.run().main.caption]
    assert not test.exception and "ask the sender for its file" in captions[0]


def test_words_that_may_have_been_meant_are_buttons() -> None:
    test = AppTest.from_function(slip, default_timeout=30).run()
    assert [text.value for text in test.text] == ["⚠ 'itly' is …", "⚠ 'itly' is …", "⚠ a **bold** word"]
    assert [button.label for button in test.button] == ["Use italy", r"Use \*b\*"]
    test.button[0].click().run()
    assert test.text_input[0].value == "italy + italys - italy*2, *b*"
    test = AppTest.from_function(slip, default_timeout=30).run()
    test.button[1].click().run()
    assert test.text_input[0].value == "*b* + italys - *b**2, *b*"  # a suggestion is no pattern


def test_every_prefix_of_keys_in_a_style_sheet_begins_a_key_of_the_code():
    """A key that was renamed would lose its style without an error."""
    files = {kind: Path(page.__file__).parent.rglob(f"*.{kind}") for kind in ("py", "css", "js")}
    code, *sheets = ("".join(path.read_text(encoding="utf-8") for path in paths) for paths in files.values())
    prefixes = set(re.findall(r"st-key-([a-z-]+-)[\"']", "".join(sheets)))
    assert {"stored-", "chart-", "door-"} <= prefixes
    chosen = {"stale-"}  # running.py writes "fresh" or "stale" in front of its keys
    assert [prefix for prefix in sorted(prefixes - chosen) if f'"{prefix}' not in code] == []


def test_selectors_that_go_on_after_has_end_in_a_class():
    """Otherwise the browser recomputes the styles of nearly all elements at each change of the page."""
    sheets = "".join(path.read_text(encoding="utf-8") for path in Path(page.__file__).parent.rglob("*.css"))
    selectors = re.findall(r"([^{}]+){", re.sub(r"/\*.*?\*/", "", sheets, flags=re.DOTALL))
    assert len(selectors) > 300 and behind_has("a:has(> b:not(c)) > .d e, f:has(g)") == ["e"]
    assert [(one, behind) for one in selectors if (behind := behind_has(one))] == []


def behind_has(selectors: str) -> list[str]:
    """The parts without a class that follow `:has(…)` in a list of selectors."""
    for inside, mark in ((r":has\([^()]*\)", "§"), (r"\([^()]*\)", "")) * 4:
        selectors = re.sub(inside, mark, selectors)
    rest = ",".join(re.findall(r"§[^,\s>+~]*[\s>+~]+([^,]+)", selectors))
    return [part for part in re.split(r"[,\s>+~]+", rest.strip()) if part and "." not in part]
