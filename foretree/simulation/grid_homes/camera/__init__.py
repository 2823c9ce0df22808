"""The camera of a body in a grid home, and its errors."""
