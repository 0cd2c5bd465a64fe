//! Minimum-degree (fill-reducing) ordering.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Minimum degree (Tinney & Walker 1967; ties by index): contacts with the same neighbours, such as those of one
/// manifold, are ordered as one. Its lists are used again from matrix to matrix.
#[derive(Debug, Clone, Default)]
pub(crate) struct MinimumDegree {
    /// Each contact with its neighbours, ascending: `closed[closed_start[i]..closed_start[i + 1]]`.
    closed: Vec<u32>,
    closed_start: Vec<usize>,
    /// Contacts by groups with equal neighbourhoods, and the group of each.
    members: Vec<u32>,
    member_start: Vec<usize>,
    group: Vec<u32>,
    /// Neighbours of each group among those that are left, with what elimination has added; and how many contacts they
    /// are, `usize::MAX` for a group that is gone.
    graph: Vec<Vec<u32>>,
    degree: Vec<usize>,
    /// Groups by degree, with entries that no longer hold.
    queue: BinaryHeap<Reverse<(usize, u32)>>,
    union: Vec<u32>,
}

/// An order of elimination, and the neighbours of each at its elimination: `later[start[k]..start[k + 1]]`.
pub(crate) struct Elimination<'a> {
    pub order: &'a mut Vec<usize>,
    pub start: &'a mut Vec<usize>,
    pub later: &'a mut Vec<u32>,
}

impl MinimumDegree {
    /// Finds the order for a matrix with these stored blocks, and the neighbours as contacts, in no order.
    pub fn find(&mut self, row_start: &[usize], column: &[usize], out: &mut Elimination) {
        self.neighbourhoods(row_start, column);
        self.groups();
        self.quotient();
        for list in [&mut *out.order, out.start] {
            list.clear();
        }
        out.later.clear();
        out.start.push(0);
        while let Some(Reverse((degree, k))) = self.queue.pop() {
            if self.degree[k as usize] == degree {
                self.eliminate(k as usize, out);
            }
        }
    }

    /// Closed neighbourhoods, made symmetric.
    fn neighbourhoods(&mut self, row_start: &[usize], column: &[usize]) {
        let n = row_start.len().saturating_sub(1);
        let places = || {
            (0..n).flat_map(|i| {
                let row = &column[row_start[i]..row_start[i + 1]];
                row.iter().map(move |&j| (i, j)).filter(|(i, j)| i != j)
            })
        };
        // First how many each has, itself included, then where its list begins, and moved along while it is filled.
        let start = &mut self.closed_start;
        start.clear();
        start.resize(n + 1, 1);
        for (i, j) in places() {
            start[i] += 1;
            start[j] += 1;
        }
        let mut total = 0;
        for s in start.iter_mut() {
            total += std::mem::replace(s, total);
        }
        let all = start[n];
        self.closed.clear();
        self.closed.resize(all, 0);
        let mut put = |i: usize, j: usize| {
            self.closed[start[i]] = j as u32;
            start[i] += 1;
        };
        (0..n).for_each(|i| put(i, i));
        for (i, j) in places() {
            put(i, j);
            put(j, i);
        }
        // Each start is now the end of its list: sort, drop what is there twice, close the gaps.
        let (mut from, mut to) = (0, 0);
        for i in 0..n {
            let end = self.closed_start[i];
            self.closed[from..end].sort_unstable();
            self.closed_start[i] = to;
            for at in from..end {
                let j = self.closed[at];
                if at == from || j != self.closed[at - 1] {
                    self.union.push(j);
                }
            }
            self.closed[to..to + self.union.len()].copy_from_slice(&self.union);
            to += self.union.len();
            self.union.clear();
            from = end;
        }
        self.closed_start[n] = to;
    }

    fn neighbours(&self, i: u32) -> &[u32] {
        let i = i as usize;
        &self.closed[self.closed_start[i]..self.closed_start[i + 1]]
    }

    fn contacts(&self, group: usize) -> &[u32] {
        &self.members[self.member_start[group]..self.member_start[group + 1]]
    }

    /// Contacts grouped by equal closed neighbourhoods.
    fn groups(&mut self) {
        let n = self.closed_start.len() - 1;
        let mut members = std::mem::take(&mut self.members);
        members.clear();
        members.extend(0..n as u32);
        members.sort_unstable_by(|&a, &b| {
            let lists = self.neighbours(a).cmp(self.neighbours(b));
            lists.then(a.cmp(&b))
        });
        self.member_start.clear();
        self.group.clear();
        self.group.resize(n, 0);
        for (at, &i) in members.iter().enumerate() {
            if at == 0 || self.neighbours(members[at - 1]) != self.neighbours(i) {
                self.member_start.push(at);
            }
            self.group[i as usize] = self.member_start.len() as u32 - 1;
        }
        self.member_start.push(n);
        self.members = members;
    }

    /// The graph between the groups.
    fn quotient(&mut self) {
        let count = self.member_start.len() - 1;
        if self.graph.len() < count {
            self.graph.resize_with(count, Vec::new);
        }
        self.degree.clear();
        self.queue.clear();
        for g in 0..count {
            let mut list = std::mem::take(&mut self.graph[g]);
            list.clear();
            if let Some(&i) = self.contacts(g).first() {
                let groups = self.neighbours(i).iter().map(|&j| self.group[j as usize]);
                list.extend(groups.filter(|&h| h as usize != g));
            }
            list.sort_unstable();
            list.dedup();
            let degree = list.iter().map(|&h| self.contacts(h as usize).len()).sum();
            self.graph[g] = list;
            self.degree.push(degree);
            self.queue.push(Reverse((degree, g as u32)));
        }
    }

    /// Takes a group out of the graph and connects its neighbours with each other.
    fn eliminate(&mut self, k: usize, out: &mut Elimination) {
        let list = std::mem::take(&mut self.graph[k]);
        let own = self.contacts(k);
        for (at, &contact) in own.iter().enumerate() {
            out.order.push(contact as usize);
            out.later.extend_from_slice(&own[at + 1..]);
            for &j in &list {
                out.later.extend_from_slice(self.contacts(j as usize));
            }
            out.start.push(out.later.len());
        }
        self.degree[k] = usize::MAX;
        for &i in &list {
            unite(
                &self.graph[i as usize],
                &list,
                [k as u32, i],
                &mut self.union,
            );
            let graph = &mut self.graph[i as usize];
            graph.clear();
            graph.append(&mut self.union);
            let degree = self.graph[i as usize]
                .iter()
                .map(|&h| self.contacts(h as usize).len())
                .sum();
            if self.degree[i as usize] != degree {
                self.degree[i as usize] = degree;
                self.queue.push(Reverse((degree, i)));
            }
        }
        self.graph[k] = list;
    }
}

/// Puts what is in either list, both ascending, into `out`, with two left out.
fn unite(a: &[u32], b: &[u32], not: [u32; 2], out: &mut Vec<u32>) {
    out.clear();
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let next = match (a.get(i), b.get(j)) {
            (Some(x), Some(y)) => *x.min(y),
            (Some(x), None) | (None, Some(x)) => *x,
            (None, None) => break,
        };
        i += usize::from(a.get(i) == Some(&next));
        j += usize::from(b.get(j) == Some(&next));
        if !not.contains(&next) {
            out.push(next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The order by its definition: of the contacts that are left, ones with the same neighbourhood at the start taken
    /// as one, always a group with the fewest neighbours, the first in the order of their neighbourhoods where several
    /// have.
    fn by_definition(lists: &[BTreeSet<usize>]) -> (Vec<usize>, Vec<BTreeSet<usize>>) {
        let mut sorted: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
        for (i, list) in lists.iter().enumerate() {
            let key: Vec<usize> = list.iter().copied().collect();
            match sorted.iter_mut().find(|(k, _)| *k == key) {
                Some((_, members)) => members.push(i),
                None => sorted.push((key, vec![i])),
            }
        }
        sorted.sort();
        let mut graph = lists.to_vec();
        let (mut order, mut later) = (Vec::new(), Vec::new());
        while !sorted.is_empty() {
            let outside = |members: &[usize]| {
                let all = &graph[members[0]];
                all.iter().filter(|j| !members.contains(j)).count()
            };
            let best = (0..sorted.len()).min_by_key(|&g| outside(&sorted[g].1));
            let (_, members) = sorted.remove(best.unwrap_or(0));
            for &i in &members {
                let mut list = graph[i].clone();
                list.remove(&i);
                for &a in &list {
                    graph[a].extend(&list);
                    graph[a].remove(&i);
                }
                order.push(i);
                later.push(list);
            }
        }
        (order, later)
    }

    #[test]
    fn the_least_degree_goes_first() {
        let mut search = MinimumDegree::default();
        for seed in 1..200_usize {
            // Places from a Kronecker sequence, few or many of them, one triangle of the matrix or parts of both.
            let n = 1 + seed % 23;
            let part = |k: usize, f: f64| ((k as f64 * f).fract() * n as f64) as usize;
            let mut lists: Vec<BTreeSet<usize>> = (0..n).map(|i| BTreeSet::from([i])).collect();
            let mut rows: Vec<BTreeSet<usize>> = lists.clone();
            for k in 0..seed {
                let (i, j) = (
                    part(k + seed, 0.618_033_988_75),
                    part(k * seed, 0.754_877_666_25),
                );
                rows[i].insert(j);
                lists[i].insert(j);
                lists[j].insert(i);
            }
            let mut row_start = vec![0];
            let mut column = Vec::new();
            for row in &rows {
                column.extend(row);
                row_start.push(column.len());
            }
            let (mut order, mut start, mut later) = (vec![], vec![], vec![]);
            let mut out = Elimination {
                order: &mut order,
                start: &mut start,
                later: &mut later,
            };
            search.find(&row_start, &column, &mut out);
            let (expected, neighbours) = by_definition(&lists);
            assert_eq!(order, expected, "{seed}");
            for (k, list) in neighbours.iter().enumerate() {
                let own = later[start[k]..start[k + 1]].iter();
                assert_eq!(own.map(|&i| i as usize).collect::<BTreeSet<_>>(), *list);
            }
        }
    }
}
