"""What a run gave: tables as structured arrays, the summary as a dictionary, files as the program writes them."""

from __future__ import annotations

import html
import importlib
import io
import json
import os
import tempfile
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _klast
from ._arrays import Table, structured

if TYPE_CHECKING:
    import pandas
    import polars


class Outcome:
    """The results of one run. Tables, figures and files are made when they are first read.

    `outcome["history"]` is the table `history.csv` as a structured array. `summary` has the contents of `result.json`;
    `counts` and `warnings` have those of the manifest.
    """

    def __init__(self, ran: _klast.Outcome, scene: _klast.Scene) -> None:
        self._ran = ran
        self._scene = scene

    @property
    def kind(self) -> str:
        """Kind of the scene."""
        return self._ran.kind

    @property
    def seed(self) -> int | None:
        """The seed of the run; None if the kind uses no random numbers."""
        return self._ran.seed

    @property
    def shard(self) -> tuple[int, int] | None:
        """Number of the part and number of parts; None for a whole run."""
        return self._ran.shard

    @property
    def warnings(self) -> list[str]:
        """Warnings: sentences about inputs that are probably a mistake, and about effects that the results do not
        include."""
        return self._ran.warnings

    @property
    def sentence(self) -> str | None:
        """The verdict in a sentence; None for kinds that give none."""
        return self._ran.sentence

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The numbers of `result.json`."""
        told: dict[str, Any] = self._ran.summary()
        return told

    @cached_property
    def counts(self) -> dict[str, Any]:
        """Numbers of rocks, cells, events and other items of the run, by name."""
        told: dict[str, Any] = self._ran.counts()
        return told

    @cached_property
    def files(self) -> list[str]:
        """Names of the files that the program would write, without figures and pages."""
        return self._ran.names()

    def read(self, name: str) -> bytes:
        """The bytes of one of `files`."""
        return self._ran.read(name)

    @property
    def tables(self) -> list[str]:
        """Names of the tables."""
        return [name.removesuffix(".csv") for name in self.files if name.endswith(".csv")]

    @cached_property
    def _types(self) -> dict[str, dict[str, Any]]:
        """The row type of each table by the JSON Schema of the results."""
        schema = json.loads(_klast.schema(self.kind, True))
        rows = {}
        for name, entry in schema.get("properties", {}).items():
            reference = entry.get("items", {}).get("$ref", "")
            row = schema.get("$defs", {}).get(reference.rsplit("/", 1)[-1], {})
            rows[name] = row.get("properties", {})
        return rows

    @cached_property
    def _tables(self) -> dict[str, Table]:
        return {}

    def __getitem__(self, table: str) -> Table:
        """A table as a structured array; an empty cell is not a number."""
        if table not in self._tables:
            if table not in self.tables:
                raise KeyError(f"'{table}': no such table; accepted: {', '.join(self.tables)}")
            types = self._types.get(table, {})
            words = [name for name, entry in types.items() if "string" in _kinds(entry)]
            read = self._ran.table(f"{table}.csv", words)
            columns = [(name, _typed(values, types.get(name, {}))) for name, values in read]
            self._tables[table] = structured(columns)
        return self._tables[table]

    def to_pandas(self, table: str) -> pandas.DataFrame:
        """A table as a pandas DataFrame."""
        import pandas

        return pandas.DataFrame(columns_of(self[table]))

    def to_polars(self, table: str) -> polars.DataFrame:
        """A table as a polars DataFrame."""
        import polars

        return polars.DataFrame(columns_of(self[table]))

    @cached_property
    def figures(self) -> dict[str, str]:
        """The figures of the report as SVG, by name."""
        return {name.removesuffix(".svg"): text for name, text in self._ran.figures() if name.endswith(".svg")}

    def write(self, folder: str | os.PathLike[str]) -> None:
        """Writes all files that the program would write: tables, maps, figures, the report and the manifest."""
        self._ran.write(os.fspath(folder))

    def packed(self) -> bytes:
        """A part as one string of bytes, which can be sent to another machine and given to `merge`."""
        import zipfile

        stream = io.BytesIO()
        with tempfile.TemporaryDirectory() as folder:
            self._parts_into(folder)
            with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
                for name in sorted(os.listdir(folder)):
                    packed.write(os.path.join(folder, name), name)
        return stream.getvalue()

    def _parts_into(self, folder: str) -> None:
        if self.shard is None:
            raise ValueError("parts: a whole run; accepted: results of run(..., shard=(k, n))")
        self._ran.write_part(folder)

    def __repr__(self) -> str:
        told = [f"<klast {self.kind}: {self.sentence or self._ran.described}"]
        told += [f"warning: {text}" for text in self.warnings]
        return "\n".join(told) + f"\ntables: {', '.join(self.tables)}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(key)}</td><td>{html.escape(_short(value))}</td></tr>"
            for key, value in self.summary.items()
        )
        warnings = "".join(f"<p>Warning: {html.escape(text)}</p>" for text in self.warnings)
        lead = html.escape(self.sentence or self._ran.described)
        figure = next(iter(self.figures.values()), "")
        return f"<div><p><b>{html.escape(self.kind)}</b>: {lead}</p>{warnings}<table>{rows}</table>{figure}</div>"


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 120 else f"{text[:117]}..."


def _kinds(entry: dict[str, Any]) -> set[str]:
    """Types of a value by its schema."""
    kinds = entry.get("type", [])
    return {kinds} if isinstance(kinds, str) else set(kinds)


def _typed(values: Any, entry: dict[str, Any]) -> Any:
    """A column in the type that the schema says, so that it does not depend on what happened to be in it."""
    kinds = _kinds(entry)
    if not isinstance(values, np.ndarray):
        return np.array(values, dtype=str)
    if kinds == {"integer"}:
        return values.astype(np.int64)
    if kinds & {"integer", "number"}:
        return values.astype(np.float64)
    if kinds == {"boolean"}:
        return values.astype(bool)
    return values


def columns_of(table: Table) -> dict[str, NDArray[Any]]:
    """Columns of a structured array; a field of several numbers becomes a column each."""
    columns: dict[str, NDArray[Any]] = {}
    for name in table.dtype.names or ():
        field = table[name]
        if field.ndim == 1:
            columns[name] = field
        else:
            stem, _, unit = name.partition("_")
            for k, letter in enumerate("xyz"[: field.shape[1]]):
                columns[f"{stem}_{letter}_{unit}" if unit else f"{stem}_{letter}"] = field[:, k]
    return columns


# Kinds whose results have a class of their own, which is loaded with the first of them.
_CLASSES = {"rockfall": (".rockfall.results", "RockfallResults")}


def of(ran: _klast.Outcome, scene: _klast.Scene) -> Outcome:
    """The results in the class of their kind."""
    if ran.kind not in _CLASSES:
        return Outcome(ran, scene)
    module, name = _CLASSES[ran.kind]
    made: Outcome = getattr(importlib.import_module(module, __package__), name)(ran, scene)
    return made
