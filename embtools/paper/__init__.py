"""Claims of five articles about BERT, with their conditions and verdicts; run `python -m embtools.paper`."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "paper.claims": ["measure", "measure_all"],
        "paper.reports": ["report"],
    },
)
