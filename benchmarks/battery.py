"""A battery, compared with a loop over `fill_mask` that makes the same edits; the rates must be equal.

python -m benchmarks.battery [--quick]
python -m benchmarks.battery --large    50 words × 50 new words, one sentence and all controls: 15,000 forward passes
"""

import sys
import time

from benchmarks.measure import few, load, models, report, seconds
from embtools import EmbeddingModel, fill_mask, memory
from embtools.evidence import Cases, battery
from embtools.evidence.rates import EDIT as EDITED
from embtools.mask_filling.controls import ADDED
from embtools.mask_filling.relations import EDIT, relation

SENTENCES = relation("capital").sentences[:2]
PAIRS = relation("capital").pairs[: few(20, 2)]
OTHERS = few(6, 1)
LEAST = 5.0
LONGEST = 60.0
FORMULAS = {EDITED: "{a} = {a} - {b} + {c}", ADDED: "{a} = {a} + {c}"}
Tried = list[tuple[str, str, str]]


def loop(model: EmbeddingModel, cases: Tried, sentence: str, formula: str) -> float:
    """Return the share of cases in which the top answer is the new word."""
    changed = 0
    for a, b, c in cases:
        edit = formula.replace("{a}", a).replace("{b}", b).replace("{c}", c)
        answers = fill_mask(sentence.replace("{a}", a), model, k=1, edits=[edit])
        changed += answers["token"].iloc[0].lower() == c.lower()
    return changed / len(cases)


def compare() -> None:
    """Print, for each model, how many times faster a row of a battery is than a call of `fill_mask`."""
    for name, folder in models():
        model = load(folder)

        def run(model: EmbeddingModel = model) -> object:
            memory.forget()
            return battery(Cases(PAIRS, EDIT, SENTENCES, others=OTHERS), model)

        found = battery(Cases(PAIRS, EDIT, SENTENCES, others=OTHERS), model)
        counted = found.cases[~found.cases["already"]]
        for measure, sentence in zip(("efficacy", "paraphrase"), SENTENCES, strict=True):
            for condition, formula in FORMULAS.items():
                part = counted[(counted["measure"] == measure) & (counted["condition"] == condition)]
                cases = list(part[["a", "b", "c"]].itertuples(index=False, name=None))
                rate, alone = found.rate(measure, condition)["rate"], loop(model, cases, sentence, formula)
                if abs(alone - rate) > 1e-9:
                    sys.exit(f"The rates of {measure}, {condition} differ: {rate} and {alone}.")
        ratios = []
        for _ in range(few(5)):
            row = seconds(run) / len(found.cases)
            edited = counted[(counted["measure"] == "efficacy") & (counted["condition"] == EDITED)]
            cases = list(edited[["a", "b", "c"]].itertuples(index=False, name=None))
            calls = seconds(lambda m=model, c=cases: loop(m, c, SENTENCES[0], FORMULAS[EDITED]))
            ratios.append(row / (calls / len(cases)))
        ratio = sorted(ratios)[len(ratios) // 2]
        report(f"battery, per row / fill_mask, per call, {name}", ratio, 1 / LEAST, "four equal rates")


def large() -> None:
    """Print how long 15,000 forward passes take with the bundled model, and the processor time of this process."""
    name, folder = models()[0]
    model, words = load(folder), few(50, 3)
    began, used = time.perf_counter(), time.process_time()
    found = battery(Cases("capital", EDIT, SENTENCES[:1], others=words, first=words), model)
    passed, used = time.perf_counter() - began, time.process_time() - used
    detail = f"{len(found.cases):,} forward passes, {used:.0f} s of processor time, {found.headline}"
    report(f"battery of {words} × {words} cases, seconds, {name}", passed, LONGEST, detail)


def main() -> None:
    """Run the comparison, or with --large the large battery; --short runs both."""
    if "--large" not in sys.argv:
        compare()
    if "--large" in sys.argv or "--short" in sys.argv:
        large()


if __name__ == "__main__":
    main()
