//! What GDAL says of a band beside its samples: in a tag of the file, or in `.aux.xml` beside it.

use crate::command::Command;
use crate::raster::esri_ascii::raster_number;
use crate::refusal::{Context as _, Result, bail, ensure, refusal};

/// Scale, offset, unit, missing data, place and CRS, as far as they are told.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BandMetadata {
    /// Factor of the samples.
    pub scale: Option<f64>,
    /// Added after it.
    pub offset: Option<f64>,
    /// Unit of heights.
    pub unit: Option<String>,
    /// The sample that stands for missing data.
    pub nodata: Option<f64>,
    /// x and y of the north-west corner with the steps to the east and to the south, as GDAL orders them.
    pub transform: Option<[f64; 6]>,
    /// The CRS.
    pub crs: Option<String>,
    /// Ground control points in place of a transform.
    pub control_points: bool,
}

/// From the text of the tag GDAL_METADATA.
///
/// # Errors
/// A text that is no XML, a number that is none.
pub fn of_tag(text: &str) -> Result<BandMetadata> {
    let mut found = BandMetadata::default();
    let document = roxmltree::Document::parse(text.trim()).context("GDAL_METADATA")?;
    for item in document.descendants().filter(|n| n.has_tag_name("Item")) {
        // Those of the first band; items without a band hold for all.
        if item.attribute("sample").is_some_and(|s| s != "0") {
            continue;
        }
        let value = item.text().unwrap_or_default().trim();
        match item.attribute("role").unwrap_or_default() {
            "scale" => found.scale = Some(number("scale", value)?),
            "offset" => found.offset = Some(number("offset", value)?),
            "unittype" => found.unit = Some(value.to_owned()),
            _ => {}
        }
    }
    Ok(found)
}

/// From the file beside a raster.
///
/// # Errors
/// What is no XML, a number that is none, a transform of other than six numbers.
pub fn of_pam(bytes: &[u8]) -> Result<BandMetadata> {
    let text = crate::text::strict(bytes)?;
    let mut found = BandMetadata::default();
    let document = roxmltree::Document::parse(text.trim())?;
    let root = document.root_element();
    for node in root.children().filter(|n| n.is_element()) {
        let value = node.text().unwrap_or_default().trim();
        match node.tag_name().name() {
            "SRS" if !value.is_empty() => found.crs = Some(value.to_owned()),
            "GeoTransform" => {
                let numbers = value.split(',').map(|n| number("GeoTransform", n.trim()));
                let numbers = numbers.collect::<Result<Vec<_>>>()?;
                let count = numbers.len();
                let six = <[f64; 6]>::try_from(numbers).ok();
                found.transform = Some(
                    six.ok_or_else(|| refusal!(Value, "GeoTransform of {count} numbers"; "6"))?,
                );
            }
            "GCPList" => found.control_points = true,
            "GeodataXform" => geodata(node, &mut found),
            "PAMRasterBand" if node.attribute("band").is_none_or(|b| b == "1") => {
                for of_band in node.children().filter(|n| n.is_element()) {
                    let value = of_band.text().unwrap_or_default().trim();
                    match of_band.tag_name().name() {
                        "NoDataValue" => found.nodata = Some(hexadecimal(of_band, value)?),
                        "Scale" => found.scale = Some(number("Scale", value)?),
                        "Offset" => found.offset = Some(number("Offset", value)?),
                        "UnitType" => found.unit = Some(value.to_owned()),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    Ok(found)
}

/// What ArcGIS writes where a user defines the CRS of a raster (an identity), or moves the raster by control points
/// (another transformation). The element `SRS` counts first.
fn geodata(node: roxmltree::Node, found: &mut BandMetadata) {
    let kind = node.attributes().find(|a| a.name() == "type");
    found.control_points |= kind.is_some_and(|k| !k.value().contains("IdentityXform"));
    let mut inner = node.descendants().filter(|n| n.has_tag_name("WKT"));
    let wkt = inner.find_map(|n| n.text().map(str::trim).filter(|t| !t.is_empty()));
    if found.crs.is_none() {
        found.crs = wkt.map(str::to_owned);
    }
}

/// A number, or the bits that GDAL writes of one that decimals do not hold.
fn hexadecimal(node: roxmltree::Node, value: &str) -> Result<f64> {
    let bits = node.attribute("le_hex_equiv");
    let bits = bits.and_then(|b| u64::from_str_radix(b, 16).ok());
    match bits {
        Some(bits) => Ok(f64::from_bits(bits.swap_bytes())),
        None => raster_number(value).ok_or_else(|| refusal!(
            Value, "NoDataValue is '{value}'"; "a number" => Command::new("gdal_edit.py -a_nodata -9999 {in}.tif")
        )),
    }
}

fn number(name: &str, text: &str) -> Result<f64> {
    let value = text.parse().ok();
    value.ok_or_else(|| refusal!(Value, "{name} is '{text}'"; "a number"))
}

impl BandMetadata {
    /// What both the tag and the file beside say.
    ///
    /// # Errors
    /// Two values that differ.
    pub fn with(mut self, beside: &Self) -> Result<Self> {
        merge("scale", &mut self.scale, beside.scale)?;
        merge("offset", &mut self.offset, beside.offset)?;
        merge("missing data", &mut self.nodata, beside.nodata)?;
        match (&self.unit, &beside.unit) {
            (Some(one), Some(other)) if metres(one)? != metres(other)? => {
                bail!(Unit, "the unit of heights is '{one}' in the file and '{other}' in .aux.xml"; "one of them")
            }
            (None, Some(_)) => self.unit.clone_from(&beside.unit),
            _ => {}
        }
        self.transform = beside.transform;
        self.crs.clone_from(&beside.crs);
        self.control_points |= beside.control_points;
        Ok(self)
    }

    /// Metres a unit of height.
    ///
    /// # Errors
    /// A unit that is no length known here.
    pub fn height_unit(&self) -> Result<Option<f64>> {
        let stated = self.unit.as_deref().filter(|u| !u.is_empty());
        stated.map(metres).transpose()
    }

    /// Factor and term of the samples.
    ///
    /// # Errors
    /// A factor of 0, or one that is not finite.
    pub fn line(&self) -> Result<(f64, f64)> {
        let (scale, offset) = (self.scale.unwrap_or(1.0), self.offset.unwrap_or(0.0));
        ensure!(
            scale != 0.0 && scale.is_finite() && offset.is_finite(),
            Value, "samples are scaled by {scale} and moved by {offset}"; "finite numbers, a scale that is not 0"
        );
        Ok((scale, offset))
    }
}

fn merge(what: &str, mine: &mut Option<f64>, theirs: Option<f64>) -> Result<()> {
    match (*mine, theirs) {
        (Some(a), Some(b)) => {
            let same = a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-12 * a.abs();
            ensure!(
                same,
                Contradiction, "{what} is {a} in the file and {b} in .aux.xml";
                "one of them (delete the .aux.xml if it is of another raster)"
            );
        }
        (None, theirs) => *mine = theirs,
        _ => {}
    }
    Ok(())
}

/// Metres a unit of length, by the names that programs write.
///
/// # Errors
/// Another name.
pub fn metres(unit: &str) -> Result<f64> {
    let plain = unit
        .trim()
        .to_ascii_lowercase()
        .replace(['_', '-', '.'], " ");
    Ok(match plain.trim() {
        "m" | "metre" | "metres" | "meter" | "meters" | "mètre" | "mètres" => 1.0,
        "ft"
        | "foot"
        | "feet"
        | "international foot"
        | "international feet"
        | "foot (international)"
        | "ft (int)"
        | "'" => 0.3048,
        "us survey foot" | "us survey feet" | "us ft" | "ftus" | "ft us" | "foot us"
        | "us foot" | "u s survey foot" | "survey foot" | "foot (us survey)" | "us feet"
        | "survey feet" => 1200.0 / 3937.0,
        "cm" | "centimetre" | "centimetres" | "centimeter" | "centimeters" => 0.01,
        "mm" | "millimetre" | "millimetres" | "millimeter" | "millimeters" => 0.001,
        "dm" | "decimetre" | "decimetres" | "decimeter" | "decimeters" => 0.1,
        "km" | "kilometre" | "kilometres" | "kilometer" | "kilometers" => 1000.0,
        "yd" | "yard" | "yards" => 0.9144,
        _ => {
            bail!(
                Unit, "the unit of heights is '{unit}'"; "metres, feet, US survey feet, cm, mm"
                => Command::new("gdal_calc.py").noted(" converts others")
            )
        }
    })
}
