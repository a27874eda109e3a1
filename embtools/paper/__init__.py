"""The numbers of the Paper page: what five texts claim and what a model says to it; also `python -m embtools.paper`."""
