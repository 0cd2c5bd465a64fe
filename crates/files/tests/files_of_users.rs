//! Files as programs write them: what is read of them, and the way that a refusal gives.

use glam::DVec3;
use klast_files::by_ending::{mesh_from, raster};
use klast_files::raster::Beside;
use klast_geometry::terrain::Mesh;

/// Corners and outward triangles of a box of 2 x 1 x 3 m.
const CORNERS: [[u8; 3]; 8] = [
    [0, 0, 0],
    [2, 0, 0],
    [0, 1, 0],
    [2, 1, 0],
    [0, 0, 3],
    [2, 0, 3],
    [0, 1, 3],
    [2, 1, 3],
];
const FACES: [[u8; 3]; 12] = [
    [0, 2, 1],
    [1, 2, 3],
    [4, 5, 6],
    [5, 7, 6],
    [0, 1, 4],
    [1, 5, 4],
    [2, 6, 3],
    [3, 6, 7],
    [0, 4, 2],
    [2, 4, 6],
    [1, 3, 5],
    [3, 7, 5],
];

fn ply(x: &str) -> String {
    let mut text = "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n\
        property float nx\nproperty list uchar float quality\nelement face 12\nproperty list uchar int vertex_indices\n\
        end_header\n"
        .to_owned();
    for [a, b, c] in CORNERS {
        let first = if a == 2 { x.to_owned() } else { a.to_string() };
        text += &format!("{first} {b} {c} -nan(ind) 2 1.#QNAN nan\n");
    }
    for [a, b, c] in FACES {
        text += &format!("3 {a} {b} {c}\n");
    }
    text
}

/// Of a closed body the upper side is the ground: two triangles at 3 m; an open mesh stays as it is.
#[test]
fn the_upper_side_of_a_closed_mesh_is_ground() {
    let mut mesh = mesh_from("ply", ply("2").as_bytes()).unwrap();
    let mut open = mesh.clone();
    assert_eq!(mesh.keep_upper_side(), Some(10));
    let heights = mesh
        .triangles
        .iter()
        .flatten()
        .map(|k| mesh.points[*k as usize].z);
    assert!(heights.into_iter().all(|z| z == 3.0) && mesh.triangles.len() == 2);
    open.triangles.pop();
    let before = open.clone();
    assert_eq!(open.keep_upper_side(), None);
    assert_eq!(open, before);
}

/// A step of 2 m with a vertical wall: the wall is passed over, and a steep facet stands in its place.
#[test]
fn a_vertical_wall_of_a_mesh_is_a_step() {
    let points = [
        [0.0, 0.0, 2.0],
        [5.0, 0.0, 2.0],
        [5.0, 5.0, 2.0],
        [0.0, 5.0, 2.0],
        [5.0, 0.0, 0.0],
        [10.0, 0.0, 0.0],
        [10.0, 5.0, 0.0],
        [5.0, 5.0, 0.0],
    ]
    .map(DVec3::from_array);
    let triangles = [
        [0, 1, 2],
        [0, 2, 3],
        [1, 4, 7],
        [1, 7, 2],
        [4, 5, 6],
        [4, 6, 7],
    ];
    let mesh = Mesh::new(&points, &triangles).unwrap();
    assert_eq!((mesh.passed_over(), mesh.triangles().len()), (2, 4));
    assert!(!mesh.walls().is_empty(), "no wall stands under the step");
    assert!(
        (mesh.overhang().height - 2.0).abs() < 1e-9,
        "{:?}",
        mesh.overhang()
    );
}

/// ArcGIS keeps the CRS that a user defines for a raster in an element of its own.
#[test]
fn the_crs_that_arcgis_writes_beside_a_raster_is_applied() {
    let wkt = "PROJCS[\"WGS_1984_UTM_Zone_32N\",GEOGCS[\"GCS_WGS_1984\",DATUM[\"D_WGS_1984\",SPHEROID[\"WGS_1984\",6378137.0,298.257223563]],PRIMEM[\"Greenwich\",0.0],UNIT[\"Degree\",0.0174532925199433]],PROJECTION[\"Transverse_Mercator\"],PARAMETER[\"False_Easting\",500000.0],PARAMETER[\"False_Northing\",0.0],PARAMETER[\"Central_Meridian\",9.0],PARAMETER[\"Scale_Factor\",0.9996],PARAMETER[\"Latitude_Of_Origin\",0.0],UNIT[\"Meter\",1.0]]";
    let pam = format!(
        "<PAMDataset><GeodataXform xsi:type='typens:IdentityXform' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'>\
         <SpatialReference xsi:type='typens:ProjectedCoordinateSystem'><WKT>{}</WKT></SpatialReference></GeodataXform></PAMDataset>",
        wkt.replace('"', "&quot;")
    );
    let beside = Beside {
        pam: Some(pam.into_bytes()),
        ..Beside::default()
    };
    let grid = b"ncols 2\nnrows 2\nxllcorner 500000\nyllcorner 5200000\ncellsize 5\n1 2\n3 4\n";
    let read = raster("dem.asc", grid, &beside).unwrap();
    assert!(read.crs.is_some(), "the CRS is passed over");
    assert!(
        raster("dem.asc", grid, &Beside::default())
            .unwrap()
            .crs
            .is_none()
    );
}
