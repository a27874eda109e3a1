"""The fields that say in which space a page looks at vectors: raw unless somebody chooses otherwise."""

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
from embtools.ui.cached import InSpace
from embtools.ui.fields import Choice, Field, Number
from embtools.ui.share import Code

_TERMS = {
    CENTRED: "centre",
    ZSCORED: "z-score",
    TOP: "all-but-the-top",
    WHITENED: "whitening",
    CONCEPTOR: "conceptor negation",
    BY_CLUSTER: "all-but-the-top by cluster",
}


def option(space: Space) -> str:
    """The last argument of a call that asks in a space, as Python; nothing where vectors are raw."""
    return "" if space == AS_IS else f", space={space.code}"


class Spaces:
    """The fields of one page; `default` is the kind that it begins with."""

    def __init__(self, page: str, default: str = RAW) -> None:
        self.page = page
        self.kind = Choice(f"{page}_space", default, KINDS)
        self.components = Number(f"{page}_space_k", 3, 1, 50, 1)
        self.shrinkage = Number(f"{page}_space_shrinkage", 0.0, 0.0, 1.0, 0.01)
        self.aperture = Number(f"{page}_space_aperture", 0.5, 0.1, 5.0, 0.1)
        self.clusters = Number(f"{page}_space_clusters", 10, 2, 30, 1)

    @property
    def fields(self) -> tuple[Field, ...]:
        """All of them, for the panel's FIELDS."""
        return self.kind, self.components, self.shrinkage, self.aperture, self.clusters

    @property
    def value(self) -> Space:
        """The space that the fields ask for."""
        return Space(
            self.kind.value,
            int(self.components.value),
            float(self.shrinkage.value),
            float(self.aperture.value),
            int(self.clusters.value),
        )

    def link(self, space: Space) -> dict[str, str]:
        """The parameters of an address that asks for a space on this page."""
        values = (space.kind, space.components, space.shrinkage, space.aperture, space.clusters)
        return {field.key: field.write(value)[0] for field, value in zip(self.fields, values, strict=True)}

    def choose(self, *, disabled: bool = False, without: tuple[str, ...] = ()) -> None:
        """The field for the kind, `without` those that cannot be had here."""
        kinds = tuple(kind for kind in KINDS if kind not in without)
        meanings = " ".join(f"{kind}: {glossary.definition(_TERMS[kind])}" for kind in kinds if kind in _TERMS)
        st.selectbox("Space", help=meanings, disabled=disabled, **self.kind.among(kinds))

    def numbers(self) -> None:
        """The sliders of the kind that is chosen; none for some."""
        kind = self.kind.value
        if kind in (TOP, BY_CLUSTER):
            st.slider(
                "Directions taken away", help=glossary.definition("principal component"), **self.components.widget
            )
        if kind == BY_CLUSTER:
            st.slider("Clusters", help=glossary.definition("k-means"), **self.clusters.widget)
        if kind == WHITENED:
            st.slider("Shrinkage", help=glossary.definition("shrinkage"), **self.shrinkage.widget)
        if kind == CONCEPTOR:
            st.slider("Aperture", help=glossary.definition("aperture"), **self.aperture.widget)

    def show(self, *, disabled: bool = False, without: tuple[str, ...] = ()) -> None:
        """The field and the sliders, one below the other, for a fold."""
        self.choose(disabled=disabled, without=without)
        if not disabled:
            self.numbers()

    def seen(self, model: str, code: Code, *, possible: bool = True) -> str:
        """The model as it is looked at, in the chosen space where that is `possible`; the Python begins with it."""
        space = self.value if possible else AS_IS
        if space == AS_IS:
            code.drop("space")
            return model
        code.add("space", f"model = in_space(model, {space.code})")
        return InSpace(model, space)

    def badge(
        self,
        *,
        possible: bool = True,
        fitted: str = "the whole vocabulary",
        otherwise: str = "Static embeddings alone are shown in another space here.",
        still_raw: str = "",
    ) -> None:
        """Beside a picture that is not raw: in which space it is drawn, and the way back; or why it is raw.

        still_raw: what stands beside it and is not processed.
        """
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
                "Back to raw",
                key=f"{self.page}-space-raw",
                type="tertiary",
                on_click=state.put,
                args=({self.kind.key: RAW},),
            )
