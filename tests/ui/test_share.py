"""Copied Python: the imports that its names need, and the parts in their order."""

import ast
import re
import sys
from collections import Counter
from pathlib import Path

import pytest

import embtools
from embtools.bias import groups, likelihood  # noqa: F401  (loaded, as on the page)
from embtools.mask_filling import edits  # noqa: F401
from embtools.models.embedding_model import EmbeddingModel  # noqa: F401
from embtools.ui import cached, panels, share
from embtools.ui.page import PAGES
from embtools.ui.share import Code, imports
from embtools.words import groups as word_groups  # noqa: F401
from embtools.words import templates  # noqa: F401


def test_functions_and_modules_are_imported_from_their_homes() -> None:
    assert imports("scores = likelihood.summary(1)\nprint(group_answers(scores))", "bias") == {
        "from embtools.bias import likelihood",
        "from embtools.bias.groups import group_answers",
    }


def test_the_idea_comes_before_the_floors_and_a_made_name_is_no_import() -> None:
    assert imports("groups = 1\nprint(groups)", "bias") == set()
    assert imports("groups.group_answers(np.zeros(1))", "bias") == {
        "from embtools.bias import groups",
        "import numpy as np",
    }


def test_a_class_is_no_module_though_its_methods_are_called() -> None:
    assert imports("Change.of(['rome = italy'])", "arithmetic") == {"from embtools.mask_filling.edits import Change"}


def test_the_modules_of_another_idea_are_no_homes() -> None:
    assert imports("groups.preset('months')", "similarity") == {"from embtools.words import groups"}
    with pytest.raises(LookupError, match="group_answers"):
        imports("group_answers(1)", "similarity")


def test_words_of_a_visitor_are_no_names() -> None:
    assert imports("text = 'likelihood.summary wordlists'\nprint(text, model)", "bias") == set()


def test_a_name_without_a_home_is_an_error() -> None:
    with pytest.raises(LookupError, match="nowhere_at_all"):
        imports("nowhere_at_all(1)", "bias")


def public_names(modules: list[Path]) -> Counter[str]:
    """How many modules hold a public function or class of each name."""
    return Counter(
        node.name
        for module in modules
        for node in ast.parse(module.read_text()).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
    )


def called_bare(screen: Path) -> set[str]:
    """The names that the copied code of an idea's screens calls without a module before them."""
    return {
        name
        for module in screen.rglob("*.py")
        for node in ast.walk(ast.parse(module.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for name in re.findall(r"(?<![\w.])([A-Za-z_]\w*)\(", node.value)
    }


def test_what_copied_code_calls_by_its_name_alone_has_one_home() -> None:
    """So that a new function of a floor below does not take the imports from a page that nobody thought of."""
    root = Path(embtools.__file__).parent
    screens = [path for path in sorted((root / "ui").iterdir()) if (root / path.name).is_dir()]
    apart = {"ui", "charts", *(screen.name for screen in screens)}
    floors = public_names([m for m in root.rglob("*.py") if m.relative_to(root).parts[0] not in apart])
    checked = 0
    for screen in screens:
        own = public_names(list((root / screen.name).rglob("*.py")))
        for name in called_bare(screen):
            homes = own[name] or floors[name]
            assert homes <= 1, f"{screen.name}: {name} has {homes} homes"
            checked += homes
    assert checked


def test_parts_stand_in_their_order_and_are_written_over(monkeypatch: pytest.MonkeyPatch) -> None:
    class Model:
        revision = "abc"

    monkeypatch.setattr(cached, "model", lambda name: Model)
    code = Code("bias", "bundled")
    code.add("first", "a = 1", "print(a)")
    code.add("second", "b = 2")
    code.add("first", "a = 3")
    code.add("third", "c = 4")
    code.drop("third")
    text = code.text()
    assert text.index("a = 3") < text.index("b = 2")
    assert "a = 1" not in text and "c = 4" not in text
    assert "model = embtools.load_model('bundled')  # revision abc" in text
    compile(text, "copied", "exec")


def test_modules_that_are_imported_meanwhile_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server imports other pages in a thread while a visitor opens the code."""

    class Growing(dict):
        """As sys.modules, and like it with a new module whenever somebody looks at its items one by one."""

        def items(self):
            for pair in super().items():
                self[f"embtools.new{len(self)}"] = None
                yield pair

        def copy(self):
            return dict(self)

    monkeypatch.setattr(share.sys, "modules", Growing(sys.modules))
    assert imports("print(groups.group_answers)", "bias") == {"from embtools.bias import groups"}


@pytest.mark.parametrize("page, tab", [(page.name, tab) for page in PAGES for tab in panels.of(page.name)])
def test_the_copied_code_prints_the_headline_of_every_tab(visit, page: str, tab: str) -> None:  # type: ignore[no-untyped-def]
    at = visit(page, **{f"{page}_tab": tab})
    if not at.charts or page == "paper":  # it waits for its button; Paper's figures are stored
        pytest.skip("nothing has been computed")
    headline = at.header[0].value.replace("\\", "")
    printed = [value for value in at.copied(cached.model()).printed if isinstance(value, str)]
    assert any(headline in text or text in headline for text in printed if len(text) > 20), (headline, printed)
