//! What ParaView reads: bodies and contacts as VTK's XML.

use glam::DVec3;
use klast_files::mesh::vtk::{PolyData, Values, pvd};
use klast_files::mesh::vtu::Solids;
use klast_geometry::{Pose, Solid};

#[test]
fn a_body_and_a_contact_make_one_file() {
    let mut data = PolyData::default();
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.1, 0.0]];
    assert_eq!(data.add_body(&corners, &[vec![0, 1, 2]]), 1);
    assert_eq!(data.add_body(&corners, &[vec![0, 2, 1]]), 1);
    data.vertices.push(0);
    data.cell_values.push(Values {
        name: "speed_m_s".into(),
        components: 1,
        numbers: vec![0.0, 1.0, 2.0],
    });
    let text = data.vtp();
    assert!(text.contains("NumberOfPoints=\"6\" NumberOfVerts=\"1\" NumberOfLines=\"0\""));
    assert!(text.contains("0 1 2 3 5 4 "), "polygons follow one another");
    assert!(text.contains("3 6 "), "offsets are running ends");
    assert!(text.contains("0.1"));
}

#[test]
fn a_series_names_its_times() {
    let text = pvd(&[(0.0, "a.vtp".into()), (0.5, "b.vtp".into())]);
    assert!(text.contains("timestep=\"0.5\" part=\"0\" file=\"b.vtp\""));
}

/// The numbers of one array of a file.
fn numbers(text: &str, name: &str) -> Vec<f64> {
    let start = text.find(&format!("Name=\"{name}\"")).unwrap();
    let body = &text[start..];
    let body = &body[body.find('>').unwrap() + 1..body.find("</DataArray>").unwrap()];
    body.split_whitespace()
        .map(|n| n.parse().unwrap())
        .collect()
}

/// Read back as the format says: counts, running ends, faces that close (each edge twice, once in each direction).
#[test]
fn two_bodies_read_back_as_closed_polyhedra() {
    let (cube, tetrahedron) = (
        Solid::Cube.with_size(1.0).unwrap(),
        Solid::Tetrahedron.with_size(1.0).unwrap(),
    );
    let mut solids = Solids::default();
    solids.add(&cube, &Pose::IDENTITY);
    solids.add(&tetrahedron, &Pose::from_translation(DVec3::X * 2.0));
    solids.values.push(Values {
        name: "speed_m_s".into(),
        components: 1,
        numbers: vec![0.0, 1e-17],
    });
    let text = solids.vtu();
    assert!(text.contains("NumberOfPoints=\"12\" NumberOfCells=\"2\""));
    assert_eq!(numbers(&text, "Points").len(), 36);
    assert_eq!(numbers(&text, "types"), [42.0, 42.0]);
    assert_eq!(numbers(&text, "offsets"), [8.0, 12.0]);
    assert_eq!(numbers(&text, "connectivity").len(), 12);
    assert_eq!(numbers(&text, "speed_m_s"), [0.0, 1e-17]);
    let (faces, ends) = (numbers(&text, "faces"), numbers(&text, "faceoffsets"));
    assert_eq!(*ends.last().unwrap() as usize, faces.len());
    let mut start = 0;
    for (end, count) in ends.iter().zip([6, 4]) {
        let list: Vec<usize> = faces[start..*end as usize]
            .iter()
            .map(|&n| n as usize)
            .collect();
        assert_eq!(list[0], count);
        let (mut at, mut edges) = (1, std::collections::BTreeSet::new());
        for _ in 0..count {
            let face = &list[at + 1..=at + list[at]];
            for (k, &from) in face.iter().enumerate() {
                assert!(edges.insert((from, face[(k + 1) % face.len()])));
            }
            at += list[at] + 1;
        }
        assert_eq!(at, list.len());
        assert!(edges.iter().all(|&(p, q)| edges.contains(&(q, p))));
        start = *end as usize;
    }
}
