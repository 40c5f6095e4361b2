"""Rule consistency across states, boards and readings. Knows no game; may import `model` and `solvers`."""
