"""Plotly figures of the Similarity page: heatmaps with trees, colours, pairs and the odd one out."""
