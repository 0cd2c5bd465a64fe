//! How far bodies go from their start, in the axes of the body that displacements are measured from.

use glam::{DQuat, DVec3};
use klast_dynamics::World;
use serde::{Deserialize, Serialize};

use super::build::Built;

/// Part of the run, at its end, in which a body that goes on is looked for.
const END: f64 = 0.1;
/// Mean speed at the end, in that of the largest displacement until then, and speed of the last step, in the mean at
/// the end, from which a body goes on: one that comes to rest is slower.
const GOES_ON: f64 = 0.5;
/// Way of a second run at the speed of the end, in `stands_within_m`, that is no motion.
const NO_MOTION: f64 = 0.01;

/// Displacements of all bodies.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Ways {
    /// Centres of mass at the start.
    start: Vec<[f64; 3]>,
    /// Attitude of the base at the start, a quaternion x, y, z, w.
    base_attitude: [f64; 4],
    /// Displacement of each body now in the axes of the base, and the largest so far (m).
    now: Vec<[f64; 3]>,
    most: Vec<f64>,
    end: Option<End>,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct End {
    /// When it began (s).
    begin: f64,
    /// Displacement of each body then, and the largest until then (m).
    from: Vec<[f64; 3]>,
    most: Vec<f64>,
    /// Distance of each body from where it was then (m), what the last step added, and whether a step has made it less.
    away: Vec<f64>,
    added: Vec<f64>,
    turned: Vec<bool>,
}

/// A body that goes on when the run ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moving {
    pub body: usize,
    /// Mean speed in the end of the run (m/s): away from the start, or from where it was when the end began.
    pub speed: f64,
}

impl Ways {
    /// The start of a run.
    pub fn new(built: &Built) -> Self {
        let world = &built.world;
        let centre = |s: &klast_dynamics::State| s.pose.translation.to_array();
        let base = built.base.and_then(|b| world.state(b));
        Self {
            start: world.states().map(centre).collect(),
            base_attitude: base.map_or(DQuat::IDENTITY, |s| s.pose.rotation).to_array(),
            now: vec![[0.0; 3]; world.len()],
            most: vec![0.0; world.len()],
            end: None,
        }
    }

    /// Enters where the bodies are after a step of a run of a duration (s).
    pub fn enter(&mut self, world: &World, base: Option<usize>, duration: f64) {
        if self.end.is_none() && world.time() > (1.0 - END) * duration {
            let before = world.time() - world.settings().step;
            self.end = Some(End {
                begin: before,
                from: self.now.clone(),
                most: self.most.clone(),
                away: vec![0.0; world.len()],
                added: vec![0.0; world.len()],
                turned: vec![false; world.len()],
            });
        }
        for i in 0..world.len() {
            let way = self.way(i, world, base).filter(|_| world.is_free(i));
            let way = way.unwrap_or_default();
            self.now[i] = way.to_array();
            self.most[i] = self.most[i].max(way.length());
            if let Some(end) = &mut self.end {
                let away = way.distance(DVec3::from(end.from[i]));
                end.added[i] = away - end.away[i];
                end.turned[i] |= end.added[i] < 0.0;
                end.away[i] = away;
            }
        }
    }

    /// Displacement of a body in the axes of the base: Qᵀ (x − x_b) − (x₀ − x_b0), Q = R_b R_b0ᵀ.
    fn way(&self, body: usize, world: &World, base: Option<usize>) -> Option<DVec3> {
        let moved = |i: usize| {
            let now = world.state(i)?.pose.translation;
            Some(now - DVec3::from(*self.start.get(i)?))
        };
        let way = moved(body)?;
        let Some(base) = base else { return Some(way) };
        // The difference of both ways, not of both places: far from the origin these are less exact.
        let way = way - moved(base)?;
        let (before, now) = (
            DQuat::from_array(self.base_attitude),
            world.state(base)?.pose.rotation,
        );
        if now == before {
            return Some(way);
        }
        let arm = DVec3::from(*self.start.get(body)?) - DVec3::from(*self.start.get(base)?);
        let way = way + (arm - now * (before.inverse() * arm));
        Some(before * (now.inverse() * way))
    }

    /// The body that went farthest, and how far (m).
    pub fn farthest(&self) -> (usize, f64) {
        let farthest = self
            .most
            .iter()
            .copied()
            .enumerate()
            .max_by(|a, b| a.1.total_cmp(&b.1));
        farthest.unwrap_or((0, 0.0))
    }

    /// The fastest body that still moves when the run ends. In the end of the run it gets farther from its start than
    /// ever before; or it goes away from where it was when the end began without once coming back towards there, as
    /// what swings does, and the last step does so at half of the mean speed or more: else it is about to turn round or
    /// stop. It is faster than `explained` (m/s) and than the drift of the scheme on a turning base, not slowing down,
    /// and not so slow that a second run would take it by a hundredth of `bar` (m).
    pub fn goes_on(&self, built: &Built, bar: f64, explained: f64) -> Option<Moving> {
        let end = self.end.as_ref()?;
        let (world, time) = (&built.world, built.world.time());
        let step = world.settings().step;
        let least = explained.max(NO_MOTION * bar / time);
        let base = built.base.and_then(|b| world.state(b));
        // A step moves what rides at a distance r along the tangent: by (ω h)² r/2 away from the axis.
        let drift = |body: usize| match (base, world.state(body)) {
            (Some(base), Some(s)) => {
                let arm = s.pose.translation - base.pose.translation;
                base.velocity.angular.length_squared() * step * arm.length()
            }
            _ => 0.0,
        };
        let moving = (0..self.now.len()).filter_map(|body| {
            let (before, lasted) = (end.most[body], time - end.begin);
            let farther = DVec3::from(self.now[body]).length() - before;
            let away = end.away[body];
            let turns = end.turned[body] || end.added[body] / step < GOES_ON * away / lasted;
            let speed = if turns { farther } else { away } / lasted;
            let until_then = if end.begin > 0.0 {
                before / end.begin
            } else {
                0.0
            };
            let goes_on = speed > least.max(drift(body)) && speed >= GOES_ON * until_then;
            goes_on.then_some(Moving { body, speed })
        });
        moving.max_by(|a, b| a.speed.total_cmp(&b.speed))
    }
}
