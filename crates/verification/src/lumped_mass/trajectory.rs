use std::ops::ControlFlow;

use anyhow::Result;
use glam::{DVec2, DVec3};
use klast_geometry::terrain::{Profile, Terrain};
use klast_rockfall::lumped::{LumpedLaw, LumpedState, ReboundLaw};
use klast_rockfall::{
    Arc, Ground, GroundCoefficients, Layout, LumpedMass, LumpedRock, Motion, Outcome as Ending,
    SlopeMaterial, StopConditions,
};
use serde_json::json;

use super::scene::Lumped;
use crate::shipped::Stretch;
use crate::{Context, Outcome, Table};

/// Runs the table's rock and writes down every event between its arcs, with the names the reference gives them.
pub fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let points: Vec<DVec2> = table.input_as("profile_m")?;
    let profile = Profile::new(points)?;
    let triples: Vec<[f64; 3]> = table.input_as("materials_rn_rt_phi_deg")?;
    let materials = triples.iter().enumerate().map(|(k, [rn, rt, phi])| {
        SlopeMaterial::constant(
            &format!("segment {k}"),
            GroundCoefficients {
                normal_restitution: *rn,
                tangential_restitution: *rt,
                friction: libm::tan(phi.to_radians()),
            },
        )
    });
    let segments = (0..triples.len() as u32).collect();
    let ground = Ground::new(materials.collect(), Layout::Segments(segments))?;
    let samples = ground
        .sample(&mut klast_sampling::Streams::new(0).rng(klast_sampling::Purpose::Material, 0));
    let stop = StopConditions {
        normal_velocity_cutoff: table.input("normal_velocity_cutoff_m_per_s")?,
        stopped_velocity_cutoff: 0.0,
        ..StopConditions::default()
    };
    let start = LumpedState {
        position: DVec3::new(table.input("start_x_m")?, 0.0, table.input("start_z_m")?),
        velocity: DVec3::new(
            table.input("start_vx_m_per_s")?,
            0.0,
            table.input("start_vz_m_per_s")?,
        ),
        spin: DVec3::ZERO,
    };
    let law = ReboundLaw::Manual(LumpedLaw {
        rotation: table.input_as("rotation")?,
        ..LumpedLaw::default()
    });
    let rock =
        LumpedMass::of_volume(table.input("volume_m3")?)?.with_mass(table.input("mass_kg")?)?;
    let gravity = DVec3::new(0.0, 0.0, -table.input("gravity_m_per_s2")?);
    let mut arcs: Vec<Arc> = Vec::new();
    let engine = LumpedRock {
        law,
        gravity,
        ..LumpedRock::new(&profile, &ground, &stop)
    };
    let (ending, end, _) = engine.run(&rock, &samples, start, None, &mut |arc| {
        arcs.push(*arc);
        ControlFlow::Continue(())
    });
    let mut log = Log::new(&profile, "reference", Outcome::new());
    log.path(&arcs, ending == Ending::Stopped, end.spin);
    let mut log = Log::new(&profile, "as_shipped", log.outcome);
    let run = scene(table)?.run(&[])?;
    let arcs: Vec<Arc> = run.path.iter().map(arc).collect();
    let spin = run.last()?.spin;
    log.path(&arcs, run.stopped == run.seeded, spin);
    Ok(log.outcome)
}

/// The same rock as a scene.
fn scene(table: &Table) -> Result<Lumped> {
    let triples: Vec<[f64; 3]> = table.input_as("materials_rn_rt_phi_deg")?;
    let segments = triples.iter().map(|[rn, rt, phi]| {
        json!({"normal_restitution": rn, "tangential_restitution": rt, "friction_angle_deg": phi})
    });
    let points: serde_json::Value = table.input_as("profile_m")?;
    Ok(Lumped {
        terrain: json!({"profile": {"points_m": points}}),
        material: segments.collect(),
        release: [table.input("start_x_m")?, 0.0],
        height: json!({"elevation_m": table.input("start_z_m")?}),
        velocity: DVec3::new(
            table.input("start_vx_m_per_s")?,
            0.0,
            table.input("start_vz_m_per_s")?,
        ),
        spin: DVec3::ZERO,
        rotation: table.input_as("rotation")?,
        time: None,
    })
}

/// A stretch of a written trajectory as the arc that it was.
fn arc(stretch: &Stretch) -> Arc {
    let duration = stretch.time[1] - stretch.time[0];
    let change = stretch.velocity[1] - stretch.velocity[0];
    Arc {
        time: stretch.time[0],
        duration,
        position: stretch.position[0],
        velocity: stretch.velocity[0],
        acceleration: change / duration.max(f64::MIN_POSITIVE),
        spin: stretch.spin,
        attitude: [glam::DQuat::IDENTITY; 2],
        rotational_energy: stretch.rotational,
        motion: match stretch.flight {
            true => Motion::Flight,
            false => Motion::Contact,
        },
    }
}

struct Log<'a> {
    profile: &'a Profile,
    series: &'static str,
    outcome: Outcome,
    count: usize,
}

impl<'a> Log<'a> {
    fn new(profile: &'a Profile, series: &'static str, outcome: Outcome) -> Self {
        Log {
            profile,
            series,
            outcome,
            count: 0,
        }
    }

    /// Every event between arcs, and the stop.
    fn path(&mut self, arcs: &[Arc], stopped: bool, spin: DVec3) {
        for pair in arcs.windows(2) {
            self.between(&pair[0], &pair[1]);
        }
        if let (Some(last), true) = (arcs.last(), stopped) {
            let x = last.end().x - 1e-9;
            self.event("stop", last, DVec3::ZERO, DVec3::ZERO, spin, x);
        }
    }

    fn between(&mut self, arc: &Arc, next: &Arc) {
        let (before, after) = (arc.velocity_at(arc.duration), next.velocity);
        // Segments are told apart by a point just before or just after an event.
        let (back, ahead) = (arc.end().x - 1e-9, arc.end().x + 1e-9);
        let same = (before - after).length() <= 1e-9 * before.length();
        match (arc.motion, next.motion) {
            (Motion::Contact, Motion::Contact) if same => {}
            (Motion::Contact, Motion::Flight) if same => {
                self.event("convex vertex", arc, before, after, next.spin, back)
            }
            (Motion::Contact, _) => {
                self.event("concave vertex", arc, before, before, arc.spin, back);
                self.event("impact", arc, before, after, next.spin, ahead);
            }
            (Motion::Flight, Motion::Contact) => {
                self.event("impact->slide", arc, before, after, next.spin, back)
            }
            (Motion::Flight, Motion::Flight) => {
                self.event("impact", arc, before, after, next.spin, back)
            }
        }
    }

    fn event(&mut self, kind: &str, arc: &Arc, before: DVec3, after: DVec3, spin: DVec3, x: f64) {
        self.count += 1;
        let (end, id) = (arc.end(), self.count);
        let mut set = |name: &str, value: f64| {
            self.outcome
                .set(&format!("{id:02}/{name}"), self.series, value)
        };
        set("t", arc.time + arc.duration);
        set("x", end.x);
        set("z", end.z);
        set("vx-before", before.x);
        set("vz-before", before.z);
        set("vx-after", after.x);
        set("vz-after", after.z);
        // Rolling downhill towards +x turns about +y.
        set("w-after", spin.y);
        set(
            "segment",
            self.profile
                .surface(x, 0.0)
                .map_or(f64::NAN, |s| f64::from(s.facet)),
        );
        self.outcome
            .set(&format!("{id:02}/kind"), self.series, kind);
    }
}
