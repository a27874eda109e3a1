"""The link that reopens a page, how to cite it, and the Python that reproduces its numbers."""

import ast
import builtins
import sys
from datetime import date
from pathlib import Path
from types import ModuleType

import streamlit as st

from embtools.ui import cached, citation, state

_STANDARD = {
    "np": "import numpy as np",
    "pd": "import pandas as pd",
    "replace": "from dataclasses import replace",
}
_SCREENS = Path(__file__).parent
BOTH = "both-"
"""Prefix of the names of parts about two models."""
_GIVEN = {"embtools", "model", *dir(builtins)}


class Code:
    """The Python of a page in named parts, each written where its numbers are drawn.

    If a fragment draws its numbers again, it overwrites its part. The parts use functions and modules of the page's
    packages and of lower packages without importing them; the imports are found by the names.
    """

    def __init__(self, idea: str, model: str) -> None:
        self.idea, self.model = idea, model
        self._parts: dict[str, str] = {}
        self._second = ""

    def add(self, part: str, *lines: str) -> None:
        """Write a part of the code."""
        self._parts[part] = "\n".join(lines)

    def drop(self, part: str) -> None:
        """Remove a part that is no longer shown."""
        self._parts.pop(part, None)

    def compare(self, second: str, part: str, *lines: str) -> None:
        """Write a part about a second model."""
        self._second = second
        self.add(part, *lines)

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models whose numbers are shown: the model in use, and the second model if there is one."""
        compared = any(part.startswith(BOTH) for part in self._parts)
        return (self.model, self._second) if compared else (self.model,)

    def text(self) -> str:
        """Return the whole code: imports, the model, and the parts in the order in which they were first written."""
        body = "\n\n".join(part for part in self._parts.values() if part.strip())
        revision = cached.model(self.model).revision
        note = f"  # revision {revision}" if revision else ""
        return "\n".join(
            [
                *sorted({"import embtools", "import pandas as pd", *imports(body, self.idea)}, key=_order),
                "",
                'pd.set_option("display.width", None, "display.max_columns", None, "display.max_rows", None)',
                'pd.set_option("display.max_colwidth", None)',
                f"model = embtools.load_model({self.model!r}){note}",
                "",
                body,
                "",
            ]
        )


def imports(code: str, idea: str) -> set[str]:
    """Return the import lines that code needs for the names it uses and does not define.

    A lower-case name that is used like `name.part` is a module; any other name is a function or class. Raises
    LookupError for a name that is neither in the idea's package nor in a lower one.
    """
    tree = ast.parse(code)
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    made = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    modules = {
        node.value.id for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    } - {node.id for node in names if node.id[0].isupper()}
    used = {node.id for node in names} - made - _GIVEN
    return {_STANDARD.get(name) or _import(name, idea, module=name in modules) for name in used}


def _import(name: str, idea: str, *, module: bool) -> str:
    loaded = {key: m for key, m in sys.modules.copy().items() if key.startswith("embtools.")}
    own = {key: m for key, m in loaded.items() if key.startswith(f"embtools.{idea}.")}
    for part in (own, {key: m for key, m in loaded.items() if _is_floor(key)}):
        homes = [key for key, m in part.items() if (_is(key, name) if module else _has(m, name))]
        if len(homes) == 1:
            home = homes[0].rpartition(".")[0] if module else homes[0]
            return f"from {home} import {name}"
    raise LookupError(f"{name} is not defined in exactly one module of embtools.")


def _is_floor(module: str) -> bool:
    """Return whether a module is in a package below the ideas; modules of other ideas must not be used."""
    part = module.split(".")[1]
    return part not in ("ui", "charts") and not (_SCREENS / part).is_dir()


def _is(module: str, name: str) -> bool:
    return module.rpartition(".")[2] == name


def _has(module: ModuleType, name: str) -> bool:
    return getattr(vars(module).get(name), "__module__", None) == module.__name__


def _order(line: str) -> tuple[bool, str]:
    return line.startswith("from "), line


@st.fragment
def tools(code: Code) -> None:
    """Draw link and code; both are updated when opened, because widgets in fragments change them without a full run."""
    with st.container(horizontal=True, gap="small"):
        link = st.popover("Link", icon=":material/link:", key="share-link", on_change="rerun")
        python = st.popover("Python", icon=":material/code:", key="share-code", on_change="rerun")
    if link.open:
        with link:
            _link()
            _citation(code.models)
    if python.open:
        with python:
            st.caption(
                "This code reproduces the numbers shown. It needs the library of this app: clone the app's repository"
                " and run the line below in the clone. Then you can run the code from any folder, for example"
                " in a notebook."
            )
            st.code("pip install .", language="bash")
            st.code(code.text(), language="python")


def _link() -> None:
    st.caption(
        "This link reopens the page on any server that runs this app, with the same model, tab, texts and settings. It"
        " does not contain results that you started with a button (press the button again), the zoom of charts or the"
        " view of 3-D maps. It contains what you typed: anyone who has the link can read that, and a proxy or server"
        " on the way may log the address."
    )
    st.code(_address(), language=None, wrap_lines=True)
    if missing := state.too_long():
        st.text(
            f"⚠ This link does not contain {', '.join(missing)}, because an address has at most {state.MOST:,}"
            " characters. Send the file as well."
        )
        for key in missing:
            text = (
                "\n".join(map(str, st.session_state[key]))
                if not isinstance(st.session_state[key], str)
                else (st.session_state[key])
            )
            st.download_button(f"{key}.txt", text, f"{key}.txt", "text/plain", key=f"file-{key}", on_click="ignore")


def _address() -> str:
    query = state.query()
    return f"{st.context.url or ''}{'?' if query else ''}{query}"


def _citation(models: tuple[str, ...]) -> None:
    st.caption(
        "Use this to cite what you see. It names the app's version, the model (identified by the checksum of its"
        " weights) and the current state of the page."
    )
    named = [cached.compute(citation.cited, name, name) for name in models]
    for write, language in ((citation.line, None), (citation.bibtex, "latex")):
        st.code(write(named, _address(), date.today()), language=language, wrap_lines=True)
