"""Our edited fill-mask, compared with the Hugging Face pipeline with a hook that edits its embeddings.

python -m benchmarks.pipeline [--quick]
"""

from benchmarks.measure import compare, load, models
from embtools import fill_mask

TEXT = "Rome is the capital of [MASK]."
EDITS = ["rome = rome - italy + france"]


def main() -> None:
    """Print the ratio for each model. Both give the answers before and after the edit."""
    # After embtools, which sets the policy of the threads.
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer, pipeline

    for (name, folder), threshold in zip(models(), (0.85, 0.92), strict=False):
        model = load(folder)
        network = AutoModelForMaskedLM.from_pretrained(folder, dtype=torch.float32)
        hooked = pipeline("fill-mask", model=network, tokenizer=AutoTokenizer.from_pretrained(folder), device="cpu")
        matrix = network.get_input_embeddings()
        rome, italy, france = (model.ids[w] for w in ("rome", "italy", "france"))

        def edit(module, arguments, output, rows=matrix.weight, target=rome, minus=italy, plus=france):  # type: ignore[no-untyped-def]
            output = output.clone()
            output[arguments[0] == target] = rows[target] - rows[minus] + rows[plus]
            return output

        def with_hook(pipe=hooked, module=matrix, hook=edit):  # type: ignore[no-untyped-def]
            pipe(TEXT)
            handle = module.register_forward_hook(hook)
            pipe(TEXT)
            handle.remove()

        compare(
            f"before and after, ours / pipeline with a hook, {name}",
            lambda m=model: fill_mask(TEXT, m, edits=EDITS),
            with_hook,
            threshold,
        )
        compare(
            f"no edit, ours / pipeline, {name}",
            lambda m=model: fill_mask(TEXT, m),
            lambda p=hooked: p(TEXT),
            1.0,
        )


if __name__ == "__main__":
    main()
