"""The body of a robot in a grid home, in this process or in one of its own."""
