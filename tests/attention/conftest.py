"""The network's own attention, with which these tests compare their numbers."""

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModel

import embtools


@pytest.fixture(scope="session")
def eager():
    """The attention (l, h, t, t) of the network on a tokenised text: `eager(model, tokens)`."""
    networks = {}

    def attention(model, tokens):
        if model.name not in networks:
            folder = Path(embtools.__file__).parent / "bundled" if model.name == "bundled" else Path(model.name)
            networks[model.name] = AutoModel.from_pretrained(
                folder, attn_implementation="eager", dtype=torch.float32
            ).eval()
        given = {"input_ids": torch.tensor(tokens["id"].to_numpy())[None]}
        if model.has_segments:
            given["token_type_ids"] = torch.tensor(tokens["segment"].to_numpy())[None]
        with torch.no_grad():
            layers = networks[model.name](**given, output_attentions=True).attentions
        return np.stack([layer[0].numpy() for layer in layers])

    return attention
