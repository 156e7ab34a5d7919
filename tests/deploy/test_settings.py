"""Every variable of the program can be set where the game is deployed, and nothing is set that it does not read."""

import re
from pathlib import Path

import pytest

from gameserver.settings import VARIABLES

DEPLOY = Path(__file__).parents[2] / "deploy"
KNOWN = {variable.name for variable in VARIABLES}
OF_THE_IMAGE = {"PORT", "HOST", "DATA_DIR", "SECRET_KEY"}
"""Set by the Dockerfile, or given as a file."""
OF_OTHERS = {"SITE_ADDRESS", "REDIS_PASSWORD", "REDISCLI_AUTH"}


def test_compose_passes_every_variable_on() -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    passed = set(re.findall(r"^ +([A-Z_]{4,}): ", text, re.MULTILINE))
    assert passed - OF_OTHERS == KNOWN - OF_THE_IMAGE


@pytest.mark.parametrize(
    "path", sorted((DEPLOY / "kubernetes").rglob("*.yaml")) + sorted((DEPLOY / "store").glob("*.yaml")), ids=str
)
def test_manifests_set_only_what_the_program_reads(path: Path) -> None:
    given = set(re.findall(r"- (?:\{|)name: ([A-Z_]{4,})", path.read_text()))
    assert given <= KNOWN | OF_OTHERS
