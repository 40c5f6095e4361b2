"""``python -m monjudge.cli`` is the command ``monjudge``."""

import gc

from monjudge.cli.main import main

__all__ = ["run"]


def run() -> None:
    """The command in a process of its own."""
    try:
        main(prog_name="monjudge")
    finally:
        gc.freeze()  # the process ends: looking once more through a rule set for rubbish would take a sixth of its time


if __name__ == "__main__":
    run()
