"""The list of promised addresses, addresses.json: what each address shows, and the command that updates it.

After adding a page, tab, field, option, expander or button, run

    python -m tests.promised

and check what has changed in tests/ui/addresses.json. New lines are welcome. A line that is changed or removed breaks
links that people have saved.
"""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from embtools.ui import long_work, menu, panels, running, warm
from embtools.ui import page as ui_page
from embtools.ui.fields import Choice, Field, Number
from tests.address import EVERY, PROMISED
from tests.visit import Visit

ROOT = Path(__file__).parents[1]
PAGES = ("", *(page.name for page in menu.PAGES), menu.ABOUT)
BEGINNING = 70  # characters of a headline
_LONG = 200  # characters of a default; of longer ones the list has the beginning and a checksum

TABLE = "As a table"
# Calls whose first text is a name in addresses (`open=…` or `run=…`) and whose second is the label next to it.
NAMED = {
    "long_work.requested": "run",
    "long_work.may_begin": "run",
    "whole_corpus.may_search": "run",
    "_work": "run",
    "figures.expander": "open",
    "state.expander": "open",
}


def tabs(page: str) -> tuple[str, ...]:
    """The keys of a page's tabs; ("",) for a page without tabs."""
    return tuple(panels.of(page)) or ("",)


def opened(page: str, tab: str = "", *, results: bool = True) -> Visit:
    """The page with its tables, and with a button instead of every result that can have one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(long_work, "AT_ONCE", -1.0)
        patch.setattr(running, "known", lambda *_: False)
        if not results:
            patch.setattr(ui_page, "draw", lambda *_: None)
        return Visit(page, **{f"{page}_tab": tab} if tab else {})


def shows(at: Visit) -> str:
    """The beginning of the headline with # for each number, or the buttons that wait."""
    headlines = [header.value.replace("\\", "") for header in at.header]
    buttons = [button.label for button in at.button if (button.key or "").startswith("requested-")]
    text = headlines[0] if headlines else f"[{'] ['.join(buttons)}]" if buttons else ""
    return re.sub(r"\d+([.,]\d+)*", "#", text)[:BEGINNING]


def fields(at: Visit) -> dict[str, dict[str, Any]]:
    """The fields of a page by key, with their defaults, and with the keys of options or the range of numbers."""
    return {key: _field(field) for key, field in at.session_state["state-fields"].items()}


def _field(field: Field) -> dict[str, Any]:
    written = field.write(field.default)
    parts = [part if len(part) <= _LONG else f"{part[:40]}… {crc32(part.encode()):08x}" for part in written]
    described: dict[str, Any] = {"default": parts[0] if len(parts) == 1 else parts}
    if isinstance(field, Choice) and field.keys:
        described["options"] = [key for key, _ in field.keys]
    if isinstance(field, Number):
        described["range"] = [field.low, field.high]
    return described


def names(folder: Path) -> dict[str, dict[str, str]]:
    """The names in `run=…` and `open=…` that the source of these panels has: name → label, with {} for what varies."""
    found: dict[str, dict[str, str]] = {"run": {}, "open": {}}
    for path in sorted(folder.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        constants = dict(_assigned(tree))
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef):
                local = constants | dict(_assigned(function))
                for call in ast.walk(function):
                    for kind, name, label in _named(call, local):
                        if name.strip("{}"):
                            found[kind][name] = label
    return {kind: dict(sorted(each.items())) for kind, each in found.items()}


def _named(call: ast.AST, assigned: dict[str, ast.expr]) -> Iterator[tuple[str, str, str]]:
    """The name that a call gives to an expander, a table or a button: "run" or "open", the name and its label."""
    if not isinstance(call, ast.Call):
        return
    function, texts = ast.unparse(call.func), [_text(part, assigned) for part in call.args]
    if function in NAMED and len(texts) > 1:
        yield NAMED[function], texts[0], texts[1]
    elif function == "figures.as_table":
        yield "open", texts[1], (*texts, TABLE)[2]
    elif function == "figures.show":
        yield from (("open", _text(each.value, assigned), TABLE) for each in call.keywords if each.arg == "name")


def _assigned(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The names that a module or function assigns, each with its value."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = zip(target.elts, node.value.elts, strict=False)
            else:
                pairs = zip([target], [node.value], strict=True)
            yield from ((one.id, value) for one, value in pairs if isinstance(one, ast.Name))


def _text(node: ast.expr, assigned: dict[str, ast.expr]) -> str:
    """A constant text, with {} for each value that is not one."""
    if isinstance(node, ast.Name) and node.id in assigned:
        return _text(assigned[node.id], {})
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return "{}"


def current() -> dict[str, Any]:
    """What all addresses show now, in the form of the list."""
    listed: dict[str, Any] = {}
    for page in PAGES:
        listed[page] = {"shows": {tab: shows(opened(page, tab)) for tab in tabs(page)}, **of_page(page)}
    return {EVERY: of_page(EVERY), **listed}


def of_page(page: str) -> dict[str, dict[str, Any]]:
    """The names and the fields of a page without those of every page, or those of every page."""
    if page == EVERY:
        parts = [names(ROOT / "embtools/ui" / part) for part in ("", "rooms")]
        every = {kind: parts[0][kind] | parts[1][kind] for kind in parts[0]}
        return every | {"fields": {key: field for key, field in fields(opened("about")).items() if key in common()}}
    own = fields(opened(page, results=False))
    named = names(ROOT / "embtools/ui" / page) if page else {"run": {}, "open": {}}
    return named | {"fields": {key: field for key, field in own.items() if key not in common()}}


def common() -> set[str]:
    """The keys of the fields that every page has."""
    own = (*ui_page.COMMON, *(chooser.weights for chooser in ui_page.MODELS))
    return {"open", "run", *(field.key for field in own)}


def written(listed: dict[str, Any]) -> str:
    """The list as JSON with one line for each promise."""

    def lines(value: Any, depth: int) -> str:
        if depth == 3 or not isinstance(value, dict) or not value:
            return json.dumps(value, ensure_ascii=False)
        inside = ",\n".join(
            f"{' ' * (depth + 1)}{json.dumps(key)}: {lines(each, depth + 1)}" for key, each in value.items()
        )
        return f"{{\n{inside}\n{' ' * depth}}}"

    return lines(listed, 0) + "\n"


if __name__ == "__main__":
    warm.visited = lambda pages: None
    PROMISED.write_text(written(current()), encoding="utf-8")
