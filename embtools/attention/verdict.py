"""The headline about attention and the sentences that limit it."""

from collections.abc import Sequence

import pandas as pd

from embtools.attention.looks import ALL, BEFORE, CONTROL, NOW, ROLLOUT, VERSUS, Look, spelt
from embtools.messages import shortened


def finding(look: Look) -> str:
    """Return the headline: the attention that the target words get here, before an edit and in the control sentence."""
    source, groups = _named(look.source), [look.target, *([look.versus] if look.versus else [])]
    targets = [f"{_named(words)} together" if len(words) > 1 else _named(words) for words in groups]
    pairs = list(zip(targets, _shares(look, NOW), strict=True))
    gives, its = ("gives", "its") if len(look.source) == 1 else ("give", "their")
    text = f"{_heads(look.heads)} {source} {gives} {' and '.join(f'{n} {share}' for n, share in pairs)}"
    text += f" of {its} attention."
    if look.heads == ROLLOUT:
        first, *others = pairs
        text = f"By rollout over all layers, {first[1]} of {source} comes from {first[0]}"
        text += "".join(f" and {share} from {name}" for name, share in others) + "."
    one = len(groups) == 1
    if _known(look, BEFORE):
        text += f" Before the edit, {'it was' if one else 'the shares were'} {' and '.join(_shares(look, BEFORE))}."
    if _known(look, CONTROL):
        text += f" {_replaced(look)}, {'it is' if one else 'the shares are'} {' and '.join(_shares(look, CONTROL))}."
    return text


def doubts(look: Look) -> str:
    """Return what limits the headline: a random head, other words, and the control sentence or that there is none."""
    cells, words = look.cells, look.words
    target = _named(look.target)
    parts = []
    if "." in look.heads:
        means = f"{target} {_percent(cells[NOW].mean())}"
        if look.versus:
            means += f" and {_named(look.versus)} {_percent(cells[VERSUS].mean())}"
        parts.append(f"A random head gives {means} (mean of all {len(cells)} heads).")
        parts.append(_rank(look))
    if look.versus:
        more, less = (int(heads.sum()) for heads in (cells[NOW] > cells[VERSUS], cells[NOW] < cells[VERSUS]))
        second = _named(look.versus)
        parts.append(f"In {more} of all {len(cells)} heads {target} gets more than {second}; in {less} it gets less.")
    chosen = (*look.target, *look.versus, *look.source)
    rest = words[~words["frame"] & ~words["word"].isin(chosen)].nlargest(2, NOW)
    if len(rest):
        listed = " and ".join(f"“{w}” ({_percent(s)})" for w, s in zip(rest["word"], rest[NOW], strict=True))
        parts.append(f"Among the other words, {listed} {'get' if len(rest) > 1 else 'gets'} most.")
    parts.append(f"[CLS] and [SEP] together get {_percent(words.loc[words['frame'], NOW].sum())}.")
    return " ".join([*(part for part in parts if part), *_control(look)])


def alt(look: Look, hide_frame: bool = False) -> str:
    """Return the alt text of the bars; with `hide_frame`, the bars of [CLS] and [SEP] are not shown."""
    rows = look.words[~look.words["frame"]] if hide_frame else look.words
    top = rows.nlargest(3, NOW)
    first = ", ".join(f"{w} {_percent(s)}" for w, s in zip(top["word"], top[NOW], strict=True))
    special = _percent(look.words.loc[look.words["frame"], NOW].sum())
    hidden = f" [CLS] and [SEP], which are not shown, get {special}." if hide_frame else ""
    return f"Bar chart of the attention of {_named(look.source)} to {len(rows)} words. Most goes to {first}.{hidden}"


def cells_alt(look: Look) -> str:
    """Return the alt text of the overview of all heads: one part for each target."""
    return " ".join(
        _cells_alt(look.cells, column, _named(words))
        for column, words in ((NOW, look.target), (VERSUS, look.versus))
        if words
    )


def _cells_alt(cells: pd.DataFrame, column: str, target: str) -> str:
    best, least = cells.loc[cells[column].idxmax()], cells.loc[cells[column].idxmin()]
    return (
        f"Heatmap of {len(cells)} heads. Attention to {target} is highest in layer {best['layer']:.0f}, head"
        f" {best['head']:.0f} ({_percent(best[column])}) and lowest in layer {least['layer']:.0f}, head"
        f" {least['head']:.0f} ({_percent(least[column])}); the mean is {_percent(cells[column].mean())}."
    )


def _rank(look: Look) -> str:
    """Return how many heads give the target more than the one that is shown; "" if there are two targets."""
    if look.versus:
        return ""
    cells = look.cells
    layer, number = map(int, look.heads.split("."))
    mine = cells[(cells["layer"] == layer) & (cells["head"] == number)][NOW].iloc[0]
    above = int((cells[NOW] > mine).sum())
    if above == 0:
        return f"The strongest of {len(cells)} heads is strong partly by chance."
    return f"{above} of {len(cells)} heads {'gives' if above == 1 else 'give'} it more."


def _control(look: Look) -> list[str]:
    """Return what the control sentence changes most, or that there is no control."""
    words = look.words
    if not look.control:
        return ["There is no control sentence. To add one, write the same sentence with one word changed."]
    if not _known(look, CONTROL):
        return [f"The control sentence does not contain {_named(look.source)}, so it cannot be compared."]
    spoken = words[~words["frame"]]
    gains = spoken[CONTROL] - spoken[NOW]
    most = gains.idxmax()
    if not gains[most] >= 0.005:
        return []
    there = look.control[most] if len(look.control) == len(words) else words["word"][most]
    change = f"from {_percent(words[NOW][most])} to {_percent(words[CONTROL][most])}"
    return [f"In the control sentence, “{there}” gains most ({change})."]


def _shares(look: Look, column: str) -> list[str]:
    """Return the share of each target."""
    targets = (look.target, look.versus) if look.versus else (look.target,)
    return [_percent(look.words.loc[look.words["word"].isin(words), column].sum()) for words in targets]


def _known(look: Look, column: str) -> bool:
    """Return whether a target has a share in that reading."""
    rows = look.words["word"].isin((*look.target, *look.versus))
    return column in look.words and bool(look.words.loc[rows, column].notna().any())


def _heads(heads: str) -> str:
    """Return the beginning of a sentence about these heads.

    >>> _heads("4.2"), _heads("layer 4"), _heads("all heads")
    ('In layer 4, head 2,', 'Averaged over the heads of layer 4,', 'Averaged over all heads,')
    """
    if heads == ALL:
        return "Averaged over all heads,"
    if heads.startswith("layer"):
        return f"Averaged over the heads of {heads},"
    return f"In {spelt(heads)},"


def _replaced(look: Look) -> str:
    """Return how the control sentence differs: "With “wide” instead of “tired”"."""
    pairs = [(a, b) for a, b in zip(look.words["word"], look.control, strict=False) if a != b]
    if len(look.control) == len(look.words) and len(pairs) == 1:
        return f"With “{pairs[0][1]}” instead of “{pairs[0][0]}”"
    return "In the control sentence"


def _named(words: Sequence[str]) -> str:
    """Return words as a sentence lists them: at most three, then the number of the others.

    >>> _named(["the", "animal"])
    '“the” and “animal”'
    """
    quoted = [f"“{shortened(word, 30)}”" for word in words]
    more = len(quoted) - 3
    if more > 0:
        quoted = [*quoted[:3], f"{more} more"]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _percent(share: float) -> str:
    """Format a share, with one decimal if it is small.

    >>> _percent(0.612), _percent(0.004), _percent(0.0)
    ('61%', '0.4%', '0.0%')
    """
    return f"{share:.0%}" if share >= 0.0995 else f"{share:.1%}"
