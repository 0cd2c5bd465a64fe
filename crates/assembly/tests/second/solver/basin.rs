//! How the basin moves.

use super::super::wide::Wide;

#[derive(Debug, Clone, Copy)]
pub struct Basin {
    pub x: Wide,
    pub v: Wide,
    pub a: Wide,
}

/// A stretch of a record from one sample on: motion there, and the slope of its acceleration.
#[derive(Debug, Clone, Copy)]
pub struct Stretch {
    pub from: Wide,
    pub x: Wide,
    pub v: Wide,
    pub a: Wide,
    pub bend: Wide,
}

/// The motion at each sample of a record of accelerations.
pub fn stretches(record: &[(Wide, Wide)]) -> Vec<Stretch> {
    let mut all = Vec::new();
    let (mut x, mut v) = (Wide::ZERO, Wide::ZERO);
    for w in record.windows(2) {
        let ((from, a), (to, next)) = (w[0], w[1]);
        let tau = to - from;
        let bend = (next - a) / tau;
        all.push(Stretch {
            from,
            x,
            v,
            a,
            bend,
        });
        x = x + tau * (v + tau * (a.half() + (bend * tau).over(6)));
        v = v + tau * (a + (bend * tau).half());
    }
    if let Some(last) = record.last() {
        let (a, bend) = (Wide::ZERO, Wide::ZERO);
        all.push(Stretch {
            from: last.0,
            x,
            v,
            a,
            bend,
        });
    }
    all
}
