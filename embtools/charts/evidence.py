"""Charts of the Evidence page: batteries, dose curves and minimal pairs."""

from dataclasses import replace

import numpy as np
import pandas as pd

from embtools.charts.axes import CLEAR, SIGNED, Axis, Look, Names, Shades
from embtools.charts.plot import SAME, Plot, spread
from embtools.charts.style import BLUE, GREEN, GREY, INK, VERMILLION, label, tint
from embtools.evidence.dose_result import Dose
from embtools.evidence.dose_runs import EDIT, INPUT, RANDOM
from embtools.evidence.findings import odds
from embtools.evidence.minimal_pairs import MinimalPair
from embtools.evidence.pair_batteries import CHANCE, PairBattery
from embtools.evidence.pair_files import ACCEPTABLE
from embtools.evidence.rates import EFFICACY, ENDS, LOG_ODDS, MEASURES, PARAPHRASE, RATE, SPECIFICITY
from embtools.evidence.result import ALREADY, CHANGED, NEVER, STATES, UNCHANGED, Battery
from embtools.evidence.stereoset import SCORES
from embtools.messages import counted, shortened
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rate_text, rounded

_RATES = Axis("rate", ".0%", ".0%", range=(-0.02, 1.02), more={"dtick": 0.25})
_MEASURES = {
    EFFICACY: Look(EFFICACY, BLUE, "circle", "solid"),
    PARAPHRASE: Look(PARAPHRASE, GREEN, "diamond", "dash"),
    SPECIFICITY: Look(SPECIFICITY, VERMILLION, "square", "dot"),
}
_RANDOM = Look("efficacy of a random difference", GREY, "cross", "dashdot")
_SIGNS = {CHANGED: "✓", UNCHANGED: "✗", NEVER: "○", ALREADY: "="}
_CELLS = {CHANGED: tint(BLUE, 0.35), UNCHANGED: tint(VERMILLION, 0.4), NEVER: tint(GREY, 0.3), ALREADY: tint(GREY, 0.1)}
_BARS = {CHANGED: BLUE, UNCHANGED: VERMILLION, NEVER: GREY, ALREADY: GREY}
MOST_WORDS, MOST_COLUMNS, MOST_NAMED = 80, 60, 8
WORST = 12
"""The words with the lowest rates that `cases` shows by default."""
"""Largest numbers of words a (rows), of columns, and of columns whose cells have room for the name of the new word."""
_DENSE = 0.6  # with a larger share of all combinations, each new word has its own column
_ROW, _ROOMY, _NAME, _SHORT = 19, 5, 8, 5  # pixels; up to how many columns a name has 8 characters on a phone, then 5
_WRITTEN = 16  # cells of a row that have room for their numbers
_STRENGTHS = 7  # strengths that have room next to each other below the cells of places
_IMPROBABLE = Shades(((0.0, CLEAR), (1.0, tint(VERMILLION, 0.45))), Axis(least=(0.0,), fit=True, room=(0, 0)))
_SCORES = {
    name: Look(title, colour, symbol)
    for name, title, colour, symbol in zip(
        SCORES,
        ("language model", "stereotype", "ICAT"),
        (BLUE, VERMILLION, INK),
        ("circle", "square", "diamond"),
        strict=True,
    )
}


def rates(result: Battery, *, form: str = RATE, correct: bool = False) -> Plot:
    """Each measure in this `form` for the edit and each control, with 95% intervals; or only of `correct` pairs."""
    frame = result.rates_of_correct if correct else result.rates
    conditions = tuple(dict.fromkeys(frame["condition"]))
    odds = Axis("mean change in the log odds of c", hover="+.2f", more={"zeroline": True})
    axis, names = odds if form == LOG_ODDS else _RATES, Names(conditions, "condition", wide=16)
    plot = Plot(frame, _rates_alt(frame, form), axis, names, height=110 + 46 * len(conditions))
    measures = [measure for measure in MEASURES if (frame["measure"] == measure).any()]
    for number, measure in enumerate(measures):
        rows, shift = frame[frame["measure"] == measure], 0.22 * (number - (len(measures) - 1) / 2)
        hover = "{condition}: {x} ({low} to {high})<extra>{name}</extra>"
        plot = plot.dots(form, "condition", _MEASURES[measure], rows=rows, ends=ENDS[form], shift=shift, hover=hover)
    return plot


def _rates_alt(frame: pd.DataFrame, form: str) -> str:
    edit = frame[frame["condition"] == frame["condition"].iloc[0]] if len(frame) else frame
    parts = ", ".join(
        f"{row['measure']} {odds(row[form]) if form == LOG_ODDS else rate_text(row[form])}"
        for _, row in edit.iterrows()
    )
    what = "Changes in the log odds with" if form == LOG_ODDS else "Rates of"
    return f"{what} the edit: {parts}." if parts else "There are no cases."


def cases(result: Battery, *, most: int | None = WORST, correct: bool = False) -> Plot:
    """A row per word a and a cell per case, or a bar per word if they are many; a click chooses "a|b|c"."""
    result = result.of_correct if correct else result
    words = result.by_word.head(most or len(result.by_word))
    grid, columns = _placed(result.grid, words)
    large = len(words) > MOST_WORDS or grid["column"].max() >= (MOST_COLUMNS if columns else MOST_NAMED)
    plot = Plot(result.grid, _cases_alt(result, len(words)))
    return _state_bars(plot, grid, words) if large else _state_cells(plot, grid, words, columns)


def _placed(grid: pd.DataFrame, words: pd.DataFrame) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """The cases of these words with the row and the column of each, and the new words if each has its column."""
    numbers = {key: number for number, key in enumerate(zip(words["a"], words["b"], strict=True))}
    rows = [numbers.get(key, -1) for key in zip(grid["a"], grid["b"], strict=True)]
    grid = grid.assign(row=rows, key=grid["a"] + "|" + grid["b"] + "|" + grid["c"]).query("row >= 0")
    changed = (grid["state"] == CHANGED).groupby(grid["c"]).mean().sort_values(kind="stable")
    if len(changed) > 1 and len(grid) > _DENSE * len(words) * len(changed):
        places = {word: number for number, word in enumerate(changed.index)}
        return grid.assign(column=grid["c"].map(places)), tuple(map(str, changed.index))
    return grid.assign(column=grid.groupby("row", sort=False).cumcount()), ()


def _state_cells(plot: Plot, grid: pd.DataFrame, words: pd.DataFrame, columns: tuple[str, ...]) -> Plot:
    shape = len(words), int(grid["column"].max()) + 1
    values, at = np.full(shape, np.nan), {}
    for case in grid.itertuples():
        values[case.row, case.column] = STATES.index(case.state)
        at[case.row, case.column] = case
    letters = _NAME if shape[1] <= _ROOMY else _SHORT

    def text(row: int, column: int) -> str:
        case = at.get((row, column))
        name = "" if columns or case is None else f" {label(shortened(case.c, letters))}"
        return f"{_SIGNS[case.state]}{name}" if case else ""

    def said(row: int, column: int) -> str:
        a, b, c, state, before, after = (label(text) for text in at[row, column][1:7])
        return f"{a}: {b} → {c} ({state})<br>before: {before}, after: {after}"

    top = Names(
        columns, "new word c", [shortened(name, 14) for name in columns], 99, above=True, more={"tickangle": -60}
    )
    none = Axis("new word c", range=(-0.5, shape[1] - 0.5), hidden=True)
    rows = Names(list(words["a"]), "edited word a", [shortened(word, 13) for word in words["a"]], 99)
    steps = np.linspace(0, 1, len(STATES) + 1)
    stops = [(float(end), _CELLS[state]) for k, state in enumerate(STATES) for end in (steps[k], steps[k + 1])]
    height = _ROW * len(words) + (150 if columns else 66)
    layout = {"showlegend": True, "margin": {"t": 96 if columns else 8, "b": 44}}
    plot = replace(plot, x=top if columns else none, y=rows, height=height, layout=layout)
    plot = plot.cells(
        values,
        Shades(stops, Axis(range=(-0.5, len(STATES) - 0.5))),
        text=text if shape[1] <= MOST_COLUMNS // 2 else None,
        hover=said,
        click=lambda row, column: at[row, column].key if (row, column) in at else None,
        size=_ROW - 4,
        xgap=1,
        ygap=1,
        textfont={"size": 11},
    )
    for state in STATES:
        if (grid["state"] == state).any():
            plot = plot.entry(f"{_SIGNS[state]} {state}", _CELLS[state])
    return plot


def _state_bars(plot: Plot, grid: pd.DataFrame, words: pd.DataFrame) -> Plot:
    """Stacked shares of the states, one column per word; a click opens the first case of that state."""
    names, more = list(range(len(words))), {"tickangle": -60, "showgrid": False, "range": [-0.7, len(words) - 0.3]}
    x = Names(names, "edited word a", [shortened(word, 13) for word in words["a"]], 99, thin=True, more=more)
    y = Axis("share of the cases", ".0%", ".0%", range=(0, 1))
    layout = {"barmode": "stack", "bargap": 0.1, "margin": {"b": 130}}
    plot = replace(plot, x=x, y=y, height=380, layout=layout)
    sizes = grid.groupby("row").size()
    for state, sign in _SIGNS.items():
        own = grid[grid["state"] == state].groupby("row")
        if len(own):
            shares = (own.size() / sizes).fillna(0.0).rename("share").to_frame()
            rows = shares.assign(row=shares.index, word=words["a"], key=own["key"].first()).fillna("")
            look = Look(f"{sign} {state}", _BARS[state])
            hover = f"{{word}}: {{y}}<extra>{state}</extra>"
            plot = plot.bars("row", "share", look, rows=rows, hatched=state != CHANGED, hover=hover, click="key")
    return plot


def _cases_alt(result: Battery, drawn: int) -> str:
    grid, words = result.grid, result.by_word
    counts = grid["state"].value_counts()
    parts = ", ".join(f"{counts[state]:,} {state}" for state in STATES if state in counts)
    worst = words.iloc[0]
    size = "1 case" if len(grid) == 1 else f"{len(grid):,} cases"
    text = f"{size} of {len(words)} {'word' if len(words) == 1 else 'words'}: {parts}."
    if drawn < len(words):
        text += f" The {drawn} words for which the edit works least often are shown."
    return f"{text} The lowest rate is that of {worst['a']}: {worst['changed']} of {worst['cases']}."


def dose_curves(result: Dose, place: str = INPUT) -> Plot:
    """Each measure over the strength, and the efficacy of a random difference, at one place; a band for the edit."""
    ends = min(result.strengths) - 0.05, max(result.strengths) + 0.05
    x, y = Axis("strength", range=ends, more={"dtick": 0.5}), replace(_RATES, range=(-0.03, 1.03))
    plot = Plot(
        result.curve, f"Rates by strength. {result.sentence(place)}", x, y, 324, layout={"margin": {"t": 52, "b": 126}}
    )
    for key, look in [((EDIT, name), _MEASURES[name]) for name in result.measures] + [((RANDOM, EFFICACY), _RANDOM)]:
        hover = "strength {strength}: {y} ({low:.0%} to {high:.0%})<extra>{name}</extra>"
        band = ("low", "high") if key == (EDIT, EFFICACY) else None  # several bands would cover each other
        plot = plot.lines("strength", "rate", look, rows=result.of(place, *key), band=band, hover=hover)
    row = result.at(place)
    for name, text, height in (("half", "half changed", 1.0), ("harm", "harm", 1.13)):  # above both vertical lines
        if np.isfinite(row[name]):
            side = "left" if row[name] < sum(ends) / 2 else "right"
            text = f"{text}: {row[name]:.2f}"
            plot = plot.rule(
                text, x=float(row[name]), colour=INK, width=1, note={"y": height, "yref": "paper", "xanchor": side}
            )
    return plot


def dose_places(result: Dose) -> Plot:
    """Efficacy at every place (rows) and strength (columns). A click chooses the place."""
    names, strengths = list(result.places), [f"{strength:g}" for strength in result.strengths]
    values = np.stack([result.of(place, EDIT, EFFICACY)["rate"].to_numpy() for place in names])
    best, *others = np.flatnonzero(values.max(axis=1) == values.max())
    more = f" and {counted(len(others), 'other place')}" if others else ""
    alt = (
        f"Efficacy at {counted(len(names), 'place')} and {counted(len(strengths), 'strength')}. The highest is"
        f" {rounded(values.max())}, at {'the input' if names[best] == 'input' else names[best]}{more}. {result.deepest}"
    )
    shown = [strength.replace("-", "−") for strength in strengths]
    x = Names(strengths, "strength", shown, every=-(-len(strengths) // _STRENGTHS), titled=True)
    plot = Plot(result.points, alt.strip(), x, Names(names, "place of the edit"), 90 + 30 * len(names))
    return plot.cells(
        values,
        text=(lambda row, column: f"{100 * values[row, column]:.0f}") if len(strengths) <= _WRITTEN else None,
        hover=lambda row, column: f"{names[row]}, strength {strengths[column]}: {rounded(values[row, column])}",
        click=lambda row, column: names[row],
        textfont={"size": 10},
    )


def token_strips(result: MinimalPair) -> Plot:
    """The tokens of both sentences from top to bottom, with their log probabilities, and their differences."""
    frame = result.tokens
    sides, changes = ["first", "second"], frame[["difference"]].to_numpy()
    values = frame[[f"log_probability_{side}" for side in sides]].to_numpy()
    deciding = frame.index.get_loc(result.deciding.name)

    def token(row: int, column: int) -> str:
        text, value = label(frame[sides[column]].iloc[row]), values[row, column]
        return text if np.isnan(value) else f"{text} {decimal(value)}"

    def change(row: int, column: int) -> str:
        value = changes[row, column]
        return "" if np.isnan(value) else f"{decimal(value, signed=True)}{' ◀' * (row == deciding)}"

    titles = ["first sentence", "second sentence", "first − second"]
    alt = f"Log probabilities of the tokens of two sentences. {result.headline} {result.decision}"
    x, y = Names(titles, "sentence", wide=9, above=True), Axis("token", range=(len(frame) - 0.5, -0.5), hidden=True)
    plot = Plot(frame, alt, x, y, 58 + 25 * len(frame))
    plot = plot.cells(-values, _IMPROBABLE, text=token, hover=lambda *cell: f"{token(*cell)} nats")
    return plot.cells(changes, SIGNED, text=change, hover=lambda *cell: f"{change(*cell)} nats", left=2)


def pair_rates(result: PairBattery) -> Plot:
    """The share of pairs whose first sentence is preferred, by group and for all pairs, with 95% intervals."""
    frame = result.rates
    title = f"{'acceptable' if result.kind == ACCEPTABLE else 'more stereotyping'} sentence preferred"
    alt = f"Rates by group, with 95% intervals, compared with 50%. {result.headline}"
    plot = Plot(frame, alt, replace(_RATES, title=title), _groups(frame["group"]), 100 + 34 * len(frame))
    hover = "{group}: {x} ({low} to {high}), n = {n}"
    return plot.dots("rate", "group", Look("rate", BLUE), ends=("low", "high"), hover=hover).rule(
        x=CHANCE, colour=VERMILLION, dash="dash"
    )


def pair_differences(result: PairBattery) -> Plot:
    """Every pair as a point: its difference of scores, by group. A click chooses the number of the pair."""
    items, first = result.items, result.items["prefers_first"]
    wrong, middle = int((~first).sum()), decimal(float(items["difference"].median()), signed=True)
    alt = (
        f"Score differences of {len(items)} pairs, by group. The median is {middle} nats. In"
        f" {counted(wrong, 'pair')}, the first sentence is not preferred."
    )
    if len(items) == 1:
        alt = f"Score difference of 1 pair: {middle} nats. {result.headline}"
    groups = _groups(items["group"])
    more = {"zeroline": True, "rangemode": "tozero"}
    x = Axis("first − second sentence (nats)", hover="+.2f", symmetric=True, room=(0.03, 0.03), more=more)
    plot = Plot(items, alt, x, groups, 100 + 44 * len(groups.names), layout={"dragmode": False})
    both = {side: [shortened(text, 90) for text in items[side]] for side in ("first", "second")}
    marker = {"symbol": ["circle" if right else "x" for right in first], "line": {"color": INK, "width": 0.5}}
    return plot.dots(
        "difference",
        "group",
        Look("pairs", BLUE),
        rows=items.assign(**both),
        shift=0.6 * spread(len(items)),
        hover="{first}<br>{second}<br>{x} nats",
        click="number",
        size=9,
        colours=[tint(BLUE if right else VERMILLION, 0.75) for right in first],
        more={**SAME, "marker": marker},
    )


def stereoset_scores(result: PairBattery) -> Plot:
    """StereoSet's three scores by group, with 95% intervals. Raises ValueError for other lists."""
    frame = result.scores
    if frame is None:
        raise ValueError("Only examples of StereoSet have the three scores. Read one of its files.")
    known = ", with 95% intervals" if frame["icat_low"].notna().any() else ""
    alt = f"{result.scores_name} by group{known}. {result.three_scores}"
    x = Axis("score", hover=".1f", range=(-2, 102), more={"dtick": 25})
    plot = Plot(frame, alt, x, _groups(frame["group"]), 120 + 44 * len(frame))
    for number, (score, look) in enumerate(_SCORES.items()):
        ends, hover = (f"{score}_low", f"{score}_high"), "{group}: {x}<extra>{name}</extra>"
        plot = plot.dots(score, "group", look, ends=ends, shift=0.2 * (number - 1), hover=hover)
    return plot


def _groups(names: "pd.Series[str]") -> Names:
    return Names(list(dict.fromkeys(names)), "group", wide=16, lines=2)
