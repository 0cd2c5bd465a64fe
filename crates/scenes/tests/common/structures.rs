//! Structures of blocks in a plane, and the largest horizontal acceleration that statics allows them: a linear program
//! over forces at the ends of their joints, put together from the joints as drawn, not from contacts that klast finds.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolver, IPSolver as _, SolverStatus, SupportedConeT,
};
use serde_json::{Value, json};

type Point = [f64; 2];

/// A joint: the upper block, the lower one (none is the ground), and its ends. The normal points to the upper block:
/// it is the way from the first end to the second, turned to the left.
struct Joint {
    upper: usize,
    lower: Option<usize>,
    ends: [Point; 2],
}

pub struct Structure {
    pub name: String,
    friction: f64,
    blocks: Vec<Vec<Point>>,
    joints: Vec<Joint>,
}

/// Numbers by chance (splitmix64).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        low + (high - low) * ((z ^ (z >> 31)) as f64 / u64::MAX as f64)
    }

    fn count(&mut self, low: usize, high: usize) -> usize {
        self.between(low as f64, high as f64 + 0.999) as usize
    }
}

fn boxed(x: f64, z: f64, width: f64, height: f64) -> Vec<Point> {
    vec![
        [x, z],
        [x + width, z],
        [x + width, z + height],
        [x, z + height],
    ]
}

impl Structure {
    /// The structure of a number: a slope, a column, a wall, an arch or a portal in turn.
    pub fn of(number: u64) -> Self {
        let mut dice = Dice::new(number);
        let mut all = Self {
            name: String::new(),
            friction: dice.between(0.3, 0.9),
            blocks: vec![],
            joints: vec![],
        };
        let kind = match number % 5 {
            0 => all.slope(&mut dice),
            1 => all.column(&mut dice),
            2 => all.wall(&mut dice),
            3 => all.arch(&mut dice),
            _ => all.portal(&mut dice),
        };
        all.name = format!("{kind} {number}");
        all
    }

    fn level(&mut self, upper: usize, lower: Option<usize>, (low, high): (f64, f64), z: f64) {
        self.joints.push(Joint {
            upper,
            lower,
            ends: [[low, z], [high, z]],
        });
    }

    /// A block that slides, or overturns.
    fn slope(&mut self, dice: &mut Dice) -> &'static str {
        let (width, height) = (dice.between(0.3, 1.0), dice.between(0.3, 1.0));
        self.blocks.push(boxed(0.0, 0.0, width, height));
        self.level(0, None, (0.0, width), 0.0);
        "slope"
    }

    /// Blocks of different sizes, each with its centre near that of the one below.
    fn column(&mut self, dice: &mut Dice) -> &'static str {
        let (mut z, mut below) = (0.0, (-1.0, 1.0));
        for k in 0..dice.count(2, 5) {
            let (width, height) = (dice.between(0.4, 0.8), dice.between(0.15, 0.4));
            let x = dice.between(-0.05, 0.05) - 0.5 * width;
            self.blocks.push(boxed(x, z, width, height));
            let joint = (f64::max(x, below.0), f64::min(x + width, below.1));
            self.level(k, k.checked_sub(1), joint, z);
            (z, below) = (z + height, (x, x + width));
        }
        "column"
    }

    fn wall(&mut self, dice: &mut Dice) -> &'static str {
        let (bricks, courses) = (dice.count(2, 3), dice.count(2, 4));
        self.bond((bricks, courses), dice.between(0.15, 0.3));
        "wall"
    }

    /// A wall in running bond, of bricks of 0.5 m by a height (m).
    pub fn running_bond(size: (usize, usize), height: f64, friction: f64) -> Self {
        let mut all = Self {
            name: "running bond".to_owned(),
            friction,
            blocks: vec![],
            joints: vec![],
        };
        all.bond(size, height);
        all
    }

    /// Running bond with half bricks at the ends.
    fn bond(&mut self, (bricks, courses): (usize, usize), height: f64) {
        let width = 0.5;
        let mut below: Vec<(usize, f64, f64)> = vec![];
        for course in 0..courses {
            let z = height * course as f64;
            let mut ends = vec![0.0];
            let shift = if course % 2 == 1 { 0.5 } else { 1.0 };
            ends.extend((0..bricks).map(|k| width * (k as f64 + shift)));
            if course % 2 == 1 {
                ends.push(width * bricks as f64);
            }
            let mut own = vec![];
            for pair in ends.windows(2) {
                let (low, high) = (pair[0], pair[1]);
                let number = self.blocks.len();
                self.blocks.push(boxed(low, z, high - low, height));
                if course == 0 {
                    self.level(number, None, (low, high), 0.0);
                }
                for &(lower, from, to) in &below {
                    let joint = (f64::max(low, from), f64::min(high, to));
                    if joint.1 > joint.0 {
                        self.level(number, Some(lower), joint, z);
                    }
                }
                if let Some(&(left, _, _)) = own.last() {
                    self.joints.push(Joint {
                        upper: number,
                        lower: Some(left),
                        ends: [[low, z + height], [low, z]],
                    });
                }
                own.push((number, low, high));
            }
            below = own;
        }
    }

    /// A semicircular arch, thicker than the least that stands (0.1075 of its radius, Milankovitch 1907).
    fn arch(&mut self, dice: &mut Dice) -> &'static str {
        let (count, thickness) = (dice.count(5, 11), dice.between(0.16, 0.3));
        self.friction = dice.between(0.6, 0.9);
        let at = |k: usize, radius: f64| -> Point {
            let (sin, cos) = (std::f64::consts::PI * k as f64 / count as f64).sin_cos();
            [radius * cos, radius * sin]
        };
        let (inner, outer) = (1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness);
        for k in 0..count {
            self.blocks.push(vec![
                at(k, inner),
                at(k, outer),
                at(k + 1, outer),
                at(k + 1, inner),
            ]);
            self.joints.push(Joint {
                upper: k,
                lower: k.checked_sub(1),
                ends: [at(k, inner), at(k, outer)],
            });
        }
        self.level(count - 1, None, (-outer, -inner), 0.0);
        "arch"
    }

    /// Two columns of blocks and a lintel.
    fn portal(&mut self, dice: &mut Dice) -> &'static str {
        let (count, width) = (dice.count(1, 3), dice.between(0.25, 0.5));
        let (height, lintel) = (dice.between(0.2, 0.5), dice.between(0.15, 0.4));
        let span = dice.between(0.6, 1.5);
        let mut tops = vec![];
        for x in [0.0, span + width] {
            for k in 0..count {
                let z = height * k as f64;
                let number = self.blocks.len();
                self.blocks.push(boxed(x, z, width, height));
                let lower = (k > 0).then(|| number - 1);
                self.level(number, lower, (x, x + width), z);
            }
            tops.push((self.blocks.len() - 1, x));
        }
        let (number, z) = (self.blocks.len(), height * count as f64);
        self.blocks.push(boxed(0.0, z, span + 2.0 * width, lintel));
        for (top, x) in tops {
            self.level(number, Some(top), (x, x + width), z);
        }
        "portal"
    }

    /// The largest horizontal acceleration along x over that of gravity, `λ*`, for which forces at the ends of the
    /// joints balance all blocks: n ≥ 0, |t| ≤ μ n.
    pub fn limit(&self) -> f64 {
        self.limit_towards(1.0)
    }

    /// The same to either side.
    pub fn limit_both_ways(&self) -> f64 {
        self.limit().min(self.limit_towards(-1.0))
    }

    fn limit_towards(&self, side: f64) -> f64 {
        let (points, rows) = (2 * self.joints.len(), 3 * self.blocks.len());
        let unknowns = 2 * points + 1;
        let mut dense = vec![vec![0.0; unknowns]; rows + 3 * points];
        let mut right = vec![0.0; rows + 3 * points];
        for (block, corners) in self.blocks.iter().enumerate() {
            let (area, _) = area_and_centre(corners);
            dense[3 * block][unknowns - 1] = side * area;
            right[3 * block + 1] = area;
        }
        for (k, joint) in self.joints.iter().enumerate() {
            let [p, q] = joint.ends;
            let length = (q[0] - p[0]).hypot(q[1] - p[1]);
            let along = [(q[0] - p[0]) / length, (q[1] - p[1]) / length];
            let normal = [-along[1], along[0]];
            for (end, point) in joint.ends.into_iter().enumerate() {
                let column = 2 * (2 * k + end);
                for (body, sign) in [(Some(joint.upper), 1.0), (joint.lower, -1.0)] {
                    let Some(body) = body else { continue };
                    let (_, centre) = area_and_centre(&self.blocks[body]);
                    let arm = [point[0] - centre[0], point[1] - centre[1]];
                    for (axis, force) in [normal, along].into_iter().enumerate() {
                        dense[3 * body][column + axis] += sign * force[0];
                        dense[3 * body + 1][column + axis] += sign * force[1];
                        let moment = arm[0] * force[1] - arm[1] * force[0];
                        dense[3 * body + 2][column + axis] += sign * moment;
                    }
                }
                let row = rows + 3 * (2 * k + end);
                dense[row][column] = -1.0;
                (dense[row + 1][column], dense[row + 1][column + 1]) = (-self.friction, -1.0);
                (dense[row + 2][column], dense[row + 2][column + 1]) = (-self.friction, 1.0);
            }
        }
        let mut cost = vec![0.0; unknowns];
        cost[unknowns - 1] = -1.0;
        let matrix = CscMatrix::from(&dense);
        let cones = [
            SupportedConeT::ZeroConeT(rows),
            SupportedConeT::NonnegativeConeT(3 * points),
        ];
        let settings = DefaultSettings {
            verbose: false,
            ..DefaultSettings::default()
        };
        let none = CscMatrix::zeros((unknowns, unknowns));
        let mut solver =
            DefaultSolver::new(&none, &cost, &matrix, &right, &cones, settings).unwrap();
        solver.solve();
        assert_eq!(
            solver.solution.status,
            SolverStatus::Solved,
            "{}",
            self.name
        );
        solver.solution.x[unknowns - 1]
    }

    /// The same by the kinematic theorem: of all motions of the blocks that open or slide the ends of joints with
    /// associated slip, u_n ≥ μ |u_t|, and on which a unit load does the work 1, the least work against gravity.
    pub fn kinematic_limit(&self) -> f64 {
        let (points, unknowns) = (2 * self.joints.len(), 3 * self.blocks.len());
        let mut dense = vec![vec![0.0; unknowns]; 1 + 2 * points];
        let mut right = vec![0.0; 1 + 2 * points];
        let mut cost = vec![0.0; unknowns];
        for (block, corners) in self.blocks.iter().enumerate() {
            let (area, _) = area_and_centre(corners);
            dense[0][3 * block] = area;
            cost[3 * block + 1] = area;
        }
        right[0] = 1.0;
        for (k, joint) in self.joints.iter().enumerate() {
            let [p, q] = joint.ends;
            let length = (q[0] - p[0]).hypot(q[1] - p[1]);
            let along = [(q[0] - p[0]) / length, (q[1] - p[1]) / length];
            let normal = [-along[1], along[0]];
            for (end, point) in joint.ends.into_iter().enumerate() {
                for (side, sign) in [(0, 1.0), (1, -1.0)] {
                    // μ u_t − u_n ≤ 0 to either side.
                    let axis = [0, 1].map(|a| sign * self.friction * along[a] - normal[a]);
                    let row = 1 + 2 * (2 * k + end) + side;
                    for (body, of) in [(Some(joint.upper), 1.0), (joint.lower, -1.0)] {
                        let Some(body) = body else { continue };
                        let (_, centre) = area_and_centre(&self.blocks[body]);
                        let arm = [point[0] - centre[0], point[1] - centre[1]];
                        dense[row][3 * body] += of * axis[0];
                        dense[row][3 * body + 1] += of * axis[1];
                        dense[row][3 * body + 2] += of * (arm[0] * axis[1] - arm[1] * axis[0]);
                    }
                }
            }
        }
        let matrix = CscMatrix::from(&dense);
        let cones = [
            SupportedConeT::ZeroConeT(1),
            SupportedConeT::NonnegativeConeT(2 * points),
        ];
        let settings = DefaultSettings {
            verbose: false,
            ..DefaultSettings::default()
        };
        let none = CscMatrix::zeros((unknowns, unknowns));
        let mut solver =
            DefaultSolver::new(&none, &cost, &matrix, &right, &cones, settings).unwrap();
        solver.solve();
        assert_eq!(
            solver.solution.status,
            SolverStatus::Solved,
            "{}",
            self.name
        );
        solver.solution.obj_val
    }

    /// Area of all blocks (m²).
    pub fn area(&self) -> f64 {
        let areas = self.blocks.iter().map(|corners| area_and_centre(corners).0);
        areas.sum()
    }

    /// The closed form where there is one: a block slides or overturns; a column slides, or what stands on one of its
    /// joints overturns over the joint's end.
    pub fn closed_form(&self) -> Option<f64> {
        if !(self.name.starts_with("slope") || self.name.starts_with("column")) {
            return None;
        }
        let over = |k: usize| {
            let (mut area, mut first) = (0.0, [0.0; 2]);
            for corners in &self.blocks[k..] {
                let (own, centre) = area_and_centre(corners);
                area += own;
                first = [first[0] + own * centre[0], first[1] + own * centre[1]];
            }
            let end = self.joints[k].ends[1];
            (end[0] - first[0] / area) / (first[1] / area - end[1])
        };
        let limits = (0..self.blocks.len()).map(over);
        Some(limits.fold(self.friction, f64::min))
    }

    /// The scene under `along` times gravity in x, for a time (s).
    pub fn scene(&self, along: f64, duration: f64, bar: f64) -> Value {
        let g = 9.81;
        let outline =
            |corners: &Vec<Point>| json!({"kind": "outline", "corners_m": corners, "depth_m": 0.5});
        let mut bodies = vec![json!({
            "name": "ground", "material": "stone",
            "shape": outline(&boxed(-4.0, -0.5, 9.0, 0.5)), "moved_by": {"kind": "fixed"}
        })];
        bodies.extend(self.blocks.iter().enumerate().map(
            |(k, corners)| json!({"name": format!("block {k}"), "material": "stone", "shape": outline(corners)}),
        ));
        json!({
            "schema": 1, "kind": "bodies", "gravity_m_s2": [g * along, 0, -g],
            "materials": {"stone": {"friction": self.friction, "density_kg_m3": 2400}},
            "bodies": bodies, "solver": {"step_s": 0.0025}, "duration_s": duration, "frames": 0,
            "stands_within_m": bar
        })
    }

    /// The scene on a ground that moves as the file `record.txt`, with gravity upright.
    pub fn recorded(&self, duration: f64, bar: f64) -> Value {
        let mut scene = self.shaken(0.0, (1.0, 1), bar);
        scene["duration_s"] = json!(duration);
        scene["bodies"][0]["moved_by"]["horizontal"] =
            json!({"kind": "record", "file": "record.txt", "unit": "m_s2"});
        scene
    }

    /// Friction at all joints.
    pub fn friction(&self) -> f64 {
        self.friction
    }

    /// The scene on a ground that waves shake, with gravity upright. Displacements are measured from the ground.
    pub fn shaken(&self, along: f64, (frequency, waves): (f64, u32), bar: f64) -> Value {
        let duration = f64::from(waves) / frequency;
        let mut scene = self.scene(0.0, duration, bar);
        scene["solver"]["step_s"] = json!(0.005);
        scene["relative_to"] = json!("ground");
        scene["bodies"][0]["moved_by"] = json!({
            "kind": "shaken", "along": [1, 0, 0],
            "horizontal": {"kind": "waves", "amplitude_m_s2": 9.81 * along, "frequency_hz": frequency, "waves": waves}
        });
        scene
    }
}

/// A record of 60 or 120 s, or another time: noise through a damped oscillator (Kanai 1957, Tajimi 1960: ground of
/// 2.5 Hz and 0.6 of critical damping), in values every 0.01 s between which it is linear, of a peak (m/s²).
pub struct Noise {
    values: Vec<f64>,
}

impl Noise {
    const STEP: f64 = 0.01;

    pub fn new(seed: u64, duration: f64, peak: f64) -> Self {
        let mut dice = Dice::new(seed);
        let (omega, damping) = (std::f64::consts::TAU * 2.5, 0.6);
        let (mut place, mut speed) = (0.0, 0.0);
        let count = (duration / Self::STEP).round() as usize;
        let of = |k: usize| {
            // Three seconds of rise, and as many of decay.
            let time = Self::STEP * k as f64;
            let envelope = (time / 3.0).min((duration - time) / 3.0).clamp(0.0, 1.0);
            for _ in 0..4 {
                let noise: f64 = (0..12).map(|_| dice.between(-0.5, 0.5)).sum();
                speed += 0.25
                    * Self::STEP
                    * (noise - 2.0 * damping * omega * speed - omega * omega * place);
                place += 0.25 * Self::STEP * speed;
            }
            envelope * (2.0 * damping * omega * speed + omega * omega * place)
        };
        let values: Vec<f64> = (0..=count).map(of).collect();
        let most = values.iter().fold(0.0, |m: f64, a| m.max(a.abs()));
        Self {
            values: values.iter().map(|a| a * peak / most).collect(),
        }
    }

    /// As a file of two columns.
    pub fn text(&self) -> String {
        let lines = self.values.iter().enumerate();
        let lines = lines.map(|(k, a)| format!("{:.2} {a:?}\n", Self::STEP * k as f64));
        format!("time_s acceleration_m_s2\n{}", lines.collect::<String>())
    }

    /// Largest slip of a block that slides on a ground that moves so with a friction (m): Newmark (1965), in steps of a
    /// ten-thousandth of a second, `u' = -a - sign(u) μ g`, at rest where |a| ≤ μ g.
    pub fn slip(&self, friction: f64) -> f64 {
        let (mut slip, mut u, mut most) = (0.0f64, 0.0f64, 0.0f64);
        let (parts, hold) = (100, 9.81 * friction);
        let step = Self::STEP / f64::from(parts);
        for pair in self.values.windows(2) {
            for k in 0..parts {
                let a = pair[0] + (pair[1] - pair[0]) * (f64::from(k) + 0.5) / f64::from(parts);
                let pushed = u - a * step;
                let next = pushed - pushed.signum() * (hold * step).min(pushed.abs());
                slip += 0.5 * (u + next) * step;
                u = next;
                most = most.max(slip.abs());
            }
        }
        most
    }
}

fn area_and_centre(corners: &[Point]) -> (f64, Point) {
    let (mut area, mut first) = (0.0, [0.0; 2]);
    for (k, p) in corners.iter().enumerate() {
        let q = corners[(k + 1) % corners.len()];
        let cross = 0.5 * (p[0] * q[1] - q[0] * p[1]);
        area += cross;
        first[0] += cross * (p[0] + q[0]) / 3.0;
        first[1] += cross * (p[1] + q[1]) / 3.0;
    }
    (area, [first[0] / area, first[1] / area])
}
