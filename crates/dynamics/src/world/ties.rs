//! Ties and dowels: springs between two bodies, or a body and a point that stays, with a strength.
//!
//! A bar pulls along its length, `F = k e` with its elongation e, and never pushes. A dowel holds two points together
//! in all directions, `F = k d` with the way d between them; two dowels on an axis are a hinge. Beyond its strength a
//! tie is gone (brittle), or keeps that force and becomes longer (plastic).
//!
//! Over a step the force at its end acts, by the backward Euler rule, as of compliant contacts: a tie is one contact
//! without friction along its pull, with a compliance of its own, and a dowel is six. So no stiffness is too high for
//! the step, what is stiffer than the step resolves comes to rest at once, and the tie takes energy, never makes it.
//! The step is linear in the ways; what turning adds to the length of a tie is entered as a loss of the scheme.

use super::materials::missing;
use super::member::Member;
use crate::DynamicsError;
use glam::DVec3;
use klast_numerics::OutOfRange;
use klast_numerics::check::{finite_vector, non_negative, positive};

/// What a tie ends at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum End {
    /// A point of a body, given by where it is when the tie is made (m).
    Body {
        /// Number of the body.
        body: usize,
        /// The point.
        at: DVec3,
    },
    /// A point that stays (m).
    Fixed(DVec3),
}

/// How a tie acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Along the line between its ends, and only in tension: a rod, an anchor, a cable.
    Bar,
    /// In all directions: a dowel, a clamp, or one of the two points of a hinge. It transmits no moment.
    Dowel,
}

/// What a tie does beyond its strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// It breaks, in the step in which the force would exceed the strength.
    Brittle,
    /// It keeps the force and becomes longer.
    Plastic,
}

/// A tie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tie {
    /// Both ends; one of them at least is at a body that gravity and contacts move.
    pub ends: [End; 2],
    /// How it acts.
    pub form: Form,
    /// Force by elongation (N/m).
    pub stiffness: f64,
    /// Force when it is made (N), of a bar; 0 for a dowel.
    pub pretension: f64,
    /// Largest force (N); none without it.
    pub strength: Option<f64>,
    /// What it does beyond.
    pub failure: Failure,
}

/// What a tie is in at present.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TieState {
    /// Force on the first end (N); at the second its opposite acts.
    pub force: DVec3,
    /// Elongation since it was without force (m): of a bar negative where it is slack, of a dowel the way between its
    /// points.
    pub elongation: f64,
    /// The part of it that stays (m), of a bar.
    pub plastic: f64,
    /// Whether it has broken, was cut, or has lost a body.
    pub broken: bool,
}

#[derive(Debug, Clone, Copy)]
enum PlacedEnd {
    /// From the mass centre in body axes (m).
    Body(usize, DVec3),
    Fixed(DVec3),
}

/// What of a tie changes with time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Worn {
    /// Elongation that stays (m): of a bar its x, of a dowel by the world's axes.
    pub plastic: DVec3,
    pub broken: bool,
}

/// The bodies that ties hold on to, and what their positions are measured from (m).
pub(super) type Places<'a> = (&'a [Member], DVec3);

/// A tie of a world.
#[derive(Debug, Clone)]
pub(super) struct PlacedTie {
    ends: [PlacedEnd; 2],
    tie: Tie,
    /// Length without force (m), of a bar.
    length: f64,
    pub worn: Worn,
}

/// Where a tie is, and what it is in by that.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretched {
    /// Its ends, from where positions are measured (m).
    pub points: [DVec3; 2],
    /// From the first to the second end, of a bar.
    pub along: DVec3,
    /// Elastic elongation of a bar, negative where it is slack (m).
    pub elastic: f64,
    /// Force on the first end (N).
    pub force: DVec3,
}

impl PlacedTie {
    pub fn of(tie: &Tie, places: Places) -> Result<Self, DynamicsError> {
        positive("stiffness of a tie", tie.stiffness)?;
        non_negative("pretension", tie.pretension)?;
        if let Some(strength) = tie.strength {
            positive("strength of a tie", strength)?;
        }
        let strength = tie.strength.unwrap_or(f64::INFINITY);
        if tie.pretension > strength {
            let accepted = format!("up to the strength, {strength}");
            return Err(OutOfRange::new("pretension", tie.pretension, accepted).into());
        }
        if tie.form == Form::Dowel && tie.pretension != 0.0 {
            return Err(OutOfRange::new("pretension", tie.pretension, "0 for a dowel").into());
        }
        let mut placed = Self {
            ends: [
                PlacedEnd::place(tie.ends[0], places)?,
                PlacedEnd::place(tie.ends[1], places)?,
            ],
            tie: *tie,
            length: 0.0,
            worn: Worn::default(),
        };
        placed.check_bodies(places)?;
        let points = placed.points(places);
        let way = points[1] - points[0];
        match tie.form {
            Form::Dowel => placed.worn.plastic = way,
            Form::Bar => {
                positive("length of a bar", way.length())?;
                placed.length = way.length() - tie.pretension / tie.stiffness;
                positive("length of a bar without force", placed.length)?;
            }
        }
        Ok(placed)
    }

    fn check_bodies(&self, places: Places) -> Result<(), DynamicsError> {
        let bodies = self.bodies();
        if bodies[0].is_some() && bodies[0] == bodies[1] {
            let found = bodies[0].unwrap_or_default();
            let accepted = "another body than the first";
            return Err(OutOfRange::new("second body of a tie", found, accepted).into());
        }
        let free = bodies.into_iter().flatten().any(|i| is_free(places, i));
        match free {
            true => Ok(()),
            false => Err(OutOfRange::new("free bodies of a tie", 0, "1 or 2").into()),
        }
    }

    /// The bodies at its ends.
    pub fn bodies(&self) -> [Option<usize>; 2] {
        self.ends.map(|end| match end {
            PlacedEnd::Body(body, _) => Some(body),
            PlacedEnd::Fixed(_) => None,
        })
    }

    /// Whether it holds on to a body that is free.
    pub fn acts(&self, places: Places) -> bool {
        let bodies = self.bodies();
        !self.worn.broken && bodies.into_iter().flatten().any(|i| is_free(places, i))
    }

    fn points(&self, (members, origin): Places) -> [DVec3; 2] {
        self.ends.map(|end| match end {
            PlacedEnd::Body(body, at) => {
                let member = members.get(body);
                member.map_or(DVec3::ZERO, |m| m.state.pose.transform_point(at))
            }
            PlacedEnd::Fixed(at) => at - origin,
        })
    }

    pub fn stretched(&self, places: Places) -> Stretched {
        let points = self.points(places);
        let way = points[1] - points[0];
        let along = way.normalize_or_zero();
        let (elastic, force) = match self.tie.form {
            Form::Bar => {
                let elastic = way.length() - self.length - self.worn.plastic.x;
                (elastic, along * (self.tie.stiffness * elastic.max(0.0)))
            }
            Form::Dowel => {
                let way = way - self.worn.plastic;
                (way.length(), way * self.tie.stiffness)
            }
        };
        Stretched {
            points,
            along,
            elastic,
            force,
        }
    }

    pub fn state(&self, places: Places) -> TieState {
        if self.worn.broken {
            return TieState {
                force: DVec3::ZERO,
                elongation: 0.0,
                plastic: 0.0,
                broken: true,
            };
        }
        let now = self.stretched(places);
        let plastic = match self.tie.form {
            Form::Bar => self.worn.plastic.x,
            Form::Dowel => 0.0,
        };
        TieState {
            force: now.force,
            elongation: now.elastic + plastic,
            plastic,
            broken: false,
        }
    }

    /// Energy in it by where its ends are (J).
    pub fn stored(&self, places: Places) -> f64 {
        match self.acts(places) {
            true => self.energy(self.stretched(places).force),
            false => 0.0,
        }
    }

    /// Energy in it under a force (J).
    pub fn energy(&self, force: DVec3) -> f64 {
        0.5 * force.length_squared() / self.tie.stiffness
    }

    pub fn form(&self) -> Form {
        self.tie.form
    }

    pub fn stiffness(&self) -> f64 {
        self.tie.stiffness
    }

    pub fn strength(&self) -> Option<f64> {
        self.tie.strength
    }

    pub fn failure(&self) -> Failure {
        self.tie.failure
    }

    /// Lets it become longer until it carries no more than its strength.
    pub fn yield_to(&mut self, strength: f64, now: &Stretched) {
        let beyond = now.force.length() - strength;
        if beyond <= 0.0 {
            return;
        }
        let more = beyond / self.tie.stiffness;
        self.worn.plastic += match self.tie.form {
            Form::Bar => DVec3::X * more,
            Form::Dowel => now.force.normalize_or_zero() * more,
        };
    }
}

impl PlacedEnd {
    fn place(end: End, (members, origin): Places) -> Result<Self, DynamicsError> {
        match end {
            End::Fixed(at) => Ok(Self::Fixed(finite_vector("end of a tie", at)?)),
            End::Body { body, at } => {
                let member = members.get(body).filter(|m| !m.removed);
                let member = member.ok_or_else(|| missing("body of a tie", body, members.len()))?;
                let pose = &member.state.pose;
                let at = finite_vector("end of a tie", at)? - origin;
                Ok(Self::Body(body, pose.inverse_transform_point(at)))
            }
        }
    }
}

fn is_free((members, _): Places, body: usize) -> bool {
    members.get(body).is_some_and(Member::is_free)
}
