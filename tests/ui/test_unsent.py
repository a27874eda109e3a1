"""What waits to be sent when a fragment runs again: it arrives, in an order in which the browser can place it."""

import runpy
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as some
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from embtools.ui import unsent

Path = tuple[int, ...]


@pytest.fixture(autouse=True)
def _kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ForwardMsgQueue, "clear", unsent._clear)  # the end of the test restores what is there now
    unsent.keep()


def drawn(path: Path, fragment: str, text: str = "") -> ForwardMsg:
    """An element with a text or, without a text, a block."""
    message = ForwardMsg()
    message.metadata.delta_path.extend(path)
    message.delta.fragment_id = fragment
    if text:
        message.delta.new_element.text.body = text
    else:
        message.delta.add_block.vertical.SetInParent()
    return message


def place(tree: dict[Path, str], message: ForwardMsg) -> None:
    """Do what a browser does with one message: an element needs its block, and all elements before it."""
    path = tuple(message.metadata.delta_path)
    before = (*path[:-1], path[-1] - 1)
    assert len(path) == 1 or tree.get(path[:-1]) == "", f"no block for {path}"
    assert path[-1] == 0 or before in tree, f"bad delta path {path}"
    tree[path] = message.delta.new_element.text.body


def page(run: str) -> Iterator[ForwardMsg]:
    """A page with a panel that contains a fragment of its own, between two elements."""
    yield drawn((0,), "", f"title {run}")
    yield from panel(run)
    yield drawn((2,), "", f"end {run}")


def panel(run: str) -> Iterator[ForwardMsg]:
    """Its panel, as it is drawn when only the panel's fragment runs, too."""
    yield drawn((1,), "panel")
    yield drawn((1, 0), "panel", f"chart {run}")
    yield drawn((1, 1), "inside")
    yield drawn((1, 1, 0), "inside", f"table {run}")
    yield drawn((1, 2), "panel", f"caption {run}")


def run_again(queue: ForwardMsgQueue) -> None:
    """What Streamlit does with the queue when the panel's fragment begins to run."""
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=["panel"])


@given(sent=some.sets(some.integers(1, 12)))
def test_the_browser_gets_the_same_page_whenever_it_is_sent(sent: set[int]) -> None:
    """`sent` are the numbers of messages after which the queue is emptied."""
    queue, tree, count = ForwardMsgQueue(), dict[Path, str](), 0
    runs = [list(page("first")), list(panel("second"))]
    for run in runs:
        for message in run:
            queue.enqueue(message)
            count += 1
            if count in sent:
                for arrived in queue.flush():
                    place(tree, arrived)
        run_again(queue)
    for arrived in queue.flush():
        place(tree, arrived)
    assert [text for text in tree.values() if text] == [
        "title first", "chart second", "table second", "caption second", "end first",
    ]  # fmt: skip


def test_a_run_of_the_whole_page_still_drops_what_waits() -> None:
    queue = ForwardMsgQueue()
    for message in page("first"):
        queue.enqueue(message)
    queue.clear(retain_lifecycle_msgs=True)
    assert queue.is_empty()


def test_what_is_drawn_again_comes_after_what_waits() -> None:
    """So what waits is not replaced in its place, and the browser learns of the new run before its elements."""
    queue, begun, ended = ForwardMsgQueue(), ForwardMsg(), ForwardMsg()
    ended.script_finished = ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
    begun.new_session.page_script_hash = "page"
    first, second = drawn((1, 0), "panel", "first"), drawn((1, 0), "panel", "second")
    for message in (first, ended):
        queue.enqueue(message)
    run_again(queue)
    for message in (begun, second):
        queue.enqueue(message)
    assert queue.flush() == [first, ended, begun, second]
    assert ended.script_finished == ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY


def test_streamlit_alone_would_send_an_element_without_those_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this fails, Streamlit no longer has the fault, and `embtools.ui.unsent` can be removed."""
    monkeypatch.setattr(ForwardMsgQueue, "clear", unsent._clear)
    queue, tree, waiting = ForwardMsgQueue(), dict[Path, str](), list(page("first"))
    for message in waiting[:2]:
        queue.enqueue(message)
    for arrived in queue.flush():
        place(tree, arrived)
    for message in waiting[2:]:
        queue.enqueue(message)
    run_again(queue)
    with pytest.raises(AssertionError, match="bad delta path"):
        for arrived in queue.flush():
            place(tree, arrived)


def test_the_server_keeps_what_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit imports app.py before the first visitor comes."""
    monkeypatch.setattr(ForwardMsgQueue, "clear", unsent._clear)
    runpy.run_path("app.py", run_name="app")
    assert ForwardMsgQueue.clear is unsent._clear_unless_fragment
