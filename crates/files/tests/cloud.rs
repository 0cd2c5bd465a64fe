//! Point clouds as the standard lays them out, and broken ones.

use crate::cases::refused as told;
use glam::DVec2;
use klast_files::Refusal;
use klast_files::cloud::{Choice, raster};
use klast_files::raster::Raster;

/// Bytes of a record before those that users add, by format (tables 7 to 17).
const LENGTHS: [usize; 11] = [20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67];

/// A cloud as the standard lays it out (ASPRS LAS 1.4 R15, tables 3, 7, 14 and 15).
#[derive(Clone)]
struct Cloud<'a> {
    minor: u8,
    format: u8,
    points: &'a [([f64; 3], u8, bool)],
    /// User, number, bytes.
    records: Vec<(&'a str, u16, Vec<u8>)>,
    wkt: bool,
}

const SCALE: f64 = 0.01;
const OFFSET: [f64; 3] = [2_600_000.0, 1_200_000.0, 500.0];

/// Ground in two cells of 1 m (at 501 and 503, at 510), points above, one withheld, one far off.
const POINTS: [([f64; 3], u8, bool); 6] = [
    ([2_600_000.2, 1_200_000.5, 501.0], 2, false),
    ([2_600_000.8, 1_200_000.4, 503.0], 2, false),
    ([2_600_002.5, 1_200_001.5, 510.0], 2, false),
    ([2_600_000.5, 1_200_000.5, 530.0], 5, false),
    ([2_600_000.5, 1_200_000.5, 900.0], 2, true),
    ([2_600_009.5, 1_200_009.5, 530.0], 7, false),
];

impl Cloud<'_> {
    fn records_of_points(&self) -> Vec<Vec<u8>> {
        let length = LENGTHS[usize::from(self.format)];
        let record = |(at, class, withheld): &([f64; 3], u8, bool)| {
            let mut bytes = vec![0_u8; length];
            for axis in 0..3 {
                let step = ((at[axis] - OFFSET[axis]) / SCALE).round() as i32;
                bytes[4 * axis..4 * axis + 4].copy_from_slice(&step.to_le_bytes());
            }
            match self.format {
                0..6 => bytes[15] = class | if *withheld { 128 } else { 0 },
                _ => (bytes[16], bytes[15]) = (*class, if *withheld { 4 } else { 0 }),
            }
            bytes
        };
        self.points.iter().map(record).collect()
    }

    fn head(&self, packed: bool, records: &[(&str, u16, Vec<u8>)]) -> Vec<u8> {
        let size: usize = if self.minor >= 4 { 375 } else { 227 };
        let mut bytes = vec![0_u8; size];
        let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
        put(0, b"LASF");
        put(6, &(if self.wkt { 16_u16 } else { 0 }).to_le_bytes());
        put(24, &[1, self.minor]);
        put(94, &(size as u16).to_le_bytes());
        let beside: usize = records.iter().map(|r| 54 + r.2.len()).sum();
        put(96, &((size + beside) as u32).to_le_bytes());
        put(100, &(records.len() as u32).to_le_bytes());
        put(104, &[self.format | if packed { 128 } else { 0 }]);
        put(
            105,
            &(LENGTHS[usize::from(self.format)] as u16).to_le_bytes(),
        );
        match self.minor {
            4 => put(247, &(self.points.len() as u64).to_le_bytes()),
            _ => put(107, &(self.points.len() as u32).to_le_bytes()),
        }
        for (axis, offset) in OFFSET.iter().enumerate() {
            put(131 + 8 * axis, &SCALE.to_le_bytes());
            put(155 + 8 * axis, &offset.to_le_bytes());
            let of_axis = self.points.iter().map(|p| p.0[axis]);
            let (low, high) = of_axis.fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(v), b.max(v)));
            put(179 + 16 * axis, &high.to_le_bytes());
            put(187 + 16 * axis, &low.to_le_bytes());
        }
        for (user, id, body) in records {
            let mut head = vec![0_u8; 54];
            head[2..2 + user.len()].copy_from_slice(user.as_bytes());
            head[18..20].copy_from_slice(&id.to_le_bytes());
            head[20..22].copy_from_slice(&(body.len() as u16).to_le_bytes());
            bytes.extend(head);
            bytes.extend(body);
        }
        bytes
    }

    fn las(&self) -> Vec<u8> {
        let mut bytes = self.head(false, &self.records);
        bytes.extend(self.records_of_points().concat());
        bytes
    }

    fn laz(&self) -> Vec<u8> {
        use ::laz::{LasZipCompressor, LazVlr, LazVlrBuilder};
        use std::io::{Cursor, Seek as _, SeekFrom};
        let vlr = LazVlrBuilder::default()
            .with_point_format(self.format, 0)
            .unwrap()
            .build();
        let mut body = Vec::new();
        vlr.write_to(&mut body).unwrap();
        let mut records = self.records.clone();
        records.push((LazVlr::USER_ID, LazVlr::RECORD_ID, body));
        let mut file = Cursor::new(self.head(true, &records));
        file.seek(SeekFrom::End(0)).unwrap();
        let mut packer = LasZipCompressor::new(&mut file, vlr).unwrap();
        for record in self.records_of_points() {
            packer.compress_one(&record).unwrap();
        }
        packer.done().unwrap();
        drop(packer);
        file.into_inner()
    }
}

fn words(list: &[u16]) -> Vec<u8> {
    list.iter().flat_map(|w| w.to_le_bytes()).collect()
}

fn plain(minor: u8, format: u8) -> Cloud<'static> {
    Cloud {
        minor,
        format,
        points: &POINTS,
        records: vec![(
            "LASF_Projection",
            34735,
            words(&[1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 2056]),
        )],
        wkt: false,
    }
}

fn metre(bytes: &[u8]) -> Result<Raster, Refusal> {
    let cell = Some(1.0);
    raster(
        std::io::Cursor::new(bytes),
        &Choice {
            classes: vec![2],
            cell,
        },
    )
}

fn said(bytes: &[u8], choice: &Choice) -> String {
    told(&raster(std::io::Cursor::new(bytes), choice).unwrap_err())
}

#[test]
fn the_ground_of_a_cloud_becomes_a_raster() {
    for (minor, format) in [
        (0, 0),
        (2, 1),
        (2, 3),
        (3, 5),
        (4, 6),
        (4, 7),
        (4, 8),
        (4, 10),
    ] {
        let cloud = plain(minor, format);
        let files = [
            Some(cloud.las()),
            (!matches!(format, 4 | 5 | 9 | 10)).then(|| cloud.laz()),
        ];
        for bytes in files.into_iter().flatten() {
            let raster = metre(&bytes).unwrap();
            // The box reaches to 9.5 m; the ground does not.
            assert_eq!((raster.columns, raster.rows), (3, 2), "{minor} {format}");
            assert_eq!(raster.south_west, DVec2::new(2_600_000.5, 1_200_000.5));
            assert_eq!(raster.values.at([0, 5]), [502.0, 510.0]);
            assert!(raster.values.at([1])[0].is_nan());
            let read = &raster.remarks[0];
            assert!(
                read.contains("2 (ground): 3, 5 (vegetation): 1, 7 (noise): 1; 1 withheld"),
                "{read}"
            );
            assert!(raster.cautions[0].starts_with("66.66667 % of the cells have no point"));
            let ground = raster.into_ground().unwrap();
            assert_eq!(ground.crs.unwrap().epsg, Some(2056));
            // A cell of two heights of 1 cm keeps that step.
            use klast_geometry::terrain::Terrain as _;
            assert!(ground.grid.vertical_resolution().height <= 0.01);
        }
    }
}

#[test]
fn the_crs_and_the_unit_of_heights_are_those_of_the_records() {
    let feet = [
        1, 1, 0, 3, 1024, 0, 1, 1, 3072, 0, 1, 32632, 4099, 0, 1, 9003,
    ];
    let wkt = crs_definitions::from_code(32632)
        .unwrap()
        .wkt
        .as_bytes()
        .to_vec();
    let of = |records: Vec<(&'static str, u16, Vec<u8>)>, wkt: bool| {
        let cloud = Cloud {
            records,
            wkt,
            ..plain(4, 6)
        };
        metre(&cloud.las())
    };
    let projection = "LASF_Projection";
    let raster = of(vec![(projection, 34735, words(&feet))], false).unwrap();
    assert_eq!(raster.height_unit, 1200.0 / 3937.0);
    let raster = of(vec![(projection, 2112, wkt.clone())], true).unwrap();
    assert_eq!(
        (raster.crs.unwrap().epsg, raster.height_unit),
        (Some(32632), 1.0)
    );
    let raster = of(Vec::new(), false).unwrap();
    assert!(raster.crs.is_none());
    let swiss = words(&[1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 2056]);
    let both = of(
        vec![(projection, 34735, swiss), (projection, 2112, wkt)],
        true,
    )
    .unwrap_err();
    let both = told(&both);
    assert_eq!(both, "refused Crs");
}

#[test]
fn what_is_not_meant_is_refused_with_its_cure() {
    let bytes = plain(4, 6).las();
    let choice = |classes: &[u8], cell: Option<f64>| Choice {
        classes: classes.to_vec(),
        cell,
    };
    let no_cell = said(&bytes, &choice(&[2], None));
    assert_eq!(no_cell, "refused Value");
    let no_ground = said(&bytes, &choice(&[9], Some(1.0)));
    assert_eq!(no_ground, "refused Missing, pdal");
    let many = said(&bytes, &choice(&[2], Some(1e-4)));
    assert_eq!(many, "refused TooLarge");
    let mut outside = bytes.clone();
    outside[179..187].copy_from_slice(&2_600_005.0_f64.to_le_bytes());
    let outside = said(&outside, &choice(&[2], Some(1.0)));
    assert_eq!(outside, "refused Syntax, lasinfo");
    let mut more = bytes.clone();
    more[247..255].copy_from_slice(&7_u64.to_le_bytes());
    assert_eq!(said(&more, &choice(&[2], Some(1.0))), "refused Truncated");
    for (at, value, right) in [
        (0, b'X', "refused Syntax"),
        (25, 5, "refused Unsupported"),
        (104, 11, "refused Unsupported"),
        (105, 3, "refused Unsupported"),
    ] {
        let mut broken = bytes.clone();
        broken[at] = value;
        let refused = said(&broken, &choice(&[2], Some(1.0)));
        assert_eq!(refused, right);
    }
}

/// A file of 20 MB that is nowhere: each record is made when it is read.
struct Endless {
    head: Vec<u8>,
    record: Vec<u8>,
    count: u64,
    at: u64,
    longest: usize,
}

impl std::io::Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let (head, length) = (self.head.len() as u64, self.record.len() as u64);
        let end = head + length * self.count;
        self.longest = self.longest.max(buffer.len());
        let mut filled = 0;
        for byte in buffer.iter_mut().take((end - self.at.min(end)) as usize) {
            *byte = match self.at.checked_sub(head) {
                None => self.head[self.at as usize],
                Some(k) => self.record[(k % length) as usize],
            };
            (self.at, filled) = (self.at + 1, filled + 1);
        }
        Ok(filled)
    }
}

impl std::io::Seek for Endless {
    fn seek(&mut self, to: std::io::SeekFrom) -> std::io::Result<u64> {
        let end = (self.head.len() + self.record.len() * self.count as usize) as u64;
        self.at = match to {
            std::io::SeekFrom::Start(at) => at,
            std::io::SeekFrom::End(by) => end.saturating_add_signed(by),
            std::io::SeekFrom::Current(by) => self.at.saturating_add_signed(by),
        };
        Ok(self.at)
    }
}

/// A cloud is read a point at a time: a file that cannot be held is no obstacle.
#[test]
fn a_cloud_is_never_held_whole() {
    let cloud = plain(4, 6);
    let (mut head, count) = (cloud.las(), 700_000_u64);
    let records = cloud.records_of_points();
    head.truncate(head.len() - records.concat().len());
    head[247..255].copy_from_slice(&count.to_le_bytes());
    let mut file = Endless {
        head,
        record: records[0].clone(),
        count,
        at: 0,
        longest: 0,
    };
    let choice = Choice {
        classes: vec![2],
        cell: Some(1.0),
    };
    let raster = raster(&mut file, &choice).unwrap();
    assert_eq!((raster.columns, raster.rows), (1, 1));
    assert!(raster.values.iter().eq([501.0]));
    assert!(raster.remarks[1].ends_with("700000 on the average"));
    // The longest read is a record or the definition of the CRS.
    assert!(file.longest <= 64, "{}", file.longest);
}

/// A COPC of Oregon: its records of an index beside the definition of a CRS in feet, in plan and in height.
#[test]
fn a_cloud_in_feet_is_refused_before_its_points_are_read() {
    let plan = crs_definitions::from_code(2992).unwrap().wkt;
    let heights = "VERT_CS[\"NAVD88 height (ftUS)\",VERT_DATUM[\"North American Vertical Datum 1988\",2005],\
                   UNIT[\"US survey foot\",0.304800609601219],AXIS[\"Gravity-related height\",UP]]";
    let wkt = format!("COMPD_CS[\"Oregon + NAVD88\",{plan},{heights}]");
    let points = [([2_600_000.2, 1_200_000.5, 501.0], 2, false)];
    let cloud = Cloud {
        records: vec![
            ("copc", 1, vec![0; 160]),
            ("LASF_Projection", 2112, wkt.into_bytes()),
        ],
        wkt: true,
        points: &points,
        ..plain(4, 7)
    };
    let mut files = vec![cloud.las()];
    files.push(cloud.laz());
    for bytes in files {
        let feet = said(
            &bytes,
            &Choice {
                classes: vec![2],
                cell: None,
            },
        );
        assert_eq!(feet, "refused Unit, pdal");
        assert_eq!(feet, "refused Unit, pdal");
        assert_eq!(feet, "refused Unit, pdal");
    }
}

/// Whatever is cut off or changed, there is a raster or an error.
#[test]
fn broken_clouds_are_errors() {
    let mut files = vec![plain(2, 3).las(), plain(4, 7).las()];
    files.extend([plain(2, 3).laz(), plain(4, 7).laz()]);
    for bytes in files {
        for end in (0..bytes.len()).step_by(5) {
            let _ = metre(&bytes[..end]);
        }
        for at in 0..bytes.len() {
            let mut broken = bytes.clone();
            broken[at] ^= 0xff;
            let _ = metre(&broken);
        }
    }
}

/// An offset of 0 and a step of 1 mm hold nothing beyond 2,147 km: writers cut off there, and a repaired header would
/// make the loss look right.
#[test]
fn coordinates_that_a_writer_cut_off_are_told_as_lost() {
    for (end, format) in [(i32::MIN, 3), (i32::MAX, 3), (i32::MIN, 7)] {
        let mut bytes = plain(if format < 6 { 2 } else { 4 }, format).las();
        let start = u32::from_le_bytes([bytes[96], bytes[97], bytes[98], bytes[99]]) as usize;
        // y of the fourth point.
        let at = start + 3 * LENGTHS[usize::from(format)] + 4;
        bytes[at..at + 4].copy_from_slice(&end.to_le_bytes());
        let said = told(&metre(&bytes).unwrap_err());
        assert_eq!(said, "refused Value");
        assert_eq!(said, "refused Value");
        assert_eq!(said, "refused Value");
    }
}
