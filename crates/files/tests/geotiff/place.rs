//! Where the cells lie.

use super::*;

#[test]
fn the_place_comes_from_tags_or_from_beside_and_contradictions_are_refused() {
    let raster = PLAIN.read().unwrap();
    assert_eq!(raster.south_west, DVec2::new(600_000.5, 199_998.5));
    assert!(raster.values.iter().eq([3.0, 4.0, 1.0, 2.0]));
    let point = Foreign {
        keys: &[[1025, 0, 1, 2]],
        ..PLAIN
    }
    .read()
    .unwrap();
    assert_eq!(point.south_west, DVec2::new(600_000.0, 199_999.0));
    let mut matrix = [0.0; 16];
    (matrix[0], matrix[3], matrix[5], matrix[7], matrix[15]) =
        (1.0, 600_000.0, 1.0, 199_998.0, 1.0);
    let bare = Foreign {
        scale: None,
        ties: &[],
        ..PLAIN
    };
    let south_up = Foreign {
        matrix: Some(matrix),
        ..bare.clone()
    }
    .read()
    .unwrap();
    assert_eq!(south_up.south_west, DVec2::new(600_000.5, 199_998.5));
    assert!(south_up.values.iter().eq([1.0, 2.0, 3.0, 4.0]));
    matrix[1] = 0.5;
    let turned = said(
        Foreign {
            matrix: Some(matrix),
            ..bare.clone()
        }
        .read(),
    );
    assert_eq!(turned, "refused Placement, gdalwarp");
    let world = |text: &str| Beside {
        world: Some(text.as_bytes().to_vec()),
        ..Beside::default()
    };
    let same = "1\n0\n0\n-1\n600000.5\n199999.5\n";
    assert_eq!(
        read(&bare.bytes(), &world(same)).unwrap().south_west,
        raster.south_west
    );
    assert!(read(&PLAIN.bytes(), &world(same)).is_ok());
    let other = said(read(
        &PLAIN.bytes(),
        &world("1\n0\n0\n-1\n600001.5\n199999.5\n"),
    ));
    assert_eq!(other, "refused Placement");
    assert_eq!(said(bare.read()), "refused Placement");
    let negative = Foreign {
        scale: Some([1.0, -1.0, 0.0]),
        ..PLAIN
    }
    .read()
    .unwrap();
    assert_eq!(negative.south_west, raster.south_west);
    let oblong = said(
        Foreign {
            scale: Some([1.0, 2.0, 0.0]),
            ..PLAIN
        }
        .read(),
    );
    assert_eq!(oblong, "refused Placement, gdalwarp");
    let points = [0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 2.0, 1.0, 0.0];
    let points = said(
        Foreign {
            ties: &points,
            ..bare
        }
        .read(),
    );
    assert_eq!(points, "refused Placement, gdalwarp");
}
