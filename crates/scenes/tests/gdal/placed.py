"""Where GDAL puts the results in a folder, beside the terrain they belong to: prints each with its CRS and extent, and ends with
an error if one lies elsewhere."""

import glob
import os
import sys

from osgeo import gdal, ogr

gdal.UseExceptions()
ogr.UseExceptions()
folder, terrain, code = sys.argv[1:4]


def raster(path):
    data = gdal.Open(path)
    x, dx, _, y, _, dy = data.GetGeoTransform()
    srs = data.GetSpatialRef()
    box = (x, x + dx * data.RasterXSize, min(y, y + dy * data.RasterYSize), max(y, y + dy * data.RasterYSize))
    return box, srs.GetAuthorityCode(None) if srs else None, (dx, data.RasterXSize, data.RasterYSize)


dem, _, size = raster(terrain)
count = 0
for path in sorted(glob.glob(os.path.join(folder, "*.*"))):
    ending = path.rsplit(".", 1)[1]
    if ending in ("asc", "tif"):
        box, found, _ = raster(path)
        placed = all(abs(a - b) < 1e-6 for a, b in zip(box, dem)) if size[0] == raster(path)[2][0] else True
        data = gdal.Open(path)
        band = data.GetRasterBand(1)
        if ending == "tif":
            assert band.DataType == gdal.GDT_Float32, path
            kind = data.GetMetadata("IMAGE_STRUCTURE")
            assert kind.get("COMPRESSION") == "DEFLATE" and band.GetBlockSize() == [256, 256], (path, kind)
    elif ending == "geojson":
        data = ogr.Open(path)
        layer = data.GetLayer()
        box, found = layer.GetExtent(), layer.GetSpatialRef().GetAuthorityCode(None)
        placed = True
    else:
        continue
    inside = box[0] >= dem[0] - 1e-6 and box[1] <= dem[1] + 1e-6 and box[2] >= dem[2] - 1e-6 and box[3] <= dem[3] + 1e-6
    print(os.path.basename(path), found, box)
    assert found == code and inside and placed, (path, found, box, dem)
    count += 1
print(count, "placed")
