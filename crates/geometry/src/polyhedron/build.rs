//! From vertices and facet loops to a checked polyhedron.

use super::columns::{Columns, Planes};
use super::facets::{self, directed};
use super::{ConvexPolyhedron, Edge, Facet};
use crate::GeometryError;
use glam::DVec3;
use klast_numerics::OutOfRange;
use std::collections::BTreeMap;

impl ConvexPolyhedron {
    /// A polyhedron from vertices and facets, each facet a loop of vertices counter-clockwise seen from outside.
    ///
    /// The facets must close, be flat and bound one convex solid; each failure is its own error. Facets that
    /// share an edge and a plane are merged, vertices that no facet needs are dropped. Otherwise the order of
    /// facets is kept.
    pub fn from_facets(vertices: Vec<DVec3>, loops: &[Vec<u32>]) -> Result<Self, GeometryError> {
        if vertices.len() < 4 {
            return Err(OutOfRange::new("number of points", vertices.len(), "4 or more").into());
        }
        check_finite(&vertices)?;
        for (facet, corners) in loops.iter().enumerate() {
            check_loop(facet, corners, vertices.len())?;
        }
        check_closed(loops)?;
        let merged = facets::merge(&vertices, loops, 1e-12)?;
        assemble(vertices, merged)
    }
}

fn check_loop(facet: usize, corners: &[u32], vertices: usize) -> Result<(), GeometryError> {
    let bad = |found: String| {
        Err(GeometryError::BadFacet {
            facet,
            found,
            vertices,
        })
    };
    if let Some(v) = corners.iter().find(|v| **v as usize >= vertices) {
        return bad(format!("it names vertex {v}"));
    }
    let mut sorted = corners.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() != corners.len() || corners.len() < 3 {
        return bad(format!(
            "{} corners, {} of them distinct",
            corners.len(),
            sorted.len()
        ));
    }
    Ok(())
}

fn check_closed(loops: &[Vec<u32>]) -> Result<(), GeometryError> {
    let mut uses: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    loops
        .iter()
        .flat_map(|l| directed(l))
        .for_each(|e| *uses.entry(e).or_default() += 1);
    for (&(from, to), &found) in &uses {
        let opposite = uses.get(&(to, from)).copied().unwrap_or(0);
        if found != 1 || opposite != 1 {
            return Err(GeometryError::NotClosed {
                from,
                to,
                found,
                opposite,
            });
        }
    }
    Ok(())
}

/// Derives planes, edges and neighbours, and checks that the solid is closed, single and convex.
pub(super) fn assemble(
    vertices: Vec<DVec3>,
    loops: Vec<Vec<u32>>,
) -> Result<ConvexPolyhedron, GeometryError> {
    let (vertices, loops) = compact(&vertices, loops)?;
    check_closed(&loops)?;
    let sides: usize = loops.iter().map(Vec::len).sum();
    let found = vertices.len() as i64 - (sides / 2) as i64 + loops.len() as i64;
    if found != 2 {
        return Err(GeometryError::NotOneSolid { found });
    }
    let edges = edges_of(&loops);
    let mut numbers = BTreeMap::new();
    for (i, e) in edges.iter().enumerate() {
        numbers.insert((e.vertices[0], e.vertices[1]), i as u32);
        numbers.insert((e.vertices[1], e.vertices[0]), i as u32);
    }
    let sides = loops
        .iter()
        .flat_map(|l| directed(l))
        .filter_map(|e| numbers.get(&e).copied())
        .collect();
    let fans = fans(&vertices, &edges, &loops);
    let mut body = ConvexPolyhedron {
        facets: ranges(&loops),
        corners: loops.concat(),
        vertices,
        sides,
        edges,
        neighbours: fans.neighbours,
        neighbour_start: fans.start,
        vertex_facets: fans.facets,
        vertex_edges: fans.edges,
        radius: 0.0,
        inner_centre: DVec3::ZERO,
        inner_radius: 0.0,
        columns: Columns::default(),
        planes: Planes::default(),
    };
    body.measure()?;
    Ok(body)
}

/// Facets that are not measured yet.
fn ranges(loops: &[Vec<u32>]) -> Vec<Facet> {
    let mut start = 0;
    let facet = |l: &Vec<u32>| {
        let (own, len) = (start, l.len() as u32);
        start += len;
        Facet {
            normal: DVec3::ZERO,
            offset: 0.0,
            start: own,
            len,
        }
    };
    loops.iter().map(facet).collect()
}

/// Drops vertices that no facet uses and renumbers the rest in their order.
fn compact(
    vertices: &[DVec3],
    loops: Vec<Vec<u32>>,
) -> Result<(Vec<DVec3>, Vec<Vec<u32>>), GeometryError> {
    let mut number = vec![None; vertices.len()];
    for v in loops.iter().flatten() {
        if let Some(slot) = number.get_mut(*v as usize) {
            *slot = Some(0);
        }
    }
    let mut kept = Vec::with_capacity(vertices.len());
    for (slot, v) in number.iter_mut().zip(vertices) {
        if slot.is_some() {
            *slot = Some(kept.len() as u32);
            kept.push(*v);
        }
    }
    if kept.len() < 4 {
        return Err(OutOfRange::new("number of points", kept.len(), "4 or more").into());
    }
    let renumber = |l: Vec<u32>| {
        l.iter()
            .filter_map(|v| number.get(*v as usize).copied().flatten())
            .collect()
    };
    Ok((kept, loops.into_iter().map(renumber).collect()))
}

/// Edges that are not measured yet.
fn edges_of(loops: &[Vec<u32>]) -> Vec<Edge> {
    let mut owner = BTreeMap::new();
    for (f, l) in loops.iter().enumerate() {
        directed(l).for_each(|e| {
            owner.insert(e, f as u32);
        });
    }
    let mut edges = Vec::with_capacity(owner.len() / 2);
    for (f, l) in loops.iter().enumerate() {
        for (a, b) in directed(l) {
            if let (true, Some(&g)) = (a < b, owner.get(&(b, a))) {
                edges.push(Edge {
                    vertices: [a, b],
                    facets: [f as u32, g],
                    direction: DVec3::ZERO,
                    cosine: 0.0,
                    sine_squared: 0.0,
                });
            }
        }
    }
    edges
}

/// Neighbours, facets and edges around each vertex.
struct Fans {
    start: Vec<u32>,
    neighbours: Vec<u32>,
    facets: Vec<u32>,
    edges: Vec<u32>,
}

fn fans(vertices: &[DVec3], edges: &[Edge], loops: &[Vec<u32>]) -> Fans {
    let mut around: Vec<(Vec<u32>, Vec<u32>, Vec<u32>)> = vec![Default::default(); vertices.len()];
    for (i, e) in edges.iter().enumerate() {
        for (a, b) in [
            (e.vertices[0], e.vertices[1]),
            (e.vertices[1], e.vertices[0]),
        ] {
            around[a as usize].0.push(b);
            around[a as usize].2.push(i as u32);
        }
    }
    for (f, l) in loops.iter().enumerate() {
        l.iter().for_each(|&v| around[v as usize].1.push(f as u32));
    }
    let mut fans = Fans {
        start: vec![0],
        neighbours: vec![],
        facets: vec![],
        edges: vec![],
    };
    for (neighbours, facets, edges) in around {
        fans.neighbours.extend(neighbours);
        fans.facets.extend(facets);
        fans.edges.extend(edges);
        fans.start.push(fans.neighbours.len() as u32);
    }
    fans
}

/// Refuses NaN, infinities and coordinates whose squares overflow.
pub(super) fn check_finite(points: &[DVec3]) -> Result<(), GeometryError> {
    for (index, p) in points.iter().enumerate() {
        if let Some(found) = p.to_array().into_iter().find(|c| !c.is_finite()) {
            return Err(OutOfRange::new("points", found, "a finite number")
                .at(index)
                .into());
        }
        if p.abs().max_element() > 1e50 {
            return Err(OutOfRange::new(
                "points",
                p.abs().max_element(),
                "coordinates up to 1e50 m",
            )
            .into());
        }
    }
    Ok(())
}
