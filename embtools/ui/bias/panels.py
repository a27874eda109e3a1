"""The panels of the Bias page by their permanent keys."""

from embtools.ui.bias import association, counterfactual, groups, mitigation, occupations

PANELS = {
    "groups": groups,
    "sentence": counterfactual,
    "occupations": occupations,
    "association": association,
    "mitigation": mitigation,
}
