//! Where rocks come from, and what they are.

use super::release_area::Release;
use super::rock_group::{
    Attitude, LARGEST, RockGroup, RockSize, extremes, is_constant, random_rotation,
};
use crate::RockfallError;
use crate::error::within;
use glam::{DQuat, DVec2, DVec3};
use klast_geometry::Pose;
use klast_geometry::terrain::Area;
use klast_sampling::{Distribution, Purpose, Streams, open_uniform};
use rand::Rng;

/// A source of rocks.
#[derive(Debug, Clone, PartialEq)]
pub struct Seeder {
    /// Name in reports.
    pub name: String,
    /// Where.
    pub release: Release,
    /// Height over the ground (m, ≥ 0): of the lowest point of a rigid rock, of a lumped mass itself.
    pub height: Distribution,
    /// Height of the mass centre in map coordinates (m) in place of one over the ground. A rock that would lie in the
    /// ground deeper than it is raised is counted and not run.
    pub elevation: Option<Distribution>,
    /// Height (m, ≥ 0) up to which a rock that would start in the ground is raised until it stands on it.
    pub raised_up_to: f64,
    /// How many.
    pub count: u64,
    /// What.
    pub groups: Vec<RockGroup>,
    /// Velocity (m/s) by component.
    pub velocity: [Distribution; 3],
    /// Spin (rad/s) by component.
    pub spin: [Distribution; 3],
    /// Attitude.
    pub attitude: Attitude,
    /// Releases a year of the whole source (1/a), shared evenly by its rocks.
    pub annual_frequency: Option<f64>,
    /// Starts that are given one by one, taken in turn, in place of what is drawn; none where everything is drawn.
    pub starts: Vec<GivenStart>,
}

/// What a source gives to each of its rocks alike, by laws that are constants: no random numbers are needed for it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Constants {
    pub(crate) height: Option<f64>,
    pub(crate) rock: Option<DrawnRock>,
    /// Velocity and spin.
    pub(crate) velocity: Option<(DVec3, DVec3)>,
    pub(crate) attitude: Option<DQuat>,
}

/// One start as it was recorded; what is not given is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GivenStart {
    /// The place in plan, map coordinates (m).
    pub place: DVec2,
    /// Height of the mass centre in map coordinates (m).
    pub elevation: Option<f64>,
    /// Attitude.
    pub attitude: Option<DQuat>,
    /// Velocity (m/s).
    pub velocity: Option<DVec3>,
    /// Spin (rad/s).
    pub spin: Option<DVec3>,
    /// Number of its group, which gives shape, size and density.
    pub group: Option<usize>,
    /// Mass (kg); the density is that of its group, or drawn from it.
    pub mass: Option<f64>,
}

/// A rock as drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrawnRock {
    /// Number of its group.
    pub group: usize,
    /// Mass (kg).
    pub mass: f64,
    /// Volume (m³).
    pub volume: f64,
}

impl Seeder {
    /// A source that drops one kind of rock at rest in any attitude.
    pub fn new(name: &str, release: Release, count: u64, group: RockGroup) -> Self {
        let zero = Distribution::constant(0.0);
        Seeder {
            name: name.into(),
            release,
            height: zero,
            elevation: None,
            raised_up_to: 0.0,
            count,
            groups: vec![group],
            velocity: [zero; 3],
            spin: [zero; 3],
            attitude: Attitude::Random,
            annual_frequency: None,
            starts: Vec::new(),
        }
    }

    /// Refuses what cannot be drawn.
    pub fn validate(&self) -> Result<(), RockfallError> {
        let positive = |field, d: &Distribution| {
            let (low, high) = d.support();
            // Families that reach down to zero never give it.
            within(
                field,
                low,
                low >= 0.0 && high > 0.0,
                "above 0 over the whole (truncated) distribution",
            )
        };
        if self.count == 0 || self.groups.is_empty() {
            let (field, found) = if self.count == 0 {
                ("rocks of a source", 0)
            } else {
                ("rock groups of a source", 0)
            };
            return Err(RockfallError::Count {
                field,
                found,
                accepted: "1 or more".into(),
            });
        }
        for group in &self.groups {
            let holds = group.share > 0.0 && group.share <= LARGEST;
            within(
                "share of a rock group",
                group.share,
                holds,
                "above 0, up to 1e6",
            )?;
            positive("density", &group.density)?;
            match &group.size {
                RockSize::Volume(d) => positive("volume", d)?,
                RockSize::Mass(d) => positive("mass", d)?,
            }
        }
        let low = self.height.support().0;
        within(
            "release height over the ground",
            low,
            low >= 0.0,
            "0 m or more over the whole (truncated) distribution",
        )?;
        let raised = self.raised_up_to;
        let holds = (0.0..=LARGEST).contains(&raised);
        within("height of raised starts", raised, holds, "0 to 1e6 m")?;
        let bounded = |field, d: &Distribution, accepted| {
            let drawn = extremes(d);
            drawn
                .into_iter()
                .try_for_each(|x| within(field, x, x.abs() <= LARGEST, accepted))
        };
        bounded("release height", &self.height, "up to 1e6 m")?;
        if let Some(elevation) = &self.elevation {
            bounded("release elevation", elevation, "-1e6 to 1e6 m")?;
        }
        for velocity in &self.velocity {
            bounded("release velocity", velocity, "-1e6 to 1e6 m/s")?;
        }
        for spin in &self.spin {
            bounded("release spin", spin, "-1e6 to 1e6 rad/s")?;
        }
        if let Attitude::Fixed(q) = self.attitude {
            Pose::new(q, DVec3::ZERO)?;
        }
        if let Some(frequency) = self.annual_frequency {
            within(
                "annual frequency",
                frequency,
                (0.0..=1e6).contains(&frequency),
                "0 to 1e6 a year",
            )?;
        }
        for start in &self.starts {
            start.validate(self.groups.len())?;
        }
        self.release.validate()
    }

    /// What of the source lies in a rectangle, up to its upper sides, with its share of the rocks (one at least) and of
    /// the releases a year; none of a source beside it.
    #[must_use]
    pub fn cut(mut self, to: Area) -> Option<Self> {
        let (release, share) = self.release.cut(to)?;
        self.release = release;
        let within =
            |s: &GivenStart| s.place.cmpge(to.lower).all() && s.place.cmplt(to.upper).all();
        self.starts.retain(within);
        // A hair less, so that a whole number is not rounded up by the rounding of its share.
        let count = self.count as f64 * share * (1.0 - 1e-12);
        self.count = (count.ceil() as u64).max(1);
        self.annual_frequency = self.annual_frequency.map(|f| f * share);
        Some(self)
    }

    /// The turn of a rock among the sets of a ground, by its number in the source. It is the number itself, moved on by
    /// one with each round of the given starts, so that a start meets every set.
    pub(crate) fn turn(&self, number: u64) -> u64 {
        match self.starts.len() as u64 {
            0 | 1 => number,
            starts => number % starts + number / starts,
        }
    }

    /// The start that is given for a rock by its number in the source.
    pub fn given(&self, number: u64) -> Option<&GivenStart> {
        let turn = number.checked_rem(self.starts.len() as u64)?;
        self.starts.get(turn as usize)
    }

    /// What is the same for all of its rocks.
    pub(crate) fn constants(&self) -> Constants {
        let rng = &mut Streams::new(0).rng(Purpose::Shape, 0);
        let group = match self.groups.as_slice() {
            [group] => Some(group),
            _ => None,
        };
        let size = |group: &RockGroup| match &group.size {
            RockSize::Volume(size) | RockSize::Mass(size) => is_constant(size),
        };
        let rock = group.is_some_and(|g| size(g) && is_constant(&g.density));
        let velocity = self.velocity.iter().chain(&self.spin).all(is_constant);
        let fixed = matches!(self.attitude, Attitude::Fixed(_));
        Constants {
            height: is_constant(&self.height).then(|| self.height.sample(rng)),
            rock: rock.then(|| self.draw_rock_of(None, rng)),
            velocity: velocity.then(|| self.draw_velocity(rng)),
            attitude: fixed.then(|| self.draw_attitude(rng)),
        }
    }

    /// The rock of a start, drawn where it is not given: always three numbers.
    pub(crate) fn draw_given(&self, given: Option<&GivenStart>, rng: &mut impl Rng) -> DrawnRock {
        let drawn = self.draw_rock_of(given.and_then(|g| g.group), rng);
        given.map_or(drawn, |g| g.rock(drawn))
    }

    /// Draws density and size of the group that is given, or of one that is drawn. A given group uses up its number all
    /// the same, so that it changes no other draw.
    fn draw_rock_of(&self, given: Option<usize>, rng: &mut impl Rng) -> DrawnRock {
        let drawn = self.draw_group(rng);
        let group = given.filter(|g| *g < self.groups.len()).unwrap_or(drawn);
        let kind = &self.groups[group];
        let density = kind.density.sample(rng);
        match &kind.size {
            RockSize::Volume(d) => {
                let volume = d.sample(rng);
                DrawnRock {
                    group,
                    mass: density * volume,
                    volume,
                }
            }
            RockSize::Mass(d) => {
                let mass = d.sample(rng);
                DrawnRock {
                    group,
                    mass,
                    volume: mass / density,
                }
            }
        }
    }

    fn draw_group(&self, rng: &mut impl Rng) -> usize {
        let total: f64 = self.groups.iter().map(|g| g.share).sum();
        let mut left = open_uniform(rng) * total;
        let mut group = 0;
        while group + 1 < self.groups.len() && left > self.groups[group].share {
            left -= self.groups[group].share;
            group += 1;
        }
        group
    }

    /// Draws velocity and spin: always six numbers.
    pub fn draw_velocity(&self, rng: &mut impl Rng) -> (DVec3, DVec3) {
        let mut draw = |d: &[Distribution; 3]| {
            DVec3::new(d[0].sample(rng), d[1].sample(rng), d[2].sample(rng))
        };
        let velocity = draw(&self.velocity);
        (velocity, draw(&self.spin))
    }

    /// Draws the attitude: always three numbers (Shoemake 1992, uniform random rotations).
    pub fn draw_attitude(&self, rng: &mut impl Rng) -> DQuat {
        let random = random_rotation(rng);
        match self.attitude {
            Attitude::Fixed(q) => Pose::new(q, DVec3::ZERO).map_or(q, |pose| pose.rotation),
            Attitude::Random => random,
        }
    }
}

impl GivenStart {
    fn validate(&self, groups: usize) -> Result<(), RockfallError> {
        let bounded = |field, x: f64| within(field, x, x.abs() <= LARGEST, "-1e6 to 1e6");
        within(
            "start place",
            self.place.x + self.place.y,
            true,
            "finite map coordinates",
        )?;
        self.elevation
            .map_or(Ok(()), |z| bounded("start elevation", z))?;
        for v in self.velocity.into_iter().flat_map(|v| v.to_array()) {
            bounded("start velocity", v)?;
        }
        for w in self.spin.into_iter().flat_map(|w| w.to_array()) {
            bounded("start spin", w)?;
        }
        if let Some(q) = self.attitude {
            Pose::new(q, DVec3::ZERO)?;
        }
        if let Some(mass) = self.mass {
            within(
                "start mass",
                mass,
                mass > 0.0 && mass <= 1e12,
                "above 0 kg, up to 1e12",
            )?;
        }
        match self.group {
            Some(group) if group >= groups => Err(RockfallError::Count {
                field: "shape of a start",
                found: group,
                accepted: format!("below {groups}"),
            }),
            _ => Ok(()),
        }
    }

    /// The rock of this start, in place of one that was drawn of its group.
    pub(crate) fn rock(&self, drawn: DrawnRock) -> DrawnRock {
        let density = drawn.mass / drawn.volume;
        let mass = self.mass.unwrap_or(drawn.mass);
        DrawnRock {
            group: drawn.group,
            mass,
            volume: mass / density,
        }
    }

    /// Its attitude, normalised.
    pub(crate) fn rotation(&self) -> Option<DQuat> {
        let q = self.attitude?;
        Some(Pose::new(q, DVec3::ZERO).map_or(q, |pose| pose.rotation))
    }
}
