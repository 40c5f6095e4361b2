"""``python -m monjudge.cli`` is the command ``monjudge``."""

from monjudge.cli.main import main

if __name__ == "__main__":
    main(prog_name="monjudge")
