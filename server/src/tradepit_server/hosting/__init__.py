"""Starting bots as processes of their own."""
