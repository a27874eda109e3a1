"""The choice of model in the menu's settings, the download of missing models, and loading."""

import threading
from dataclasses import dataclass

import streamlit as st
from cachetools import TTLCache

from embtools.models import network
from embtools.models.catalogue import BUNDLED, CATALOGUE
from embtools.ui import cached, options, state
from embtools.ui.fields import Choice, Text
from embtools.ui.texts import problem

NONE = ""
MODEL = Choice("model", BUNDLED, tuple(CATALOGUE))
_FAILED: TTLCache[str, str] = TTLCache(maxsize=16, ttl=600)
"""Why a model could not be loaded ("" if it can be again). It is tried again after ten minutes or by a button."""

AWAY = "The Hugging Face hub cannot be reached. Only models that are already on this server are offered."
_ALONE = threading.Lock()  # reading from a cache of cachetools changes it as well


def wanted(key: str) -> Choice:
    """Return a field for a model that was chosen but is not available yet."""
    return Choice(key, NONE, (NONE, *CATALOGUE))


@dataclass(frozen=True)
class Chooser:
    """A choice of model in two fields: `field` holds the model in use, `wanted` one that is not available yet.

    Menu, link and citation name the model in `field`. It only holds models that can be loaded, so that they always name
    the model that the page shows. `weights` holds its checksum. `meanwhile` says what happens while `field` names no
    model.
    """

    field: Choice
    wanted: Choice
    weights: Text
    meanwhile: str = ""

    def take(self, name: str) -> None:
        """Use the model that the visitor chose, or store it in `wanted` until it can be loaded."""
        if name not in CATALOGUE or _usable(name):
            state.put({self.field.key: name, self.wanted.key: NONE})
        else:
            state.put({self.wanted.key: name})

    def settle(self) -> None:
        """Move a model that is not available, such as one from a link, to `wanted`; call it before drawing."""
        name = self.field.value
        if name in CATALOGUE and not _usable(name):
            self.field.correct(self.field.default)
            self.wanted.correct(name)
        elif self.wanted.value == name != NONE:
            self.wanted.correct(NONE)

    def offer(self) -> None:
        """Say why the wanted model is not in use, and offer to download it, to try again or to use it."""
        name = self.wanted.value
        if not name:
            return
        slot = st.empty()
        with slot.container(border=True, key=f"offer-{self.field.key}"):
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
            self._fetch(name, slot)

    def _explain(self, name: str) -> tuple[str, str]:
        """Write why the model is not in use; returns the label and icon of the button that changes this."""
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
        if network.is_away():
            problem(AWAY)
        return f"Download {CATALOGUE[name].megabytes:,} MB", "download"

    def _fetch(self, name: str, slot: "st.delta_generator.DeltaGenerator") -> None:
        """Download the model if it is missing, then draw the page again with it, or with the reason for a failure."""
        from embtools.models.loading import fetch

        title = CATALOGUE[name].title
        _failed(name, "")
        try:
            if not _is_here(name):
                with slot.container(border=True, key=f"download-{self.field.key}"):
                    st.text(f"Downloading {title}. {described(name)}")
                    # Any other button on the page stops it too; the next download continues it.
                    st.button("Stop", icon=":material/stop:", key=f"download-stop-{name}")
                    bar = st.progress(0.0)

                def tell(done: float) -> None:
                    bar.progress(done, f"Downloading {title} … {done:.0%}")

                fetch(name, progress=tell)
            state.put({**state.replaced(), self.field.key: name, self.wanted.key: NONE})
        except ValueError as error:
            _failed(name, str(error))
        st.rerun()


FIRST = Chooser(MODEL, wanted("wanted"), state.weights())


def forget() -> None:
    """Forget which models could not be loaded, for tests."""
    with _ALONE:
        _FAILED.clear()


def _failed(name: str, reason: str | None = None) -> str:
    """Return why a model could not be loaded ("" if it could); a given reason is stored first, for all visitors."""
    with _ALONE:
        if reason is not None:
            _FAILED[name] = reason
        return _FAILED.get(name, "")


def _is_here(name: str) -> bool:
    from embtools.models.loading import is_here

    return is_here(name)


def _usable(name: str) -> bool:
    """Return whether a model can be loaded without a download, as far as is known."""
    return name == BUNDLED or (not _failed(name) and (cached.opened(name) or _is_here(name)))


def titles(*held: str) -> dict[str, str]:
    """Return the titles of the models that can be chosen now, by name; those that are held already stay."""
    offered = network.available()
    return {name: entry.title for name, entry in CATALOGUE.items() if name in offered or name in held}


def picker() -> None:
    """Draw the field for the model, with its size, licence and language."""
    options.choose(
        st.selectbox,
        "Model",
        MODEL.key,
        titles(MODEL.value),
        MODEL.value,
        FIRST.take,
        help="The larger models are downloaded from the Hugging Face hub when you first use them.",
    )
    st.caption(described(MODEL.value))
    if network.is_away():
        st.caption(AWAY)
    waiting(FIRST)


def waiting(chooser: Chooser) -> None:
    """Say below a picker that the model chosen last is not available yet."""
    if name := chooser.wanted.value:
        st.caption(f"{CATALOGUE[name].title} is not available yet. See the top of the page.")


def described(name: str) -> str:
    """Return size, licence, language and a note on a model; says if its weights may be missing."""
    chosen = CATALOGUE[name]
    doubt = (
        ""
        if chosen.confirmed
        else " Its weights may not be available as safetensors, the only format that this app reads."
    )
    reads = f"; reads {chosen.reads}" if chosen.reads else ""
    return f"{chosen.megabytes:,} MB, {chosen.licence}{reads}. {chosen.note}{doubt}"


def load(name: str) -> None:
    """Load a model if it is not in memory; if that fails, draw the page again without it."""
    try:
        cached.model(name)
    except ValueError as error:
        if name == BUNDLED:  # the server's log has the reason since its start
            problem(error)
            st.stop()
        _failed(name, str(error))
        st.rerun()
