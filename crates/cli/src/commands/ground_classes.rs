//! `klast ground-classes`: the library of grounds from which a material of a rockfall scene can take its parameters.

use anyhow::Result;
use klast_rockfall::ground_class::CLASSES;

use crate::terminal::stdout_line;

/// Prints the classes with their numbers and sources.
///
/// # Errors
/// A standard output that cannot be written.
pub fn list() -> Result<()> {
    for class in &CLASSES {
        let tangential = class.tangential_restitution;
        let tangential = tangential.map_or(String::new(), |r| format!(", R_t {r}"));
        let scarring = class
            .scarring
            .map_or(String::new(), |[most, growth, recovery]| {
                format!(", growing to {most} (kappa {growth} 1/m, beta {recovery} 1/s)")
            });
        let fitted = &class.fitted;
        let mut laws = String::new();
        if fitted.roughness_deg > 0.0 {
            laws += &format!(", roughness {} deg", fitted.roughness_deg);
        }
        if let Some([per_mass, height]) = fitted.drag {
            laws += &format!(", drag {per_mass} 1/s up to {height} m");
        }
        if let Some([pressure, density]) = fitted.penetration {
            laws += &format!(", yielding at {pressure} kPa with {density} kg/m3");
        }
        stdout_line(format!(
            "{}: {}; R_n {}{tangential}, friction {}{scarring}{laws}\n    {}: {}\n    fitted on: {}",
            class.name,
            class.title,
            class.normal_restitution,
            class.friction,
            class.source.author,
            class.source.document,
            class.source.fitted_on
        ))?;
    }
    Ok(())
}
