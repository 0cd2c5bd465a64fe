"""Writes some 200 rasters with GDAL's own writer into a folder, and beside each what GDAL reads from it.

For `a.tif` the file `a.expected` holds either `refused WORDS` (a word of the message), or the place and the values:
x and y of the centre in the south-west, cell, columns, rows, then values row by row from the south in metres, `nan` where
GDAL's mask or its missing-data number says that there is none.
"""

import itertools
import math
import os
import sys

import numpy
from osgeo import gdal, osr

gdal.UseExceptions()
gdal.PushErrorHandler("CPLQuietErrorHandler")
FOLDER = sys.argv[1]
COLUMNS, ROWS = 21, 18
FOOT, SURVEY_FOOT = 0.3048, 1200 / 3937
DRIVER = gdal.GetDriverByName("GTiff")
written = 0


def heights(kind):
    ramp = numpy.add.outer(3 * numpy.arange(ROWS), 2 * numpy.arange(COLUMNS)).astype("float64")
    if kind in (gdal.GDT_Float32, gdal.GDT_Float64):
        ramp = ramp * 1.37 + 412.125
    return ramp


def system(code):
    frame = osr.SpatialReference()
    frame.SetFromUserInput(code)
    return frame


def new(name, kind=gdal.GDT_Float32, options=(), bands=1, values=None, crs="EPSG:2056",
        transform=(2600000, 10, 0, 1200180, 0, -10), nodata=None, size=(COLUMNS, ROWS)):
    path = os.path.join(FOLDER, name + ".tif")
    data = DRIVER.Create(path, *size, bands, kind, list(options))
    if transform:
        data.SetGeoTransform(transform)
    if crs:
        data.SetProjection(system(crs).ExportToWkt())
    for band in range(1, bands + 1):
        if nodata is not None:
            data.GetRasterBand(band).SetNoDataValue(nodata)
        if values is not False:
            data.GetRasterBand(band).WriteArray(heights(kind) if values is None else values)
    return path, data


def expect(path, unit=1.0, refused=None, blank=None):
    global written
    written += 1
    with open(path[:-4] + ".expected", "w") as out:
        if refused:
            out.write("refused " + refused)
            return
        data = gdal.Open(path)
        band = data.GetRasterBand(1)
        values = band.ReadAsArray().astype("float64")
        values = values * (band.GetScale() or 1.0) + (band.GetOffset() or 0.0)
        mask = band.GetMaskBand().ReadAsArray() != 0
        if blank is not None:
            mask &= ~blank
        values = numpy.where(mask, values * unit, numpy.nan)
        x, step, _, y, _, down = data.GetGeoTransform()
        if down < 0:
            values, y = values[::-1], y + down * data.RasterYSize
        columns, rows = data.RasterXSize, data.RasterYSize
        out.write(f"{x + step / 2!r} {y + abs(down) / 2!r} {step!r} {columns} {rows}\n")
        for row in values:
            out.write(" ".join(repr(float(v)) for v in row) + "\n")


def plain(name, unit=1.0, refused=None, **how):
    path, data = new(name, **how)
    data = None
    expect(path, unit, refused)


KINDS = {"u8": gdal.GDT_Byte, "u16": gdal.GDT_UInt16, "i16": gdal.GDT_Int16, "u32": gdal.GDT_UInt32,
         "i32": gdal.GDT_Int32, "f32": gdal.GDT_Float32, "f64": gdal.GDT_Float64, "u64": gdal.GDT_UInt64,
         "i64": gdal.GDT_Int64}
for name, kind in KINDS.items():
    real = name[0] == "f"
    for method in ["NONE", "LZW", "DEFLATE", "PACKBITS", "ZSTD"]:
        predictors = [1] if method in ("NONE", "PACKBITS") else [1, 2] + [3] * real
        for predictor in predictors:
            layout = ["TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"] if predictor % 2 else ["BLOCKYSIZE=5"]
            choice = [f"COMPRESS={method}", *layout]
            choice += [f"PREDICTOR={predictor}"] * (len(predictors) > 1)
            plain(f"{name}_{method}_{predictor}", kind=kind, options=choice)
    for order, big in itertools.product(["BIG", "LITTLE"], ["YES", "NO"]):
        predictor = 3 if name == "f32" else 2
        choice = [f"ENDIANNESS={order}", f"BIGTIFF={big}", "COMPRESS=DEFLATE", f"PREDICTOR={predictor}"]
        plain(f"{name}_{order}_{big}", kind=kind, options=choice)
    plain(f"{name}_big_plain", kind=kind, options=["ENDIANNESS=BIG"])
    nodata = 7 if name[0] == "u" else -9999
    values = heights(kind)
    values[3:5, 2:9] = nodata
    plain(f"{name}_nodata", kind=kind, values=values, nodata=nodata)
plain("i8", kind=gdal.GDT_Byte, options=["PIXELTYPE=SIGNEDBYTE"], values=heights(gdal.GDT_Byte) % 100)
for bits in (1, 2, 3, 4, 6, 7):
    plain(f"bits_{bits}", kind=gdal.GDT_Byte, options=[f"NBITS={bits}"], values=heights(gdal.GDT_Byte) % 2**bits)
for bits in (9, 12, 15):
    plain(f"bits_{bits}", kind=gdal.GDT_UInt16, options=[f"NBITS={bits}", "COMPRESS=LZW"])
for bits in (17, 20, 24, 31):
    plain(f"bits_{bits}", kind=gdal.GDT_UInt32, options=[f"NBITS={bits}", "COMPRESS=DEFLATE"])
for method in ("NONE", "DEFLATE"):
    plain(f"half_{method}", options=["NBITS=16", f"COMPRESS={method}"])
plain("bits_24_big", kind=gdal.GDT_UInt32, options=["NBITS=24", "ENDIANNESS=BIG"])
# GDAL 3.6 does not read back what it writes here.
plain("f64_predictor_big", kind=gdal.GDT_Float64, options=["ENDIANNESS=BIG", "COMPRESS=DEFLATE", "PREDICTOR=3"],
      refused="ENDIANNESS=LITTLE")
plain("half_big", options=["NBITS=16", "ENDIANNESS=BIG"])
for name, kind in [("ci16", gdal.GDT_CInt16), ("cf32", gdal.GDT_CFloat32), ("cf64", gdal.GDT_CFloat64)]:
    plain(name, kind=kind, refused="complex")

# Compressions that are refused by name.
for method, kind in [("LERC", gdal.GDT_Float32), ("LERC_DEFLATE", gdal.GDT_Float32), ("LERC_ZSTD", gdal.GDT_Float32),
                     ("LZMA", gdal.GDT_Float32), ("JPEG", gdal.GDT_Byte), ("WEBP", gdal.GDT_Byte)]:
    bands = 3 if method == "WEBP" else 1
    plain("c_" + method, kind=kind, options=[f"COMPRESS={method}"], bands=bands,
          refused=method.split("_")[0].replace("WEBP", "WebP"))
for method in ("CCITTRLE", "CCITTFAX3", "CCITTFAX4"):
    plain("c_" + method, kind=gdal.GDT_Byte, options=[f"COMPRESS={method}", "NBITS=1"],
          values=heights(gdal.GDT_Byte) % 2, refused="CCITT")

# Blocks that the file leaves out.
for name, choice in [("tiles", ["TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"]), ("strips", ["BLOCKYSIZE=6"])]:
    for nodata in (-9999, None):
        path, data = new(f"sparse_{name}_{nodata}", options=["SPARSE_OK=TRUE", *choice], values=False, nodata=nodata)
        band = data.GetRasterBand(1)
        block = heights(gdal.GDT_Float32)[:6, :16] if name == "tiles" else heights(gdal.GDT_Float32)[:6]
        band.WriteArray(block)
        data = band = None
        blank = numpy.ones((ROWS, COLUMNS), bool)
        blank[:16 if name == "tiles" else 6, :16 if name == "tiles" else COLUMNS] = False
        expect(path, blank=blank)

# Missing data.
for name, nodata in [("f32min", -3.4028234663852886e38), ("f64min", -1.7976931348623157e308), ("nan", math.nan),
                     ("tenth", -9999.9), ("zero", 0), ("max", 3.4028234663852886e38)]:
    for kind in ("f32", "f64"):
        values = heights(KINDS[kind]).astype(kind.replace("f", "float"))
        with numpy.errstate(over="ignore"):
            values[2:4, 5:9] = max(min(nodata, 3.4028234663852886e38), -3.4028234663852886e38) if kind == "f32" else nodata
        path, data = new(f"nodata_{name}_{kind}", kind=KINDS[kind], values=values, nodata=nodata)
        data = None
        # GDAL does not know the least double among singles.
        blank = numpy.zeros((ROWS, COLUMNS), bool)
        blank[2:4, 5:9] = True
        expect(path, blank=blank)
for internal, tiled in itertools.product(["YES", "NO"], ["YES", "NO"]):
    for method in ("NONE", "DEFLATE"):
        gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", internal)
        choice = [f"TILED={tiled}", f"COMPRESS={method}"] + ["BLOCKXSIZE=16", "BLOCKYSIZE=16"] * (tiled == "YES")
        path, data = new(f"mask_{internal}_{tiled}_{method}", options=choice)
        data.CreateMaskBand(gdal.GMF_PER_DATASET)
        mask = numpy.full((ROWS, COLUMNS), 255, "uint8")
        mask[4:9, 3:11] = 0
        data.GetRasterBand(1).GetMaskBand().WriteArray(mask)
        data = None
        expect(path)
gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", None)
# GDAL makes a mask of alpha in whole numbers only.
for interleave, kind in itertools.product(["PIXEL", "BAND"], ["u8", "u16"]):
    path, data = new(f"alpha_{interleave}_{kind}", kind=KINDS[kind], options=["ALPHA=YES", f"INTERLEAVE={interleave}"],
                     bands=2, values=False)
    data.GetRasterBand(1).WriteArray(heights(KINDS[kind]))
    mask = numpy.full((ROWS, COLUMNS), 255)
    mask[4:9, 3:11] = 0
    data.GetRasterBand(2).WriteArray(mask)
    data.GetRasterBand(2).SetColorInterpretation(gdal.GCI_AlphaBand)
    data = None
    expect(path)

# Bands, pictures, pages.
for bands, interleave in itertools.product([2, 3, 4], ["PIXEL", "BAND"]):
    plain(f"bands_{bands}_{interleave}", bands=bands, options=[f"INTERLEAVE={interleave}"], refused="gdal_translate -b 1")
plain("picture", kind=gdal.GDT_Byte, bands=3, options=["PHOTOMETRIC=RGB"], refused="picture")
path, data = new("palette", kind=gdal.GDT_Byte)
table = gdal.ColorTable()
table.SetColorEntry(1, (255, 0, 0, 255))
data.GetRasterBand(1).SetColorTable(table)
data = None
expect(path, refused="palette")
plain("white_is_zero", kind=gdal.GDT_Byte, options=["PHOTOMETRIC=MINISWHITE"])
path, data = new("pages")
data = None
copy = DRIVER.CreateCopy(path, gdal.GetDriverByName("GTiff").CreateCopy("/vsimem/page.tif", gdal.Open(path)),
                         options=["APPEND_SUBDATASET=YES"])
copy = None
expect(path, refused="2 images")
for where in ("internal", "external"):
    path, data = new("overviews_" + where, options=["TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"])
    data = None
    data = gdal.Open(path, gdal.GA_Update if where == "internal" else gdal.GA_ReadOnly)
    data.BuildOverviews("NEAREST", [2, 4])
    data = None
    expect(path)
for method in ("NONE", "LZW", "DEFLATE", "ZSTD"):
    source, data = new("cog_source_" + method, nodata=-9999)
    data = None
    expect(source)
    path = os.path.join(FOLDER, f"cog_{method}.tif")
    gdal.GetDriverByName("COG").CreateCopy(path, gdal.Open(source), options=[f"COMPRESS={method}", "BLOCKSIZE=128"])
    expect(path)

# Scale, offset, unit.
for scale, offset in [(0.1, 0), (0.01, 100), (2, -50), (-1, 1000), (0.001, 0.5)]:
    for kind in ("i16", "f32"):
        path, data = new(f"scale_{scale}_{offset}_{kind}", kind=KINDS[kind])
        data.GetRasterBand(1).SetScale(scale)
        data.GetRasterBand(1).SetOffset(offset)
        data = None
        expect(path)
for unit, metres in [("m", 1), ("metre", 1), ("meters", 1), ("ft", FOOT), ("foot", FOOT), ("US survey foot", SURVEY_FOOT),
                     ("ftUS", SURVEY_FOOT), ("cm", 0.01), ("mm", 0.001), ("km", 1000)]:
    path, data = new("unit_" + unit.replace(" ", "_"))
    data.GetRasterBand(1).SetUnitType(unit)
    data = None
    expect(path, unit=metres)
for unit in ("furlong", "degC"):
    path, data = new("unit_" + unit)
    data.GetRasterBand(1).SetUnitType(unit)
    data = None
    expect(path, refused=unit)
for code, unit in [("EPSG:2056+5728", 1), ("EPSG:26917+6360", SURVEY_FOOT), ("EPSG:26917+8228", FOOT),
                   ("EPSG:26917+5703", 1)]:
    plain("compound_" + code[5:].replace("+", "_"), crs=code, unit=unit,
          **({} if "2056" in code else {"transform": (500000, 10, 0, 4000000, 0, -10)}))

# Place.
point, data = new("point")
data.SetMetadataItem("AREA_OR_POINT", "Point")
data = None
expect(point)
plain("south_up", transform=(2600000, 10, 0, 1200000, 0, 10))
plain("fine", transform=(2600000.123, 0.1, 0, 1200180.457, 0, -0.1))
plain("turned", transform=(2600000, 9, 2, 1200180, 2, -9), refused="turned")
plain("oblong", transform=(2600000, 10, 0, 1200180, 0, -5), refused="square")
plain("nowhere", transform=None, refused="no place")
plain("world_file", transform=(2600000, 10, 0, 1200180, 0, -10), options=["PROFILE=BASELINE", "TFW=YES"], crs=None)
plain("world_file_too", options=["TFW=YES"])
plain("baseline_pam", options=["PROFILE=BASELINE"])
plain("geotiff_only", options=["PROFILE=GeoTIFF"], nodata=-9999)
path, data = new("pam_everything", options=["PROFILE=GeoTIFF"], kind=gdal.GDT_Int16, nodata=14)
data.GetRasterBand(1).SetScale(0.5)
data.GetRasterBand(1).SetOffset(2)
data.GetRasterBand(1).SetUnitType("ft")
data = None
expect(path, unit=FOOT)
path, data = new("control_points", transform=None)
data.SetGCPs([gdal.GCP(2600000 + 10 * i, 1200180 - 10 * j, 0, i, j) for i, j in [(0, 0), (20, 0), (0, 17)]],
             system("EPSG:2056").ExportToWkt())
data = None
expect(path, refused="gdalwarp")

# CRS.
plain("crs_none", crs=None)
plain("crs_utm", crs="EPSG:32632", transform=(423000, 10, 0, 5150000, 0, -10))
plain("crs_etrs", crs="EPSG:25832", transform=(423000, 10, 0, 5150000, 0, -10))
plain("crs_degrees", crs="EPSG:4326", transform=(8, 0.0001, 0, 46.5, 0, -0.0001), refused="gdalwarp -t_srs EPSG:32632")
plain("crs_web", crs="EPSG:3857", transform=(890555, 10, 0, 5861085, 0, -10), refused="no ground for mechanics")
plain("crs_feet", crs="EPSG:2264", transform=(1500000, 10, 0, 600000, 0, -10), refused="0.3048")
plain("crs_own", crs="+proj=tmerc +lat_0=46 +lon_0=8.1 +k=1 +x_0=10000 +y_0=20000 +ellps=GRS80 +units=m",
      transform=(10000, 10, 0, 20000, 0, -10))
plain("crs_own_mercator", crs="+proj=merc +lon_0=0 +ellps=WGS84 +units=m", transform=(890555, 10, 0, 5861085, 0, -10),
      refused="no ground for mechanics")
plain("crs_local", crs='LOCAL_CS["site",UNIT["metre",1]]')
plain("crs_local_feet", crs='LOCAL_CS["site",UNIT["foot",0.3048]]', refused="unit of plan")
plain("crs_plate_carree", crs="EPSG:32662", transform=(890555, 10, 0, 5176355, 0, -10), refused="no ground for mechanics")
print(written)
