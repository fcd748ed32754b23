"""What is shipped says the same everywhere: versions, requirements, licences."""

import re
import tomllib

import pytest

import taut
from house.sources import ROOT
from house.test_generated_pages import generator
from taut.scenario.io.yaml_text import read_yaml

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
REQUIREMENTS = [re.match(r"([\w.-]+)(.*)", line).groups() for line in PROJECT["dependencies"]]
FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))


def text(path):
    return (ROOT / path).read_text(encoding="utf-8")


def test_version_is_the_same_everywhere():
    version = PROJECT["version"]
    assert taut.__version__ == version
    assert f"version: {version}\n" in text("CITATION.cff")
    assert f'version = "{version}"' in text("packaging/conda/meta.yaml")


@pytest.mark.parametrize(("name", "versions"), REQUIREMENTS)
def test_requirement_is_in_recipe_constraints_and_notices(name, versions):
    package = {"matplotlib": "matplotlib-base"}.get(name, name)
    assert f"    - {package} {versions}\n" in text("packaging/conda/meta.yaml")
    lowest = re.match(r">=([\d.]+)", versions)[1]
    assert f"\n{name}=={lowest}.*\n" in text("constraints/lowest.txt")
    assert f"| {name} |" in text("THIRD_PARTY.md")


def test_notices_name_every_package_a_user_installs():
    listed = re.findall(r"^\| ([\w.-]+) \| (?:taut itself|`)", text("THIRD_PARTY.md"), re.MULTILINE)
    assert listed == list(generator("notices")["requirements"]())


@pytest.mark.parametrize("path", [*FORMS, ROOT / ".github/workflows/tests.yml"], ids=lambda path: path.stem)
def test_form_or_workflow_can_be_read(path):
    data = read_yaml(path.read_text(encoding="utf-8"), path.name)[0]
    if path.stem == "tests":
        assert all(job["steps"] and job["runs-on"] for job in data["jobs"].values())
    elif path.stem != "config":
        assert data["name"] and all(part["id"] and part["attributes"]["label"] for part in data["body"])


def test_image_has_a_dozen_lines():
    lines = [line for line in text("Dockerfile").split("\n") if line and not line.startswith("#")]
    assert len(lines) <= 12 and all((ROOT / name).exists() for name in ("README.md", "LICENSE", "src"))
