"""The link that reopens a page, how to cite it, and the Python that reproduces its numbers."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

import streamlit as st

from embtools.spaces.space import AS_IS
from embtools.ui import cached, citation, qr, state
from embtools.ui.call import Call, source
from embtools.ui.shown import Model

_OTHER = "other_"  # begins the variables of the second model's results
_CODE = "page-code"  # session key of the code of the page
_SPACES = {"from embtools.spaces.of_model import in_space", "from embtools.spaces.space import Space"}
BOTH = "both-"
"""Prefix of the names of parts about two models."""


class Code:
    """The Python of a page in named parts, each written where its numbers are drawn.

    If a fragment draws its numbers again, it overwrites its part.
    """

    def __init__(self, model: str) -> None:
        self.model = model
        self._parts: dict[str, str] = {}
        self._imports: dict[str, set[str]] = {}  # the lines that each part needs
        self._runs: dict[str, tuple[str, int]] = {}  # the run of the fragment that wrote each part
        self._second = ""

    def drop(self, part: str) -> None:
        """Remove a part that is no longer shown."""
        self._parts.pop(part, None)

    def record(self, name: str, asked: Sequence[tuple[Call, Model]], prints: Sequence[str]) -> None:
        """Write a query for each of its models: `name = function(…)`, and lines that print parts of the result.

        For `prints` see `running.ask`.
        """
        lines, needed = [], set[str]()
        for query, model in asked:
            variable, result = ("model", name) if model.name == self.model else ("other", f"{_OTHER}{name}")
            if variable == "other":
                self._second = model.name
            if query.takes_model and model.space != AS_IS:
                lines.append(f"{variable}_in_space = in_space({variable}, space={model.space.code})")
                variable = f"{variable}_in_space"
                needed |= _SPACES
            lines.append(f"{result} = {query.python(variable)}")
            needed |= query.imports
            lines += [f"print({_printed(result, part)})" for part in prints]
        part = name if any(model.name == self.model for _, model in asked) else f"{BOTH}{name}"
        self._put(part, lines, needed)

    def say(self, function: Callable[..., str], name: str, arguments: Sequence[Any], titles: Any, parts: str) -> None:
        """Write the line that prints a sentence about the results of both models."""
        results = [f"{result}.{parts}" if parts else result for result in (name, f"{_OTHER}{name}")]
        call = f"{function.__name__}({', '.join([*results, *map(source, arguments), repr(titles)])})"
        needed = {f"from {function.__module__} import {function.__name__}"}
        self._put(f"{BOTH}{name}-{function.__name__}", [f"print({call})"], needed)

    def _put(self, part: str, lines: Sequence[str], needed: set[str]) -> None:
        self._parts[part], self._imports[part] = "\n".join(lines), needed
        self._runs[part] = state.fragment_run()

    def _current(self) -> dict[str, str]:
        """The parts that are still shown: a fragment that ran again has replaced all parts of its run before."""
        return {part: text for part, text in self._parts.items() if state.is_latest(self._runs[part])}

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models whose numbers are shown: the model in use, and the second model if there is one."""
        parts = self._current().items()
        compared = any(part.startswith(BOTH) or f"\n{_OTHER}" in text for part, text in parts)
        return (self.model, self._second) if compared else (self.model,)

    def text(self) -> str:
        """Return the whole code: imports, the model, and the parts in the order in which they were first written."""
        parts = self._current()
        needed = {"import embtools", "import pandas as pd"}.union(*(self._imports[part] for part in parts))
        revision = cached.model(self.model).revision
        note = f"  # revision {revision}" if revision else ""
        compared = any(_OTHER in text for text in parts.values())
        other = [f"other = embtools.load_model({self._second!r})"] if self._second and compared else []
        return "\n".join(
            [
                *sorted(needed, key=_order),
                "",
                'pd.set_option("display.width", None, "display.max_columns", None, "display.max_rows", None)',
                'pd.set_option("display.max_colwidth", None)',
                f"model = embtools.load_model({self.model!r}){note}",
                *other,
                "",
                "\n\n".join(parts.values()),
                "",
            ]
        )


def begin(model: str) -> Code:
    """Begin the code of a page; its panels and fragments find it as `current`."""
    code = st.session_state[_CODE] = Code(model)
    return code


def current() -> Code:
    """Return the code of the page that is being drawn."""
    code: Code = st.session_state[_CODE]
    return code


def _printed(result: str, part: str) -> str:
    """Return the expression of a part of a result; see `running.ask`.

    >>> _printed("answer", "frame"), _printed("answer", "[0]"), _printed("answer", "")
    ('answer.frame', 'answer[0]', 'answer')
    """
    return f"{result}.{part}" if part and not part.startswith("[") else f"{result}{part}"


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
            _code_for_phones(_address())
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
        " also reopens the results that you started with a button; before a result that takes more than four seconds,"
        " the page asks first. The link does not contain the zoom of charts or the view of 3-D maps. It contains what"
        " you typed: anyone who has the link can read that, and a proxy or server on the way may log the address."
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


def _code_for_phones(link: str) -> None:
    """Draw the QR code of the link, or say why there is none."""
    address = qr.for_phones(link)
    if not address:
        st.text(
            "There is no QR code, because phones cannot reach this app: it answers only on this computer. Start it"
            " without --server.address on a computer that is connected to a network."
        )
    elif len(address) > qr.MOST:
        st.text(
            f"There is no QR code, because this link has {len(address):,} characters. From the back of a room, phones"
            f" can read a code of at most {qr.MOST}. Copy the link above and send it, or open a room: phones then get"
            " this page with a short code."
        )
    else:
        st.html(qr.picture(address, f"QR code of this link: {address}"))
        if address == link:
            st.caption("Point a phone's camera at the code to open this page. The code contains only the link above.")
        else:
            st.caption(
                "Point a phone's camera at the code to open this page. The app runs on this computer, so the code"
                " contains the computer's address in its network. Only phones in the same network can open it:"
            )
            st.code(address, language=None, wrap_lines=True)


def _address() -> str:
    query = state.query()
    return f"{st.context.url or ''}{'?' if query else ''}{query}"


def _citation(models: tuple[str, ...]) -> None:
    st.caption(
        "Use this to cite what you see. It names the app's version, the model (identified by the checksum of its"
        " weights) and the current state of the page."
    )
    named = [Model(name).compute(Call(citation.cited, name=name)) for name in models]
    for write, language in ((citation.line, None), (citation.bibtex, "latex")):
        st.code(write(named, _address(), date.today()), language=language, wrap_lines=True)
