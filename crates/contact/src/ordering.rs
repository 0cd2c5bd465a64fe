//! Elimination order of the contact graph and the pattern of its factors, found once per problem.

/// Where every block of the factors goes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pattern {
    /// Contact eliminated at each position.
    pub order: Vec<usize>,
    /// Position of each contact.
    pub position: Vec<usize>,
    /// Later positions that position `k` is coupled with: `later[start[k]..start[k + 1]]`, ascending.
    pub start: Vec<usize>,
    pub later: Vec<u32>,
    /// For each `k` and each pair `x < y` of its list: the place of `later[y]` in the list of `later[x]`.
    pub target: Vec<u32>,
    pub target_start: Vec<usize>,
    /// Where each stored block of `W` goes.
    pub place: Vec<Place>,
}

/// A block of the matrix on the diagonal, or below or above it, in the factors' arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Diagonal(usize),
    Lower(usize),
    Upper(usize),
}

impl Pattern {
    pub fn new(row_start: &[usize], column: &[usize]) -> Self {
        let n = row_start.len().saturating_sub(1);
        let (order, lists) = minimum_degree(&adjacency(row_start, column));
        let mut position = vec![0; n];
        for (k, &i) in order.iter().enumerate() {
            position[i] = k;
        }
        let mut p = Self {
            order,
            position,
            start: vec![0],
            target_start: vec![0],
            ..Self::default()
        };
        for list in &lists {
            let mut later: Vec<u32> = list
                .iter()
                .map(|&i| p.position[i as usize] as u32)
                .collect();
            later.sort_unstable();
            p.later.extend(later);
            p.start.push(p.later.len());
        }
        for k in 0..n {
            p.targets(k);
        }
        for i in 0..n {
            for &j in &column[row_start[i]..row_start[i + 1]] {
                p.place.push(p.find(p.position[i], p.position[j]));
            }
        }
        p
    }

    pub fn list(&self, k: usize) -> &[u32] {
        &self.later[self.start[k]..self.start[k + 1]]
    }

    /// End of the positions from `k` on, at most `most`, that are coupled with each other and with the same later ones.
    pub fn panel_end(&self, k: usize, most: usize) -> usize {
        let mut end = k + 1;
        while end < self.order.len().min(k + most) {
            let (own, next) = (self.list(end - 1), self.list(end));
            // Fill-in made the one list contain the rest of the other.
            if own.first() != Some(&(end as u32)) || own.len() != next.len() + 1 {
                break;
            }
            end += 1;
        }
        end
    }

    fn targets(&mut self, k: usize) {
        for x in self.start[k]..self.start[k + 1] {
            let own = self.later[x] as usize;
            let mut at = self.start[own];
            for y in x + 1..self.start[k + 1] {
                // Both lists ascend, and fill-in made one contain the other.
                while self.later[at] != self.later[y] {
                    at += 1;
                }
                self.target.push(at as u32);
            }
        }
        self.target_start.push(self.target.len());
    }

    fn find(&self, i: usize, j: usize) -> Place {
        let at = |k: usize, other: usize| {
            let list = self.list(k);
            self.start[k] + list.partition_point(|&x| (x as usize) < other)
        };
        match i.cmp(&j) {
            std::cmp::Ordering::Equal => Place::Diagonal(i),
            std::cmp::Ordering::Less => Place::Upper(at(i, j)),
            std::cmp::Ordering::Greater => Place::Lower(at(j, i)),
        }
    }
}

/// Neighbours of each contact, ascending, itself left out, made symmetric.
fn adjacency(row_start: &[usize], column: &[usize]) -> Vec<Vec<u32>> {
    let n = row_start.len().saturating_sub(1);
    let mut lists: Vec<Vec<u32>> = vec![Vec::new(); n];
    for i in 0..n {
        for &j in &column[row_start[i]..row_start[i + 1]] {
            if i != j {
                lists[i].push(j as u32);
                lists[j].push(i as u32);
            }
        }
    }
    for list in &mut lists {
        list.sort_unstable();
        list.dedup();
    }
    lists
}

/// Minimum degree (Tinney & Walker 1967; ties by index): contacts with the same neighbours, such as those of one
/// manifold, are ordered as one. Gives the order and each one's neighbours at its elimination.
fn minimum_degree(adjacency: &[Vec<u32>]) -> (Vec<usize>, Vec<Vec<u32>>) {
    let (members, mut graph) = quotient(adjacency);
    let mut weight_of: Vec<usize> = members.iter().map(Vec::len).collect();
    let mut queue: std::collections::BTreeSet<(usize, usize)> = std::collections::BTreeSet::new();
    let degree =
        |list: &[u32], weight: &[usize]| list.iter().map(|&j| weight[j as usize]).sum::<usize>();
    for (i, list) in graph.iter().enumerate() {
        queue.insert((degree(list, &weight_of), i));
    }
    let (mut order, mut lists) = (Vec::new(), Vec::new());
    while let Some((_, k)) = queue.pop_first() {
        let list = std::mem::take(&mut graph[k]);
        let outside: Vec<u32> = list
            .iter()
            .flat_map(|&j| members[j as usize].iter().copied())
            .collect();
        for (at, &contact) in members[k].iter().enumerate() {
            let mut own = members[k][at + 1..].to_vec();
            own.extend_from_slice(&outside);
            order.push(contact as usize);
            lists.push(own);
        }
        for &i in &list {
            let i = i as usize;
            queue.remove(&(degree(&graph[i], &weight_of), i));
            graph[i] = union_without(&graph[i], &list, [k as u32, i as u32]);
        }
        weight_of[k] = 0;
        for &i in &list {
            queue.insert((degree(&graph[i as usize], &weight_of), i as usize));
        }
    }
    (order, lists)
}

/// Contacts grouped by equal closed neighbourhoods, and the graph between the groups.
fn quotient(adjacency: &[Vec<u32>]) -> (Vec<Vec<u32>>, Vec<Vec<u32>>) {
    let n = adjacency.len();
    let mut closed: Vec<(Vec<u32>, u32)> = adjacency
        .iter()
        .enumerate()
        .map(|(i, list)| {
            let mut c = list.clone();
            c.insert(c.partition_point(|&j| (j as usize) < i), i as u32);
            (c, i as u32)
        })
        .collect();
    closed.sort();
    let mut members: Vec<Vec<u32>> = Vec::new();
    let mut group = vec![0_u32; n];
    for (at, (list, i)) in closed.iter().enumerate() {
        if at == 0 || closed[at - 1].0 != *list {
            members.push(Vec::new());
        }
        group[*i as usize] = members.len() as u32 - 1;
        if let Some(last) = members.last_mut() {
            last.push(*i);
        }
    }
    let graph = members
        .iter()
        .enumerate()
        .map(|(g, m)| {
            let all = m.first().map_or(&[][..], |&i| &adjacency[i as usize]);
            let mut list: Vec<u32> = all
                .iter()
                .map(|&j| group[j as usize])
                .filter(|&h| h as usize != g)
                .collect();
            list.sort_unstable();
            list.dedup();
            list
        })
        .collect();
    (members, graph)
}

fn union_without(a: &[u32], b: &[u32], not: [u32; 2]) -> Vec<u32> {
    let mut out = Vec::with_capacity(a.len() + b.len());
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
    out
}
