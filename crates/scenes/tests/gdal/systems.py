"""Prints, for every tenth projected system of the EPSG registry in metres, a point in the middle of its area of use as PROJ puts it:
code, longitude and latitude on its own datum (degrees from Greenwich), x, y, and longitude and latitude in WGS 84."""

import math

from osgeo import osr

osr.UseExceptions()
first = osr.OAMS_TRADITIONAL_GIS_ORDER
wgs = osr.SpatialReference()
wgs.ImportFromEPSG(4326)
wgs.SetAxisMappingStrategy(first)
systems = [i for i in osr.GetCRSInfoListFromDatabase("EPSG") if i.type == osr.OSR_CRS_TYPE_PROJECTED]
systems = [i for i in systems if i.bbox_valid and not i.deprecated]
for info in sorted(systems, key=lambda i: i.code)[::10]:
    try:
        system = osr.SpatialReference()
        system.ImportFromEPSG(int(info.code))
        system.SetAxisMappingStrategy(first)
        base = system.CloneGeogCS()
        base.SetAxisMappingStrategy(first)
        if system.GetLinearUnits() != 1 or base.GetAttrValue("PRIMEM", 1) not in (None, "0"):
            continue
        east = info.east_lon_degree + (360 if info.east_lon_degree < info.west_lon_degree else 0)
        lon = (0.4 * info.west_lon_degree + 0.6 * east + 180) % 360 - 180
        lat = 0.4 * info.south_lat_degree + 0.6 * info.north_lat_degree
        x, y, _ = osr.CoordinateTransformation(base, system).TransformPoint(lon, lat)
        to = osr.CoordinateTransformation(system, wgs).TransformPoint(x, y)
        if all(map(math.isfinite, (x, y, *to))):
            print(info.code, lon, lat, repr(x), repr(y), repr(to[0]), repr(to[1]))
    except RuntimeError:
        pass
