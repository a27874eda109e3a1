"""The numbers of the Evidence page: one edit over hundreds of cases, with its controls, rates and intervals."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "evidence.batteries": ["battery"],
        "evidence.dose_result": ["two_doses"],
        "evidence.doses": ["dose"],
        "evidence.minimal_pairs": ["minimal_pair", "two_minimal_pairs"],
        "evidence.pair_batteries": ["Scoring", "pair_battery", "two_pair_batteries"],
        "evidence.pair_files": ["PairList", "built_in"],
        "mask_filling.experiments": ["Cases"],
        "evidence.result": ["two_batteries"],
    },
)
