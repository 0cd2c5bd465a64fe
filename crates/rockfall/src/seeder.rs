//! Where rocks come from, and what they are.

use crate::RockfallError;
use crate::error::within;
use crate::polygon::Polygon;
use glam::{DQuat, DVec2, DVec3};
use klast_dynamics::{Distribution, open_uniform};
use klast_geometry::terrain::{Grid, Terrain};
use klast_geometry::{ConvexPolyhedron, Pose, Solid};
use rand::Rng;

/// Where rocks are released, in map coordinates (m).
#[derive(Debug, Clone, PartialEq)]
pub enum Release {
    /// At one place.
    Point(DVec2),
    /// Along a line, uniformly by length.
    Line(Vec<DVec2>),
    /// Over an area, uniformly.
    Area(Polygon),
    /// Over squares of side `cell` about these centres, uniformly: see [`steep_cells`].
    Cells {
        /// Centres of the squares.
        centres: Vec<DVec2>,
        /// Side of a square (m).
        cell: f64,
    },
    /// At several places of one kind: points alike, lines by their length, areas by their area.
    Parts(Vec<Release>),
}

/// Centres, in map coordinates, of all raster cells steeper than an angle (rad).
pub fn steep_cells(grid: &Grid, angle: f64) -> Vec<DVec2> {
    let limit = libm::cos(angle);
    let origin = grid.origin().truncate();
    let cells = (0..grid.rows() - 1).flat_map(|j| (0..grid.columns() - 1).map(move |i| (i, j)));
    let centre = |(i, j)| DVec2::new(i as f64 + 0.5, j as f64 + 0.5) * grid.cell();
    let steep = |p: &DVec2| grid.surface(p.x, p.y).is_some_and(|s| s.normal.z < limit);
    cells
        .map(centre)
        .filter(steep)
        .map(|p| p + origin)
        .collect()
}

/// The shape of a rock.
#[derive(Debug, Clone, PartialEq)]
pub enum RockShape {
    /// A sphere; the rigid engine takes an icosphere of 162 vertices for it.
    Sphere,
    /// A solid of the geometry crate.
    Solid(Solid),
    /// The convex hull of points in any unit; only its proportions count.
    Points(Vec<DVec3>),
}

/// How big a rock is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RockSize {
    /// By volume (m³).
    Volume(Distribution),
    /// By mass (kg).
    Mass(Distribution),
}

/// A group of rocks of one shape.
#[derive(Debug, Clone, PartialEq)]
pub struct RockGroup {
    /// Share of the rocks of the source, relative to the other groups.
    pub share: f64,
    /// Shape.
    pub shape: RockShape,
    /// Size.
    pub size: RockSize,
    /// Density (kg/m³).
    pub density: Distribution,
}

/// How rocks are turned at release.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Attitude {
    /// Any way, uniformly over all rotations.
    Random,
    /// One way: any finite quaternion but zero, which is normalised.
    Fixed(DQuat),
}

/// Bound of heights (m), velocities (m/s) and spins (rad/s) at release, and of shares: beyond it squares and times of
/// flight lose their meaning.
const LARGEST: f64 = 1e6;

/// The least and the greatest value that can be drawn: a random number is at least 2⁻⁵⁴ from 0 and from 1.
pub(crate) fn extremes(d: &Distribution) -> [f64; 2] {
    [
        d.quantile(0.25 * f64::EPSILON),
        d.quantile(1.0 - 0.5 * f64::EPSILON),
    ]
}

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
    /// ground is counted and not run.
    pub elevation: Option<Distribution>,
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
    /// Number of the group of its shape.
    pub group: Option<usize>,
    /// Mass (kg); the density is drawn.
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

    /// Draws size and group: always three numbers.
    pub fn draw_rock(&self, rng: &mut impl Rng) -> DrawnRock {
        let total: f64 = self.groups.iter().map(|g| g.share).sum();
        let mut left = open_uniform(rng) * total;
        let mut group = 0;
        while group + 1 < self.groups.len() && left > self.groups[group].share {
            left -= self.groups[group].share;
            group += 1;
        }
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

    /// The rock of this start in place of one that was drawn.
    pub(crate) fn rock(&self, drawn: DrawnRock) -> DrawnRock {
        let density = drawn.mass / drawn.volume;
        let mass = self.mass.unwrap_or(drawn.mass);
        DrawnRock {
            group: self.group.unwrap_or(drawn.group),
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

/// A rotation uniform over all (Shoemake 1992): three numbers.
pub(crate) fn random_rotation(rng: &mut impl Rng) -> DQuat {
    let (u, v, w) = (open_uniform(rng), open_uniform(rng), open_uniform(rng));
    let (a, b) = ((1.0 - u).sqrt(), u.sqrt());
    let (s1, c1) = libm::sincos(std::f64::consts::TAU * v);
    let (s2, c2) = libm::sincos(std::f64::consts::TAU * w);
    DQuat::from_xyzw(a * s1, a * c1, b * s2, b * c2)
}

impl Release {
    fn validate(&self) -> Result<(), RockfallError> {
        let count = |field, found| RockfallError::Count {
            field,
            found,
            accepted: "a place to release from".into(),
        };
        match self {
            Release::Point(p) => within("release point", p.x + p.y, true, "finite map coordinates"),
            Release::Line(points) => {
                let length = points
                    .windows(2)
                    .fold(0.0, |sum, w| sum + w[0].distance(w[1]));
                within(
                    "length of a release line",
                    length,
                    points.len() >= 2 && length > 0.0,
                    "two or more points, above 0 m",
                )
            }
            Release::Area(polygon) => {
                let (lower, upper) = corners(polygon);
                let filled = polygon.area() / (upper - lower).element_product();
                within(
                    "part of its box that a release area fills",
                    filled,
                    filled >= LEAST_FILLED,
                    "1/10000 or more; a narrower strip is a line",
                )
            }
            Release::Cells { centres, .. } if centres.is_empty() => {
                Err(count("release cells (none is that steep)", 0))
            }
            Release::Cells { cell, .. } => within("release cell", *cell, *cell > 0.0, "above 0 m"),
            Release::Parts(parts) => {
                let Some(first) = parts.first() else {
                    return Err(count("parts of a release", 0));
                };
                let kind = std::mem::discriminant(first);
                let nested = matches!(first, Release::Parts(_));
                if nested || parts.iter().any(|p| std::mem::discriminant(p) != kind) {
                    return Err(RockfallError::Count {
                        field: "kinds of parts of a release",
                        found: 2,
                        accepted: "one kind: points, lines or areas".into(),
                    });
                }
                parts.iter().try_for_each(Release::validate)
            }
        }
    }

    /// How many rocks it gets beside others of its kind, in proportion.
    fn size(&self) -> f64 {
        match self {
            Release::Point(_) | Release::Parts(_) => 1.0,
            Release::Line(points) => points.windows(2).map(|w| w[0].distance(w[1])).sum(),
            Release::Area(polygon) => polygon.area(),
            Release::Cells { centres, cell } => centres.len() as f64 * cell * cell,
        }
    }

    /// Draws a place in map coordinates.
    pub fn draw(&self, rng: &mut impl Rng) -> DVec2 {
        match self {
            Release::Point(p) => *p,
            Release::Line(points) => along(points, open_uniform(rng)),
            Release::Area(polygon) => inside(polygon, rng),
            Release::Cells { centres, cell } => {
                let k = (open_uniform(rng) * centres.len() as f64) as usize;
                let centre = centres.get(k).copied().unwrap_or_default();
                centre + DVec2::new(open_uniform(rng) - 0.5, open_uniform(rng) - 0.5) * *cell
            }
            Release::Parts(parts) => {
                let mut left = open_uniform(rng) * parts.iter().map(Release::size).sum::<f64>();
                let mut parts = parts.iter().peekable();
                while let Some(part) = parts.next() {
                    left -= part.size();
                    if left < 0.0 || parts.peek().is_none() {
                        return part.draw(rng);
                    }
                }
                DVec2::ZERO
            }
        }
    }
}

fn along(points: &[DVec2], share: f64) -> DVec2 {
    let length = |w: &[DVec2]| w[0].distance(w[1]);
    let mut left = share * points.windows(2).map(length).sum::<f64>();
    for w in points.windows(2) {
        if left <= length(w) {
            return w[0].lerp(w[1], left / length(w));
        }
        left -= length(w);
    }
    points.last().copied().unwrap_or_default()
}

/// Part of its box that a release area has to fill at least, and how often a point of it is looked for: as often as
/// that misses one in e¹⁰⁰.
const LEAST_FILLED: f64 = 1e-4;
const LOOKS: usize = 1_000_000;

/// The box of a polygon.
fn corners(polygon: &Polygon) -> (DVec2, DVec2) {
    let points = || polygon.rings().iter().flatten();
    (
        points().fold(DVec2::INFINITY, |a, p| a.min(*p)),
        points().fold(DVec2::NEG_INFINITY, |a, p| a.max(*p)),
    )
}

/// A point of a polygon by rejection from its box.
fn inside(polygon: &Polygon, rng: &mut impl Rng) -> DVec2 {
    let (lower, upper) = corners(polygon);
    for _ in 0..LOOKS {
        let p = lower + (upper - lower) * DVec2::new(open_uniform(rng), open_uniform(rng));
        if polygon.contains(p) {
            return p;
        }
    }
    lower
}

impl RockShape {
    /// The shape with a volume of 1 m³.
    pub fn unit(&self) -> Result<ConvexPolyhedron, RockfallError> {
        let hull = match self {
            RockShape::Sphere => return Ok(Solid::Icosphere { level: 2 }.with_volume(1.0)?),
            RockShape::Solid(solid) => return Ok(solid.with_volume(1.0)?),
            RockShape::Points(points) => ConvexPolyhedron::from_points(points)?,
        };
        Ok(hull.scaled(libm::cbrt(1.0 / hull.volume()))?)
    }
}
