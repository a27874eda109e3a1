"""The first sight of the Layers page: what was found, and the occurrences as points that move through the layers."""

import streamlit as st

from embtools.charts.layers import trajectories as charts
from embtools.layers import senses, trajectories, verdict
from embtools.layers.trajectories import Trajectories
from embtools.ui import cached, figures, page
from embtools.ui.layers import asking, player
from embtools.ui.layers.asking import Compared

LUCK = 0.05  # the usual level of a permutation test
_NAME = "trajectories"


def points(found: Compared) -> Trajectories:
    """What moves: the occurrences that are compared, under the pooling that was chosen."""
    return trajectories.trajectories(found.comparison, asking.POOLING.value, asking.kept(found.comparison))


def show(found: Compared, moving: Trajectories) -> None:
    """The finding, and the moving points."""
    st.header(page.plain(verdict.finding(moving.layers, found.reading.word, moving.senses)), anchor=False)
    still = player.still(_NAME, asking.LAYER)
    figures.chart(
        cached.figure(
            charts.trajectories, moving.points, moving.layers, asking.layer(found.comparison), animated=not still
        ),
        moving.points.merge(moving.layers, on="layer"),
        name=_NAME,
        alt=charts.alt(moving.points, moving.layers),
    )


def said(found: Compared, moving: Trajectories) -> str:
    """What the points are, and how lucky one would have to be."""
    last = len(moving.layers) - 1
    text = (
        "Each point is an occurrence of the word; near points have similar [[hidden state|vectors]]. Press ▶ or pull"
        " the slider to go through the [[layer|layers]]. One plane ([[PCA]]) serves them all; the dotted line says how"
        " much of the differences it keeps."
    )
    if moving.layers["auc"].notna().any():
        text += " [[AUC]]: how well all dimensions hold the [[sense|senses]] apart; 0.5 is chance."
    keep = asking.kept(found.comparison)
    if ways := senses.splits_as_good(found.comparison, f"layer {last}", asking.POOLING.value, keep):
        lucky = ways[0] / ways[1] > LUCK
        text += (
            f" In the last layer **{ways[0]} of {ways[1]}** ways to part the points in two"
            f" {'does' if ways[0] == 1 else 'do'} as well{': that can be luck' if lucky else ''}."
        )
    return text
