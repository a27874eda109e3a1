"""Panels of the Paper page: the overview of all claims and the cards of each article."""
