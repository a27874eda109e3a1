"""The claims about edited words and about sums of vectors, compared with the Hugging Face pipeline, scikit-learn and NumPy."""

import re
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.stats import spearmanr
from sklearn.decomposition import PCA
from sklearn.metrics.pairwise import cosine_similarity

from embtools import wordlists
from embtools.arithmetic import controls
from embtools.arithmetic.candidate_words import candidates
from embtools.arithmetic.nearest_tokens import analogy
from embtools.mask_filling.answers import fill_mask
from embtools.mask_filling.controls import OTHER_SUBTRACTED
from embtools.mask_filling.edits import Change
from embtools.mask_filling.forward import mask_probabilities
from embtools.paper import additive, claims, edited_words, embedding_math, pronouns
from embtools.paper.measured import HOLDS, PART, Interval, Measured, percent
from embtools.progress import silent
from embtools.statistics.decimals import decimal
from embtools.vectors import unit
from embtools.words import groups
from embtools.words.kinds import same_kind

# The claims about edited words, compared with the Hugging Face pipeline on overwritten rows

ROME = "Rome is the capital of [MASK]."


@pytest.fixture
def edited(bundled, pipelines):  # type: ignore[no-untyped-def]
    """Ask the pipeline with the row of a word overwritten, which is tied to the output, as the author's script does."""
    import torch

    pipe, ids = pipelines["bundled"], bundled.ids
    weight = pipe.model.get_input_embeddings().weight

    def ask(text: str, word: str, minus: str, plus: str, k: int = 5):  # type: ignore[no-untyped-def]
        row = weight[ids[word]].detach().clone()
        with torch.no_grad():
            try:
                weight[ids[word]] = row - weight[ids[minus]] + weight[ids[plus]]
                return pipe(text, top_k=k)
            finally:
                weight[ids[word]] = row

    return ask


@pytest.fixture(scope="module")
def rome(bundled):  # type: ignore[no-untyped-def]
    return edited_words.rome(bundled, progress=silent)


def test_rome_is_what_the_authors_script_finds(rome, edited) -> None:  # type: ignore[no-untyped-def]
    first = edited(ROME, "rome", "italy", "france")[0]
    assert first["token_str"] == "france" and rome.answer.startswith("france ")
    assert rome.figures[0].here == pytest.approx(first["score"], abs=1e-4)
    assert rome.conditions[0].holds


@pytest.mark.slow
def test_every_similar_word_is_subtracted_instead_not_five_of_them(rome, edited, bundled) -> None:  # type: ignore[no-untyped-def]
    """Thirty countries, the nearest first by NumPy; each edit by the author's script."""
    cosines = unit(bundled.matrix) @ unit(bundled.vector("italy")[None])[0]
    lands = sorted(same_kind(bundled.ids["italy"], bundled), key=lambda i: -cosines[i])
    words = [bundled.vocabulary[i] for i in lands if bundled.vocabulary[i] != "france"][:30]
    assert {"spain", "greece", "china"} <= set(words) and not {"italy", "rome"} & set(words)
    answers = [{row["token_str"]: row["score"] for row in edited(ROME, "rome", w, "france", k=500)} for w in words]
    shares = [answer["france"] for answer in answers]
    first = sum(max(answer, key=answer.get) == "france" for answer in answers)
    third = rome.conditions[2]
    reached = sum(share >= rome.figures[0].here for share in shares)
    assert (
        f"was subtracted instead. {reached or 'None'} of them {'reach' if reached > 1 else 'reaches'} "
        in third.evidence
    )
    assert f"france is the top answer with {first} of the words" in third.evidence
    assert (
        f"mean {np.mean(shares):.1%}, highest {max(shares):.1%} with {words[int(np.argmax(shares))]}" in third.evidence
    )
    assert third.holds is (reached == 0)
    assert third.evidence.endswith(f"Rank of the edit: {reached + 1} of 31.") and "p =" not in third.evidence


@pytest.mark.slow
def test_the_verdict_on_rome_does_not_depend_on_a_sample(rome, bundled, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(edited_words, "SEEDS", range(100, 120))
    other = edited_words.rome(bundled, progress=silent)
    assert other.verdict == rome.verdict
    assert [c.holds for c in other.conditions] == [c.holds for c in rome.conditions]


def test_both_scopes_are_named(rome, bundled) -> None:  # type: ignore[no-untyped-def]
    change = Change.of(("rome = rome - italy + france",), "input")
    here = candidates(ROME, bundled, words=["france"], change=change)["probability_after"].iloc[0]
    assert f"only the vector that BERT reads is changed: france {here:.1%}." in rome.answer
    others = re.findall(
        r"With scope “input”, (none|\d+) of the \d+ words reach(?:es)? the probability of the edit \(mean ([\d.]+)%\)",
        rome.conditions[2].evidence,
    )
    own = controls.controls(ROME, bundled, change=change, draws=20, seed=0)
    shares = [
        float(next(mask_probabilities(ROME, bundled, patches=[run.patch]))[0, bundled.ids["france"]])
        for run in own
        if run.name == OTHER_SUBTRACTED
    ]  # twenty of the thirty, as the Arithmetic page draws them
    assert int(others[0][0].replace("none", "0")) >= sum(share >= here for share in shares)
    assert abs(float(others[0][1]) / 100 - np.mean(shares)) < 0.06


def test_the_number_of_the_arithmetic_page_is_named_and_its_link_shows_that_of_the_card(rome, bundled) -> None:  # type: ignore[no-untyped-def]
    """By default the page subtracts five of the thirty words; the link of the claim asks for all of them."""
    from embtools.ui.paper.links import LINKS

    def mean(scope="tied", **options) -> float:  # type: ignore[no-untyped-def]
        change = Change.of(("rome = rome - italy + france",), scope)
        summary = controls.experiment(ROME, bundled, change=change, **options).summary.set_index("control")
        return summary.loc[OTHER_SUBTRACTED, "mean"]

    evidence = rome.conditions[2].evidence
    default = f"by default (mean {mean():.1%}; with scope “input” {mean('input'):.1%})."
    assert f"The Arithmetic page subtracts 5 of them {default}" in evidence
    assert f"(mean {mean(draws=int(LINKS['A2'][1]['arithmetic_draws'])):.1%}, highest" in evidence


def test_pakistan_leaves_its_own_name_out_and_does_not_count_the_added_word(bundled, pipelines, edited) -> None:  # type: ignore[no-untyped-def]
    text = "Pakistan is the south of [MASK]."
    found = edited_words.pakistan(bundled, progress=silent)
    answers = [a for a in pipelines["bundled"](text) if a["token_str"] != "pakistan"]
    assert f"Asia: {answers[0]['token_str']} {answers[0]['score']:.1%}" in found.answer
    assert len(found.figures) == 4 and len(found.conditions) == 4
    for condition, continent in zip(found.conditions, ("africa", "europe", "oceania"), strict=False):
        texts = [a["token_str"] for a in edited(text, "pakistan", "asia", continent) if a["token_str"] != "pakistan"]
        assert condition.evidence.startswith(f"{texts[0]} ")
        if texts[0] == continent:
            assert condition.holds is False and f"; {texts[1]} ranks 2nd with " in condition.evidence
    assert [c.holds for c in found.conditions] == [True, False, True, True]  # europe is answered with asia


def test_a_cased_model_is_queried_in_its_own_spelling(cased) -> None:  # type: ignore[no-untyped-def]
    found = edited_words.rome(cased, progress=silent)
    change = Change.of(("Rome = Rome - Italy + France",), "tied")
    own = controls.experiment(ROME, cased, change=change)
    best = controls.leading(own.answers, 1, 0).iloc[0]
    assert best["token"] in found.answer.split(";")[0] and "France" in found.conditions[0].statement
    here = candidates(ROME, cased, words=["France"], change=change)["probability_after"].iloc[0]
    assert found.figures[0].here == pytest.approx(here)
    edit = ["Pakistan = Pakistan - Asia + Africa"]
    moved = fill_mask("Pakistan is the south of [MASK].", cased, k=2, edits=edit, scope="tied", leave_out=["Pakistan"])
    pakistan = edited_words.pakistan(cased, progress=silent)
    assert f"Africa: {moved['token'].iloc[0]} " in pakistan.answer
    a, b = unit(np.stack([cased.vector("Pakistan"), cased.vector("Asia")]))
    assert f"that of Pakistan and Asia {decimal(a @ b)}." in pakistan.answer


# The claim about the average of he and she, compared with the Hugging Face pipeline


@pytest.mark.slow
def test_pronouns_give_their_own_answers_first(bundled, pipelines) -> None:  # type: ignore[no-untyped-def]
    found = pronouns.pronouns(bundled, progress=silent)
    for word in ("He", "She"):
        first = pipelines["bundled"](f"{word} works as a [MASK].")[0]
        assert f"{word}: {first['token_str']} {first['score']:.1%}" in found.answer
    assert len(found.figures) == 6
    (he,), (she,) = (next(mask_probabilities(f"{word} works as a [MASK].", bundled)) for word in ("He", "She"))
    apart = float(jensenshannon(he, she, base=2)) ** 2
    assert f"he and she differ by {apart:.3f} bits" in found.conditions[1].evidence


def test_a_cased_model_is_asked_about_its_own_pronouns(cased) -> None:  # type: ignore[no-untyped-def]
    change = Change.of(("He = (He + She) / 2",), "tied")
    here = candidates("He works as a [MASK].", cased, words=["lawyer"], change=change)["probability_after"].iloc[0]
    figure = next(f for f in pronouns.pronouns(cased, progress=silent).figures if f.name.startswith("average: lawyer"))
    assert figure.here == pytest.approx(here)


# The claims of "BERT Embedding Math" about vectors, compared with scikit-learn, scipy and NumPy


@pytest.fixture(scope="module")
def known(bundled):  # type: ignore[no-untyped-def]
    """The cities of Figure 1 that are one token, with their countries and vectors."""
    rows = [(w, c) for c, words in groups.preset(groups.FIGURE_1) for w in words if len(bundled.pieces(w)) == 1]
    frame = pd.DataFrame(rows, columns=["city", "country"])
    return frame, np.stack([bundled.vector(city) for city in frame["city"]]).astype(np.float64)


def test_cities_have_neighbours_of_their_own_country(bundled, known) -> None:  # type: ignore[no-untyped-def]
    frame, vectors = known
    cosines = cosine_similarity(vectors)
    np.fill_diagonal(cosines, -2)
    same = int((frame["country"].to_numpy()[cosines.argmax(axis=1)] == frame["country"]).sum())
    found = embedding_math.cities(bundled, progress=silent)
    assert f"for {same} of {len(frame)} cities (" in found.answer


def test_few_directions_hold_half_of_the_differences_between_countries(bundled, known) -> None:  # type: ignore[no-untyped-def]
    """By hand: components, then the sum of squares between countries, added up from the largest component on."""
    frame, vectors = known
    several = frame.groupby("country")["city"].transform("size").to_numpy() > 1
    x, countries = PCA(int(several.sum()) - 1).fit_transform(vectors[several]), frame["country"][several].to_numpy()
    between = np.zeros(x.shape[1])
    for country in set(countries):
        mine = x[countries == country]
        between += len(mine) * (mine.mean(0) - x.mean(0)) ** 2
    count = int((np.sort(between)[::-1].cumsum() < between.sum() / 2).sum()) + 1
    found = embedding_math.cities(bundled, progress=silent)
    assert f"{count} directions hold half" in found.answer
    least = int(re.search(r"compared with (\d+) to", found.conditions[1].evidence)[1])
    assert found.conditions[1].holds is (count < least)


def test_formulas_stay_with_the_word_they_began_with(bundled) -> None:  # type: ignore[no-untyped-def]
    king, man, woman = (bundled.vector(word) for word in ("king", "man", "woman"))
    cosines = unit(bundled.matrix) @ unit((king - man + woman)[None])[0]
    assert bundled.vocabulary[int(np.where(bundled.rankable, cosines, -2).argmax())] == "king"
    found = embedding_math.analogies(bundled, progress=silent)
    assert f"Nearest to king − man + woman: king {cosines.max():.2f}" in found.answer and all(
        c.holds for c in found.conditions
    )


def test_the_interval_of_colours_is_the_jackknife_over_them(bundled) -> None:  # type: ignore[no-untyped-def]
    """Leaving out each colour in turn, with coloraide's differences between colours."""
    from coloraide import Color

    table = dict(zip(wordlists.load("colours")["colour"], wordlists.load("colours")["hex"], strict=True))
    words = [word for word in groups_of_colours() if len(bundled.pieces(word)) == 1]
    cosines = cosine_similarity([bundled.vector(word) for word in words])
    colours = [Color(table[word]).convert("lab-d65") for word in words]
    eye = np.array([[-a.delta_e(b, method="2000") for b in colours] for a in colours])

    def rho(keep: np.ndarray) -> float:
        i, j = np.triu_indices(len(keep), 1)
        return float(spearmanr(cosines[keep[i], keep[j]], eye[keep[i], keep[j]]).statistic)

    n = len(words)
    whole, parts = rho(np.arange(n)), [rho(np.delete(np.arange(n), i)) for i in range(n)]
    half = 1.96 * np.sqrt((n - 1) / n * np.sum((np.array(parts) - np.mean(parts)) ** 2))
    found = embedding_math.colours(bundled, progress=silent)
    text = f"ρ = {whole:.2f} (95% interval {whole - half:.2f} to {whole + half:.2f}".replace("-", "−")
    assert text in found.answer and found.conditions[2].evidence.startswith(text)


def groups_of_colours() -> list[str]:
    from embtools.similarity.matrix import preset

    return list(preset("Colours"))


def test_colours_name_the_condition_that_fails(bundled, pipelines) -> None:  # type: ignore[no-untyped-def]
    found = embedding_math.colours(bundled, progress=silent)
    assert [c.statement for c in found.conditions if not c.holds] == ["A sheep is more likely to be black than white."]
    answers = pipelines["bundled"]("The sheep is [MASK].", targets=["black", "white"])
    share = {row["token_str"]: row["score"] for row in answers}
    assert f"black is {share['black'] / share['white']:.2g} times" in found.answer


# Claim A7: searches against the Arithmetic page's analogies, differences against plain means, and its verdict


@pytest.fixture(scope="module")
def run(bundled):  # type: ignore[no-untyped-def]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(additive, "PAIRS", 6)
        patch.setattr(additive, "OTHERS", 2)
        yield additive.many_capitals(bundled)


def test_a_search_is_that_of_the_arithmetic_page(run, bundled) -> None:  # type: ignore[no-untyped-def]
    found = additive._searches(run, bundled)
    assert len(found) == 12 - run.cases["already"].sum() // 18
    capitals = {b: a for a, b in additive.relation("capital").pairs}
    lands = dict(additive.relation("capital").pairs)
    for row in found.itertuples():
        table = analogy(f"{row.a} - {lands[row.a]} + {row.c}", bundled, expected=capitals[row.c]).set_index("method")
        assert row.kept == (table.loc["3CosAdd", "rank_kept"] == 1)
        assert row.excluded == (table.loc["3CosAdd", "rank_excluded"] == 1)
        # Without the country alone, and without the two other words.
        assert row.alone == (table.loc[f"nearest to {row.c} alone", "rank_excluded"] == 1)


def test_differences_are_means_over_the_same_cases(run) -> None:  # type: ignore[no-untyped-def]
    control = str(run.strongest["condition"])
    for measure in ("efficacy", "paraphrase"):
        value, low, high = additive._against(run, measure, control)
        expected = run.rate(measure, "edit")["rate"] - run.rate(measure, control)["rate"]
        assert value == pytest.approx(expected) and low <= value <= high


def test_the_claim_holds_if_search_fails_and_edits_work() -> None:
    names = ("kept", "excluded", "alone", "edit", "control", "paraphrase", "paraphrase control")
    rates = {name: Interval(0.5, 0.4, 0.6) for name in names}
    good = {"search": Interval(-0.9, -1, -0.8), "sum": Interval(0, -0.05, 0.05), "edit": Interval(0.3, 0.2, 0.4),
            "paraphrase": Interval(0.3, 0.2, 0.4)}  # fmt: skip
    assert additive.judge_additive(rates, good, 200, 40, "x").verdict == HOLDS
    found = additive.judge_additive(rates, good | {"sum": Interval(0.4, 0.3, 0.5)}, 200, 40, "x")
    assert found.verdict == PART and "difference 40.0 points (95% interval 30 to 50)." in found.conditions[1].evidence
    assert "−90.0 points (95% interval −100 to −80)" in found.conditions[0].evidence


def test_many_words_are_put_next_to_the_single_case(run, tiny, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    text = additive.over_many(run)
    rate = run.rate("efficacy", "edit")
    assert text.startswith(
        f"Such an edit (scope “input”) was tried in {int(rate['n'])} cases with 6 words. It changes the answer in "
    )
    new = run.cases["c"].nunique()
    wide = rate["high"] - rate["low"] > additive.WIDE
    assert "; the strongest control, " in text
    assert text.endswith(
        "%)." if not wide else f"%). Only {new} different words were added, which is too few to estimate this rate."
    )
    monkeypatch.setattr(additive, "WIDE", rate["high"] - rate["low"] + (0.1 if wide else -0.1))
    assert ("too few" in additive.over_many(run)) == (not wide)
    alone = replace(run, cases=run.cases[run.cases["condition"] == "edit"])
    assert "control" not in additive.over_many(alone)
    monkeypatch.setattr(claims, "measures", lambda: {"A2": lambda model, progress: Measured("yes")})
    monkeypatch.setattr(claims, "batteries", lambda: {"A2": lambda model, progress: text})
    assert claims.measure("A2", tiny).many == text

    def refused(model, progress):  # type: ignore[no-untyped-def]
        raise ValueError("no words")

    monkeypatch.setattr(claims, "batteries", lambda: {"A2": refused})
    assert claims.measure("A2", tiny) == Measured("yes")


@pytest.mark.slow
def test_the_whole_claim_is_measured(bundled) -> None:  # type: ignore[no-untyped-def]
    found = additive.additive(bundled, progress=silent)
    run = additive.many_capitals(bundled)
    counted = run.cases[~run.cases["already"]].groupby(["measure", "condition"])["changed"].mean()
    strongest = counted["efficacy"].drop("edit").idxmax()
    for measure, condition in product(("efficacy", "paraphrase"), ("edit", strongest)):
        assert f" {percent(counted[measure, condition])} (95% interval " in found.answer
    assert len(found.conditions) == 4 and f"{len(additive._searches(run, bundled))} cases with " in found.answer
