"""Attention: what a word attends to in each head, which head does a task best, and what an answer depends on."""
