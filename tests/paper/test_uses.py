"""The claims about next sentences and attention, compared with transformers itself."""

import re

import numpy as np
import pytest
import torch
from scipy.stats import binomtest
from transformers import AutoModel, AutoModelForNextSentencePrediction

from embtools import wordlists
from embtools.paper import uses as claims
from embtools.progress import silent

FOLDER = "embtools/bundled"
TIRED = "The animal didn't cross the street because it was too tired."


@pytest.fixture(scope="module")
def next_one(bundled):  # type: ignore[no-untyped-def]
    return claims.next_sentence(bundled, progress=silent)


@pytest.mark.slow
def test_the_pair_is_compared_with_every_built_in_sentence(next_one, bundled, pipelines) -> None:  # type: ignore[no-untyped-def]
    """transformers' own head answers a sample of them on the side that was counted."""
    network = AutoModelForNextSentencePrediction.from_pretrained(FOLDER, dtype=torch.float32).eval()
    tokenizer = pipelines["bundled"].tokenizer
    texts = wordlists.load("corpus")["sentence"].drop_duplicates().tolist()

    def ask(second: str) -> float:
        with torch.no_grad():
            given = tokenizer("I went to the store.", second, return_tensors="pt")
            return float(network(**given).logits.softmax(-1)[0, 0])

    own = ask("They were closed.")
    assert f"{own:.1%}" in next_one.answer
    share = np.mean([ask(text) >= own for text in texts[::12]])
    count, n = (
        int(x)
        for x in re.search(r"among all built-in sentences, (\d+) of (\d+)", next_one.conditions[1].evidence).groups()
    )
    assert n == len(texts)
    assert binomtest(round(share * len(texts[::12])), len(texts[::12]), count / n).pvalue > 0.01
    interval = binomtest(count, n).proportion_ci(method="wilson")
    assert next_one.conditions[1].holds is None and interval.low < 0.05 < interval.high


@pytest.mark.slow
def test_the_pairs_page_shows_one_of_twenty_draws(next_one, bundled) -> None:  # type: ignore[no-untyped-def]
    from embtools.pairs import batch

    many = batch.follow(batch.built_in("random"), bundled)
    assert f"the Pairs page shows {many.correct})" in next_one.conditions[2].evidence
    assert next_one.conditions[2].evidence.endswith("The condition holds in 18 of 20 random draws and fails in none.")


@pytest.mark.slow
def test_the_numbers_of_the_pairs_page_are_named_too(next_one, bundled) -> None:  # type: ignore[no-untyped-def]
    from embtools.pairs.next_sentence import RANDOM, with_controls

    row = with_controls("I went to the store.", "They were closed.", bundled).of(RANDOM)
    assert row["at_least_as_likely"] == 10 and row["pairs"] == 200
    text = "On the Pairs page, 10 of 200 random sentences are at least as likely; among all "
    assert text in next_one.conditions[1].evidence


def test_a_model_without_the_head_says_so(tiny_distil) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="no next-sentence head"):
        claims.next_sentence(tiny_distil, progress=silent)


@pytest.mark.slow
def test_it_is_shown_in_the_head_that_held_out_sentences_chose(bundled) -> None:  # type: ignore[no-untyped-def]
    """Every head on every sentence by transformers: chosen on the even ones, counted on the odd ones."""
    network = AutoModel.from_pretrained(FOLDER, attn_implementation="eager", dtype=torch.float32).eval()

    def shares(text: str, *words: str) -> list[np.ndarray]:
        tokens = bundled.tokenize(text)
        with torch.no_grad():
            given = torch.tensor(tokens["id"].to_numpy())[None]
            found = torch.stack(network(input_ids=given, output_attentions=True).attentions)[:, 0].numpy()
        names = tokens["token"].tolist()
        return [found[:, :, names.index("it"), names.index(word)].ravel() for word in words]

    rows = list(wordlists.load("referents").itertuples())
    right = np.array([np.greater(*shares(row.sentence, row.referent, row.other)) for row in rows])
    winner = int(right[::2].mean(axis=0).argmax())
    name, count = f"{winner // 12 + 1}.{winner % 12 + 1}", int(right[1::2, winner].sum())
    found = claims.attention(bundled, progress=silent)
    assert found.answer.startswith(f"Head {name} was chosen with 30 other sentences.")
    assert f"{count} of 30 (" in found.conditions[-1].evidence
    animal, street = (values[winner] for values in shares(TIRED, "animal", "street"))
    assert found.conditions[0].evidence.startswith(
        f"Head {name} gives animal {animal:.1%} and street {street:.1%}, hardly "
    )
    big = shares("The trophy didn't fit into the suitcase because it was too big.", "trophy", "suitcase")
    assert (
        f"with “too big”, the head gives trophy {big[0][winner]:.1%} and suitcase {big[1][winner]:.1%} of"
        in found.answer
    )
