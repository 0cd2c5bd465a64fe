"""Parts of a run in object storage, a process each, under any scheduler:

    parts.py put SCENE s3://bucket/run       the scene with all that it reads
    parts.py run s3://bucket/run 3/32        a part; one that is there is left alone
    parts.py merge s3://bucket/run OUT       the whole from all parts

A URL is one of fsspec's (s3, gs, az, file). A part is one object, so that it is whole or not there.
"""

from __future__ import annotations

import io
import sys
import zipfile

import fsspec
import klast


def save(url: str, data: bytes) -> None:
    """Writes an object, which is whole or not there; on a file system it has another name until it is."""
    system, path = fsspec.core.url_to_fs(url)
    system.makedirs(path.rsplit("/", 1)[0], exist_ok=True)
    local = "file" in system.protocol
    system.pipe_file(f"{path}.half" if local else path, data)
    if local:
        system.mv(f"{path}.half", path)


def scene_at(where: str) -> tuple[str, dict[str, bytes]]:
    """The scene and its files."""
    system, path = fsspec.core.url_to_fs(f"{where}/scene.zip")
    with zipfile.ZipFile(io.BytesIO(system.cat_file(path))) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    text = files.pop("scene").decode()
    return text, {name.removeprefix("files/"): data for name, data in files.items()}


def put(scene: str, where: str) -> None:
    """Sends the scene and everything that it reads."""
    text, files = klast.with_files(scene)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("scene", text)
        for name, data in files.items():
            packed.writestr(f"files/{name}", data)
    save(f"{where}/scene.zip", stream.getvalue())


def run(where: str, shard: str) -> None:
    """Runs a part, unless it is there."""
    index, count = map(int, shard.split("/"))
    url = f"{where}/parts-{count}/{index}.zip"
    system, path = fsspec.core.url_to_fs(url)
    if not system.exists(path):
        text, files = scene_at(where)
        save(url, klast.run(text, files=files, shard=(index, count)).packed())


def merge(where: str, out: str) -> None:
    """Joins all parts."""
    system, path = fsspec.core.url_to_fs(where)
    parts = [system.cat_file(name) for name in system.glob(f"{path}/parts-*/*.zip")]
    text, files = scene_at(where)
    klast.merge(parts, text, files=files).write(out)


if __name__ == "__main__":
    {"put": put, "run": run, "merge": merge}[sys.argv[1]](*sys.argv[2:])
