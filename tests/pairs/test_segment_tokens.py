"""Segment ids, against the Hugging Face network."""

import pytest
import torch
from transformers import AutoTokenizer, BertForPreTraining

from embtools.pairs import segment_tokens

PAIR = "The king.", "The river bank."


def test_every_token_has_its_sentence_name(tiny):
    frame = segment_tokens.tokens(*PAIR, tiny)
    assert frame["token"].tolist() == "[CLS] the king . [SEP] the river bank . [SEP]".split()
    assert frame["segment"].tolist() == [0] * 5 + [1] * 5
    assert frame["sentence"].unique().tolist() == ["A, the first sentence", "B, the second sentence"]


def test_a_single_sentence_has_0_in_bert_and_1_in_the_article(tiny):
    frame = segment_tokens.single_sentence(PAIR[0], tiny)
    assert len(frame) == 5 and (frame["segment"] == 0).all() and (frame["segment_in_article"] == 1).all()


def test_other_segment_ids_give_what_the_network_gives(tiny, tiny_folder):
    network = BertForPreTraining.from_pretrained(tiny_folder).eval()
    inputs = AutoTokenizer.from_pretrained(tiny_folder)(*PAIR, return_tensors="pt")
    own = inputs["token_type_ids"]
    expected = []
    for ids in (own, 1 - own, torch.zeros_like(own), torch.ones_like(own)):
        with torch.no_grad():
            logits = network(**{**inputs, "token_type_ids": ids}).seq_relationship_logits
        expected.append(float(logits.softmax(-1)[0, 0]))
    found = segment_tokens.other_segments(*PAIR, tiny)
    assert found["probability"].tolist() == pytest.approx(expected, abs=1e-6)
    assert found["probability"].nunique() == 4


def test_a_model_without_segments_says_so(tiny_distil):
    with pytest.raises(ValueError, match="no segment embeddings"):
        segment_tokens.other_segments(*PAIR, tiny_distil)
