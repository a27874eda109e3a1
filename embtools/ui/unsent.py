"""What was drawn but not yet sent to the browser.

Streamlit drops it when a fragment runs again, but keeps what fragments inside that one have drawn. Such an element can
then arrive before those that stand before it, and the browser shows an empty page ("Bad delta path index"). It happens
on the first visit of a page, if a visitor or one of its scripts uses a field while the page is still being sent.
"""

from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

_clear = ForwardMsgQueue.clear


def keep() -> None:
    """Let Streamlit send all of it, in order, as if it had been sent just before the fragment runs again; called before
    the server starts."""
    ForwardMsgQueue.clear = _clear_unless_fragment  # type: ignore[method-assign]


def _clear_unless_fragment(
    self: ForwardMsgQueue, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None
) -> None:
    if fragment_ids_this_run is None:
        _clear(self, retain_lifecycle_msgs)
    else:
        self._delta_index_map = {}  # what the fragment draws now is added behind and replaces nothing that waits
