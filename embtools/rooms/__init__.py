"""Rooms: a teacher asks a class, phones answer without a name, and the class is compared with BERT."""
