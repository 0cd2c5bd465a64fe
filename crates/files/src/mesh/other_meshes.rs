//! Files that are no STL, OBJ or PLY: what they are, by their first bytes or their ending, and which program makes a
//! mesh of them that is read.

use anyhow::{Result, bail};

use super::stl;
use crate::text;

const GLTF: &str = "glTF, with y upwards: Blender imports it with z upwards, and exports STL";
const PICTURES: &str = "a scene of a program for pictures: Blender imports it, and exports STL";
const PRINTERS: &str =
    "a file for printers, mostly in millimetres: MeshLab exports STL; scale it to metres";
const DRAWING: &str = "a file of a program for drawings, mostly in millimetres: that program exports STL; scale it to metres";
const FACES: &str = "a drawing in the unit of its program: CloudCompare opens the faces (3DFACE) of a surface in a DXF, and \
    exports PLY; an object of millimetres must be scaled to metres";
const ELEMENTS: &str =
    "a mesh of nodes and elements: MeshLab or ParaView exports STL of its surface";
const POINTS: &str = "points without triangles: CloudCompare and MeshLab make a mesh of them";
const LAND: &str = "a surface in LandXML: the program that wrote it exports it as a raster (GeoTIFF or ESRI grid, which the key \
    `raster` takes), or as faces in a DXF, of which CloudCompare makes a PLY";
const BUILDING: &str =
    "a model of a building (IFC): Blender with Bonsai, or FreeCAD, imports it, and exports STL";
const CITY_XML: &str =
    "a model of a city (CityGML): citygml-tools makes CityJSON of it, of which cjio exports OBJ";
const CITY: &str = "a model of a city (CityJSON), of which cjio exports OBJ";
const GEOLOGY: &str =
    "a surface of a program for geology: that program exports it as STL, OBJ or DXF";
const RASTER: &str = "a raster: in a scene the key `raster` of the terrain takes it";
const SHAPES: &str = "shapes without triangles: a mesh is made with the program that wrote them";

/// First bytes of files of other formats, whatever their ending.
const FIRST: [(&[u8], &str); 17] = [
    (b"glTF", GLTF),
    (b"BLENDER", PICTURES),
    (b"Kaydara FBX", PICTURES),
    (b"#VRML", PICTURES),
    (b"# vtk DataFile", ELEMENTS),
    (b"$MeshFormat", ELEMENTS),
    (b"OFF", ELEMENTS),
    (b"LASF", POINTS),
    (b"ASTM-E57", POINTS),
    (b"3D Geometry File Format", DRAWING),
    (b"GOCAD", GEOLOGY),
    (b"II*\0", RASTER),
    (b"MM\0*", RASTER),
    (b"ncols", RASTER),
    (b"NCOLS", RASTER),
    (b"\0\0\x27\x0a", SHAPES),
    (b"SQLite format 3\0", SHAPES),
];

/// Words near the beginning of a text of another format.
const WORDS: [(&str, &str); 6] = [
    ("<landxml", LAND),
    ("citygml", CITY_XML),
    ("\"cityjson\"", CITY),
    ("<collada", PICTURES),
    ("<vtkfile", ELEMENTS),
    ("file_schema(('ifc", BUILDING),
];

/// Refuses what is no STL, OBJ or PLY.
///
/// # Errors
/// What it is, and which program makes a mesh of it that is read.
pub fn refuse(ending: &str, bytes: &[u8]) -> Result<()> {
    let read = ["stl", "obj", "ply"].contains(&ending);
    // The first 80 bytes of a binary STL are free.
    let known = match ending {
        "stl" if stl::is_exact(bytes) => None,
        _ => by_content(bytes).or_else(|| by_ending(ending)),
    };
    match known {
        Some(what) => {
            bail!("'.{ending}' ({what}); accepted: .stl, .obj, .ply, in metres and with z upwards")
        }
        None if !read => {
            bail!("'.{ending}'; accepted: .stl, .obj, .ply, in metres and with z upwards")
        }
        None => Ok(()),
    }
}

/// What a file is that holds a surface or a body in a format that is not read; none where it may be a raster.
pub fn named(ending: &str, bytes: &[u8]) -> Option<&'static str> {
    let known = by_content(bytes).or_else(|| by_ending(ending));
    known.filter(|what| ![RASTER, SHAPES, POINTS].contains(what))
}

/// Whether files of an ending are archives in a format of their own.
pub fn is_archive(ending: &str) -> bool {
    ["3mf", "usdz", "ifczip", "fcstd"].contains(&ending)
}

/// What the beginning of a file says that it is.
fn by_content(bytes: &[u8]) -> Option<&'static str> {
    let head = &bytes[..bytes.len().min(4096)];
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let mut first = FIRST.iter().filter(|(first, _)| head.starts_with(first));
    if let Some((_, what)) = first.next() {
        return Some(what);
    }
    let start = head.trim_ascii_start();
    let text = text::ascii(head).ok()?.to_lowercase();
    // A header of text may speak of anything; these formats begin so.
    let marked = start.starts_with(b"<") || start.starts_with(b"{");
    let step = start.starts_with(b"ISO-10303-21");
    let mut words = WORDS.iter().filter(|(word, _)| text.contains(word));
    match words.next() {
        Some((_, what)) if marked || step => Some(what),
        _ => step.then_some(DRAWING),
    }
}

/// What a file of an ending is. Blender turns what it imports from a format that has y upwards; programs for drawings
/// count in millimetres.
fn by_ending(ending: &str) -> Option<&'static str> {
    Some(match ending {
        "glb" | "gltf" | "vrm" => GLTF,
        "dae" | "fbx" | "blend" | "3ds" | "x3d" | "wrl" | "usd" | "usdz" | "abc" => PICTURES,
        "3mf" | "amf" => PRINTERS,
        "step" | "stp" | "iges" | "igs" | "brep" | "x_t" | "sat" | "sldprt" | "3dm" | "skp"
        | "fcstd" | "dgn" => DRAWING,
        "dwg" | "dxf" => FACES,
        "off" | "vtk" | "vtu" | "vtp" | "msh" | "mesh" | "nas" | "bdf" | "inp" | "xdmf" => ELEMENTS,
        "las" | "laz" | "xyz" | "pts" | "ptx" | "e57" | "pcd" | "csv" => POINTS,
        "ifc" | "ifczip" => BUILDING,
        "gml" | "citygml" => CITY_XML,
        "ts" | "tin" => GEOLOGY,
        "tif" | "tiff" | "asc" | "img" | "vrt" | "bil" | "flt" | "hgt" | "dem" | "adf" => RASTER,
        "shp" | "geojson" | "gpkg" | "kml" => SHAPES,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(ending: &str, bytes: &[u8]) -> String {
        refuse(ending, bytes).unwrap_err().to_string()
    }

    /// The first 80 bytes of a binary STL are free.
    #[test]
    fn a_binary_stl_may_begin_with_any_word() {
        let mut file = b"GOCAD export".to_vec();
        file.resize(80, b' ');
        file.extend(1_u32.to_le_bytes());
        file.resize(84 + 50, 0);
        assert!(refuse("stl", &file).is_ok());
        assert!(refuse("stl", &file[..100]).is_err());
    }

    #[test]
    fn a_mesh_of_another_format_is_refused_with_what_it_is() {
        for (ending, what) in [
            ("glb", "y upwards: Blender"),
            ("step", "millimetres"),
            ("off", "MeshLab"),
            ("pts", "points without triangles"),
            ("dxf", "CloudCompare opens the faces (3DFACE)"),
            ("ifc", "FreeCAD"),
            ("ts", "geology"),
            ("asc", "key `raster`"),
            ("xyzzy", "'.xyzzy'; accepted: .stl, .obj, .ply"),
        ] {
            let said = said(ending, b"");
            assert!(
                said.contains(what) && said.contains("in metres and with z upwards"),
                "{said}"
            );
        }
    }

    /// Each file begins as its format does; the ending is one that says nothing, or another.
    #[test]
    fn the_content_counts_before_the_ending() {
        let ifc = "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('IFC4'));\n";
        for (bytes, what) in [
            (
                "<?xml version=\"1.0\"?>\n<LandXML version=\"1.2\">",
                "LandXML",
            ),
            (
                "<?xml version=\"1.0\"?>\n<CityModel xmlns=\"http://www.opengis.net/citygml/2.0\"/>",
                "CityGML",
            ),
            ("{\"type\":\"CityJSON\",\"version\":\"1.1\"}", "cjio"),
            ("<?xml version=\"1.0\"?><COLLADA/>", "Blender"),
            (ifc, "IFC"),
            ("ISO-10303-21;\nHEADER;\n", "program for drawings"),
            ("glTF\x02\0\0\0", "glTF"),
            ("GOCAD TSurf 1\n", "geology"),
            ("ncols 3\nnrows 3\n", "raster"),
        ] {
            for ending in ["xml", "obj"] {
                let said = said(ending, bytes.as_bytes());
                assert!(said.contains(what), "{said}");
            }
        }
        for (ending, bytes) in [
            ("obj", "# from citygml\nv 0 0 0\n"),
            ("stl", "solid LandXML surface\n"),
            ("ply", "ply\ncomment of a <LandXML> file\n"),
        ] {
            assert!(refuse(ending, bytes.as_bytes()).is_ok(), "{bytes}");
        }
    }
}
