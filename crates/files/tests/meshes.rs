//! Meshes in bytes: the encodings of PLY, binary STL, large faces; what a mesh of a body is made of.

use crate::cases::refused as told;
use glam::DVec3;
use klast_files::mesh::triangles::Triangles;
use klast_files::mesh::{obj, ply, stl};

/// A face of 200,000 corners, a line each: joined in milliseconds.
#[test]
fn many_lines_are_joined() {
    let mut text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2".to_owned();
    text.push_str(&" \\\n3".repeat(200_000));
    assert_eq!(obj::read(text.as_bytes()).unwrap().triangles.len(), 200_000);
}

const HEAD: &str = "element vertex 4\nproperty float x\nproperty float y\nproperty double z\nproperty uchar red\nelement face 1\n\
    property list uchar int vertex_indices\nend_header\n";

#[test]
fn the_three_encodings_hold_the_same_mesh() {
    let corners: [(f32, f32, f64); 4] = [
        (0.0, 0.0, 0.5),
        (1.0, 0.0, 0.5),
        (1.0, 2.0, 0.25),
        (0.0, 2.0, 0.25),
    ];
    let mut ascii = format!("ply\nformat ascii 1.0\ncomment a quad\n{HEAD}").into_bytes();
    let mut little = format!("ply\nformat binary_little_endian 1.0\n{HEAD}").into_bytes();
    let mut big = format!("ply\nformat binary_big_endian 1.0\n{HEAD}").into_bytes();
    for (x, y, z) in corners {
        ascii.extend(format!("{x} {y} {z} 255\n").bytes());
        for v in [x, y] {
            little.extend(v.to_le_bytes());
            big.extend(v.to_be_bytes());
        }
        little.extend(z.to_le_bytes());
        big.extend(z.to_be_bytes());
        little.push(255);
        big.push(255);
    }
    ascii.extend(b"4 0 1 2 3\n");
    little.push(4);
    big.push(4);
    for k in 0..4i32 {
        little.extend(k.to_le_bytes());
        big.extend(k.to_be_bytes());
    }
    let mesh = ply::read(&ascii).unwrap();
    assert_eq!(
        (mesh.points.len(), &mesh.triangles[..]),
        (4, &[[0, 1, 2], [0, 2, 3]][..])
    );
    assert_eq!(mesh.points[2], glam::DVec3::new(1.0, 2.0, 0.25));
    for bytes in [&little, &big] {
        assert_eq!(ply::read(bytes).unwrap(), mesh);
        // cut short: an error, never a panic
        for end in 0..bytes.len() {
            assert!(ply::read(&bytes[..end]).is_err());
        }
    }
    let wrong = String::from_utf8(ascii)
        .unwrap()
        .replace("4 0 1 2 3", "4 0 1 2 9");
    assert_eq!(
        told(&ply::read(wrong.as_bytes()).unwrap_err()),
        "refused Value"
    );
}

fn square() -> Triangles {
    let p = |x, y| DVec3::new(2_800_000.123_456_7 + x, y, 0.1);
    Triangles {
        points: vec![p(0.0, 0.0), p(1.0, 0.0), p(1.0, 1.0), p(0.0, 1.0)],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    }
}

#[test]
fn ascii_keeps_every_bit_of_large_coordinates() {
    assert_eq!(
        stl::read(stl::write(&square()).as_bytes()).unwrap(),
        square()
    );
}

#[test]
fn binary_is_told_by_its_length() {
    let mut bytes = vec![0; 84];
    bytes[80] = 1;
    for i in 0..12u8 {
        bytes.extend(f32::from(i).to_le_bytes());
    }
    bytes.extend([0; 2]);
    let mesh = stl::read(&bytes).unwrap();
    assert_eq!(mesh.points[0], DVec3::new(3.0, 4.0, 5.0));
    assert_eq!(mesh.triangles, [[0, 1, 2]]);
    // Bytes after the last facet belong to nothing; a file that breaks off is refused.
    assert_eq!(stl::read(&[&bytes[..], b"\r\n"].concat()).unwrap(), mesh);
    // A facet of a metre in map coordinates: floats near 2,600,000 are 0.25 m apart (2^21 to 2^22 by 2^-2).
    let far = [
        [2.6e6f32, 1.2e6],
        [2_600_001.0, 1.2e6],
        [2.6e6, 1_200_001.0],
    ];
    let mut coarse = bytes[..84].to_vec();
    coarse.extend([0; 12]);
    let numbers = far.iter().flat_map(|[x, y]| [*x, *y, 500.0]);
    coarse.extend(numbers.flat_map(f32::to_le_bytes));
    coarse.extend([0; 2]);
    assert_eq!(told(&stl::read(&coarse).unwrap_err()), "refused Syntax");
    assert_eq!(
        told(&stl::read(&bytes[..100]).unwrap_err()),
        "refused Truncated"
    );
}

/// A box of 0.6 x 2.4 x 0.4 m as programs with y upwards write it; turned, and a flat slab, give no warning.
#[test]
fn a_mesh_with_y_upwards_seems_to_lie() {
    let boxed = |size: DVec3| {
        let faces = [
            [0, 2, 1],
            [1, 2, 3],
            [4, 5, 6],
            [5, 7, 6],
            [0, 1, 4],
            [1, 5, 4],
        ];
        let others = [
            [2, 6, 3],
            [3, 6, 7],
            [0, 4, 2],
            [2, 4, 6],
            [1, 3, 5],
            [3, 7, 5],
        ];
        let bit = |k: u32, b: u32| f64::from(k >> b & 1);
        Triangles {
            points: (0..8)
                .map(|k| size * DVec3::new(bit(k, 0), bit(k, 1), bit(k, 2)))
                .collect(),
            triangles: [faces, others].concat(),
        }
    };
    assert!(boxed(DVec3::new(0.6, 2.4, 0.4)).lying().is_some());
    for size in [[0.6, 0.4, 2.4], [2.4, 0.6, 0.4], [1.0, 1.2, 0.1]] {
        assert_eq!(boxed(DVec3::from(size)).lying(), None, "{size:?}");
    }
}

/// A tetrahedron one of whose edges is cut in the middle on one side only closes, and keeps its volume.
#[test]
fn an_edge_that_is_cut_on_one_side_is_cut_on_both() {
    let points =
        [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]].map(|p| DVec3::from(p.map(f64::from)));
    let mut mesh = Triangles {
        points: [&points[..], &[DVec3::new(0.5, 0.0, 0.0)]].concat(),
        triangles: vec![[0, 2, 4], [4, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    };
    mesh.split_at_corners();
    assert_eq!(mesh.triangles.len(), 6);
    let corner = |k: u32| mesh.points[k as usize];
    let six = |t: &[u32; 3]| corner(t[0]).dot(corner(t[1]).cross(corner(t[2])));
    assert_eq!(mesh.triangles.iter().map(six).sum::<f64>(), 1.0);
    let closed = mesh.clone();
    mesh.split_at_corners();
    assert_eq!(mesh, closed);
}

#[test]
fn corners_of_faces_are_joined_where_a_mesh_is_open() {
    let corners = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
    ];
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3usize]];
    let points = faces.iter().flatten().map(|k| DVec3::from(corners[*k]));
    let apart = Triangles {
        points: points.collect(),
        triangles: (0..4).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect(),
    };
    let mut joined = apart.clone();
    joined.weld_if_open();
    assert_eq!(joined.points.len(), 4);
    let closed = joined.clone();
    joined.weld_if_open();
    assert_eq!(joined, closed);
    // Two that touch in a point keep points of their own.
    let mut two = closed.clone();
    two.points.extend(closed.points.iter().map(|p| -*p));
    let others = closed.triangles.iter().map(|t| t.map(|k| k + 4));
    two.triangles.extend(others.collect::<Vec<_>>());
    let before = two.clone();
    two.weld_if_open();
    assert_eq!(two, before);
}
