//! A block on a slope, Newmark's block: the public verification set of pySLAMMER, a second program on a long motion,
//! what a slope needs.

use klast_rocking_jobs::rocking;
use klast_runs::Outcome;
use klast_runs::error::Error;
use klast_scenes::Scene;

fn read(text: &str) -> Result<Outcome, Error> {
    let (scene, _) = Scene::parse(text, ".")?;
    scene.job()?.run_silently()
}

/// The paths of what is wrong with a scene.
fn faults(text: &str) -> Vec<String> {
    let Err(error) = read(text) else {
        panic!("a scene that is not refused: {text}");
    };
    match error.root() {
        Error::Scene(faults) => faults.list.iter().map(|f| f.path.clone()).collect(),
        other => panic!("{other:?}"),
    }
}

/// Yield accelerations (g) of [`HARMONICS`].
const YIELDS: [f64; 5] = [0.1, 0.2, 0.4, 0.6, 0.8];

/// One sine of 1 g at a frequency (Hz): displacement of the rigid block at each of [`YIELDS`] by the closed form (m,
/// g = 9.81 m/s²) and by SLAMMER 1.1 of the U.S. Geological Survey from samples at 1 ms (cm, g = 9.80665 m/s²).
///
/// Verification set of pySLAMMER (Arnold and Garcia-Rivas), tests/Trimmed Data/harmonic_errors.csv and
/// harmonic_solutions.csv of the repository lornearnold/pyslammer, commit 2fafce6; to nine decimals.
#[rustfmt::skip]
const HARMONICS: [(f64, [(f64, f64); 5]); 11] = [
    (0.5, [(4.72871684, 472.71), (3.565793391, 356.45734), (1.866609014, 186.5968), (0.783610981, 78.33427), (0.186660396, 18.65957)]),
    (1.0, [(1.18217921, 118.17721), (0.891448348, 89.11405), (0.466652253, 46.64937), (0.195902745, 19.5836), (0.046665099, 4.66494)]),
    (2.0, [(0.295544803, 29.54394), (0.222862087, 22.27816), (0.116663063, 11.66229), (0.048975686, 4.89585), (0.011666275, 1.16619)]),
    (3.0, [(0.131353246, 13.13089), (0.099049816, 9.90166), (0.05185025, 5.18311), (0.021766972, 2.17577), (0.005185011, 0.51826)]),
    (4.0, [(0.073886201, 7.38567), (0.055715522, 5.56915), (0.029165766, 2.91563), (0.012243922, 1.22397), (0.002916569, 0.29146)]),
    (5.0, [(0.047287168, 4.72693), (0.035657934, 3.56458), (0.01866609, 1.86569), (0.00783611, 0.78334), (0.001866604, 0.18658)]),
    (6.0, [(0.032838311, 3.28281), (0.024762454, 2.47545), (0.012962563, 1.29552), (0.005441743, 0.54383), (0.001296253, 0.1296)]),
    (7.0, [(0.024126106, 2.41182), (0.018192823, 1.81877), (0.009523515, 0.95208), (0.003998015, 0.39963), (0.000952349, 0.09512)]),
    (8.0, [(0.01847155, 1.84605), (0.01392888, 1.39188), (0.007291441, 0.72876), (0.00306098, 0.30587), (0.000729142, 0.07291)]),
    (9.0, [(0.014594805, 1.45894), (0.011005535, 1.1003), (0.005761139, 0.57589), (0.002418552, 0.24179), (0.000576112, 0.05756)]),
    (10.0, [(0.011821792, 1.18182), (0.008914483, 0.89096), (0.004666523, 0.46658), (0.001959027, 0.19573), (0.000466651, 0.04659)]),
];

#[test]
fn a_block_on_a_slope_is_that_of_the_verification_set_of_pyslammer() {
    let tilt = 0.6f64;
    let displacement = |frequency: f64, part: f64, gravity: f64| {
        // g tan(φ − β) is this part of g; uphill g tan(φ + β) is above 1 g.
        let friction = (tilt + part.atan()).tan();
        let text = format!(
            r#"{{"schema": 1, "kind": "rocking", "block": {{"kind": "rectangle", "width_m": 40, "height_m": 0.5}},
            "gravity_m_s2": {gravity}, "friction": {friction:.17}, "base_tilt_rad": {tilt}, "duration_s": 4,
            "horizontal": {{"kind": "waves", "amplitude_m_s2": {gravity}, "frequency_hz": {frequency},
                "phase_rad": {}, "waves": 1}}}}"#,
            std::f64::consts::PI
        );
        let outcome = read(&text).unwrap();
        let results = outcome.results.of::<rocking::result::Results>().unwrap();
        let slope = results.summary.slope.unwrap();
        assert!((slope.yield_acceleration_m_s2 / (gravity * part) - 1.0).abs() < 1e-12);
        slope.newmark_displacement_m.unwrap()
    };
    for (frequency, row) in HARMONICS {
        for (part, (exact, slammer)) in YIELDS.into_iter().zip(row) {
            let at = format!("{frequency} Hz, {part} g");
            let found = displacement(frequency, part, 9.81);
            // Half a unit of the last of nine decimals.
            assert!((found - exact).abs() < 5.1e-10, "{at}: {found} {exact}");
            let found = displacement(frequency, part, 9.80665);
            // The set starts and stops at samples: errors up to g times the square of 1 ms, 1e-5 m.
            let off = found - 0.01 * slammer;
            assert!(off.abs() < 1e-5, "{at}: {found} {slammer}");
        }
    }
}

/// Newmark's block by pySLAMMER 0.2.2 (Arnold and Garcia-Rivas), method RigidAnalysis, of this motion of 4,001 samples
/// at 5 ms, straight lines between them in 40 parts: 1.423423, 0.803988 and 0.290921 m for yield accelerations of 0.05,
/// 0.1 and 0.2 g. In 10 parts its numbers differ by up to 5e-6.
#[test]
fn a_block_on_a_slope_is_newmarks_block_of_a_second_program() {
    let folder = tempfile::tempdir().unwrap();
    let mut rows = "time_s,acceleration_g\n".to_owned();
    let tau = std::f64::consts::TAU;
    for k in 0..=4000 {
        let t = 0.005 * f64::from(k);
        let wave = 0.35 * (1.1 * tau * t).sin()
            + 0.25 * (2.3 * tau * t + 0.7).sin()
            + 0.15 * (4.7 * tau * t + 1.9).sin();
        let part = t / 3.0;
        let envelope = part * part * (2.0 - 2.0 * part).exp();
        rows.push_str(&format!("{t:.3},{:.17e}\n", wave * envelope));
    }
    std::fs::write(folder.path().join("motion.csv"), rows).unwrap();
    let tilt = 0.3f64;
    for (part, wanted) in [(0.05f64, 1.423_423), (0.1, 0.803_988), (0.2, 0.290_921)] {
        // g tan(φ − β) is this part of g.
        let friction = (tilt + part.atan()).tan();
        let text = format!(
            r#"{{"schema": 1, "kind": "rocking", "block": {{"kind": "rectangle", "width_m": 4, "height_m": 0.5}},
            "gravity_m_s2": 9.80665, "friction": {friction:.17}, "base_tilt_rad": {tilt}, "duration_s": 22,
            "horizontal": {{"kind": "record", "file": "motion.csv", "scale": -1}}}}"#
        );
        let (scene, _) = Scene::parse(&text, folder.path()).unwrap();
        let outcome = scene.job().unwrap().run_silently().unwrap();
        let results = outcome.results.of::<rocking::result::Results>().unwrap();
        let slope = results.summary.slope.unwrap();
        assert!((slope.yield_acceleration_m_s2 - 9.80665 * part).abs() < 1e-12);
        let found = slope.newmark_displacement_m.unwrap();
        // Half a unit of the last digit, and what halving its steps four times more would move.
        assert!((found - wanted).abs() < 5e-6, "{part}: {found} {wanted}");
    }
}

#[test]
fn a_slope_needs_friction_and_a_rigid_base() {
    let scene = |more: &str| {
        format!(
            r#"{{"schema": 1, "kind": "rocking", "block": {{"kind": "rectangle", "width_m": 1, "height_m": 0.5}},
            "duration_s": 1, {more}}}"#
        )
    };
    for more in [
        r#""base_tilt_rad": 0.1"#,
        r#""base_tilt_rad": 0.1, "friction": 0.5, "engine": "no_slip""#,
        r#""base_tilt_rad": 2, "friction": 0.5"#,
    ] {
        assert_eq!(faults(&scene(more)), ["base_tilt_rad"], "{more}");
    }
    // Too steep for its friction it slides without a motion: v = g (sin β − μ cos β) t.
    let outcome = read(&scene(r#""base_tilt_rad": 0.4, "friction": 0.2"#)).unwrap();
    let results = outcome.results.of::<rocking::result::Results>().unwrap();
    let way = 0.5 * 9.81 * (0.4f64.sin() - 0.2 * 0.4f64.cos());
    let slip = results.summary.slip.unwrap().residual_slip_m;
    assert!((slip - way).abs() < 1e-12, "{slip} {way}");
    assert_eq!(results.summary.slope.unwrap().newmark_displacement_m, None);
}
