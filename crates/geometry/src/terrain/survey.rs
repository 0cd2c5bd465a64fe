//! A surveyed section with vertical faces and overhangs, as ground.

use super::{Profile, TerrainError, VerticalResolution};
use glam::DVec2;
use klast_numerics::OutOfRange;

/// A surveyed line of (station, height) points, whose stations may repeat (a vertical face) or run back (an overhang),
/// with solid on its right-hand side.
///
/// Ground is solid below: of an overhang the upper outline is the ground, with a vertical face under its lip, and the
/// space beneath the roof counts as solid. That is what a rock from above meets; one that bounces back under the roof
/// meets the face instead. A vertical face leans by [`SurveyLine::LEAN`]: its upper edge stays where it was surveyed,
/// its foot is that far in front. A line whose stations increase is the [`Profile`] of its points, bit for bit.
#[derive(Debug, Clone, PartialEq)]
pub struct SurveyLine {
    profile: Profile,
    segments: Vec<u32>,
    vertical: usize,
    roofs: Vec<[f64; 2]>,
}

impl SurveyLine {
    /// How far the foot of a vertical face stands in front of its upper edge (m).
    pub const LEAN: f64 = 1e-3;

    /// The ground of surveyed points (m), at least two.
    ///
    /// # Errors
    /// A point that is not finite or stands twice, a line that meets itself, one that does not run from its least to
    /// its greatest station, a station nearer than the lean in front of a vertical face.
    pub fn new(points: Vec<DVec2>) -> Result<Self, TerrainError> {
        let increasing = points.windows(2).all(|w| w[0].x < w[1].x);
        if increasing || points.len() < 2 || points.iter().any(|p| !p.is_finite()) {
            let profile = Profile::new(points)?;
            return Ok(SurveyLine {
                segments: (0..profile.points().len() as u32 - 1).collect(),
                profile,
                vertical: 0,
                roofs: Vec::new(),
            });
        }
        check(&points)?;
        let heights = VerticalResolution::read(points.iter().map(|p| p.y));
        let runs = |is: fn(f64) -> bool| runs(&points, is);
        let roofs = runs(|dx| dx < 0.0);
        let vertical = runs(|dx| dx == 0.0).len();
        let (mut line, segments) = match roofs.is_empty() {
            true => (points.clone(), (0..points.len() as u32 - 1).collect()),
            false => outline(&points),
        };
        lean(&mut line)?;
        Ok(SurveyLine {
            profile: Profile::new(line)?.with_vertical_resolution(heights),
            segments,
            vertical,
            roofs: roofs
                .iter()
                .map(|&(a, b)| [points[b].x, points[a].x])
                .collect(),
        })
    }

    /// The ground.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// For each segment of the ground the number of the surveyed segment it stands for; under the lip of an overhang
    /// that is the segment of the roof beside the lip.
    pub fn segments(&self) -> &[u32] {
        &self.segments
    }

    /// Number of vertical parts.
    pub fn vertical(&self) -> usize {
        self.vertical
    }

    /// Stations of each overhanging part, from its least to its greatest (m).
    pub fn roofs(&self) -> &[[f64; 2]] {
        &self.roofs
    }
}

/// First and last point of every run of segments whose steps along the stations are as asked.
fn runs(points: &[DVec2], is: fn(f64) -> bool) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (k, _) in points
        .windows(2)
        .enumerate()
        .filter(|(_, w)| is(w[1].x - w[0].x))
    {
        match runs.last_mut() {
            Some(last) if last.1 == k => last.1 = k + 1,
            _ => runs.push((k, k + 1)),
        }
    }
    runs
}

/// Whether a line can be the outline of ground.
fn check(points: &[DVec2]) -> Result<(), TerrainError> {
    if points.len() > u32::MAX as usize {
        return Err(OutOfRange::new("number of profile points", points.len(), "2 or more").into());
    }
    if let Some(k) = points.windows(2).position(|w| w[0] == w[1]) {
        return Err(TerrainError::Twice { index: k + 1 });
    }
    let (first, last) = (points[0].x, points[points.len() - 1].x);
    // A face at an end of the line stands at its station.
    let inner = points.iter().enumerate();
    let inner = inner.skip_while(|(_, p)| p.x == first);
    let after = points.iter().rev().take_while(|p| p.x == last).count();
    let mut inner = inner.filter(|(k, _)| k + after < points.len());
    if let Some((index, p)) = inner.find(|(_, p)| !(p.x > first && p.x < last)) {
        return Err(TerrainError::BeyondEnds {
            index,
            station: p.x,
            first,
            last,
        });
    }
    if first >= last {
        return Err(TerrainError::BeyondEnds {
            index: points.len() - 1,
            station: last,
            first,
            last,
        });
    }
    let mut order: Vec<usize> = (0..points.len() - 1).collect();
    let span = |k: usize| {
        let (a, b) = (points[k].x, points[k + 1].x);
        (a.min(b), a.max(b))
    };
    order.sort_by(|&a, &b| span(a).0.total_cmp(&span(b).0));
    for (k, &one) in order.iter().enumerate() {
        let reach = span(one).1;
        for &other in order[k + 1..].iter().take_while(|&&o| span(o).0 <= reach) {
            let (first, second) = (one.min(other), one.max(other));
            if meet(points, first, second) {
                return Err(TerrainError::Crosses { first, second });
            }
        }
    }
    Ok(())
}

/// Whether two segments have more in common than the point between neighbours.
fn meet(points: &[DVec2], first: usize, second: usize) -> bool {
    let [a, b] = [points[first], points[first + 1]];
    let [c, d] = [points[second], points[second + 1]];
    if second == first + 1 {
        let (into, out) = (b - a, d - c);
        return into.perp_dot(out) == 0.0 && into.dot(out) < 0.0;
    }
    let boxes = a.min(b).cmple(c.max(d)).all() && c.min(d).cmple(a.max(b)).all();
    let side = |p: DVec2, q: DVec2, r: DVec2| (q - p).perp_dot(r - p);
    let parted = |p: f64, q: f64| (p > 0.0 && q > 0.0) || (p < 0.0 && q < 0.0);
    boxes && !parted(side(a, b, c), side(a, b, d)) && !parted(side(c, d, a), side(c, d, b))
}

/// The upper outline of a line that runs back somewhere, and the segment that each of its parts stands for. Its
/// stations repeat where there is a face.
fn outline(points: &[DVec2]) -> (Vec<DVec2>, Vec<u32>) {
    let is_vertical = |k: usize| points[k].x == points[k + 1].x;
    let height = |k: usize, x: f64| {
        let (a, b) = (points[k], points[k + 1]);
        match x {
            x if x == a.x => a.y,
            x if x == b.x => b.y,
            x => a.y + (x - a.x) * ((b.y - a.y) / (b.x - a.x)),
        }
    };
    let mut stations: Vec<f64> = points.iter().map(|p| p.x).collect();
    stations.sort_by(f64::total_cmp);
    stations.dedup();
    // Between two stations no segment begins or ends, and none crosses another: the highest in the middle is so on the
    // whole.
    let top = |middle: f64| {
        let over = (0..points.len() - 1).filter(|&k| {
            let (a, b) = (points[k].x, points[k + 1].x);
            a.min(b) < middle && middle < a.max(b)
        });
        over.max_by(|&a, &b| height(a, middle).total_cmp(&height(b, middle)))
    };
    let (mut line, mut segments) = (vec![points[0]], Vec::new());
    let mut push = |point: DVec2, segment: usize| {
        line.push(point);
        segments.push(segment as u32);
    };
    let mut leading = 0;
    while is_vertical(leading) {
        leading += 1;
        push(points[leading], leading - 1);
    }
    let mut before = leading;
    for w in stations.windows(2) {
        let (x, Some(next)) = (w[0], top(0.5 * (w[0] + w[1]))) else {
            continue;
        };
        if next == before {
            continue;
        }
        let (left, right) = (height(before, x), height(next, x));
        push(DVec2::new(x, left), before);
        if left > right {
            // Down the face from the end of the part before, then under the lip.
            let mut k = before + 1;
            while is_vertical(k) && points[k + 1].y > right {
                k += 1;
                push(points[k], k - 1);
            }
            push(DVec2::new(x, right), k);
        } else if right > left {
            let mut k = next - 1;
            while is_vertical(k) && points[k].y > left {
                k -= 1;
            }
            push(points[k + 1], k);
            for (j, point) in points.iter().enumerate().take(next + 1).skip(k + 2) {
                push(*point, j - 1);
            }
        }
        before = next;
    }
    for k in before..points.len() - 1 {
        push(points[k + 1], k);
    }
    (line, segments)
}

/// Moves the feet of faces forward, so that stations increase.
fn lean(line: &mut [DVec2]) -> Result<(), TerrainError> {
    let mut k = 0;
    while k < line.len() {
        let x = line[k].x;
        let parts = line[k..].iter().take_while(|p| p.x == x).count() - 1;
        let falls = line[k + parts].y < line[k].y;
        for j in 1..=parts {
            let step = SurveyLine::LEAN * j as f64 / parts as f64;
            match falls {
                true => line[k + j].x += step,
                false => line[k + parts - j].x -= step,
            }
        }
        k += parts + 1;
    }
    match line.windows(2).find(|w| w[1].x <= w[0].x) {
        Some(w) => Err(TerrainError::Narrow {
            station: w[0].x,
            lean: SurveyLine::LEAN,
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::Terrain as _;

    fn line(points: &[[f64; 2]]) -> Result<SurveyLine, TerrainError> {
        SurveyLine::new(points.iter().map(|p| DVec2::from_array(*p)).collect())
    }

    #[test]
    fn stations_that_increase_are_a_profile() {
        let points = [[0.0, 10.0], [3.5, 2.25], [9.0, 0.0]];
        let own = line(&points).unwrap();
        let plain = Profile::new(points.map(DVec2::from_array).to_vec()).unwrap();
        assert_eq!((own.profile(), own.segments()), (&plain, &[0, 1][..]));
    }

    #[test]
    fn a_face_keeps_its_upper_edge_and_its_segments() {
        // Down in two parts at 10 m, up in one at 30 m.
        let own = line(&[
            [0.0, 20.0],
            [10.0, 20.0],
            [10.0, 12.0],
            [10.0, 4.0],
            [30.0, 4.0],
            [30.0, 6.0],
            [50.0, 6.0],
        ]);
        let own = own.unwrap();
        let stations: Vec<f64> = own.profile().points().iter().map(|p| p.x).collect();
        let lean = SurveyLine::LEAN;
        let expected = [
            0.0,
            10.0,
            10.0 + 0.5 * lean,
            10.0 + lean,
            30.0 - lean,
            30.0,
            50.0,
        ];
        assert_eq!(stations, expected);
        assert_eq!(own.segments(), [0, 1, 2, 3, 4, 5]);
        assert_eq!((own.vertical(), own.roofs().len()), (2, 0));
    }

    #[test]
    fn of_an_overhang_the_upper_outline_is_ground() {
        // A lip at 10 m over a roof that runs back to 7 m, and one that looks uphill with its lip at 32 m.
        let own = line(&[
            [0.0, 20.0],
            [10.0, 18.0],
            [7.0, 10.0],
            [8.0, 4.0],
            [20.0, 0.0],
            [35.0, 1.0],
            [32.0, 5.0],
            [50.0, 6.0],
        ]);
        let own = own.unwrap();
        assert_eq!(own.roofs(), [[7.0, 10.0], [32.0, 35.0]]);
        assert_eq!(own.vertical(), 0);
        assert_eq!(own.segments(), [0, 1, 3, 4, 5, 6]);
        let at = |x: f64| own.profile().surface(x, 0.0).unwrap().height;
        // By hand: on the segment (8, 4) to (20, 0) and (20, 0) to (35, 1).
        let hand = [
            (9.0, 18.2),
            (11.0, 3.0),
            (26.0, 0.4),
            (33.0, 5.0 + 1.0 / 18.0),
        ];
        for (x, height) in hand {
            // Beside a face the ground is off by at most what it rises over the lean.
            let slack = SurveyLine::LEAN / 3.0;
            assert!((at(x) - height).abs() <= slack, "{x}: {}", at(x));
        }
        // The face under the lip ends on the ground beneath.
        let foot = own.profile().points()[2];
        assert_eq!(foot.x, 10.0 + SurveyLine::LEAN);
        assert!((foot.y - (4.0 - 2.0 / 3.0)).abs() < 1e-12);
    }

    #[test]
    fn lines_that_bound_no_ground_are_refused() {
        let crossing = [
            [0.0, 0.0],
            [10.0, 10.0],
            [10.0, 0.0],
            [5.0, 8.0],
            [20.0, 8.0],
        ];
        let found = line(&crossing).unwrap_err();
        assert_eq!(
            found,
            TerrainError::Crosses {
                first: 0,
                second: 2
            }
        );
        let spike = [[0.0, 0.0], [5.0, 0.0], [5.0, 9.0], [5.0, 0.5], [9.0, 0.0]];
        let found = line(&spike).unwrap_err();
        assert_eq!(
            found,
            TerrainError::Crosses {
                first: 1,
                second: 2
            }
        );
        let found = line(&[[0.0, 0.0], [5.0, 0.0], [5.0, 0.0], [9.0, 0.0]]).unwrap_err();
        assert_eq!(found, TerrainError::Twice { index: 2 });
        for points in [
            &[[0.0, 5.0], [9.0, 5.0], [-1.0, 0.0], [20.0, 0.0]][..],
            &[[9.0, 5.0], [0.0, 0.0]],
            &[[9.0, 5.0], [9.0, 0.0]],
            &[[0.0, 5.0], [21.0, 5.0], [18.0, 0.0], [20.0, 0.0]],
        ] {
            let found = line(points).unwrap_err();
            assert!(matches!(found, TerrainError::BeyondEnds { .. }), "{found}");
        }
        let narrow = [
            [0.0, 5.0],
            [5.0, 5.0],
            [5.0, 0.0],
            [5.0005, 0.0],
            [9.0, 0.0],
        ];
        let found = line(&narrow).unwrap_err();
        assert!(matches!(found, TerrainError::Narrow { .. }), "{found}");
    }
}
