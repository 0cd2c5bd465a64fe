//! The dissipation pass: impulses of contacts that would generate energy are shortened.
//!
//! Coulomb's law has `r·u = −μ r_n ‖u_T‖ ≤ 0` at the velocities that a solution ends with, whatever `e` is, so each
//! contact takes energy. Impulses that are not a solution can break this: `r·u > 0`. Such an impulse is shortened. That
//! can make others generate energy, and they are shortened in turn; impulses only ever get shorter, so this ends where
//! no contact generates energy and every impulse is in its cone and in its direction. It is a descent on the kinetic
//! energy over all lengths between zero and the present ones.

use super::body::{BodyInertia, BodyVelocity};
use super::group::{Group, Row};
use super::problem::Problem;
use glam::DVec3;
use pulp::{Arch, Simd, WithSimd};

/// Groups that are looked at, at most, for each group with an impulse, and beside that. Poured blocks after 15 sweeps
/// take up to 150 passes, nearly all of them over few contacts; a block that is wedged between rough ones has taken
/// 26,000 over its own. Along a column what is shortened travels as slowly as by Gauss and Seidel.
const VISITS: usize = 200;
const MORE_VISITS: usize = 2_000_000;
/// Factor by which an impulse that was shortened before is shortened by more than to its margin, as in successive
/// over-relaxation: poured cubes take 0.50 of the visits, hulls 0.72, at 1.19 and 1.10 times the overlap. With 1.5 it
/// is 0.63 and 0.75 at 1.08 and 1.05 times.
const AGAIN: f64 = 1.8;
/// Part of `r_n max‖q‖` under which `r·u` is the rounding of its three products.
const ROUNDING: f64 = 1e-15;

/// The same where another solution is near at hand, which leaves less to shorten.
const SHORT: usize = 20;
const MORE_SHORT: usize = 20_000;

/// Groups that are looked at, for each group with an impulse, that count as a Newton step on the same problem: both go
/// over the whole problem, and take a time of the same order.
const NEWTON_STEP: usize = 20;

/// How long impulses are shortened at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassBounds {
    /// Nearly always to the end.
    Long,
    /// As long as a better solution would take.
    Short,
}

/// What the dissipation pass did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortened {
    /// Passes in which a contact generated energy; 0 if there was nothing to do.
    pub passes: usize,
    /// Whether the last pass found none that does.
    pub all: bool,
    /// What it took, in Newton steps on the same problem; nothing where a few passes were enough.
    pub newton_steps: usize,
}

/// The contacts with an impulse and what is to be looked at, kept between runs.
#[derive(Debug, Clone, Default)]
pub(super) struct DissipationPass {
    contacts: Vec<LoadedContact>,
    loaded: Vec<LoadedGroup>,
    /// Those of each body that moves, body after body, and where a body's end.
    of_nodes: Vec<u32>,
    ends: Vec<u32>,
    /// A bit for each of the loaded: whether a velocity has changed since it was looked at.
    changed: Vec<u64>,
}

/// A contact with an impulse; the others generate no energy. Its vectors are in world axes: what its group needs of the
/// velocities is then a difference alone. All but the part that is left is of the impulse as it was.
#[derive(Debug, Clone, Copy)]
struct LoadedContact {
    /// Of the impulse, and its moment about the group's reference point.
    wrench: Wrench,
    /// `r·b` of the bias, without the part of a gap that is still open, and `c r·r` of the compliance.
    of_bias: f64,
    of_spring: f64,
    /// `r_n`.
    normal: f64,
    /// Speed at which it is left to take energy, 0 until it generates some for the first time.
    margin: f64,
    /// What the impulse does, from then on.
    response: Response,
    /// Part of the impulse that is left.
    left: f64,
    row: u32,
}

/// What an impulse does.
#[derive(Debug, Clone, Copy, Default)]
struct Response {
    /// To the spins of the bodies, with the sign of the first.
    turns: [DVec3; 2],
    /// To the twist of the group.
    twist: BodyVelocity,
    /// Product of that and the impulse (J).
    energy: f64,
}

/// An impulse on the first body, and the angular impulse about the reference point; world axes.
#[derive(Debug, Clone, Copy)]
struct Wrench {
    linear: DVec3,
    angular: DVec3,
}

/// A group with such contacts.
#[derive(Debug, Clone, Copy)]
struct LoadedGroup {
    group: u32,
    bodies: [u32; 2],
    start: u32,
    end: u32,
}

impl DissipationPass {
    /// Shortens impulses until `r·u ≤ 0` beyond rounding at each contact, with what an open gap adds to `u` left out.
    /// Velocities stay those of the impulses. Compliant contacts may give back what they store: of them `r·u′ ≤ 0` is
    /// asked.
    ///
    /// See [`super::Solver::enforce_dissipation`] for the margin. A pass may take as long as the Newton steps that are
    /// `left`, and at least as long as the short bounds allow.
    pub fn enforce(
        &mut self,
        problem: &mut Problem,
        margin: f64,
        bounds: PassBounds,
        left: usize,
    ) -> Shortened {
        self.fill(problem);
        let newton_step = NEWTON_STEP * self.loaded.len();
        let short = SHORT * self.loaded.len() + MORE_SHORT;
        let visits = match bounds {
            PassBounds::Long => {
                let long = VISITS * self.loaded.len() + MORE_VISITS;
                long.min(short.max(left.saturating_mul(newton_step)))
            }
            PassBounds::Short => short,
        };
        let limits = Limits {
            margin,
            rounding: ROUNDING * problem.q_max,
        };
        let done = Arch::new().dispatch(Passes {
            visits,
            loads: self,
            groups: &problem.groups,
            bodies: &problem.bodies,
            velocities: &mut problem.velocities,
            limits,
        });
        if done.passes > 0 {
            for contact in &self.contacts {
                problem.rows[contact.row as usize].r *= contact.left;
            }
        }
        Shortened {
            passes: done.passes,
            all: done.all,
            newton_steps: done.visits / newton_step.max(1),
        }
    }

    /// Takes what has an impulse; all of it is to be looked at.
    fn fill(&mut self, problem: &Problem) {
        self.contacts.clear();
        self.loaded.clear();
        for (g, group) in problem.groups.iter().enumerate() {
            let start = self.contacts.len() as u32;
            let own = group.start..group.end;
            for (row, i) in problem.rows[group.rows()].iter().zip(own) {
                if row.r != DVec3::ZERO {
                    self.contacts.push(LoadedContact::of(group, row, i));
                }
            }
            let end = self.contacts.len() as u32;
            if end > start {
                self.loaded.push(LoadedGroup {
                    group: g as u32,
                    bodies: [group.first, group.second],
                    start,
                    end,
                });
            }
        }
        self.sort_by_node(&problem.bodies);
        self.changed.clear();
        self.changed.resize(self.loaded.len().div_ceil(64), 0);
        for k in 0..self.loaded.len() {
            mark(&mut self.changed, k);
        }
    }

    /// The loaded groups of each body that moves.
    fn sort_by_node(&mut self, bodies: &[BodyInertia]) {
        let moves = |n: &u32| !bodies[*n as usize].is_fixed();
        self.ends.clear();
        self.ends.resize(bodies.len(), 0);
        for n in self.loaded.iter().flat_map(|p| p.bodies).filter(moves) {
            self.ends[n as usize] += 1;
        }
        let mut total = 0;
        for end in &mut self.ends {
            total += *end;
            *end = total;
        }
        self.of_nodes.clear();
        self.of_nodes.resize(total as usize, 0);
        // Filled from the back, ends become starts; one more number ends the last.
        for (k, p) in self.loaded.iter().enumerate().rev() {
            for n in p.bodies.iter().filter(|n| moves(n)) {
                let end = &mut self.ends[*n as usize];
                *end -= 1;
                self.of_nodes[*end as usize] = k as u32;
            }
        }
        self.ends.push(total);
    }

    /// The first from `k` on that is to be looked at.
    #[inline(always)]
    fn next(&self, k: usize) -> Option<usize> {
        let mut word = k / 64;
        let mut bits = self.changed.get(word)? & (u64::MAX << (k % 64));
        while bits == 0 {
            word += 1;
            bits = *self.changed.get(word)?;
        }
        Some(64 * word + bits.trailing_zeros() as usize)
    }
}

#[inline(always)]
fn mark(bits: &mut [u64], k: usize) {
    bits[k / 64] |= 1 << (k % 64);
}

/// Passes over the groups whose bodies have changed.
struct Passes<'a> {
    /// Groups that may still be looked at.
    visits: usize,
    loads: &'a mut DissipationPass,
    groups: &'a [Group],
    bodies: &'a [BodyInertia],
    velocities: &'a mut [BodyVelocity],
    limits: Limits,
}

/// When and how far an impulse is shortened.
#[derive(Debug, Clone, Copy)]
struct Limits {
    margin: f64,
    /// Speed that is the rounding of `r·u / r_n`.
    rounding: f64,
}

impl WithSimd for Passes<'_> {
    type Output = Done;

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) -> Done {
        let (mut passes, mut all, allowed) = (0, true, self.visits);
        while all && self.pass() {
            passes += 1;
            all = self.visits > 0;
        }
        Done {
            passes,
            all,
            visits: allowed - self.visits,
        }
    }
}

/// What passes did: how many found a contact that generates energy, whether the last found none, and the groups that
/// were looked at.
struct Done {
    passes: usize,
    all: bool,
    visits: usize,
}

impl Passes<'_> {
    /// One pass; whether a contact generated energy.
    #[inline(always)]
    fn pass(&mut self) -> bool {
        let (mut any, mut from) = (false, 0);
        while let Some(k) = self.loads.next(from) {
            let b = &mut *self.loads;
            b.changed[k / 64] ^= 1 << (k % 64);
            let loaded = b.loaded[k];
            self.visits = self.visits.saturating_sub(1);
            let contacts = &mut b.contacts[loaded.start as usize..loaded.end as usize];
            let group = &self.groups[loaded.group as usize];
            if group.shorten(contacts, self.limits, (self.bodies, self.velocities)) {
                any = true;
                for n in loaded.bodies {
                    let own = b.ends[n as usize] as usize..b.ends[n as usize + 1] as usize;
                    for other in &b.of_nodes[own] {
                        mark(&mut b.changed, *other as usize);
                    }
                }
            }
            from = k + 1;
        }
        any
    }
}

impl LoadedContact {
    fn of(group: &Group, row: &Row, i: u32) -> Self {
        let bias = row.bias.with_x(row.bias.x.min(0.0));
        Self {
            wrench: Wrench {
                linear: group.frame.to_world(row.r),
                angular: group.frame.to_world(row.offset.cross(row.r)),
            },
            of_bias: row.r.dot(bias),
            of_spring: row.compliance * row.r.length_squared(),
            normal: row.r.x,
            margin: 0.0,
            response: Response::default(),
            left: 1.0,
            row: i,
        }
    }

    /// `r·u` without the part of a gap that is still open, at a relative twist, over the part that is left: what the
    /// contact gives to the bodies. The return of a bounce is part of its law and left in `u`, where it makes the
    /// product smaller.
    #[inline(always)]
    fn generated_energy(&self, v: &BodyVelocity) -> f64 {
        let Wrench { linear, angular } = &self.wrench;
        (linear.dot(v.linear) + angular.dot(v.angular))
            + (self.of_bias + self.of_spring * self.left)
    }

    /// Shortens the impulse, by which energy is generated, and gives the bodies and the twist of their group what that
    /// changes.
    #[inline(always)]
    fn shorten(
        &mut self,
        generated: f64,
        margin: f64,
        (group, twist): (&Group, &mut BodyVelocity),
        sides: [(&BodyInertia, &mut BodyVelocity); 2],
    ) {
        let [(a, v_a), (b, v_b)] = sides;
        let factor = if self.margin == 0.0 {
            self.margin = margin * generated / self.normal;
            self.response = self.wrench.response(group, [a, b]);
            1.0
        } else {
            AGAIN
        };
        let response = &self.response;
        let part =
            factor * (generated + self.margin * self.normal) / (response.energy + self.of_spring);
        // Where impulses move nothing a shorter one changes nothing.
        let part = if part < self.left && part > 0.0 {
            part
        } else {
            self.left
        };
        v_a.linear -= self.wrench.linear * (part * a.inverse_mass);
        v_a.angular -= response.turns[0] * part;
        v_b.linear += self.wrench.linear * (part * b.inverse_mass);
        v_b.angular += response.turns[1] * part;
        twist.linear -= response.twist.linear * part;
        twist.angular -= response.twist.angular * part;
        self.left -= part;
    }
}

impl Wrench {
    fn response(&self, group: &Group, [a, b]: [&BodyInertia; 2]) -> Response {
        let arms = [group.arm_first, group.arm_second];
        let turn = |body: &BodyInertia, arm: DVec3| {
            body.inverse_inertia * (arm.cross(self.linear) + self.angular)
        };
        let turns = [turn(a, arms[0]), turn(b, arms[1])];
        let turning = turns[0].cross(arms[0]) + turns[1].cross(arms[1]);
        let twist = BodyVelocity {
            linear: self.linear * (a.inverse_mass + b.inverse_mass) + turning,
            angular: turns[0] + turns[1],
        };
        Response {
            turns,
            twist,
            energy: self.linear.dot(twist.linear) + self.angular.dot(twist.angular),
        }
    }
}

impl Group {
    /// The relative twist of its bodies at its reference point, world axes.
    #[inline(always)]
    fn twist(&self, velocities: &[BodyVelocity]) -> BodyVelocity {
        let (a, b) = (
            &velocities[self.first as usize],
            &velocities[self.second as usize],
        );
        BodyVelocity {
            linear: (a.linear - b.linear)
                + (a.angular.cross(self.arm_first) - b.angular.cross(self.arm_second)),
            angular: a.angular - b.angular,
        }
    }

    /// Shortens the impulses of the contacts that generate energy; whether there was one.
    #[inline(always)]
    fn shorten(
        &self,
        contacts: &mut [LoadedContact],
        limits: Limits,
        (bodies, velocities): (&[BodyInertia], &mut [BodyVelocity]),
    ) -> bool {
        let mut v = self.twist(velocities);
        let mut any = false;
        for contact in contacts {
            let generated = contact.generated_energy(&v);
            let above_rounding = generated > limits.rounding * contact.normal;
            if !above_rounding || contact.left == 0.0 {
                continue;
            }
            let own = [self.first as usize, self.second as usize];
            let Ok([a, b]) = velocities.get_disjoint_mut(own) else {
                continue;
            };
            let sides = [(&bodies[own[0]], a), (&bodies[own[1]], b)];
            contact.shorten(generated, limits.margin, (self, &mut v), sides);
            any = true;
        }
        any
    }
}
