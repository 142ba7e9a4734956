"""Certificates of an authority of our own, made by the `openssl` command."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


@dataclass(frozen=True)
class Authority:
    """Signs the certificates of servers, in a folder of its own."""

    folder: Path
    extensions: tuple[str, ...] = ("-addext", "keyUsage=critical,keyCertSign,cRLSign")
    """Without, as older ones are, Python 3.13 does not take it."""

    def __post_init__(self) -> None:
        made = ("-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=Lab CA")
        self._openssl("req", "-x509", *_KEY, *made, *self.extensions)

    @property
    def file(self) -> Path:
        """The certificate of the authority, for `tlsCAFile`."""
        return self.folder / "ca.pem"

    def server_options(self, name: str, names: str, *, days: int = 2) -> list[str]:
        """What a server is started with to show a certificate for `names`; with negative `days` it has expired."""
        (self.folder / f"{name}.ext").write_text(f"subjectAltName={names}\nauthorityKeyIdentifier=keyid\n")
        self._openssl("req", *_KEY, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
        signed = ("-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", str(days))
        self._openssl("x509", "-req", "-in", f"{name}.csr", *signed, "-extfile", f"{name}.ext", "-out", f"{name}.pem")
        place = self.folder / name
        return ["--tls-cert-file", f"{place}.pem", "--tls-key-file", f"{place}.key"]

    def _openssl(self, *arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True)
