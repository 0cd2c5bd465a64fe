//! How the parts of a joined mesh meet: along borders, over each other, across a gap.

use super::ahead::{Ahead, ROUNDING, touching};
use super::border::{Border, passage};
use super::overhangs::outline;
use super::{Area, Facet, JoinedMesh, Terrain as _};
use glam::{DVec2, DVec3};
use std::collections::BTreeMap;

/// How two parts of a [`JoinedMesh`] meet, in plan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seam {
    /// Number of a part, from 0.
    pub first: usize,
    /// Number of a later part.
    pub second: usize,
    /// Length of the border along which they touch (m).
    pub border: f64,
    /// Area in which one lies over the other (m²).
    pub overlap: f64,
    /// Greatest difference of their heights there (m).
    pub apart: f64,
    /// Greatest height of the border of one above the other (m): of the wall between them.
    pub step: f64,
    /// Length of the gap between them (m). An opening wider than four triangles of mean size counts as a rim of the
    /// ground.
    pub gap: f64,
    /// Greatest width of the gap (m).
    pub width: f64,
}

/// Points of an edge from which the search goes outwards: the length of a gap is known to this part of an edge.
const SAMPLES: u32 = 8;
/// Widest gap, in sides of a typical triangle: what is wider is a rim.
const WIDEST: f64 = 4.0;

impl JoinedMesh {
    /// How the parts meet: an entry for each two that do, by their numbers.
    pub fn seams(&self) -> Vec<Seam> {
        let areas = self.areas();
        let mut found = Found::new();
        let mut near = Vec::new();
        for (own, _) in self.triangles() {
            for facet in own {
                self.overlaps(facet, &areas, &mut near, &mut found);
            }
        }
        for border in self.borders(&areas) {
            for step in self.ahead(&border).steps(&mut near) {
                let pair = pair(border.part, self.part_of(&step.below));
                let most = &mut found.entry(pair).or_default().step;
                *most = most.max(step.height);
            }
            for k in 0..SAMPLES {
                let share = (f64::from(k) + 0.5) / f64::from(SAMPLES);
                self.look_beyond(&border, share, &mut near, &mut found);
            }
        }
        let seams = found.into_iter();
        seams.map(|(parts, sides)| sides.seam(parts)).collect()
    }

    /// Triangles that close the steps at borders, with the part that is higher.
    pub(super) fn walls(&self) -> Vec<(u32, [DVec3; 3])> {
        let mut near = Vec::new();
        let mut walls = Vec::new();
        for border in self.borders(&self.areas()) {
            let ahead = self.ahead(&border);
            let steps = ahead.steps(&mut near).into_iter();
            if let Some(height) = steps.map(|s| s.height).reduce(f64::max) {
                let wall = ahead.wall(height, &mut near);
                walls.extend(wall.map(|wall| (border.part as u32, wall)));
            }
        }
        walls
    }

    /// The triangles of other parts in front of a border.
    fn ahead<'a>(&'a self, border: &'a Border) -> Ahead<'a, impl Fn(&Facet) -> bool> {
        Ahead {
            mesh: self.mesh(),
            border,
            counts: |f: &Facet| f.id < self.count() && self.part_of(f) != border.part,
        }
    }

    /// The triangles of parts that may meet an area.
    fn near(&self, area: Area, near: &mut Vec<Facet>) {
        near.clear();
        self.mesh().facets(area, near);
        near.retain(|f| f.id < self.count());
    }

    /// The first part that does not hang together with part 0 by seams; `None` where all do.
    pub fn loose(&self, seams: &[Seam]) -> Option<usize> {
        let mut held = vec![false; self.parts().len()];
        if let Some(first) = held.first_mut() {
            *first = true;
        }
        // A pass reaches at least one part more, or none.
        for _ in 0..held.len() {
            for seam in seams {
                let either = held[seam.first] || held[seam.second];
                (held[seam.first], held[seam.second]) = (either, either);
            }
        }
        held.iter().position(|h| !h)
    }

    /// The area of each part.
    fn areas(&self) -> Vec<Area> {
        let nothing = Area {
            lower: DVec2::INFINITY,
            upper: DVec2::NEG_INFINITY,
        };
        let both = |a: Area, b: Area| Area {
            lower: a.lower.min(b.lower),
            upper: a.upper.max(b.upper),
        };
        self.triangles()
            .map(|(own, _)| own.iter().map(Facet::plan).fold(nothing, both))
            .collect()
    }

    /// How far from a border other parts are looked for (m).
    fn reach(&self) -> f64 {
        WIDEST * self.mesh().resolution()
    }

    /// Adds the areas that a triangle has in common with triangles of earlier parts.
    fn overlaps(&self, facet: &Facet, areas: &[Area], near: &mut Vec<Facet>, found: &mut Found) {
        let (plan, part) = (facet.plan(), self.part_of(facet));
        if !areas[..part].iter().any(|a| a.meets(&plan)) {
            return;
        }
        self.near(plan, near);
        for other in near.iter() {
            let earlier = self.part_of(other);
            if earlier >= part {
                continue;
            }
            let common = common(facet, other);
            let area = area(&common);
            let least = area_of(facet).min(area_of(other));
            if area > ROUNDING * least {
                let apart = |&p: &DVec2| (facet.height_at(p) - other.height_at(p)).abs();
                let sides = found.entry((earlier, part)).or_default();
                sides.overlap += area;
                sides.apart = common.iter().map(apart).fold(sides.apart, f64::max);
            }
        }
    }

    /// The outline of each part, near another part.
    fn borders(&self, areas: &[Area]) -> Vec<Border> {
        let reach = self.reach();
        let mut borders = Vec::new();
        for (part, (own, _)) in self.triangles().enumerate() {
            let others = || areas.iter().enumerate().filter(|(k, _)| *k != part);
            let near = |plan: &Area| others().any(|(_, a)| a.meets(&plan.grown(reach)));
            let edges = outline(own).into_iter().filter(|e| near(&e.facet.plan()));
            borders.extend(edges.map(|e| Border::new(part, &e.facet, e.edge)));
        }
        borders
    }

    /// Looks outwards from a point of a border, and adds the part that is met there.
    fn look_beyond(&self, border: &Border, share: f64, near: &mut Vec<Facet>, found: &mut Found) {
        let from = border.from.lerp(border.to, share);
        let reach = self.reach();
        let touching = touching(from);
        let area = Area::spanned(from, from + reach * border.outward);
        self.near(area.grown(touching), near);
        let mut first: Option<(f64, usize)> = None;
        for facet in near.iter() {
            let Some((enters, leaves)) = passage(facet, from, border.outward) else {
                continue;
            };
            // A part that lies over or under the border itself makes no seam there.
            if self.part_of(facet) != border.part && enters < -touching && leaves >= -touching {
                return;
            }
            if leaves <= touching || enters > reach {
                continue;
            }
            if first.is_none_or(|(least, _)| enters < least) {
                first = Some((enters, self.part_of(facet)));
            }
        }
        // A part that lies over the border itself makes no seam there.
        let Some((enters, other)) =
            first.filter(|(enters, part)| *part != border.part && *enters >= -touching)
        else {
            return;
        };
        let seam = found.entry(pair(border.part, other)).or_default();
        let side = &mut seam.sides[usize::from(border.part > other)];
        let length = (border.to - border.from).length() / f64::from(SAMPLES);
        if enters <= touching {
            side.border += length;
        } else {
            side.gap += length;
            side.width = side.width.max(enters);
        }
    }
}

/// Two parts in the order of their numbers.
fn pair(one: usize, other: usize) -> (usize, usize) {
    (one.min(other), one.max(other))
}

/// What is found by pair of parts.
type Found = BTreeMap<(usize, usize), Sides>;

#[derive(Debug, Default)]
struct Sides {
    overlap: f64,
    apart: f64,
    step: f64,
    /// Seen from the first part and from the second.
    sides: [Side; 2],
}

#[derive(Debug, Default)]
struct Side {
    border: f64,
    gap: f64,
    width: f64,
}

impl Sides {
    fn seam(&self, (first, second): (usize, usize)) -> Seam {
        let most = |of: fn(&Side) -> f64| self.sides.iter().map(of).fold(0.0, f64::max);
        Seam {
            first,
            second,
            border: most(|s| s.border),
            overlap: self.overlap,
            apart: self.apart,
            step: self.step,
            gap: most(|s| s.gap),
            width: most(|s| s.width),
        }
    }
}

/// Corners of the area that two triangles have in common in plan (Sutherland and Hodgman 1974).
fn common(facet: &Facet, other: &Facet) -> Vec<DVec2> {
    let mut polygon: Vec<DVec2> = facet.corners.iter().map(|c| c.truncate()).collect();
    for k in 0..3 {
        let a = other.corners[k].truncate();
        let edge = other.corners[(k + 1) % 3].truncate() - a;
        let inside = |p: DVec2| edge.perp_dot(p - a);
        let mut kept = Vec::with_capacity(polygon.len() + 1);
        for (i, &p) in polygon.iter().enumerate() {
            let q = polygon[(i + 1) % polygon.len()];
            let (here, there) = (inside(p), inside(q));
            if here >= 0.0 {
                kept.push(p);
            }
            if (here > 0.0 && there < 0.0) || (here < 0.0 && there > 0.0) {
                kept.push(p.lerp(q, here / (here - there)));
            }
        }
        polygon = kept;
    }
    polygon
}

/// Area of a polygon whose corners go round counter-clockwise.
fn area(polygon: &[DVec2]) -> f64 {
    let Some(&first) = polygon.first() else {
        return 0.0;
    };
    let triangles = polygon.windows(2);
    let doubled = triangles.map(|w| (w[0] - first).perp_dot(w[1] - first));
    0.5 * doubled.sum::<f64>()
}

fn area_of(facet: &Facet) -> f64 {
    area(&facet.corners.map(|c| c.truncate()))
}
