"""A battery, compared with a loop over `fill_mask` that makes the same edits; the rates must be equal.

python -m benchmarks.battery [--quick]
"""

import sys

from benchmarks.measure import few, load, models, report, seconds
from embtools import EmbeddingModel, fill_mask, memory
from embtools.evidence.battery import battery
from embtools.evidence.relations import EDIT, relation
from embtools.evidence.result import EDIT as EDITED

SENTENCE = "{a} is the capital of [MASK]."
PAIRS = relation("capital").pairs[: few(20, 4)]
OTHERS = few(6, 2)
LEAST = 5.0


def loop(model: EmbeddingModel, cases: list[tuple[str, str, str]]) -> float:
    """Return the share of cases in which the top answer is the new word."""
    changed = 0
    for a, b, c in cases:
        answers = fill_mask(SENTENCE.replace("{a}", a), model, k=1, edits=[f"{a} = {a} - {b} + {c}"])
        changed += answers["token"].iloc[0].lower() == c.lower()
    return changed / len(cases)


def main() -> None:
    """Print, for each model, how many times faster a row of a battery is than a call of `fill_mask`."""
    for name, folder in models():
        model = load(folder)

        def run(model: EmbeddingModel = model) -> object:
            memory.forget()
            return battery(PAIRS, model, edit=EDIT, sentences=[SENTENCE], others=OTHERS)

        found = battery(PAIRS, model, edit=EDIT, sentences=[SENTENCE], others=OTHERS)
        edited = found.cases[found.cases["condition"] == EDITED]
        cases = list(edited[["a", "b", "c"]].itertuples(index=False, name=None))
        rate = found.rate("efficacy", EDITED)["rate"]
        alone = loop(model, cases)
        if alone != rate:
            sys.exit(f"The rates differ: {rate} and {alone}.")
        ratios = []
        for _ in range(few(5)):
            row = seconds(run) / len(found.cases)
            ratios.append(row / (seconds(lambda m=model, c=cases: loop(m, c)) / len(cases)))
        ratio = sorted(ratios)[len(ratios) // 2]
        report(f"battery, per row / fill_mask, per call, {name}", ratio, 1 / LEAST, f"equal rates of {rate:.3f}")


if __name__ == "__main__":
    main()
