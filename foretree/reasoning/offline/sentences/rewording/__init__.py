"""Rewording: an instruction in plainer words, before it is read or once it was not understood."""
