"""The results of a model that are stored or were computed on this server, and the buttons that compute the rest."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from embtools.paper import claims, stored
from embtools.paper.claims import Claim
from embtools.paper.measured import Measured
from embtools.progress import Progress, part, silent
from embtools.ui import cached, jobs, running, texts


@dataclass(frozen=True)
class Known:
    """The results by the id of the claim, and which of them were computed here."""

    results: dict[str, Measured]
    computed: tuple[str, ...]


def known(model: str) -> Known:
    """Return the results that can be shown without computing anything."""
    if cached.known(every, model, model):
        results = cached.compute(every, model, model)
        return Known(results, tuple(results))
    results, computed = cached.compute(read_stored, model), []
    for claim in claims.claims():
        if cached.known(one, model, claim.id):
            results = {**results, claim.id: cached.compute(one, model, claim.id)}
            computed.append(claim.id)
    return Known(results, tuple(computed))


def read_stored(*, model: Any) -> dict[str, Measured]:
    """Return the stored results if the model has the weights that they were computed with."""
    return stored.read(model)


def one(name: str, *, model: Any, progress: Progress = silent) -> Measured:
    """Return the result of one claim."""
    return claims.measure(name, model, progress=progress)


def every(name: str, *, model: Any, progress: Progress = silent) -> dict[str, Measured]:
    """Return the results of all claims; each is cached when it is computed, so that a stop loses none."""
    listed = claims.claims()
    return {
        claim.id: cached.compute(one, name, claim.id, progress=part(progress, done / len(listed), 1 / len(listed)))
        for done, claim in enumerate(listed)
    }


def effort(names: tuple[str, ...], *, model: Any) -> float:
    """Return roughly how many seconds these claims take."""
    return sum(claims.effort(name, model) for name in names)


def compute_one(model: str, claim: Claim) -> None:
    """Draw the button that computes a claim, and do the work when it is pressed."""
    _work(f"paper-{claim.id}", "Compute now", one, model, claim.id, names=(claim.id,))


def compute_all(model: str) -> None:
    """Draw the button that computes all claims not yet computed here, with a progress bar and a stop button."""
    names = tuple(c.id for c in claims.claims() if not cached.known(one, model, c.id))
    _work("paper-all", "Compute all", every, model, model, names=names)


def _work(name: str, what: str, function: Any, model: str, argument: str, *, names: tuple[str, ...]) -> None:
    if cached.known(function, model, argument):
        return
    seconds = cached.compute(effort, model, names)
    if running.requested(name, what, seconds, (model, argument), unasked=False):
        label = f"Computing {', '.join(names) if len(names) < 4 else f'{len(names)} claims'}"
        try:
            jobs.run(name, function, model, argument, label=label)
        except ValueError as error:  # it was stopped
            texts.problem(error)
            return
        st.rerun()
