//! Steps that end where an impact falls into them.
//!
//! A step of the scheme changes the velocity by the forces at its start and then moves with it: between impacts the
//! leapfrog, of second order, whose velocities belong to the middles of the steps. An impact within a step would take
//! all of it, and a jump of the base's acceleration half of it, of first order. So a step ends at the jump, and at the
//! time, found as a root, at which the gap that makes the impact closes. There the velocities are moved on to the time
//! of the positions, the impact is solved for in an instant, and the rest of the step begins anew: velocities are moved
//! back to the middle of what comes, by the acceleration after the impact. Where that is not known yet it is taken from
//! two short steps which are then undone.

use super::SpatialMotion;
use crate::error::RockingError;
use glam::DVec3;
use klast_dynamics::{State, Twist, World, WorldContact, WorldSettings, WorldSnapshot};
use klast_ground_motion::Component;

/// Part of its time up to which an impact is found; parts of a step that an impact lasts, and that are no time at all.
const FOUND: f64 = 1e-6;
const INSTANT: f64 = 1e-2;
const ROUNDING: f64 = 1e-9;

/// Part of an instant after which a gap may close that counts as closed.
const CLOSED: f64 = 0.25;

/// Part of a step from which on it tells the acceleration.
const TELLING: f64 = 0.25;

/// Parts of a step over which the acceleration is measured, the first without an impact.
const MEASURED: [f64; 2] = [0.5, 0.05];

/// Instants that an impact may take: the first may have to close what is left of a gap.
const INSTANTS: usize = 4;

/// Impacts in a step; from then on it is made as it comes. Bodies that come to rest have infinitely many.
const MAX_IMPACTS_PER_STEP: usize = 16;

/// Part of the speed that gravity gives in a step up to which a contact closes without an impact.
const SLOW: f64 = 0.5;

/// Least jump of an acceleration (m/s²).
const JUMP: f64 = 1e-6;

/// Steps of a world, and how far its velocities are behind.
pub(super) struct Pace<'a> {
    motion: &'a SpatialMotion,
    step: f64,
    /// Speed (m/s) of approach from which on a contact that begins to press is an impact.
    slow: f64,
    /// Time (s) from that of the velocities to that of the positions.
    lag: f64,
    /// Changes of the velocities in a second, of the last steps without an impact; none after an impact.
    acceleration: Option<Vec<Twist>>,
    /// The states before the last part of a step, and the contacts that pressed and no longer closed.
    before: Vec<State>,
    closed: Vec<Key>,
    /// Whether each interface, from that of the base upwards, carried something in the last step.
    pub(super) carried: Vec<bool>,
    /// Times (s) at which the acceleration of the base jumps, the next one last.
    jumps: Vec<f64>,
    /// Energy (J) that velocities were given where they were moved in time.
    pub(super) shifted: f64,
}

type Key = (u32, u32, u32);

/// A state to come back to.
struct Kept {
    world: WorldSnapshot,
    shifted: f64,
}

impl<'a> Pace<'a> {
    /// Of a world that has yet to be stepped.
    pub(super) fn new(motion: &'a SpatialMotion, step: f64, gravity: f64) -> Self {
        let mut jumps: Vec<f64> = motion.components.iter().flat_map(jumps).collect();
        jumps.sort_unstable_by(|a, b| b.total_cmp(a));
        Self {
            motion,
            step,
            slow: SLOW * gravity * step,
            lag: 0.0,
            acceleration: None,
            before: Vec::new(),
            closed: Vec::new(),
            carried: Vec::new(),
            jumps,
            shifted: 0.0,
        }
    }

    /// Time (s) by which the velocities are behind the positions.
    pub(super) fn lag(&self) -> f64 {
        self.lag
    }

    /// Moves a world on to the end of a step.
    pub(super) fn advance(&mut self, world: &mut World, end: f64) -> Result<(), RockingError> {
        self.carried.clear();
        self.carried.resize(world.len(), false);
        let mut impacts = 0;
        while end - world.time() > ROUNDING * self.step {
            let now = world.time();
            let next = self.jumps.last().copied().unwrap_or(f64::INFINITY);
            if next <= now + ROUNDING * self.step {
                self.jumps.pop();
                self.catch_up(world)?;
                continue;
            }
            let (length, free) = (end.min(next) - now, self.step.min(next - now));
            if impacts == MAX_IMPACTS_PER_STEP {
                // From velocities at the time of the positions to ones at that of the end.
                self.one(world, length)?;
                self.note(world);
                continue;
            }
            self.measure(world, free)?;
            impacts += usize::from(self.up_to_an_impact(world, length)?);
        }
        Ok(())
    }

    /// Moves on by a time, or to the end of an impact before; whether there was one.
    fn up_to_an_impact(&mut self, world: &mut World, length: f64) -> Result<bool, RockingError> {
        let start = self.keep(world);
        let Some(closing) = self.attempt(world, length)? else {
            if length >= TELLING * self.step {
                self.acceleration = Some(self.change(world, length)?);
            }
            self.note(world);
            self.lag = 0.5 * length;
            return Ok(false);
        };
        let until = self.root(world, &start, closing, length)?;
        self.back(world, &start)?;
        if until > 0.0 {
            self.attempt(world, until)?;
            self.note(world);
            self.lag = 0.5 * until;
        }
        self.catch_up(world)?;
        self.close(world)?;
        for _ in 0..INSTANTS {
            self.one(world, INSTANT * self.step)?;
            self.note(world);
            let closes = |c: &WorldContact| presses(c) && closing_speed(c) > self.slow;
            if !world.contacts().iter().any(closes) {
                break;
            }
        }
        Ok(true)
    }

    /// Goes on to where the gap has closed: what is left of it is of higher order than a step.
    fn close(&mut self, world: &mut World) -> Result<(), RockingError> {
        for _ in 0..INSTANTS {
            let (start, instant) = (self.keep(world), INSTANT * self.step);
            let left = self.one(world, instant)?;
            self.back(world, &start)?;
            let Some(left) = left.filter(|left| *left > CLOSED * instant) else {
                break;
            };
            self.one(world, left * (1.0 - FOUND))?;
        }
        Ok(())
    }

    /// Time up to which a step from a state may last before a gap closes that makes an impact, from one at which it has
    /// closed and a first guess; none where it is closed at the start. Newton's method, in which each step tells at
    /// what speed the gap closes, in a bracket.
    fn root(
        &mut self,
        world: &mut World,
        start: &Kept,
        guess: f64,
        closed: f64,
    ) -> Result<f64, RockingError> {
        let (mut open, mut closed, mut next) = (0.0, closed, guess);
        while closed - open > FOUND * closed && closed > ROUNDING * self.step {
            let inside = open < next && next < closed;
            let length = if inside { next } else { 0.5 * (open + closed) };
            self.back(world, start)?;
            if self.attempt(world, length)?.is_some() {
                (closed, next) = (length, open);
                continue;
            }
            let closes = self.closing_time(world);
            (open, next) = (length, closes * (1.0 - 0.5 * FOUND));
            if closes - length <= FOUND * length {
                break;
            }
        }
        Ok(open)
    }

    /// Time from the start of the last step after which the first gap closes at the speed at its end.
    fn closing_time(&self, world: &World) -> f64 {
        let open = world.contacts().iter().filter(|c| !presses(c));
        let closing = open.filter(|c| closing_speed(c) > self.slow);
        closing.fold(f64::INFINITY, |first, c| {
            first.min(c.gap.max(0.0) / closing_speed(c))
        })
    }

    /// Measures the acceleration where it is not known, over up to so much time.
    fn measure(&mut self, world: &mut World, most: f64) -> Result<(), RockingError> {
        if self.acceleration.is_some() {
            return Ok(());
        }
        let start = self.keep(world);
        for part in MEASURED {
            let length = part * most;
            // What the base does enters the velocities of the first step only by half: the second one tells.
            let met = self.one(world, length)?.is_some() || self.one(world, length)?.is_some();
            if !met {
                self.acceleration = Some(self.change(world, length)?);
            }
            self.back(world, &start)?;
            if !met {
                break;
            }
        }
        Ok(())
    }

    /// A step of a length with velocities that belong to its middle; as [`Pace::one`].
    fn attempt(&mut self, world: &mut World, length: f64) -> Result<Option<f64>, RockingError> {
        self.shift(world, self.lag - 0.5 * length)?;
        self.one(world, length)
    }

    /// One step of a length. Where an impact falls into it, a contact that was approached and was not closed before,
    /// about the time after which its gap has closed.
    fn one(&mut self, world: &mut World, length: f64) -> Result<Option<f64>, RockingError> {
        let settings = *world.settings();
        if settings.step != length {
            world.set_settings(WorldSettings {
                step: length,
                ..settings
            })?;
        }
        self.closed.clear();
        let closed = |c: &&WorldContact| presses(c) && closing_speed(c) <= self.slow;
        let closed = world.contacts().iter().filter(closed);
        self.closed.extend(closed.map(key));
        self.before.clear();
        self.before.extend(world.states().copied());
        let base = self.base(world.time() + 0.5 * length);
        world.step()?;
        let new = |c: &&WorldContact| presses(c) && self.closed.binary_search(&key(c)).is_err();
        let closing = world.contacts().iter().filter(new).filter_map(|c| {
            let speed = self.approach(c, base);
            (speed > self.slow).then(|| c.gap.max(0.0) / speed)
        });
        Ok(closing.reduce(f64::min))
    }

    /// Speed (m/s) at which the bodies of a contact came together before the last step.
    fn approach(&self, contact: &WorldContact, base: DVec3) -> f64 {
        let of = |body: u32, point: DVec3| {
            let state = self.before.get(body as usize);
            state.map_or(base, |state| {
                state.velocity.at(point - state.pose.translation)
            })
        };
        let half = 0.5 * contact.apart;
        let first = of(contact.first, contact.point + half);
        -contact
            .normal
            .dot(first - of(contact.second, contact.point - half))
    }

    fn base(&self, time: f64) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|k| {
            self.motion.components[k].velocity(time)
        }))
    }

    /// Moves the velocities to the time of the positions. What accelerates is not known from there on.
    pub(super) fn catch_up(&mut self, world: &mut World) -> Result<(), RockingError> {
        self.shift(world, self.lag)?;
        (self.lag, self.acceleration) = (0.0, None);
        Ok(())
    }

    /// Moves the velocities on by a time.
    fn shift(&mut self, world: &mut World, time: f64) -> Result<(), RockingError> {
        let Some(acceleration) = self.acceleration.as_ref().filter(|_| time != 0.0) else {
            return Ok(());
        };
        let energy = world.kinetic_energy();
        for (body, change) in acceleration.iter().enumerate() {
            let old = world.state(body).map_or(Twist::ZERO, |s| s.velocity);
            let new = Twist::new(
                old.linear + change.linear * time,
                old.angular + change.angular * time,
            )?;
            world.set_velocity(body, new)?;
        }
        self.shifted += world.kinetic_energy() - energy;
        Ok(())
    }

    /// Change of the velocities in a second, over the last step of a length.
    fn change(&self, world: &World, length: f64) -> Result<Vec<Twist>, RockingError> {
        let pairs = world.states().zip(&self.before);
        let change = pairs.map(|(now, before)| {
            let (now, before) = (now.velocity, before.velocity);
            Twist::new(
                (now.linear - before.linear) / length,
                (now.angular - before.angular) / length,
            )
        });
        Ok(change.collect::<Result<_, _>>()?)
    }

    /// Notes which interfaces carried something in the last part of a step.
    fn note(&mut self, world: &World) {
        for contact in world.contacts().iter().filter(|c| presses(c)) {
            if let Some(carried) = interface(contact).and_then(|k| self.carried.get_mut(k)) {
                *carried = true;
            }
        }
    }

    fn keep(&self, world: &World) -> Kept {
        Kept {
            world: world.snapshot(),
            shifted: self.shifted,
        }
    }

    fn back(&mut self, world: &mut World, kept: &Kept) -> Result<(), RockingError> {
        self.shifted = kept.shifted;
        Ok(world.restore(&kept.world)?)
    }
}

fn presses(contact: &WorldContact) -> bool {
    contact.impulse.dot(contact.normal) > 0.0
}

/// The interface of a contact, named by the body above it; none where bodies meet that do not follow each other.
fn interface(contact: &WorldContact) -> Option<usize> {
    let (first, second) = (contact.first as usize, contact.second as usize);
    let under = match contact.plane() {
        Some(_) => 0,
        None => first.min(second) + 1,
    };
    let over = contact.plane().map_or(first.max(second), |_| first);
    (over == under).then_some(over)
}

/// Speed (m/s) at which a contact closes at the end of the last step.
fn closing_speed(contact: &WorldContact) -> f64 {
    -contact.normal.dot(contact.velocity)
}

fn key(contact: &WorldContact) -> Key {
    (contact.first, contact.second, contact.feature)
}

/// Times (s) at which an acceleration jumps. Where only its slope does, the scheme stays of second order.
fn jumps(component: &Component) -> Vec<f64> {
    let (mut before, mut end, mut times) = (0.0f64, None, Vec::new());
    for piece in component.pieces() {
        if (piece.acceleration(piece.start) - before).abs() > JUMP {
            times.push(piece.start);
        }
        end = piece.end.is_finite().then_some(piece.end);
        before = end.map_or(0.0, |end| piece.acceleration(end));
    }
    times.extend(end.filter(|_| before.abs() > JUMP));
    times
}
