"""``python -m monjudge.cli`` is the command ``monjudge``."""

import gc
import sys

__all__ = ["run"]

UNREADABLE, INTERRUPTED = 2, 130


def run() -> None:
    """The command in a process of its own."""
    try:
        try:
            from monjudge.cli.main import main
        except ImportError as missing:
            if "monjudge[" not in str(missing):
                raise
            print(missing, file=sys.stderr)
            sys.exit(UNREADABLE)
        main(prog_name="monjudge")
    except KeyboardInterrupt:  # before there was anything that could say so
        sys.exit(INTERRUPTED)
    finally:
        gc.freeze()  # the process ends: looking once more through a rule set for rubbish would take a sixth of its time


if __name__ == "__main__":
    run()
