//! The linearised friction cone and its complementarity problem.

use crate::error::{ContactError, length, within};
use crate::lcp::{LcpOptions, LcpSolution, LinearComplementarityProblem, solve_lcp};
use crate::problem::FrictionContactProblem;
use glam::{DVec2, DVec3};
use klast_numerics::OutOfRange;

/// Facet directions of one contact in its tangent plane `(t1, t2)`: friction is `Σ β_k d_k`, `β ≥ 0`, `Σ β_k ≤ μ r_n`.
///
/// The directions are part of the answer: off a facet direction the friction is weaker than the exact cone's (down to
/// `cos(π/k)` of it) and not opposite to the slip. Only the exact cone is invariant under a turn of the world.
#[derive(Debug, Clone, PartialEq)]
pub struct FacetDirections {
    directions: Vec<DVec2>,
}

impl FacetDirections {
    /// `count` directions at equal angles, the first at `turn` radians from `t1` towards `t2`.
    ///
    /// # Errors
    /// When `count` is odd or under 4, or `turn` is not finite.
    pub fn regular(count: usize, turn: f64) -> Result<Self, ContactError> {
        if count < 4 || count % 2 == 1 {
            let accepted = "4, 6, 8 or any larger even number";
            return Err(OutOfRange::new("facets", count, accepted).into());
        }
        within("facet turn", turn, |_| true, "a finite angle")?;
        let step = std::f64::consts::TAU / count as f64;
        let directions = (0..count)
            .map(|k| {
                let angle = turn + step * k as f64;
                DVec2::new(libm::cos(angle), libm::sin(angle))
            })
            .collect();
        Ok(Self { directions })
    }

    /// Given directions, made of unit length. One alone is allowed: friction along a line with a sign.
    ///
    /// # Errors
    /// When there is none, or one is zero or not finite.
    pub fn new(directions: Vec<DVec2>) -> Result<Self, ContactError> {
        if directions.is_empty() {
            return Err(OutOfRange::new("number of facet directions", 0, "at least one").into());
        }
        let mut unit = Vec::with_capacity(directions.len());
        for d in directions {
            let length = within("facet direction length", d.length(), |l| l > 0.0, "above 0")?;
            unit.push(d / length);
        }
        Ok(Self { directions: unit })
    }

    /// The unit directions.
    pub fn directions(&self) -> &[DVec2] {
        &self.directions
    }
}

/// Solves the problem with linearised cones: unknowns `(r_n, β, λ)` per contact (Anitescu & Potra 1997, "Formulating
/// dynamic multi-rigid-body contact problems with friction as solvable linear complementarity problems", eq. 8–10).
///
/// `facets` holds one entry per contact, or a single one for all. Gives the impulses and what the LCP solver says.
///
/// # Errors
/// When the number of entries fits neither.
pub fn solve_linearised(
    problem: &FrictionContactProblem,
    facets: &[FacetDirections],
    options: &LcpOptions,
) -> Result<(Vec<DVec3>, LcpSolution), ContactError> {
    FacetProblem::new(problem, facets, None)?.solve(options)
}

/// Layout of the LCP; with `normal` given, those impulses are held and only friction is sought.
pub(crate) struct FacetProblem<'a> {
    problem: &'a FrictionContactProblem,
    normal: Option<&'a [f64]>,
    /// Per unknown: its contact and what it is.
    unknowns: Vec<(usize, Unknown)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Unknown {
    Normal,
    Facet(DVec2),
    Slip,
}

impl Unknown {
    /// The local impulse that one unit of it makes.
    fn direction(self) -> DVec3 {
        match self {
            Self::Normal => DVec3::X,
            Self::Facet(d) => DVec3::new(0.0, d.x, d.y),
            Self::Slip => DVec3::ZERO,
        }
    }
}

impl<'a> FacetProblem<'a> {
    pub fn new(
        problem: &'a FrictionContactProblem,
        facets: &[FacetDirections],
        normal: Option<&'a [f64]>,
    ) -> Result<Self, ContactError> {
        let n = problem.contacts();
        if facets.len() != 1 {
            length("number of facet directions", facets.len(), n)?;
        }
        let mut unknowns = Vec::new();
        for i in 0..n {
            if normal.is_none() {
                unknowns.push((i, Unknown::Normal));
            }
            let own = if facets.len() == 1 {
                facets.first()
            } else {
                facets.get(i)
            };
            unknowns.extend(
                own.into_iter()
                    .flat_map(|f| f.directions())
                    .map(|&d| (i, Unknown::Facet(d))),
            );
            unknowns.push((i, Unknown::Slip));
        }
        Ok(Self {
            problem,
            normal,
            unknowns,
        })
    }

    fn lcp(&self) -> Result<LinearComplementarityProblem, ContactError> {
        let n = self.unknowns.len();
        let contacts = self.problem.contacts();
        let mut dense = vec![glam::DMat3::ZERO; contacts * contacts];
        for i in 0..contacts {
            for (j, b) in self.problem.w().row(i) {
                dense[i * contacts + j] = *b;
            }
        }
        let held: Vec<DVec3> = match self.normal {
            Some(normal) => normal.iter().map(|&x| DVec3::new(x, 0.0, 0.0)).collect(),
            None => vec![DVec3::ZERO; contacts],
        };
        let free = self.problem.velocities(&held);
        // λ is a velocity and β an impulse: without a scale the pivots would compare metres per second with newton
        // seconds.
        let (mut m, mut q) = (vec![0.0; n * n], vec![0.0; n]);
        for (a, &(i, row)) in self.unknowns.iter().enumerate() {
            let scale = 1.0 / self.problem.w().rho(i);
            q[a] = match row {
                Unknown::Slip => self.problem.mu()[i] * held[i].x * scale,
                other => other.direction().dot(free[i]),
            };
            for (b, &(j, column)) in self.unknowns.iter().enumerate() {
                m[a * n + b] = match (row, column) {
                    (Unknown::Slip, Unknown::Normal) if i == j => self.problem.mu()[i] * scale,
                    (Unknown::Slip, Unknown::Facet(_)) if i == j => -scale,
                    (Unknown::Facet(_), Unknown::Slip) if i == j => scale,
                    (Unknown::Slip, _) | (_, Unknown::Slip) => 0.0,
                    _ => row
                        .direction()
                        .dot(dense[i * contacts + j] * column.direction()),
                };
            }
        }
        LinearComplementarityProblem::new(m, q)
    }

    pub fn solve(&self, options: &LcpOptions) -> Result<(Vec<DVec3>, LcpSolution), ContactError> {
        let solution = solve_lcp(&self.lcp()?, options);
        let mut r = vec![DVec3::ZERO; self.problem.contacts()];
        for (&(i, unknown), z) in self.unknowns.iter().zip(&solution.z) {
            r[i] += unknown.direction() * *z;
        }
        for (r, &x) in r.iter_mut().zip(self.normal.unwrap_or(&[])) {
            r.x = x;
        }
        Ok((r, solution))
    }
}
