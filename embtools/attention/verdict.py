"""What a look found, and what speaks against it, in sentences."""

from collections.abc import Sequence

import pandas as pd

from embtools.attention.looks import ALL, BEFORE, CONTROL, NOW, ROLLOUT, Look, spelt
from embtools.messages import shortened


def finding(look: Look) -> str:
    """How much the words that look give to the words looked at, and what the control sentence gives."""
    target, source = _named(look.target), _named(look.source)
    rows = look.words[look.words["word"].isin(look.target)]
    text = f"{_heads(look.heads)} {source} gives {target} {_percent(rows[NOW].sum())} of its attention"
    if look.heads == ROLLOUT:
        text = f"Rolled out over all layers, {_percent(rows[NOW].sum())} of {source} comes from {target}"
    if BEFORE in rows and rows[BEFORE].notna().any():
        text += f", before the edit {_percent(rows[BEFORE].sum())}"
    if CONTROL in rows and rows[CONTROL].notna().any():
        text += f"; {_exchanged(look)} {_percent(rows[CONTROL].sum())}"
    return text + "."


def doubts(look: Look) -> str:
    """What the finding is to be measured by: a head at random, the next words, and what the control sentence moved."""
    cells, words = look.cells, look.words
    target = _named(look.target)
    rest = words[~words["frame"] & ~words["word"].isin((*look.target, *look.source))].nlargest(2, NOW)
    parts = []
    if "." in look.heads:
        parts.append(
            f"A head drawn at random gives {target} {_percent(cells[NOW].mean())} (the mean of all {len(cells)})."
        )
        layer, number = map(int, look.heads.split("."))
        mine = cells[(cells["layer"] == layer) & (cells["head"] == number)][NOW].iloc[0]
        above = int((cells[NOW] > mine).sum())
        if above == 0:
            parts.append("The strongest of many is strong partly by luck.")
        else:
            parts.append(f"{above} of {len(cells)} heads give it more.")
    if len(rest):
        parts.append(
            "Next: " + ", ".join(f"“{w}” {_percent(s)}" for w, s in zip(rest["word"], rest[NOW], strict=True)) + "."
        )
    framed = words.loc[words["frame"], NOW].sum()
    parts.append(f"[CLS] and [SEP] take {_percent(framed)}.")
    if CONTROL in words and words[CONTROL].notna().any():
        spoken = words[~words["frame"]]
        gains = spoken[CONTROL] - spoken[NOW]
        most = gains.idxmax()
        if gains[most] >= 0.005:
            there = look.control[most] if len(look.control) == len(words) else words["word"][most]
            parts.append(
                f"In the control sentence “{there}” gains most: {_percent(words[NOW][most])} →"
                f" {_percent(words[CONTROL][most])}."
            )
    return " ".join(parts)


def alt(look: Look) -> str:
    """The words' shares in a sentence."""
    top = look.words.nlargest(3, NOW)
    first = ", ".join(f"{w} {_percent(s)}" for w, s in zip(top["word"], top[NOW], strict=True))
    return f"Shares of the attention of {_named(look.source)} over {len(look.words)} words. Most: {first}."


def cells_alt(cells: pd.DataFrame) -> str:
    """The overview in a sentence."""
    best, least = cells.loc[cells[NOW].idxmax()], cells.loc[cells[NOW].idxmin()]
    return (
        f"{len(cells)} heads: most in layer {best['layer']:.0f}, head {best['head']:.0f} ({_percent(best[NOW])}), least"
        f" in layer {least['layer']:.0f}, head {least['head']:.0f} ({_percent(least[NOW])}); mean"
        f" {_percent(cells[NOW].mean())}."
    )


def _heads(heads: str) -> str:
    """Where it was looked, as the beginning of a sentence.

    >>> _heads("4.2"), _heads("layer 4"), _heads("all heads")
    ('In layer 4, head 2,', 'In layer 4, its heads averaged,', 'Averaged over all heads,')
    """
    if heads == ALL:
        return "Averaged over all heads,"
    if heads.startswith("layer"):
        return f"In {heads}, its heads averaged,"
    return f"In {spelt(heads)},"


def _exchanged(look: Look) -> str:
    """What tells the control sentence from the first: "with “wide” for “tired”"."""
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
