//! Touching pairs per second: overlap features and manifolds on hulls of 14 to 20 vertices, cubes and prisms.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::{DQuat, DVec3};
use klast_geometry::{AxisFeature, ConvexPolyhedron, Manifold, NarrowPhase, Placed, Pose, Solid};
use klast_numerics::roots::bisect;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::hint::black_box;

struct Touching {
    a: ConvexPolyhedron,
    b: ConvexPolyhedron,
    pose_a: Pose,
    pose_b: Pose,
    hint: Option<AxisFeature>,
}

fn direction(dice: &mut Pcg64) -> DVec3 {
    loop {
        let v = DVec3::new(dice.random(), dice.random(), dice.random()) * 2.0 - 1.0;
        if v.length() < 1.0 && v.length() > 0.1 {
            return v.normalize();
        }
    }
}

/// A rock: the hull of points on a sphere, 14 to 20 of them.
fn rock(dice: &mut Pcg64) -> ConvexPolyhedron {
    let n = 14 + (dice.random::<f64>() * 7.0) as usize;
    let points: Vec<DVec3> = (0..n).map(|_| direction(dice)).collect();
    ConvexPolyhedron::from_points(&points)
        .and_then(|p| p.centred())
        .unwrap()
}

/// Pairs that overlap by 1e-3 to 1e-2 of their size, each with the axis of a slightly earlier pose as its hint.
fn pairs(dice: &mut Pcg64, mut make: impl FnMut(&mut Pcg64) -> ConvexPolyhedron) -> Vec<Touching> {
    let mut narrow = NarrowPhase::default();
    (0..1000)
        .map(|_| {
            let (a, b) = (make(dice), make(dice));
            let turn = |dice: &mut Pcg64| {
                DQuat::from_axis_angle(direction(dice), 3.0 * dice.random::<f64>())
            };
            let (pose_a, rotation, along) =
                (Pose::from_rotation(turn(dice)), turn(dice), direction(dice));
            let at = |s: f64| Pose {
                rotation,
                translation: along * s,
            };
            let mut find = |s: f64| {
                narrow.overlap(
                    Placed {
                        shape: &a,
                        pose: &pose_a,
                    },
                    Placed {
                        shape: &b,
                        pose: &at(s),
                    },
                    None,
                )
            };
            let aim = 1e-3 + 9e-3 * dice.random::<f64>();
            let shallow = |s: f64| find(s).is_none_or(|o| o.depth <= aim);
            let (near, _) = bisect(0.0, a.radius() + b.radius(), 40, shallow);
            let hint = find(near + 1e-4).map(|o| o.axis);
            Touching {
                pose_a,
                pose_b: at(near),
                hint,
                a,
                b,
            }
        })
        .collect()
}

fn contact(c: &mut Criterion) {
    let mut dice = Pcg64::seed_from_u64(1);
    let prism = Solid::Prism {
        sides: 12,
        slenderness: 0.5,
    }
    .with_size(2.0)
    .unwrap();
    let cube = Solid::Cube.with_size(1.5).unwrap();
    let sets = [
        ("rocks", pairs(&mut dice, rock)),
        ("cubes", pairs(&mut dice, |_| cube.clone())),
        ("12-gon prisms", pairs(&mut dice, |_| prism.clone())),
    ];
    let mut narrow = NarrowPhase::default();
    let mut manifold = Manifold::default();
    let mut group = c.benchmark_group("contact");
    for (name, set) in &sets {
        group.throughput(Throughput::Elements(set.len() as u64));
        for (how, hinted) in [("cold", false), ("with the last axis", true)] {
            group.bench_function(format!("overlap of {name}, {how}"), |b| {
                b.iter(|| {
                    for p in set {
                        let (x, y) = (
                            Placed {
                                shape: &p.a,
                                pose: &p.pose_a,
                            },
                            Placed {
                                shape: &p.b,
                                pose: &p.pose_b,
                            },
                        );
                        black_box(narrow.overlap(x, y, p.hint.filter(|_| hinted)));
                    }
                });
            });
        }
        group.bench_function(format!("manifold of {name}"), |b| {
            b.iter(|| {
                for p in set {
                    let (x, y) = (
                        Placed {
                            shape: &p.a,
                            pose: &p.pose_a,
                        },
                        Placed {
                            shape: &p.b,
                            pose: &p.pose_b,
                        },
                    );
                    black_box(narrow.manifold(x, y, 1e-3, p.hint, &mut manifold));
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, contact);
criterion_main!(benches);
