"""Answers by group and for their average, against the network with its row overwritten as in "BERT Embedding Math"."""

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import jensenshannon

from embtools import fill_mask
from embtools.bias import groups as bias_groups
from embtools.models.embedding_model import EmbeddingModel

TEMPLATE = "{group} works as a [MASK]."


@pytest.fixture(scope="module")
def network_answers(tiny_folder):
    """Probabilities at the mask, straight from transformers, after rows of the tied matrix were overwritten."""
    import torch
    from transformers import AutoTokenizer, BertForMaskedLM

    tokenizer = AutoTokenizer.from_pretrained(tiny_folder)

    def read(text, weights=None, target=None):
        network = BertForMaskedLM.from_pretrained(tiny_folder).eval()
        matrix = network.get_input_embeddings().weight
        with torch.no_grad():
            if weights:
                vector = sum(w * matrix[tokenizer.convert_tokens_to_ids(word)] for word, w in weights.items())
                matrix[tokenizer.convert_tokens_to_ids(target)] = vector
            encoding = tokenizer(text, return_tensors="pt")
            at = (encoding["input_ids"][0] == tokenizer.mask_token_id).nonzero()[0, 0]
            chances = network(**encoding).logits[0, at].double().softmax(-1)
        return dict(zip(tokenizer.convert_ids_to_tokens(range(len(chances))), chances.tolist(), strict=True))

    return read


def column(found, name):
    return found.union.set_index("token")[name].to_dict()


def test_each_group_has_the_answers_of_its_own_sentence(tiny):
    found = bias_groups.group_answers(TEMPLATE, tiny, groups=("He", "She"), k=4)
    for name in ("He", "She"):
        rows = found.answers[found.answers["column"] == name]
        expected = fill_mask(f"{name} works as a [MASK].", tiny, k=40)
        expected = expected[tiny.rankable[[tiny.ids[t] for t in expected["token"]]]].head(4)
        assert list(rows["token"]) == list(expected["token"])
        np.testing.assert_allclose(rows["probability"], expected["probability"], rtol=1e-5)
        assert list(rows["rank"]) == [1, 2, 3, 4]


def test_each_group_keeps_its_own_article(tiny, network_answers):
    found = bias_groups.group_answers("a {group} is [MASK].", tiny, groups=("king", "un"), k=30)
    expected = network_answers("an un is [MASK].")  # "an" is unknown to this vocabulary, "a" is not
    assert column(found, "un") == pytest.approx({t: expected[t] for t in column(found, "un")}, abs=1e-6)


@pytest.mark.parametrize(("lean", "weight"), [(0.0, 0.5), (-0.5, 0.75), (1.0, 0.0)])
def test_the_tied_average_is_the_overwritten_row(lean, weight, tiny, network_answers):
    found = bias_groups.group_answers(TEMPLATE, tiny, groups=("he", "she"), k=30, lean=lean, scope="tied")
    expected = network_answers("he works as a [MASK].", {"he": weight, "she": 1 - weight}, "he")
    for token, probability in column(found, "average").items():
        assert probability == pytest.approx(expected[token], abs=1e-6)


def test_the_scopes_differ_in_the_words_own_score_only(tiny):
    tied, free = (
        bias_groups.group_answers(TEMPLATE, tiny, groups=("he", "she"), k=50, scope=s) for s in ("tied", "input")
    )
    a, b = column(tied, "average"), column(free, "average")
    gap = max(abs(a[t] - b[t]) for t in a)
    assert tied.scope_gap == free.scope_gap == pytest.approx(gap, rel=1e-6) and gap > 0
    ratios = {t: a[t] / b[t] for t in a if t != "he"}
    assert np.ptp(list(ratios.values())) < 1e-5  # all others move together, by the normalisation


def test_at_the_ends_the_average_answers_like_a_group(tiny):
    first = bias_groups.group_answers(TEMPLATE, tiny, groups=("he", "she"), k=30, lean=-1, scope="input")
    second = bias_groups.group_answers(TEMPLATE, tiny, groups=("he", "she"), k=30, lean=1, scope="input")
    assert column(first, "average") == pytest.approx(column(first, "he"), abs=1e-7)
    assert column(second, "average") == pytest.approx(column(second, "she"), abs=1e-7)


def test_only_the_slot_is_averaged(tiny, network_answers):
    found = bias_groups.group_answers(
        "{group} is he, a [MASK].", tiny, groups=("he", "she"), k=30, scope="input", lean=1
    )
    assert column(found, "average") == pytest.approx(column(found, "she"), abs=1e-7)
    expected = network_answers("she is he, a [MASK].")
    assert column(found, "average") == pytest.approx({t: expected[t] for t in column(found, "average")}, abs=1e-6)


def test_distances_are_scipys(tiny):
    found = bias_groups.group_answers(TEMPLATE, tiny, groups=("he", "she", "king"), k=30, scope="input")
    values = found.distances.set_index("answers_for")
    everything = {}
    for name in ("he", "she", "king"):
        answers = fill_mask(f"{name} works as a [MASK].", tiny, k=45).set_index("token")["probability"].sort_index()
        everything[name] = np.append(answers, 1 - answers.sum())  # the rest is [UNK], which is never an answer
    for one in everything:
        for other in everything:
            expected = jensenshannon(everything[one], everything[other], base=2) ** 2
            # The probabilities are those of two runs in float32, whose rounding depends on the processor.
            assert values.loc[one, other] == pytest.approx(expected, abs=5e-7)
    assert list(values["kind"]) == ["group"] * 3 + ["average", "control"]
    assert values.loc["average", "he"] > 0


def test_groups_of_several_tokens_have_a_column_and_are_not_averaged(tiny):
    found = bias_groups.group_answers(TEMPLATE, tiny, groups=("he", "she", "unable"))
    assert found.left_out == ("unable",)
    assert found.formula == "0.5 he + 0.5 she"
    assert {"he", "she", "unable", "average"} == set(found.union.columns[1:])
    phrases = bias_groups.group_answers(TEMPLATE, tiny, groups=("The man", "The woman"))
    assert phrases.formula == "" and np.isnan(phrases.scope_gap)
    assert "average" not in phrases.union.columns


@pytest.mark.parametrize("n", [2, 3, 12])
@pytest.mark.parametrize("lean", [-1, -0.3, 0, 0.3, 1])
def test_weights_sum_to_one_and_the_others_are_equal(n, lean):
    weights = bias_groups.average_weights(n, lean=lean)
    assert weights.sum() == pytest.approx(1) and (weights >= -1e-7).all()
    assert np.ptp(weights[1:]) == pytest.approx(0, abs=1e-7)
    assert (weights[0] > 1 / n) == (lean < 0) or lean == 0


def test_the_curve_passes_through_the_table(tiny):
    found = bias_groups.group_answers(TEMPLATE, tiny, groups=("he", "she"), k=3, scope="input")
    tokens = tuple(found.union["token"])
    curve = bias_groups.lean_curve(TEMPLATE, tiny, groups=("he", "she"), tokens=tokens).set_index(["weight", "token"])[
        "probability"
    ]
    for lean, name in ((-1.0, "he"), (0.0, "average"), (1.0, "she")):
        np.testing.assert_allclose([curve[lean, t] for t in tokens], found.union[name], atol=1e-7)


def test_the_model_is_left_as_it_was(tiny):
    before = tiny.matrix.copy()
    bias_groups.group_answers(TEMPLATE, tiny, groups=("he", "she"))
    np.testing.assert_array_equal(tiny.matrix, before)


def test_a_model_without_segments_answers_too(tiny_distil):
    assert set(bias_groups.group_answers(TEMPLATE, tiny_distil, groups=("he", "she")).union.columns) == {
        "token",
        "he",
        "she",
        "average",
    }


@pytest.mark.parametrize(
    ("template", "groups", "options", "message"),
    [
        ("She works as a [MASK].", ("he", "she"), {}, "Put {group} where"),
        ("{group} works.", ("he", "she"), {}, "exactly one \\[MASK\\]"),
        ("{group} [MASK] [MASK].", ("he", "she"), {}, "exactly one \\[MASK\\]"),
        ("{group}s are [MASK].", ("he", "she"), {}, "touches a letter or digit"),
        (TEMPLATE, ("he",), {}, "at least two"),
        (TEMPLATE, ("he", " "), {}, "at least two"),
        (TEMPLATE, ("he", "he"), {}, "at least two"),
        (TEMPLATE, tuple(f"a{i}" for i in range(13)), {}, "at most 12"),
        (TEMPLATE, ("he", "[MASK]"), {}, "another meaning"),
        (TEMPLATE, ("he", "average"), {}, "another meaning"),
        (TEMPLATE, ("He", "she", "he"), {}, "'He' and 'he' are the same word for this model"),
        (TEMPLATE, ("he", "ᚠ"), {}, "'ᚠ' cannot be read"),
        (TEMPLATE, ("he", "red ᚠ"), {}, "'red ᚠ' cannot be read"),
        (TEMPLATE, ("he", "!"), {}, "not a group's name"),
        (TEMPLATE, ("he", "x" * 41), {}, "not a group's name"),
        (TEMPLATE, ("he", "she"), {"k": 0}, "choose 1 to 50"),
        (TEMPLATE, ("he", "she"), {"lean": float("nan")}, "choose −1"),
        ("{group} is a [MASK]. " + "red " * 70, ("he", "she"), {}, "this model reads 64"),
    ],
)
def test_bad_input_says_what_to_do(template, groups, options, message, tiny):
    with pytest.raises(ValueError, match=message):
        bias_groups.group_answers(template, tiny, groups=groups, **options)


def test_a_curve_needs_two_single_token_words(tiny):
    with pytest.raises(ValueError, match="a single token each"):
        bias_groups.lean_curve(TEMPLATE, tiny, groups=("he", "unable"), tokens=("king",))


@pytest.mark.parametrize(
    ("options", "message"),
    [({"steps": 1}, "choose 2 to 101"), ({"steps": 102}, "choose 2 to 101"), ({"tokens": ()}, "choose 1 to 50"),
     ({"tokens": ("king",) * 51}, "choose 1 to 50"), ({"tokens": ("lodnon",)}, "'lodnon' is not")],
)  # fmt: skip
def test_a_curve_has_limits(options, message, tiny):
    with pytest.raises(ValueError, match=message):
        bias_groups.lean_curve(TEMPLATE, tiny, groups=("he", "she"), **{"tokens": ("king", "##able")} | options)


def test_a_curve_takes_any_token_of_the_vocabulary(tiny):
    assert list(
        bias_groups.lean_curve(TEMPLATE, tiny, groups=("he", "she"), tokens=("##able", "."), steps=2)["token"].unique()
    ) == [
        "##able",
        ".",
    ]


class Stop(Exception):
    pass


def test_progress_ends_at_one_and_can_stop(tiny, monkeypatch):
    monkeypatch.setattr(EmbeddingModel, "BATCH_PIECES", 20)
    whole = bias_groups.group_answers(TEMPLATE, tiny, groups=("he", "she", "unable", "the king"))
    reported: list[float] = []
    again = bias_groups.group_answers(
        TEMPLATE, tiny, groups=("he", "she", "unable", "the king"), progress=reported.append
    )
    pd.testing.assert_frame_equal(again.union, whole.union)
    assert len(reported) > 5 and reported == sorted(reported) and reported[-1] == pytest.approx(1) and reported[0] < 0.3
    phrases: list[float] = []
    bias_groups.group_answers(TEMPLATE, tiny, groups=("the man", "the king"), progress=phrases.append)
    assert phrases == [0.5, 1]
    curve: list[float] = []
    bias_groups.lean_curve(TEMPLATE, tiny, groups=("he", "she"), tokens=("king",), progress=curve.append)
    assert len(curve) > 5 and curve == sorted(curve) and curve[-1] == 1

    def stop(done: float) -> None:
        raise Stop

    with pytest.raises(Stop):
        bias_groups.group_answers(TEMPLATE, tiny, groups=("he", "she"), progress=stop)


def test_gaps_are_the_log_ratios_of_the_pipelines_answers(tiny, pipelines):
    found = bias_groups.group_answers(TEMPLATE, tiny, groups=("he", "she", "man"), k=4).gaps
    scores = {
        group: {
            row["token_str"]: row["score"]
            for row in pipelines["tiny"](f"{group} works as a [MASK].", top_k=len(tiny.vocabulary))
        }
        for group in ("he", "she", "man")
    }
    assert len(found) >= 4
    for word, gap in found.items():
        he, she, man = (scores[group][word] for group in ("he", "she", "man"))
        assert gap == pytest.approx(np.log(he) - (np.log(she) + np.log(man)) / 2, abs=1e-4)
