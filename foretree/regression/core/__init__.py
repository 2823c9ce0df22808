"""Parts of every suite: selection, trials, runner, result cache, figures, statistics."""
