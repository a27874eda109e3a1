"""Writes a model of the size of BERT base with random weights; time and memory do not depend on the weights.

python -m benchmarks.base_model FOLDER

12 layers × 768, 12 heads, 110 million parameters as safetensors (440 MB), and the bundled model's vocabulary. The app
opens it with EMBTOOLS_MODELS=FOLDER. With --short a much smaller model is written, to see whether the script works.
"""

import sys
from pathlib import Path

SMALL = {"num_hidden_layers": 2, "hidden_size": 16, "num_attention_heads": 2, "intermediate_size": 32}


def write(folder: Path, **size: int) -> Path:
    """Write the model, or one of another size, unless the folder has one; returns the folder."""
    import torch
    from transformers import AutoTokenizer, BertConfig, BertForPreTraining

    import embtools

    if not (folder / "model.safetensors").exists():
        AutoTokenizer.from_pretrained(Path(embtools.__file__).parent / "bundled").save_pretrained(folder)
        torch.manual_seed(0)
        BertForPreTraining(BertConfig(**size)).save_pretrained(folder)
    return folder


if __name__ == "__main__":
    print(write(Path(sys.argv[1]), **(SMALL if "--short" in sys.argv else {})))
