//! Colours for groups: those of one colour share no body that can move.

/// The last colour, whose groups may share bodies that can move.
pub(super) const LAST: u8 = 63;

/// Greedy colouring in the order given; `movable` says which bodies an impulse moves. Fills `colour` per group and
/// gives the number of colours. A body with more than 63 groups puts what is left into the last colour, in order.
pub(super) fn colour(
    pairs: impl Iterator<Item = (u32, u32)>,
    movable: impl Fn(u32) -> bool,
    used: &mut Vec<u64>,
    bodies: usize,
    colour: &mut Vec<u8>,
) -> usize {
    used.clear();
    used.resize(bodies, 0);
    colour.clear();
    let mut count = 0;
    for (first, second) in pairs {
        let taken = |n: u32| if movable(n) { used[n as usize] } else { 0 };
        let own = (taken(first) | taken(second))
            .trailing_ones()
            .min(u32::from(LAST)) as usize;
        for n in [first, second] {
            if movable(n) {
                used[n as usize] |= 1 << own;
            }
        }
        colour.push(own as u8);
        count = count.max(own + 1);
    }
    count
}
