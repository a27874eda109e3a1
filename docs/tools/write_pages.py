"""Write docs/pages (for each idea its question, what the app explains, Python, and the sources) and docs/model-card.md.

python docs/tools/write_pages.py
"""

import runpy
import sys
from pathlib import Path
from unittest.mock import patch

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from embtools.ui import menu, page, panels  # noqa: E402  (from the checkout, wherever this is started)

TARGET = ROOT / "docs"
CODE = {
    "arithmetic": """\
from embtools.arithmetic import edited_answers

result = edited_answers("Rome is the capital of [MASK].", ["rome = rome - italy + france"], model)
print(result.headline)""",
    "similarity": """\
from embtools.similarity import compare_with_random_words

result = compare_with_random_words(["red", "green", "blue", "dog", "cat", "horse"], model)
print(result.headline, result.pairs.head(), sep="\\n")""",
    "clusters": """\
from embtools.clusters import View, Words, word_map

words = Words((("colours", ("red", "green", "blue")), ("animals", ("dog", "cat", "horse"))))
result = word_map(words, model, view=View("PCA"))
print(result.headline, result.points[["word", "x", "y"]], sep="\\n")""",
    "bias": """\
from embtools.bias import weat

first, second = ["nurse", "maid", "dancer", "secretary"], ["engineer", "pilot", "soldier", "captain"]
print(weat(first, second, ["she", "her", "woman", "girl"], ["he", "his", "man", "boy"], model).headline)""",
    "inputs": """\
from embtools.inputs import compare_words

result = compare_words(["I found a rock.", "I only listen to rock."], model, piece="rock")
print(result.sentence)""",
    "layers": """\
from embtools.layers import built_in, one_word

result = one_word("bank", model, lines=built_in("bank", model))
print(result.headline)""",
    "attention": """\
from embtools.attention import attended_words

text = "The chicken didn't cross the road because it was tired."
print(attended_words(text, model, source=("it",), target=("chicken",)).headline)""",
    "tracing": """\
from embtools.tracing import trace_positions

edits = ["rome = rome - italy + france"]
print(trace_positions("Rome is the capital of [MASK].", model, edits=edits).headline)""",
    "pairs": """\
from embtools.pairs import with_controls

print(with_controls("I went to the store.", "They were closed.", model).headline)""",
    "concepts": """\
from embtools.concepts import find_direction

first = "king man father son uncle brother husband prince actor boy".split()
second = "queen woman mother daughter aunt sister wife princess actress girl".split()
print(find_direction(first, second, model, layer=0).headline)""",
    "corpus": """\
from embtools.corpus import Query, nearest
from embtools.occurrences import read_corpus

text = "The bank of the river is muddy. The bank lent me money. My bank closed. We sat on the bank and fished."
result = nearest(read_corpus(text), model, query=Query("bank", 1), combination="sum of last four", k=3)
print(result.near[["word", "cosine", "text"]])""",
    "features": """\
from embtools.features import decompose_formula

print(decompose_formula("king - man + woman", model).headline)""",
    "evidence": """\
from embtools.evidence import minimal_pair

print(minimal_pair("The keys are on the table.", "The keys is on the table.", model).headline)""",
    "paper": """\
from embtools.paper import measure

result = measure("A1", model)
print(result.verdict, result.answer)""",
}
"""Imports, an empty line, and what is done with the `model`."""


def text(entry: menu.Page) -> str:
    """The page of an idea."""
    with patch.object(page, "show") as show:
        runpy.run_path(str(ROOT / entry.script))
    explanation, sources = show.call_args.args[2:4]
    parts = {"": explanation} if isinstance(explanation, str) else explanation
    tabs = {key: panel.TAB for key, panel in panels.of(entry.name).items()}
    lines = [f"# {entry.title}", entry.question, f"Tabs: {'; '.join(tabs.values())}."]
    lines.append(parts.get("", "").strip())
    for key, title in tabs.items():
        if key in parts:
            lines += [f"## {title}", parts[key].strip()]
    imports, _, rest = CODE[entry.name].partition("\n\n")
    code = f"import embtools\n{imports}\n\nmodel = embtools.load_model()\n{rest}"
    lines += ["## In Python", f"```python\n{code}\n```"]
    lines.append(f"[All functions of embtools.{entry.name}](../library/{entry.name}.md)")
    lines += ["## Sources", "\n".join(f"- {source}" for source in sources)]
    return "\n\n".join(filter(None, lines)) + "\n"


def pages() -> dict[str, str]:
    """All pages: the name of the file in docs → its text; the model card is that of the package."""
    card = (ROOT / "embtools" / "bundled" / "README.md").read_text(encoding="utf-8")
    own = card.replace("[docs/pocket-model.md](../../docs/pocket-model.md)", "[How it was trained](pocket-model.md)")
    return {"model-card.md": own} | {f"pages/{entry.name}.md": text(entry) for entry in menu.IDEAS}


if __name__ == "__main__":
    (TARGET / "pages").mkdir(exist_ok=True)
    for name, content in pages().items():
        (TARGET / name).write_text(content, encoding="utf-8")
