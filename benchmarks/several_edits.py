"""Three edits in one request, compared with one edit; both include the original sentence, as on the page.

python -m benchmarks.several_edits [--quick]
"""

from benchmarks.measure import compare, load, models
from embtools.mask_filling.edits import Change, Patch, resolve
from embtools.mask_filling.forward import mask_logits

TEXT = "He works as a [MASK]."
EDITS = ("he = (he + she) / 2", "he = she", "he = he - she")


def main() -> None:
    """Print the ratio for each model."""
    for name, folder in models():
        model = load(folder)
        patches = [resolve(Change.of((edit,)), model) for edit in EDITS]
        compare(
            f"three edits / one, {name}",
            lambda m=model, p=patches: mask_logits(TEXT, m, patches=[Patch(), *p]),
            lambda m=model, p=patches: mask_logits(TEXT, m, patches=[Patch(), p[0]]),
            1.5,
        )


if __name__ == "__main__":
    main()
