"""``python docs/renew`` writes down anew whatever the documents take from the program: reference, pictures, outputs of blocks.

``python docs/renew verdicts GAME BOARDS FILE`` takes over what ``verify`` has said before.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from pages import documents, language, renewed
from pictures import pictures
from reference import reference
from verdicts import write_down

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    if sys.argv[1:2] == ["verdicts"]:
        write_down(*sys.argv[2:])
    made = {ROOT / "docs" / "reference" / name: text for name, text in reference().items()}
    made |= {ROOT / "docs" / "pictures" / name: text for name, text in pictures().items()}
    for path, text in made.items():
        _write(path, text)
    for page in documents(ROOT):
        with tempfile.TemporaryDirectory() as folder:
            _write(page, renewed(page.read_text("utf-8"), language(page), Path(folder)))


def _write(path: Path, text: str) -> None:
    """The file with this text, said only where it was another one."""
    if not path.exists() or path.read_text("utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
