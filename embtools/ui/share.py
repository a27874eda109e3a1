"""What stands under every figure and page: the table, downloads, a link that restores it, code that reproduces it."""

import ast
from collections.abc import Callable, Sequence
from urllib.parse import urlencode

import streamlit as st

from embtools.ui import cached

_HOMES = {
    **dict.fromkeys(("association", "directions", "likelihood", "mitigation", "published_tests"), "embtools.bias"),
    "counterfactual": "embtools.bias",
    "residual": "embtools.bias",
    "group_answers": "embtools.bias.groups",
    "lean_curve": "embtools.bias.groups",
    "permutations": "embtools.statistics",
    "wordlists": "embtools",
}


def snippet(code: Sequence[str]) -> str:
    """Lines for "copy as Python", with the imports of what they name in front."""
    body = "\n".join(code)
    named = {node.id for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name)}
    return "\n".join([*(f"from {home} import {name}" for name, home in _HOMES.items() if name in named), "", body])


@st.fragment
def footer(model: str, code: str | Callable[[], str]) -> None:
    """The link that restores what is shown, and the Python that reproduces its numbers.

    Both are renewed when they are opened: a widget inside a fragment changes what is shown without running the page.
    `code` is a function where such a widget has a say in it.
    """
    st.divider()
    with st.container(horizontal=True):
        place = st.popover("Copy link", icon=":material/link:", key="share-link", on_change="rerun")
        if place.open:
            with place:
                st.caption("Opens this page with everything you see, on any server of this app.")
                st.code(link(), language=None, wrap_lines=True)
        with st.popover("Copy as Python", icon=":material/code:", key="share-code", on_change="rerun"):
            st.caption("Reproduces the numbers shown, with this repository's library.")
            st.code(python(model, code if isinstance(code, str) else code()), language="python")


def link() -> str:
    """The address of this page with every bound widget that is not at its default."""
    query = urlencode(st.query_params.to_dict())
    return f"{st.context.url or ''}{'?' if query else ''}{query}"


def python(model: str, code: str) -> str:
    """A snippet that loads the model and runs `code`; the imports of all its parts stand at its head, each once."""
    revision = cached.model(model).revision
    note = f"  # revision {revision}" if revision else ""
    lines = code.strip().splitlines()
    imports = sorted({line for line in lines if line.startswith(("import ", "from "))})
    rest = "\n".join(line for line in lines if line not in imports).strip()
    return "\n".join(["import embtools", *imports, "", f"model = embtools.load_model({model!r}){note}", rest, ""])
