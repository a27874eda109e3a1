"""The fields that choose the space in which a page shows vectors: raw, or processed in one of several ways."""

import streamlit as st

from embtools.spaces.space import (
    AS_IS,
    BY_CLUSTER,
    CENTRED,
    CONCEPTOR,
    KINDS,
    RAW,
    TOP,
    WHITENED,
    ZSCORED,
    Space,
)
from embtools.ui import glossary, state
from embtools.ui.fields import Choice, Field, Number
from embtools.ui.shown import Models

_TERMS = {
    CENTRED: "centre",
    ZSCORED: "z-score",
    TOP: "all-but-the-top",
    WHITENED: "whitening",
    CONCEPTOR: "conceptor negation",
    BY_CLUSTER: "all-but-the-top by cluster",
}
_SHORT = {CONCEPTOR: "conceptor", BY_CLUSTER: "by-cluster"}
_KEYS = {_SHORT.get(kind, kind): kind for kind in KINDS}  # for addresses


class Spaces:
    """The fields of one page; `default` is the kind of space at the start."""

    def __init__(self, page: str, default: str = RAW) -> None:
        self.page = page
        self.kind = Choice(f"{page}_space", default, _KEYS)
        self.components = Number(f"{page}_space_k", 3, 1, 50, 1)
        self.shrinkage = Number(f"{page}_space_shrinkage", 0.0, 0.0, 1.0, 0.01)
        self.aperture = Number(f"{page}_space_aperture", 0.5, 0.1, 5.0, 0.1)
        self.clusters = Number(f"{page}_space_clusters", 10, 2, 30, 1)

    @property
    def fields(self) -> tuple[Field, ...]:
        """All fields, for the panel's FIELDS."""
        return self.kind, self.components, self.shrinkage, self.aperture, self.clusters

    @property
    def value(self) -> Space:
        """The chosen space."""
        return Space(
            self.kind.value,
            int(self.components.value),
            float(self.shrinkage.value),
            float(self.aperture.value),
            int(self.clusters.value),
        )

    def caption(self, *, possible: bool = True) -> str:
        """Return the space for the caption of a saved chart; raw if another one is not possible."""
        return f"space: {(self.value if possible else AS_IS).says}"

    def link(self, space: Space) -> dict[str, str]:
        """Return the URL parameters for a space on this page."""
        values = (space.kind, space.components, space.shrinkage, space.aperture, space.clusters)
        return {field.key: field.write(value)[0] for field, value in zip(self.fields, values, strict=True)}

    def choose(self, *, disabled: bool = False, without: tuple[str, ...] = ()) -> None:
        """Draw the field for the kind of space, `without` those that are not available here."""
        kinds = tuple(kind for kind in KINDS if kind not in without)
        meanings = " ".join(f"{kind}: {glossary.definition(_TERMS[kind])}" for kind in kinds if kind in _TERMS)
        st.selectbox("Space", help=meanings, disabled=disabled, **self.kind.among(kinds))

    def numbers(self) -> None:
        """Draw the sliders of the chosen kind, if it has any."""
        kind = self.kind.value
        if kind in (TOP, BY_CLUSTER):
            st.slider(
                "Directions removed",
                help="The number of principal components that are removed, the strongest first."
                f" {glossary.definition('principal component')}",
                **self.components.widget,
            )
        if kind == BY_CLUSTER:
            st.slider("Clusters", help=glossary.definition("k-means"), **self.clusters.widget)
        if kind == WHITENED:
            st.slider("Shrinkage", help=glossary.definition("shrinkage"), **self.shrinkage.widget)
        if kind == CONCEPTOR:
            st.slider("Aperture", help=glossary.definition("aperture"), **self.aperture.widget)

    def show(self, *, disabled: bool = False, without: tuple[str, ...] = ()) -> None:
        """Draw the field and the sliders below each other, for an expander."""
        self.choose(disabled=disabled, without=without)
        if not disabled:
            self.numbers()

    def within(self, models: Models, *, possible: bool = True) -> Models:
        """Return the models in the chosen space if that is `possible`."""
        return tuple(model.within(self.value) for model in models) if possible else models

    def badge(
        self,
        *,
        possible: bool = True,
        fitted: str = "the whole vocabulary",
        otherwise: str = "Only static embeddings can be shown in another space here.",
        still_raw: str = "",  # content next to the chart that is not processed, such as "The sentences are"
    ) -> None:
        """Say in which space a chart is drawn, with a button that returns to raw vectors, or why it is still raw."""
        space = self.value
        if space == AS_IS:
            return
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if possible:
                st.badge(f"Space: {space.says}", icon=":material/blur_on:", color="orange")
                rest = f" {still_raw} raw." if still_raw else ""
                st.caption(f"Fitted to {fitted}.{rest}", width="content")
            else:
                st.badge("Space: raw", icon=":material/blur_on:", color="orange")
                st.caption(otherwise, width="content")
            st.button(
                "Use raw vectors",
                key=f"{self.page}-space-raw",
                type="tertiary",
                on_click=state.put,
                args=({self.kind.key: RAW},),
            )
