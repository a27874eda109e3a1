"""Write embtools/bundled/answers.zip: the results of all tabs and examples that take long, for the bundled weights.

python -m embtools.ui.prepare_answers [page …]

It opens every tab and presses every example and every button of long work, as a visitor does, with nothing in the
cache. What takes at least 0.7 seconds is stored, unless it is large for the time that it saves. A server that has just
been started then shows it at once. A second round uses these answers, and stores what takes long then: a query can be
quick in the first round because the one before it has read the same text. With the names of pages, only those are
opened, and the answers of all others stay. Seconds are those of the processor, so that it matters little what else runs
on the machine.
"""

import json
import os
import sys
import time
import zlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from embtools.ui import host

host.prepare()  # as the app does, before numpy is imported

from streamlit.testing.v1 import AppTest  # noqa: E402

from embtools import memory, values  # noqa: E402
from embtools.models.catalogue import BUNDLED  # noqa: E402
from embtools.ui import answers, menu, panels, shown  # noqa: E402
from embtools.ui.call import Call  # noqa: E402

ROOT = Path(__file__).parents[2]
LEAST = 0.7  # seconds of the processor that an answer takes to compute
MOST = 50_000  # bytes in the file for each second that an answer saves


class Recorder:
    """What visitors ask: by the names of their queries, the answer with its seconds and how it is described."""

    def __init__(self) -> None:
        self.queries: dict[str, tuple[Call, Any, float]] = {}
        self._compute = shown.Model.compute

    def compute(self, model: shown.Model, query: Call, *more: Any) -> Any:
        """Compute a query in place of `Model.compute`, and note what it costs."""
        began = time.process_time()
        value = self._compute(model, query, *more)
        seconds = time.process_time() - began
        if model == shown.Model(BUNDLED):
            name = answers.name(query, model.checksum if query.takes_model else "")
            if name and (name not in self.queries or self.queries[name][2] < seconds):
                self.queries[name] = query, value, seconds
        return value


def visits(pages: Sequence[str]) -> Iterator[str]:
    """Open every tab of some pages and press its examples, each time with an empty cache; tells what was done."""
    for name in pages:
        for tab, panel in (panels.of(name) or {"": None}).items():
            offered = panel.examples() if callable(getattr(panel, "examples", None)) else getattr(panel, "PRESETS", {})
            for example in ("", *offered):
                memory.forget()
                visit = AppTest.from_file(str(ROOT / "app.py"), default_timeout=600)
                if tab:
                    visit.query_params[f"{name}_tab"] = tab
                visit.switch_page(f"pages/{name}.py")
                visit.run()
                if example:
                    memory.forget()
                    visit.button(key=f"example-{panel.TAB}-{example}").click().run()
                press(visit)
                yield " › ".join(filter(None, (name, tab, example)))


def press(visit: AppTest) -> None:
    """Press every button that starts long work, also those that appear after it."""
    pressed: set[str | None] = set()
    while True:
        waiting = [b for b in visit.button if (b.key or "").startswith("requested-") and b.key not in pressed]
        if not waiting:
            return
        pressed.add(waiting[0].key)
        waiting[0].click()
        visit.run()


def of_another_page(function: str, pages: Sequence[str]) -> bool:
    """Whether a function such as `embtools.bias.groups.group_answers` belongs to none of these pages."""
    return function.split(".")[1] not in pages


def main(pages: Sequence[str]) -> None:
    """Visit these pages, or all, and write what took long."""
    everything = [page.name for page in menu.PAGES]
    if unknown := set(pages) - set(everything):
        raise SystemExit(f"There is no page {', '.join(sorted(unknown))}. Pages: {', '.join(everything)}.")
    if pages and answers.checksum() != shown.Model(BUNDLED).checksum:
        raise SystemExit("The stored answers are those of other weights: prepare the answers of all pages.")
    recorder = Recorder()
    shown.Model.compute = lambda model, query, *more: recorder.compute(model, query, *more)  # type: ignore[method-assign]
    others_stay = partial(of_another_page, pages=pages) if pages else None
    for prepared in ("0", "1"):
        os.environ["EMBTOOLS_PREPARED"] = prepared
        for done in visits(pages or everything):
            print(done, flush=True)
        result = slow(recorder)
        answers.write(result, shown.Model(BUNDLED).checksum, others_stay)
        every, size = len(list(answers.every())), answers.FILE.stat().st_size
        print(f"{len(result)} answers written; {every} in all, {size:,} bytes")


def slow(recorder: Recorder) -> list[tuple[str, Call, Any]]:
    """The answers that are stored: the names of their queries, the queries and the results; prints why for each."""
    result, others = [], []
    for name, (query, value, seconds) in recorder.queries.items():
        if seconds < LEAST:
            continue
        try:
            length = len(zlib.compress(json.dumps(values.to_json(value)).encode()))
        except TypeError as error:
            others.append(f"not stored: {seconds:.1f} s, {error} {query.name}")
            continue
        small = length <= MOST * seconds
        others.append(f"{'stored' if small else 'too large'}: {seconds:.1f} s, {length:,} bytes, {query.name}")
        if small:
            result.append((name, query, value))
    print(*sorted(others), sep="\n")
    return result


if __name__ == "__main__":
    main(sys.argv[1:])
