"""What the documents tell a reader to type works, and prints what they say.

Every fenced block is run, in order, in a folder of the document's own:

* ``console``: the lines behind "$ " are commands; they must succeed. Lines below a command are its output,
  in which "..." stands for anything; the width of blanks and rules is left out. ``make`` runs in the repository.
* ``python``: a program. If it begins with a comment that is a file's name, it is saved under that name, for the
  commands that follow; else it is run.
* ``toml`` and ``proto``: a file, saved in the same way.
* any other fence, or none, is left alone.

What a document installs goes to an environment of its own, on top of the development set-up.
"""

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import own_venv
import pytest

DOCUMENTS = [
    "README.md",
    "docs/write-a-bot.md",
    "docs/chance.md",
    "docs/replays.md",
    "docs/ratings.md",
    "docs/run-a-ladder.md",
    "docs/add-a-game.md",
    "docs/simulation.md",
]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE_NAME = re.compile(r"(?:#|//) ([\w/-]+\.(?:py|toml|proto))\n")
RUNS_ALREADY = {"make test", "make demo"}
"""The command that runs this very test, and what tests/cli/test_demo.py runs."""


class Reader:
    """Somebody who does what a document says, in a folder of their own."""

    def __init__(self, folder: Path, root: Path) -> None:
        self.folder = folder / "folder"
        self.folder.mkdir()
        self.root = root
        self.home = folder / "home"
        self.programs = own_venv.create(folder / "venv")

    def follow(self, text: str) -> None:
        """Do everything that *text* says."""
        for kind, body in FENCE.findall(text):
            if kind == "console":
                for command in commands(body):
                    self.type(command)
            elif kind in ("python", "toml", "proto"):
                self.write(kind, body)

    def type(self, command: "Command") -> None:
        """Type *command* and compare what it prints."""
        if command.line in RUNS_ALREADY:
            return
        make = command.line.startswith("make ")
        # The development set-up is there, or this test would not run: nothing is installed here.
        line = f"{command.line} READY= BIN={shlex.quote(str(own_venv.DEVELOPMENT))}" if make else command.line
        printed = self.run(["bash", "-euc", line], self.root if make else self.folder)
        assert command.expects(printed), f"$ {command.line}\n{printed}"

    def write(self, kind: str, text: str) -> None:
        """Save *text* if it has a name; run it if it is a program without one."""
        name = FILE_NAME.match(text)
        if name:
            path = self.folder / name[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        else:
            assert kind == "python", f"a file without a name:\n{text}"
            self.run([str(self.programs / "python"), "-W", "error", "-c", text], self.folder)

    def run(self, command: list[str], folder: Path) -> str:
        """What *command* prints. It must succeed."""
        environment = {
            **os.environ,
            "PATH": f"{self.programs}:{own_venv.DEVELOPMENT}:{os.environ['PATH']}",
            "TRADEPIT_HOME": str(self.home),
            "COLUMNS": "100",
        }
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command[-1]}\n{done.stdout}"
        return done.stdout


class Command(NamedTuple):
    """A line that is typed, and what it prints."""

    line: str
    output: str
    """Empty: the document does not say."""

    def expects(self, printed: str) -> bool:
        """Whether the document says that *printed* is printed; how wide tables are drawn does not matter."""
        pattern = ".*?".join(map(re.escape, plain(self.output).split("...")))
        return not self.output.strip() or re.fullmatch(pattern, plain(printed), re.DOTALL) is not None


def plain(output: str) -> str:
    """*output* without empty lines, with one blank for many, and with short rules."""
    lines = (re.sub("─+", "─", " ".join(line.split())) for line in output.splitlines())
    return "\n".join(filter(None, lines))


def commands(block: str) -> Iterator[Command]:
    """The commands in a console *block*."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, output = part.partition("\n")
        yield Command(line, output)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_everything_in_it_works(document: str, root: Path, tmp_path: Path) -> None:
    text = Path(root, document).read_text()
    assert FENCE.search(text), f"{document} holds nothing to run"
    Reader(tmp_path, root).follow(text)


@pytest.mark.parametrize(
    "text",
    [
        "```console\n$ false\n```\n",
        "```console\n$ echo one\ntwo\n```\n",
        "```console\n$ echo one; echo two\none\n```\n",
        "```python\nassert 1 == 2\n```\n",
        "```python\n# bot.py\nimport nothing_of_that_name\n```\n```console\n$ python bot.py\n```\n",
        "```toml\nid = 1\n```\n",
    ],
    ids=["failing", "other output", "more output", "wrong program", "wrong file", "nameless file"],
)
def test_what_does_not_work_is_found(text: str, root: Path, tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        Reader(tmp_path, root).follow(text)


def test_output_may_be_left_open(root: Path, tmp_path: Path) -> None:
    Reader(tmp_path, root).follow("```console\n$ echo one; echo 2; echo three\none\n...\nthr...\n$ echo\n```\n")


def test_links_between_documents_lead_somewhere(root: Path, tracked: list[Path]) -> None:
    documents = [path for path in tracked if path.suffix == ".md"]
    for document in documents:
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text()):
            assert (document.parent / link).exists(), f"{document.relative_to(root)} links to {link}"
