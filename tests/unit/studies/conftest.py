"""Certificates, for schedulers with encrypted connections."""

import shutil
import subprocess

import pytest


@pytest.fixture(scope="session")
def tls(tmp_path_factory):
    """Files of an authority and of a certificate that it signed."""
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl to make certificates")
    folder = tmp_path_factory.mktemp("tls")
    new = ["openssl", "req", "-newkey", "rsa:2048", "-nodes"]
    run = {"cwd": folder, "check": True, "capture_output": True}
    subprocess.run(
        [*new, "-subj", "/CN=authority", "-x509", "-days", "2", "-keyout", "ca.key", "-out", "ca.pem"], **run
    )
    subprocess.run([*new, "-subj", "/CN=127.0.0.1", "-keyout", "key.pem", "-out", "req.pem"], **run)
    subprocess.run(["openssl", "x509", "-req", "-in", "req.pem", "-CA", "ca.pem", "-CAkey", "ca.key", "-days", "2",
                    "-CAcreateserial", "-out", "cert.pem"], **run)  # fmt: skip
    return [str(folder / name) for name in ("ca.pem", "cert.pem", "key.pem")]
