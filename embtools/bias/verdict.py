"""What the distances between groups, their average and the control say, in numbers and in words."""

from dataclasses import dataclass

import numpy as np

from embtools.bias.groups import AVERAGE, GroupAnswers

SAME = 5e-4  # of a probability: the scopes agree where no word's differs by more


@dataclass(frozen=True)
class Spread:
    """How far apart the answers are, in bits; nan where there is no average.

    farthest, nearest   the two groups that differ most, and least
    average             from the average to the group that is farthest from it
    control             from the first group mixed with unrelated words to the group that is farthest from that
    """

    farthest: float
    nearest: float
    average: float = float("nan")
    control: float = float("nan")


def spread(result: GroupAnswers) -> Spread:
    """The distances of an experiment with groups in four numbers; groups that are not averaged count only as groups."""
    table = result.distances.set_index("of")
    groups = result.groups
    between = [float(table.loc[a, b]) for n, a in enumerate(groups) for b in groups[n + 1 :]]
    if not result.formula:
        return Spread(max(between), min(between))
    averaged = [group for group in groups if group not in result.left_out]
    control = table.loc[table["kind"] == "control", averaged].to_numpy(np.float64)
    return Spread(max(between), min(between), float(table.loc[AVERAGE, averaged].max()), float(control.max()))


def averaging(found: Spread) -> str:
    """What the average shows: is it nearer to every group than groups are to each other, and would any mixture be?

    Empty without an average.

    >>> averaging(Spread(0.9, 0.4, 0.2, 0.5)).partition(" to ")[0]
    "The average's answers are nearer"
    """
    if np.isnan(found.average):
        return ""
    nearer = "nearer" if found.average < found.nearest else "not nearer"
    control = (
        ", and the control's are not as near."
        if found.average < found.control
        else "; the control does as well, so this shows little."
    )
    return f"The average's answers are {nearer} to every group than the groups are to each other{control}"


def scopes(gap: float) -> str:
    """Whether the scopes input and tied agree, from the largest difference of any word's probability.

    >>> scopes(0.0001)
    'Scopes input and tied: no probability differs by more than 0.0100 points. Here they agree.'
    """
    agree = "agree" if gap < SAME else "do not agree"
    return f"Scopes input and tied: no probability differs by more than {100 * gap:.4f} points. Here they {agree}."
