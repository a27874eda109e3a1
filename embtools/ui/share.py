"""The link that reopens a page, how to cite it, the Python that reproduces its numbers, and the page as files."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from embtools import settings
from embtools.messages import counted, visible
from embtools.ui import carried, citation, entry, figures, note, notebook, qr, report, state
from embtools.ui.call import Call
from embtools.ui.citation import Cited
from embtools.ui.fields import Text
from embtools.ui.recorded import Code
from embtools.ui.shown import Model

NOTE = Text("share-note", most=note.MOST)
"""The note that the visitor writes; no field of a page, because it belongs to the link alone."""

_NOTE_OF = "share-note-of"  # session key: what the page showed when the note was written
_HERE = Path(__file__).parent


@st.fragment
def tools(code: Code, warning: str = "") -> None:
    """Draw link and code, both updated when opened, because widgets in fragments change them without a full run;
    `warning` is about this link."""
    with st.container(horizontal=True, gap="small"):
        link = st.popover("Link", icon=":material/link:", key="share-link", on_change="rerun")
        python = st.popover("Python", icon=":material/code:", key="share-code", on_change="rerun")
    if link.open:
        with link:
            if warning:
                st.text(f"⚠ {warning}")
            _code_for_phones(_link())
            _citation(code)
    if python.open:
        with python:
            st.caption(
                "This code reproduces the numbers shown. It needs the library of this app. Once that is installed, you"
                " can run the code from any folder, for example in a notebook."
            )
            st.text(citation.installing(_code_link()).replace("`", ""))
            st.code("pip install .", language="bash")
            st.code(code.text(), language="python")
            _files(code)


@st.fragment
def link() -> None:
    """Draw the link alone, for pages that show no numbers of a model."""
    popover = st.popover("Link", icon=":material/link:", key="share-link", on_change="rerun")
    if popover.open:
        with popover:
            _code_for_phones(_link())


def received() -> None:
    """Draw the note of the link that was opened, until it is closed or the page shows something else."""
    if not state.note():
        return
    with st.container(key="link-note", border=True, gap="xsmall"):
        st.caption("A note from the person who made this link. It is not part of this app.")
        st.text(f"“{visible(state.note())}”")
        st.button(
            "Close the note", icon=":material/close:", key="link-note-close", type="tertiary", on_click=state.drop_note
        )


def _written_note() -> str:
    """Return the note that the visitor has written about what the page shows; "" if there is none."""
    return note.clean(str(NOTE.value)) if st.session_state.get(_NOTE_OF) == state.identity() else ""


def _noted(address: str) -> str:
    """Draw the field for a note, and return the link with the note."""
    if st.session_state.get(_NOTE_OF) != (now := state.identity()):
        st.session_state[NOTE.key], st.session_state[_NOTE_OF] = "", now
    if (allowed := NOTE.allowed(NOTE.value)) != NOTE.value:
        state.limit(NOTE.key, allowed, NOTE.limit(NOTE.value))
    entry.text_input(
        "Note",
        live=True,  # a note that is still being typed would not be part of the copied link
        placeholder="What should people notice?",
        help=f"Whoever opens the link reads it above the page, as plain text of at most {note.MOST} characters. It"
        " belongs to this view of the page: when you change a field, it is removed.",
        **NOTE.widget,
    )
    if not (text := _written_note()):
        return address
    query = "&".join(filter(None, (state.query(), urlencode(note.written(text), doseq=True))))
    if len(query) > state.MOST:
        st.text(f"⚠ The link does not contain the note, because an address has at most {state.MOST:,} characters.")
        return address
    link = f"{address.partition('?')[0]}?{query}"
    for_phones = qr.for_phones(link)
    if len(for_phones) > qr.MOST >= len(qr.for_phones(address)):
        over = counted(len(for_phones) - qr.MOST, "character")
        st.text(f"With this note, the link is {over} too long for a QR code.")
    return link


def _link() -> str:
    """Draw the link with all that is to be known about it, and return it."""
    address = _noted(_address())
    html, script = ((_HERE / f"copy_link.{kind}").read_text(encoding="utf-8") for kind in ("html", "js"))
    st.components.v2.component("copy-link", html=html, js=script)(key="copy-link", data=address)
    st.code(address, language=None, wrap_lines=True)
    if missing := state.too_long():
        st.text(
            f"⚠ This link does not contain {', '.join(missing)}, because an address has at most {state.MOST:,}"
            " characters. Send the file as well."
        )
        for key in missing:
            value = st.session_state[key]
            text = value if isinstance(value, str) else "\n".join(map(str, value))
            st.download_button(f"{key}.txt", text, f"{key}.txt", "text/plain", key=f"file-{key}", on_click="ignore")
    st.caption(
        "This link reopens the page on any server that runs this app, with the same model, tab, texts and settings. It"
        " also shows the results that you requested with a button; if one takes more than four seconds to compute, the"
        " page asks you first. The link does not store the zoom level of charts or the viewpoint of 3-D maps. It"
        " contains what you typed: anyone who has the link can read it, and a proxy or server along the way may log"
        " the address."
    )
    return address


def _code_for_phones(link: str) -> None:
    """Draw the QR code of the link, or say why there is none."""
    address = qr.for_phones(link)
    if not address:
        st.text(
            "There is no QR code, because phones cannot reach this app: it is available only on this computer. To get"
            " a code, start the app without --server.address on a computer that is connected to a network."
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


def _citation(code: Code) -> None:
    st.caption(
        "Use this to cite what you see. It names the app's version, the model (identified by the checksum of its"
        " weights), any edit carried over from another page, and the current state of the page."
    )
    for cited, language in zip(_citations(code), (None, "latex"), strict=True):
        st.code(cited, language=language, wrap_lines=True)


def _citations(code: Code) -> list[str]:
    """Return the citation as a line and for BibTeX."""
    cited, today = _cited(code), date.today()
    return [write(cited, _address(), today, _code_link()) for write in (citation.line, citation.bibtex)]


def _code_link() -> str:
    """The address of the source code, if the host names one."""
    return settings.current().code_link


def _cited(code: Code) -> list[Cited]:
    models: list[Cited] = [Model(name).compute(Call(citation.cited, name=name)) for name in code.models]
    return [replace(models[0], edits=carried.described(code.change))] if code.change.edits else models


def _files(code: Code) -> None:
    """Draw the buttons that save what the page shows as a Jupyter notebook, as tables and as an HTML file."""
    parts, install = code.parts(), citation.installing(_code_link())
    page = notebook.Page(code.title, _cited(code), _address(), code.loading(), parts, code.explanation, install)
    name, cited, tables = notebook.file_name(code.title), _citations(code), code.tables()
    reported = report.Page(code.title, _written_note(), parts, tables, cited, _address(), code.text(), install)
    with st.container(horizontal=True, gap="small"):
        st.download_button(
            "Jupyter notebook",
            lambda: notebook.written(page),  # written when somebody downloads it
            f"{name}.ipynb",
            "application/x-ipynb+json",
            key="share-notebook",
            on_click="ignore",
            icon=":material/download:",
            help="The headlines, captions and figures of this page with the code that computes them.",
        )
        st.download_button(
            "Report",
            lambda: report.written(reported),  # 5 MB, written when somebody downloads it
            f"{name}.html",
            "text/html",
            key="share-report",
            on_click="ignore",
            icon=":material/html:",
        )
        if tables:
            st.download_button(
                "All tables",
                lambda: figures.zipped({name: frame for name, (_, frame) in tables.items()}, cited[0]),
                f"{name}.zip",
                "application/zip",
                key="share-tables",
                on_click="ignore",
                icon=":material/folder_zip:",
                help="The numbers in the charts and tables that are shown, as CSV files in one zip file. To"
                " include the tables of a collapsed section, open it first.",
            )
    st.caption(
        "The report is one HTML file of about 5 MB. It opens in any browser, without network and without Python, and"
        " has the headlines, figures, tables and captions that are on screen, this code, the link and the citation."
    )
