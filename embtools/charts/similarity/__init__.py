"""Figures of the Similarity page: matrices, trees and colours. Frames in, plotly out."""
