"""Owners of leases: who they are, and whether they are gone."""

import os
import subprocess
import sys

import pytest

from tradepit_ladder import owners
from tradepit_ladder.owners import Owner

WHO = "from tradepit_ladder import owners; print(owners.me(), flush=True); input()"


def test_who_lives_is_not_gone() -> None:
    assert owners.me() == owners.me()
    assert not owners.is_gone(owners.me())


def test_a_process_is_gone_when_it_has_ended_also_before_its_parent_asks() -> None:
    process = subprocess.Popen([sys.executable, "-c", WHO], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    owner = Owner(process.stdout.readline().strip())
    assert not owners.is_gone(owner)
    process.stdin.close()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # dead, and still in the list of processes
    assert owners.is_gone(owner)
    process.wait()
    process.stdout.close()
    assert owners.is_gone(owner)


def test_another_process_with_the_same_number_is_not_taken_for_it() -> None:
    machine, pid, started = owners.me().split("/")
    assert owners.is_gone(Owner(f"{machine}/{pid}/{int(started) + 1}"))


@pytest.mark.parametrize("owner", ["", "here", "another-boot.1/1/1", "{machine}/x/1", "{machine}/4194999/", "a/b/c/d"])
def test_of_another_machine_or_boot_and_of_what_is_no_owner_nothing_is_known(owner: str) -> None:
    machine = owners.me().partition("/")[0]
    assert not owners.is_gone(Owner(owner.format(machine=machine)))


def test_a_number_that_no_process_has_is_gone() -> None:
    machine = owners.me().partition("/")[0]
    assert owners.is_gone(Owner(f"{machine}/4194999/1"))  # above the largest that Linux gives


def test_a_process_of_somebody_else_whose_start_is_hidden_may_be_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    def kill(pid: int, signal: int) -> None:
        raise PermissionError

    monkeypatch.setattr("os.kill", kill)
    machine = owners.me().partition("/")[0]
    assert not owners.is_gone(Owner(f"{machine}/4194999/1"))


def test_containers_of_one_machine_are_machines_apart() -> None:
    machine = owners.me().partition("/")[0]
    assert machine.endswith(f".{os.stat('/proc/self/ns/pid').st_ino}")
