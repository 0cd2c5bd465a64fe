//! Which of two bodies hides the other: the order in which a painter puts convex bodies on the canvas.
//!
//! Two disjoint convex bodies are parted by a plane; the one on the eye's side of it is painted later. Where the
//! parting plane lies in no face (edge against edge) the face that comes closest to parting them decides. Bodies that
//! do not overlap on the canvas need no order, and a ring of bodies that hide one another is cut at its farthest.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A plane with its outward normal: n·x = level.
#[derive(Debug, Clone, Copy)]
pub struct Side {
    pub normal: [f64; 3],
    pub level: f64,
}

/// What the painter needs to know of a body.
#[derive(Debug, Clone)]
pub struct Sitter {
    pub corners: Vec<[f64; 3]>,
    pub sides: Vec<Side>,
    /// Least and largest coordinates on the canvas.
    pub low: [f64; 2],
    pub high: [f64; 2],
    /// Towards the eye, of the middle of its corners.
    pub depth: f64,
}

/// A face that is seen within this of edge-on says nothing about who is in front.
const EDGE_ON: f64 = 1e-6;

/// The bodies, first to paint first.
pub fn order(sitters: &[Sitter], eye: [f64; 3]) -> Vec<usize> {
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); sitters.len()];
    let mut waits: Vec<usize> = vec![0; sitters.len()];
    for (a, b) in overlapping(sitters) {
        let (first, second) = match hides(&sitters[a], &sitters[b], eye) {
            Ordering::Less => (a, b),
            Ordering::Greater => (b, a),
            Ordering::Equal => continue,
        };
        after[first].push(second);
        waits[second] += 1;
    }
    let far = |i: usize| Far(sitters[i].depth, i);
    let mut ready: BinaryHeap<Far> = (0..sitters.len())
        .filter(|&i| waits[i] == 0)
        .map(far)
        .collect();
    let mut painted = vec![false; sitters.len()];
    let mut order = Vec::with_capacity(sitters.len());
    while order.len() < sitters.len() {
        let next = match ready.pop() {
            Some(Far(_, i)) if painted[i] => continue,
            Some(Far(_, i)) => i,
            None => match (0..sitters.len()).filter(|&i| !painted[i]).map(far).max() {
                Some(Far(_, i)) => i,
                None => break,
            },
        };
        painted[next] = true;
        order.push(next);
        for &i in &after[next] {
            waits[i] = waits[i].saturating_sub(1);
            if waits[i] == 0 && !painted[i] {
                ready.push(far(i));
            }
        }
    }
    order
}

/// Pairs whose boxes overlap on the canvas.
fn overlapping(sitters: &[Sitter]) -> Vec<(usize, usize)> {
    let mut by_left: Vec<usize> = (0..sitters.len()).collect();
    by_left.sort_by(|&a, &b| sitters[a].low[0].total_cmp(&sitters[b].low[0]));
    let mut pairs = Vec::new();
    for (k, &a) in by_left.iter().enumerate() {
        for &b in &by_left[k + 1..] {
            let (p, q) = (&sitters[a], &sitters[b]);
            if q.low[0] >= p.high[0] {
                break;
            }
            if p.low[1] < q.high[1] && q.low[1] < p.high[1] {
                pairs.push((a, b));
            }
        }
    }
    pairs
}

/// `Less` if `a` is painted before `b`.
fn hides(a: &Sitter, b: &Sitter, eye: [f64; 3]) -> Ordering {
    let mut best: Option<(f64, Ordering)> = None;
    for (one, other, behind) in [(a, b, Ordering::Less), (b, a, Ordering::Greater)] {
        for side in &one.sides {
            let towards = dot(side.normal, eye);
            let distance = other
                .corners
                .iter()
                .map(|&c| dot(side.normal, c) - side.level)
                .fold(f64::INFINITY, f64::min);
            if towards.abs() > EDGE_ON && best.is_none_or(|(d, _)| distance > d) {
                let verdict = if towards > 0.0 {
                    behind
                } else {
                    behind.reverse()
                };
                best = Some((distance, verdict));
            }
        }
    }
    best.map_or_else(|| a.depth.total_cmp(&b.depth), |(_, verdict)| verdict)
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The farthest body comes first; of equals, the one with the lower number.
struct Far(f64, usize);

impl Ord for Far {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.total_cmp(&self.0).then(other.1.cmp(&self.1))
    }
}

impl PartialOrd for Far {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Far {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Far {}
