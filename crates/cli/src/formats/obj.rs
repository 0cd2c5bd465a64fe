//! Wavefront OBJ meshes: positions and faces; everything else in the file is passed over.

use anyhow::{Result, anyhow, ensure};
use glam::DVec3;

use super::Triangles;

/// Reads positions and faces; polygons become fans of triangles.
///
/// # Errors
/// What the parser refuses, no face, a coordinate that is not finite.
pub fn read(bytes: &[u8]) -> Result<Triangles> {
    let options = tobj::LoadOptions {
        triangulate: true,
        ..Default::default()
    };
    let no_materials = |_: &std::path::Path| Err(tobj::LoadError::OpenFileFailed);
    let (models, _) = tobj::load_obj_buf(&mut &bytes[..], &options, no_materials)
        .map_err(|e| anyhow!("OBJ: {e}"))?;
    let mut mesh = Triangles::default();
    for model in models {
        let first = u32::try_from(mesh.points.len())?;
        for p in model.mesh.positions.chunks_exact(3) {
            let point = DVec3::new(p[0], p[1], p[2]);
            ensure!(point.is_finite(), "OBJ: a vertex that is not finite");
            mesh.points.push(point);
        }
        let count = mesh.points.len() as u32 - first;
        for face in model.mesh.indices.chunks_exact(3) {
            ensure!(
                face.iter().all(|&i| i < count),
                "OBJ: a face names a vertex that is not there"
            );
            mesh.triangles
                .push([first + face[0], first + face[1], first + face[2]]);
        }
    }
    ensure!(
        !mesh.triangles.is_empty(),
        "OBJ: no face; accepted: one or more"
    );
    Ok(mesh)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quadrilateral_becomes_two_triangles_in_full_precision() {
        let text =
            "v 2800000.1234567 0 0\nv 2800001 0 0\nv 2800001 1 0\nv 2800000 1 0\nf 1 2 3 4\n";
        let mesh = read(text.as_bytes()).unwrap();
        assert_eq!(mesh.points[0].x, 2_800_000.123_456_7);
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn broken_files_are_refused() {
        for text in [
            "",
            "v 1 2 3\n",
            "v 1 2\nf 1 1 1\n",
            "v 0 0 0\nf 1 2 3\n",
            "v nan 0 0\nf 1 1 1\n",
            "f 1 2 3\n",
        ] {
            assert!(read(text.as_bytes()).is_err(), "{text}");
        }
    }
}
