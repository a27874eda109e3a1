"""Attribution compared with masking a word, with autograd and with the theorem of completeness; and the charts."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
from scipy.stats import binomtest, spearmanr
from transformers import AutoModelForMaskedLM

import embtools
from embtools.charts import tracing as charts
from embtools.mask_filling.forward import mask_probabilities
from embtools.messages import column_name
from embtools.models.attention import rollout
from embtools.statistics.ranks import ordinal
from embtools.tracing import attribution
from embtools.tracing.attribution import COLUMNS, METHODS, attribute

TEXT = "The capital of France is [MASK]."


@pytest.fixture(scope="module")
def found(bundled):
    return attribute(TEXT, bundled)


def test_leaving_a_word_out_is_masking_it(found, bundled) -> None:
    paris = bundled.ids["paris"]
    (whole,) = mask_probabilities(TEXT, bundled)
    assert found.answer == "paris" and found.probability == pytest.approx(whole[0, paris], rel=1e-4)
    for word in ("capital", "France", "is"):
        masked = TEXT.replace(f" {word} ", " [MASK] ")
        (without,) = mask_probabilities(masked, bundled)
        row = found.tokens.set_index("token").loc[word.lower()]
        assert row["leave_one_out"] == pytest.approx(np.log(whole[0, paris] / without[1, paris]), abs=1e-3)


def test_gradient_times_input_is_that_of_autograd_on_a_copy(found, bundled) -> None:
    folder = Path(embtools.__file__).parent / "bundled"
    network = AutoModelForMaskedLM.from_pretrained(folder, dtype=torch.float32).eval()
    ids = torch.tensor(bundled.tokenize(TEXT)["id"].to_numpy())[None]
    x = network.get_input_embeddings()(ids).detach().requires_grad_(True)
    network(inputs_embeds=x).logits[0, 6].log_softmax(-1)[bundled.ids["paris"]].backward()
    np.testing.assert_allclose(found.tokens["gradient_x_input"], (x.grad * x).sum(-1)[0].detach(), atol=1e-3)


def test_integrated_gradients_sum_to_what_the_words_add(found, bundled) -> None:
    (whole,) = mask_probabilities(TEXT, bundled)
    (bare,) = mask_probabilities("[MASK] [MASK] [MASK] [MASK] [MASK] [MASK] [MASK]", bundled)
    paris = bundled.ids["paris"]
    added = np.log(whole[0, paris] / bare[5, paris])
    assert found.difference == pytest.approx(added, abs=1e-3)
    assert found.tokens["integrated_gradients"].sum() == pytest.approx(added, abs=0.05)
    # Special tokens stay unchanged, so they get nothing.
    assert found.tokens.loc[~found.tokens["compared"], "integrated_gradients"].abs().max() < 1e-6


def test_attention_is_the_networks_from_the_mask(found, bundled) -> None:
    folder, ids = Path(embtools.__file__).parent / "bundled", torch.tensor(bundled.tokenize(TEXT)["id"].to_numpy())
    network = AutoModelForMaskedLM.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32).eval()
    with torch.no_grad():
        layers = network(ids[None], output_attentions=True).attentions
    right = torch.stack(layers)[:, 0, :, 6].mean((0, 1)).numpy()
    np.testing.assert_allclose(found.tokens["attention"], right, atol=1e-5)
    np.testing.assert_allclose(found.tokens["rollout"], rollout(bundled.hidden_states(TEXT), bundled)[6], atol=1e-6)
    other = attribute(TEXT, bundled, answer="rome")
    np.testing.assert_allclose(other.tokens["attention"], right, atol=1e-5)
    assert other.answer == "rome" and not np.allclose(other.tokens["leave_one_out"], found.tokens["leave_one_out"])


def test_agreement_is_spearmans(found) -> None:
    counted = found.tokens[found.tokens["compared"]]
    assert counted["token"].tolist() == ["the", "capital", "of", "france", "is", "."]
    for row in found.agreement.itertuples():
        assert row.rho == pytest.approx(spearmanr(counted[column_name(row.method)], counted["leave_one_out"]).statistic)
        assert row.top_token == counted["token"].iloc[counted[column_name(row.method)].argmax()]


def test_the_finding_names_the_word_and_its_rank_by_attention(found) -> None:
    counted = found.tokens[found.tokens["compared"]].set_index("token")
    top = counted["leave_one_out"].idxmax()
    rank = int(counted["attention"].rank(ascending=False)[top])
    assert found.headline == (
        f"Leaving out “{top}” lowers the log probability of “paris” most (by {counted['leave_one_out'].max():.1f} nats). By"
        f" attention, “{top}” ranks {ordinal(rank)} of 6."
    )
    assert all(f"{method}: " in charts.measures(found).alt for method in METHODS)


def test_a_text_of_only_a_mask_has_nothing_to_compare(bundled) -> None:
    alone = attribute("[MASK]", bundled, steps=2)
    assert alone.headline.startswith("There is no word except the mask") and alone.agreement["rho"].isna().all()
    assert len(charts.measures(alone).figure.data) == 1 and "for 1 token and" in charts.measures(alone, True).alt


def test_over_sentences_is_the_mean_over_them(bundled) -> None:
    reported: list[float] = []
    result = attribution.over_sentences(bundled, sentences=3, steps=2, progress=reported.append)
    table = result.frame
    texts = attribution.wordlists.load("neutral_sentences")["sentence"].head(3)
    each = [attribute(text, bundled, steps=2).agreement.set_index("method") for text in texts]
    for row in table.itertuples():
        assert row.rho == pytest.approx(np.mean([one.loc[row.method, "rho"] for one in each]))
        assert np.isnan(row.low) and np.isnan(row.high)  # three sentences are too few for an interval
        firsts = [one.loc[row.method, "top_token"] == one.loc["leave one out", "top_token"] for one in each]
        top = table.loc[table["rho"].idxmax(), "method"]
        wins = sum(one.loc[top, "rho"] > one.loc[row.method, "rho"] for one in each)
        losses = sum(one.loc[top, "rho"] < one.loc[row.method, "rho"] for one in each)
        assert row.p_value == pytest.approx(binomtest(wins, wins + losses).pvalue if wins + losses else 1.0)
        assert row.same_top == pytest.approx(np.mean(firsts))
    assert reported == sorted(reported)
    assert "interval" not in result.headline
    with pytest.raises(ValueError, match="The number of sentences is 41. Choose 2 to 40."):
        attribution.over_sentences(bundled, sentences=41)
    np.testing.assert_allclose(charts.agreement(result).figure.data[0].x, table["rho"], atol=1e-6)


@pytest.mark.parametrize(("p", "clear"), [(0.01, True), (0.3, False)])
def test_one_method_is_called_best_only_if_no_other_may_be_equally_good(p, clear) -> None:
    rows = [(name, 0.4, 0.3, 0.5, 0.2, p) for name in ("attention", "rollout", "gradient × input")]
    rows.append(("integrated gradients", 0.5, 0.4, 0.6, 0.3, 1.0))
    table = pd.DataFrame(rows, columns=["method", "rho", "low", "high", "same_top", "p_value"])
    text = attribution.Agreement(table, 40).headline
    assert ("integrated gradients agrees best" in text) is clear
    assert text.endswith("but attention, rollout and gradient × input may be equally good.") is not clear
    assert "mean ρ 0.50, 95% interval 0.40 to 0.60" in text


@pytest.mark.parametrize(
    "text, answer, message",
    [
        ("No mask.", "", "no \\[MASK\\]"),
        ("[MASK] " + "very " * 120, "", "at most 100"),
        (TEXT, "qxzqxz", "not a single token"),
        ("", "", "empty"),
    ],
)
def test_unreadable_input_is_refused(text, answer, message, bundled) -> None:
    with pytest.raises(ValueError, match=message):
        attribute(text, bundled, answer=answer)


def test_each_measure_is_a_row_on_its_own_scale(found) -> None:
    (heat,) = charts.measures(found).figure.data
    counted = found.tokens["compared"].to_numpy()
    own = found.tokens.loc[counted, list(COLUMNS)].T.to_numpy()
    np.testing.assert_allclose(heat.z[:, counted], own / np.abs(own).max(axis=1, keepdims=True), atol=1e-5)
    assert np.isnan(heat.z[:, ~counted]).all()
