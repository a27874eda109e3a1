"""The folders that a server offers."""

from embtools.occurrences.folder.offered import offered


def test_folders_that_are_offered(monkeypatch):
    monkeypatch.delenv("EMBTOOLS_CORPORA", raising=False)
    assert offered() == {}
    monkeypatch.setenv("EMBTOOLS_CORPORA", " /a/wiki/ ,, s3://key:secret@lab/news?scheme=http")
    assert offered() == {"wiki": "/a/wiki/", "news": "s3://key:secret@lab/news?scheme=http"}
    assert list(offered("/a/wiki,/b/wiki,/c/wiki")) == ["wiki", "wiki (2)", "wiki (3)"]
