//! The input folder of Rockyfor3D: one ESRI ASCII grid for each quantity, all with the cells of `dem.asc`.
//!
//! Names, units and the codes of block forms and soil types are those of two public scripts that prepare such folders
//! (Branke 2018, after Favre-Bulle; Nicolet, Geological Survey of Norway, 2021). The description of the program (Dorren
//! 2016, version 5.2) could not be read: the restitution of the soil types, and the laws that take the roughness, are
//! not here.

use std::collections::BTreeMap;

use glam::DVec2;

use crate::raster::{Beside, Raster};
use crate::refusal::{Context as _, Kind, Refusal, Result, bail, ensure};
use crate::table;

/// Rasters that are read.
pub const RASTERS: [&str; 10] = [
    "dem.asc",
    "rockdensity.asc",
    "d1.asc",
    "d2.asc",
    "d3.asc",
    "blshape.asc",
    "rg70.asc",
    "rg20.asc",
    "rg10.asc",
    "soiltype.asc",
];

/// Files of trees and nets, which are refused.
pub const REFUSED: [&str; 8] = [
    "nrtrees.asc",
    "dbhmean.asc",
    "dbhstd.asc",
    "conif_percent.asc",
    "treefile.txt",
    "net_number.asc",
    "net_energy.asc",
    "net_height.asc",
];

/// The table that stands beside the rasters and says what the soil types are.
pub const SOILS: &str = "soiltypes.csv";

/// Names of the soil types 0 to 7.
pub const SOIL_TYPES: [&str; 8] = [
    "river, swamp",
    "fine soil, deeper than 1 m",
    "fine soil, up to 1 m deep; sand, gravel",
    "scree, medium compact soil with small rock fragments, forest road",
    "talus slope, compact soil with large rock fragments, forest road",
    "bedrock with thin weathered material or soil cover",
    "bedrock",
    "asphalt road",
];

/// Form of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// 1.
    Rectangular,
    /// 2.
    Ellipsoidal,
    /// 3.
    Spherical,
}

/// Blocks that some cells release.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// Density (kg/m³).
    pub density: f64,
    /// d1, d2, d3 (m).
    pub sizes: [f64; 3],
    /// Form.
    pub form: Form,
    /// Centres of the cells, in map coordinates.
    pub cells: Vec<DVec2>,
}

impl Source {
    /// Volume of a block (m³): d1 d2 d3, of the ellipsoid π/6 of it, of the sphere with the mean of the three as its
    /// diameter.
    #[must_use]
    pub fn volume(&self) -> f64 {
        let [a, b, c] = self.sizes;
        let sixth = std::f64::consts::PI / 6.0;
        let mean = (a + b + c) / 3.0;
        match self.form {
            Form::Rectangular => a * b * c,
            Form::Ellipsoidal => sixth * a * b * c,
            Form::Spherical => sixth * mean * mean * mean,
        }
    }
}

/// What the ground of a soil type is, as the user states it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Soil {
    /// R_n.
    pub normal_restitution: f64,
    /// R_t.
    pub tangential_restitution: f64,
    /// Friction angle (°).
    pub friction_angle_deg: f64,
}

/// An input folder.
#[derive(Debug, Clone, PartialEq)]
pub struct Folder {
    /// Side of a cell (m).
    pub cell: f64,
    /// What is released, blocks that are alike together.
    pub sources: Vec<Source>,
    /// The soil types of the map, by number.
    pub soils: BTreeMap<u8, Soil>,
    /// What of the folder is not carried.
    pub left_out: Vec<String>,
}

/// The bytes of a file of a folder by its name; none where there is no such file.
pub type Bytes<'a> = &'a dyn Fn(&str) -> Result<Option<Vec<u8>>>;

/// Reads a folder.
///
/// # Errors
/// A file that is missing or refused, by its name; rasters with other cells than the heights; a value outside of its
/// meaning, with its cell.
pub fn read(bytes: Bytes) -> Result<Folder> {
    for name in REFUSED {
        if bytes(name)?.is_some() {
            return Err(
                Refusal::new(Kind::Unsupported, "trees and nets are not read")
                    .accepting("a folder without it")
                    .at(name),
            );
        }
    }
    let heights = raster(bytes, "dem.asc")?;
    let of = |name: &str| -> Result<Raster> {
        let found = raster(bytes, name)?;
        let same = (found.columns, found.rows, found.cell)
            == (heights.columns, heights.rows, heights.cell)
            && found.south_west.distance(heights.south_west) < 1e-6 * heights.cell;
        let is = |r: &Raster| format!("{} x {} cells of {}", r.columns, r.rows, r.cell);
        match same {
            true => Ok(found),
            false => Err(Refusal::new(Kind::Contradiction, is(&found))
                .accepting(format!("those of dem.asc, {}", is(&heights)))
                .at(name)),
        }
    };
    let sources = sources(&heights, &of)?;
    let soils = soils(&heights, &of("soiltype.asc")?, bytes)?;
    let mut left_out = Vec::new();
    for name in ["rg70.asc", "rg20.asc", "rg10.asc"] {
        let rough = of(name)?;
        for (k, value) in rough.values.iter().enumerate() {
            ensure!(value.is_nan() || value >= 0.0, Value, "{name}: {value} in {}", cell(&rough, k); "0 or more (m)");
        }
        if rough.values.iter().any(|v| v > 0.0) {
            left_out.push(format!(
                "{name}: klast has no law of obstacles on the ground; R_t is that of {SOILS}"
            ));
        }
    }
    Ok(Folder {
        cell: heights.cell,
        sources,
        soils,
        left_out,
    })
}

fn raster(bytes: Bytes, name: &str) -> Result<Raster> {
    let missing = || {
        Refusal::new(Kind::Missing, "not there")
            .accepting(RASTERS.join(", "))
            .at(name)
    };
    let read = bytes(name)?.ok_or_else(missing)?;
    Raster::of_esri_ascii(&read, &Beside::default()).context(name)
}

/// Column and row of a cell, from the north-west as the file has them, counted from 1.
fn cell(raster: &Raster, k: usize) -> String {
    let (column, row) = (k % raster.columns, k / raster.columns);
    format!("column {}, row {}", column + 1, raster.rows - row)
}

fn sources(heights: &Raster, of: &dyn Fn(&str) -> Result<Raster>) -> Result<Vec<Source>> {
    let density = of("rockdensity.asc")?;
    let sizes = [of("d1.asc")?, of("d2.asc")?, of("d3.asc")?];
    let forms = of("blshape.asc")?;
    let mut found: Vec<Source> = Vec::new();
    for (k, own) in density.values.iter().enumerate() {
        if own.is_nan() || own == 0.0 {
            continue;
        }
        let at = || cell(&density, k);
        let height = heights.values.get(k).unwrap_or(f64::NAN);
        ensure!(height.is_finite(), Contradiction, "rockdensity.asc: {own} in {}, which has no height", at(); "0 there");
        ensure!(own > 0.0 && own.is_finite(), Value, "rockdensity.asc: {own} in {}", at(); "0, or a density above 0 (kg/m³)");
        let mut size = [0.0; 3];
        for (name, (size, raster)) in ["d1", "d2", "d3"].iter().zip(size.iter_mut().zip(&sizes)) {
            *size = raster.values.get(k).unwrap_or(f64::NAN);
            ensure!(*size > 0.0 && size.is_finite(), Value, "{name}.asc: {size} in {}, which releases", at(); "above 0 (m)");
        }
        let code = forms.values.get(k).unwrap_or(f64::NAN);
        let form = match code {
            1.0 => Form::Rectangular,
            2.0 => Form::Ellipsoidal,
            3.0 => Form::Spherical,
            _ => {
                bail!(Unsupported, "blshape.asc: {code} in {}, which releases", at(); "1 (rectangular), 2 (ellipsoidal), 3 (spherical); no source says what a disc, 4, measures")
            }
        };
        let place = density.south_west
            + DVec2::new((k % density.columns) as f64, (k / density.columns) as f64) * density.cell;
        let alike = |s: &&mut Source| (s.density, s.sizes, s.form) == (own, size, form);
        match found.iter_mut().find(alike) {
            Some(source) => source.cells.push(place),
            None => found.push(Source {
                density: own,
                sizes: size,
                form,
                cells: vec![place],
            }),
        }
    }
    ensure!(!found.is_empty(), Missing, "rockdensity.asc: no cell releases"; "a density above 0 in one or more");
    Ok(found)
}

fn soils(heights: &Raster, types: &Raster, bytes: Bytes) -> Result<BTreeMap<u8, Soil>> {
    let mut present = BTreeMap::new();
    for (k, (height, code)) in heights.values.iter().zip(types.values.iter()).enumerate() {
        if height.is_nan() {
            continue;
        }
        let known = (0.0..=7.0).contains(&code) && code.fract() == 0.0;
        ensure!(known, Value, "soiltype.asc: {code} in {}", cell(types, k); "a whole number from 0 to 7");
        present.insert(code as u8, k);
    }
    let columns = [
        "soiltype",
        "normal_restitution",
        "tangential_restitution",
        "friction_angle_deg",
    ];
    let missing = || {
        Refusal::new(
            Kind::Missing,
            "not there: no source with the restitution of the soil types could be read",
        )
        .accepting(format!(
            "a table with the columns {}, with a row for each soil type of the map",
            columns.join(", ")
        ))
        .at(SOILS)
    };
    let table = bytes(SOILS)?.ok_or_else(missing)?;
    let mut given = BTreeMap::new();
    for row in table::rows(std::path::Path::new(SOILS), &table)? {
        let code = row.number("soiltype")?;
        ensure!((0.0..=7.0).contains(&code) && code.fract() == 0.0, Value, "{}: soiltype {code}", row.place(); "a whole number from 0 to 7");
        let soil = Soil {
            normal_restitution: row.number("normal_restitution")?,
            tangential_restitution: row.number("tangential_restitution")?,
            friction_angle_deg: row.number("friction_angle_deg")?,
        };
        let twice = given.insert(code as u8, soil).is_some();
        ensure!(!twice, Several, "{}: soiltype {code} is there twice", row.place(); "one row");
    }
    for (code, k) in &present {
        ensure!(given.contains_key(code), Missing, "{SOILS}: no row of soiltype {code}, which lies in {}", cell(types, *k); "a row for each soil type of the map");
    }
    given.retain(|code, _| present.contains_key(code));
    Ok(given)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(values: &str) -> Vec<u8> {
        format!("ncols 3\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 2\nNODATA_value -9999\n{values}\n").into_bytes()
    }

    /// Two rows of three cells; the north-western releases a block of 1 x 2 x 3 m, its eastern neighbour the same one.
    fn folder(name: &str) -> Option<Vec<u8>> {
        Some(match name {
            "dem.asc" => grid("9 8 7\n6 5 4"),
            "rockdensity.asc" => grid("2500 2500 0\n0 0 2600"),
            "d1.asc" => grid("1 1 0\n0 0 0.5"),
            "d2.asc" => grid("2 2 0\n0 0 0.5"),
            "d3.asc" => grid("3 3 0\n0 0 0.5"),
            "blshape.asc" => grid("1 1 0\n0 0 3"),
            "rg70.asc" => grid("0 0 0\n0.1 0 0"),
            "rg20.asc" | "rg10.asc" => grid("0 0 0\n0 0 0"),
            "soiltype.asc" => grid("4 4 4\n1 1 1"),
            SOILS => b"soiltype,normal_restitution,tangential_restitution,friction_angle_deg\n1,0.2,0.6,30\n4,0.4,0.7,35\n6,0.5,0.9,20\n".to_vec(),
            _ => return None,
        })
    }

    #[test]
    fn a_folder_by_hand() {
        let read = read(&|name| Ok(folder(name))).unwrap();
        assert_eq!(read.sources.len(), 2);
        let plate = read
            .sources
            .iter()
            .find(|s| s.form == Form::Rectangular)
            .unwrap();
        // The upper row is the northern one: centres 1 m inside the corners of the map.
        assert_eq!(
            plate.cells,
            [DVec2::new(11.0, 23.0), DVec2::new(13.0, 23.0)]
        );
        assert_eq!((plate.volume(), plate.density), (6.0, 2500.0));
        let ball = read
            .sources
            .iter()
            .find(|s| s.form == Form::Spherical)
            .unwrap();
        assert!((ball.volume() - std::f64::consts::PI / 48.0).abs() < 1e-15);
        assert_eq!(read.soils.keys().copied().collect::<Vec<_>>(), [1, 4]);
        assert_eq!(read.soils[&4].friction_angle_deg, 35.0);
        assert_eq!(read.left_out.len(), 1);
    }

    #[test]
    fn what_is_not_carried_is_refused_by_name() {
        let with = |own: &'static str, values: &'static str| {
            move |name: &str| {
                Ok(match name == own {
                    true => Some(grid(values)),
                    false => folder(name),
                })
            }
        };
        let kind = |own, values| read(&with(own, values)).unwrap_err().kind;
        for trees in REFUSED {
            let refusal = read(&with(trees, "0 0 0\n0 0 0")).unwrap_err();
            assert_eq!(
                (refusal.kind, refusal.place.as_str()),
                (Kind::Unsupported, trees)
            );
        }
        assert_eq!(kind("blshape.asc", "4 1 0\n0 0 3"), Kind::Unsupported);
        assert_eq!(kind("d2.asc", "0 2 0\n0 0 0.5"), Kind::Value);
        assert_eq!(kind("soiltype.asc", "4 8 4\n1 1 1"), Kind::Value);
        assert_eq!(kind("soiltype.asc", "4 5 4\n1 1 1"), Kind::Missing);
        assert_eq!(kind("rg20.asc", "0 -1 0\n0 0 0"), Kind::Value);
        assert_eq!(kind("rockdensity.asc", "0 0 0\n0 0 0"), Kind::Missing);
        for name in RASTERS.into_iter().chain([SOILS]) {
            let without = |asked: &str| Ok((asked != name).then(|| folder(asked)).flatten());
            let refusal = read(&without).unwrap_err();
            assert_eq!(
                (refusal.kind, refusal.place.as_str()),
                (Kind::Missing, name)
            );
        }
        let other = |asked: &str| {
            Ok(match asked == "d1.asc" {
                true => Some(
                    b"ncols 2\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 2\n1 1\n1 1\n"
                        .to_vec(),
                ),
                false => folder(asked),
            })
        };
        assert_eq!(read(&other).unwrap_err().kind, Kind::Contradiction);
    }
}
