"""Images of docker/, built for real on a base of our own, since no registry of images is asked for anything."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
BASE = "localhost/tradepit-test-base:bookworm-1"
"""Debian with the interpreter; kept between runs, for making it takes a minute."""

PARTS = ("podman", "buildah", "runc", "debootstrap", "iptables")
BOT = """
from tradepit.long_short import LongShortBot, Turn, buy


class Momentum(LongShortBot):
    def take_turn(self, view):
        orders = [buy("gold", "long", 1)] if view.can_buy("gold", "long", 1) else []
        return Turn(orders=orders, price_card=view.hand[0])


if __name__ == "__main__":
    Momentum().run()
"""

CONTAINERS_CONF = """
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=2000:2000"]
"""
"""Limits that need no more rights than a container of this machine's may have itself."""


class Podman:
    """Runs podman and buildah."""

    def __init__(self, folder: Path) -> None:
        conf = folder / "containers.conf"
        conf.write_text(CONTAINERS_CONF)
        self._environment = {**os.environ, "CONTAINERS_CONF": str(conf)}

    def __call__(self, *words: str | Path) -> str:
        """What podman prints when it does as told."""
        return self._output("podman", "--runtime", "runc", *words)

    def build(self, dockerfile: str, image: str, context: Path, **arguments: str) -> None:
        """Build *image* of a file in docker/."""
        pairs = {"BASE_IMAGE": BASE, **arguments}
        given = [word for pair in pairs.items() for word in ("--build-arg", "=".join(pair))]
        where = ["--file", str(ROOT / "docker" / dockerfile), "--tag", image, str(context)]
        self._output("buildah", "bud", "--isolation", "chroot", "--quiet", *given, *where)

    def start(self, *words: str | Path) -> "subprocess.Popen[str]":
        """``podman run`` in the foreground; signals go on to what runs inside."""
        return subprocess.Popen(
            ["podman", "--runtime", "runc", "run", "--rm", *words],
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def import_folder(self, folder: Path, image: str) -> None:
        """Make *image* of a root file system."""
        command = 'tar --directory "$0" --create --exclude "./var/cache/apt/*" . | podman import --quiet - "$1"'
        self._output("bash", "-euo", "pipefail", "-c", command, folder, image)

    def has(self, image: str) -> bool:
        """Whether the image is there."""
        command = ["podman", "image", "exists", image]
        return subprocess.run(command, env=self._environment, check=False).returncode == 0

    def _output(self, *command: str | Path) -> str:
        done = subprocess.run(command, env=self._environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
        return done.stdout.strip()


@pytest.fixture(scope="session")
def podman(require: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Podman:
    """With everything that containers take."""
    for part in PARTS:
        require(shutil.which(part), f"{part} (apt-get install {' '.join(PARTS)} containernetworking-plugins)")
    require(os.geteuid() == 0 or None, "root")
    return Podman(tmp_path_factory.mktemp("podman"))


@pytest.fixture(scope="session")
def base(podman: Podman, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The base of all images is there."""
    if not podman.has(BASE):
        root = tmp_path_factory.mktemp("base") / "root"
        command = ["debootstrap", "--variant=minbase", "--include=python3,python3-venv", "bookworm", str(root)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        podman.import_folder(root, BASE)
        shutil.rmtree(root)


@pytest.fixture(scope="session")
def images(base: None, podman: Podman, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """A referee and a bot, built of this checkout as docs/run-a-referee.md says; gone when the tests are over."""
    context = tmp_path_factory.mktemp("images")
    make = ["make", "--silent", "wheels", "READY=", f"BIN={Path(sys.executable).parent}", f"WHEELS={context}/wheels"]
    done = subprocess.run(make, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (context / "momentum.py").write_text(BOT)
    referee, bot = (f"localhost/tradepit-test-{what}:{os.getpid()}" for what in ("referee", "bot"))
    try:
        podman.build("referee.Dockerfile", referee, context)
        podman.build("bot-python.Dockerfile", bot, context, BOT="momentum.py")
        yield referee, bot
    finally:
        podman("rmi", "--force", "--ignore", referee, bot)
