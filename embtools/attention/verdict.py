"""The headline about attention and the sentences that limit it."""

from collections.abc import Sequence

import pandas as pd

from embtools.attention.attended_words import ALL, BEFORE, CONTROL, NOW, ROLLOUT, VERSUS, AttendedWords, head_name
from embtools.messages import shortened


def finding(result: AttendedWords) -> str:
    """Return the headline: the attention that the target words get here, before an edit and in the control sentence."""
    source, groups = _named(result.source), [result.target, *([result.versus] if result.versus else [])]
    targets = [f"{_named(words)} together" if len(words) > 1 else _named(words) for words in groups]
    pairs = list(zip(targets, _shares(result, NOW), strict=True))
    gives, its = ("gives", "its") if len(result.source) == 1 else ("give", "their")
    text = f"{_heads(result.heads)} {source} {gives} {' and '.join(f'{n} {share}' for n, share in pairs)}"
    text += f" of {its} attention."
    if result.heads == ROLLOUT:
        first, *others = pairs
        text = f"By rollout over all layers, {first[1]} of {source} comes from {first[0]}"
        text += "".join(f" and {share} from {name}" for name, share in others) + "."
    one = len(groups) == 1
    if _known(result, BEFORE):
        shares = " and ".join(_shares(result, BEFORE))
        text += f" Before the edit, {'the share was' if one else 'the shares were'} {shares}."
    if _known(result, CONTROL):
        shares = " and ".join(_shares(result, CONTROL))
        text += f" {_replaced(result)}, {'the share is' if one else 'the shares are'} {shares}."
    return text


def doubts(result: AttendedWords) -> str:
    """Return what limits the headline: a random head, other words, and the control sentence or that there is none."""
    cells, words = result.cells, result.words
    target = _named(result.target)
    parts = []
    if "." in result.heads:
        means = f"{target} {_percent(cells[NOW].mean())}"
        if result.versus:
            means += f" and {_named(result.versus)} {_percent(cells[VERSUS].mean())}"
        parts.append(f"A random head gives {means} (mean of all {len(cells)} heads).")
        parts.append(_rank(result))
    if result.versus:
        more, less = (int(heads.sum()) for heads in (cells[NOW] > cells[VERSUS], cells[NOW] < cells[VERSUS]))
        second = _named(result.versus)
        parts.append(f"In {more} of all {len(cells)} heads {target} gets more than {second}; in {less} it gets less.")
    chosen = (*result.target, *result.versus, *result.source)
    rest = words[~words["special"] & ~words["word"].isin(chosen)].nlargest(2, NOW)
    if len(rest):
        listed = " and ".join(f"“{w}” ({_percent(s)})" for w, s in zip(rest["word"], rest[NOW], strict=True))
        parts.append(f"Among the other words, {listed} {'get' if len(rest) > 1 else 'gets'} the most.")
    parts.append(f"[CLS] and [SEP] together get {_percent(words.loc[words['special'], NOW].sum())}.")
    return " ".join([*(part for part in parts if part), *_control(result)])


def alt(result: AttendedWords, hide_special: bool = False) -> str:
    """Return the alt text of the bars; with `hide_special`, the bars of [CLS] and [SEP] are not shown."""
    rows = result.words[~result.words["special"]] if hide_special else result.words
    top = rows.nlargest(3, NOW)
    first = ", ".join(f"{w} {_percent(s)}" for w, s in zip(top["word"], top[NOW], strict=True))
    special = _percent(result.words.loc[result.words["special"], NOW].sum())
    hidden = f" [CLS] and [SEP], which are not shown, get {special}." if hide_special else ""
    return f"Bar chart of the attention of {_named(result.source)} to {len(rows)} words. Most goes to {first}.{hidden}"


def cells_alt(result: AttendedWords) -> str:
    """Return the alt text of the overview of all heads: one part for each target."""
    return " ".join(
        _cells_alt(result.cells, column, _named(words))
        for column, words in ((NOW, result.target), (VERSUS, result.versus))
        if words
    )


def _cells_alt(cells: pd.DataFrame, column: str, target: str) -> str:
    best, least = cells.loc[cells[column].idxmax()], cells.loc[cells[column].idxmin()]
    return (
        f"Heatmap of {len(cells)} heads. Attention to {target} is highest in layer {best['layer']:.0f}, head"
        f" {best['head']:.0f} ({_percent(best[column])}) and lowest in layer {least['layer']:.0f}, head"
        f" {least['head']:.0f} ({_percent(least[column])}); the mean is {_percent(cells[column].mean())}."
    )


def _rank(result: AttendedWords) -> str:
    """Return how many heads give the target more than the one that is shown; "" if there are two targets."""
    if result.versus:
        return ""
    cells = result.cells
    layer, number = map(int, result.heads.split("."))
    mine = cells[(cells["layer"] == layer) & (cells["head"] == number)][NOW].iloc[0]
    above = int((cells[NOW] > mine).sum())
    if above == 0:
        return f"The strongest of {len(cells)} heads is strong partly by chance."
    return f"{above} of {len(cells)} heads {'gives' if above == 1 else 'give'} it more."


def _control(result: AttendedWords) -> list[str]:
    """Return what the control sentence changes most, or that there is no control."""
    words = result.words
    if not result.control:
        return ["There is no control sentence. To add one, write the same sentence with one word changed."]
    if not _known(result, CONTROL):
        return [f"The control sentence does not contain {_named(result.source)}, so it cannot be compared."]
    spoken = words[~words["special"]]
    gains = spoken[CONTROL] - spoken[NOW]
    most = gains.idxmax()
    if not gains[most] >= 0.005:
        return []
    there = result.control[most] if len(result.control) == len(words) else words["word"][most]
    change = f"from {_percent(words[NOW][most])} to {_percent(words[CONTROL][most])}"
    return [f"In the control sentence, “{there}” gains most ({change})."]


def _shares(result: AttendedWords, column: str) -> list[str]:
    """Return the share of each target."""
    targets = (result.target, result.versus) if result.versus else (result.target,)
    return [_percent(result.words.loc[result.words["word"].isin(words), column].sum()) for words in targets]


def _known(result: AttendedWords, column: str) -> bool:
    """Return whether a target has a share in that reading."""
    rows = result.words["word"].isin((*result.target, *result.versus))
    return column in result.words and bool(result.words.loc[rows, column].notna().any())


def _heads(heads: str) -> str:
    """Return the beginning of a sentence about these heads.

    >>> _heads("4.2"), _heads("layer 4"), _heads("all heads")
    ('In layer 4, head 2,', 'Averaged over the heads of layer 4,', 'Averaged over all heads,')
    """
    if heads == ALL:
        return "Averaged over all heads,"
    if heads.startswith("layer"):
        return f"Averaged over the heads of {heads},"
    return f"In {head_name(heads)},"


def _replaced(result: AttendedWords) -> str:
    """Return how the control sentence differs: "With “wide” instead of “tired”"."""
    pairs = [(a, b) for a, b in zip(result.words["word"], result.control, strict=False) if a != b]
    if len(result.control) == len(result.words) and len(pairs) == 1:
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
