//! A raster as a file holds it, with what stands beside the file, on its way to a terrain or a layout.

pub mod band_metadata;
mod beside;
pub mod esri_ascii;
pub mod geotiff;
mod grid_faults;
mod missing;
pub mod placement;

use crate::command::Command;
use crate::refusal::{Context as _, Result, bail, ensure};
use glam::DVec2;
use klast_geometry::terrain::{Grid, Values, VerticalResolution};

use crate::command::WARP;
use crate::crs::{Crs, Cure, FAR};
use crate::digits::short;
use crate::raster::band_metadata::{BandMetadata, of_pam};

pub use beside::Beside;
pub use missing::is_sentinel;

/// Metres a unit of height that several sources say; 1 if none does.
///
/// # Errors
/// Two that differ, by both their names.
pub fn one_unit(said: [(&str, Option<f64>); 3]) -> Result<f64> {
    let mut said = said
        .into_iter()
        .filter_map(|(name, unit)| Some((name, unit?)));
    let Some((name, unit)) = said.next() else {
        return Ok(1.0);
    };
    for (other, second) in said {
        ensure!(
            (second / unit - 1.0).abs() <= 1e-7,
            Unit, "the unit of heights is {unit} m by {name} and {second} m by {other}";
            "one of them (`gdal_edit.py -unsetmd`, `gdal_translate -a_srs`)"
        );
    }
    Ok(unit)
}

/// Values of cells, rows from the south; NaN where data are missing.
#[derive(Debug, Clone, PartialEq)]
pub struct Raster {
    /// Cells to the east.
    pub columns: usize,
    /// Cells to the north.
    pub rows: usize,
    /// Side of a cell.
    pub cell: f64,
    /// Centre of the cell in the south-west, in map coordinates.
    pub south_west: DVec2,
    /// Values of the cells.
    pub values: Values,
    /// CRS.
    pub crs: Option<Crs>,
    /// Metres a unit of height.
    pub height_unit: f64,
    /// Whether values are numbers of a palette, as in scanned maps and rasters of classes.
    pub palette: bool,
    /// What was applied to get there.
    pub remarks: Vec<String>,
    /// What is probably not meant.
    pub cautions: Vec<String>,
}

impl Raster {
    /// From the text of an ESRI ASCII grid and what stands beside it.
    ///
    /// # Errors
    /// What is no such grid; a `.prj` or `.aux.xml` that is not understood.
    pub fn of_esri_ascii(bytes: &[u8], beside: &Beside) -> Result<Self> {
        let text = crate::text::ascii(bytes)?;
        let grid = esri_ascii::read(&text).map_err(|e| grid_faults::cured(e, &text))?;
        use klast_geometry::terrain::Terrain as _;
        let mut raster = Self {
            columns: grid.columns(),
            rows: grid.rows(),
            cell: grid.cell(),
            south_west: grid.origin().truncate(),
            values: grid.heights().clone(),
            crs: None,
            height_unit: 1.0,
            palette: false,
            remarks: Vec::new(),
            cautions: Vec::new(),
        };
        let header = text
            .lines()
            .take(grid_faults::HEADER)
            .map(|l| l.trim_start().as_bytes());
        let stated = |l: &[u8]| {
            l.get(..12)
                .is_some_and(|w| w.eq_ignore_ascii_case(b"nodata_value"))
        };
        let stated = header.into_iter().any(stated);
        let of_prj = (".prj", beside.crs()?);
        if let Some(pam) = &beside.pam {
            let metadata = of_pam(pam).context(".aux.xml")?;
            raster
                .apply(&metadata, of_prj, stated)
                .context(".aux.xml")?;
            return Ok(raster);
        }
        raster.crs = of_prj.1;
        raster.height_unit = raster.crs.as_ref().and_then(|c| c.vertical).unwrap_or(1.0);
        raster.settle(stated, true);
        Ok(raster)
    }

    /// Takes numbers that programs write for missing data as such, unless the header names them (`stated`).
    pub fn settle(&mut self, stated: bool, whole: bool) {
        self.cautions
            .extend(missing::settle(&mut self.values, stated, whole));
    }

    /// What GDAL's metadata say, beside the CRS of a `.prj`.
    fn apply(
        &mut self,
        metadata: &BandMetadata,
        of_prj: (&str, Option<Crs>),
        stated: bool,
    ) -> Result<()> {
        if let Some(nodata) = metadata.nodata {
            let missing = |v: f64| v == nodata || f64::from(nodata as f32) == v;
            self.values
                .update(|_, v| if missing(v) { f64::NAN } else { v });
        }
        self.settle(stated || metadata.nodata.is_some(), true);
        self.scale(metadata.line()?);
        let told = metadata.crs.as_deref().map(Crs::parse).transpose()?;
        let found = [of_prj, (".aux.xml", told), ("", None)];
        self.crs = crate::crs::agreed(found, self.centre(), &mut self.cautions)?;
        self.height_unit = one_unit([
            ("the metadata of the band", metadata.height_unit()?),
            ("the CRS", self.crs.as_ref().and_then(|c| c.vertical)),
            ("", None),
        ])?;
        Ok(())
    }

    /// Heights from samples. Counts of tenths are tenths: dividing by a whole number keeps the digits.
    pub fn scale(&mut self, (scale, offset): (f64, f64)) {
        if (scale, offset) == (1.0, 0.0) {
            return;
        }
        let inverse = (1.0 / scale).round();
        let divides = scale < 1.0 && (inverse * scale - 1.0).abs() < 1e-15;
        self.values.update(|_, value| {
            let scaled = if divides {
                value / inverse
            } else {
                value * scale
            };
            offset + scaled
        });
        self.remarks
            .push(format!("heights are samples x {scale} + {offset}"));
    }

    /// The middle of the raster, in map coordinates.
    #[must_use]
    pub fn centre(&self) -> DVec2 {
        let size = DVec2::new(self.columns as f64 - 1.0, self.rows as f64 - 1.0);
        self.south_west + 0.5 * self.cell * size
    }

    /// Least and greatest value; none if all are missing.
    #[must_use]
    pub fn range(&self) -> Option<(f64, f64)> {
        let present = self.values.iter().filter(|v| !v.is_nan());
        present.fold(None, |range, v| match range {
            None => Some((v, v)),
            Some((a, b)) => Some((a.min(v), b.max(v))),
        })
    }

    /// Heights in metres; the digits of the file tell what they resolve.
    ///
    /// # Errors
    /// Plan coordinates that are no metres on the ground; what is no raster of heights.
    pub fn into_ground(mut self) -> Result<Ground> {
        ensure!(
            !self.palette,
            Quantity, "values are numbers of a palette, as in a scanned map or a raster of classes"; "heights"
            => Command::new("gdal_calc.py -A {in}.tif --calc=A --outfile={out}.tif").led("without the palette: ")
        );
        if let Some(crs) = &self.crs
            && let Some(said) = crs.for_mechanics(self.centre(), Cure::Raster)?
        {
            match said.ends_with(FAR) {
                true => self.cautions.push(said),
                false => self.remarks.push(said),
            }
        }
        if self.crs.is_none() {
            self.looks_like_degrees()?;
        }
        let described = self.described();
        let unit = self.height_unit;
        let mut resolution = None;
        if unit != 1.0 {
            // The digits of the file, not those of its product with the unit.
            let own = VerticalResolution::read(self.values.iter());
            resolution = Some(VerticalResolution {
                height: own.height * unit,
                ..own
            });
            self.values.update(|_, v| v * unit);
        }
        self.cautions
            .extend(missing::doubts(&self.values, self.cell));
        let grid = Grid::of(
            self.columns,
            self.rows,
            self.cell,
            self.south_west,
            self.values,
        )?;
        self.cautions.extend(steep(&grid));
        let grid = match resolution {
            Some(resolution) => grid.with_vertical_resolution(resolution),
            None => grid,
        };
        let grid = match &self.crs {
            Some(crs) => grid.with_crs(crs.label()),
            None => grid,
        };
        Ok(Ground {
            grid,
            crs: self.crs,
            described,
            remarks: self.remarks,
            cautions: self.cautions,
        })
    }

    /// Values as they are: numbers of materials and the like.
    ///
    /// # Errors
    /// What is no raster.
    pub fn into_grid(self) -> Result<Grid> {
        let grid = Grid::of(
            self.columns,
            self.rows,
            self.cell,
            self.south_west,
            self.values,
        )?;
        Ok(match &self.crs {
            Some(crs) => grid.with_crs(crs.label()),
            None => grid,
        })
    }

    /// Without a CRS, relief of many times the extent means that the plan is in degrees.
    fn looks_like_degrees(&self) -> Result<()> {
        let size = self.cell * self.columns.max(self.rows) as f64;
        let within =
            self.south_west.x.abs() <= 180.0 && self.south_west.y.abs() <= 90.0 && size <= 360.0;
        let relief = self
            .range()
            .map_or(0.0, |(low, high)| (high - low) * self.height_unit);
        if within && self.cell < 0.5 && relief > 20.0 * size {
            let [width, height] = [self.columns, self.rows].map(|n| short(self.cell * n as f64));
            let zone = Crs::from_epsg(crate::crs::WGS84)?.utm(self.centre());
            let zone = zone.unwrap_or("EPSG:CODE".to_owned());
            let way =
                format!("gdalwarp -s_srs EPSG:4326 -t_srs {zone} {WARP} {{in}}.asc {{out}}.tif");
            bail!(
                Crs, "{width} by {height} m in plan with {} m of relief, without a CRS: the plan looks like degrees",
                short(relief); "metres" => Command::new(&way)
            );
        }
        Ok(())
    }

    /// Size, cell, CRS, range and share of missing data, in a line.
    #[must_use]
    pub fn described(&self) -> String {
        let crs = self
            .crs
            .as_ref()
            .map_or("no CRS stated".to_owned(), Crs::title);
        let missing = self.values.iter().filter(|v| v.is_nan()).count();
        let share = 100.0 * missing as f64 / self.values.len().max(1) as f64;
        let range = match self.range() {
            Some((low, high)) => {
                let (low, high) = (low * self.height_unit, high * self.height_unit);
                format!("heights {} to {} m", short(low), short(high))
            }
            None => "no heights".to_owned(),
        };
        let unit = match self.height_unit {
            1.0 => String::new(),
            unit => format!(" (1 unit in the file is {} m)", short(unit)),
        };
        let (x, y) = (self.south_west.x, self.south_west.y);
        let far = |from: f64, count: usize| short(from + self.cell * (count as f64 - 1.0));
        format!(
            "{} x {} cells of {} m, x {} to {}, y {} to {}, {crs}, {range}{unit}, {} % missing",
            self.columns,
            self.rows,
            short(self.cell),
            short(x),
            far(x, self.columns),
            short(y),
            far(y, self.rows),
            short(share)
        )
    }
}

/// Tangent of the slope from which heights are doubted where half of the ground is steeper: 63°.
const DOUBTED_SLOPE: f64 = 2.0;

/// What is said of heights that are no ground's: all alike, or so that half of the ground is a wall.
fn steep(grid: &Grid) -> Option<String> {
    let (columns, cell) = (
        grid.columns(),
        klast_geometry::terrain::Terrain::resolution(grid),
    );
    let step = |from: usize, to: usize| {
        let [from, to] = grid.heights().at([from, to]);
        to - from
    };
    let starts = (0..grid.rows()).map(|row| row * columns);
    let along = starts.flat_map(|start| (start + 1..start + columns).map(|k| step(k - 1, k)));
    let across = (columns..grid.heights().len()).map(|k| step(k - columns, k));
    // Of the two directions the steeper one: a slope may run along the other.
    let share = |steps: &mut dyn Iterator<Item = f64>| {
        let (mut all, mut walls, mut even) = (0usize, 0usize, 0usize);
        for step in steps.filter(|s| !s.is_nan()) {
            all += 1;
            walls += usize::from(step.abs() > DOUBTED_SLOPE * cell);
            even += usize::from(step == 0.0);
        }
        (walls as f64 / all.max(1) as f64, all == even)
    };
    let (one, other) = (share(&mut { along }), share(&mut { across }));
    if one.1 && other.1 {
        return Some("all heights are alike: is it a raster of heights?".to_owned());
    }
    (one.0.max(other.0) > 0.5).then(|| {
        "half of the ground is steeper than 63 degrees: is it a raster of heights, and is their unit that of the plan?"
            .to_owned()
    })
}

/// A raster as ground.
#[derive(Debug, Clone)]
pub struct Ground {
    /// Heights in metres.
    pub grid: Grid,
    /// CRS.
    pub crs: Option<Crs>,
    /// What was understood, in a line.
    pub described: String,
    /// What was applied.
    pub remarks: Vec<String>,
    /// What is probably not meant.
    pub cautions: Vec<String>,
}
