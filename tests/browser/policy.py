"""What the Content-Security-Policy blocks in a page."""

from collections.abc import Callable
from typing import Any

_COLLECT = """
window.blocked = [];
addEventListener("securitypolicyviolation", e => window.blocked.push(`${e.violatedDirective} ${e.blockedURI} ${e.sourceFile}`));
"""


def watched(page: Any) -> Callable[[], list[str]]:
    """Watch a page that has not been opened yet; the result returns what was blocked, since its last load too."""
    reported: list[str] = []
    page.on("console", lambda line: reported.append(line.text) if "Security Policy" in line.text else None)
    page.add_init_script(_COLLECT)
    return lambda: [*reported, *page.evaluate("window.blocked")]
