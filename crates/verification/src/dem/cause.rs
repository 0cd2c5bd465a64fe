//! Why the penetration study differs from the paper: one choice changed at a time.
//!
//! Three sizes in layers 6 to 7 sizes wide. Every choice is shot with the same mass; because the momentum lost hardly
//! depends on the mass, the mass that gives the finest size the printed velocity follows, and with it what the others
//! would leave with: `v(d) = v₀ − (v₀ − v_fit) ΔI(d) / ΔI(finest)`.

use anyhow::{Context as _, Result, bail};
use glam::{DQuat, DVec3};
use klast_dem::{
    Cavity, ContactParameters, Flight, Ogive, Packing, PackingSpec, PenaltyLaw, Penetration,
    Release, Shot, Store,
};
use rayon::prelude::*;

use crate::{Context, Outcome, Table};

const SPEED: f64 = 1200.0;

/// One changed choice, by the name that its rows bear.
fn shot(choice: &str, mass: f64) -> Result<Shot> {
    let mut p = ContactParameters::rockfill();
    let number = |from: &str| -> Result<f64> {
        let text = choice.strip_prefix(from).unwrap_or_default();
        text.parse().with_context(|| format!("choice '{choice}'"))
    };
    match choice {
        _ if choice.starts_with("stiffness-x") => {
            let times = number("stiffness-x")?;
            p.normal_stiffness *= times;
            p.tangential_stiffness *= times;
        }
        _ if choice.starts_with("friction-") => p.friction = number("friction-")?,
        _ if choice.starts_with("projectile-restitution-") => {
            p.projectile_restitution = number("projectile-restitution-")?;
        }
        _ if choice.starts_with("rock-restitution-") => {
            p.rock_restitution = number("rock-restitution-")?;
        }
        "restitutions-exchanged" => {
            (p.rock_restitution, p.projectile_restitution) =
                (p.projectile_restitution, p.rock_restitution);
        }
        _ => {}
    }
    let mut shot = Shot::rockfill(mass, &p)?;
    match choice {
        "hertz" => {
            let law = |e| {
                PenaltyLaw::elastic(p.normal_stiffness, 1.5)?
                    .with_friction(p.friction, p.tangential_stiffness)?
                    .with_restitution(e, Release::NoTension)
            };
            shot.rock_law = law(p.rock_restitution)?;
            shot.projectile_law = law(p.projectile_restitution)?;
        }
        "smooth-projectile" => {
            shot.projectile_law = PenaltyLaw::elastic(p.normal_stiffness, 1.0)?
                .with_restitution(p.projectile_restitution, Release::NoTension)?;
        }
        "shank-of-800-mm" => shot.ogive.length += shot.ogive.nose_length(),
        // A tangent ogive whose nose is R long has the radius (L² + D²/4) / D.
        "nose-of-500-mm" => {
            let (nose, d) = (0.5, shot.ogive.diameter);
            shot.ogive = Ogive {
                nose_radius: (nose * nose + 0.25 * d * d) / d,
                ..shot.ogive
            };
        }
        "centre-of-mass-100-mm-back" => {
            let (solid, centre) = shot.ogive.particle(shot.cavity, 1)?;
            shot.cavity = Cavity::Given {
                mass,
                centre: centre + 0.1,
                axial: solid.inertia.min_element(),
                transverse: solid.inertia.max_element(),
            };
        }
        _ if choice.starts_with("turned-") || choice.starts_with("aside-") => {
            // The layer is moved under the path of fire instead, so its walls cannot stand.
            (shot.walls, shot.gravity) = (false, 0.0);
        }
        "without-walls" => (shot.walls, shot.gravity) = (false, 0.0),
        _ => {}
    }
    Ok(shot)
}

/// The layer that a choice asks for, before it is moved.
fn layer_spec(choice: &str, size: f64, width: f64) -> Result<PackingSpec> {
    let edges = DVec3::new(3.5, width, width);
    let mut spec = PackingSpec::rockfill(edges, size, if choice == "second-seed" { 2 } else { 1 })?;
    if let Some(fraction) = choice.strip_prefix("filled-") {
        spec.solid_fraction = fraction.parse()?;
        spec.start_fraction = spec.start_fraction.min(spec.solid_fraction - 0.05);
    }
    Ok(spec)
}

/// Moves the layer where the choice moves the point or the angle of the strike.
fn moved(choice: &str, size: f64, mut layer: Packing) -> Result<Packing> {
    let pivot = DVec3::new(0.0, 0.5 * layer.edges.y, 0.5 * layer.edges.z);
    if let Some(sizes) = choice.strip_prefix("aside-") {
        let aside = DVec3::Y * (sizes.parse::<f64>()? * size);
        for m in &mut layer.motions {
            m.position += aside;
        }
    }
    if let Some(degrees) = choice.strip_prefix("turned-") {
        let turn = DQuat::from_rotation_z(degrees.parse::<f64>()?.to_radians());
        for m in &mut layer.motions {
            m.position = pivot + turn * (m.position - pivot);
            m.rotation.orientation = turn * m.rotation.orientation;
        }
    }
    Ok(layer)
}

fn shoot(choice: &str, size: f64, width: f64, mass: f64, store: &Store) -> Result<Penetration> {
    let (layer, _) = store.packing(&layer_spec(choice, size, width)?, |_| {})?;
    let layer = moved(choice, size, layer)?;
    let mut flight = Flight::new(&layer, &shot(choice, mass)?)?;
    while !flight.is_over() {
        flight.step()?;
    }
    let result = flight.result();
    eprintln!(
        "{choice}, {:.0} mm: {:.1} m/s, velocity turned by {:.2} degrees, axis by {:.2}",
        size * 1e3,
        result.residual,
        result.velocity_deflection.to_degrees(),
        result.axis_deflection.to_degrees()
    );
    Ok(result)
}

/// Shoots every choice at every size.
pub fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let mass = table.input("mass_kg")?;
    let fit = table.input("fitted_velocity_m_per_s")?;
    let choices: Vec<String> = table.input_as("choices")?;
    let sizes: Vec<(f64, f64)> = table.input_as("sizes_and_widths_m")?;
    let [_, _, _] = sizes[..] else {
        bail!("{}: accepted: three sizes", table.id)
    };
    let store = Store::new(&Store::default_folder())?;
    let jobs: Vec<(&String, (f64, f64))> = choices
        .iter()
        .flat_map(|c| sizes.iter().map(move |s| (c, *s)))
        .collect();
    let shots: Vec<Penetration> = jobs
        .par_iter()
        .map(|(choice, (size, width))| shoot(choice, *size, *width, mass, &store))
        .collect::<Result<_>>()?;
    let mut outcome = Outcome::new();
    for (choice, shots) in choices.iter().zip(shots.chunks(sizes.len())) {
        let lost: Vec<f64> = shots.iter().map(|s| mass * (SPEED - s.residual)).collect();
        let fitted = |k: usize| SPEED - (SPEED - fit) * lost[k] / lost[0];
        let mut set =
            |key: &str, value: f64| outcome.set(&format!("{choice}/{key}"), "ours", value);
        for (k, shot) in shots.iter().enumerate() {
            let name = format!("{:.0} mm", sizes[k].0 * 1e3);
            set(&format!("{name} velocity"), shot.residual);
            set(
                &format!("{name} velocity turned"),
                shot.velocity_deflection.to_degrees(),
            );
            set(
                &format!("{name} axis turned"),
                shot.axis_deflection.to_degrees(),
            );
        }
        set("fitted mass", lost[0] / (SPEED - fit));
        set("finer apart", fitted(1) - fitted(0));
        set(
            "coarse over finer",
            fitted(2) - 0.5 * (fitted(0) + fitted(1)),
        );
        let turned = |s: &Penetration| s.velocity_deflection.max(s.axis_deflection).to_degrees();
        let bounds =
            |low: f64, high: f64, s: &Penetration| (low.min(turned(s)), high.max(turned(s)));
        let (low, high) = shots
            .iter()
            .fold((f64::MAX, 0.0), |(l, h), s| bounds(l, h, s));
        set("least turned", low);
        set("most turned", high);
    }
    Ok(outcome)
}
