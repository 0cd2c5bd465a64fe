//! The directory of GeoTIFF keys: the CRS, the unit of plan, the unit of heights, and whether a value belongs to a cell
//! or to its north-west corner.

use super::container::{Directory, Tiff};
use super::units::length;
use crate::command::{Command, WARP};
use crate::crs::{Crs, depths};
use crate::refusal::{Result, bail, ensure};

const DIRECTORY: u16 = 34735;
const DOUBLES: u16 = 34736;
const TEXTS: u16 = 34737;

const MODEL_TYPE: u16 = 1024;
const RASTER_TYPE: u16 = 1025;
const CITATION: u16 = 1026;
const GEOGRAPHIC: u16 = 2048;
const PROJECTED: u16 = 3072;
const PROJECTED_CITATION: u16 = 3073;
const METHOD: u16 = 3075;
const PLAN_UNIT: u16 = 3076;
const PLAN_UNIT_SIZE: u16 = 3077;
const SEMI_MAJOR: u16 = 2057;
const INVERSE_FLATTENING: u16 = 2059;
const ELLIPSOID: u16 = 2056;
const VERTICAL: u16 = 4096;
const HEIGHT_UNIT: u16 = 4099;
const USER_DEFINED: u16 = 32767;

/// The keys of a raster.
#[derive(Debug, Clone, Default)]
pub struct Keys {
    numbers: Vec<(u16, u16)>,
    doubles: Vec<(u16, f64)>,
    texts: Vec<(u16, String)>,
}

impl Keys {
    /// Those of a directory.
    ///
    /// # Errors
    /// Tags of other types.
    pub fn read(tiff: &Tiff, directory: &Directory) -> Result<Self> {
        let list = tiff.integers(directory, DIRECTORY)?.unwrap_or_default();
        let doubles = tiff.doubles(directory, DOUBLES)?.unwrap_or_default();
        let text = tiff.text(directory, TEXTS).unwrap_or_default();
        Ok(Self::of(&list, &doubles, &text))
    }

    /// Those of a list of keys with its numbers and texts, as LAS files hold them too.
    #[must_use]
    pub fn of(list: &[u64], doubles: &[f64], text: &str) -> Self {
        let mut keys = Self::default();
        for entry in list.get(4..).unwrap_or_default().chunks_exact(4) {
            let [key, place, count, value] = [0, 1, 2, 3].map(|k| entry[k] as u16);
            let (from, count) = (usize::from(value), usize::from(count));
            match place {
                0 => keys.numbers.push((key, value)),
                DOUBLES => keys.doubles.extend(doubles.get(from).map(|v| (key, *v))),
                TEXTS => {
                    let part = text.get(from..(from + count).min(text.len()));
                    let part = part.unwrap_or_default().trim_matches(['|', '\0', ' ']);
                    if !part.is_empty() {
                        keys.texts.push((key, part.to_owned()));
                    }
                }
                _ => {}
            }
        }
        keys
    }

    fn number(&self, wanted: u16) -> Option<u16> {
        self.numbers.iter().find(|k| k.0 == wanted).map(|k| k.1)
    }

    fn double(&self, wanted: u16) -> Option<f64> {
        self.doubles.iter().find(|k| k.0 == wanted).map(|k| k.1)
    }

    fn text(&self, wanted: u16) -> Option<&str> {
        let found = self.texts.iter().find(|k| k.0 == wanted);
        found.map(|k| k.1.as_str())
    }

    /// Whether values belong to points at the corners that the place names, and not to cells.
    #[must_use]
    pub fn pixel_is_point(&self) -> bool {
        self.number(RASTER_TYPE) == Some(2)
    }

    /// The CRS; none if the keys name none.
    ///
    /// # Errors
    /// A code that is not in the registry, geocentric coordinates, a unit of plan that contradicts the CRS.
    pub fn crs(&self) -> Result<Option<Crs>> {
        let model = self.number(MODEL_TYPE);
        let code = |key| self.number(key).filter(|c| *c != 0 && *c != USER_DEFINED);
        ensure!(model != Some(3), Crs, "geocentric coordinates"; "a projected CRS");
        let geographic = model == Some(2)
            || (self.number(GEOGRAPHIC).is_some()
                && model.is_none()
                && self.number(PROJECTED).is_none());
        let crs = if geographic {
            let code = code(GEOGRAPHIC).map_or(crate::crs::WGS84, u32::from);
            Some(
                Crs::from_epsg(code)
                    .or_else(|_| Crs::from_proj("+proj=longlat +datum=WGS84 +no_defs"))?,
            )
        } else if let Some(code) = code(PROJECTED) {
            match Crs::from_epsg(u32::from(code)) {
                Ok(crs) => Some(crs),
                // Newer than the registry; below 1024 there are no codes.
                Err(_) if code >= 1024 => {
                    let known = self.zone_of_etrs89().and_then(|c| Crs::from_epsg(c).ok());
                    Some(known.unwrap_or_else(|| Crs::unlisted(code)))
                }
                Err(error) => return Err(error),
            }
        } else {
            self.own()?
        };
        let plan = self.plan_unit()?;
        if let (Some(crs), Some(unit)) = (&crs, plan)
            && let Some(of_crs) = crs.unit()
        {
            ensure!(
                (unit / of_crs - 1.0).abs() < 1e-5 || crs.epsg.is_none() || crs.wkt().is_none(),
                Unit, "the unit of plan is {unit} m beside {}, whose unit is {of_crs} m", crs.title(); "one of them"
                => Command::new(&format!("gdal_edit.py -a_srs {} {{in}}.tif", crs.argument()))
            );
        }
        if let Some(unit) = plan
            && crs
                .as_ref()
                .is_none_or(|c| c.epsg.is_none() || c.wkt().is_none())
        {
            ensure!(
                (unit - 1.0).abs() < 1e-9,
                Crs, "the unit of plan is {unit} m"; "metres"
                => Command::new(&format!("gdalwarp -t_srs EPSG:CODE {WARP} {{in}}.tif {{out}}.tif"))
            );
        }
        Ok(crs)
    }

    /// The code of the zone of UTM that the text of a national realisation of ETRS89 names, as "ETRS89-NOR [EUREF89] /
    /// UTM zone 32N + NN2000 height": the registry has codes of their own since 2025, and they are ETRS89 itself to
    /// some centimetres.
    fn zone_of_etrs89(&self) -> Option<u32> {
        let text = self.text(PROJECTED_CITATION).or(self.text(CITATION))?;
        let (datum, zone) = text.split_once(" / UTM zone ")?;
        let zone: u32 = zone.split_once('N')?.0.parse().ok()?;
        let known = datum.starts_with("ETRS89-") && (28..=38).contains(&zone);
        known.then_some(25_800 + zone)
    }

    /// A CRS of the user's own: from the text that ESRI programs put beside the keys, from the keys of the commonest
    /// methods, or by its name.
    fn own(&self) -> Result<Option<Crs>> {
        let citation = self.text(PROJECTED_CITATION).or(self.text(CITATION));
        let esri = [PROJECTED_CITATION, CITATION]
            .iter()
            .filter_map(|k| self.text(*k)?.strip_prefix("ESRI PE String = "))
            .next();
        if let Some(text) = esri {
            return Crs::parse(text).map(Some);
        }
        if let Some(crs) = self.method() {
            return Ok(Some(crs));
        }
        Ok(citation.map(Crs::named))
    }

    /// The CRS of the keys of a method: transverse Mercator, Mercator, Lambert's conic and azimuthal ones.
    fn method(&self) -> Option<Crs> {
        let value = |keys: &[u16]| keys.iter().find_map(|k| self.double(*k)).unwrap_or(0.0);
        let scale = self.double(3092).unwrap_or(1.0);
        let (lat, lon) = (value(&[3081, 3085, 3089]), value(&[3080, 3084, 3088]));
        let (x, y) = (value(&[3082, 3086, 3090]), value(&[3083, 3087, 3091]));
        let projection = match self.number(METHOD)? {
            1 => format!("+proj=tmerc +lat_0={lat} +lon_0={lon} +k={scale}"),
            7 => format!(
                "+proj=merc +lon_0={lon} +lat_ts={} +k={scale}",
                value(&[3078])
            ),
            8 => {
                let [one, two] = [3078, 3079].map(|k| value(&[k]));
                format!("+proj=lcc +lat_1={one} +lat_2={two} +lat_0={lat} +lon_0={lon}")
            }
            9 => format!("+proj=lcc +lat_1={lat} +lat_0={lat} +lon_0={lon} +k_0={scale}"),
            10 => format!("+proj=laea +lat_0={lat} +lon_0={lon}"),
            _ => return None,
        };
        let ellipsoid = match (self.number(GEOGRAPHIC), self.number(ELLIPSOID)) {
            (Some(4326), _) => "+datum=WGS84".to_owned(),
            (Some(code), _) if code != USER_DEFINED => {
                let proj = crs_definitions::from_code(code)?.proj4;
                proj.replace("+proj=longlat", "").replace("+no_defs", "")
            }
            (_, Some(7004)) => "+ellps=bessel".to_owned(),
            (_, Some(7019)) => "+ellps=GRS80".to_owned(),
            (_, Some(7030)) => "+ellps=WGS84".to_owned(),
            _ => {
                let (a, rf) = (self.double(SEMI_MAJOR)?, self.double(INVERSE_FLATTENING)?);
                match rf == 0.0 {
                    true => format!("+R={a}"),
                    false => format!("+a={a} +rf={rf}"),
                }
            }
        };
        Crs::from_proj(&format!(
            "{projection} +x_0={x} +y_0={y} {ellipsoid} +units=m +no_defs"
        ))
        .ok()
    }

    /// Metres a unit of plan.
    fn plan_unit(&self) -> Result<Option<f64>> {
        Ok(match self.number(PLAN_UNIT) {
            None => None,
            Some(USER_DEFINED) => self.double(PLAN_UNIT_SIZE),
            Some(code) => Some(length(code)?),
        })
    }

    /// Metres a unit of height; none if the keys do not say.
    ///
    /// # Errors
    /// A unit that is no length known here; depths.
    pub fn height_unit(&self) -> Result<Option<f64>> {
        // Vertical systems of the EPSG registry that are not in metres, or count downwards.
        let of_system = match self.number(VERTICAL) {
            // NAVD88, NGVD29 and mean sea level in US survey feet.
            Some(6360 | 5702 | 8052) => Some(length(9003)?),
            // NAVD88, mean sea level, and the islands of the Caymans in feet.
            Some(8228 | 8050 | 6130..=6132) => Some(length(9002)?),
            // Dublin's Poolbeg in British feet of 1936.
            Some(5754) => Some(length(9095)?),
            Some(
                code @ (5336
                | 5612
                | 5614
                | 5706
                | 5715
                | 5734
                | 5739
                | 5789
                | 5831
                | 5861..=5867
                | 5873
                | 6357..=6359
                | 7976
                | 8051
                | 8053
                | 8358
                | 8378
                | 8897
                | 9287
                | 9288
                | 9672),
            ) => {
                return Err(depths(&format!("EPSG:{code}")));
            }
            _ => None,
        };
        match self.number(HEIGHT_UNIT) {
            None | Some(0) => Ok(of_system),
            Some(USER_DEFINED) => {
                bail!(
                    Unit, "a unit of height of the user's own"; "metres or feet"
                    => Command::new("gdal_calc.py").noted(" writes heights in metres")
                )
            }
            Some(code) => length(code).map(Some),
        }
    }
}

/// The keys of a raster in a CRS as they are written: the directory and its text.
#[must_use]
pub fn written(crs: Option<&Crs>) -> (Vec<u64>, String) {
    let mut entries: Vec<[u64; 4]> = vec![
        [u64::from(MODEL_TYPE), 0, 1, 1],
        [u64::from(RASTER_TYPE), 0, 1, 1],
    ];
    let mut text = String::new();
    let user = u64::from(USER_DEFINED);
    match crs.map(|c| (c.epsg, c)) {
        Some((Some(code), crs)) => {
            if crs.is_degrees() {
                entries[0][3] = 2;
                entries.push([u64::from(GEOGRAPHIC), 0, 1, u64::from(code)]);
            } else {
                entries.push([u64::from(PROJECTED), 0, 1, u64::from(code)]);
            }
        }
        Some((None, crs)) => {
            text = match crs.wkt() {
                Some(wkt) if wkt.is_ascii() => format!("ESRI PE String = {wkt}|"),
                _ => format!(
                    "{}|",
                    crs.name.replace(|c: char| !c.is_ascii() || c == '|', "_")
                ),
            };
            entries.push([u64::from(PROJECTED), 0, 1, user]);
            entries.push([
                u64::from(PROJECTED_CITATION),
                u64::from(TEXTS),
                text.len() as u64,
                0,
            ]);
            entries.push([u64::from(PLAN_UNIT), 0, 1, 9001]);
        }
        None => entries[0][3] = user,
    }
    let mut directory = vec![1, 1, 0, entries.len() as u64];
    directory.extend(entries.iter().flatten());
    (directory, text)
}
