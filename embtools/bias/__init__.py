"""Numbers of the Bias page: answers for groups, association tests, mitigation and residual bias."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "bias.association": ["seat", "weat"],
        "bias.counterfactual": ["compare"],
        "bias.directions": ["explained", "other_measures"],
        "bias.groups": ["group_answers", "lean_curve"],
        "bias.methods": ["compare_methods"],
        "bias.occupations": ["indirect_bias", "score_occupations"],
        "bias.published_tests": ["battery"],
        "bias.residual": ["residual_map"],
        "bias.two_models": ["associations", "batteries", "group_gaps", "occupation_gaps", "project_away", "swaps"],
    },
)
