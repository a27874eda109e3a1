"""Rooms in the app: the page for phones, the teacher's popover and the view for the projector."""
