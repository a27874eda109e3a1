"""Time, forward passes and memory of every page with a model from a folder, chosen in the app's menu.

python -m benchmarks.every_page [--model FOLDER]

Without a folder the model has the size of BERT base and random weights; with --short it is the bundled one, and only
the first pages are opened. Pages are opened as they stand at first: what
takes long waits for a press there. Ends with 1 where a page complains.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def main() -> int:
    """Open the pages one after another in this process, without a browser."""
    folder = Path(tempfile.gettempdir()) / "random-bert-base"
    if "--model" in sys.argv:
        folder = Path(sys.argv[sys.argv.index("--model") + 1])
    elif "--short" in sys.argv:
        folder = folder.with_name("copied-bert")
        shutil.copytree(Path(__file__).parents[1] / "embtools" / "bundled", folder, dirs_exist_ok=True)
    else:
        subprocess.run([sys.executable, "-m", "benchmarks.base_model", str(folder)], check=True)
    os.environ["EMBTOOLS_MODELS"] = str(folder)  # before the catalogue is imported, which reads it
    from benchmarks.measure import few, peak
    from embtools.ui import cached, warm
    from embtools.ui.menu import PAGES
    from tests.visit import Visit

    warm.visited = lambda pages: None  # nothing in the background
    calls = [0]

    def count(module: object, *_: object) -> None:
        calls[0] += type(module).__name__ in ("BertLayer", "TransformerBlock")

    name = folder.name
    at = Visit("similarity", open=["settings"]).put("model", name)
    if at.session_state["model"] != name:
        print(f"The menu does not offer {name}.")
        return 1
    layers, wrong = cached.model(name).layers, 0
    from torch.nn.modules.module import register_module_forward_hook

    register_module_forward_hook(count)
    print(f"{name}: loaded, at most {peak():,} MB so far")
    for page in PAGES[: few(len(PAGES), 2)]:
        calls[0], began = 0, time.perf_counter()
        # A model that the host has added has no learned features, and the page says so.
        own = {"features_tab": "word"} if page.name == "features" else {}
        at = Visit(page.name, model=name, **own)
        seconds = time.perf_counter() - began
        wrong += bool(at.problems)
        print(
            f"{page.title}: {calls[0] / layers:g} passes, {seconds:.1f} s, at most {peak():,} MB so far",
            *at.problems, sep="\n  ", flush=True,
        )  # fmt: skip
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
