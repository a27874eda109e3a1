"""A finding about attention, and what limits it, in sentences."""

from collections.abc import Sequence

import pandas as pd

from embtools.attention.looks import ALL, BEFORE, CONTROL, NOW, ROLLOUT, VERSUS, Look, spelt
from embtools.messages import shortened


def finding(look: Look) -> str:
    """Say how much attention the target words get, and how much they get in the sentences it is compared with."""
    source, targets = _named(look.source), [_named(look.target), *([_named(look.versus)] if look.versus else [])]

    def listed(column: str, between: str = " ") -> str:
        return " and ".join(
            f"{name}{between}{share}" for name, share in zip(targets, _shares(look, column), strict=True)
        )

    text = f"{_heads(look.heads)} {source} gives {listed(NOW)} of its attention"
    if look.heads == ROLLOUT:
        parts = [
            f"{share} of {source} comes from {name}" for name, share in zip(targets, _shares(look, NOW), strict=True)
        ]
        text = f"Rolled out over all layers, {' and '.join(parts)}"
    if _known(look, BEFORE):
        text += f"; before the edit {' and '.join(_shares(look, BEFORE))}"
    if _known(look, CONTROL):
        text += f"; {_exchanged(look)} {' and '.join(_shares(look, CONTROL))}"
    return text + "."


def doubts(look: Look) -> str:
    """Say what limits the finding: a random head, the next words, and the control sentence or that there is none."""
    cells, words = look.cells, look.words
    target = _named(look.target)
    parts = []
    if "." in look.heads:
        means = f"{target} {_percent(cells[NOW].mean())}"
        if look.versus:
            means += f" and {_named(look.versus)} {_percent(cells[VERSUS].mean())}"
        parts.append(f"A random head gives {means} (mean of all {len(cells)}).")
        parts.append(_rank(look))
    if look.versus:
        more, less = (int(found.sum()) for found in (cells[NOW] > cells[VERSUS], cells[NOW] < cells[VERSUS]))
        parts.append(f"Of all {len(cells)} heads, {more} give more to {target} and {less} to {_named(look.versus)}.")
    chosen = (*look.target, *look.versus, *look.source)
    rest = words[~words["frame"] & ~words["word"].isin(chosen)].nlargest(2, NOW)
    if len(rest):
        listed = ", ".join(f"“{w}” {_percent(s)}" for w, s in zip(rest["word"], rest[NOW], strict=True))
        parts.append(f"Next: {listed}.")
    parts.append(f"[CLS] and [SEP] get {_percent(words.loc[words['frame'], NOW].sum())}.")
    return " ".join([*(part for part in parts if part), *_control(look)])


def alt(look: Look, hide_frame: bool = False) -> str:
    """Describe the bars in a sentence; with `hide_frame` those of [CLS] and [SEP] are not shown."""
    rows = look.words[~look.words["frame"]] if hide_frame else look.words
    top = rows.nlargest(3, NOW)
    first = ", ".join(f"{w} {_percent(s)}" for w, s in zip(top["word"], top[NOW], strict=True))
    hidden = f" [CLS] and [SEP], not shown, get {_percent(look.words.loc[look.words['frame'], NOW].sum())}."
    return f"Shares of the attention of {_named(look.source)} over {len(rows)} words. Most: {first}." + (
        hidden if hide_frame else ""
    )


def cells_alt(look: Look) -> str:
    """Describe the overview of all heads in a sentence for each target."""
    return " ".join(
        _cells_alt(look.cells, column, _named(words))
        for column, words in ((NOW, look.target), (VERSUS, look.versus))
        if words
    )


def _cells_alt(cells: pd.DataFrame, column: str, target: str) -> str:
    best, least = cells.loc[cells[column].idxmax()], cells.loc[cells[column].idxmin()]
    return (
        f"{len(cells)} heads, attention to {target}: most in layer {best['layer']:.0f}, head {best['head']:.0f}"
        f" ({_percent(best[column])}), least in layer {least['layer']:.0f}, head {least['head']:.0f}"
        f" ({_percent(least[column])}); mean {_percent(cells[column].mean())}."
    )


def _rank(look: Look) -> str:
    """Say how many heads give the target more than the one that is shown; with two targets nothing."""
    if look.versus:
        return ""
    cells = look.cells
    layer, number = map(int, look.heads.split("."))
    mine = cells[(cells["layer"] == layer) & (cells["head"] == number)][NOW].iloc[0]
    above = int((cells[NOW] > mine).sum())
    if above == 0:
        return f"The strongest of {len(cells)} heads is strong partly by chance."
    return f"{above} of {len(cells)} heads give it more."


def _control(look: Look) -> list[str]:
    """Say what the control sentence changes most, or that there is no control."""
    words = look.words
    if not look.control:
        return ["There is no control sentence: write the same sentence with one word changed."]
    if not _known(look, CONTROL):
        return [f"The control sentence does not have {_named(look.source)}, so it cannot be compared."]
    spoken = words[~words["frame"]]
    gains = spoken[CONTROL] - spoken[NOW]
    most = gains.idxmax()
    if not gains[most] >= 0.005:
        return []
    there = look.control[most] if len(look.control) == len(words) else words["word"][most]
    change = f"{_percent(words[NOW][most])} → {_percent(words[CONTROL][most])}"
    return [f"In the control sentence “{there}” gains most: {change}."]


def _shares(look: Look, column: str) -> list[str]:
    """Return the share of each target."""
    targets = (look.target, look.versus) if look.versus else (look.target,)
    return [_percent(look.words.loc[look.words["word"].isin(words), column].sum()) for words in targets]


def _known(look: Look, column: str) -> bool:
    """Return whether a target has a share in that reading."""
    rows = look.words["word"].isin((*look.target, *look.versus))
    return column in look.words and bool(look.words.loc[rows, column].notna().any())


def _heads(heads: str) -> str:
    """Name the heads, as the beginning of a sentence.

    >>> _heads("4.2"), _heads("layer 4"), _heads("all heads")
    ('In layer 4, head 2,', 'In layer 4, its heads averaged,', 'Averaged over all heads,')
    """
    if heads == ALL:
        return "Averaged over all heads,"
    if heads.startswith("layer"):
        return f"In {heads}, its heads averaged,"
    return f"In {spelt(heads)},"


def _exchanged(look: Look) -> str:
    """Name the difference of the control sentence: "with “wide” for “tired”"."""
    pairs = [(a, b) for a, b in zip(look.words["word"], look.control, strict=False) if a != b]
    if len(look.control) == len(look.words) and len(pairs) == 1:
        return f"with “{pairs[0][1]}” for “{pairs[0][0]}”"
    return "in the control sentence"


def _named(words: Sequence[str]) -> str:
    """
    >>> _named(["the", "animal"])
    '“the” and “animal”'
    """
    quoted = [f"“{shortened(word, 30)}”" for word in words]
    more = len(quoted) - 3
    if more > 0:
        quoted = [*quoted[:3], f"{more} more"]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _percent(share: float) -> str:
    """
    >>> _percent(0.612), _percent(0.004), _percent(0.0)
    ('61%', '0.4%', '0.0%')
    """
    return f"{share:.0%}" if share >= 0.0995 else f"{share:.1%}"
