"""Maps and charts drawn for people."""
