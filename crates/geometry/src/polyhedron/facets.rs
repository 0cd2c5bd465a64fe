//! Merging coplanar polygons of a closed surface into true facets.

use crate::GeometryError;
use glam::DVec3;
use std::collections::BTreeMap;

/// Largest extent along an axis, and largest coordinate.
pub(super) fn extent(points: &[DVec3]) -> (f64, f64) {
    let (mut low, mut high) = (DVec3::splat(f64::INFINITY), DVec3::splat(f64::NEG_INFINITY));
    for p in points {
        low = low.min(*p);
        high = high.max(*p);
    }
    (
        (high - low).max_element().max(0.0),
        low.abs().max(high.abs()).max_element(),
    )
}

/// Distance from a plane that counts as on it: relative to the size, and not below the rounding of coordinates.
pub(super) fn slack(points: &[DVec3], tolerance: f64) -> f64 {
    let (size, largest) = extent(points);
    (tolerance * size).max(8.0 * f64::EPSILON * largest)
}

/// Twice the area vector of a polygon (Newell), taken about its first corner.
pub(super) fn newell(vertices: &[DVec3], corners: &[u32]) -> DVec3 {
    let at = |i: u32| vertices.get(i as usize).copied().unwrap_or(DVec3::ZERO);
    let Some((&first, rest)) = corners.split_first() else {
        return DVec3::ZERO;
    };
    let origin = at(first);
    rest.windows(2)
        .map(|w| (at(w[0]) - origin).cross(at(w[1]) - origin))
        .sum()
}

/// The same with differences of products to their last bits (Kahan's, by fused operations): of a strip of a width `w`
/// and a length `l` plain ones are wrong by `ε l²`, which turns its normal by `ε l/w`.
pub(super) fn newell_of_strip(vertices: &[DVec3], corners: &[u32]) -> DVec3 {
    let at = |i: u32| vertices.get(i as usize).copied().unwrap_or(DVec3::ZERO);
    let Some((&first, rest)) = corners.split_first() else {
        return DVec3::ZERO;
    };
    let origin = at(first);
    let difference = |a: f64, b: f64, c: f64, d: f64| {
        let product = c * d;
        a.mul_add(b, -product) + (-c).mul_add(d, product)
    };
    let cross = |p: DVec3, q: DVec3| {
        DVec3::new(
            difference(p.y, q.z, p.z, q.y),
            difference(p.z, q.x, p.x, q.z),
            difference(p.x, q.y, p.y, q.x),
        )
    };
    rest.windows(2)
        .map(|w| cross(at(w[0]) - origin, at(w[1]) - origin))
        .sum()
}

/// Groups polygons that share edges and a plane, and returns the outline of each group.
///
/// The group grows from its largest polygon, whose plane is the best known one; a neighbour joins if all its
/// corners lie within `tolerance` times the size from that plane. A sliver has no plane of its own and joins
/// the first neighbour that takes it.
pub(super) fn merge(
    vertices: &[DVec3],
    polygons: &[Vec<u32>],
    tolerance: f64,
) -> Result<Vec<Vec<u32>>, GeometryError> {
    let group = grow_groups(vertices, polygons, slack(vertices, tolerance));
    let mut loops = outlines(polygons, &group)?;
    drop_straight_vertices(&mut loops);
    Ok(loops)
}

/// The group each polygon belongs to, named by its lowest polygon.
fn grow_groups(vertices: &[DVec3], polygons: &[Vec<u32>], slack: f64) -> Vec<usize> {
    let areas: Vec<DVec3> = polygons.iter().map(|p| newell(vertices, p)).collect();
    let mut owner = BTreeMap::new();
    for (i, polygon) in polygons.iter().enumerate() {
        for (a, b) in directed(polygon) {
            owner.insert((a, b), i);
        }
    }
    let mut order: Vec<usize> = (0..polygons.len()).collect();
    order.sort_by(|&a, &b| {
        areas[b]
            .length_squared()
            .total_cmp(&areas[a].length_squared())
            .then(a.cmp(&b))
    });
    let mut group = vec![usize::MAX; polygons.len()];
    for seed in order {
        if group[seed] != usize::MAX {
            continue;
        }
        let normal = areas[seed].normalize_or_zero();
        let origin = polygons[seed]
            .first()
            .and_then(|&v| vertices.get(v as usize))
            .copied()
            .unwrap_or_default();
        let on_plane = |i: usize| {
            polygons[i].iter().all(|&v| {
                vertices
                    .get(v as usize)
                    .is_some_and(|p| (*p - origin).dot(normal).abs() <= slack)
            })
        };
        let (mut members, mut stack) = (vec![seed], vec![seed]);
        group[seed] = seed;
        while let Some(i) = stack.pop() {
            for (a, b) in directed(&polygons[i]) {
                let Some(&j) = owner.get(&(b, a)) else {
                    continue;
                };
                if group[j] == usize::MAX && on_plane(j) {
                    group[j] = seed;
                    members.push(j);
                    stack.push(j);
                }
            }
        }
        let name = members.iter().copied().min().unwrap_or(seed);
        members.iter().for_each(|&m| group[m] = name);
    }
    group
}

/// The outer loop of each group, in the order of the groups' names.
fn outlines(polygons: &[Vec<u32>], group: &[usize]) -> Result<Vec<Vec<u32>>, GeometryError> {
    let mut owner = BTreeMap::new();
    for (i, polygon) in polygons.iter().enumerate() {
        for edge in directed(polygon) {
            owner.insert(edge, group[i]);
        }
    }
    let mut chains: BTreeMap<usize, BTreeMap<u32, u32>> = BTreeMap::new();
    for (i, polygon) in polygons.iter().enumerate() {
        for (a, b) in directed(polygon) {
            if owner.get(&(b, a)) != Some(&group[i])
                && chains.entry(group[i]).or_default().insert(a, b).is_some()
            {
                return Err(bad(i, "its outline touches itself"));
            }
        }
    }
    let mut loops = Vec::with_capacity(chains.len());
    for (name, chain) in chains {
        let Some(&start) = chain.keys().next() else {
            continue;
        };
        let (mut outline, mut at) = (vec![start], start);
        while let Some(&next) = chain.get(&at) {
            if next == start || outline.len() > chain.len() {
                break;
            }
            outline.push(next);
            at = next;
        }
        if outline.len() != chain.len() {
            return Err(bad(name, "its outline is not one loop"));
        }
        loops.push(outline);
    }
    Ok(loops)
}

/// Takes out vertices where only two facets meet (they lie on an edge), and facets left with two corners.
fn drop_straight_vertices(loops: &mut Vec<Vec<u32>>) {
    loop {
        let mut uses: BTreeMap<u32, usize> = BTreeMap::new();
        loops
            .iter()
            .flatten()
            .for_each(|v| *uses.entry(*v).or_default() += 1);
        let before: usize = loops.iter().map(Vec::len).sum();
        for outline in loops.iter_mut() {
            outline.retain(|v| uses.get(v).is_some_and(|n| *n > 2));
        }
        loops.retain(|outline| outline.len() > 2);
        if loops.iter().map(Vec::len).sum::<usize>() == before {
            return;
        }
    }
}

/// The directed edges of a loop.
pub(super) fn directed(corners: &[u32]) -> impl Iterator<Item = (u32, u32)> + '_ {
    corners
        .iter()
        .copied()
        .zip(corners.iter().copied().cycle().skip(1))
}

fn bad(facet: usize, found: &str) -> GeometryError {
    GeometryError::BadFacet {
        facet,
        found: found.into(),
        vertices: 0,
    }
}
