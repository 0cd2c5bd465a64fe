//! Impacts of chains of touching bodies at one instant, and the rules that settle them.
//!
//! Bodies in contact share impulses through each other, and rigid-body mechanics does not say how: the thesis names no
//! rule and the motions differ, so each run names its own ([`ImpactRule`]).

mod bodies;
mod lcp;
mod sequential;
mod small_gaps;

pub(crate) use bodies::{Chain, Workspace};

/// How the impulses of a chain of touching blocks are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ImpactRule {
    /// One complementarity problem for all closed contacts: 0 ≤ p ⟂ u⁺ + e u⁻ ≥ 0 (Moreau 1988; Glocker and Pfeiffer
    /// 1995). Contacts that already separate stay out of it, else the law would create energy; it is posed again at
    /// the same instant if one of them then closes. Blocks that touch stay one rigid block.
    Complementarity,
    /// Pairs of neighbours one after the other, the lowest closing contact (next to the left wall) first.
    LowestFirst,
    /// Pairs of neighbours one after the other, the contact that closes fastest first.
    FastestFirst,
    /// The limit of equal small gaps: all touching contacts are opened by the same gap, pairs collide in order of time,
    /// the gap tends to zero.
    SmallGaps,
}

/// Settles the chain by `rule`: no contact closes faster than the cut-off afterwards.
pub(crate) fn resolve(chain: &mut Chain, rule: ImpactRule, workspace: &mut Workspace) {
    chain.begin();
    if chain.left_wall && chain.right_wall {
        // A row that fills its basin moves with it whatever the rule.
        chain.carry();
        return;
    }
    match rule {
        ImpactRule::Complementarity => lcp::resolve(chain, workspace),
        ImpactRule::LowestFirst => sequential::lowest_first(chain, workspace),
        ImpactRule::FastestFirst => sequential::fastest_first(chain, workspace),
        ImpactRule::SmallGaps => small_gaps::resolve(chain, workspace),
    }
}
