"""Claims of five articles about BERT, with their conditions and verdicts; run `python -m embtools.paper`."""
