//! From links to coloured groups of rows.

use super::colour::colour;
use super::group::{Group, Row};
use super::{FactoredProblem, Link, Node, NodeVelocity};
use crate::cone::project;
use crate::error::{ContactError, finite, within};
use crate::frame::Frame;
use glam::DVec3;

/// Part of the speeds of two bodies that is the rounding of their difference: some sums of three products each.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Kept between loads.
#[derive(Debug, Clone, Default)]
pub(super) struct Buffers {
    /// Groups in the order of the links, with the range of links.
    found: Vec<(u32, u32)>,
    pub(super) colours: Vec<u8>,
    used: Vec<u64>,
    pub(super) order: Vec<u32>,
}

impl FactoredProblem {
    /// Takes nodes, their velocities without impulses and the contacts; starts from the impulses of the links.
    ///
    /// Sort the links by (first, second, feature) for an answer that does not depend on how contacts were found.
    ///
    /// # Errors
    /// When lengths differ, an index points nowhere, a link leads from a node to itself, a number is not finite, an inverse mass or `mu` is negative, or a
    /// normal is not of unit length. The problem is then empty.
    pub fn load(
        &mut self,
        nodes: &[Node],
        velocities: &[NodeVelocity],
        links: &[Link],
    ) -> Result<(), ContactError> {
        self.load_known(nodes, velocities, links, |_| None)
    }

    /// As [`FactoredProblem::load`], where each link is one of a problem of the same nodes (`from` says which) but for its bias,
    /// friction and impulse: what depends on places alone is taken from there, to the same bits.
    ///
    /// # Errors
    /// As those of a load. The problem is then empty.
    pub fn load_part(
        &mut self,
        whole: &FactoredProblem,
        velocities: &[NodeVelocity],
        (links, from): (&[Link], &[u32]),
    ) -> Result<(), ContactError> {
        let nodes = &whole.nodes[..whole.nodes.len().saturating_sub(1)];
        // Gains of springs are softer.
        let rigid = whole.compliance == 0.0;
        self.load_known(nodes, velocities, links, |i| {
            let row = *whole.row_of_link.get(*from.get(i)? as usize)?;
            rigid.then_some((whole, row as usize))
        })
    }

    /// `known` gives the row of a link in another problem of the same nodes.
    fn load_known<'a>(
        &mut self,
        nodes: &[Node],
        velocities: &[NodeVelocity],
        links: &[Link],
        known: impl Fn(usize) -> Option<(&'a FactoredProblem, usize)>,
    ) -> Result<(), ContactError> {
        self.clear();
        check(nodes, velocities, links)?;
        self.nodes.extend_from_slice(nodes);
        self.nodes.push(Node::FIXED);
        self.velocities.extend_from_slice(velocities);
        self.velocities.push(NodeVelocity::default());
        // Several lanes may add nothing to a fixed node: without a negative zero this never changes a bit.
        for (node, v) in self.nodes.iter().zip(&mut self.velocities) {
            if *node == Node::FIXED {
                v.linear += DVec3::ZERO;
                v.angular += DVec3::ZERO;
            }
        }
        self.free.extend_from_slice(&self.velocities);
        self.arrange(links);
        for i in 0..self.load.order.len() {
            let (start, end) = self.load.found[self.load.order[i] as usize];
            let built = self.build(links, (start as usize, end as usize), &known);
            if built.is_err() {
                self.clear();
                return built;
            }
        }
        self.start();
        Ok(())
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.velocities.clear();
        self.free.clear();
        self.groups.clear();
        self.rows.clear();
        self.row_of_link.clear();
        self.packs.clear();
        self.yielding.own_bias.clear();
        (self.q_max, self.rounding) = (0.0, 0.0);
        self.compliance = 0.0;
        self.turn = 0;
    }

    /// Finds the groups, colours them and sorts them by colour, in the order of the links within a colour.
    fn arrange(&mut self, links: &[Link]) {
        let ground = self.nodes.len() - 1;
        let buffers = &mut self.load;
        buffers.found.clear();
        for (i, link) in links.iter().enumerate() {
            let same = i > 0 && {
                let before = &links[i - 1];
                (before.first, before.second, before.normal)
                    == (link.first, link.second, link.normal)
            };
            match buffers.found.last_mut() {
                Some(group) if same => group.1 += 1,
                _ => buffers.found.push((i as u32, i as u32 + 1)),
            }
        }
        let pair = |&(start, _): &(u32, u32)| {
            let link = &links[start as usize];
            (link.first as u32, link.second.unwrap_or(ground) as u32)
        };
        let movable = |n: u32| {
            let node = &self.nodes[n as usize];
            node.inverse_mass != 0.0 || node.inverse_inertia != glam::DMat3::ZERO
        };
        let pairs = buffers.found.iter().map(pair);
        let count = colour(
            pairs,
            movable,
            &mut buffers.used,
            self.nodes.len(),
            &mut buffers.colours,
        );
        buffers.order.clear();
        for c in 0..count {
            let own = buffers
                .colours
                .iter()
                .enumerate()
                .filter(|&(_, &k)| usize::from(k) == c);
            buffers.order.extend(own.map(|(i, _)| i as u32));
        }
        self.row_of_link.resize(links.len(), 0);
    }

    fn build<'a>(
        &mut self,
        links: &[Link],
        (start, end): (usize, usize),
        known: &impl Fn(usize) -> Option<(&'a FactoredProblem, usize)>,
    ) -> Result<(), ContactError> {
        // The first contact is the reference point: with another first one all is different.
        let same = known(start).and_then(|(whole, row)| {
            let g = whole.rows[row].group;
            let group = &whole.groups[g as usize];
            (group.start as usize == row).then_some((g, group))
        });
        let mut group = match same {
            Some((_, group)) => *group,
            None => self.group_of(&links[start])?,
        };
        group.start = self.rows.len() as u32;
        for (i, link) in links.iter().enumerate().take(end).skip(start) {
            // What was between two groups may be left out, which makes them one.
            let known = known(i).map(|(whole, row)| &whole.rows[row]);
            let row = match known.filter(|row| same.is_some_and(|(g, _)| g == row.group)) {
                Some(row) => Row {
                    bias: link.bias,
                    mu: link.mu,
                    r: project(link.impulse, link.mu),
                    ..*row
                },
                None => {
                    let offset = link.arm_first - links[start].arm_first;
                    let offset = group.frame.to_local(offset);
                    group.row(offset, link.bias, link.mu, link.impulse)
                }
            };
            self.row_of_link[i] = self.rows.len() as u32;
            self.rows.push(Row {
                group: self.groups.len() as u32,
                link: i as u32,
                ..row
            });
        }
        group.end = self.rows.len() as u32;
        self.groups.push(group);
        Ok(())
    }

    /// The group whose first contact this is.
    fn group_of(&self, head: &Link) -> Result<Group, ContactError> {
        let ground = self.nodes.len() - 1;
        let pair = (head.first as u32, head.second.unwrap_or(ground) as u32);
        let frame = Frame::from_normal(head.normal)?;
        let arm_second = match head.second {
            Some(_) => head.arm_second,
            None => DVec3::ZERO,
        };
        let arms = (head.arm_first, arm_second);
        Ok(Group::new(pair, frame, arms, &self.nodes))
    }

    /// Notes the largest `‖q‖` and its rounding, then applies the impulses that the links bring.
    pub(super) fn start(&mut self) {
        let (mut largest, mut speed) = (0.0_f64, 0.0_f64);
        for group in &self.groups {
            let v = group.relative(&self.velocities);
            for row in &self.rows[group.start as usize..group.end as usize] {
                largest = largest.max(v.at(row).length());
            }
            speed = speed.max(group.speed(&self.velocities));
        }
        (self.q_max, self.rounding) = (largest, ROUNDING * speed);
        self.apply_all();
    }

    /// Gives the nodes the impulses of all rows.
    pub(super) fn apply_all(&mut self) {
        for group in &self.groups {
            let (mut p, mut t) = (DVec3::ZERO, DVec3::ZERO);
            for row in &self.rows[group.start as usize..group.end as usize] {
                p += row.r;
                t += row.offset.cross(row.r);
            }
            group.apply(p, t, &self.nodes, &mut self.velocities);
        }
    }

    /// Replaces the impulses, and with them the node velocities.
    ///
    /// # Errors
    /// When the count differs or an impulse is not finite.
    pub fn set_impulses(&mut self, impulses: &[DVec3]) -> Result<(), ContactError> {
        if impulses.len() != self.rows.len() {
            let (found, expected) = (impulses.len(), self.rows.len());
            return Err(ContactError::Length {
                field: "impulses",
                found,
                expected,
            });
        }
        for r in impulses {
            finite("impulse", r.x + r.y + r.z)?;
        }
        for group in &self.groups {
            let (mut p, mut t) = (DVec3::ZERO, DVec3::ZERO);
            for row in &mut self.rows[group.start as usize..group.end as usize] {
                let change = impulses[row.link as usize] - row.r;
                row.r = impulses[row.link as usize];
                p += change;
                t += row.offset.cross(change);
            }
            group.apply(p, t, &self.nodes, &mut self.velocities);
        }
        Ok(())
    }
}

fn check(nodes: &[Node], velocities: &[NodeVelocity], links: &[Link]) -> Result<(), ContactError> {
    let count = nodes.len();
    if velocities.len() != count {
        return Err(ContactError::Length {
            field: "velocities",
            found: velocities.len(),
            expected: count,
        });
    }
    for (node, v) in nodes.iter().zip(velocities) {
        within(
            "inverse mass",
            node.inverse_mass,
            |m| m >= 0.0,
            "a finite number, 0 or more",
        )?;
        let i = &node.inverse_inertia;
        let sum = v.linear + v.angular + i.x_axis + i.y_axis + i.z_axis;
        finite("node velocity or inverse inertia", sum.x + sum.y + sum.z)?;
    }
    for link in links {
        for (field, found) in [
            ("first node", link.first),
            ("second node", link.second.unwrap_or(link.first)),
        ] {
            if found >= count {
                return Err(ContactError::Index {
                    field,
                    found,
                    count,
                });
            }
        }
        if link.second == Some(link.first) {
            return Err(ContactError::Choice {
                field: "second node",
                found: link.first.to_string(),
                accepted: "another node than the first",
            });
        }
        within("mu", link.mu, |m| m >= 0.0, "a finite number, 0 or more")?;
        let sum = link.arm_first + link.arm_second + link.bias + link.impulse;
        finite("contact arm, bias or impulse", sum.x + sum.y + sum.z)?;
    }
    Ok(())
}
