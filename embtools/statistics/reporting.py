"""P-values: their level, their format in sentences, and the p-value of a comparison with controls."""

LEVEL = 0.05
"""A result is called clear if its p-value is below this level."""


def p_value(p: float) -> str:
    """A p-value formatted for a sentence.

    >>> p_value(0.0312), p_value(0.0001)
    ('p = 0.031', 'p < 0.001')
    """
    return f"p = {p:.3f}" if p >= 0.001 else "p < 0.001"


def control_p(reached: int, controls: int) -> float:
    """The p-value of a result that `reached` of the random controls equal or exceed.

    The result itself is counted among the controls, so p is never 0 (Phipson & Smyth 2010, doi:10.2202/1544-6115.1585).
    Raises ValueError unless 0 ≤ reached ≤ controls.

    >>> control_p(0, 19), control_p(4, 4)
    (0.05, 1.0)
    """
    if not 0 <= reached <= controls:
        raise ValueError(f"{reached} of {controls} controls cannot reach a result. Give a count from 0 to {controls}.")
    return (1 + reached) / (1 + controls)
