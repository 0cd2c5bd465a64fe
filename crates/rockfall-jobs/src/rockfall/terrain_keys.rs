//! What a scene states of a file of terrain beside its name.

use klast_geometry::terrain::VerticalResolution;
use klast_runs::ensure;
use klast_runs::error::Result;

use klast_files::crs::Crs;
use klast_runs::faults::{At as _, Fault};

/// The CRS that a scene states at a path for a file, which may state one itself.
pub fn stated_crs(
    at: &str,
    (file, stated): (&str, Option<&str>),
    own: Option<Crs>,
) -> Result<Option<Crs>> {
    let Some(stated) = stated else {
        return Ok(own);
    };
    let stated =
        klast_runs::error::in_command(file, Crs::parse(stated)).at(format_args!("{at}.crs"))?;
    if let Some(own) = own {
        ensure!(
            own.epsg == stated.epsg || own.epsg.is_none() || stated.epsg.is_none(),
            Fault::new(
                format!("{at}.crs"),
                format!("crs is {}, {file} says {}", stated.title(), own.title())
            )
            .accepted("one of them (leave the key out)")
        );
    }
    Ok(Some(stated))
}

/// The rounding of the heights that a scene states at a path.
pub fn stated(at: &str, resolution: Option<f64>) -> Result<Option<VerticalResolution>> {
    let stated = resolution.map(VerticalResolution::stated).transpose();
    Ok(stated.at(format_args!("{at}.vertical_resolution_m"))?)
}
