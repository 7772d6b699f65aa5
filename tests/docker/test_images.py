"""A block between two bots in containers at a referee in a third, over TLS, and what the images say of themselves."""

import json
import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import grpc
import pytest
from packaging.requirements import Requirement
from referee_process import Club, left, write_tokens

from tradepit.v1 import block_pb2
from tradepit_server.replay import execute

BASE = "localhost/tradepit-test-base:bookworm-1"
NOBODY = 10001
BOTS = ("ada", "bob")


@pytest.fixture
def configuration(tmp_path: Path, require: Callable[..., Any]) -> Path:
    """What is mounted on /etc/tradepit: tokens, and a certificate for the name "referee"; the container's user's."""
    openssl = require(shutil.which("openssl"), "openssl")
    folder = tmp_path / "configuration"
    folder.mkdir()
    words = "req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256 -days 2 -subj /CN=referee"
    files = ["-addext", "subjectAltName=DNS:referee", "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run([openssl, *words.split(), *files], cwd=folder, check=True, capture_output=True)
    write_tokens(folder, BOTS)
    for path in (folder, *folder.iterdir()):
        os.chown(path, NOBODY, NOBODY)
    return folder


@pytest.mark.usefixtures("base")
def test_the_base_has_an_interpreter_that_is_new_enough(podman: Any) -> None:
    program = "import sys, venv, ensurepip; print(sys.version_info >= (3, 11))"
    assert podman("run", "--rm", BASE, "python3", "-c", program) == "True"


def test_two_bots_play_a_block_at_a_referee_each_in_a_container(
    images: tuple[str, str], podman: Any, configuration: Path, tmp_path: Path
) -> None:
    referee_image, bot_image = images
    with ExitStack() as ends:

        def start(name: str, *words: str) -> "subprocess.Popen[str]":
            mount = ["--volume", f"{configuration}:/etc/tradepit:ro"]
            process = podman.start("--cidfile", tmp_path / f"{name}.id", *mount, *words)
            ends.callback(process.communicate)
            ends.callback(podman, "rm", "--force", "--ignore", "--time", "0", "--cidfile", tmp_path / f"{name}.id")
            return process  # type: ignore[no-any-return]  # what podman.start says

        referee = start("referee", referee_image)
        assert referee.stdout is not None
        assert referee.stdout.readline() == "listening on 0.0.0.0:7070 (TLS)\n", referee.communicate()[1]
        address = podman("inspect", "--format", "{{.NetworkSettings.IPAddress}}", (tmp_path / "referee.id").read_text())
        bots = [start(name, f"--add-host=referee:{address}", *environment(name), bot_image) for name in BOTS]
        credentials = grpc.ssl_channel_credentials((configuration / "cert.pem").read_bytes())
        options = [("grpc.ssl_target_name_override", "referee")]
        channel = ends.enter_context(grpc.secure_channel(f"{address}:7070", credentials, options))
        club = Club(channel)
        result = club.result(club.start(club.block("test/0", club.sessions(2))))
        assert (result.outcome, len(result.replays)) == (block_pb2.BLOCK_OUTCOME_COMPLETE, 2)
        for replay in result.replays:
            assert sorted(replay.bots) == ["ada", "bob"]
            assert not replay.result.faults
            assert execute(replay).scores == list(replay.result.scores)
        referee.terminate()
        status, told = left(referee)
        assert (status, " block test/0: complete, 2 matches; " in told, told.count("\n")) == (0, True, 1)
        assert [left(bot) for bot in bots] == [(0, "tradepit: the referee is going away\n")] * 2


def environment(name: str) -> list[str]:
    """How a bot's container is told where to play and as whom."""
    variables = {
        "TRADEPIT_REFEREE": "referee:7070",
        "TRADEPIT_TOKEN": f"the-token-of-{name}-the-bot",
        "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": "/etc/tradepit/cert.pem",
    }
    return [f"--env={name}={value}" for name, value in variables.items()]


def test_nothing_in_the_images_runs_as_root_and_a_bot_gets_no_more_than_it_needs(
    images: tuple[str, str], podman: Any
) -> None:
    for image in images:
        (described,) = json.loads(podman("inspect", image))
        assert described["Config"]["User"] == f"{NOBODY}:{NOBODY}"
    listed = podman("run", "--rm", "--entrypoint", "/opt/tradepit/bin/python", images[1], "-m", "pip", "freeze")
    assert {line.split("==")[0].split(" @")[0] for line in listed.split("\n")} == {
        "grpcio",
        "protobuf",
        "tradepit",
        "typing_extensions",
    }


@pytest.mark.parametrize("name", ["referee.Dockerfile", "bot-python.Dockerfile"])
def test_a_base_image_is_pinned_and_can_be_replaced(name: str) -> None:
    lines = Path(__file__).parents[2].joinpath("docker", name).read_text().splitlines()
    (default,) = (line.removeprefix("ARG BASE_IMAGE=") for line in lines if line.startswith("ARG BASE_IMAGE="))
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-\w+", default)
    bases = {line.split()[1] for line in lines if line.startswith("FROM ")}
    assert bases == {"${BASE_IMAGE}"}


def test_what_the_images_install_is_what_the_tests_ran_with() -> None:
    """`make lock` mends a difference."""
    root = Path(__file__).parents[2]
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    ours, developers = (
        dict(re.findall(r"^([\w.-]+)==(\S+)", (root / name).read_text(), re.MULTILINE))
        for name in ("docker/requirements.lock", ".ci/requirements.lock")
    )
    assert ours.items() <= developers.items()
    for line in [*project["dependencies"], *project["optional-dependencies"]["server"]]:
        wanted = Requirement(line)
        assert ours.get(wanted.name, "0") in wanted.specifier, line
    assert {"sqlmodel", "sqlalchemy", "alembic", "trueskill"}.isdisjoint(ours)
