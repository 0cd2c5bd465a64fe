//! Whether a metre of a map is a metre of ground.

use crate::command::{Command, WARP};
use crate::refusal::{Refusal, Result, refusal};
use glam::DVec2;

use super::Crs;

/// Said of a map that lies where its projection does not hold: a place or a CRS that is not meant.
pub const FAR: &str = ", far from where its CRS holds";

impl Crs {
    /// How long a metre of the map is on the ellipsoid, to the east and to the north of a point.
    #[must_use]
    pub fn metre(&self, point: DVec2) -> Option<DVec2> {
        const STEP: f64 = 10.0;
        let (a, b) = self.projection()?.ellipse_parameters();
        // Web Mercator projects angles of the ellipsoid as if it were a sphere.
        let (a, b) = match a == b {
            true => (6_378_137.0, 6_356_752.314),
            false => (a, b),
        };
        let unit = self.unit()?;
        let eccentricity = 1.0 - (b / a) * (b / a);
        let length = |d: DVec2| -> Option<f64> {
            let [p, q] = [
                self.degrees(point - d * STEP)?,
                self.degrees(point + d * STEP)?,
            ];
            let latitude = (0.5 * (p.y + q.y)).to_radians();
            let w = 1.0 - eccentricity * libm::sin(latitude).powi(2);
            let meridian = a * (1.0 - eccentricity) / (w * w.sqrt());
            let across = a / w.sqrt() * libm::cos(latitude);
            let [dx, dy] = [(q.x - p.x).to_radians(), (q.y - p.y).to_radians()];
            Some(libm::hypot(across * dx, meridian * dy) / (2.0 * STEP * unit))
        };
        Some(DVec2::new(length(DVec2::X)?, length(DVec2::Y)?))
    }

    /// Whether a metre of the map around a point is a metre of ground; a remark where it is off by over 0.1 %, with
    /// [`FAR`] over 2 %.
    ///
    /// # Errors
    /// Degrees, feet, Web Mercator and other maps of the world: with the command that cures it.
    pub fn for_mechanics(&self, centre: DVec2, cure: Cure) -> Result<Option<String>> {
        let title = self.title();
        if self.is_degrees() {
            let way = cure.line(self, centre);
            return Err(way.of(refusal!(Crs, "{title} is in degrees, which are no lengths")));
        }
        let unit = self.unit().unwrap_or(1.0);
        if (unit - 1.0).abs() > 1e-9 {
            let way = cure.line(self, centre);
            // A map in feet has heights in feet, which the reprojection leaves as they are.
            let also =
                ", which leaves heights as they are: if they are in the same unit, then also ";
            let heights = match cure {
                Cure::Raster => Some(
                    Command::new("gdal_calc.py -A {out}.tif")
                        .word(format!("--calc=A*{unit}"))
                        .words("--outfile={metres}.tif"),
                ),
                Cure::Cloud => Some(
                    Command::new("pdal translate {out}.laz {metres}.laz assign")
                        .word(format!("--filters.assign.value=Z = Z * {unit}")),
                ),
                Cure::Mesh => None,
            };
            let way = match heights {
                Some(heights) => way.and(|command| command.noted(also).then(heights)),
                None => way,
            };
            let mut refusal = way.of(refusal!(Unit, "{title} has a unit of {unit} m in plan"));
            if cure == Cure::Mesh {
                refusal.accepted += "; its heights are probably in the same unit";
            }
            return Err(refusal);
        }
        if self.counts_otherwise() {
            let way = cure.line(self, centre);
            return Err(way.of(refusal!(
                Crs,
                "{title} does not count to the east and to the north"
            )));
        }
        let Some(metre) = self.metre(centre) else {
            let unchecked = self
                .epsg
                .map(|_| format!("{title}: taken as metres on the ground, which is not checked"));
            return Ok(unchecked);
        };
        let worst = (metre - DVec2::ONE).abs().max_element();
        // Web Mercator is right on the equator only, by accident of the place.
        let web = self
            .proj
            .as_ref()
            .is_some_and(|p| p.contains("+proj=merc") && p.contains("nadgrids=@null"));
        if web || (worst > 0.02 && self.is_of_the_world()) {
            let way = cure.line(self, centre);
            return Err(way.of(refusal!(
                Crs,
                "a metre of {title} is {:.3} by {:.3} m on the ground here, which is no ground for mechanics",
                metre.x,
                metre.y
            )));
        }
        let far = match worst > 0.02 {
            true => FAR,
            false => "",
        };
        let said = format!(
            "a metre of the map is {:.4} by {:.4} m here{far}",
            metre.x, metre.y
        );
        Ok((worst > 1e-3).then_some(said))
    }

    /// Whether coordinates do not grow to the east and to the north. The registry's strings are silent on the axes of
    /// the two systems of Krovak that count to the south and to the west.
    pub(super) fn counts_otherwise(&self) -> bool {
        let krovak = self
            .proj
            .as_ref()
            .is_some_and(|p| p.contains("+proj=krovak"));
        let turned = self.projection().is_some_and(|p| !p.is_normalized_axis());
        turned || (krovak && !self.name.contains("East North"))
    }

    /// Whether the projection is one of maps of the world, whose metre is right along a line only.
    fn is_of_the_world(&self) -> bool {
        let world = [
            "merc", "eqc", "mill", "cea", "eqearth", "moll", "robin", "sinu",
        ];
        let proj = self.proj.as_deref().unwrap_or_default();
        let name = proj
            .split_whitespace()
            .find_map(|w| w.strip_prefix("+proj="));
        name.is_some_and(|name| world.contains(&name))
    }

    /// The UTM zone of a point.
    #[must_use]
    pub fn utm(&self, point: DVec2) -> Option<String> {
        let at = self.degrees(point)?;
        let zone = ((at.x + 180.0) / 6.0).floor().rem_euclid(60.0) as u32 + 1;
        let base = if at.y < 0.0 { 32700 } else { 32600 };
        (at.y.abs() < 84.0).then(|| format!("EPSG:{}", base + zone))
    }
}

/// The file that a cure is told for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cure {
    /// A raster.
    Raster,
    /// A mesh of triangles.
    Mesh,
    /// A point cloud.
    Cloud,
}

/// What is accepted in place of a map, and the command that makes it.
struct Way(String, Option<Command>);

impl Way {
    fn of(self, refusal: Refusal) -> Refusal {
        let refusal = refusal.accepting(self.0);
        match self.1 {
            Some(command) => refusal.cured_by(command),
            None => refusal,
        }
    }

    fn and(self, with: impl FnOnce(Command) -> Command) -> Self {
        Self(self.0, self.1.map(with))
    }
}

impl Cure {
    fn line(self, crs: &Crs, centre: DVec2) -> Way {
        let to = crs.utm(centre);
        let to = to.as_deref().unwrap_or("EPSG:CODE");
        // The file may not state its CRS where the scene does.
        let from = crs
            .epsg
            .map_or(String::new(), |code| format!(" -s_srs EPSG:{code}"));
        let accepted = "a projected CRS in metres".to_owned();
        match self {
            Self::Raster => {
                let warp = format!("gdalwarp -t_srs {to}{from} {WARP} {{in}}.tif {{out}}.tif");
                Way(accepted, Some(Command::new(&warp)))
            }
            Self::Mesh => Way(
                format!("coordinates in a projected CRS in metres, such as {to}"),
                None,
            ),
            Self::Cloud => {
                let translate = "pdal translate {in}.laz {out}.laz reprojection".to_owned();
                let line = format!("{translate} --filters.reprojection.out_srs={to}");
                Way(accepted, Some(Command::new(&line)))
            }
        }
    }
}
