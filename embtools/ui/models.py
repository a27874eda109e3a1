"""The models that answer: chosen in the menu's settings, offered for download where they are missing, loaded once."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st
from cachetools import TTLCache

from embtools.models.catalogue import BUNDLED, CATALOGUE
from embtools.ui import cached, options, state
from embtools.ui.fields import Choice
from embtools.ui.texts import problem

NONE = ""
MODEL = Choice("model", BUNDLED, tuple(CATALOGUE))
_FAILED: TTLCache[str, str] = TTLCache(maxsize=16, ttl=600)
"""Why a model could not be loaded, "" where that is over. After ten minutes, or on a press, it is tried again."""

_ALONE = threading.Lock()  # reading from a cache of cachetools changes it, too


def wanted(key: str) -> Choice:
    """A field for a model that was chosen but cannot answer yet."""
    return Choice(key, NONE, (NONE, *CATALOGUE))


@dataclass(frozen=True)
class Chooser:
    """A choice of model in two fields: `field` holds the model that answers, `wanted` one that cannot answer yet.

    Menu, link and citation name the model in `field`, so it holds a model only while that can be loaded: what they
    name is always what the page shows. `meanwhile` says what happens while `field` names no model.
    """

    field: Choice
    wanted: Choice
    meanwhile: str = ""

    def take(self, name: str) -> None:
        """Use the model that the visitor chose, or keep it as wanted until it can be loaded."""
        if name not in CATALOGUE or _usable(name):
            state.put({self.field.key: name, self.wanted.key: NONE})
        else:
            state.put({self.wanted.key: name})

    def settle(self) -> None:
        """Before anything is drawn: move a model that cannot answer, such as one from a link, to `wanted`."""
        name = self.field.value
        if name in CATALOGUE and not _usable(name):
            self.field.mend(self.field.default)
            self.wanted.mend(name)
        elif self.wanted.value == name != NONE:
            self.wanted.mend(NONE)

    def offer(self) -> None:
        """Say why the wanted model does not answer, and offer to download it, to try again or to use it."""
        name = self.wanted.value
        if not name:
            return
        place = st.empty()
        with place.container(border=True, key=f"offer-{self.field.key}"):
            action, icon = self._explain(name)
            with st.container(horizontal=True, gap="small"):
                pressed = st.button(
                    action, icon=f":material/{icon}:", type="primary", key=f"fetch-{self.wanted.key}-{name}"
                )
                st.button(
                    "Not now",
                    type="tertiary",
                    key=f"leave-{self.wanted.key}",
                    on_click=state.put,
                    args=({self.wanted.key: NONE},),
                )
        if pressed:
            self._fetch(name, place)

    def _explain(self, name: str) -> tuple[str, str]:
        """Write why the model does not answer yet; returns the label and icon of the button that changes that."""
        title, answers = CATALOGUE[name].title, CATALOGUE.get(self.field.value)
        meanwhile = f"Until then {answers.title} answers." if answers else self.meanwhile
        if reason := _failed(name):
            problem(reason)
            st.text(meanwhile)
            return "Try again", "refresh"
        if _is_here(name):
            st.text(f"{title} is on this server and can be used. {meanwhile}")
            return f"Use {title}", "check"
        st.text(f"{title} is not on this server yet. {described(name)} {meanwhile}")
        return f"Download {CATALOGUE[name].megabytes:,} MB", "download"

    def _fetch(self, name: str, place: "st.delta_generator.DeltaGenerator") -> None:
        """Download the model if it is missing, then draw the page again with it, or with the reason why that failed.

        Any press on the page stops the download; the next one continues it.
        """
        from embtools.models.loading import fetch

        title = CATALOGUE[name].title
        _failed(name, "")
        try:
            if not _is_here(name):
                with place.container(border=True, key=f"download-{self.field.key}"):
                    st.text(f"Downloading {title}. {described(name)}")
                    st.button("Stop", icon=":material/stop:", key=f"download-stop-{name}")
                    bar = st.progress(0.0)

                def tell(done: float) -> None:
                    bar.progress(done, f"Downloading {title} … {done:.0%}")

                fetch(name, tell)
            state.put({self.field.key: name, self.wanted.key: NONE})
        except ValueError as error:
            _failed(name, str(error))
        st.rerun()


FIRST = Chooser(MODEL, wanted("wanted"))


def forget() -> None:
    """Forget what could not be loaded: for tests."""
    with _ALONE:
        _FAILED.clear()


def _failed(name: str, reason: str | None = None) -> str:
    """Why a model could not be loaded, "" where it could; with a reason, remember that one for all visitors."""
    with _ALONE:
        if reason is not None:
            _FAILED[name] = reason
        return _FAILED.get(name, "")


def _is_here(name: str) -> bool:
    from embtools.models.loading import is_here

    return is_here(name)


def _usable(name: str) -> bool:
    """Whether a model can be loaded without a download, as far as is known."""
    return name == BUNDLED or (not _failed(name) and (cached.opened(name) or _is_here(name)))


def picker() -> None:
    """The field for the model, with its size, licence and language."""
    options.choose(
        st.selectbox,
        "Model",
        MODEL.key,
        {name: entry.title for name, entry in CATALOGUE.items()},
        MODEL.value,
        FIRST.take,
        help="Larger models are downloaded from the Hugging Face hub at first use.",
    )
    st.caption(described(MODEL.value))
    waiting(FIRST)


def waiting(chooser: Chooser) -> None:
    """Say below a picker that the model chosen last does not answer yet."""
    if name := chooser.wanted.value:
        st.caption(f"{CATALOGUE[name].title} cannot answer yet: see the top of the page.")


def described(name: str) -> str:
    """Size, licence and a word on the use of a model; says when its weights may be missing."""
    chosen = CATALOGUE[name]
    doubt = "" if chosen.confirmed else " Its weights may be missing as safetensors, the only format read here."
    return f"{chosen.megabytes:,} MB, {chosen.licence}; reads {chosen.reads}. {chosen.note}{doubt}"


def load(name: str, before: Callable[[], None] = lambda: None) -> None:
    """Load a model if it is not in memory; where that fails, draw the page again without it.

    `before` is called when the loading begins.
    """
    try:
        before()
        cached.model(name)
    except ValueError as error:
        if name == BUNDLED:
            raise
        _failed(name, str(error))
        st.rerun()
