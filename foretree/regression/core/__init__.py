"""What every suite is made of: runner, results that are kept, statistics."""
