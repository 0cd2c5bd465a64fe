"""Files that klast does not read as they are, in the folder that is the argument. Rasters hold heights of 400 to 454 m (or
what their name says), shapes two of their kind."""

import bz2
import gzip
import pathlib
import sys
import zipfile

import numpy
from osgeo import gdal, ogr, osr

gdal.UseExceptions()
ogr.UseExceptions()
folder = pathlib.Path(sys.argv[1])
heights = numpy.add.outer(numpy.arange(5.0), 10 * numpy.arange(6.0)) + 400
utm = [500000, 10, 0, 5200000, 0, -10]


def system(code):
    crs = osr.SpatialReference()
    crs.ImportFromEPSG(code)
    return crs.ExportToWkt()


def raster(name, driver="GTiff", kind=gdal.GDT_Float32, place=utm, code=32632, options=(), values=heights, bands=1):
    made = gdal.GetDriverByName("MEM").Create("", values.shape[1], values.shape[0], bands, kind)
    if place:
        made.SetGeoTransform(place)
    if code:
        made.SetProjection(system(code))
    for band in range(bands):
        made.GetRasterBand(band + 1).WriteArray(values)
    gdal.GetDriverByName(driver).CreateCopy(str(folder / name), made, options=list(options))


degrees = [7.4, 0.0001, 0, 46.9, 0, -0.0001]
raster("degrees.tif", place=degrees, code=4326)
raster("degrees whole.tif", kind=gdal.GDT_Int16, place=degrees, code=4326)
raster("web.tif", place=[820000, 10, 0, 5900000, 0, -10], code=3857)
raster("oblong.tif", place=[500000, 10, 0, 5200000, 0, -9])
raster("turned.tif", place=[500000, 10, 1, 5200000, 1, -10])
raster("bands.tif", bands=3)
raster("lerc.tif", options=["COMPRESS=LERC"])
raster("imagine.img", driver="HFA")
raster("envi.img", driver="ENVI")
raster("gmt.nc", driver="netCDF", options=["FORMAT=NC"])
(folder / "gmt.nc").rename(folder / "gmt.grd")
raster("four.nc", driver="netCDF", options=["FORMAT=NC4"])
(folder / "four.nc").rename(folder / "four.asc")
raster("tiles.gpkg", driver="GPKG", options=["TILE_FORMAT=TIFF"])
raster("plain.asc", driver="AAIGrid")
text = (folder / "plain.asc").read_bytes()
(folder / "packed.asc.gz").write_bytes(gzip.compress(text))
(folder / "hidden.asc").write_bytes(gzip.compress(text))
(folder / "second.asc.bz2").write_bytes(bz2.compress(text))
with zipfile.ZipFile(folder / "archive.zip", "w") as archive:
    archive.writestr("inside.asc", text)
rows = "\n".join(" ".join(f"{height:g}" for height in row) for row in heights)
frame = "north: 5200000\nsouth: 5199950\neast: 500060\nwest: 500000\nrows: 5\ncols: 6\nnull: *\ntype: float\n"
(folder / "grass.asc").write_text(frame + rows + "\n")
frame = "ncols 6\nnrows 5\nxllcorner 500000,0\nyllcorner 5199950,0\ncellsize 10,0\n"
commas = "\n".join(" ".join(f"{height:.1f}" for height in row) for row in heights).replace(".", ",")
(folder / "commas.asc").write_text(frame + commas + "\n")
oblong = b"ncols 2\nnrows 2\nxllcorner 500000\nyllcorner 5200000\ndx 10\ndy 9\n400 410\n420 430\n"
(folder / "uneven.asc").write_bytes(oblong)
points = gdal.GetDriverByName("GTiff").Create(str(folder / "points.tif"), 6, 5, 1, gdal.GDT_Float32)
points.GetRasterBand(1).WriteArray(heights)
corners = [(500000, 5200000, 0, 0), (500060, 5200000, 6, 0), (500060, 5199950, 6, 5), (500000, 5199950, 0, 5)]
points.SetGCPs([gdal.GCP(x, y, 0, c, r) for x, y, c, r in corners], system(32632))
points = None
# A layout in the old Swiss frame: class 1 everywhere.
raster("classes.tif", kind=gdal.GDT_Byte, place=[600000, 5, 0, 200100, 0, -5], code=21781,
       values=numpy.ones((20, 40)))

crs = osr.SpatialReference()
crs.ImportFromEPSG(4326)
crs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)


def shapes(name, driver, layers, kind=ogr.wkbPoint, options=()):
    made = ogr.GetDriverByName(driver).CreateDataSource(str(folder / name), options=list(options))
    for layer in layers:
        of_layer = made.CreateLayer(layer, crs, kind)
        if driver not in ("GPX", "DXF"):
            of_layer.CreateField(ogr.FieldDefn("remark", ogr.OFTString))
        for place in ["POINT (7.44 46.95)", "POINT (7.45 46.96)"]:
            feature = ogr.Feature(of_layer.GetLayerDefn())
            feature.SetGeometry(ogr.CreateGeometryFromWkt(place))
            of_layer.CreateFeature(feature)
    made = None


shapes("places.kml", "KML", ["cliff", "other marks"])
shapes("one.kml", "KML", ["cliff"])
shapes("places.gml", "GML", ["cliff"])
shapes("places.fgb", "FlatGeobuf", ["cliff"])
shapes("places.mif", "MapInfo File", ["places"])
shapes("places.dxf", "DXF", ["entities"])
shapes("places.sqlite", "SQLite", ["cliff", "other"])
shapes("places.gpx", "GPX", ["waypoints"])
track = '<trk><name>a</name><trkseg><trkpt lat="46.95" lon="7.44"/><trkpt lat="46.96" lon="7.45"/></trkseg></trk></gpx>'
gpx = (folder / "places.gpx").read_text().replace("</gpx>", track)
(folder / "mixed.gpx").write_text(gpx)
shapes("cliff.geojson", "GeoJSON", ["cliff"])
text = (folder / "cliff.geojson").read_bytes()
(folder / "packed.geojson.gz").write_bytes(gzip.compress(text))
shapes("lines.geojsonl", "GeoJSONSeq", ["lines"])
shapes("styled.gpkg", "GPKG", ["cliff", "other"])
