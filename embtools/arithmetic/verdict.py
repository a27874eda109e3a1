"""What an experiment says in two sentences: did the answer turn, and do the controls leave the edit the credit?"""

import pandas as pd

from embtools.arithmetic.controls import ADDED, OTHER_EDITED, OTHER_TAKEN, RANDOM, TAKEN, Experiment

RIVALS = {
    ADDED: "adding without taking away",
    TAKEN: "taking away without adding",
    OTHER_TAKEN: "taking another word away",
    OTHER_EDITED: "the same change to another word",
}


def verdict(result: Experiment, mask: int = 1) -> tuple[str, str]:
    """(what happened, what the controls say) for one mask of an edited run; the second is empty without controls.

    The credit goes to the whole edit only when less than half of the random changes give its answer, and no rival
    explanation puts it first in half of its draws or gives it more than half of its probability. One sentence stays an
    anecdote whatever the controls say.
    """
    answers = result.answers[result.answers["mask"] == mask]
    before = answers.loc[answers["rank_before"].idxmin()]
    after = answers.loc[answers["rank_after"].idxmin()]
    if before["token"] == after["token"]:
        happened = f"The first answer stays {after['token']} ({before['before']:.1%} → {after['probability']:.1%})."
    else:
        happened = (
            f"The first answer turns from {before['token']} ({before['before']:.1%}) to {after['token']}"
            f" ({after['probability']:.1%}, before {after['before']:.1%})."
        )
    lines = result.summary[result.summary["mask"] == mask].set_index("control")
    if lines.empty:
        return happened, ""
    if before["token"] == after["token"]:
        return happened, "There is no turn to explain; compare the probabilities with those of the controls."
    return happened, _credit(lines, str(after["token"]), float(after["probability"]))


def _credit(lines: pd.DataFrame, answer: str, probability: float) -> str:
    random = lines.loc[RANDOM]
    turned = f"{random['same_answer'] * random['draws']:.0f} of {random['draws']:.0f}"
    if random["same_answer"] >= 0.5:
        return f"Random changes of the same size give {answer} too ({turned}): the edit explains nothing here."
    said = [f"Random changes give {answer} in {turned} draws"]
    rivals = []
    for name, words in RIVALS.items():
        if name in lines.index:
            line = lines.loc[name]
            first = line["same_answer"] >= 0.5
            said.append(f"{words} {'puts it first too' if first else 'does not'} ({line['mean']:.1%})")
            if first or line["mean"] > probability / 2:
                rivals.append(float(line["mean"]))
    text = "; ".join(said) + "."
    if rivals:
        return f"{text} The whole formula adds {(probability - max(rivals)) * 100:+.1f} points to the best of these."
    if not {ADDED, OTHER_TAKEN} & set(lines.index):
        return f"{text} The formula has no parts that could be tested one by one."
    return f"{text} Here the whole formula earns the credit."


def finding(result: Experiment, mask: int = 1) -> str:
    """What an experiment found at one mask, in words: the answer, and the first rival that explains it as well."""
    answers = result.answers[result.answers["mask"] == mask]
    before = answers.loc[answers["rank_before"].idxmin()]
    after = answers.loc[answers["rank_after"].idxmin()]
    if result.controls.empty and before["token"] == after["token"] and before["before"] == after["probability"]:
        return f"BERT says {after['token']} ({after['probability']:.0%})."
    if before["token"] == after["token"]:
        return f"BERT still says {after['token']} ({before['before']:.0%} before, {after['probability']:.0%} now)."
    return f"BERT now says {after['token']} ({after['probability']:.0%}), no longer {before['token']}."
