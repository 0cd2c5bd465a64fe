//! The ground, the body and the throws, and what lies between a computed throw and the measured one.

use super::throw::{Compared, Throw};
use super::tracker::Tracker;
use crate::RockfallError;
use glam::DVec3;
use klast_contact::ImpactLaw;
use klast_dynamics::single::{
    Coefficients, FirstImpact, Flight, Friction, Limits, Options, Restitution, Run, SingleBody,
    StopReason, TangentialRestitution, Workspace,
};
use klast_dynamics::{Body, State};
use klast_geometry::terrain::{Area, FacetPatch, Terrain, terrain_separation};
use klast_geometry::{Pose, Sphere};

/// Steps of a throw at most: flights, impacts and stretches in contact.
const STEPS: usize = 100_000;

/// A body touches the ground up to this overlap, relative to its radius: rounding of coordinates.
const TOUCHING: f64 = 1e-9;

/// A body and the ground on which it is thrown.
#[derive(Clone, Copy)]
pub struct Experiment<'a> {
    /// The ground.
    pub terrain: &'a dyn Terrain,
    /// The body.
    pub body: &'a Body,
    /// Gravity (m/s²).
    pub gravity: DVec3,
    /// Samples are compared until so long after the first impact (s).
    pub until: f64,
}

impl<'a> Experiment<'a> {
    fn engine(&self, law: &ImpactLaw, time: f64) -> Result<SingleBody<'a>, RockfallError> {
        let options = Options {
            gravity: self.gravity,
            limits: Limits {
                // A hair more, so that the last sample lies within.
                time: time * (1.0 + 1e-9) + 1e-9,
                steps: STEPS,
                ..Limits::default()
            },
            impact_law: law.clone(),
            // Laws are compared as they are.
            refuse_gains: false,
            ..Options::default()
        };
        Ok(SingleBody::new(self.terrain, options)?)
    }

    /// The first impact of a start within a time (s).
    ///
    /// # Errors
    /// A time that is not above 0.
    pub fn first_impact(
        &self,
        start: State,
        time: f64,
    ) -> Result<Option<FirstImpact>, RockfallError> {
        let engine = self.engine(&ImpactLaw::default(), time)?;
        let mut ground = Coefficients::default();
        Ok(engine.first_impact(self.body, start, &mut ground, &mut Workspace::default()))
    }

    /// Whether a start is in the ground. An engine refuses that over a plane; on facets they are asked here.
    ///
    /// # Errors
    /// None that a throw with a sample could have.
    pub fn starts_below(&self, throw: &Throw) -> Result<bool, RockfallError> {
        if self.terrain.as_plane().is_none() {
            let least = -TOUCHING * self.body.shape().radius();
            let gap = self.separation(&throw.start.pose);
            return Ok(gap.is_some_and(|gap| gap < least));
        }
        let engine = self.engine(&ImpactLaw::default(), throw.end())?;
        let mut ground = Coefficients::default();
        let run = engine.run(
            self.body,
            throw.start,
            &mut ground,
            &mut (),
            &mut Workspace::default(),
        );
        Ok(run.reason == StopReason::BelowGround)
    }

    /// How far the body is from the facets around it (m), below zero in the ground; none where there are none.
    fn separation(&self, pose: &Pose) -> Option<f64> {
        let (shape, centre) = (self.body.shape(), pose.translation);
        let mut facets = Vec::new();
        let around = Area::around(centre.truncate(), shape.radius());
        self.terrain.facets(around, &mut facets);
        let nearest = match self.body.sphere_radius() {
            Some(radius) => Sphere { centre, radius }.separation(&facets),
            None => {
                let mut patch = FacetPatch::default();
                terrain_separation(shape, pose, &facets, f64::INFINITY, &mut patch)
            }
        };
        nearest.map(|nearest| nearest.gap)
    }

    /// A throw computed with a law and coefficients, against its samples; `states` takes the computed state at each of
    /// them, if wanted.
    ///
    /// # Errors
    /// A throw without samples.
    pub fn compare(
        &self,
        throw: &Throw,
        (law, coefficients): (&ImpactLaw, Coefficients),
        states: Option<&mut Vec<State>>,
        workspace: &mut Workspace,
    ) -> Result<Compared, RockfallError> {
        let engine = self.engine(law, throw.end())?;
        let mut ground = coefficients;
        let mut tracker = Tracker::new((self.body, self.until), &throw.samples, states);
        let run = engine.run(self.body, throw.start, &mut ground, &mut tracker, workspace);
        tracker.rest(|time| self.after(&run, time));
        let mut compared = tracker.compared;
        compared.gains = run.tally.energy.gains;
        compared.unconverged = run.tally.unconverged;
        compared.cut_off = !matches!(
            run.reason,
            StopReason::AtRest | StopReason::MaximumTime | StopReason::Observer
        );
        if run.reason == StopReason::NotFinite || !compared.squares.is_finite() {
            compared.squares = f64::INFINITY;
        }
        Ok(compared)
    }

    /// All throws with one set of coefficients (μ, e, e_t).
    ///
    /// # Errors
    /// Coefficients out of range; a tangential restitution with the laws of Poisson and Stronge.
    pub fn trial(
        &self,
        throws: &[Throw],
        law: &ImpactLaw,
        [friction, restitution, tangential]: [f64; 3],
    ) -> Result<Vec<Compared>, RockfallError> {
        let coefficients = Coefficients::with_tangential(
            Restitution(restitution),
            TangentialRestitution(tangential),
            Friction(friction),
        )?;
        let mut workspace = Workspace::default();
        let compared = throws
            .iter()
            .map(|throw| self.compare(throw, (law, coefficients), None, &mut workspace));
        compared.collect()
    }

    /// Where a body is after its run has ended: at rest, or in a flight that meets nothing.
    fn after(&self, run: &Run, time: f64) -> State {
        match run.reason {
            StopReason::AtRest => run.state,
            _ => Flight::new(self.body, run.state, self.gravity).state(time - run.time),
        }
    }
}
