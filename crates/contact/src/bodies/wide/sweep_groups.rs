//! Groups for the wide sweep: how they are filled, and how impulses are exchanged with the problem.

use super::lane::{LANES, Lane, get, put};
use super::motion::Motion;
pub(in crate::bodies) use super::sweep::Impulses;
use super::sweep::{SweepContact, SweepGroup};
use crate::bodies::body::BodyVelocity;
use crate::bodies::group::{Group, Row};
use crate::bodies::problem::Problem;
use crate::bodies::revision::Revision;
use pulp::{Arch, Simd, WithSimd};

/// Groups that a wide one holds on average where these pay: one costs about as much as three groups in turn.
const WORTH: usize = 4;

/// Wide groups of the present problem, made at its first sweep. The lists only grow: what is past their end in use is
/// of another problem.
#[derive(Debug, Clone, Default)]
pub(in crate::bodies) struct WideSweep {
    groups: Vec<SweepGroup>,
    contacts: Vec<SweepContact>,
    /// Impulses of each wide contact, and the `1/ρ` of its rows.
    impulses: Vec<Impulses>,
    weights: Vec<Lane>,
    /// Velocities of the bodies while they are swept.
    motions: Vec<Motion>,
    /// For each wide group the rows of the problem that its lanes hold: where they start and how many they are.
    own: Vec<[(u32, u32); LANES]>,
    /// Wide groups and wide contacts in use.
    count: usize,
    contact_count: usize,
    /// Groups of one colour, the longest first.
    sorted: Vec<u64>,
    made: bool,
    /// Whether they are made for contacts without friction.
    frictionless: bool,
    /// Whether they pay, once it was asked.
    pay: Option<bool>,
    /// The problem that all this is of.
    revision: Revision,
}

/// A body that moves must not be in one lane twice.
fn pairs_differ(problem: &Problem) -> bool {
    problem.groups.iter().all(|g| g.first != g.second)
}

impl WideSweep {
    /// Forgets another problem than this one.
    fn prepare(&mut self, problem: &Problem) {
        if self.revision != problem.revision {
            (self.count, self.contact_count) = (0, 0);
            (self.made, self.pay) = (false, None);
            self.revision = problem.revision;
        }
    }

    /// Whether to sweep a problem in lanes.
    pub fn pays(&mut self, problem: &Problem) -> bool {
        self.prepare(problem);
        if problem.springs > 0 {
            return false;
        }
        if let Some(pay) = self.pay {
            return pay;
        }
        let mut wide = 0;
        problem.grouping.by_colour(|own, shared| {
            wide += if shared {
                own.len()
            } else {
                own.len().div_ceil(LANES)
            }
        });
        let pay = wide > 0 && problem.groups.len() >= WORTH * wide && pairs_differ(problem);
        self.pay = Some(pay);
        pay
    }

    /// `count` sweeps of a problem in lanes.
    pub fn run(&mut self, problem: &mut Problem, count: usize) {
        self.take_impulses(problem);
        self.sweep(&mut problem.velocities, count);
        self.give_impulses(problem);
    }

    /// `count` sweeps of the normals of a problem's contacts from rest, with other biases.
    pub fn sweep_from_rest(
        &mut self,
        problem: &Problem,
        biases: &[f64],
        count: usize,
        velocities: &mut [BodyVelocity],
    ) {
        self.make_for(problem);
        for (wide, own) in self.groups[..self.count].iter().zip(&self.own) {
            let all = wide.start as usize..wide.end as usize;
            let (rows, impulses) = (&mut self.contacts[all.clone()], &mut self.impulses[all]);
            impulses.fill(Impulses::ZERO);
            for (lane, &(start, count)) in own.iter().enumerate() {
                let from = &problem.rows[start as usize..(start + count) as usize];
                for (to, row) in rows.iter_mut().zip(from) {
                    let bias = biases.get(row.pair as usize).copied();
                    to.set_normal_bias(lane, bias.unwrap_or_default());
                }
            }
        }
        Arch::new().dispatch(Sweeps {
            groups: &self.groups[..self.count],
            contacts: &self.contacts,
            impulses: &mut self.impulses,
            motions: &mut self.motions,
            velocities,
            count,
            frictionless: true,
        });
    }

    /// `count` sweeps over impulses that were taken.
    pub fn sweep(&mut self, velocities: &mut [BodyVelocity], count: usize) {
        Arch::new().dispatch(Sweeps {
            groups: &self.groups[..self.count],
            contacts: &self.contacts,
            impulses: &mut self.impulses,
            motions: &mut self.motions,
            velocities,
            count,
            frictionless: self.frictionless,
        });
    }

    pub fn impulses_mut(&mut self) -> &mut [Impulses] {
        &mut self.impulses[..self.contact_count]
    }

    /// `Σ ‖r − r₀‖² / ρ` since the impulses `before`.
    pub fn length(&self, before: &[Impulses]) -> f64 {
        let mut sums: Lane = [0.0; LANES];
        for ((now, before), weight) in self.impulses.iter().zip(before).zip(&self.weights) {
            for (now, before) in now.0.iter().zip(&before.0) {
                for (lane, sum) in sums.iter_mut().enumerate() {
                    let step = now[lane] - before[lane];
                    *sum += step * step * weight[lane];
                }
            }
        }
        sums.iter().sum()
    }

    fn make(&mut self, problem: &Problem) {
        problem.grouping.by_colour(|own, shared| {
            let mut sorted = std::mem::take(&mut self.sorted);
            sorted.clear();
            sorted.extend(own.map(|g| {
                let group = &problem.groups[g];
                u64::from(u32::MAX - (group.end - group.start)) << 32 | g as u64
            }));
            // Groups that share bodies keep their order and have each a wide group of their own.
            if !shared {
                sorted.sort_unstable();
            }
            for own in sorted.chunks(if shared { 1 } else { LANES }) {
                self.make_wide(problem, own);
            }
            self.sorted = sorted;
        });
        self.made = true;
    }

    /// A wide group of groups, the longest first; the low half of each number is the group.
    fn make_wide(&mut self, problem: &Problem, groups: &[u64]) {
        let none = Group::none(problem.bodies.len() as u32 - 1);
        let of = |lane: usize| match groups.get(lane) {
            Some(&g) => &problem.groups[(g & u64::from(u32::MAX)) as usize],
            None => &none,
        };
        let (start, length) = (self.contact_count, (of(0).end - of(0).start) as usize);
        self.contact_count += length;
        if self.groups.len() == self.count {
            self.groups.push(SweepGroup::EMPTY);
            self.own.push([(0, 0); LANES]);
        }
        if self.contacts.len() < self.contact_count {
            self.contacts
                .resize(self.contact_count, SweepContact::EMPTY);
            self.impulses.resize(self.contact_count, Impulses::ZERO);
            self.weights.resize(self.contact_count, [0.0; LANES]);
        }
        let (wide, own) = (&mut self.groups[self.count], &mut self.own[self.count]);
        let rows = &mut self.contacts[start..self.contact_count];
        self.count += 1;
        (wide.start, wide.end) = (start as u32, self.contact_count as u32);
        for (lane, own) in own.iter_mut().enumerate() {
            let group = of(lane);
            wide.set(lane, group, &problem.bodies, self.frictionless);
            let from = &problem.rows[group.start as usize..group.end as usize];
            let padded = from.iter().chain(std::iter::repeat(&Row::NONE));
            for ((x, to), row) in (start..).zip(&mut *rows).zip(padded) {
                to.set(lane, row, self.frictionless);
                put(&mut self.impulses[x].0, lane, row.r);
                self.weights[x][lane] = 1.0 / row.rho;
            }
            *own = (group.start, from.len() as u32);
        }
    }

    /// Makes the lanes of a problem, if they are not made; whether they had to be.
    fn make_for(&mut self, problem: &Problem) -> bool {
        self.prepare(problem);
        if self.frictionless != problem.frictionless {
            // Lanes hold no more than the sweep reads.
            (self.count, self.contact_count, self.made) = (0, 0, false);
            self.frictionless = problem.frictionless;
        }
        let made = !self.made;
        if made {
            self.make(problem);
        }
        made
    }

    /// Takes impulses and biases from the rows of the problem.
    pub fn take_impulses(&mut self, problem: &Problem) {
        if self.make_for(problem) {
            return;
        }
        for (wide, own) in self.groups[..self.count].iter().zip(&self.own) {
            let all = wide.start as usize..wide.end as usize;
            let (rows, impulses) = (&mut self.contacts[all.clone()], &mut self.impulses[all]);
            for (lane, &(start, count)) in own.iter().enumerate() {
                let from = &problem.rows[start as usize..(start + count) as usize];
                for ((to, r), row) in rows.iter_mut().zip(&mut *impulses).zip(from) {
                    to.set_bias(lane, row);
                    put(&mut r.0, lane, row.r);
                }
            }
        }
    }

    /// Gives the impulses to the rows of the problem.
    pub fn give_impulses(&self, problem: &mut Problem) {
        for (wide, own) in self.groups[..self.count].iter().zip(&self.own) {
            let impulses = &self.impulses[wide.start as usize..wide.end as usize];
            for (lane, &(start, count)) in own.iter().enumerate() {
                let to = &mut problem.rows[start as usize..(start + count) as usize];
                for (row, from) in to.iter_mut().zip(impulses) {
                    row.r = get(&from.0, lane);
                }
            }
        }
    }
}

struct Sweeps<'a> {
    groups: &'a [SweepGroup],
    contacts: &'a [SweepContact],
    impulses: &'a mut [Impulses],
    motions: &'a mut Vec<Motion>,
    velocities: &'a mut [BodyVelocity],
    count: usize,
    frictionless: bool,
}

impl WithSimd for Sweeps<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        self.motions.clear();
        let motions = self.velocities.iter().copied().map(Motion::from);
        self.motions.extend(motions);
        for _ in 0..self.count {
            for wide in self.groups {
                let all = wide.start as usize..wide.end as usize;
                let (rows, impulses) = (&self.contacts[all.clone()], &mut self.impulses[all]);
                if self.frictionless {
                    wide.sweep_normals(simd, rows, impulses, self.motions);
                } else {
                    wide.sweep(simd, rows, impulses, self.motions);
                }
            }
        }
        for (v, motion) in self.velocities.iter_mut().zip(&*self.motions) {
            *v = BodyVelocity::from(*motion);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::WideSweep;
    use crate::bodies::colour::LAST;
    use crate::bodies::{BodyInertia, BodyVelocity, ContactPair, PassBounds, Problem, Solver};
    use glam::{DMat3, DVec3};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    fn any(rng: &mut Pcg64) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..1.0)))
    }

    /// Groups of one to six contacts between random bodies, the ground among them. Every seventh body is fixed, some of
    /// these at a prescribed velocity with negative zeros; every fifth group has the body `hub`, if there is one.
    fn problem(bodies: usize, groups: usize, hub: Option<usize>, seed: u64) -> Problem {
        problem_of_friction(bodies, groups, hub, seed, 0.8)
    }

    fn problem_of_friction(
        bodies: usize,
        groups: usize,
        hub: Option<usize>,
        seed: u64,
        friction: f64,
    ) -> Problem {
        let mut rng = Pcg64::seed_from_u64(seed);
        let free = |rng: &mut Pcg64| {
            let (a, b) = (any(rng), any(rng));
            let outer = |v: DVec3| DMat3::from_cols(v * v.x, v * v.y, v * v.z);
            BodyInertia {
                inverse_mass: rng.random_range(0.2..2.0),
                inverse_inertia: outer(a) + outer(b) + DMat3::IDENTITY,
            }
        };
        let all: Vec<BodyInertia> = (0..bodies)
            .map(|i| match i % 7 {
                3 => BodyInertia::FIXED,
                _ => free(&mut rng),
            })
            .collect();
        let velocities: Vec<BodyVelocity> = (0..bodies)
            .map(|i| BodyVelocity {
                linear: any(&mut rng) * f64::from(u8::from(i % 2 == 0)),
                angular: any(&mut rng) * DVec3::new(1.0, -0.0, -0.0),
            })
            .collect();
        let mut pairs = Vec::new();
        for g in 0..groups {
            let first = match hub {
                Some(hub) if g % 5 == 0 => hub,
                _ => rng.random_range(0..bodies),
            };
            let second = rng.random_range(0..=bodies);
            let normal = any(&mut rng).normalize();
            for _ in 0..rng.random_range(1..=6) {
                pairs.push(ContactPair {
                    first,
                    second: (second < bodies && second != first).then_some(second),
                    normal,
                    arm_first: any(&mut rng),
                    arm_second: any(&mut rng),
                    bias: any(&mut rng) * 0.1,
                    mu: friction * rng.random::<f64>(),
                    impulse: any(&mut rng) * 0.1,
                });
            }
        }
        let mut problem = Problem::new();
        problem.load(&all, &velocities, &pairs).unwrap();
        problem
    }

    fn numbers(problem: &Problem) -> Vec<f64> {
        let impulses = problem.impulses();
        let velocities = problem.velocities().iter();
        impulses
            .chain(velocities.flat_map(|v| [v.linear, v.angular]))
            .flat_map(|v| v.to_array())
            .collect()
    }

    fn bits(problem: &Problem) -> Vec<u64> {
        numbers(problem).into_iter().map(f64::to_bits).collect()
    }

    fn sweep_in_turn(problem: &mut Problem, count: usize) {
        crate::bodies::accelerated_sweeps::sweep_in_turn(problem, count);
    }

    #[test]
    fn lanes_give_the_bits_of_groups_in_turn() {
        let sizes = [(2, 0), (2, 1), (5, 7), (12, 9), (40, 60), (300, 700)];
        for (seed, (bodies, groups)) in sizes.into_iter().enumerate() {
            let mut lanes = problem(bodies, groups, None, seed as u64);
            let mut turn = lanes.clone();
            let mut wide = WideSweep::default();
            // The second run takes what changed outside, the third continues with its own.
            for sweeps in [1, 4, 2] {
                wide.run(&mut lanes, sweeps);
                sweep_in_turn(&mut turn, sweeps);
                assert!(bits(&lanes) == bits(&turn), "{bodies} {groups} {sweeps}");
                for problem in [&mut lanes, &mut turn] {
                    problem.set_normal_bias(0.01);
                    Solver::new().enforce_dissipation(problem, 0.5, PassBounds::Long);
                }
            }
        }
    }

    /// Without friction the tangential parts are left out, of lanes and of groups in turn: the numbers are those of the
    /// sweep with friction, whose coefficients are zero. Zeros may have another sign.
    #[test]
    fn normals_alone_are_enough_without_friction() {
        for (seed, (bodies, groups)) in [(5, 7), (12, 9), (300, 700)].into_iter().enumerate() {
            let mut lanes = problem_of_friction(bodies, groups, None, seed as u64, 0.0);
            assert!(lanes.frictionless);
            let mut whole = lanes.clone();
            whole.frictionless = false;
            let mut turn = lanes.clone();
            let mut wide = WideSweep::default();
            for sweeps in [1, 4, 2] {
                wide.run(&mut lanes, sweeps);
                sweep_in_turn(&mut turn, sweeps);
                sweep_in_turn(&mut whole, sweeps);
                assert!(numbers(&lanes) == numbers(&whole), "{bodies} {groups}");
                assert!(numbers(&turn) == numbers(&whole), "{bodies} {groups}");
            }
            // Impulses with tangential parts are no longer those of contacts without friction.
            let given: Vec<DVec3> = lanes
                .impulses()
                .map(|r| r + DVec3::new(0.0, 0.1, -0.2))
                .collect();
            lanes.set_impulses(&given).unwrap();
            whole.set_impulses(&given).unwrap();
            assert!(!lanes.frictionless);
            wide.run(&mut lanes, 1);
            sweep_in_turn(&mut whole, 1);
            assert!(numbers(&lanes) == numbers(&whole), "{bodies} {groups}");
        }
    }

    /// More than 63 groups on a body: those of the last colour share it.
    #[test]
    fn groups_that_share_a_body_stay_in_turn() {
        let mut lanes = problem(400, 1000, Some(0), 5);
        let grouping = &lanes.grouping;
        let last = (0..grouping.len()).filter(|g| grouping.colour(*g) == LAST);
        assert!(last.count() > 100);
        let mut turn = lanes.clone();
        WideSweep::default().run(&mut lanes, 5);
        sweep_in_turn(&mut turn, 5);
        assert!(bits(&lanes) == bits(&turn));
    }

    /// Lanes are for many groups of few colours, none of which has one body twice.
    #[test]
    fn lanes_are_used_where_they_pay() {
        let pays = |problem: &Problem| WideSweep::default().pays(problem);
        assert!(pays(&problem(300, 700, None, 1)));
        assert!(!pays(&problem(300, 3, None, 1)));
        assert!(!pays(&problem(3, 700, None, 1)));
        assert!(!pays(&Problem::new()));
        let mut own = problem(300, 700, None, 1);
        own.groups[9].second = own.groups[9].first;
        assert!(!pays(&own));
    }

    /// Sweeps from rest with other biases are those of a problem at rest that has these, in lanes and in turn.
    #[test]
    fn sweeps_from_rest_leave_the_problem_alone() {
        for (bodies, groups) in [(5, 7), (300, 700)] {
            let mut problem = problem(bodies, groups, None, 11);
            let mut rng = Pcg64::seed_from_u64(12);
            let biases: Vec<f64> = (0..problem.contacts()).map(|_| any(&mut rng).x).collect();
            let mut solver = Solver::new();
            solver.sweep(&mut problem, 2);
            let (before, mut found) = (bits(&problem), Vec::new());
            solver.sweep_from_rest(&problem, &biases, 5, &mut found);
            let mut rest = problem.clone();
            rest.frictionless = true;
            rest.velocities.fill(BodyVelocity::default());
            for row in &mut rest.rows {
                (row.r, row.bias) = (DVec3::ZERO, DVec3::X * biases[row.pair as usize]);
            }
            sweep_in_turn(&mut rest, 5);
            assert!(found == rest.velocities);
            assert!(found.iter().any(|v| v.linear != DVec3::ZERO));
            assert!(bits(&problem) == before);
            // Sweeps go on as if nothing had been between.
            let mut turn = problem.clone();
            solver.sweep(&mut problem, 2);
            sweep_in_turn(&mut turn, 2);
            assert!(bits(&problem) == bits(&turn));
        }
    }

    /// What one problem leaves in the lanes does not reach the next.
    #[test]
    fn used_lanes_leave_no_trace() {
        let mut wide = WideSweep::default();
        wide.run(&mut problem(300, 900, None, 2), 2);
        let mut used = problem(40, 130, None, 3);
        let mut turn = used.clone();
        wide.run(&mut used, 3);
        sweep_in_turn(&mut turn, 3);
        assert!(bits(&used) == bits(&turn));
    }
}
