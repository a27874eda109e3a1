"""Copied Python: the parts in their order, with the imports that they need."""

import pytest

from embtools.arithmetic.analogy import nearest
from embtools.mask_filling.answers import fill_mask
from embtools.spaces.space import CENTRED, Space
from embtools.ui import cached, panels
from embtools.ui.call import Call
from embtools.ui.page import PAGES
from embtools.ui.share import Code
from embtools.ui.shown import Model
from tests.conftest import slow_after

OTHER = "distilbert/distilbert-base-uncased"


def test_parts_stand_in_their_order_with_their_imports_and_are_written_over(monkeypatch: pytest.MonkeyPatch) -> None:
    class Loaded:
        revision = "abc"

    monkeypatch.setattr(cached, "model", lambda name: Loaded)
    code, model = Code("bundled"), Model("bundled")
    code.record("first", [(Call(fill_mask, text="A [MASK]."), model)], ("", "[0]"))
    code.record("second", [(Call(nearest, expression="king"), model.within(Space(CENTRED)))], ("head()",))
    code.record("first", [(Call(fill_mask, text="The [MASK]."), model)], ("",))
    code.record("third", [(Call(nearest, expression="queen"), model)], ("",))
    code.drop("third")
    text = code.text()
    assert text.index("The [MASK].") < text.index("in_space(model") < text.index("print(second.head())")
    assert "A [MASK]." not in text and "queen" not in text and "other" not in text
    assert "model = embtools.load_model('bundled')  # revision abc" in text
    assert "from embtools.arithmetic.analogy import nearest" in text and code.models == ("bundled",)
    compile(text, "copied", "exec")
    code.record("first", [(Call(fill_mask, text="The [MASK]."), each) for each in (model, Model(OTHER))], ("",))
    assert f"other = embtools.load_model({OTHER!r})" in code.text() and code.models == ("bundled", OTHER)
    assert "other_first = fill_mask('The [MASK].', other)" in code.text()


TABS = [case for page in PAGES for case in slow_after(1, [(page.name, tab) for tab in panels.of(page.name)])]


@pytest.mark.parametrize("page, tab", TABS)
def test_the_copied_code_prints_the_headline_of_every_tab(visit, page: str, tab: str) -> None:  # type: ignore[no-untyped-def]
    at = visit(page, **{f"{page}_tab": tab})
    if not at.charts or page == "paper":  # it waits for its button; Paper's figures are stored
        pytest.skip("nothing has been computed")
    headline = at.header[0].value.replace("\\", "")
    printed = [value for value in at.copied(cached.model()).printed if isinstance(value, str)]
    assert any(headline in text or text in headline for text in printed if len(text) > 20), (headline, printed)
