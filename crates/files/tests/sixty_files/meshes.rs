//! Meshes: OBJ, PLY and STL of modellers, photogrammetry and survey programs.

use klast_files::by_ending::mesh_from;

use super::{
    Case,
    Right::{self, Read, Refused},
};

/// Numbers of points and triangles, the first triangle by its corners.
fn said(ending: &str, bytes: &[u8]) -> anyhow::Result<String> {
    let mesh = mesh_from(ending, bytes)?;
    let first = mesh.triangles[0].map(|k| mesh.points[k as usize].to_array());
    Ok(format!(
        "{} points, {} triangles: {first:?}",
        mesh.points.len(),
        mesh.triangles.len()
    ))
}

fn case(name: &'static str, ending: &str, bytes: &[u8], right: Right) -> Case {
    Case::new(name, said(ending, bytes), right)
}

const ONE: &str = "3 points, 1 triangles: [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]";
const CORNERS: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

/// A PLY in bytes: three corners as singles or doubles, a face.
fn ply(end: &str, big: bool, double: bool, list: &str) -> Vec<u8> {
    let format = if big {
        "binary_big_endian"
    } else {
        "binary_little_endian"
    };
    let kind = if double { "double" } else { "float" };
    let head = format!(
        "ply\nformat {format} 1.0\ncomment made here\nelement vertex 3\nproperty {kind} x\nproperty {kind} y\n\
         property {kind} z\nelement face 1\nproperty list uchar int {list}\nend_header\n"
    );
    let mut bytes = head.replace('\n', end).into_bytes();
    let mut put = |little: &[u8]| {
        let mut number = little.to_vec();
        if big {
            number.reverse();
        }
        bytes.extend(number);
    };
    for number in CORNERS.as_flattened() {
        match double {
            true => put(&number.to_le_bytes()),
            false => put(&(*number as f32).to_le_bytes()),
        }
    }
    put(&[3]);
    for corner in 0..3_i32 {
        put(&corner.to_le_bytes());
    }
    bytes
}

fn binary_stl(head: &str, colour: u16) -> Vec<u8> {
    let mut bytes = head.as_bytes().to_vec();
    bytes.resize(80, b' ');
    bytes.extend(1_u32.to_le_bytes());
    for number in [0.0, 0.0, 1.0].iter().chain(CORNERS.as_flattened()) {
        bytes.extend((*number as f32).to_le_bytes());
    }
    bytes.extend(colour.to_le_bytes());
    bytes
}

pub fn cases() -> Vec<Case> {
    let facet = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
    vec![
        case(
            "OBJ with objects, groups, materials, normals and corners counted back (Blender)",
            "obj",
            b"mtllib a.mtl\no hill\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nvt 0 0\ng left\nusemtl rock\ns off\nf -3/1/-1 -2/1/-1 -1/1/-1\n",
            Read(ONE),
        ),
        case(
            "OBJ with negative corners in a second group",
            "obj",
            b"g a\nv 9 9 9\ng b\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n",
            Read("4 points, 1 triangles: [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]"),
        ),
        case(
            "OBJ with colours behind the corners (CloudCompare, Agisoft)",
            "obj",
            b"v 0 0 0 0.5 0.5 0.5\nv 1 0 0 1 1 1\nv 0 1 0 0 0 0\nf 1 2 3\n",
            Read(ONE),
        ),
        case(
            "OBJ with exponents of three digits and tabs (old Windows)",
            "obj",
            b"v\t0.000000e+000\t0\t0\r\nv\t1.000000e+000\t0\t0\r\nv\t0\t1.000000e+000\t0\r\nf\t1\t2\t3\r\n",
            Read(ONE),
        ),
        case(
            "OBJ with lines and points beside its faces (Rhino)",
            "obj",
            b"v 0 0 0\nv 1 0 0\nv 0 1 0\np 1\nl 1 2 3\nf 1 2 3\n",
            Read(ONE),
        ),
        case(
            "OBJ with a comment behind a face",
            "obj",
            b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 # lower side\n",
            Read(ONE),
        ),
        case(
            "PLY, big-endian (scanner)",
            "ply",
            &ply("\n", true, false, "vertex_indices"),
            Read(ONE),
        ),
        case(
            "PLY of doubles with vertex_index",
            "ply",
            &ply("\n", false, true, "vertex_index"),
            Read(ONE),
        ),
        case(
            "PLY with Windows line ends before its bytes",
            "ply",
            &ply("\r\n", false, false, "vertex_indices"),
            Read(ONE),
        ),
        case(
            "PLY in text with colours first and texture coordinates in its faces (Agisoft)",
            "ply",
            b"ply\nformat ascii 1.0\ncomment TextureFile a.jpg\nelement vertex 3\nproperty uchar red\nproperty uchar green\n\
              property uchar blue\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n\
              property list uchar int vertex_indices\nproperty list uchar float texcoord\nend_header\n\
              1 2 3 0 0 0\n1 2 3 1 0 0\n1 2 3 0 1 0\n3 0 1 2 6 0 0 1 0 0 1\n",
            Read(ONE),
        ),
        case(
            "PLY of points without faces (CloudCompare)",
            "ply",
            b"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n",
            Refused(&["face"]),
        ),
        case(
            "STL in capitals with exponents (CATIA)",
            "stl",
            format!("solid a\n{facet}endsolid a\n")
                .replace(" 1 ", " 1.000000E+00 ")
                .to_uppercase()
                .as_bytes(),
            Read(ONE),
        ),
        case(
            "STL of two solids in one file (FreeCAD)",
            "stl",
            format!("solid a\n{facet}endsolid a\nsolid b\n{facet}endsolid b\n").as_bytes(),
            Read("3 points, 2 triangles: [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]"),
        ),
        case(
            "STL in bytes whose head begins with solid (SolidWorks)",
            "stl",
            &binary_stl("solid hill, exported in bytes", 0),
            Read(ONE),
        ),
        case(
            "STL in bytes with colours (VisCAM)",
            "stl",
            &binary_stl("COLOR=", 0x801f),
            Read(ONE),
        ),
    ]
}

/// A second set.
pub fn more() -> Vec<Case> {
    let facet = "facet normal nan nan nan\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
    let mut cut = ply("\n", false, false, "vertex_indices");
    cut.truncate(cut.len() - 7);
    let mut many = binary_stl("many", 0);
    many[80..84].copy_from_slice(&5_u32.to_le_bytes());
    vec![
        case(
            "OBJ with empty places behind its corners",
            "obj",
            b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1// 2// 3//\n",
            Read(ONE),
        ),
        case(
            "OBJ with blanks in a file name and before its lines (3ds Max)",
            "obj",
            b"mtllib my hill (2).mtl\n  v 0 0 0\n  v 1 0 0\n  v 0 1 0\n  f 1 2 3\n",
            Read(ONE),
        ),
        case(
            "OBJ with weights",
            "obj",
            b"v 0 0 0 1.0\nv 1 0 0 1.0\nv 0 1 0 1.0\nf 1 2 3\n",
            Read(ONE),
        ),
        case(
            "OBJ with a corner that is not there",
            "obj",
            b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n",
            Refused(&["corner 4"]),
        ),
        case(
            "OBJ with corners as decimals",
            "obj",
            b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1.0 2.0 3.0\n",
            Refused(&["line 4"]),
        ),
        case("glTF named .obj", "obj", b"glTF\x02\0\0\0", Refused(&["glTF", "Blender"])),
        case("STEP named .obj", "obj", b"ISO-10303-21;\nHEADER;\n", Refused(&["drawings"])),
        case(
            "PLY of a quadrilateral with its own words for types (Meshlab)",
            "ply",
            b"ply\nformat ascii 1.0\nobj_info here\nelement vertex 4\nproperty float32 x\nproperty float32 y\nproperty float32 z\n\
              element face 1\nproperty list uint8 int32 vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 1 1\n4 0 1 2 3\n",
            Read("4 points, 2 triangles: [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]"),
        ),
        case("PLY that breaks off", "ply", &cut, Refused(&["PLY"])),
        case(
            "PLY of strips",
            "ply",
            b"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement tristrips 1\n\
              property list int int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
            Refused(&["face"]),
        ),
        case(
            "STL whose normals are no numbers (Meshlab)",
            "stl",
            format!("solid a\n{facet}endsolid a\n").as_bytes(),
            Read(ONE),
        ),
        case("STL that promises more triangles", "stl", &many, Refused(&["STL"])),
        case(
            "STL with decimal commas",
            "stl",
            b"solid a\nfacet normal 0,0 0,0 1,0\nouter loop\nvertex 0,0 0,0 0,0\nvertex 1,0 0,0 0,0\nvertex 0,0 1,0 0,0\nendloop\nendfacet\nendsolid a\n",
            Refused(&["STL line 4", "decimal marks are commas"]),
        ),
        case(
            "PLY with decimal commas",
            "ply",
            b"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n\
              property list uchar int vertex_indices\nend_header\n0,0 0,0 0,0\n1,0 0,0 0,0\n0,0 1,0 0,0\n3 0 1 2\n",
            Refused(&["decimal marks are commas (line 10)"]),
        ),
        case(
            "PLY of a cloud of points (CloudCompare)",
            "ply",
            b"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n",
            Refused(&["cloud of points", "CloudCompare makes a mesh"]),
        ),
        case(
            "OBJ of free-form surfaces (Rhino)",
            "obj",
            b"cstype bspline\ndeg 1 1\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nsurf 0 1 0 1 1 2 3 4\nend\n",
            Refused(&["free-form surfaces", "polygons"]),
        ),
        case(
            "LandXML of a road designer",
            "xml",
            b"<?xml version=\"1.0\"?>\n<LandXML version=\"1.2\">",
            Refused(&["LandXML", "raster"]),
        ),
    ]
}
