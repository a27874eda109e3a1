"""Time of the Attention page's first figures for 512 tokens, compared with a plain pass that returns all weights.

python -m benchmarks.attention [--quick] [--cpu] [--model FOLDER]

The memory is that of this process with one model: Python's libraries, the weights, and what the figures took.
"""

from pathlib import Path

from benchmarks.measure import asked, compare, load, peak
from embtools import memory
from embtools.attention.attended import attended_words
from embtools.charts import attention as charts
from embtools.models.embedding_model import EmbeddingModel

GOAL = 2.0
TEXT = "rome " * 509 + "."  # 512 pieces with [CLS] and [SEP]
WORD, TARGET = "rome", "."


def figures(model: EmbeddingModel) -> None:
    """Read a new text, compute its attention and draw the first figures of the page."""
    memory.forget()
    result = attended_words(TEXT, model, source=(WORD,), target=(TARGET,))
    charts.word_bars(result).figure.to_dict()
    charts.head_cells(result).figure.to_dict()


def bare(folder: Path):  # type: ignore[no-untyped-def]
    """The Hugging Face network of that folder, as a function that reads the text and keeps every weight."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    network = AutoModel.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)

    def read() -> None:
        with torch.inference_mode():
            weights = network(**tokenizer(TEXT, return_tensors="pt"), output_attentions=True).attentions
        assert weights[-1].shape[-1] == 512

    return read


def main() -> None:
    """Print the ratio and the memory for the bundled model and for one in the size of BERT base, or for a folder."""
    for name, folder in asked():
        model = load(folder)
        figures(model)
        print(f"       at most {peak():,} MB until then")
        compare(f"attention of 512 pieces, {name}", lambda model=model: figures(model), bare(folder), GOAL)


if __name__ == "__main__":
    main()
