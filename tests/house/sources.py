"""Where the project's files are, shared by the house tests."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "taut"
SOURCES = sorted(PACKAGE.rglob("*.py"))

BUILD_FOLDERS = {".git", ".venv", "build", "dist", "out", "site"}


def project_files() -> list[Path]:
    """Files git tracks or would track; without git, every file outside the build folders."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        paths = [ROOT / name for name in listing.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        paths = [path for path in ROOT.rglob("*") if path.relative_to(ROOT).parts[0] not in BUILD_FOLDERS]
    return sorted(path for path in paths if path.is_file() and path.suffix != ".pyc")
