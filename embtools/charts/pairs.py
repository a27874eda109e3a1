"""Charts of the Pairs page: next sentences, similar texts, answers to questions and many pairs."""

from dataclasses import replace

import numpy as np
import pandas as pd

from embtools.charts.axes import Axis, Look, Names
from embtools.charts.plot import Plot
from embtools.charts.style import BLUE, GREEN, GREY, LINES, SLATE, VERMILLION, tint
from embtools.layer_combinations import SECOND_TO_LAST, SENTENCE_POOLINGS
from embtools.pairs.batch import Batch
from embtools.pairs.next_sentence import RANDOM, TOPIC, WRITTEN, NextSentence, percent
from embtools.pairs.questions import Answers, right_answer
from embtools.pairs.text_similarity import Similarity
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded
from embtools.words.overlap import CONTROL

_KINDS = {
    "follows (yes)": Look("", BLUE, "circle"),
    "does not follow (no)": Look("", VERMILLION, "diamond"),
    "no label": Look("", SLATE, "square"),
    "shuffled pairs": Look("", GREY, "x"),
}
_BINS, _SHOWN = 26, 6
_POOLING = SENTENCE_POOLINGS[1]


def controls(result: NextSentence) -> Plot:
    """One bar for the pair and for each control (the mean if several sentences were drawn, with a dot for each)."""
    summary, drawn = result.summary, result.runs[result.runs["control"].isin([TOPIC, RANDOM])]
    counts = dict(zip(summary["control"], summary["pairs"], strict=True))
    named = {
        TOPIC: f"{counts.get(TOPIC)} on the topic “{result.topic}”",
        RANDOM: f"{counts.get(RANDOM)} random sentences",
    }
    texts = [
        f"{named[row.control]}: {_percent(row.probability)}" if row.control in named else row.control
        for row in summary.itertuples()
    ]
    x = Axis("probability that it follows", ".0%", ".1%", range=(0, 1.06), more={"dtick": 0.25})
    y = Names(list(summary["control"]), "second sentence", texts, wide=24)
    layout = {"barmode": "overlay", "bargap": 0.35, "margin": {"r": 48}}
    plot = Plot(summary, _controls_alt(summary), x, y, 90 + 46 * len(summary), layout=layout)
    own = summary["control"] == WRITTEN
    for rows, look, fill in (
        (summary[own], Look("the pair", BLUE), BLUE),
        (summary[~own], Look("controls (mean)", GREY), tint(GREY, 0.25)),
    ):
        text = ["" if row.control in named else _percent(row.probability) for row in rows.itertuples()]
        marker = {"color": fill, "line": {"color": look.colour, "width": 1.5}}
        plot = plot.bars("probability", "control", look, rows=rows, text=text, hover="{x}", more={"marker": marker})
    shift = np.random.default_rng(0).uniform(-0.26, 0.26, len(drawn))
    pale, hover = {"marker": {"opacity": 0.7}}, "{second:50/}<br>{x}"
    each = Look("each control sentence", VERMILLION)
    plot = plot.dots("probability", "control", each, rows=drawn, shift=shift, hover=hover, size=5, more=pale)
    return plot.rule(x=float(summary["probability"].iloc[0]), colour=SLATE)


def _controls_alt(summary: pd.DataFrame) -> str:
    names = {TOPIC: "mean of sentences on the same topic", RANDOM: "mean of random sentences"}
    own, *rest = summary.itertuples()
    others = (f"{names.get(row.control, row.control)} {percent(row.probability)}" for row in rest)
    return f"The pair has a next-sentence probability of {percent(own.probability)}. Controls: {', '.join(others)}."


def _percent(value: float) -> str:
    return percent(value).replace("over ", ">").replace("under ", "<")


def strips(result: Batch) -> Plot:
    """One row per kind of pair with one mark per pair and a line at the mean; a dotted line at 50%."""
    frame = result.frame
    shuffled = frame.dropna(subset="shuffled").assign(
        probability=lambda f: f["shuffled"], second="second sentence of another pair"
    )
    parts = (frame[frame["label"] == "yes"], frame[frame["label"] == "no"], frame[frame["label"] == ""], shuffled)
    kinds = {name: rows for name, rows in zip(_KINDS, parts, strict=True) if len(rows)}
    means = {name: float(rows["probability"].mean()) for name, rows in kinds.items()}
    alt = "; ".join(f"{name}: {len(rows)} with a mean of {rounded(means[name])}" for name, rows in kinds.items())
    alt = f"Next-sentence probabilities of the pairs, by kind. {alt}."
    title = "probability that the second sentence follows"
    x = Axis(title, ".0%", range=(-0.02, 1.02), more={"dtick": 0.25})
    plot = Plot(frame, alt, x, Names(list(kinds), "kind of pair"), 70 + 70 * len(kinds), legend=False)
    rng = np.random.default_rng(0)
    for row, (name, rows) in reversed(list(enumerate(kinds.items()))):
        said = rows.assign(kind=name, both=rows["first"] + " | " + rows["second"])
        pale, hover = {"marker": {"opacity": 0.8}}, "{both:50/}<br>{x:.1%}"
        shift, mean = rng.uniform(-0.28, 0.28, len(rows)), {"x0": means[name], "x1": means[name]}
        plot = plot.dots("probability", "kind", _KINDS[name], rows=said, shift=shift, hover=hover, size=8, more=pale)
        line = {"type": "line", "y0": row - 0.4, "y1": row + 0.4, "line": {"color": _KINDS[name].colour, "width": 4}}
        plot = replace(plot, shapes=(*plot.shapes, mean | line))
    return plot.rule(x=0.5, colour=SLATE)


def random_cosines(
    result: Similarity,
    combination: str = SECOND_TO_LAST,
    pooling: str = _POOLING,
    other: Similarity | None = None,
) -> Plot:
    """Histograms of the cosines of random pairs, in bins that also cover an `other` result, and the texts' cosine."""
    pairs, cosine = result.random(combination, pooling), result.cosine(combination, pooling)
    results = [each for each in (result, other) if each]
    found = [(*each.random(combination, pooling)["cosine"], each.cosine(combination, pooling)) for each in results]
    low, high = min(map(min, found)), max(map(max, found))
    edges = np.linspace(low, max(high, low + 1e-6), _BINS + 1)
    kinds = list(pairs.groupby("pair", sort=False)["cosine"])
    parts = (
        f"Random pairs ({kind}) have a mean cosine of {decimal(rows.mean())} (range {decimal(rows.min())} to"
        f" {decimal(rows.max())})."
        for kind, rows in kinds
    )
    alt = f"The two texts have a cosine of {decimal(cosine)}. {' '.join(parts)}"
    x = Axis("cosine", hover=".2f", least=(low, high), fit=True, room=(0.02, 0.02))
    y = Axis("share of pairs", ".0%", ".1%", least=(0.0,), fit=True, room=(0, 0.2))  # the label is above the curves
    plot = Plot(pairs, alt, x, y, 330)
    for (kind, rows), colour, dash in zip(kinds, (GREY, VERMILLION), LINES, strict=False):
        counts, _ = np.histogram(rows, edges)
        bins = pd.DataFrame({"cosine": (edges[1:] + edges[:-1]) / 2, "share": counts / len(rows)})
        look, more = Look(f"random pairs: {kind}", colour, dash=dash), {"line": {"shape": "hvh"}}
        hover = "cosine {x}: {y} of the pairs"
        plot = plot.lines("cosine", "share", look, rows=bins, marks=False, hover=hover, more=more)
    side, shift = ("right", -4) if cosine > (low + high) / 2 else ("left", 4)  # clear of the thick line
    note = {"xanchor": side, "yanchor": "top", "y": 1, "xshift": shift, "font": {"color": BLUE, "size": 13}}
    return plot.rule(f"your two texts: {decimal(cosine)}", x=cosine, colour=BLUE, dash="solid", width=4, note=note)


def answers(result: Answers, combination: str = SECOND_TO_LAST, pooling: str = _POOLING) -> Plot:
    """One bar for each of the best answers; a star marks the right one, diamonds show the control without a model."""
    ranking = result.ranked(combination, pooling)
    rows = ranking.head(_SHOWN).assign(row=range(min(_SHOWN, len(ranking))))
    alt = f"Bar chart of the {len(rows)} answers most similar to the question. The first is: {rows['answer'].iloc[0]}"
    x = Axis("cosine with the question", room=(0.06, 0.06))
    y = Names(range(len(rows)), "answer", list(rows["answer"]), wide=30, lines=2)
    plot = Plot(ranking, alt, x, y, 100 + 41 * len(rows), layout={"bargap": 0.35, "barmode": "overlay"})
    right = rows["answer"] == right_answer(result.questions[0])
    star = {"text": "★", "textposition": "inside"}
    plot = plot.bars("cosine", "row", Look("cosine", BLUE), rows=rows[~right], hover="cosine {x}")
    own = Look("cosine of the right answer ★", GREEN)
    plot = plot.bars("cosine", "row", own, rows=rows[right], hover="cosine {x}", more=star)
    return plot.dots("shared_words", "row", Look(CONTROL, VERMILLION, "diamond-open"), rows=rows)
