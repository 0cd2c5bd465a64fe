//! A column of three drums under motions as earthquakes have them: response and overturning scale factors.

use klast_ground_motion::{AccelerationUnit, GroundMotion, Record};
use klast_stacks::{Stack, StackBlock, StackOptions, StackOutcome, StackState, StackStop};

/// Drums of 1.5 m height that taper from 1.0 to 0.92 m.
fn column() -> Stack {
    let drums = [(1.0, 3063.0), (0.96, 2823.0), (0.92, 2592.0)]
        .map(|(b, m)| StackBlock::new(b, 1.5, m).expect("a drum"));
    Stack::new(&drums, 9.81).expect("a stack")
}

/// A record (s, g) whose acceleration is a sum of twelve waves of 0.4 to 6 Hz that grows and decays within
/// 20 s, as that of an earthquake does.
fn record(number: u32) -> Record {
    let wave = |t: f64, k: u32| {
        // Frequencies and phases without a common period.
        let [part, phase] = [0.618_033_988_75, 0.754_877_666_25]
            .map(|step: f64| (step * f64::from(12 * number + k + 1)).fract());
        let hertz = 0.4 * (6.0_f64 / 0.4).powf(part);
        (std::f64::consts::TAU * (hertz * t + phase)).sin()
    };
    let row = |n: u32| {
        let t = 0.02 * f64::from(n);
        let sum: f64 = (0..12).map(|k| wave(t, k)).sum();
        let acceleration = 0.05 * t * (-t / 4.0).exp() * sum;
        (t, acceleration * AccelerationUnit::StandardGravity.factor())
    };
    let (times, accelerations) = (0..1000).map(row).unzip();
    Record::new(times, accelerations).expect("a record")
}

#[test]
fn response_and_overturning_factors() {
    let (mut lifted, mut fallen) = (0, 0);
    for name in 0..8 {
        let motion = GroundMotion::horizontal(record(name).component(1.0).expect("a component"));
        let options = StackOptions::until(motion.duration() + 20.0);
        let run = column()
            .run(&motion, &StackState::rest(3), &options)
            .expect("a run");
        assert!(
            matches!(
                run.stop,
                StackStop::Rest | StackStop::Duration | StackStop::Overturned
            ),
            "{name}: {:?}",
            run.stop
        );
        // Without slip a column lifts off only when the base passes g tan α of the whole: 1.0 m over 4.5 m.
        let lift_off = 9.81 / 4.5;
        let peak = motion.horizontal.intensity().pga;
        assert_eq!(run.events.is_empty(), peak < lift_off, "{name}: {peak}");
        let found = column()
            .overturning_scale(&motion, &options, (0.5, 12.0), 47)
            .expect("a scan");
        lifted += u32::from(!run.events.is_empty());
        if let Some(found) = found {
            fallen += 1;
            // Just below the factor found the column stands, at it blocks fall.
            let at = |factor: f64| {
                column()
                    .run(&motion.scaled(factor), &StackState::rest(3), &options)
                    .expect("a run")
                    .outcome()
            };
            assert!(
                matches!(
                    at(found.factor),
                    StackOutcome::Partial { .. } | StackOutcome::Total { .. }
                ),
                "{name}"
            );
            assert!(
                matches!(
                    at(found.factor * (1.0 - 2e-9)),
                    StackOutcome::Rest | StackOutcome::Rocking
                ),
                "{name}"
            );
            assert!(found.factor * peak > lift_off);
        }
    }
    // Both sides of what is asserted occur.
    assert!(lifted > 0 && fallen > 0, "{lifted} {fallen}");
}
