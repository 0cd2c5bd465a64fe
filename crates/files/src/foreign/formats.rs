//! The formats that are not read where they are given.

/// What kind of thing a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Nothing.
    NoData,
    /// Other files, unpacked by a command; with endings of which that command makes a file without them.
    Packed(&'static str),
    /// A sheet.
    Sheet,
    /// Heights that GDAL reads.
    Raster,
    /// A surface or a body.
    Solid,
    /// Points of a survey.
    Cloud,
    /// Points, lines and areas that GDAL reads.
    Shapes,
    /// Numbers or motions of the ground.
    Motion,
}
use Family::{Cloud, Motion, NoData, Packed, Raster, Shapes, Sheet, Solid};

/// A format: its family, what it is, what to do, its first bytes, words near its beginning, its endings.
pub struct Format(
    pub Family,
    pub &'static str,
    pub &'static str,
    pub &'static [&'static [u8]],
    pub &'static [&'static str],
    pub &'static [&'static str],
);

const STL: &str = "that program exports STL; scale it to metres";
const BLENDER: &str = "Blender imports it, and exports STL";
pub const OBSPY: &str = "two columns, time and acceleration, as ObsPy and NumPy write them with \
    numpy.savetxt(\"record.csv\", \
    numpy.c_[trace.times(), trace.data], delimiter=\",\"), of counts after trace.remove_response(output=\"ACC\")";
/// The keys that read the columns of any table.
pub const KEYS: &str = "`acceleration_column`, `unit`, and `time_column` or `step_s` beside the file, which name its \
    columns or count them from 1 (in `klast record` --acceleration-column, --unit, --time-column, --step-s)";
const VALUES: &str =
    "the values of one component below a line of text, with `step_s` and `unit` beside the file";

#[rustfmt::skip]
pub const FORMATS: &[Format] = &[
    Format(NoData, "a web page, as a server gives that asks for a login or has no such file", "the file itself",
        &[b"<!doctype html", b"<html"], &[], &[]),
    Format(NoData, "a pointer of Git LFS", "the file itself (`git lfs pull` fetches it)",
        &[b"version https://git-lfs"], &[], &[]),
    Format(NoData, "a PDF document", "the data themselves", &[b"%PDF"], &[], &[]),
    Format(NoData, "a picture", "the data themselves", &[b"\x89PNG", b"\xff\xd8\xff"], &[], &[]),
    Format(Packed("gunzip"), "gzip", "", &[b"\x1f\x8b"], &[], &["gz", "tgz"]),
    Format(Packed("bunzip2"), "bzip2", "", &[b"BZh"], &[], &["bz2"]),
    Format(Packed("unxz"), "xz", "", &[b"\xfd7zXZ\0"], &[], &["xz"]),
    Format(Packed("unzstd"), "zstd", "", &[b"\x28\xb5\x2f\xfd"], &[], &["zst"]),
    Format(Packed("unzip"), "zip", "", &[b"PK\x03\x04"], &[], &["zip"]),
    Format(Packed("7z x"), "7-Zip", "", &[b"7z\xbc\xaf"], &[], &["7z"]),
    Format(Packed("unrar x"), "RAR", "", &[b"Rar!"], &[], &["rar"]),
    Format(Sheet, "a sheet of a spreadsheet, or a document", "", &[b"\xd0\xcf\x11\xe0"], &[], &["xlsx", "xls", "ods"]),
    Format(Raster, "a grid of Surfer", "", &[b"DSRB", b"DSBB", b"DSAA"], &[], &[]),
    Format(Raster, "a netCDF grid (as GMT writes)", "", &[b"CDF\x01", b"CDF\x02", b"CDF\x05"], &[], &["nc"]),
    Format(Raster, "an HDF5 file (netCDF 4 of GMT is one)", "", &[b"\x89HDF\r\n"], &[], &[]),
    Format(Raster, "an HDF4 file", "", &[b"\x0e\x03\x13\x01"], &[], &[]),
    Format(Raster, "a raster of Erdas Imagine", "", &[b"EHFA_HEADER_TAG"], &[], &["img"]),
    Format(Raster, "a picture in JPEG 2000", "", &[b"\0\0\0\x0cjP  "], &[], &["jp2"]),
    Format(Raster, "an ASCII grid of GRASS (r.out.ascii)", "", &[b"north:"], &[], &[]),
    Format(Raster, "a raster", "", &[b"II*\0", b"MM\0*", b"ncols"], &[],
        &["tif", "tiff", "asc", "vrt", "bil", "flt", "hgt", "dem", "adf"]),
    Format(Shapes, "a GeoPackage or another database of SQLite", "", &[b"SQLite format 3\0"], &[], &["gpkg", "sqlite"]),
    Format(Shapes, "shapes without triangles", "", &[b"\0\0\x27\x0a"], &[],
        &["shp", "dbf", "geojson", "json", "kml", "kmz", "gpx", "fgb", "tab", "mif"]),
    Format(Cloud, "points without triangles", "CloudCompare and MeshLab make a mesh of them", &[b"LASF",
        b"ASTM-E57"], &[],
        &["las", "laz", "xyz", "pts", "ptx", "e57", "pcd", "csv"]),
    Format(Solid, "glTF, with y upwards", "Blender imports it with z upwards, and exports STL", &[b"glTF"], &[],
        &["glb", "gltf", "vrm"]),
    Format(Solid, "a scene of a program for pictures", BLENDER, &[b"BLENDER", b"Kaydara FBX", b"#VRML"], &["<collada"],
        &["dae", "fbx", "blend", "3ds", "x3d", "wrl", "usd", "usdz", "abc"]),
    Format(Solid, "a file for printers, mostly in millimetres", "MeshLab exports STL; scale it to metres", &[], &[],
        &["3mf", "amf"]),
    Format(Solid, "a model of a building (IFC)", "Blender with Bonsai, or FreeCAD, imports it, and exports STL", &[],
        &["file_schema(('ifc"], &["ifc", "ifczip"]),
    Format(Solid, "a file of a program for drawings, mostly in millimetres", STL,
        &[b"3D Geometry File Format", b"ISO-10303-21"], &[],
        &["step", "stp", "iges", "igs", "brep", "x_t", "sat", "sldprt", "3dm", "skp", "fcstd", "dgn"]),
    Format(Solid, "a drawing in the unit of its program",
        "CloudCompare opens the faces (3DFACE) of a surface in a DXF, and exports PLY; scale an object of \
            millimetres to metres",
        &[], &[], &["dwg", "dxf"]),
    Format(Solid, "a mesh of nodes and elements", "MeshLab or ParaView exports STL of its surface",
        &[b"# vtk DataFile", b"$MeshFormat", b"OFF"], &["<vtkfile"],
        &["off", "vtk", "vtu", "vtp", "msh", "mesh", "nas", "bdf", "inp", "xdmf"]),
    Format(Solid, "a surface in LandXML", "the program that wrote it exports it as a raster (GeoTIFF or ESRI grid, \
        which the key \
        `raster` takes), or as faces in a DXF, of which CloudCompare makes a PLY", &[], &["<landxml"], &[]),
    Format(Solid, "a model of a city (CityGML)", "citygml-tools makes CityJSON of it, of which cjio exports OBJ", &[],
        &["citygml"], &["gml", "citygml"]),
    Format(Solid, "a model of a city (CityJSON)", "cjio exports OBJ of it", &[], &["\"cityjson\""], &[]),
    Format(Solid, "a surface of a program for geology", "that program exports it as STL, OBJ or DXF", &[b"GOCAD"],
        &[], &["ts", "tin"]),
    Format(Motion, "a file of MATLAB (.mat)",
        "two columns, as MATLAB writes them with writematrix([t(:) a(:)], 'record.csv')", &[b"MATLAB 5.0 MAT-file"],
            &[], &[]),
    Format(Motion, "a file of NumPy (.npy)", "two columns, as NumPy writes them with savetxt('record.txt', \
        column_stack([t, a]), \
        header='time (s) acc (m/s2)')", &[b"\x93NUMPY"], &[], &[]),
    Format(Motion, "a GSE file of counts", OBSPY, &[b"WID2", b"BEGIN GSE"], &[], &[]),
    Format(Motion, "XML or JSON", "", &[b"<?xml", b"{", b"["], &[], &[]),
    Format(Motion, "a table of a Campbell logger (TOA5)", KEYS, &[b"\"TOA5\"", b"TOA5,"], &[], &[]),
    Format(Motion, "a measurement of LabVIEW", KEYS, &[b"labview measurement"], &[], &[]),
    Format(Motion, "GeoCSV", KEYS, &[b"# dataset: geocsv"], &[], &[]),
    Format(Motion, "a record of the Turkish network", KEYS, &[], &["strong ground motion records of turk"], &[]),
    Format(Motion, "a standard file of Mexico", KEYS, &[], &["archivo estandar de aceleracion"], &[]),
    Format(Motion, "a record of the Japan Meteorological Agency", KEYS, &[b"site code"], &[], &[]),
    Format(Motion, "a record of Taiwan's Central Weather Bureau", KEYS, &[b"#earthquake", b"#station"],
        &["#datasequence"], &[]),
    Format(Motion, "a record of China's network (CSMNC)", VALUES, &[], &["equally spaced intervals of"], &[]),
    Format(Motion, "an SMC file of the USGS", VALUES,
        &[b"1 uncorrected accelerogram", b"2 corrected accelerogram", b"3 velocity", b"4 displacement",
            b"5 response spectra",
            b"6 fourier"], &[], &[]),
    Format(Motion, "a curve of LS-DYNA", "its rows of time and acceleration", &[], &["*define_curve"], &[]),
    Format(Motion, "velocities (PEER VT2)", "", &[], &["velocity time history", "velocity time series"], &[]),
    Format(Motion, "displacements (PEER DT2)", "", &[], &["displacement time history", "displacement time series"],
        &[]),
    Format(Motion, "response spectra", "",
        &[], &["response and fourier amplitude spectra", "response spectra", "database spectrum"], &[]),
    Format(Motion, "a record of Chile's network RENADIC, with headers of numbers", VALUES, &[],
        &["universidad de chile - renadic"], &[]),
    Format(Motion, "an uncorrected accelerogram (Volume 1) that lists times and values in pairs",
        "a corrected Volume 2", &[],
        &["uncorrected accelerogram data"], &[]),
    Format(Motion, "a record of Iran's network (BHRC), with headers of numbers and a unit in each header", VALUES,
        &[b"* vol"], &[], &[]),
    Format(Motion, "an accelerogram of Caltech's or USC's Volume 2, with headers of numbers", VALUES,
        &[b"corrected accelerogram", b"uncorrected accelerogram"], &[], &[]),
];
