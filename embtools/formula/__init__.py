"""Formulas over words: parsing of the text, the expression tree, and its vector."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "formula.evaluation": ["evaluate"],
    },
)
