"""Which claims were computed on this server, and the buttons that compute the rest."""

import streamlit as st

from embtools.paper import claims
from embtools.paper.claims import Claim
from embtools.ui import long_work, running
from embtools.ui.call import Call
from embtools.ui.shown import Model


def computed(model: Model) -> tuple[str, ...]:
    """Return the ids of the claims whose results were computed here and can be shown at once."""
    return tuple(claim.id for claim in claims.claims() if running.known(_one(claim), model))


def compute_one(model: Model, claim: Claim) -> None:
    """Draw the button that computes a claim, and do the work when it is pressed."""
    _work(f"paper-{claim.id}", "Compute now", _one(claim), model, (claim.id,))


def compute_all(model: Model) -> None:
    """Draw the button that computes all claims not yet computed here, with a progress bar and Stop."""
    names = tuple(claim.id for claim in claims.claims() if not running.known(_one(claim), model))
    if names:
        _work("paper-all", "Compute all", Call(claims.measure_all), model, names)


def _one(claim: Claim) -> Call:
    return Call(claims.measure, name=claim.id)


def _work(name: str, what: str, query: Call, model: Model, names: tuple[str, ...]) -> None:
    seconds = running.run(Call(claims.effort, names=names), model)
    if long_work.requested(name, what, seconds, (model, query), unasked=False):
        label = f"Computing {', '.join(names) if len(names) < 4 else f'{len(names)} claims'}"
        if running.attempt(lambda: running.run(query, model, label=label)) is not None:  # it was not stopped
            st.rerun()
