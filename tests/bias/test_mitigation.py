"""The costs of mitigation methods compared with a network whose matrix is overwritten, and their gains."""

import numpy as np
import pandas as pd
import pytest

from embtools.bias import mitigation
from embtools.bias.mitigated import METHODS, mitigate
from embtools.mask_filling.forward import mask_logits, probabilities

FIRST, SECOND = ("he", "man", "king"), ("she", "woman", "queen")
SENTENCES, ANSWERS = ("rome is the capital of [MASK].", "the river is [MASK]."), ("italy", "blue|green")


@pytest.mark.parametrize("method", METHODS)
def test_tied_costs_are_those_of_an_overwritten_network(method, tiny, tiny_folder):
    import torch
    from transformers import AutoTokenizer, BertForMaskedLM

    changed = mitigate(FIRST, SECOND, tiny, method=method).embed(np.arange(len(tiny.matrix)), tiny)
    tokenizer, network = AutoTokenizer.from_pretrained(tiny_folder), BertForMaskedLM.from_pretrained(tiny_folder).eval()
    with torch.no_grad():
        network.get_input_embeddings().weight[:] = torch.from_numpy(changed)
        found = mitigation.cost(SENTENCES, tiny, answers=ANSWERS, first=FIRST, second=SECOND, scope="tied")
        found = found[found["method"] == method]
        for row, text, answers in zip(found.itertuples(), SENTENCES, ANSWERS, strict=True):
            encoding = tokenizer(text, return_tensors="pt")
            at = (encoding["input_ids"][0] == tokenizer.mask_token_id).nonzero()[0, 0]
            chances = network(**encoding).logits[0, at].double().softmax(-1)
            ids = tokenizer.convert_tokens_to_ids(answers.split("|"))
            assert row.probability == pytest.approx(float(chances[ids].sum()), abs=1e-6)
            assert row.top_acceptable == (int(chances.argmax()) in ids)


def test_no_mitigation_costs_nothing_and_the_input_scope_leaves_other_words_alone(tiny):
    costs = mitigation.cost(SENTENCES, tiny, answers=ANSWERS, first=FIRST, second=SECOND, scope="input").set_index(
        "method"
    )
    assert (costs.loc["none", "log_change"] == 0).all() and (costs.loc["none", "distance"] < 1e-12).all()
    assert (costs.loc["average", "log_change"] == 0).all()  # no word of a pair is in the sentences
    few = mitigation.cost_summary(costs.reset_index()).set_index("method")
    assert list(few.index) == list(METHODS) and few[["low", "high"]].isna().all(axis=None)
    summary = mitigation.cost_summary(pd.concat([costs.reset_index()] * 10)).set_index("method")
    assert (
        summary.loc["project away", "low"]
        <= summary.loc["project away", "log_change"]
        <= summary.loc["project away", "high"]
    )


@pytest.mark.parametrize("scope", ["input", "tied"])
def test_the_gain_of_an_average_is_the_whole_gap(scope, tiny):
    found = mitigation.gain(
        ("{group} is a [MASK].",), tiny, occupations=("king", "bank"), first=FIRST, second=SECOND, scope=scope
    ).set_index("method")
    assert found.loc["average", "gap"] == pytest.approx(0, abs=1e-6)
    assert found.loc["average", "distance"] == pytest.approx(0, abs=1e-9)
    assert found.loc["none", "gap"] > 0.01


def test_the_gap_without_mitigation_is_that_of_plain_answers(tiny):
    from embtools import fill_mask

    found = mitigation.gain(
        ("{group} is a [MASK].",), tiny, occupations=("rome", "bank"), first=FIRST, second=SECOND
    ).set_index("method")
    he, she = (fill_mask(f"{w} is a [MASK].", tiny, k=45).set_index("token")["probability"] for w in ("he", "she"))
    expected = np.mean([abs(np.log(he[w]) - np.log(she[w])) for w in ("rome", "bank")])
    assert found.loc["none", "gap"] == pytest.approx(expected, abs=1e-5)


def test_progress_ends_at_one(tiny):
    reported = []
    mitigation.cost(SENTENCES, tiny, answers=ANSWERS, first=FIRST, second=SECOND, progress=reported.append)
    assert reported[-1] == 1


@pytest.fixture
def read(tiny, monkeypatch):
    """The number of rows that the model has read since the test began, one number per forward pass."""
    rows, arguments_of = [], type(tiny)._arguments

    def counted(model, inputs, *arguments, **named):
        rows.append(len(inputs))
        return arguments_of(model, inputs, *arguments, **named)

    monkeypatch.setattr(type(tiny), "_arguments", counted)
    return rows


def test_the_total_number_of_tokens_is_limited_before_any_is_read(tiny, read, monkeypatch):
    total = sum(len(tiny.tokenize(text)) for text in SENTENCES) * len(METHODS)
    monkeypatch.setattr(mitigation, "MAX_PIECES", total)
    mitigation.cost(SENTENCES, tiny, answers=ANSWERS, first=FIRST, second=SECOND)
    assert read
    read.clear()
    monkeypatch.setattr(mitigation, "MAX_PIECES", total - 1)
    with pytest.raises(ValueError, match=f"{total} tokens in total; at most {total - 1}"):
        mitigation.cost(SENTENCES, tiny, answers=ANSWERS, first=FIRST, second=SECOND)
    templates = [sentence.replace("the", "{group}") for sentence in SENTENCES]
    with pytest.raises(ValueError, match="tokens in total"):
        mitigation.gain(templates, tiny, occupations=("king",), first=FIRST, second=SECOND)
    assert not read


def test_equal_inputs_are_read_once(tiny, read):
    mitigation.cost((*SENTENCES, SENTENCES[0]), tiny, answers=(*ANSWERS, ANSWERS[0]), first=FIRST, second=SECOND)
    # No word of a pair is in them: "average" reads what "none" reads, "equalise" what "project away" does.
    assert sum(read) == 2 * (len(METHODS) - 2)


@pytest.mark.parametrize("scope", ["input", "tied"])
@pytest.mark.parametrize("method", METHODS)
def test_a_mitigation_is_one_kind_of_changed_embeddings(method, scope, tiny):
    change = mitigate(FIRST, SECOND, tiny, method=method, scope=scope)
    text = SENTENCES[0]
    run = mask_logits(text, tiny, patches=[change])[0, 0]
    table = mitigation.cost(SENTENCES[:1], tiny, answers=ANSWERS[:1], first=FIRST, second=SECOND, scope=scope)
    ids = [tiny.ids[word] for word in ANSWERS[0].split("|") if word in tiny.ids]
    expected = probabilities(run)[ids].sum()
    assert table.set_index("method").loc[method, "probability"] == pytest.approx(expected, abs=1e-6)


def test_bad_requests_say_what_to_do(tiny):
    with pytest.raises(ValueError, match="no method"):
        mitigate(FIRST, SECOND, tiny, method="wish")
    with pytest.raises(ValueError, match="no scope"):
        mitigation.cost(SENTENCES, tiny, answers=ANSWERS, first=FIRST, second=SECOND, scope="both")
    for occupations in ((), ("king",) * 201):
        with pytest.raises(ValueError, match="occupations; use 1 to 200"):
            mitigation.gain(("{group} is a [MASK].",), tiny, occupations=occupations, first=FIRST, second=SECOND)
    with pytest.raises(ValueError, match="1 to 200"):
        mitigation.cost((), tiny, answers=(), first=FIRST, second=SECOND)
    with pytest.raises(ValueError, match="None of the answers"):
        mitigation.cost(SENTENCES[:1], tiny, answers=("zebra",), first=FIRST, second=SECOND)
    with pytest.raises(ValueError, match="exactly one"):
        mitigation.cost(("[MASK] [MASK]",), tiny, answers=("king",), first=FIRST, second=SECOND)


def test_the_effort_grows_with_what_is_read(tiny):
    once = mitigation.effort(("{group} is [MASK].",), tiny, sentences=SENTENCES)
    assert 0 < once < mitigation.effort(("{group} is [MASK].",) * 2, tiny, sentences=SENTENCES)
