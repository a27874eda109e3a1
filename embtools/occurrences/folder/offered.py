"""The corpus folders that a server offers, by name."""

from embtools import settings
from embtools.occurrences.folder.location import Location


def offered(setting: str | None = None) -> dict[str, str]:
    """The folders that may be opened, name → path or URI, from the comma-separated variable EMBTOOLS_CORPORA; a second
    folder of the same name gets a number.

    >>> offered("/data/wiki, s3://lab/corpora/news?region=eu-west-1")
    {'wiki': '/data/wiki', 'news': 's3://lab/corpora/news?region=eu-west-1'}
    """
    given = settings.current().corpora if setting is None else setting
    found: dict[str, str] = {}
    for uri in filter(None, map(str.strip, given.split(","))):
        name = Location(uri).shown.rstrip("/").rpartition("/")[2]
        same = sum(other.partition(" (")[0] == name for other in found)
        found[f"{name} ({same + 1})" if same else name] = uri
    return found
