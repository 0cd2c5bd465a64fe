//! What the ground of a run is made of, where that comes from, and whether the results leave what the field has seen.

use klast_rockfall::ground_class::{self, GroundClass, MadeFor};
use klast_rockfall::{
    Engine, Ground, MaximumFriction, Results as Statistics, Simulation, SlopeMaterial, SpeedScaling,
};
use klast_sampling::Distribution;
use schemars::JsonSchema;
use serde::Serialize;

use super::scene::{self, Scene};
use super::{posterior, rock_classes};

/// Speeds of falling rocks "from a few metres per second up to 25 to 30 m/s": Peila and Ronco (2009), Natural Hazards
/// and Earth System Sciences 9, 1291–1298, after Broili (1973) and Giani (1992).
const FIELD_SPEED: f64 = 30.0;
/// Greatest height of a mass centre over the ground in 16 recorded flights at Chant Sura (EnviDat doi
/// 10.16904/envidat.174), up to 10 m/s.
const FIELD_HEIGHT: f64 = 3.2;
/// How many times that is worth a warning: a choice of this program.
const HEIGHT_FACTOR: f64 = 5.0;
/// The share of the rocks whose speed and height are held to it.
const SHARE: f64 = 0.95;

/// The parameter that each class of rock has of its own.
const DRAG: &str = "drag_per_s";

/// One parameter of one material.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct GroundRow {
    /// Name of the material.
    pub material: String,
    /// Name of the class of ground; null if the material has none.
    pub class: Option<String>,
    /// Class of rock for which the value holds; null if the value holds for all rocks.
    pub rock_class: Option<String>,
    /// Name of the parameter with its unit.
    pub parameter: &'static str,
    /// 5 % quantile of the drawn values.
    pub q05: f64,
    /// Median of the drawn values.
    pub median: f64,
    /// 95 % quantile of the drawn values.
    pub q95: f64,
    /// Whether the engine of this run uses the parameter.
    pub used: bool,
    /// Author and year of the source; null if the value does not come from the class.
    pub source: Option<&'static str>,
    /// Title of the publication from which the value comes; null if the value does not come from the class.
    pub document: Option<&'static str>,
    /// Observations to which the parameters of the class were fitted; null if there are none.
    pub fitted_on: Option<&'static str>,
}

/// Every parameter of every material.
#[must_use]
pub fn rows(scene: &Scene, simulation: &Simulation) -> Vec<GroundRow> {
    let rigid = matches!(simulation.scene().engine, Engine::Rigid(_));
    let ground = &simulation.scene().ground;
    let rock_classes = rock_classes::names(scene);
    let row = |(number, material): (usize, &SlopeMaterial)| {
        let given = scene.materials.iter().find(|m| m.name == material.name);
        let named = given.and_then(|m| m.class.as_deref());
        let class = named.and_then(ground_class::class);
        let of_class = |class: usize| -> Vec<Vec<Parameter>> {
            match ground.alternatives(number, class) {
                [] => vec![parameters(material, rigid)],
                sets => sets.iter().map(|m| parameters(m, rigid)).collect(),
            }
        };
        let sets = of_class(0);
        let own: Vec<(&str, Vec<Vec<Parameter>>)> = rock_classes
            .iter()
            .enumerate()
            .map(|(k, name)| (*name, of_class(k)))
            .filter(|_| ground.classes(number) == rock_classes.len())
            .collect();
        let mut rows: Vec<GroundRow> = Vec::new();
        for (parameter, d, used) in sets.iter().chain(own.iter().flat_map(|o| &o.1)).flatten() {
            if rows.iter().any(|r| r.parameter == *parameter) {
                continue;
            }
            let source = class.filter(|c| is_of_class(c, (parameter, *d), rigid));
            let source = source.map(|c| c.source);
            let add = |(rock_class, sets): (Option<&str>, &Vec<Vec<Parameter>>)| {
                let [q05, median, q95] = pooled(sets, ground.weights(), parameter);
                GroundRow {
                    material: material.name.clone(),
                    class: named.map(str::to_owned),
                    rock_class: rock_class.map(str::to_owned),
                    parameter,
                    q05,
                    median,
                    q95,
                    used: *used,
                    source: source.map(|s| s.author),
                    document: source.map(|s| s.document),
                    fitted_on: source.map(|s| s.fitted_on),
                }
            };
            match *parameter == DRAG && !own.is_empty() {
                true => rows.extend(own.iter().map(|(name, sets)| add((Some(name), sets)))),
                false => rows.push(add((None, &sets))),
            }
        }
        rows
    };
    let materials = ground.materials().iter().enumerate();
    materials.flat_map(row).collect()
}

/// Whether a parameter is as the source of a class has it: neither replaced by the scene nor one that the source does
/// not give.
fn is_of_class(class: &GroundClass, (parameter, found): (&str, Distribution), rigid: bool) -> bool {
    let given = match parameter {
        "roughness_95_percent_deg" => false,
        "tangential_restitution" => class.tangential_restitution.is_some(),
        _ => true,
    };
    let own = class.material().map(|m| parameters(&m, rigid));
    given && own.is_ok_and(|own| own.iter().any(|p| p.0 == parameter && p.1 == found))
}

/// 5 %, half and 95 % of what is drawn of a parameter over the sets of a ground, each by its weight; of one set its own
/// quantiles. A set without the parameter draws none, which is 0.
fn pooled(sets: &[Vec<Parameter>], weights: &[f64], parameter: &str) -> [f64; 3] {
    const LEVELS: [f64; 3] = [0.05, 0.5, 0.95];
    // Quantiles that stand for a set.
    const STEPS: u32 = 200;
    let of = |set: &Vec<Parameter>| {
        let found = set.iter().find(|p| p.0 == parameter);
        found.map_or(Distribution::constant(0.0), |p| p.1)
    };
    if let [one] = sets {
        return LEVELS.map(|p| of(one).quantile(p));
    }
    let mut drawn: Vec<(f64, f64)> = Vec::new();
    for (set, weight) in sets.iter().zip(weights) {
        let at = |k: u32| of(set).quantile((f64::from(k) + 0.5) / f64::from(STEPS));
        drawn.extend((0..STEPS).map(|k| (at(k), *weight)));
    }
    drawn.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = drawn.iter().map(|d| d.1).sum();
    LEVELS.map(|p| {
        let mut below = 0.0;
        let found = drawn.iter().find(|(_, weight)| {
            below += weight;
            below >= p * total
        });
        found.or(drawn.last()).map_or(f64::NAN, |d| d.0)
    })
}

type Parameter = (&'static str, Distribution, bool);

/// Name, values and whether the engine knows it.
fn parameters(m: &SlopeMaterial, rigid: bool) -> Vec<Parameter> {
    let degrees = |q: f64| Distribution::constant(m.roughness.quantile(q).to_degrees());
    let constant = Distribution::constant;
    let mut list = vec![
        ("normal_restitution", m.normal_restitution, true),
        ("tangential_restitution", m.tangential_restitution, !rigid),
        ("friction", m.friction, true),
        ("roughness_95_percent_deg", degrees(0.95), true),
    ];
    match m.restitution_scaling.speed {
        Some(SpeedScaling::PfeifferBowen { speed }) => {
            list.push((
                "restitution_by_speed_pfeiffer_bowen_m_s",
                constant(speed),
                true,
            ));
        }
        Some(SpeedScaling::HalfSpeed { speed }) => {
            list.push(("restitution_by_speed_half_speed_m_s", constant(speed), true));
        }
        None => {}
    }
    if let Some(mass) = m.restitution_scaling.mass {
        list.push((
            "restitution_by_mass_reference_kg",
            constant(mass.reference),
            true,
        ));
        list.push((
            "restitution_by_mass_exponent",
            constant(mass.exponent),
            true,
        ));
    }
    if let Some(scarring) = m.scarring {
        let (name, d) = match scarring.maximum {
            MaximumFriction::Value(d) => ("scarring_maximum", d),
            MaximumFriction::Rise(d) => ("scarring_rise", d),
        };
        list.push((name, d, rigid));
        list.push(("scarring_growth_per_m", scarring.growth, rigid));
        list.push(("scarring_recovery_per_s", scarring.recovery, rigid));
    }
    if let Some(drag) = m.drag {
        list.push((DRAG, drag.per_mass, rigid));
        list.push(("drag_height_m", constant(drag.height), rigid));
    }
    if m.rolling_resistance != constant(0.0) {
        list.push(("rolling_resistance", m.rolling_resistance, rigid));
    }
    if let Some(law) = m.penetration {
        list.push(("yield_pressure_pa", law.yield_pressure, rigid));
        list.push(("ejected_density_kg_m3", law.ejected_density, rigid));
    }
    list
}

/// What the ground of a scene does not do with its engine, or was not made for.
#[must_use]
pub fn warnings(scene: &Scene, ground: &Ground) -> Vec<String> {
    let rigid = matches!(scene.engine, scene::Engine::RigidBody { .. });
    let mut warnings = Vec::new();
    warnings.extend(posterior::few_sets(ground.weights().len()));
    for material in ground.materials() {
        if !rigid && material.has_further_laws() {
            warnings.push(format!(
                "material '{}': scarring, drag, rolling resistance and penetration are laws of rigid bodies; a lumped mass takes no notice of them",
                material.name
            ));
        }
    }
    for given in &scene.materials {
        let class = given.class.as_deref().and_then(ground_class::class);
        let Some(class) = class else { continue };
        match (class.source.made_for, rigid) {
            (MadeFor::LumpedMass, true) => warnings.push(format!(
                "material '{}': class {} was made for lumped masses, whose R_n and R_t hold what the shape of a rock does as well, and whose friction is that of \
                 rolling; a rigid body runs farther with the same numbers",
                given.name, class.name
            )),
            (MadeFor::RigidBody, false) => warnings.push(format!(
                "material '{}': class {} was made for rigid bodies, and has no R_t; it is taken as 1",
                given.name, class.name
            )),
            _ => {}
        }
    }
    warnings
}

/// Where results leave what field campaigns have seen.
#[must_use]
pub fn beyond_the_field(statistics: &Statistics) -> Vec<String> {
    let mut warnings = Vec::new();
    let speed = statistics.speed.quantile(SHARE).unwrap_or(0.0);
    if speed > FIELD_SPEED {
        warnings.push(format!(
            "5 % of the rocks are faster than {speed:.0} m/s somewhere: falling rocks were seen up to 25 to 30 m/s (Peila and Ronco 2009, after Broili 1973 and Giani 1992). \
             That can be right below a cliff. Elsewhere, the ground of the scene probably takes too little energy from the rocks"
        ));
    }
    let height = statistics.height.quantile(SHARE).unwrap_or(0.0);
    if height > HEIGHT_FACTOR * FIELD_HEIGHT {
        warnings.push(format!(
            "5 % of the rocks jump higher than {height:.0} m somewhere: more than {HEIGHT_FACTOR:.0} times the greatest height in the validation data \
             ({FIELD_HEIGHT} m, Chant Sura). That can be right below a cliff. Elsewhere, restitution or roughness is probably too high"
        ));
    }
    warnings
}
