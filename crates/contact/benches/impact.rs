//! One impact of a rock on a plane under each law, with one, two and four contacts.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::{DMat3, DVec3};
use klast_contact::bodies::{BodyInertia, BodyVelocity, ContactPair, Problem};
use klast_contact::{
    FacetDirections, Friction, ImpactContact, ImpactLaw, ImpactProblem, SolveOptions,
};

/// A cube of 1 m and 2700 kg on a slope: a corner, an edge or a face touches.
fn rock(corners: &[(f64, f64)]) -> ImpactProblem {
    let node = BodyInertia {
        inverse_mass: 1.0 / 2700.0,
        inverse_inertia: DMat3::from_diagonal(DVec3::splat(1.0 / 450.0)),
    };
    let velocity = BodyVelocity {
        linear: DVec3::new(3.0, 0.4, -6.0),
        angular: DVec3::new(0.2, 2.0, 0.1),
    };
    let links: Vec<ContactPair> = corners
        .iter()
        .map(|&(x, y)| ContactPair {
            first: 0,
            second: None,
            normal: DVec3::Z,
            arm_first: DVec3::new(x, y, -0.5),
            arm_second: DVec3::ZERO,
            bias: DVec3::ZERO,
            mu: 0.6,
            impulse: DVec3::ZERO,
        })
        .collect();
    let mut factored = Problem::new();
    factored
        .load(&[node], &[velocity], &links)
        .expect("valid data");
    let problem = factored.assemble().expect("valid data");
    let contacts = problem
        .q()
        .iter()
        .map(|u| ImpactContact {
            group: Some(0),
            ..ImpactContact::new(*u)
                .with_friction(0.6)
                .with_restitution(0.35)
        })
        .collect();
    ImpactProblem::new(problem.w().clone(), contacts).expect("valid data")
}

fn impacts(c: &mut Criterion) {
    let facets = vec![FacetDirections::regular(8, 0.0).expect("8 is even")];
    let laws = [
        ("newton", ImpactLaw::default()),
        (
            "newton 8 facets",
            ImpactLaw::Newton {
                friction: Friction::Facets(facets),
            },
        ),
        (
            "sequential",
            ImpactLaw::Sequential {
                friction: Friction::default(),
            },
        ),
        ("poisson", ImpactLaw::Poisson),
        ("stronge", ImpactLaw::Stronge),
    ];
    let corners = [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)];
    for count in [1, 2, 4] {
        let problem = rock(&corners[..count]);
        let mut group = c.benchmark_group(format!("impact/{count} contacts"));
        group.throughput(Throughput::Elements(1));
        for (name, law) in &laws {
            group.bench_function(*name, |b| {
                b.iter(|| law.resolve(&problem, &SolveOptions::default()))
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = impacts
}
criterion_main!(benches);
