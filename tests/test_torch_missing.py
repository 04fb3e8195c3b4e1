"""Without torch its tests are skipped; where the tests must be complete, they fail."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

WITHOUT = """
import sys
sys.modules["torch"] = None
import pytest
sys.exit(pytest.main(["-rs", "-p", "no:cacheprovider", "tests/test_torch.py"]))
"""


@pytest.mark.parametrize(
    ("ci", "code", "told"), [("", 5, "torch is not installed"), ("true", 2, "CI=true: pip install")]
)
def test_what_happens_without_torch(ci, code, told):
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT],
        cwd=Path(__file__).parents[1],
        env={**os.environ, "CI": ci},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == code, ran.stdout
    assert told in ran.stdout
