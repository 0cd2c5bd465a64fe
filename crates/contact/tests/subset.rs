//! A problem of some contacts of another one.

use crate::common;

use common::family::{Pile, rock_pile, tangle};
use glam::DVec3;
use klast_contact::bodies::{BodyInertia, BodyVelocity, ContactPair, PassBounds, Problem, Solver};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Loaded from the other or anew it has the same bits, in lists that hold what came before: groups that merge or lose
/// their head, contacts in another order, nodes that do not move.
#[test]
fn parts_of_any_problem_have_the_bits_of_problems_loaded_anew() {
    let (mut whole, mut anew, mut known) = Default::default();
    for seed in 0..400 {
        let rng = &mut Pcg64::seed_from_u64(seed);
        let mut pile = match seed % 2 {
            0 => tangle(rng.random_range(2..20), rng.random_range(1..60), 0.7, seed),
            _ => rock_pile(rng.random_range(1..4), rng.random_range(1..4), 0.7, seed),
        };
        for node in &mut pile.nodes {
            if rng.random_bool(0.1) {
                *node = BodyInertia::FIXED;
            }
        }
        // One normal again after another one: two groups that are one where that is left out.
        for k in 2..pile.links.len() {
            if rng.random_bool(0.4) {
                let ContactPair {
                    first,
                    second,
                    normal,
                    ..
                } = pile.links[k - 2];
                pile.links[k] = ContactPair {
                    first,
                    second,
                    normal,
                    ..pile.links[k]
                };
            }
        }
        part_as_anew(&pile, [&mut whole, &mut anew, &mut known], rng);
    }
}

fn part_as_anew(pile: &Pile, [whole, anew, known]: [&mut Problem; 3], rng: &mut Pcg64) {
    whole
        .load(&pile.nodes, &pile.velocities, &pile.links)
        .unwrap();
    Solver::new().sweep(whole, 2);
    whole.set_normal_bias(0.1);
    let share = [0.0, 0.3, 0.8, 1.0][rng.random_range(0..4)];
    let mut from: Vec<u32> = (0..pile.links.len() as u32)
        .filter(|_| rng.random_bool(share))
        .collect();
    if rng.random_bool(0.2) {
        from.reverse();
    }
    let mut any = || DVec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..1.0)));
    let links: Vec<ContactPair> = from
        .iter()
        .map(|&i| ContactPair {
            bias: any() * 0.1,
            mu: any().x.abs(),
            impulse: any() * 10.0,
            ..pile.links[i as usize]
        })
        .collect();
    let velocities: Vec<BodyVelocity> = pile
        .velocities
        .iter()
        .map(|v| BodyVelocity {
            linear: any(),
            ..*v
        })
        .collect();
    anew.load(&pile.nodes, &velocities, &links).unwrap();
    known
        .load_subset(whole, &velocities, &links, &from)
        .unwrap();
    let bits = |p: &Problem| -> Vec<u64> {
        let velocities = p.velocities().iter().flat_map(|v| [v.linear, v.angular]);
        let all = p.impulses().chain(velocities);
        all.flat_map(|v| v.to_array()).map(f64::to_bits).collect()
    };
    let same = |anew: &Problem, known: &Problem| {
        assert_eq!(bits(anew), bits(known));
        let measures = |p: &Problem| [p.q_max(), p.residual()].map(f64::to_bits);
        assert_eq!(measures(anew), measures(known));
    };
    same(anew, known);
    for problem in [&mut *anew, &mut *known] {
        Solver::new().sweep(problem, 5);
    }
    same(anew, known);
    for problem in [&mut *anew, &mut *known] {
        let mut solver = Solver::new();
        solver.enforce_dissipation(problem, 0.5, PassBounds::Long);
        solver.refine(problem, 1e-9, 5);
    }
    same(anew, known);
}
