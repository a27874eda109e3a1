"""Lessons: the list, one lesson step by step, and a form to write lessons."""
