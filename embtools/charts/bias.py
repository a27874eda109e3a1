"""Charts of the Bias page: answers by group, scores of occupations, swapped sentences, tests, mitigation methods."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from embtools.bias.answers_by_group import AVERAGE, GroupAnswers
from embtools.bias.counterfactual import Counterfactual
from embtools.bias.methods import Methods
from embtools.bias.mitigated import CONTROLS
from embtools.bias.occupations import Occupations
from embtools.bias.published_tests import PublishedTests
from embtools.charts import labels
from embtools.charts.axes import Axis, Look, Names, looks
from embtools.charts.plot import SILENT, Plot
from embtools.charts.style import BLUE, COLOURS, GREY, TITLE, VERMILLION, floats, label, saved, symbol, wrap
from embtools.messages import counted, shortened
from embtools.statistics.association import Association
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded
from embtools.vectors import Array
from embtools.words.word_sets import SHORT

_NAMED, _ROOM = 24, (240, 250)  # labels of the scatter plot (more would overlap); pixels of the narrowest one
_TESTS = [f"{number} {name}" for number, name in SHORT.items()]
_NO_LINE = {"zeroline": False}  # there is a rule, or zero means nothing
_AROUND_ZERO = Axis(symmetric=True, room=(0.03, 0.03), more=_NO_LINE)
_BY_LABELS = Axis(room=(0, 0), fit=True, more=_NO_LINE)
_LOWEST = {"legend": {"xref": "container"}}  # the legend begins below the labels of the rows
_BOTH = {"first": Look("first sentence", BLUE), "second": Look("swapped sentence", VERMILLION, "square")}
_METHOD, _CONTROL = Look("method", BLUE), Look("control", VERMILLION, "diamond-open")
_LINES = 5  # of labels in each row of an association test
_LETTER, _WIDTH = 7, 560  # px: of a letter, and of the axis in a narrow window


def answers(result: GroupAnswers) -> Plot:
    """The answers for every group and for their average."""
    first = result.answers[result.answers["rank"] == 1]
    parts = [f"{row.token} ({rounded(row.probability, 1)}) for {row.column}" for row in first.itertuples()]
    alt = f"Probability of each word at the mask, by group. The top answers are {', '.join(parts)}."
    # Each group has its own colour and shape; from the ninth on, colours repeat with other shapes.
    groups = {
        name: Look(name, GREY, "circle-open") if name == AVERAGE else Look(name, COLOURS[n % len(COLOURS)], symbol(n))
        for n, name in enumerate(result.union.columns.drop("token"))
    }
    return _dumbbells(result.union, alt, groups)


def _dumbbells(frame: pd.DataFrame, alt: str, groups: Mapping[str, Look]) -> Plot:
    """One row per token, with a mark per group at its probability and a line from the lowest to the highest."""
    values = frame[list(groups)]
    room = min(30, max(21, 230 // max(len(frame), 1)))  # pixels per word: ten words should be visible without scrolling
    # A mark at zero is not cut off.
    x = Axis("probability at the mask", ".1~%", ".1%", least=(0,), room=(0.02, 0.06), fit=True, more={"title": None})
    layout = {"barmode": "overlay", "margin": {"b": 67}, **saved(xaxis=x.title, yaxis="answer")}
    plot = Plot(frame, alt, x, Names(list(frame["token"]), "answer"), 100 + room * len(frame), layout=layout)
    lines = pd.DataFrame({"token": frame["token"], "length": values.max(axis=1) - values.min(axis=1)})
    silent = {"width": 0.1, "showlegend": False, **SILENT}
    plot = plot.bars("length", "token", Look(""), rows=lines, more={"base": floats(values.min(axis=1)), **silent})
    for column, look in groups.items():
        ring = {"marker": {"size": 15, "line": {"width": 3}}} if look.symbol == "circle-open" else {}
        plot = plot.dots(column, "token", look, hover="{token}: {x} ({name})", more=ring)
    return plot


def curve(frame: pd.DataFrame, now: float, averaged: Sequence[str]) -> Plot:
    """One line per word over the weight of the average, from only the first of the `averaged` groups to the others."""
    tokens = dict(list(frame.groupby("token", sort=False)))
    parts = []
    for token, rows in tokens.items():
        values = rows["probability"].to_numpy()
        parts.append(
            f"{token} {rounded(values[0], 1)}, {rounded(values[len(values) // 2], 1)}, {rounded(values[-1], 1)}"
        )
    alt = "Probabilities for only the first group, the equal average and only the others: " + "; ".join(parts) + "."
    others = averaged[1] if len(averaged) == 2 else "the others"
    ends = [f"only {label(averaged[0])}", "equal", f"only {label(others)}"]
    x = Axis(range=(-1.04, 1.04), more={"tickvals": [-1, 0, 1], "ticktext": ends})
    y = Axis("probability", ".1~%", ".1%", least=(0,), room=(0, 0.06), more={"rangemode": "tozero"})
    margin = {"t": 28, "r": 48, "b": 62}  # room for the last tick's text, which plotly hides otherwise
    layout = {"hovermode": "x unified", "margin": margin, **saved(xaxis="weight of the average")}
    plot = Plot(frame, alt, x, y, 340, layout=layout)
    for token, look in looks(list(tokens)).items():
        hover = "{y}<extra>{name}</extra>"
        plot = plot.lines("weight", "probability", look, rows=tokens[token], marks=False, hover=hover)
    return plot.rule(x=now)


def ranges(result: Occupations, every: bool = False) -> Plot:
    """One row per word: its mean score and its range, hollow if the sentences disagree, the highest score on top."""
    (first, second), drawn = result.names, result.summary if every else result.ends
    words = list(drawn["occupation"])[::-1]
    title = wrap(f"← {first} · score (nats) · {second} →", TITLE)
    x = replace(_AROUND_ZERO, title=title, hover="+.2f")
    rows = Names(words, "occupation", [shortened(word) for word in words], 99)
    height = 110 + (20 if len(drawn) <= 12 else 18) * len(drawn)
    plot = Plot(result.summary, _ranges_alt(result.summary, first, second), x, rows, height, layout=_LOWEST)
    agree, low = drawn["same_side"], drawn["score"] < 0
    for look, part in (
        (Look(f"leans towards {first}", BLUE), agree & low),
        (Look(f"leans towards {second}", VERMILLION, "diamond"), agree & ~low),
        (Look("sentences disagree", GREY, "circle-open"), ~agree),
    ):
        if part.any():
            ends, hover = ("lowest", "highest"), "{occupation}: {x}"
            bare = {"error_x": {"width": 0}}  # a range, not an interval
            plot = plot.dots("score", "occupation", look, rows=drawn[part], ends=ends, hover=hover, more=bare)
    return plot.rule(x=0)


def _ranges_alt(summary: pd.DataFrame, first: str, second: str) -> str:
    low, high = summary.iloc[0], summary.iloc[-1]
    ends = (
        f"{decimal(row['score'], signed=True)} ({row['occupation']}, towards {first if row['score'] < 0 else second})"
        for row in (low, high)
    )
    if len(summary) == 1:
        return f"Score of 1 word: {next(ends)}."
    return f"Scores of {len(summary)} words, from {' to '.join(ends)}."


def agreement(result: Occupations) -> Plot:
    """Scatter plot of two measures of the same words: the projection on the direction, and the score in sentences."""
    (first, second), both = result.names, result.both
    spread = both[["projection", "score"]].to_numpy(np.float64)
    pixel = np.maximum(np.ptp(spread, axis=0), 1e-9) / _ROOM
    ends = np.array(labels.ends(spread / pixel, _ROOM)) * pixel[:, None]  # with room for the labels
    what = ("cosine with the direction, minus the mean", ".3f"), ("score in sentences", ".2f")
    x, y = (
        replace(_BY_LABELS, title=wrap(f"← {first} · {title} · {second} →", TITLE), hover=form, least=tuple(least))
        for (title, form), least in zip(what, ends.tolist(), strict=True)
    )
    plot = Plot(both, f"{_agreement_alt(both, first, second)} {result.agreement}", x, y, 340)
    # Only extreme words are labelled, because more labels would overlap. The others show their name on hover.
    order = (-(_rank(both["projection"]) ** 2 + _rank(both["score"]) ** 2)).argsort().tolist()
    shown = labels.arranged(spread / pixel, [round(1.4 * len(w)) for w in both["occupation"]], order[:_NAMED], _ROOM)
    numbered = both.reset_index(drop=True)
    for agree, look in (
        (True, Look("all sentences agree", BLUE)),
        (False, Look("sentences disagree", GREY, "circle-open")),
    ):
        plot = plot.dots(
            "projection",
            "score",
            look,
            rows=numbered[numbered["same_side"] == agree],
            text="occupation",
            spots=shown,
            hover="{occupation}: projection {x}, score {y}",
        )
    return replace(plot.rule(y=0).rule(x=0), spans=plot.spans)  # a side without words has no room


def _agreement_alt(both: pd.DataFrame, first: str, second: str) -> str:
    low, high = (both.loc[both["score"].agg(which)] for which in ("idxmin", "idxmax"))
    ends = (f"{row['occupation']} ({first if row['score'] < 0 else second})" for row in (low, high))
    if len(both) == 1:
        return f"1 word by projection and score: {next(ends)}."
    return f"{len(both)} words by projection and score. The lowest score is {next(ends)}, the highest {next(ends)}."


def _rank(values: pd.Series) -> Array:
    """Ranks from -1 to 1: extreme words are labelled first."""
    return (2 * (values.rank() - 1) / max(len(values) - 1, 1) - 1).to_numpy()


def published_effects(result: PublishedTests) -> Plot:
    """One row per published test that has an effect in this model: that with its interval, and the published one."""
    alt = f"Effect sizes of the published tests on this model. {result.clear}"
    rows = result.frame.assign(row=_TESTS[: len(result.frame)]).dropna(subset="effect")
    x = replace(_AROUND_ZERO, title="effect size d", hover=".2f")
    plot = Plot(result.frame, alt, x, Names(list(rows["row"]), "published test"))
    published = Look("published (GloVe)", VERMILLION, "x-thin-open")
    plot = plot.dots("published", "row", published, rows=rows, hover="{row}: {x} (published)")
    here = Look("this model, with 95% interval", BLUE)
    return plot.dots("effect", "row", here, rows=rows, ends=("low", "high"), hover="{row}: {x}").rule(x=0)


def swapped_words(result: Counterfactual) -> Plot:
    """Change in the log probability of each shared word after the swap (nats), in the order of the sentence."""
    words, changes = result.words, result.words["change"]
    strongest = words.loc[changes.abs().idxmax()]
    alt = (
        f"Changes in the log probability of {counted(len(words), 'shared word')}. The sum is"
        f" {decimal(changes.sum(), signed=True)} nats; the largest change is"
        f" {decimal(strongest['change'], signed=True)} for {strongest['word']}."
    )
    x = Names(range(len(words)), "word", list(words["word"]), 99, more={"tickangle": None})
    y = replace(_AROUND_ZERO, title="change in log probability (nats)", hover="+.2f", more={"zeroline": True})
    layout = {"barmode": "overlay", "bargap": 0.35, "margin": {"b": 68}}  # for names that slant
    plot = Plot(words, alt, x, y, 320, layout=layout)
    for look, part in (
        (Look("fits the first sentence better", BLUE), changes < 0),
        (Look("fits the swapped sentence better", VERMILLION), changes >= 0),
    ):
        rows = words.assign(place=range(len(words)))[part]
        hover = "{word}: {y}<br>log probability {first:.2f} (first) and {second:.2f} (swapped)"
        plot = plot.bars("place", "change", look, rows=rows, hover=hover)
    return plot


def swapped_answers(result: Counterfactual) -> Plot:
    """The answers at the mask of both sentences."""
    frame = result.answers
    if frame is None:
        raise ValueError("The sentence has no [MASK], so there are no answers to draw. Put one into it.")
    best = [frame.loc[frame[sentence].idxmax(), "token"] for sentence in _BOTH]
    alt = (
        f"Probabilities of {len(frame)} words at the mask. The top answer is {best[0]} in the first sentence and"
        f" {best[1]} in the swapped one."
    )
    return _dumbbells(frame, alt, _BOTH)


def gains(result: Methods) -> Plot:
    """The difference between the answers for the first pair after each method."""
    first, second = (word[:12] for word in result.pair)
    return _methods(result.gains, "gap", f"gap between {first} and {second} (nats)")


def costs(result: Methods) -> Plot:
    """The change of acceptable answers in neutral sentences after each method."""
    return _methods(result.summary, "log_change", "change in neutral sentences (nats)")


def residual_bias(result: Methods) -> Plot:
    """The share of words that are assigned to their old side after each method, and by chance."""
    plot = _methods(result.residuals, "accuracy", "words assigned correctly", 0.5, ".0%")
    chance, hover = Look("chance", GREY, "x-thin-open"), "{method}: {x} (chance: shuffled)"
    return plot.dots("shuffled", "method", chance, hover=hover)


def _methods(frame: pd.DataFrame, column: str, title: str, neutral: float = 0.0, form: str = ".2f") -> Plot:
    """One row per method with its value and, if known, its interval; `neutral` is the value without any change."""
    values = (f"{method} {decimal(value, 3)}" for method, value in zip(frame["method"], frame[column], strict=True))
    x = Axis(label(title), form, form, room=(0.06, 0.06), more={"nticks": 5, **_NO_LINE})
    layout = {**_LOWEST, "margin": {"b": 116}}  # room for a legend of two lines, so that rows of three charts align
    names = Names(list(frame["method"]), "method")
    plot = Plot(frame, f"{title}: {'; '.join(values)}.", x, names, 112 + 28 * len(frame), layout=layout)
    control, ends = frame["method"].isin(CONTROLS), ("low", "high") if "low" in frame else None
    for look, rows in ((_METHOD, frame[~control]), (_CONTROL, frame[control])):
        plot = plot.dots(column, "method", look, rows=rows, ends=ends, hover="{method}: {x}")
    return plot.rule(x=neutral)


def sides(points: pd.DataFrame, method: str, pair: tuple[str, str]) -> Plot:
    """Map of words after a method, coloured and shaped by the side they leaned towards before."""
    alt = (
        f"Map of {len(points)} words on two principal components after “{method}”, marked by the side they leaned"
        " towards before."
    )
    x, y = (Axis(f"{number} principal component", more=_NO_LINE) for number in ("first", "second"))
    plot = Plot(points, alt, x, y, 430)
    for side, name in enumerate(pair if method not in CONTROLS else ("one end", "the other end")):
        look = Look(f"leaned towards {name}", COLOURS[side], ("circle", "diamond")[side])
        rows, pale = points[points["side"] == side], {"marker": {"opacity": 0.8}}
        plot = plot.dots("x", "y", look, rows=rows, hover="{word}", size=8, more=pale)
    return plot


def association(result: Association, *others: Association) -> Plot:
    """Each target word at its association, X above and Y below, on the axis of the charts of all these results."""
    scores, (x_name, y_name, a_name, b_name) = result.scores, result.names
    means = scores.groupby("set")["association"].mean()
    highest, lowest = scores.iloc[[0, -1]]["word"]
    alt = (
        f"Associations of {len(scores)} words. The mean is {decimal(means['X'], 3, signed=True)} for X and"
        f" {decimal(means['Y'], 3, signed=True)} for Y. {highest} has the highest association and {lowest} the lowest."
    )
    every = np.concatenate([each.scores["association"] for each in (result, *others)])
    low, high = float(every.min()), float(every.max())
    room = 0.16 * max(high - low, 1e-6)  # for the labels at both ends
    title = wrap(f"← {b_name} (B) · association · {a_name} (A) →", TITLE)
    x = Axis(title, hover="+.3f", range=(low - room, high + room), more={"zeroline": False})
    rows = Names(["X", "Y"], "target words")
    plot = Plot(scores, alt, x, rows, 310)
    for number, look in enumerate((Look(f"X: {x_name}", BLUE), Look(f"Y: {y_name}", VERMILLION, "diamond"))):
        row = rows.names[number]
        group = scores[scores["set"] == row].sort_values("association")
        outward = np.where(group["association"] < means[row], -1, 1)  # no label crosses the line at the mean
        heights, free = _heights(group, outward, (high - low + 2 * room) / _WIDTH)
        plot = plot.dots(
            "association",
            "set",
            look,
            rows=group,
            shift=-heights,
            text=[label(str(word)) if there else "" for word, there in zip(group["word"], free, strict=True)],
            hover="{word}: {x}",
            more={"textposition": ["middle left" if side < 0 else "middle right" for side in outward]},
        )
        mean = Look(f"mean of {row}", look.colour, dash="dash")
        plot = plot.segment(mean, (means[row], means[row]), (number + 0.38, number - 0.38))
    return plot.rule(x=0)


def _heights(group: pd.DataFrame, outward: Array, pixel: float) -> tuple[Array, Array]:
    """The heights of the words of a row, and which of them have room for a label; `pixel` is its width on the axis."""
    count = min(len(group), _LINES)
    lines, free = np.zeros(len(group)), np.ones(len(group), bool)
    values = group["association"].to_numpy()
    for side in (-1, 1):
        reached, taken = np.full(count, -np.inf), 0
        for i in sorted(np.flatnonzero(outward == side), key=lambda i: side * values[i]):
            at, width = side * values[i], _LETTER * (len(str(group["word"].iloc[i])) + 2) * pixel
            rooms = np.flatnonzero(reached <= at)
            free[i] = len(rooms) > 0
            line = rooms[np.argmin((rooms - taken) % count)] if free[i] else int(reached.argmin())
            if free[i]:
                reached[line] = at + width
            lines[i], taken = line, line + 1
    return (lines - (count - 1) / 2) * 0.6 / max(count - 1, 1), free
