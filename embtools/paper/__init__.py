"""Numbers of the Paper page: claims of five articles, their conditions and verdicts; `python -m embtools.paper`."""
