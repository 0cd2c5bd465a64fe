//! Geometries of a shapefile: the parts of its records in plan.

use crate::refusal::{Result, bail, ensure};
use glam::DVec2;
use klast_geometry::ring;
use shapefile::{PolygonRing, Shape as Record};

use crate::shapes::Form;

/// The parts of a record.
#[derive(Debug, Default)]
pub struct Taken {
    /// In plan.
    pub forms: Vec<Form>,
    /// Whether its points have heights.
    pub heights: bool,
    /// Whether a ring that turns as a border lies in a border.
    pub doubted: bool,
}

impl Taken {
    fn flat(forms: Vec<Form>) -> Self {
        Self {
            forms,
            ..Self::default()
        }
    }
}

/// Takes a record apart.
///
/// # Errors
/// A part of too few points; a multipatch.
pub fn taken(record: Record) -> Result<Taken> {
    let heights = matches!(
        record,
        Record::PointZ(_) | Record::MultipointZ(_) | Record::PolylineZ(_) | Record::PolygonZ(_)
    );
    Ok(Taken {
        heights,
        ..forms(record)?
    })
}

fn forms(record: Record) -> Result<Taken> {
    let plan = match record {
        Record::NullShape => Vec::new(),
        Record::Point(p) => vec![Form::Point(DVec2::new(p.x, p.y))],
        Record::PointM(p) => vec![Form::Point(DVec2::new(p.x, p.y))],
        Record::PointZ(p) => vec![Form::Point(DVec2::new(p.x, p.y))],
        Record::Multipoint(m) => several(m.points().iter().map(|p| [p.x, p.y])),
        Record::MultipointM(m) => several(m.points().iter().map(|p| [p.x, p.y])),
        Record::MultipointZ(m) => several(m.points().iter().map(|p| [p.x, p.y])),
        Record::Polyline(l) => lines(
            l.parts()
                .iter()
                .map(|l| l.iter().map(|p| [p.x, p.y]).collect()),
        )?,
        Record::PolylineM(l) => lines(
            l.parts()
                .iter()
                .map(|l| l.iter().map(|p| [p.x, p.y]).collect()),
        )?,
        Record::PolylineZ(l) => lines(
            l.parts()
                .iter()
                .map(|l| l.iter().map(|p| [p.x, p.y]).collect()),
        )?,
        Record::Polygon(p) => {
            return polygons(p.rings().iter().map(|r| ring(r, |p| [p.x, p.y])));
        }
        Record::PolygonM(p) => {
            return polygons(p.rings().iter().map(|r| ring(r, |p| [p.x, p.y])));
        }
        Record::PolygonZ(p) => {
            return polygons(p.rings().iter().map(|r| ring(r, |p| [p.x, p.y])));
        }
        Record::Multipatch(_) => bail!(Unsupported, "a multipatch"; "points, lines, polygons"),
    };
    Ok(Taken::flat(plan))
}

fn several(points: impl Iterator<Item = [f64; 2]>) -> Vec<Form> {
    points.map(|p| Form::Point(DVec2::from_array(p))).collect()
}

fn lines(parts: impl Iterator<Item = Vec<[f64; 2]>>) -> Result<Vec<Form>> {
    let line = |points: Vec<[f64; 2]>| {
        ensure!(points.len() >= 2, Value, "a line of {} points", points.len(); "2 or more");
        Ok(Form::Line(
            points.into_iter().map(DVec2::from_array).collect(),
        ))
    };
    parts.map(line).collect()
}

/// A ring, whether it turns as a border does, and its points.
fn ring<P>(ring: &PolygonRing<P>, plan: impl Fn(&P) -> [f64; 2]) -> (bool, Vec<DVec2>) {
    let points = ring.points().iter().map(|p| DVec2::from_array(plan(p)));
    let mut points: Vec<DVec2> = points.collect();
    if points.len() > 1 && points.first() == points.last() {
        points.pop();
    }
    (matches!(ring, PolygonRing::Outer(_)), points)
}

/// Borders with the holes that lie in them: a ring in an even number of others is a border, one in an odd number of
/// them a hole of the smallest. Writers turn rings either way; of a record in which one that turns as a border lies in
/// a border it is said.
fn polygons(rings: impl Iterator<Item = (bool, Vec<DVec2>)>) -> Result<Taken> {
    let rings: Vec<(bool, Vec<DVec2>)> = rings.collect();
    for (_, points) in &rings {
        ensure!(points.len() >= 3, Value, "a ring of {} points", points.len(); "3 or more");
    }
    let plans: Vec<&[DVec2]> = rings.iter().map(|(_, points)| points.as_slice()).collect();
    let around = ring::around(&plans);
    let is_hole = |k: usize| !around[k].len().is_multiple_of(2);
    // All of them may be turned the other way.
    let largest = (0..rings.len()).find(|k| around[*k].is_empty());
    let turned = largest.is_some_and(|k| !rings[k].0);
    let doubted = (0..rings.len()).any(|k| is_hole(k) && rings[k].0 != turned);
    let borders = (0..rings.len()).filter(|k| !is_hole(*k));
    let mut borders: Vec<(usize, Vec<Vec<DVec2>>)> =
        borders.map(|k| (k, vec![rings[k].1.clone()])).collect();
    for k in (0..rings.len()).filter(|k| is_hole(*k)) {
        let border = borders
            .iter_mut()
            .find(|(j, _)| Some(j) == around[k].last());
        if let Some((_, own)) = border {
            own.push(rings[k].1.clone());
        }
    }
    let forms = borders.into_iter().map(|(_, rings)| Form::Polygon(rings));
    Ok(Taken {
        forms: forms.collect(),
        doubted,
        ..Taken::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An island in a lake in an island: the pond of the inner one is no hole of the outer one.
    #[test]
    fn a_hole_is_of_the_smallest_ring_around_it() {
        let square = |from: f64, to: f64| {
            [[from, from], [from, to], [to, to], [to, from]]
                .map(DVec2::from_array)
                .to_vec()
        };
        let nested = |turns: [bool; 4]| {
            let rings = [
                (turns[0], square(0.0, 10.0)),
                (turns[1], square(2.0, 8.0)),
                (turns[2], square(1.0, 9.0)),
                (turns[3], square(4.0, 5.0)),
            ];
            polygons(rings.into_iter()).unwrap()
        };
        let right = nested([true, true, false, false]);
        // However rings turn; where a hole turns as its border does, it is doubted.
        for (turns, doubted) in [
            ([false, false, true, true], false),
            ([true, true, true, false], true),
            ([false, false, false, false], true),
        ] {
            let found = nested(turns);
            assert_eq!(found.forms, right.forms, "{turns:?}");
            assert_eq!(found.doubted, doubted, "{turns:?}");
        }
        assert!(!right.doubted);
        let forms = right.forms;
        let corner = |k: usize| match &forms[k] {
            Form::Polygon(rings) => [rings.len() as f64, rings[1][0].x],
            other => panic!("{other:?}"),
        };
        assert_eq!([corner(0), corner(1)], [[2.0, 1.0], [2.0, 4.0]]);
    }

    /// A hole whose first point lies on the border is a hole all the same.
    #[test]
    fn a_hole_may_touch_its_border() {
        let ring = |points: &[(f64, f64)]| points.iter().map(|p| DVec2::from(*p)).collect();
        let border: Vec<DVec2> = ring(&[(0.0, 0.0), (0.0, 10.0), (10.0, 10.0), (10.0, 0.0)]);
        for corner in [(10.0, 5.0), (0.0, 5.0), (5.0, 0.0), (5.0, 10.0)] {
            let hole: Vec<DVec2> = ring(&[corner, (4.0, 4.0), (5.0, 6.0)]);
            let rings = [(true, border.clone()), (false, hole)];
            let forms = polygons(rings.into_iter()).unwrap().forms;
            assert!(matches!(&forms[..], [Form::Polygon(rings)] if rings.len() == 2));
        }
    }
}
