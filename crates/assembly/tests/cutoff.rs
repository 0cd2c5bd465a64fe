//! The cut-off of approach speeds decides where a sequence of ever smaller impacts ends, not where the blocks go.

use klast_assembly::{
    Assembly, Basin, BasinMotion, Block, BlockRow, Frequency, ImpactRule, Restitution, Start,
    StartVelocity,
};

#[test]
fn positions_do_not_depend_on_the_cut_off() {
    for (rule, wall) in [
        (ImpactRule::Complementarity, 0.3),
        (ImpactRule::LowestFirst, 0.3),
        (ImpactRule::LowestFirst, 0.6),
    ] {
        let at = |cutoff: f64| {
            let motion = BasinMotion::harmonic(0.04, Frequency::hertz(2.0)).unwrap();
            let basin = Basin::new(0.394, motion, Restitution::new(wall, 0.6).unwrap()).unwrap();
            let row = BlockRow::uniform(
                4,
                Block {
                    size: 0.04,
                    mass: 0.05224,
                    friction: 0.03,
                },
            )
            .unwrap();
            let start = Start::touching(4, StartVelocity::AtRest);
            let mut run = Assembly::with_cutoff(basin, &row, &start, rule, cutoff).unwrap();
            run.advance_to(2.0).unwrap();
            run.state().iter().map(|b| b.left).collect::<Vec<_>>()
        };
        let fine = at(1e-12);
        for cutoff in [1e-11, 1e-9, 1e-8] {
            for (a, b) in at(cutoff).iter().zip(&fine) {
                // A hop at the cut-off reaches 1e-16 of the amplitude and lasts 1e-8 of the period.
                assert!((a - b).abs() < 1e-9, "{rule:?} {cutoff}: {a} {b}");
            }
        }
    }
}
