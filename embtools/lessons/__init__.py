"""Lessons: their file format, their place in an address, their worksheets, and the lessons that come with the app."""
