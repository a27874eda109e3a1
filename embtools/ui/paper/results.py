"""What is known of a model's answers: computed on this server, or stored; the rest waits for a press."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from embtools.paper import claims, stored
from embtools.paper.claims import Claim
from embtools.paper.measured import Measured
from embtools.progress import Progress, part, silent
from embtools.ui import cached, jobs, texts


@dataclass(frozen=True)
class Known:
    """The results by the id of the claim, and which of them were computed here."""

    found: dict[str, Measured]
    computed: tuple[str, ...]


def known(model: str) -> Known:
    """What can be shown without computing anything."""
    if cached.known(every, model, model):
        found = cached.compute(every, model, model)
        return Known(found, tuple(found))
    found, computed = cached.compute(kept, model), []
    for claim in claims.claims():
        if cached.known(one, model, claim.id):
            found = {**found, claim.id: cached.compute(one, model, claim.id)}
            computed.append(claim.id)
    return Known(found, tuple(computed))


def kept(*, model: Any) -> dict[str, Measured]:
    """The stored results, where the weights are those they were computed with."""
    return stored.read(model)


def one(name: str, *, model: Any, progress: Progress = silent) -> Measured:
    """One claim."""
    return claims.measure(name, model, progress=progress)


def every(name: str, *, model: Any, progress: Progress = silent) -> dict[str, Measured]:
    """All claims one after another, each remembered as soon as it is there, so that a stop loses none."""
    asked = claims.claims()
    return {
        claim.id: cached.compute(one, name, claim.id, progress=part(progress, done / len(asked), 1 / len(asked)))
        for done, claim in enumerate(asked)
    }


def effort(names: tuple[str, ...], *, model: Any) -> float:
    """About how many seconds these claims take."""
    return sum(claims.effort(name, model) for name in names)


def compute_one(model: str, claim: Claim) -> None:
    """The button that computes a claim, and the work once it was pressed."""
    _work(f"paper-{claim.id}", "Compute now", one, model, claim.id, names=(claim.id,))


def compute_all(model: str) -> None:
    """The button that computes what has not been computed here, with a bar and a stop."""
    names = tuple(c.id for c in claims.claims() if not cached.known(one, model, c.id))
    _work("paper-all", "Compute all", every, model, model, names=names)


def _work(name: str, what: str, function: Any, model: str, argument: str, *, names: tuple[str, ...]) -> None:
    if cached.known(function, model, argument):
        return
    seconds = cached.compute(effort, model, names)
    if jobs.on_request(name, what, seconds, (model, argument), unasked=False):
        label = f"Computing {', '.join(names) if len(names) < 4 else f'{len(names)} claims'}"
        try:
            jobs.run(name, function, model, argument, label=label)
        except ValueError as error:  # it was stopped
            texts.problem(error)
            return
        st.rerun()
