//! Wide sweeps: how impulses and biases are exchanged with the problem.

use super::lane::{LANES, Lane, get, put};
use super::motion::Motion;
pub(in crate::bodies) use super::sweep::Abreast;
use super::sweep_lanes::SweepLanes;
use crate::bodies::body::BodyVelocity;
use crate::bodies::problem::Problem;
use pulp::{Arch, Simd, WithSimd};

/// What wide sweeps of a problem change. The lists only grow.
#[derive(Debug, Clone, Default)]
pub(in crate::bodies) struct WideSweep {
    /// Impulses and biases of each wide contact.
    impulses: Vec<Abreast>,
    biases: Vec<Abreast>,
    /// Velocities of the bodies while they are swept.
    motions: Vec<Motion>,
}

impl WideSweep {
    /// `count` sweeps of a problem in lanes.
    pub fn run(&mut self, problem: &mut Problem, count: usize) {
        self.take_impulses(problem);
        self.sweep(problem, count);
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
        self.clear(problem);
        for (wide, own) in problem.lanes.rows() {
            let to = &mut self.biases[wide.start as usize..wide.end as usize];
            for (lane, &(start, count)) in own.iter().enumerate() {
                let from = &problem.rows[start as usize..(start + count) as usize];
                for (Abreast(to), row) in to.iter_mut().zip(from) {
                    to[0][lane] = biases.get(row.pair as usize).copied().unwrap_or_default();
                }
            }
        }
        Arch::new().dispatch(Sweeps {
            lanes: &problem.lanes,
            vectors: (&self.biases, &mut self.impulses),
            motions: &mut self.motions,
            velocities,
            count,
            frictionless: true,
        });
    }

    /// `count` sweeps over impulses that were taken.
    pub fn sweep(&mut self, problem: &mut Problem, count: usize) {
        Arch::new().dispatch(Sweeps {
            lanes: &problem.lanes,
            vectors: (&self.biases, &mut self.impulses),
            motions: &mut self.motions,
            velocities: &mut problem.velocities,
            count,
            frictionless: problem.frictionless,
        });
    }

    pub fn impulses_mut(&mut self) -> &mut [Abreast] {
        &mut self.impulses
    }

    /// `Σ ‖r − r₀‖² / ρ` since the impulses `before`.
    pub fn length(&self, problem: &Problem, before: &[Abreast]) -> f64 {
        let mut sums: Lane = [0.0; LANES];
        let contacts = problem.lanes.contacts();
        for ((now, before), contact) in self.impulses.iter().zip(before).zip(contacts) {
            for (now, before) in now.0.iter().zip(&before.0) {
                for (lane, sum) in sums.iter_mut().enumerate() {
                    let step = now[lane] - before[lane];
                    *sum += step * step * (1.0 / contact.rho[lane]);
                }
            }
        }
        sums.iter().sum()
    }

    /// Impulses and biases of no contact, as many as the problem has.
    fn clear(&mut self, problem: &Problem) {
        for list in [&mut self.impulses, &mut self.biases] {
            list.clear();
            list.resize(problem.lanes.contacts().len(), Abreast::ZERO);
        }
    }

    /// Takes impulses and biases from the rows of the problem.
    pub fn take_impulses(&mut self, problem: &Problem) {
        self.clear(problem);
        for (wide, own) in problem.lanes.rows() {
            let all = wide.start as usize..wide.end as usize;
            let (biases, impulses) = (&mut self.biases[all.clone()], &mut self.impulses[all]);
            for (lane, &(start, count)) in own.iter().enumerate() {
                let from = &problem.rows[start as usize..(start + count) as usize];
                for ((bias, r), row) in biases.iter_mut().zip(&mut *impulses).zip(from) {
                    put(&mut bias.0, lane, row.bias);
                    put(&mut r.0, lane, row.r);
                }
            }
        }
    }

    /// Gives the impulses to the rows of the problem.
    pub fn give_impulses(&self, problem: &mut Problem) {
        for (wide, own) in problem.lanes.rows() {
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
    lanes: &'a SweepLanes,
    /// Biases and impulses.
    vectors: (&'a [Abreast], &'a mut [Abreast]),
    motions: &'a mut Vec<Motion>,
    velocities: &'a mut [BodyVelocity],
    count: usize,
    frictionless: bool,
}

impl WithSimd for Sweeps<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (biases, impulses) = self.vectors;
        let contacts = self.lanes.contacts();
        self.motions.clear();
        let motions = self.velocities.iter().copied().map(Motion::from);
        self.motions.extend(motions);
        for _ in 0..self.count {
            for wide in self.lanes.groups() {
                let all = wide.start as usize..wide.end as usize;
                let rows = &contacts[all.clone()];
                let vectors = (&biases[all.clone()], &mut impulses[all]);
                if self.frictionless {
                    wide.sweep_normals(simd, rows, vectors, self.motions);
                } else {
                    wide.sweep(simd, rows, vectors, self.motions);
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

    /// The same problem with what sweeps one by one read.
    fn in_turn(problem: &Problem) -> Problem {
        let mut turn = problem.clone();
        turn.lanes.clear();
        for group in &mut turn.groups {
            *group = group.with_matrices(&turn.bodies);
            for row in &mut turn.rows[group.rows()] {
                *row = group.row(*row);
            }
        }
        turn
    }

    /// Lanes add up what an impulse does in another order than groups in turn: rounding of the largest number, which
    /// sweeps pass on.
    fn assert_same(a: &Problem, b: &Problem) {
        let (a, b) = (numbers(a), numbers(b));
        let largest = a.iter().fold(0.0, |most, x| f64::max(most, x.abs()));
        for (x, y) in a.iter().zip(&b) {
            assert!((x - y).abs() <= 1e-12 * largest, "{x} {y}");
        }
    }

    /// Lanes for problems so small that they do not pay.
    fn laid_out(mut problem: Problem) -> Problem {
        let rows = &mut problem.rows;
        problem
            .lanes
            .fill(&problem.grouping, &problem.groups, rows, &problem.bodies);
        problem
    }

    fn bits(problem: &Problem) -> Vec<u64> {
        numbers(problem).into_iter().map(f64::to_bits).collect()
    }

    fn sweep_in_turn(problem: &mut Problem, count: usize) {
        crate::bodies::accelerated_sweeps::sweep_in_turn(problem, count);
    }

    #[test]
    fn lanes_do_what_groups_in_turn_do() {
        let sizes = [(2, 0), (2, 1), (5, 7), (12, 9), (40, 60), (300, 700)];
        for (seed, (bodies, groups)) in sizes.into_iter().enumerate() {
            let mut lanes = laid_out(problem(bodies, groups, None, seed as u64));
            let mut turn = in_turn(&lanes);
            let mut wide = WideSweep::default();
            // The second run takes what changed outside, the third continues with its own.
            for sweeps in [1, 4, 2] {
                wide.run(&mut lanes, sweeps);
                sweep_in_turn(&mut turn, sweeps);
                assert_same(&lanes, &turn);
                for problem in [&mut lanes, &mut turn] {
                    problem.set_normal_bias(0.01);
                    Solver::new().enforce_dissipation(problem, 0.5, PassBounds::Long);
                }
            }
        }
    }

    /// Without friction the tangential parts are left out, of lanes and of groups in turn: the numbers are those of the
    /// sweep with friction, whose coefficients are zero.
    #[test]
    fn normals_alone_are_enough_without_friction() {
        for (seed, (bodies, groups)) in [(5, 7), (12, 9), (300, 700)].into_iter().enumerate() {
            let mut lanes = laid_out(problem_of_friction(bodies, groups, None, seed as u64, 0.0));
            assert!(lanes.frictionless);
            let mut turn = in_turn(&lanes);
            let mut whole = turn.clone();
            whole.frictionless = false;
            let mut wide = WideSweep::default();
            for sweeps in [1, 4, 2] {
                wide.run(&mut lanes, sweeps);
                sweep_in_turn(&mut turn, sweeps);
                sweep_in_turn(&mut whole, sweeps);
                assert_same(&lanes, &whole);
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
            assert_same(&lanes, &whole);
        }
    }

    /// More than 63 groups on a body: those of the last colour share it.
    #[test]
    fn groups_that_share_a_body_stay_in_turn() {
        let mut lanes = laid_out(problem(400, 1000, Some(0), 5));
        let grouping = &lanes.grouping;
        let last = (0..grouping.len()).filter(|g| grouping.colour(*g) == LAST);
        assert!(last.count() > 100);
        let mut turn = in_turn(&lanes);
        WideSweep::default().run(&mut lanes, 5);
        sweep_in_turn(&mut turn, 5);
        assert_same(&lanes, &turn);
    }

    /// Lanes are for many groups of few colours.
    #[test]
    fn lanes_are_used_where_they_pay() {
        let pays = |problem: &Problem| problem.lanes.in_use();
        assert!(pays(&problem(300, 700, None, 1)));
        assert!(!pays(&problem(300, 3, None, 1)));
        assert!(!pays(&problem(3, 700, None, 1)));
        assert!(!pays(&Problem::new()));
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
            let mut rest = in_turn(&problem);
            rest.frictionless = true;
            rest.velocities.fill(BodyVelocity::default());
            for row in &mut rest.rows {
                (row.r, row.bias) = (DVec3::ZERO, DVec3::X * biases[row.pair as usize]);
            }
            sweep_in_turn(&mut rest, 5);
            let mut swept = rest.clone();
            swept.velocities.clone_from(&found);
            assert_same(&swept, &rest);
            assert!(found.iter().any(|v| v.linear != DVec3::ZERO));
            assert!(bits(&problem) == before);
            // Sweeps go on as if nothing had been between.
            let mut turn = in_turn(&problem);
            solver.sweep(&mut problem, 2);
            sweep_in_turn(&mut turn, 2);
            assert_same(&problem, &turn);
        }
    }

    /// What one problem leaves in the lanes does not reach the next.
    #[test]
    fn used_lanes_leave_no_trace() {
        let mut wide = WideSweep::default();
        wide.run(&mut problem(300, 900, None, 2), 2);
        let mut used = laid_out(problem(40, 130, None, 3));
        let mut fresh = used.clone();
        wide.run(&mut used, 3);
        WideSweep::default().run(&mut fresh, 3);
        assert!(bits(&used) == bits(&fresh));
    }
}
