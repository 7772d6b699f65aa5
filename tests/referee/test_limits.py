"""What a Welcome says of limits is what docs/protocol.md says."""

import re
from pathlib import Path

from tradepit_server.referee import limits

PROTOCOL = Path(__file__).parents[2] / "docs/protocol.md"
ROW = re.compile(r"^\| `(\w+)` \| ([\d,]+)( s)? \| \S", re.MULTILINE)


def test_the_page_on_the_protocol_has_every_limit_and_its_value() -> None:
    section = PROTOCOL.read_text().partition("\n## Limits\n")[2].partition("\n## ")[0]
    told = limits.to_message()
    durations = {"hello_within": told.hello_within.ToMilliseconds() / 1000}
    expected = {field.name: durations.get(field.name) or getattr(told, field.name) for field in told.DESCRIPTOR.fields}
    assert {name: int(value.replace(",", "")) for name, value, _ in ROW.findall(section)} == expected


def test_every_limit_is_set() -> None:
    told = limits.to_message()
    assert {field.name for field, _ in told.ListFields()} == {field.name for field in told.DESCRIPTOR.fields}
