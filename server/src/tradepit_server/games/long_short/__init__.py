"""Long Short: futures in six goods over ten rounds. The rules are in ``docs/rules/long-short.md``."""
