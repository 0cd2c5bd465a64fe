//! The static theorem on bodies that touch: whether forces at their contacts, none of which pulls or exceeds its
//! friction, balance gravity, and by how much gravity may tilt before none do.
//!
//! With the contacts where the bodies start, forces `f` in their frames and the wrench `G f` of all of them on the
//! bodies, the margin in a direction `e` across gravity `g` is the largest λ for which
//!
//! ```text
//! G f + m (g + λ |g| e) = 0,    |f_t| ≤ μ f_n      (of each contact)
//! ```
//!
//! has a solution: a second-order cone program. Constant loads on bodies are on the left as gravity is, and do not grow
//! with λ. Drucker (1954), "Coulomb friction, plasticity, and limit loads": that
//! an equilibrium exists does not say that friction, whose slip is not associated, finds it; where none exists, bodies
//! move.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolver, IPSolver as _, SolverStatus, SupportedConeT,
};
use glam::DVec3;
use klast_contact::Frame;
use klast_dynamics::{Effort, World, WorldContact};

/// Contacts above which the program is not solved: its cost grows faster than theirs.
const MOST_CONTACTS: usize = 5_000;
/// Directions in which gravity tilts.
const DIRECTIONS: usize = 8;
/// Largest λ that is looked for: gravity tilted by 84°.
const LARGEST: f64 = 10.0;
/// Margin under which bodies are at their limit: the program is solved to 1e-8.
const AT_LIMIT: f64 = 1e-6;

/// What the static theorem says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Statics {
    /// There is an equilibrium under each load, also if it is tilted by an angle (rad) in any of eight directions.
    Equilibrium { tilt: f64 },
    /// There is none under one of the loads.
    NoEquilibrium,
    /// Without gravity, with too many contacts, at the limit itself, or where the program is not solved.
    Unknown,
}

/// The load multiplier of bodies where they start: the largest λ for which forces at the contacts balance gravity and
/// λ times its size towards a direction. The lower bound theorem, whose bound is the exact multiplier of associated
/// friction: with the friction of Coulomb bodies may move below it, and none stay beyond.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    /// What was found.
    pub multiplier: Multiplier,
    /// The contacts, and a force (N) on the first body of each that balances the load; none unless at a limit.
    pub contacts: Vec<WorldContact>,
    pub forces: Vec<DVec3>,
}

/// A load multiplier.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Multiplier {
    /// The largest for which there is an equilibrium.
    At(f64),
    /// There is an equilibrium at ten times gravity too.
    Beyond(f64),
    /// There is none at any.
    NoEquilibrium,
    /// Without gravity, with too many contacts, or where the program is not solved.
    Unknown,
}

/// The load multiplier towards a direction (of unit length).
pub fn limit(start: &World, towards: DVec3) -> Limit {
    let gravity = start.settings().gravity;
    let none = |multiplier| Limit {
        multiplier,
        contacts: vec![],
        forces: vec![],
    };
    let contacts = touching(start).filter(|contacts| contacts.len() <= MOST_CONTACTS);
    let program = contacts
        .as_deref()
        .and_then(|contacts| Program::of(start, contacts));
    let Some((program, contacts)) = program.zip(contacts).filter(|_| gravity != DVec3::ZERO) else {
        return none(Multiplier::Unknown);
    };
    match program.largest(gravity, towards) {
        Solved::Infeasible => none(Multiplier::NoEquilibrium),
        Solved::Not => none(Multiplier::Unknown),
        Solved::Largest(most, _) if most > LARGEST * (1.0 - 1e-6) => {
            none(Multiplier::Beyond(LARGEST))
        }
        Solved::Largest(most, forces) => Limit {
            multiplier: Multiplier::At(most),
            forces: program.in_newtons(&contacts, &forces, gravity.length()),
            contacts,
        },
    }
}

/// What the static theorem says of bodies where they start, under each of these loads (m/s²).
pub fn statics(start: &World, loads: &[DVec3]) -> Statics {
    let contacts = touching(start).filter(|contacts| {
        // Planes do not move with a base.
        let on_plane = contacts.iter().any(|c| c.plane().is_some());
        contacts.len() <= MOST_CONTACTS && !(on_plane && loads.len() > 1)
    });
    let program = contacts.and_then(|contacts| Program::of(start, &contacts));
    let Some(program) = program.filter(|_| !loads.is_empty()) else {
        return Statics::Unknown;
    };
    let mut least = LARGEST;
    for load in loads {
        let Some(directions) = across(*load) else {
            return Statics::Unknown;
        };
        for direction in directions {
            match program.largest(*load, direction) {
                Solved::Largest(margin, _) => least = least.min(margin),
                Solved::Infeasible => return Statics::NoEquilibrium,
                Solved::Not => return Statics::Unknown,
            }
        }
    }
    match least > AT_LIMIT {
        true => Statics::Equilibrium {
            tilt: libm::atan(least),
        },
        false => Statics::Unknown,
    }
}

/// The end of a program.
enum Solved {
    /// And the forces that reach it, three of each contact.
    Largest(f64, Vec<f64>),
    Infeasible,
    Not,
}

/// Unit vectors across a load, the first away from the axis that the load is nearest to.
fn across(load: DVec3) -> Option<[DVec3; DIRECTIONS]> {
    let down = load.try_normalize()?;
    let axis = [DVec3::X, DVec3::Y, DVec3::Z]
        .into_iter()
        .max_by(|a, b| down.dot(*a).abs().total_cmp(&down.dot(*b).abs()))?;
    let away = axis - down * down.dot(axis);
    let first = match away.length() > 1e-9 {
        true => -away.normalize() * down.dot(axis).signum(),
        false => down.any_orthonormal_vector(),
    };
    let second = down.cross(first);
    Some(std::array::from_fn(|k| {
        let (sin, cos) = libm::sincos(std::f64::consts::TAU * k as f64 / DIRECTIONS as f64);
        first * cos + second * sin
    }))
}

/// The balance of the free bodies, six rows each: forces by the mean mass, moments by that and the body's radius.
struct Program {
    /// Of each contact the columns of its normal and tangents: row and value.
    columns: Vec<[Vec<(usize, f64)>; 3]>,
    frictions: Vec<f64>,
    /// Mass of each free body over the mean, and that (kg).
    masses: Vec<f64>,
    mean: f64,
    /// Forces and moments of the loads on each (N, and N m over its radius).
    dead: Vec<[f64; 6]>,
}

impl Program {
    fn of(start: &World, contacts: &[WorldContact]) -> Option<Self> {
        let free: Vec<usize> = (0..start.len()).filter(|&i| start.is_free(i)).collect();
        let mut number = vec![None; start.len()];
        free.iter()
            .enumerate()
            .for_each(|(k, &i)| number[i] = Some(k));
        let mass = |i: &usize| start.body(*i).map_or(0.0, |b| b.mass());
        let mean = free.iter().map(mass).sum::<f64>() / free.len() as f64;
        let column = |c: &WorldContact, axis: DVec3| {
            let mut rows = vec![];
            for (body, sign) in [(c.first as usize, 1.0), (c.second as usize, -1.0)] {
                let Some(k) = number.get(body).copied().flatten() else {
                    continue;
                };
                let Some((state, shape)) = start.state(body).zip(start.body(body)) else {
                    continue;
                };
                let arm = (c.point - state.pose.translation) / shape.shape().radius();
                let wrench = [axis, arm.cross(axis)].map(|v| v.to_array());
                let all = wrench.as_flattened().iter().enumerate();
                rows.extend(all.map(|(row, value)| (6 * k + row, sign * value)));
            }
            rows.sort_by_key(|(row, _)| *row);
            rows
        };
        let of_contact = |c: &WorldContact| {
            let frame = Frame::from_normal(c.normal).ok()?;
            Some([frame.normal, frame.tangent1, frame.tangent2].map(|axis| column(c, axis)))
        };
        Some(Self {
            columns: contacts.iter().map(of_contact).collect::<Option<_>>()?,
            frictions: contacts.iter().map(|c| c.friction).collect(),
            dead: free.iter().map(|i| dead(start, *i)).collect(),
            masses: free.iter().map(|i| mass(i) / mean).collect(),
            mean,
        })
    }

    /// Forces (N) on the first bodies of the contacts, under this acceleration.
    fn in_newtons(&self, contacts: &[WorldContact], forces: &[f64], gravity: f64) -> Vec<DVec3> {
        let of = |(c, f): (&WorldContact, &[f64])| {
            let frame = Frame::from_normal(c.normal).ok()?;
            let local = match c.friction > 0.0 {
                true => DVec3::new(f[0], f[1], f[2]),
                false => DVec3::X * f[0],
            };
            Some(frame.to_world(local) * (self.mean * gravity))
        };
        let each = contacts.iter().zip(forces.chunks_exact(3));
        each.map(|one| of(one).unwrap_or_default()).collect()
    }

    /// The largest λ in a direction; infeasible where there is no equilibrium for any of them.
    fn largest(&self, load: DVec3, direction: DVec3) -> Solved {
        let (contacts, rows) = (self.columns.len(), 6 * self.masses.len());
        let unknowns = 3 * contacts + 1;
        let weight = self.mean * load.length();
        let load = load / load.length();
        let mut right = vec![0.0; rows + 2 + 3 * contacts];
        let (mut entries, mut starts) = (vec![], vec![0]);
        for (k, (columns, friction)) in self.columns.iter().zip(&self.frictions).enumerate() {
            for (axis, column) in columns.iter().enumerate() {
                // Without friction tangential forces act on nothing, in a cone of slope 1.
                if axis == 0 || *friction > 0.0 {
                    entries.extend_from_slice(column);
                }
                let slope = match axis {
                    0 if *friction > 0.0 => *friction,
                    _ => 1.0,
                };
                entries.push((rows + 2 + 3 * k + axis, -slope));
                starts.push(entries.len());
            }
        }
        for (k, mass) in self.masses.iter().enumerate() {
            for axis in 0..3 {
                right[6 * k + axis] = -mass * load[axis];
                entries.push((6 * k + axis, mass * direction[axis]));
            }
        }
        for (k, dead) in self.dead.as_flattened().iter().enumerate() {
            right[k] -= dead / weight;
        }
        right[rows + 1] = LARGEST;
        entries.extend([(rows, -1.0), (rows + 1, 1.0)]);
        starts.push(entries.len());
        let (at, values): (Vec<usize>, Vec<f64>) = entries.into_iter().unzip();
        let matrix = CscMatrix::new(right.len(), unknowns, starts, at, values);
        let mut cones = vec![
            SupportedConeT::ZeroConeT(rows),
            SupportedConeT::NonnegativeConeT(2),
        ];
        cones.extend((0..contacts).map(|_| SupportedConeT::SecondOrderConeT(3)));
        solve(&matrix, &right, &cones)
    }
}

/// Force (N) and moment over the radius (N) of the loads on a body.
fn dead(start: &World, body: usize) -> [f64; 6] {
    let (force, moment) = start.load_on(body);
    let radius = start.body(body).map_or(1.0, |b| b.shape().radius());
    let both = [force, moment / radius].map(|v| v.to_array());
    std::array::from_fn(|k| both[k / 3][k % 3])
}

/// The largest last unknown.
fn solve(matrix: &CscMatrix<f64>, right: &[f64], cones: &[SupportedConeT<f64>]) -> Solved {
    let mut cost = vec![0.0; matrix.n];
    if let Some(last) = cost.last_mut() {
        *last = -1.0;
    }
    let settings = DefaultSettings {
        verbose: false,
        ..DefaultSettings::default()
    };
    let none = CscMatrix::zeros((matrix.n, matrix.n));
    let Ok(mut solver) = DefaultSolver::new(&none, &cost, matrix, right, cones, settings) else {
        return Solved::Not;
    };
    solver.solve();
    let solution = &solver.solution;
    match (solution.status, solution.x.last()) {
        (SolverStatus::Solved | SolverStatus::AlmostSolved, Some(last)) => {
            Solved::Largest(*last, solution.x.clone())
        }
        (SolverStatus::PrimalInfeasible | SolverStatus::AlmostPrimalInfeasible, _) => {
            Solved::Infeasible
        }
        _ => Solved::Not,
    }
}

/// The contacts at the start that carry: those of the first step, but what is only near.
pub fn touching(start: &World) -> Option<Vec<WorldContact>> {
    let mut world = start.clone();
    let settings = klast_dynamics::WorldSettings {
        effort: Effort::Sweeps(1),
        stiffness: None,
        ..*world.settings()
    };
    world.set_settings(settings).ok()?;
    world.step().ok()?;
    let near = settings.slop;
    let contacts: Vec<WorldContact> = world
        .contacts()
        .iter()
        .filter(|c| c.gap <= near)
        .copied()
        .collect();
    Some(contacts)
}
