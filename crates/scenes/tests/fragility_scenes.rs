//! Fragilities as practice asks for them: states of the foot, of a gap and of restrainers, a hazard curve, bodies in
//! space under record triplets; the check by reserve energy; a block on a slope.

use klast_ground_motion::{Component, Frequency};
use klast_rocking::spatial::{
    DrumMotion, SpatialBody, SpatialColumn, SpatialMotion, SpatialOptions,
};
use klast_rocking_jobs::{assess, rocking_fragility};
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

/// Six waves of 1 m/s², each of its own frequency.
fn waves() -> String {
    let one = |k: u32| {
        let frequency = 0.7 + 0.2 * f64::from(k);
        format!(
            r#"{{"kind": "waves", "amplitude_m_s2": 1, "frequency_hz": {frequency}, "waves": 2}}"#
        )
    };
    (0..6).map(one).collect::<Vec<_>>().join(", ")
}

fn fragility(more: &str) -> String {
    format!(
        r#"{{"schema": 1, "kind": "rocking_fragility", "block": {{"kind": "rectangle", "width_m": 0.5, "height_m": 2}},
        "motions": [{}], "scales": {{"from": 2, "to": 10, "count": 5}}, "replicates": 60, {more} "duration_s": 8}}"#,
        waves()
    )
}

const ANCHORED: &str = r#""friction": 0.6, "mass_kg": 1000, "neighbour_height_m": 2,
    "restrainers": [{"block_x_m": 0.2, "stiffness_n_per_m": 1e6, "strength_n": 2500, "ductility": 3}],"#;

#[test]
fn states_of_foot_gap_and_restrainers_are_those_of_the_trials() {
    let states = r#""damage_states": ["uplift", {"slip_m": 0.002}, {"impact_velocity_m_s": 0.2}, {"gap_m": 0.1},
        {"restrainer_force": 0.5}, "restrainer_rupture", "overturning"],"#;
    let outcome = read(&fragility(&format!("{ANCHORED} {states}"))).unwrap();
    let results = outcome.results.of::<rocking_fragility::result::Results>();
    let results = results.unwrap();
    let names: Vec<&str> = results
        .summary
        .states
        .iter()
        .map(|s| s.state.as_str())
        .collect();
    assert_eq!(names.len(), 7);
    let counted: [fn(&rocking_fragility::result::TrialRow) -> bool; 7] = [
        |t| t.overturned || t.peak_over_slenderness > 0.0,
        |t| t.overturned || t.max_slip_m >= 0.002,
        |t| t.overturned || t.max_impact_velocity_m_s >= Some(0.2),
        |t| t.overturned || t.max_way_m >= Some(0.1),
        |t| t.restrainer_force_over_strength >= Some(0.5),
        |t| t.restrainer_broke == Some(true),
        |t| t.overturned,
    ];
    for (name, holds) in names.iter().zip(counted) {
        let trials = results.trials.iter().filter(|t| holds(t)).count() as f64;
        let reached: f64 = results
            .fractions
            .iter()
            .filter(|row| row.state == *name)
            .map(|row| row.reached)
            .sum();
        assert_eq!(reached, trials, "{name}");
    }
    // What breaks was at its strength; there are trials of each kind.
    assert!(results.trials.iter().all(|t| {
        t.restrainer_broke != Some(true) || t.restrainer_force_over_strength >= Some(1.0)
    }));
    assert!(
        results
            .trials
            .iter()
            .any(|t| t.restrainer_broke == Some(true))
    );
    assert!(
        results
            .trials
            .iter()
            .any(|t| t.restrainer_broke == Some(false))
    );
}

#[test]
fn a_state_of_what_the_scene_has_not_is_refused_at_its_place() {
    let stack = r#""stack": {"blocks": [{"width_m": 1, "height_m": 1, "mass_kg": 1}]},"#;
    for (more, path) in [
        (
            r#""damage_states": [{"slip_m": 0.1}],"#,
            "damage_states[0].state.slip_m",
        ),
        (
            r#""damage_states": [{"gap_m": 0.1}],"#,
            "damage_states[0].state.gap_m",
        ),
        (
            r#""damage_states": ["overturning", {"restrainer_force": 0.5}],"#,
            "damage_states[1].state.restrainer_force",
        ),
        (
            r#""damage_states": ["restrainer_rupture"],"#,
            "damage_states[0].state.restrainer_rupture",
        ),
        (
            r#""damage_states": [{"impact_velocity_m_s": 0}],"#,
            "damage_states[0].state.impact_velocity_m_s",
        ),
        (r#""neighbour_height_m": 2,"#, "neighbour_height_m"),
        (r#""model_uncertainty": -0.1,"#, "model_uncertainty"),
        (r#""acceptable_probability": 1,"#, "acceptable_probability"),
        (r#""amplification": 0,"#, "amplification"),
        (
            r#""compared_intensities": ["most_efficient"],"#,
            "compared_intensities[0]",
        ),
        (
            r#""intensity": "most_efficient", "hazard": {"intensities": [1, 2], "annual_frequencies": [0.1, 0.01]},"#,
            "intensity",
        ),
    ] {
        assert_eq!(faults(&fragility(more)), [path], "{more}");
    }
    let of_stack = fragility(&format!(
        r#"{stack} "damage_states": [{{"impact_velocity_m_s": 1}}],"#
    ))
    .replace(
        r#""block": {"kind": "rectangle", "width_m": 0.5, "height_m": 2},"#,
        "",
    );
    assert_eq!(
        faults(&of_stack),
        ["damage_states[0].state.impact_velocity_m_s"]
    );
}

/// A floor that doubles the motion, by a factor or by motions of its own, is a ground motion of twice the scale: the
/// same trials at half the intensity.
#[test]
fn a_floor_moves_the_object_at_the_intensity_of_the_ground() {
    let rows = |text: &str| {
        let outcome = read(text).unwrap();
        let results = outcome.results.of::<rocking_fragility::result::Results>();
        let trials = &results.unwrap().trials;
        let row = |t: &rocking_fragility::result::TrialRow| {
            (t.peak_over_slenderness.to_bits(), t.overturned, t.intensity)
        };
        trials.iter().map(row).collect::<Vec<_>>()
    };
    let doubled =
        |motions: &str| motions.replace(r#""amplitude_m_s2": 1"#, r#""amplitude_m_s2": 2"#);
    let (low, high) = (r#""from": 2, "to": 10"#, r#""from": 4, "to": 20"#);
    let planar = |floor: &str, scales: &str| fragility(floor).replace(low, scales);
    let triplets = r#"[{"x": {"kind": "waves", "amplitude_m_s2": 1, "frequency_hz": 1}},
        {"x": {"kind": "waves", "amplitude_m_s2": 1, "frequency_hz": 1.4},
         "z": {"kind": "waves", "amplitude_m_s2": 1, "frequency_hz": 1.4}}]"#;
    let spatial = |floor: &str, scales: &str| {
        format!(
            r#"{{"schema": 1, "kind": "rocking_fragility", "friction": 0.8, "duration_s": 3, "replicates": 2, {floor}
            "scales": {{{scales}, "count": 3}}, "space": {{"angles": 2, "triplets": {triplets},
            "drum": {{"kind": "prism", "width_m": 0.4, "depth_m": 0.6, "height_m": 1.6}}}}}}"#
        )
    };
    let factor = r#""floor": {"amplification": 2},"#;
    let motions = format!(r#""floor": {{"motions": [{}]}},"#, doubled(&waves()));
    let of_storey = format!(r#""floor": {{"triplets": {}}},"#, doubled(triplets));
    let ground = rows(&planar("", high));
    let in_space = rows(&spatial("", high));
    for (floor, ground) in [
        (rows(&planar(factor, low)), &ground),
        (rows(&planar(&motions, low)), &ground),
        (rows(&spatial(factor, low)), &in_space),
        (rows(&spatial(&of_storey, low)), &in_space),
    ] {
        assert!(ground.iter().any(|row| f64::from_bits(row.0) > 0.0));
        assert_eq!(floor.len(), ground.len());
        for (a, b) in floor.iter().zip(ground) {
            assert_eq!((a.0, a.1, 2.0 * a.2), (b.0, b.1, b.2));
        }
    }
    for (text, path) in [
        (
            planar(r#""floor": {"amplification": 0},"#, low),
            "floor.amplification",
        ),
        (
            planar(
                r#""floor": {"motions": [{"kind": "waves", "amplitude_m_s2": 1, "frequency_hz": 1}]},"#,
                low,
            ),
            "floor",
        ),
        (planar(&of_storey, low), "floor.triplets"),
        (spatial(&motions, low), "floor.motions"),
        (spatial(r#""floor": {"triplets": []},"#, low), "floor"),
    ] {
        assert_eq!(faults(&text), [path]);
    }
}

/// An assessment whose target is that of the ground: on a floor that doubles it, it is that of twice the target.
#[test]
fn an_assessment_on_a_floor_has_the_target_of_the_ground() {
    let run = |more: &str, pga: f64| {
        let text = format!(
            r#"{{"schema": 1, "kind": "assess", "block": {{"kind": "rectangle", "width_m": 0.5, "height_m": 2}},
            "friction": 0.9, {more} "motions": [{}], "target": {{"kind": "pga", "pga_m_s2": {pga}}}, "replicates": 2,
            "factors": {{"from": 0.5, "to": 1.5, "count": 2}}, "duration_s": 6, "intensity": "pga",
            "reserve": {{"required_factor": 1, "angle_factor": 1}},
            "limit_states": [{{"state": {{"rotation": 0.2}}, "allowed_probability": 0.5}}]}}"#,
            waves()
        );
        let outcome = read(&text).unwrap();
        let results = outcome.results.of::<assess::result::Results>().unwrap();
        results.clone()
    };
    let (floor, ground) = (run(r#""floor": {"amplification": 2},"#, 2.0), run("", 4.0));
    for (a, b) in floor.records.iter().zip(&ground.records) {
        assert_eq!(2.0 * a.factor, b.factor);
        assert_eq!((a.pga_m_s2, a.pgv_m_s), (b.pga_m_s2, b.pgv_m_s));
        assert_eq!(a.peak_over_slenderness, b.peak_over_slenderness);
        assert_eq!(
            (a.needed_friction, a.reserve_factor),
            (b.needed_friction, b.reserve_factor)
        );
    }
    let (at_floor, at_ground) = (&floor.intensities, &ground.intensities);
    assert_eq!(2.0 * at_floor.range().1, at_ground.range().1);
    assert!(ground.fractions.iter().any(|row| row.reached > 0.0));
    for (a, b) in floor.fractions.iter().zip(&ground.fractions) {
        assert_eq!((a.factor, a.reached), (b.factor, b.reached));
    }
}

/// The annual frequency of the sheet is that of the library with the median and the dispersions beside it.
#[test]
fn the_sheet_follows_from_its_own_columns() {
    let hazard = r#""intensity": "pga", "model_uncertainty": 0.2, "acceptable_probability": 0.3,
        "hazard": {"intensities": [0.5, 2, 8, 30], "annual_frequencies": [0.1, 1e-2, 3e-4, 1e-6]},"#;
    let outcome = read(&fragility(hazard)).unwrap();
    let results = outcome.results.of::<rocking_fragility::result::Results>();
    let results = results.unwrap();
    assert!(!results.sheet.is_empty());
    for row in &results.sheet {
        assert!((row.beta_u - row.beta_u_records.hypot(0.2)).abs() < 1e-14);
        let hclpf = row.median * (-1.644_853_626_951_472_7 * (row.beta_r + row.beta_u)).exp();
        // At most that of a state that implies this one; overturning, the last, has none.
        assert!(row.hclpf <= hclpf * (1.0 + 1e-12));
        let last = row.state == results.summary.states.last().unwrap().state;
        assert!(!last || (row.hclpf / hclpf - 1.0).abs() < 1e-12);
        let (mean, low, high) = (
            row.annual_frequency.unwrap(),
            row.annual_frequency_lower.unwrap(),
            row.annual_frequency_upper.unwrap(),
        );
        assert!(low < mean && mean < high);
        assert!((row.annual_probability.unwrap() - (1.0 - (-mean).exp())).abs() < 1e-12);
    }
    // More severe states are rarer.
    let rates = results.sheet.iter().map(|row| row.annual_frequency);
    let margins: Vec<f64> = results.sheet.iter().map(|row| row.hclpf).collect();
    assert!(margins.windows(2).all(|pair| pair[0] <= pair[1]));
    assert!(
        rates
            .collect::<Vec<_>>()
            .windows(2)
            .all(|pair| pair[0] >= pair[1])
    );
}

/// A square prism under one wave along x: the angles 0 and 180 degrees are the two polarities in the plane, 90 and 270
/// those along y. The peaks are those of the planar block, to what steps of 0.5 ms leave of an impact.
#[test]
fn a_prism_in_space_is_its_planar_block_at_every_right_angle() {
    let wave = r#"{"kind": "waves", "amplitude_m_s2": 1, "frequency_hz": 1, "waves": 1}"#;
    let space = format!(
        r#"{{"schema": 1, "kind": "rocking_fragility", "friction": 5, "space": {{
            "drum": {{"kind": "prism", "width_m": 0.5, "depth_m": 0.5, "height_m": 2}}, "triplets": [{{"x": {wave}}}],
            "angles": 4}}, "scales": {{"from": 3, "to": 4, "count": 2}}, "duration_s": 4, "replicates": 2}}"#
    );
    let planar = format!(
        r#"{{"schema": 1, "kind": "rocking_fragility", "block": {{"kind": "rectangle", "width_m": 0.5, "height_m": 2}},
            "motions": [{wave}], "both_polarities": true, "scales": {{"from": 3, "to": 4, "count": 2}},
            "duration_s": 4, "replicates": 2}}"#
    );
    let trials = |text: &str| {
        let outcome = read(text).unwrap();
        let results = outcome.results.of::<rocking_fragility::result::Results>();
        results.unwrap().trials.clone()
    };
    let (found, plane) = (trials(&space), trials(&planar));
    assert_eq!(found.len(), 8);
    for row in &found {
        let angle = row.angle_deg.unwrap();
        let wanted = plane.iter().find(|t| t.scale == row.scale).unwrap();
        assert_eq!(row.overturned, wanted.overturned);
        let (a, b) = (row.peak_over_slenderness, wanted.peak_over_slenderness);
        let close = (a / b - 1.0).abs() < 5e-3;
        assert!(row.overturned || close, "{angle}: {a} {b}");
        // RotD50 of a motion along one line is its amplitude times cos 45°, between two of 36 directions.
        assert!((row.intensity / (row.scale * 0.5f64.sqrt()) - 1.0).abs() < 0.05);
    }
}

#[test]
fn what_does_not_go_with_a_body_in_space_is_refused_by_name() {
    let wave = r#"{"kind": "waves", "amplitude_m_s2": 1, "frequency_hz": 1}"#;
    let other = r#"{"kind": "waves", "amplitude_m_s2": 1, "frequency_hz": 2}"#;
    let scene = |more: &str, space: &str| {
        format!(
            r#"{{"schema": 1, "kind": "rocking_fragility", {more} "space": {{{space}}},
            "scales": {{"from": 3, "to": 4, "count": 2}}, "duration_s": 1}}"#
        )
    };
    let drum = r#""drum": {"kind": "cylinder", "radius_m": 0.3, "height_m": 2}"#;
    let good = format!(r#"{drum}, "triplets": [{{"x": {wave}}}]"#);
    let friction = r#""friction": 0.7,"#;
    for (more, space, path) in [
        ("", good.clone(), "friction"),
        (
            r#""friction": 0.7, "both_polarities": true,"#,
            good.clone(),
            "both_polarities",
        ),
        (
            friction,
            format!(r#"{drum}, "triplets": []"#),
            "space.triplets",
        ),
        (friction, format!(r#"{good}, "angles": 0"#), "space.angles"),
        (
            friction,
            format!(r#"{drum}, "triplets": [{{"x": {wave}, "y": {other}}}]"#),
            "space.triplets[0]",
        ),
        (
            r#""friction": 0.7, "damage_states": [{"impact_velocity_m_s": 1}],"#,
            good.clone(),
            "damage_states[0].state.impact_velocity_m_s",
        ),
    ] {
        assert_eq!(faults(&scene(more, &space)), [path], "{more} {space}");
    }
}

/// A statue from a mesh, a box of 0.4 x 0.4 x 1.6 m, is the prism of the same size.
#[test]
fn a_mesh_in_space_is_the_prism_that_it_draws() {
    let folder = tempfile::tempdir().unwrap();
    let corner = |k: u32| {
        let at = |bit: u32, size: f64| if k & bit == 0 { 0.0 } else { size };
        format!("v {} {} {}\n", at(1, 0.4), at(2, 0.4), at(4, 1.6))
    };
    let faces = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    let text: String = (0..8).map(corner).collect::<String>() + faces;
    std::fs::write(folder.path().join("box.obj"), text).unwrap();
    let run = |body: &str| {
        let scene = format!(
            r#"{{"schema": 1, "kind": "rocking_fragility", "friction": 0.8, "space": {{{body}, "angles": 2, "triplets": [
                {{"x": {{"kind": "waves", "amplitude_m_s2": 1, "frequency_hz": 1}}}}]}},
                "scales": {{"from": 2, "to": 4, "count": 2}}, "duration_s": 3, "replicates": 2}}"#
        );
        let (scene, _) = Scene::parse(&scene, folder.path()).unwrap();
        let outcome = scene.job().unwrap().run_silently().unwrap();
        let results = outcome.results.of::<rocking_fragility::result::Results>();
        let trials = &results.unwrap().trials;
        trials
            .iter()
            .map(|t| t.peak_over_slenderness)
            .collect::<Vec<_>>()
    };
    let mesh = run(r#""mesh": {"file": "box.obj", "density_kg_m3": 2700}"#);
    let prism =
        run(r#""drum": {"kind": "prism", "width_m": 0.4, "depth_m": 0.4, "height_m": 1.6}"#);
    assert!(prism.iter().any(|peak| *peak > 0.01));
    for (a, b) in mesh.iter().zip(&prism) {
        // The same body in other rounding; what rocks amplifies that.
        assert!((a - b).abs() < 1e-6, "{mesh:?} {prism:?}");
    }
}

/// A body on a plinth is the column of the two: tilts, slips and falls of its trials are those of the library, the
/// larger of the two bodies.
#[test]
fn a_body_on_a_plinth_is_the_column_of_both() {
    let scene = |drum: &str, more: &str| {
        format!(
            r#"{{"schema": 1, "kind": "rocking_fragility", "friction": 0.6, "duration_s": 3, "replicates": 2,
            "scales": {{"from": 3, "to": 6, "count": 2}}, "space": {{"angles": 2, {drum} {more}
            "triplets": [{{"x": {{"kind": "waves", "amplitude_m_s2": 1, "frequency_hz": 1.2}}}}]}}}}"#
        )
    };
    let drum = r#""drum": {"kind": "prism", "width_m": 0.3, "depth_m": 0.4, "height_m": 1}, "density_kg_m3": 2000,"#;
    let plinth = r#""plinth": {"shape": {"kind": "prism", "width_m": 0.5, "depth_m": 0.5, "height_m": 0.8},
        "density_kg_m3": 2600},"#;
    let outcome = read(&scene(drum, plinth)).unwrap();
    let results = outcome.results.of::<rocking_fragility::result::Results>();
    let trials = &results.unwrap().trials;
    let bodies = vec![
        SpatialBody::prism(0.5, 0.5, 0.8, 2600.0).unwrap(),
        SpatialBody::prism(0.3, 0.4, 1.0, 2000.0).unwrap(),
    ];
    let column = SpatialColumn::new(bodies).unwrap();
    assert_eq!(trials.len(), 4);
    for trial in trials {
        let frequency = Frequency::hertz(1.2);
        let wave = Component::waves(1.0, frequency, 0.0, 1.0).unwrap();
        let triplet = SpatialMotion {
            components: [wave, Component::at_rest(), Component::at_rest()],
        };
        let angle = trial.angle_deg.unwrap().to_radians();
        let motion = triplet.incident(angle, trial.scale).unwrap();
        let run = column
            .run(&motion, 9.81, &SpatialOptions::new(3.0, 0.6))
            .unwrap();
        let of = |value: fn(&DrumMotion) -> f64| run.drums.iter().map(value).fold(0.0, f64::max);
        assert_eq!(trial.peak_over_slenderness, of(|drum| drum.largest_ratio));
        assert_eq!(trial.max_slip_m, of(|drum| drum.largest_offset));
        assert_eq!(trial.overturned, run.fallen.is_some());
        assert!(trial.peak_over_slenderness > 0.0);
    }
    let alone = drum.replace(r#" "density_kg_m3": 2000,"#, "");
    let mesh = r#""mesh": {"file": "../../examples/statue.obj", "density_kg_m3": 2700}, "density_kg_m3": 1,"#;
    let narrow = plinth.replace("0.5", "0.0");
    for (drum, more, path) in [
        (drum, "", "space.density_kg_m3"),
        (&alone, plinth, "space.density_kg_m3"),
        (mesh, plinth, "space.density_kg_m3"),
        (drum, &narrow, "space.plinth"),
    ] {
        assert_eq!(faults(&scene(drum, more)), [path]);
    }
}

/// The check by reserve energy: a wave below lift-off rests and meets all; a fast one between one and two times
/// lift-off, which no rotation of the method resonates with, is not seen; a long strong one overturns.
#[test]
fn reserve_energy_says_where_it_does_not_see() {
    let assess = |amplitude: f64, frequency: f64| {
        let text = format!(
            r#"{{"schema": 1, "kind": "assess", "block": {{"kind": "rectangle", "width_m": 0.4, "height_m": 1.6}},
            "motions": [{{"kind": "waves", "amplitude_m_s2": {amplitude}, "frequency_hz": {frequency}}}],
            "limit_states": [{{"state": "overturning", "allowed_probability": 0.5}}], "replicates": 2,
            "factors": {{"from": 0.5, "to": 1.5, "count": 2}}, "reserve": {{"required_factor": 1, "angle_factor": 2}}}}"#
        );
        let outcome = read(&text).unwrap();
        let results = outcome.results.of::<assess::result::Results>().unwrap();
        results.summary.reserve.clone().unwrap()
    };
    use assess::limit_verdict::LimitVerdict;
    let rests = assess(2.0, 5.0);
    assert_eq!(
        (rests.verdict, rests.motions_that_meet),
        (LimitVerdict::Met, 1)
    );
    let hidden = assess(3.5, 100.0);
    assert_eq!(
        (hidden.verdict, hidden.motions_not_seen),
        (LimitVerdict::Undecided, 1)
    );
    let falls = assess(9.0, 0.5);
    assert_eq!(falls.verdict, LimitVerdict::NotMet);
    assert!(falls.least_factor < 1.0);
}

/// An assessment in space scales each triplet to the target by its value over the directions, and reaches its states in
/// the same trials as a fragility of the scaled motions.
#[test]
fn an_assessment_in_space_is_the_fragility_of_its_scaled_triplets() {
    let space = |amplitude: f64| {
        format!(
            r#""friction": 0.8, "duration_s": 4, "replicates": 2, "space": {{
            "drum": {{"kind": "prism", "width_m": 0.4, "depth_m": 0.6, "height_m": 1.6}}, "angles": 4, "directions": "rotd100",
            "triplets": [{{"x": {{"kind": "waves", "amplitude_m_s2": {amplitude}, "frequency_hz": 1}}}},
                {{"x": {{"kind": "waves", "amplitude_m_s2": {amplitude}, "frequency_hz": 1.4, "waves": 2}}}}]}}"#
        )
    };
    let assess = format!(
        r#"{{"schema": 1, "kind": "assess", {}, "target": {{"kind": "pga", "pga_m_s2": 3}},
        "factors": {{"from": 0.5, "to": 1.5, "count": 2}},
        "limit_states": [{{"state": {{"rotation": 0.2}}, "allowed_probability": 0.5}},
            {{"state": {{"slip_m": 0.001}}, "allowed_probability": 0.5}}]}}"#,
        space(2.0)
    );
    let outcome = read(&assess).unwrap();
    let results = outcome.results.of::<assess::result::Results>().unwrap();
    for record in &results.records {
        // RotD100 of a motion along one line is its amplitude.
        assert!((record.factor - 1.5).abs() < 1e-12 && (record.pga_m_s2 - 3.0).abs() < 1e-12);
        assert_eq!(record.needed_friction, None);
    }
    let fragility = format!(
        r#"{{"schema": 1, "kind": "rocking_fragility", {}, "scales": {{"from": 1.5, "to": 4.5, "count": 3}},
        "damage_states": [{{"rotation": 0.2}}, {{"slip_m": 0.001}}]}}"#,
        space(1.0)
    );
    let other = read(&fragility).unwrap();
    let other = other
        .results
        .of::<rocking_fragility::result::Results>()
        .unwrap();
    let mut compared = 0;
    for row in &results.fractions {
        // The target of 3 m/s² times a factor is the scale of a wave of 1 m/s².
        let mut same = other.fractions.iter();
        let same =
            same.find(|f| f.state == row.state && (f.scale - 3.0 * row.factor).abs() < 1e-12);
        assert_eq!(same.unwrap().reached, row.reached);
        compared += 1;
    }
    assert_eq!(compared, 6);
    let with = |key: &str| {
        assess.replace(
            r#""kind": "assess","#,
            &format!(r#""kind": "assess", {key}"#),
        )
    };
    for (key, path) in [
        (
            r#""reserve": {"required_factor": 1, "angle_factor": 2},"#,
            "reserve",
        ),
        (
            r#""mass_kg": 100, "restrainers": [{"stiffness_n_per_m": 1, "block_x_m": 0, "strength_n": 1}],"#,
            "restrainers",
        ),
    ] {
        assert!(faults(&with(key)).contains(&path.to_owned()), "{key}");
    }
}

/// Motions that never reach the acceleration of lift-off have no uniform duration: it is no measure of theirs, and the
/// others are.
#[test]
fn a_measure_of_which_no_motion_has_any_is_left_out() {
    let low =
        |more: &str| fragility(more).replace(r#""from": 2, "to": 10"#, r#""from": 0.1, "to": 0.5"#);
    let outcome = read(&low("")).unwrap();
    let results = outcome.results.of::<rocking_fragility::result::Results>();
    let ranked = results.unwrap().ranking.iter().map(|one| one.measure);
    let uniform = klast_rocking::fragility::IntensityMeasure::UniformDuration;
    let ranked: Vec<_> = ranked.collect();
    assert!(
        ranked.len() == 5 && !ranked.contains(&uniform),
        "{ranked:?}"
    );
    assert_eq!(
        faults(&low(r#""intensity": "uniform_duration","#)),
        ["intensity"]
    );
}
