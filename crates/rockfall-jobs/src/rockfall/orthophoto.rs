//! A picture of the ground from above, which the view in space lays over it.

use glam::DVec2;
use klast_geometry::terrain::Terrain;
use klast_runs::error::{Context as _, Result};
use klast_runs::{bail, ensure};

use klast_files::command::Command;
use klast_files::crs::{Crs, agreed};
use klast_files::raster::Beside;
use klast_files::raster::placement::Placement;
use klast_files::{Kind, Refusal};
use klast_runs::text::SceneText;

/// A page stays small enough to be sent.
const MOST_BYTES: usize = 2 << 20;

/// A picture as its file has it, and where it lies.
#[derive(Debug, Clone, PartialEq)]
pub struct Orthophoto {
    /// The file.
    pub bytes: Vec<u8>,
    /// What it is: `image/png`, `image/jpeg`.
    pub media: &'static str,
    /// The corner in the south-west (m), in coordinates of the map.
    pub lower: DVec2,
    /// That in the north-east.
    pub upper: DVec2,
}

impl Orthophoto {
    /// Reads a picture with the world file beside it. A `.prj` beside it must name the CRS of the terrain.
    ///
    /// # Errors
    /// Another format than PNG and JPEG, a file that is too large for a page, no world file, a picture of another CRS,
    /// or one that does not lie over the terrain.
    pub fn read(file: &str, text: &SceneText, terrain: &dyn Terrain) -> Result<Self> {
        let photo = klast_runs::error::in_command(file, Self::checked(file, text, terrain));
        photo.with_context(|| format!("orthophoto {file}"))
    }

    fn checked(file: &str, text: &SceneText, terrain: &dyn Terrain) -> Result<Self> {
        let bytes = text.read_bytes(file)?;
        let Some((media, columns, rows)) = size(&bytes) else {
            let command =
                Command::new("gdal_translate -of JPEG -co WORLDFILE=YES {in}.tif {out}.jpg");
            let refusal = Refusal::new(Kind::Foreign, "no PNG and no JPEG");
            bail!(
                refusal
                    .accepting("one of them with a world file")
                    .cured_by(command)
            );
        };
        let smaller =
            "gdal_translate -outsize 50% 50% -of JPEG -co WORLDFILE=YES {in}.jpg {out}.jpg";
        ensure!(
            bytes.len() <= MOST_BYTES,
            Refusal::new(Kind::TooLarge, format!("{} bytes", bytes.len()))
                .accepting(format!("up to {MOST_BYTES}, since the page holds it"))
                .cured_by(Command::new(smaller))
        );
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let ends = match media {
            "image/png" => ["pgw", "PGW", "pngw", "wld"],
            _ => ["jgw", "JGW", "jpgw", "wld"],
        };
        let mut world = None;
        for name in ends.map(|end| format!("{stem}.{end}")) {
            if world.is_none() {
                world = text.read_beside(&name)?;
            }
        }
        let Some(world) = world else {
            bail!(
                "no world file; accepted: {stem}.{} beside it, six lines that say where it lies",
                ends[0]
            );
        };
        let place = Placement::of_world_file(&world)?;
        let far = place.corner + place.step * DVec2::new(f64::from(columns), f64::from(rows));
        let photo = Self {
            bytes,
            media,
            lower: place.corner.min(far),
            upper: place.corner.max(far),
        };
        let beside = Beside::find(file, |name| text.read_beside(name))?;
        let of_terrain = terrain.crs().and_then(|label| Crs::parse(label).ok());
        let middle = 0.5 * (photo.lower + photo.upper);
        let mut cautions = Vec::new();
        let both = [
            ("the terrain", of_terrain),
            (".prj", beside.crs()?),
            ("", None),
        ];
        agreed(both, middle, &mut cautions)?;
        cautions.into_iter().for_each(|line| text.caution(line));
        photo.over(terrain, text)?;
        Ok(photo)
    }

    /// Refuses a picture of another place; tells one that covers a part.
    fn over(&self, terrain: &dyn Terrain, text: &SceneText) -> Result<()> {
        let (extent, origin) = (terrain.extent(), terrain.origin().truncate());
        let (lower, upper) = (extent.lower + origin, extent.upper + origin);
        // A profile and a slope have no end across; what is shown of them is not known here.
        if !(lower.is_finite() && upper.is_finite()) {
            return Ok(());
        }
        let both = |(a, b): (DVec2, DVec2)| {
            format!("x {:.0} to {:.0}, y {:.0} to {:.0}", a.x, b.x, a.y, b.y)
        };
        let meets = (self.upper.min(upper) - self.lower.max(lower)).max(DVec2::ZERO);
        let covered = meets.x * meets.y / ((upper.x - lower.x) * (upper.y - lower.y));
        ensure!(
            covered > 0.0,
            "it lies over {}, the terrain over {}; accepted: a picture over the terrain, in its CRS",
            both((self.lower, self.upper)),
            both((lower, upper))
        );
        if covered < 0.99 {
            text.caution(format!(
                "the orthophoto covers {:.0} % of the terrain; the rest is drawn without",
                100.0 * covered
            ));
        }
        Ok(())
    }
}

/// What a picture is, its columns and rows.
fn size(bytes: &[u8]) -> Option<(&'static str, u32, u32)> {
    let (media, columns, rows) = match bytes {
        [0x89, b'P', b'N', b'G', 13, 10, 26, 10, ..] => {
            let number = |at: usize| {
                let four: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
                Some(u32::from_be_bytes(four))
            };
            ("image/png", number(16)?, number(20)?)
        }
        [0xff, 0xd8, ..] => {
            let (columns, rows) = of_jpeg(bytes)?;
            ("image/jpeg", columns, rows)
        }
        _ => return None,
    };
    (columns > 0 && rows > 0).then_some((media, columns, rows))
}

/// The segments of a JPEG up to the one that begins a frame.
fn of_jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let two = |at: usize| {
        let two: [u8; 2] = bytes.get(at..at + 2)?.try_into().ok()?;
        Some(u32::from(u16::from_be_bytes(two)))
    };
    let mut at = 2;
    loop {
        let [0xff, marker] = *bytes.get(at..at + 2)? else {
            return None;
        };
        match marker {
            // Bytes that fill.
            0xff => at += 1,
            // A frame, but for tables of codes (C4), extensions (C8) and arithmetic ones (CC).
            0xc0..=0xcf if ![0xc4, 0xc8, 0xcc].contains(&marker) => {
                return Some((two(at + 7)?, two(at + 5)?));
            }
            _ => at += 2 + two(at + 2)?.max(2) as usize,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_nothing_panics() {
        let png = [
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice(),
            &3u32.to_be_bytes(),
            &2u32.to_be_bytes(),
        ]
        .concat();
        assert_eq!(size(&png), Some(("image/png", 3, 2)));
        let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc2\0\x0b\x08\0\x05\0\x07";
        assert_eq!(size(jpeg), Some(("image/jpeg", 7, 5)));
        for bytes in [&png[..], jpeg] {
            for end in 0..bytes.len() {
                assert_eq!(size(&bytes[..end]), None, "{end}");
            }
        }
        assert_eq!(size(b"GIF89a"), None);
    }
}
