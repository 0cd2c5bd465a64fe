//! Event times against values computed independently of this program (quadrature of the quarter period, DOP853 at
//! 1e-13).
use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_rocking::{Options, Outcome, Restitution, RockingBlock, simulate};
use std::f64::consts::TAU;

#[test]
fn first_impact_is_the_exact_quarter_period() {
    let block = RockingBlock::rectangle(0.06, 0.27, 9.81).unwrap();
    let options = Options::released(5.0, 0.15);
    let run = simulate(
        &block,
        &Restitution::housner(),
        &GroundMotion::at_rest(),
        &options,
    )
    .unwrap();
    // quadrature of the quarter period with 30 digits, given to 10
    assert!((run.impact_times()[0] - 0.2505181298).abs() < 1e-10);
    assert_eq!(run.outcome, Outcome::Settled);
    // finite Zeno time, given to 4 digits
    assert!((run.rest_time().unwrap() - 4.2016).abs() < 5e-5);
    let bulky = RockingBlock::rectangle(0.06, 0.09, 9.81).unwrap();
    let run = simulate(
        &bulky,
        &Restitution::housner(),
        &GroundMotion::at_rest(),
        &Options::released(5.0, 0.5),
    )
    .unwrap();
    assert!((run.impact_times()[0] - 0.2225107).abs() < 5e-8);
    assert!((run.rest_time().unwrap() - 0.4407).abs() < 5e-5);
}

#[test]
fn twentieth_impact_of_the_reference_case() {
    let block = RockingBlock::rectangle(0.5, 2.0, 9.81).unwrap();
    let a0 = 2.0 * block.slenderness() * 9.81;
    let wave = Component::waves(a0, Frequency::rad_per_s(2.0 * TAU), 0.0, 1.0).unwrap();
    let run = simulate(
        &block,
        &Restitution::housner(),
        &GroundMotion::horizontal(wave),
        &Options::new(10.0),
    )
    .unwrap();
    let times = run.impact_times();
    // the reference has 12 digits
    assert!((times[19] - 8.20971722347).abs() < 1e-10, "{}", times[19]);
    assert_eq!(run.outcome, Outcome::Settled);
}
