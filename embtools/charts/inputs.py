"""Charts of the Inputs page: a token's terms, the embedding matrix, positions, and the vocabulary."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from embtools.charts.axes import Axis, Look, Names, Shades
from embtools.charts.labels import arranged
from embtools.charts.plot import Plot
from embtools.charts.style import BLUE, DIVERGING, GREY, INK, VERMILLION, floats, label, saved
from embtools.inputs.comparison import Arrangements
from embtools.inputs.input_terms import NORMED, SEGMENT, SUM, TOKEN, Terms
from embtools.inputs.lookup import RoundTrip, percentage
from embtools.inputs.position_vectors import Positions
from embtools.inputs.vocabulary import Listing
from embtools.messages import counted
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded
from embtools.vectors import Array

_SIGNS = {TOKEN: "", SUM: "= ", NORMED: "→ "}
_ROOM = (300, 240)  # pixels that the named positions have at least, in a narrow window
_LEFT = 84  # pixels for the labels of the strips; titles begin at the left edge


@dataclass(frozen=True)
class Strips:
    """Vectors (r, d) under a title, each with a short label."""

    title: str
    labels: tuple[str, ...]
    values: Array
    scale: str


def terms(result: Terms, alike: Sequence[Terms] = ()) -> Plot:
    """Each term at both positions, and the difference, as strips; charts of results that are `alike` share colours."""
    groups = [_term_groups(each) for each in alike or [result]]
    return _strips(_term_groups(result), groups, result.numbers, _terms_alt(result))


def _term_groups(result: Terms) -> list[Strips]:
    groups = []
    for i, row in enumerate(result.table.itertuples()):
        name, vectors = str(row.term), result.vectors[:, i]
        labels = tuple(_place(result, number) for number in range(len(vectors)))
        title = f"{_SIGNS.get(name, '+ ')}{'layer norm (enters the encoder)' if name == NORMED else name}"
        if len(vectors) == 1:
            title += f" · length {row.length_1:.2f}"
        elif row.same:
            title += " · no difference"
        else:
            title += f" · cosine {decimal(row.cosine)}, distance {row.distance:.2f}"
            labels, vectors = (*labels, "difference"), np.stack([*vectors, vectors[0] - vectors[1]])
        groups.append(Strips(title, labels, vectors, NORMED if name == NORMED else SUM))
    return groups


def _strips(
    groups: Sequence[Strips], alike: Sequence[Sequence[Strips]], frame: pd.DataFrame, alt: str, row: int = 22
) -> Plot:
    """Groups of strips below each other; those of one scale have the same colours in all charts that are alike."""
    ticks, plot = dict[int, str](), Plot(frame, alt)
    for group in groups:
        top = max(ticks, default=-1) + 1
        note = {"x": 0, "xref": "paper", "xshift": -_LEFT, "xanchor": "left", "y": top, "yanchor": "middle"}
        plot = plot.note(label(group.title), **note, font={"color": INK, "size": 13})
        ticks |= {top + number: label(text) for number, text in enumerate(group.labels, 1)}
        same = [np.ravel(each.values) for every in alike for each in every if each.scale == group.scale]
        # The 95% quantile has the full colour, because a few numbers are several times as large.
        limit = max(float(np.quantile(np.abs(np.concatenate(same)), 0.95)), 1e-6)
        plot = plot.cells(
            np.round(group.values, 5),
            Shades(DIVERGING, Axis(range=(-limit, limit))),
            y=[top + number for number in range(1, len(group.labels) + 1)],
            xgap=0,
            hovertemplate="dimension %{x}: %{z:.4f}<extra></extra>",
            hoverinfo=None,
        )
    last = max(ticks, default=-1) + 1
    names = {"tickvals": list(ticks), "ticktext": list(ticks.values()), "tickfont": {"size": 11}, "automargin": False}
    layout = {"margin": {"l": _LEFT, "t": 6, "b": 48, "r": 8}, **saved(yaxis="")}  # the titles say what the rows are
    x = Axis(more={"title": {"text": "dimension", "standoff": 4}})
    return replace(plot, x=x, y=Axis(range=(last - 0.4, -0.6), more=names), height=row * last + 46, layout=layout)


def _place(result: Terms, number: int) -> str:
    row = result.occurrences.iloc[number]
    where = f"at {row['position']}"
    if not result.occurrences["text"].eq(1).all():
        where = f"text {row['text']} {where}"
    return f"{where}, s{row['segment']}" if SEGMENT in result.names and result.occurrences["segment"].any() else where


def _terms_alt(result: Terms) -> str:
    text = f"The {len(result.names)} vectors of {result.piece} as strips of {result.vectors.shape[-1]} numbers."
    if len(result.occurrences) == 1:
        return text
    table = result.table
    same = [str(name) for name in table["term"][table["same"]]]
    other = [f"{row.term} (cosine {decimal(row.cosine)})" for row in table[~table["same"]].itertuples()]
    return f"{text} The same at both positions: {', '.join(same) or 'none'}. Different: {', '.join(other) or 'none'}."


def arrangements(result: Arrangements) -> Plot:
    """The probability of the top answer as written for each arrangement of positions and segments."""
    table = result.frame
    first, shares = str(table["answer_1"].iloc[0]), table["probability_as_written"]
    texts = [
        f"{rounded(share, 1)} {label(first)}"
        + ("" if best == first else f"; top answer: {label(str(best))} {rounded(top, 1)}")
        for share, best, top in zip(shares, table["answer_1"], table["probability"], strict=True)
    ]
    parts = [f"{row.arrangement} {rounded(row.probability_as_written, 1)}" for row in table.itertuples()]
    alt = f"Probability of {first} at the mask: {', '.join(parts)}."
    x = Axis(f"probability of {label(first)}", ".0%", ".2%", range=(0, 1.05))
    y, layout = Names(list(table["arrangement"]), "arrangement", wide=40), {"bargap": 0.35}
    plot = Plot(table, alt, x, y, 70 + 36 * len(table), layout=layout)
    more, hover = {"textposition": "auto"}, "{arrangement}: {x}"
    return plot.bars("probability_as_written", "arrangement", Look("", BLUE), text=texts, hover=hover, more=more)


def products(result: RoundTrip, alike: Sequence[RoundTrip] = ()) -> Plot:
    """State × row, number by number, as strips; charts of results that are `alike` share colours."""
    back = result.output
    positive = float(back.products[back.products > 0].sum())
    alt = (
        f"Three strips of {len(back.row)} numbers: the hidden state, the row of {result.word}, and their products. The"
        f" positive products add up to {decimal(positive)}, the negative ones to {decimal(back.dot - positive)}."
    )
    groups = [_product_groups(each) for each in alike or [result]]
    return _strips(_product_groups(result), groups, result.products, alt, row=26)


def _product_groups(result: RoundTrip) -> list[Strips]:
    back = result.output
    return [
        Strips("hidden state at [MASK], transformed", ("state",), back.state[None], "state"),
        Strips(f"× row of {result.word}", ("row",), back.row[None], "row"),
        Strips(f"= products; their sum is {decimal(back.dot, 3)}", ("products",), back.products[None], "products"),
    ]


def answers(result: RoundTrip) -> Plot:
    """The probabilities of the top answers and of the word, on an axis from 0 to 100%."""
    table = result.output.answers
    shares = [percentage(share) for share in table["probability"]]
    parts = ", ".join(f"{token} {share}" for token, share in zip(table["token"], shares, strict=True))
    x, y = Axis("probability", ".0%", ".3%", range=(0, 1)), Names(list(table["token"]), "token", wide=40)
    layout = {"bargap": 0.3, "margin": {"r": 48}}
    plot = Plot(table, f"Probabilities at the mask: {parts}.", x, y, 60 + 27 * len(table), layout=layout)
    colours = [BLUE if token == result.word else GREY for token in table["token"]]
    return plot.bars("probability", "token", Look(""), text=shares, hover="{token}: {x}", colours=colours)


def cosines(result: Positions) -> Plot:
    """The cosine of every two positions (and of the segments, last): blue is above zero, orange below."""
    positions, segments = (int((result.points["kind"] == kind).sum()) for kind in ("position", "segment"))
    near, far = result.by_distance["cosine"].iloc[0], result.by_distance["cosine"].iloc[-1]
    alt = (
        f"Heatmap of the cosines of {positions} positions and {counted(segments, 'segment')}: {decimal(near)} on"
        f" average for neighbouring positions, {decimal(far)} for the most distant positions."
    )
    step = max(1, round(positions / 80)) * 10 if positions > 20 else 2
    shown = {float(n): str(n) for n in range(0, positions - step // 2, step)}
    shown |= {positions + (segments - 1) / 2: "s"} if segments else {}
    ticks = {"tickvals": list(shown), "ticktext": list(shown.values()), "tickfont": {"size": 10}, "tickangle": 0}
    title, last = "position (s: segments 0 and 1)" if segments else "position", len(result.points) - 0.5
    x, y = Axis(title, range=(-0.5, last), more=ticks), Axis("position", range=(last, -0.5), more=ticks)
    loose = {"fixedrange": False}  # with many positions, a visitor can take a closer look
    plot = Plot(result.table, alt, x, y, 400, layout={"dragmode": None, "xaxis": loose, "yaxis": loose})
    shades = Shades(DIVERGING, Axis("cosine", range=(-1, 1)), bar=True)
    hover = "positions %{x} and %{y}: cosine %{z:.2f}<extra></extra>"
    return plot.cells(np.round(result.cosines, 3), shades, hovertemplate=hover, hoverinfo=None, xgap=0, ygap=0)


def position_map(result: Positions) -> Plot:
    """The map: positions joined and coloured in order; segments as diamonds."""
    points = result.points
    rows, segments = (points[points["kind"] == kind] for kind in ("position", "segment"))
    # Position 0 is far from all others and would press them together, so the axes are fitted to the others.
    inner = pd.concat([rows.iloc[1:], segments])
    x, y = (
        Axis(f"principal component {n}", range=_fitted(inner[axis]), hidden=True, more={"fixedrange": True})
        for n, axis in enumerate("xy", 1)
    )
    alt = (
        f"PCA map of {len(rows)} position embeddings, joined in order; it keeps {rounded(result.explained)} of the"
        " variance."
    )
    rows, spots = rows.reset_index(drop=True), _spots(rows, x, y)
    marker = {"color": floats(rows["number"]), "colorscale": [[0, BLUE], [1, VERMILLION]]}
    more, hover = {"line": {"width": 1}, "marker": marker}, "position {number}"
    plot = Plot(points, alt, x, y, 400, legend=False)
    plot = plot.lines("x", "y", Look("", GREY), rows=rows, text="number", spots=spots, hover=hover, more=more)
    if segments.empty:
        return plot
    named, hover = [f"segment {n}" for n in segments["number"]], "segment {number}"
    sides, look = {"textposition": ["top center", "bottom center"][: len(segments)]}, Look("", INK, "diamond-open")
    return plot.dots("x", "y", look, rows=segments, text=named, hover=hover, size=12, more=sides)


def _fitted(values: "pd.Series[float]") -> tuple[float, float]:
    """The ends of an axis that has room for these values and their names."""
    edge = 0.12 * float(np.ptp(values)) or 1.0
    return float(values.min()) - edge, float(values.max()) + edge


def _spots(rows: pd.DataFrame, x: Axis, y: Axis) -> dict[int, str]:
    """Where the names of the positions are that have one: the others are outside, or would lie on each other."""
    inside = [rows[name].between(*axis.range) for name, axis in (("x", x), ("y", y)) if axis.range]
    step = max(1, len(rows) // 8)
    wanted = [i for i, n in enumerate(rows["number"]) if inside[0].iloc[i] and inside[1].iloc[i] and n % step == 0]
    letters = [len(str(rows["number"].iloc[i])) for i in wanted]
    spots = arranged(rows[["x", "y"]].to_numpy(float)[wanted], letters, list(range(len(wanted))), _ROOM)
    return {wanted[i]: spot for i, spot in spots.items()}


def by_distance(result: Positions) -> Plot:
    """The mean cosine of two positions by their distance."""
    table = result.by_distance
    parts = ", ".join(f"{decimal(row.cosine)} at distance {row.distance}" for row in table.iloc[[0, -1]].itertuples())
    x, y = Axis("distance between two positions"), Axis("mean cosine", hover=".2f", room=(0.06, 0.06))
    plot = Plot(table, f"Mean cosine of two positions by their distance: {parts}.", x, y, 280)
    hover = "distance {distance}: cosine {y}"
    return plot.lines("distance", "cosine", Look("", BLUE), hover=hover, size=5)  # there may be hundreds


def lengths(listing: Listing) -> Plot:
    """A histogram of the lengths of all vectors and of those found."""
    bins, found = listing.lengths, listing.found
    words = listing.by_kind.set_index("kind").loc["word"]
    alt = (
        f"Histogram of the lengths of {listing.total:,} vectors. The mean length of the {int(words['entries']):,} words"
        f" is {words['mean_length']:.2f}"
    )
    alt += f", that of the tokens found is {found['length'].mean():.2f}." if len(found) else ". No token was found."
    ends = float(bins["bin_start"].min()), float(bins["bin_end"].max())
    x = Axis("length of the vector", hover=".2f", least=ends, room=(0, 0), more={"zeroline": False})
    y, layout = Axis("share of the tokens", ".0%", room=(0, 0.05)), {"barmode": "overlay", "bargap": 0}
    plot, name = Plot(bins, alt, x, y, 330, layout=layout), "found" if listing.searched else "shown"
    width = float(bins["bin_end"].iloc[0] - bins["bin_start"].iloc[0])
    middle = (bins["bin_start"] + bins["bin_end"]) / 2
    for column, look, part in (("all", Look("all tokens", GREY), 1.0), ("found", Look(name, BLUE), 0.5)):
        rows = pd.DataFrame({"length": middle, "share": bins[column] / max(1, bins[column].sum()), "n": bins[column]})
        hover, more = "tokens of length {x}: {n:,}<extra>{name}</extra>", {"width": part * width}
        plot = plot.bars("length", "share", look, rows=rows, hatched=column == "found", hover=hover, more=more)
    return plot
