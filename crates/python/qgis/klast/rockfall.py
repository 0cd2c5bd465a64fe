"""Rockfall on layers: a scene is written beside its results, the program runs it, and its maps are loaded."""

import json
import os
import shutil
import subprocess

from qgis.core import (
    QgsContrastEnhancement,
    QgsProcessing,
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingLayerPostProcessorInterface,
    QgsProcessingOutputRasterLayer,
    QgsProcessingOutputVectorLayer,
    QgsProcessingParameterFile,
    QgsProcessingParameterFolderDestination,
    QgsProcessingParameterNumber,
    QgsProcessingParameterRasterLayer,
    QgsProcessingParameterString,
    QgsProcessingParameterVectorLayer,
    QgsRasterMinMaxOrigin,
)

MAPS = ("reach_probability", "deposition", "energy_95", "velocity_95", "height_95")
LINES = ("trajectories", "barriers")
# Keys of a scene whose value names a file.
FILES = ("file", "starts", "posterior", "barriers_file", "collectors_file")


class Styled(QgsProcessingLayerPostProcessorInterface):
    """Stretches a map over its own values when it is loaded."""

    def postProcessLayer(self, layer, context, feedback):
        renderer = layer.renderer()
        if renderer is None or not hasattr(layer, "setContrastEnhancement"):
            return
        layer.setContrastEnhancement(QgsContrastEnhancement.StretchToMinimumMaximum, QgsRasterMinMaxOrigin.MinMax)
        layer.triggerRepaint()


class Rockfall(QgsProcessingAlgorithm):
    """Rocks from sources over a raster of heights."""

    def name(self):
        return "rockfall"

    def displayName(self):
        return "Rockfall"

    def group(self):
        return "Rockfall"

    def groupId(self):
        return "rockfall"

    def createInstance(self):
        return Rockfall()

    def shortHelpString(self):
        return (
            "Runs rocks from points, lines or polygons over a raster of heights (a projected CRS in metres) and maps "
            "where they pass and rest, and with what energy. Barriers are lines with the fields name, height_m and "
            "capacity_kj; materials are polygons with the field material. A scene of klast (JSON) with one source may "
            "give everything that has no field here; what is filled in stands in place of it. Without a scene the "
            "ground is one of the classes of klast, and without a volume a rock has 1 m3. Files are named relative to "
            "the folder of the results, so that it can be moved together with its layers."
        )

    def initAlgorithm(self, config=None):
        number, integer = QgsProcessingParameterNumber.Double, QgsProcessingParameterNumber.Integer

        def optional(parameter):
            parameter.setFlags(parameter.flags() | parameter.FlagOptional)
            self.addParameter(parameter)

        self.addParameter(QgsProcessingParameterRasterLayer("DEM", "Heights"))
        self.addParameter(QgsProcessingParameterVectorLayer("SOURCES", "Sources"))
        self.addParameter(QgsProcessingParameterNumber("ROCKS", "Rocks", integer, 1000, minValue=1))
        self.addParameter(QgsProcessingParameterNumber("CELL", "Cell of the maps [m]", number, 5.0, minValue=0.01))
        optional(QgsProcessingParameterNumber("VOLUME", "Volume of a rock [m3]", number, None, minValue=1e-6))
        optional(QgsProcessingParameterVectorLayer("BARRIERS", "Barriers", [QgsProcessing.TypeVectorLine]))
        optional(QgsProcessingParameterVectorLayer("MATERIALS", "Materials", [QgsProcessing.TypeVectorPolygon]))
        optional(QgsProcessingParameterString("GROUND", "Class of ground (klast ground-classes lists them)"))
        optional(QgsProcessingParameterFile("SCENE", "Scene that gives the rest", extension="json"))
        optional(QgsProcessingParameterNumber("SEED", "Seed", integer, 0, minValue=0))
        optional(QgsProcessingParameterString("PROGRAM", "Program", "klast"))
        self.addParameter(QgsProcessingParameterFolderDestination("OUTPUT", "Results"))
        for name in MAPS:
            self.addOutput(QgsProcessingOutputRasterLayer(name.upper(), name))
        for name in LINES:
            self.addOutput(QgsProcessingOutputVectorLayer(name.upper(), name))

    def processAlgorithm(self, parameters, context, feedback):
        folder = self.parameterAsString(parameters, "OUTPUT", context)
        os.makedirs(folder, exist_ok=True)
        scene = self._scene(parameters, context, folder)
        inputs = os.path.join(folder, "scene.json")
        with open(inputs, "w", encoding="utf-8") as file:
            json.dump(scene, file, indent=2)
        results = os.path.join(folder, "results")
        self._run(self.parameterAsString(parameters, "PROGRAM", context) or "klast", inputs, results, feedback)
        return self._outputs(results, context)

    def _scene(self, parameters, context, folder):
        """The scene: that of the file with what is filled in."""
        dem = self.parameterAsRasterLayer(parameters, "DEM", context)
        if not dem.crs().isValid() or dem.crs().isGeographic():
            raise QgsProcessingException(f"DEM: CRS {dem.crs().authid() or 'none'}; accepted: a projected CRS in m")
        given = self.parameterAsFile(parameters, "SCENE", context)
        if given:
            # What a scene names stands beside it, not beside the results.
            scene = _beside(_read(given), _relative(os.path.dirname(os.path.abspath(given)), folder))
        else:
            ground = self.parameterAsString(parameters, "GROUND", context)
            law = {"class": ground} if ground else {"normal_restitution": 0.35, "friction": 0.6}
            scene = {
                "schema": 1,
                "kind": "rockfall",
                "materials": [{"name": "ground", **law}],
                "sources": [{"name": "sources", "shapes": [{"shape": "cube", "volume_m3": 1.0}]}],
            }
        heights = _relative(dem.source(), folder)
        raster = scene.get("terrain", {}).get("raster", {})
        scene["terrain"] = {"raster": {**raster, "file": heights, "crs": dem.crs().authid()}}
        source = scene["sources"][0]
        source["release"] = {"file": self._geojson(parameters, "SOURCES", context, folder, dem)}
        source["rocks"] = self.parameterAsInt(parameters, "ROCKS", context)
        if parameters.get("VOLUME") is not None:
            volume = self.parameterAsDouble(parameters, "VOLUME", context)
            for rock in source.get("shapes") or []:
                rock.pop("mass_kg", None)
                rock["volume_m3"] = volume
        scene["map_cell_m"] = self.parameterAsDouble(parameters, "CELL", context)
        scene["seed"] = self.parameterAsInt(parameters, "SEED", context)
        barriers = self.parameterAsVectorLayer(parameters, "BARRIERS", context)
        if barriers is not None:
            scene["barriers"] = self._barriers(barriers, dem)
            scene.pop("barriers_file", None)
        if self.parameterAsVectorLayer(parameters, "MATERIALS", context) is not None:
            file = self._geojson(parameters, "MATERIALS", context, folder, dem)
            scene["layout"] = {"polygons": {"file": file, "elsewhere": scene["materials"][0]["name"]}}
        return scene

    def _geojson(self, parameters, key, context, folder, dem):
        """A layer as the GeoJSON file that the scene names, with its fields."""
        layer = self.parameterAsVectorLayer(parameters, key, context)
        self._same_crs(key, layer, dem)
        names = [field.name() for field in layer.fields()]
        features = [
            {
                "type": "Feature",
                "properties": {name: _plain(feature[name]) for name in names},
                "geometry": json.loads(feature.geometry().asJson(17)),
            }
            for feature in layer.getFeatures()
        ]
        file = f"{key.lower()}.geojson"
        with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
            json.dump({"type": "FeatureCollection", "features": features}, out)
        return file

    def _barriers(self, layer, dem):
        self._same_crs("BARRIERS", layer, dem)
        names = {field.name() for field in layer.fields()}
        missing = {"name", "height_m", "capacity_kj"} - names
        if missing:
            raise QgsProcessingException(
                f"BARRIERS: no field {', '.join(sorted(missing))}; accepted: name, height_m, capacity_kj"
            )
        barriers = []
        for feature in layer.getFeatures():
            geometry = json.loads(feature.geometry().asJson(17))
            lines = geometry["coordinates"] if geometry["type"] == "MultiLineString" else [geometry["coordinates"]]
            for k, line in enumerate(lines):
                name = str(feature["name"]) if len(lines) == 1 else f"{feature['name']} {k + 1}"
                entry = {"name": name, "line_m": [point[:2] for point in line]}
                barriers.append(
                    {**entry, "height_m": float(feature["height_m"]), "capacity_kj": float(feature["capacity_kj"])}
                )
        return barriers

    def _same_crs(self, key, layer, dem):
        if layer.crs() != dem.crs():
            raise QgsProcessingException(
                f"{key}: CRS {layer.crs().authid()}; accepted: that of the heights, {dem.crs().authid()}"
            )

    def _run(self, program, scene, results, feedback):
        if shutil.which(program) is None:
            raise QgsProcessingException(
                f"PROGRAM: {program}; accepted: the program klast, on the path or with its folder"
            )
        command = [program, "run", scene, "--out", results, "--quiet"]
        feedback.pushCommandInfo(" ".join(command))
        running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said, _ = _until_done(running, feedback)
        for line in said.splitlines():
            feedback.pushInfo(line)
        if running.returncode != 0:
            raise QgsProcessingException(said.strip() or f"klast ended with {running.returncode}")

    def _outputs(self, results, context):
        """What was written, loaded with a style where QGIS loads it."""
        outputs = {"OUTPUT": os.path.dirname(results)}
        for name in MAPS + LINES:
            path = os.path.join(results, f"{name}.tif" if name in MAPS else f"{name}.geojson")
            if not os.path.exists(path):
                continue
            outputs[name.upper()] = path
            details = QgsProcessingContext.LayerDetails(name, context.project(), name.upper())
            if name in MAPS:
                self.styled = [*getattr(self, "styled", []), Styled()]
                details.setPostProcessor(self.styled[-1])
            context.addLayerToLoadOnCompletion(path, details)
        return outputs


def _read(path):
    """A scene of one source."""
    with open(path, encoding="utf-8-sig") as file:
        text = "".join("\n" if line.lstrip().startswith("//") else line for line in file)
    try:
        scene = json.loads(text)
    except ValueError as error:
        raise QgsProcessingException(f"SCENE: {error}; accepted: a scene of klast (JSON)") from error
    if not isinstance(scene, dict) or scene.get("kind") != "rockfall":
        kind = scene.get("kind") if isinstance(scene, dict) else None
        raise QgsProcessingException(f"SCENE: kind {kind!r}; accepted: 'rockfall'")
    sources = scene.get("sources") or []
    if len(sources) != 1:
        raise QgsProcessingException(f"SCENE: {len(sources)} sources; accepted: one, whose place the layer takes")
    return scene


def _beside(value, folder):
    """The same with every file by its path from the folder."""
    if isinstance(value, list):
        return [_beside(inner, folder) for inner in value]
    if not isinstance(value, dict):
        return value
    return {
        key: os.path.join(folder, inner) if key in FILES and isinstance(inner, str) else _beside(inner, folder)
        for key, inner in value.items()
    }


def _relative(path, folder):
    """A path as seen from a folder; as it is where there is no way, as between two drives."""
    try:
        return os.path.relpath(path, folder)
    except ValueError:
        return path


def _plain(value):
    """A value of a field as JSON has it."""
    return value if isinstance(value, (bool, int, float, str)) else None if value is None else str(value)


def _until_done(running, feedback):
    """Waits for the program, and ends it when the user does not want to."""
    while True:
        try:
            return running.communicate(timeout=0.2)
        except subprocess.TimeoutExpired:
            if feedback.isCanceled():
                running.terminate()
