"""Claims of five articles about BERT with verdicts, and studies over full lists; run `python -m embtools.paper`."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "paper.claims": ["measure", "measure_all"],
        "paper.reports": ["report"],
        "paper.studies": ["study"],
        "paper.study_result": ["two_studies"],
    },
)
