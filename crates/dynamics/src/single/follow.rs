//! One body on its way: what flight, impact and sustained contact share.

use super::contacts::common_normal;
use super::ground_law::{Drag, GroundLaw};
use super::observer::{Motion, Observer, StopReason, Stretch};
use super::options::Options;
use super::single_body::{SingleBody, Tally};
use super::slowing::Slowing;
use super::sustained::memory::Memory;
use super::workspace::Workspace;
use crate::{Body, State};
use glam::DVec3;
use klast_geometry::terrain::Terrain;
use std::ops::ControlFlow;

pub(super) const PATIENCE: u32 = 8;

pub(super) type Flow<T> = ControlFlow<StopReason, T>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Fly,
    Stay,
}

/// One body on its way.
pub(super) struct Follow<'a> {
    pub(super) terrain: &'a dyn Terrain,
    pub(super) options: &'a Options,
    pub(super) body: &'a Body,
    /// Radius of the inner sphere of the body (m): half of its thickness where it is thin.
    pub(super) inner_radius: f64,
    pub(super) law: &'a mut dyn GroundLaw,
    pub(super) observer: &'a mut dyn Observer,
    pub(super) state: State,
    pub(super) time: f64,
    pub(super) tally: Tally,
    pub(super) workspace: &'a mut Workspace,
    /// Flights in a row that led nowhere.
    pub(super) stuck: u32,
    /// Angle of the flights whose spin changes, at most (rad).
    pub(super) turned: f64,
    /// What sustained contact remembers from step to step.
    pub(super) memory: Memory,
}

impl<'a> Follow<'a> {
    pub(super) fn new(
        single: &'a SingleBody<'a>,
        body: &'a Body,
        start: State,
        law: &'a mut dyn GroundLaw,
        observer: &'a mut dyn Observer,
        workspace: &'a mut Workspace,
    ) -> Self {
        // Nothing of the run before may be seen.
        workspace.solver.forget();
        workspace.sustained.forget();
        let mut tally = Tally::default();
        tally.energy.largest_kinetic = start.kinetic_energy(body).total();
        Follow {
            terrain: single.terrain,
            options: &single.options,
            body,
            inner_radius: match body.sphere_radius() {
                Some(radius) => radius,
                None => body.shape().inner_sphere().1,
            },
            law,
            observer,
            state: start,
            time: 0.0,
            tally,
            workspace,
            stuck: 0,
            turned: 0.0,
            memory: Memory::new(start.pose.translation),
        }
    }

    pub(super) fn is_finite(&self) -> Flow<()> {
        let State { pose, velocity } = &self.state;
        let finite = pose.translation.is_finite()
            && pose.rotation.is_finite()
            && velocity.linear.is_finite()
            && velocity.angular.is_finite();
        match finite {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(StopReason::NotFinite),
        }
    }

    /// The drag that acts on the body where it is.
    pub(super) fn drag_here(&self) -> Option<Drag> {
        self.law.drag()?;
        let p = self.state.pose.translation;
        let ground = self.terrain.surface(p.x, p.y)?;
        self.law.drag_at(&self.state, p.z - ground.height)
    }

    /// What slows the body where it is: drag, and where it touches resistance to rolling.
    pub(super) fn slowing(&self, touches: bool) -> Slowing {
        let mass = self.body.mass();
        Slowing {
            rate: self.drag_here().map_or(0.0, |drag| drag.coefficient / mass),
            brake: match touches {
                true => self.law.resistance(&self.state, self.pressing()).max(0.0),
                false => 0.0,
            },
        }
    }

    /// The sum of the normal forces per mass (m/s²): of contacts with one normal what gravity gives, of others those of
    /// the last step, and where there was none what gravity gives on the ground under the mass centre.
    fn pressing(&self) -> f64 {
        let onto = |normal: DVec3| (-self.options.gravity.dot(normal)).max(0.0);
        if let Some(normal) = common_normal(&self.workspace.manifold) {
            return onto(normal);
        }
        let p = self.state.pose.translation;
        let under = || self.terrain.surface(p.x, p.y);
        let last = self.workspace.solver.pressing() / self.body.mass();
        match last > 0.0 {
            true => last,
            false => under().map_or(0.0, |ground| onto(ground.normal)),
        }
    }

    /// Slows the body for a time (s) in which nothing else acts.
    pub(super) fn slow_down(&mut self, slowing: &Slowing, time: f64) {
        if slowing.is_none() {
            return;
        }
        let was = self.state.kinetic_energy(self.body).total();
        self.state.velocity.linear = slowing.slowed(self.state.velocity.linear, time);
        let taken = was - self.state.kinetic_energy(self.body).total();
        self.tally.energy.enter_slowing(taken);
    }

    /// Goes to a state, in flight by gravity alone and in contact with the mean acceleration, and shows the stretch.
    pub(super) fn travel(&mut self, duration: f64, end: State, motion: Motion) -> Flow<()> {
        let start = self.state;
        let acceleration = match motion {
            Motion::Flight => self.options.gravity,
            Motion::Contact if duration > 0.0 => {
                (end.velocity.linear - start.velocity.linear) / duration
            }
            Motion::Contact => DVec3::ZERO,
        };
        self.go(duration, end, motion, acceleration)
    }

    /// Goes to a state with an acceleration of the mass centre (m/s²) and shows the stretch that leads there.
    pub(super) fn go(
        &mut self,
        duration: f64,
        end: State,
        motion: Motion,
        acceleration: DVec3,
    ) -> Flow<()> {
        let start = self.state;
        let stretch = Stretch {
            time: self.time,
            duration,
            motion,
            start,
            end,
            acceleration,
        };
        self.state = end;
        self.time += duration;
        #[cfg(feature = "tracing")]
        tracing::trace!(time = self.time, duration, ?motion, "stretch");
        shown(self.observer.stretch(&stretch))
    }

    pub(super) fn still_on_the_map(&self) -> Flow<()> {
        let p = self.state.pose.translation;
        match self.terrain.surface(p.x, p.y) {
            Some(_) => ControlFlow::Continue(()),
            None => ControlFlow::Break(StopReason::LeftMap),
        }
    }

    /// Fills the coefficients of each contact of the manifold.
    pub(super) fn ask_the_ground(&mut self) {
        let Workspace {
            manifold,
            coefficients,
            ..
        } = &mut *self.workspace;
        coefficients.clear();
        let points = &manifold.points;
        match (self.law.is_uniform(), points.first()) {
            (true, Some(c)) => coefficients.resize(points.len(), self.law.coefficients(c.point)),
            _ => coefficients.extend(points.iter().map(|c| self.law.coefficients(c.point))),
        }
    }
}

pub(super) fn shown(seen: ControlFlow<()>) -> Flow<()> {
    match seen {
        ControlFlow::Continue(()) => ControlFlow::Continue(()),
        ControlFlow::Break(()) => ControlFlow::Break(StopReason::Observer),
    }
}
