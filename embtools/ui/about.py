"""The About page: what the app is, where to start, the model card, the licence, privacy, and the glossary."""

import re
from functools import cache
from html import escape
from pathlib import Path

import streamlit as st

import embtools
from embtools import settings
from embtools.ui import carried, citation, entry, figures, glossary, menu, page, state, visitors
from embtools.ui.fields import Text
from embtools.ui.home import foot

NAME = "about"
FIND = Text("about_find", most=60)
FIELDS = (FIND,)
_PACKAGE = Path(embtools.__file__).parent
_STARTS = (
    ("arithmetic", "Change one word and ask BERT again", "Five minutes. The controls show whether the effect is real."),
    ("layers", "See how context separates a word's senses", "Five minutes, no typing needed."),
    (
        "similarity",
        "Compare words, and colour words with colours",
        "Good for a class: bring your own words.",
    ),
    ("bias", "Measure prejudices, and try to remove them", "For a discussion about the limits of such models."),
    ("paper", "Check what articles claim about BERT", "For readers of the literature."),
)


def show() -> None:
    """Draw the page."""
    page.begin(NAME, FIELDS, title="About")
    page.head("About")
    carried.badge()
    page.caption(
        f"{citation.APP}, version {embtools.__version__}: change the [[embedding]] of a word inside [[BERT]], run the"
        " model again, and see what happens and whether it could be chance."
    )
    left, right = st.columns([3, 2], gap="large")
    with left:
        _what_it_is()
        _where_to_start()
    with right:
        _rules()
    _model_card()
    _words()
    state.follow()


def _what_it_is() -> None:
    st.header("What this is", anchor=False)
    st.markdown(
        "BERT is a language model from 2018. It is small enough to look inside, and today's large models work in a"
        " similar way: words become lists of numbers, and layers of attention mix them. Most tools only show these"
        " numbers. Here you can change them, and see how the model's answers change.\n\n"
        "A single example proves little. Most results are therefore shown with an interval or compared with *controls*:"
        " the same change made with a random or an unrelated word, or shuffled labels. If a control has the same"
        " effect, the effect is not due to what you changed."
    )


def _where_to_start() -> None:
    st.header("Where to start", anchor=False)
    links = state.links([name for name, _, _ in _STARTS], page.COMMON)
    for name, label, note in _STARTS:
        each = next(one for one in menu.PAGES if one.name == name)
        st.page_link(each.script, label=label, icon=each.icon, query_params=links[name])
        st.caption(note)


def _rules() -> None:
    st.header("Good to know", anchor=False)
    st.markdown(
        f"- **Code.** {_code()}\n"
        "- **Licence.** The app is free software under the [Apache License 2.0](https://www.apache.org/licenses/LICENSE-2.0)."
        " You may use, change and share it.\n"
        "- **Model card.** The card below says how the bundled model was made, how good it is and what it must not be"
        " used for.\n"
        "- **Citing.** *Link* on each page gives a citation line and a BibTeX entry with the version and the"
        " model's checksum.\n"
        "- **Library.** The computations of the pages are available as a Python library, `embtools`. *Python* on"
        " each page has the code.\n"
        "- **Security.** The file SECURITY.md in the source code says how to report a security problem."
    )
    foot.privacy()
    if links := visitors.links():
        st.html(f'<p class="foot">{links}</p>')
    if notice := _file(_PACKAGE.parent / "NOTICE"):
        with figures.expander("notice", "Sources of the model and the word lists") as opened:
            if opened:
                st.text(notice)


def _code() -> str:
    """Return where the source code is, as Markdown; a setting of the host names its address."""
    if link := settings.current().code_link:
        return f"[The source code of this server]({link}), in Python."
    return "The app is written in Python. Ask whoever runs this server for the source code."


def _model_card() -> None:
    st.header("The bundled model", anchor=False)
    st.text(
        "Pocket BERT comes with the app. Its card says how it was made, how good it is and what it must not be used"
        " for."
    )
    with figures.expander("card", "Model card", ":material/description:") as opened:
        if opened:
            st.markdown(model_card())


def _words() -> None:
    st.header("Glossary", anchor=False)
    entry.text_input("Find a term", placeholder="For example: attention", **FIND.widget)
    matches = terms(FIND.value)
    if not matches:
        st.text("No term and no definition contains these words. Try a shorter word.")
        return
    rows = "".join(f"<dt>{escape(term)}</dt><dd>{escape(meaning)}</dd>" for term, meaning in matches.items())
    st.html(f'<dl class="glossary">{rows}</dl>')


def terms(words: str) -> dict[str, str]:
    """Return the terms of the glossary that contain all these words, then those whose definitions do."""
    wanted = words.casefold().split()
    listed = glossary.definitions().items()
    named = {term: text for term, text in listed if all(word in term.casefold() for word in wanted)}
    return named | {term: text for term, text in listed if all(word in f"{term} {text}".casefold() for word in wanted)}


@cache
def model_card() -> str:
    """Return the card of the bundled model as Markdown for this page: without front matter, its headings one level
    lower, and links to files of the source code as text."""
    text = _file(_PACKAGE / "bundled" / "README.md")
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    text = re.sub(r"\[([^\]]+)\]\((?!https://)[^)]*\)", r"\1", text)
    return re.sub(r"^#", "##", text.strip(), flags=re.MULTILINE)


def _file(path: Path) -> str:
    """Return the text of a file, "" if there is none: an installed package lacks the files of the repository."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""
