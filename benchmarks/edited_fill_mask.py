"""Time of an edited fill-mask, compared with one plain pass of the encoder over the same 14 tokens.

python -m benchmarks.edited_fill_mask [--quick]
"""

from benchmarks.measure import compare, load, models
from embtools import fill_mask

TEXT = "Rome is the capital of [MASK], and it has been for long."
EDITS = ["rome = rome - italy + france"]


def main() -> None:
    """Print the ratio for each model: original and edited sentence in one batch, formula, head and table included."""
    # After embtools, which sets the policy of the threads.
    import torch

    for (name, folder), threshold in zip(models(), (1.9, 1.35), strict=False):
        model = load(folder)
        ids = torch.tensor([model.tokenize(TEXT)["id"].tolist()])

        @torch.inference_mode()
        def bare(model=model, ids=ids):  # type: ignore[no-untyped-def]
            model._base(input_ids=ids.expand(2, -1))

        compare(
            f"edited fill-mask / encoder on the two sentences, {name}",
            lambda m=model: fill_mask(TEXT, m, edits=EDITS),
            bare,
            threshold,
        )


if __name__ == "__main__":
    main()
