//! A cylinder that rolls on its rim without slip, in Euler angles: the tilt θ, the azimuth ψ of the lean and the spin n
//! about the axis, with all vectors in the frame that leans with the body and does not spin with it. Accelerations come
//! from residuals that are linear in them; the steps are those of Runge and Kutta of fourth order, doubled and halved.

/// A cylinder: lengths (m), moments over the mass (m²).
#[derive(Debug, Clone, Copy)]
pub struct Wheel {
    radius: f64,
    centre: f64,
    across: f64,
    along: f64,
    gravity: f64,
}

/// Tilt, azimuth, their rates, the spin about the axis, and the way of the centre.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lean {
    pub tilt: f64,
    pub azimuth: f64,
    pub tilts: f64,
    pub turns: f64,
    pub spin: f64,
    pub way: [f64; 2],
}

/// What came of it.
#[derive(Debug, Clone, Copy)]
pub struct Went {
    pub time: f64,
    pub at: Lean,
    pub largest: f64,
    pub least: f64,
    /// Largest ratio of friction to pressure, and least pressure over the mass (m/s²).
    pub friction: f64,
    pub pressure: f64,
}

type Vector = [f64; 3];

fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn determinant(m: [Vector; 3]) -> f64 {
    dot(m[0], cross(m[1], m[2]))
}

impl Lean {
    fn values(&self) -> [f64; 7] {
        let [x, y] = self.way;
        [
            self.tilt,
            self.azimuth,
            self.tilts,
            self.turns,
            self.spin,
            x,
            y,
        ]
    }

    fn of(v: [f64; 7]) -> Self {
        Self {
            tilt: v[0],
            azimuth: v[1],
            tilts: v[2],
            turns: v[3],
            spin: v[4],
            way: [v[5], v[6]],
        }
    }

    /// Towards the lowest point of the rim, across the lean, and along the axis.
    fn frame(&self) -> [Vector; 3] {
        let ((s, c), (sa, ca)) = (self.tilt.sin_cos(), self.azimuth.sin_cos());
        [[c * ca, c * sa, -s], [-sa, ca, 0.0], [s * ca, s * sa, c]]
    }
}

impl Wheel {
    pub fn cylinder(radius: f64, height: f64, gravity: f64) -> Self {
        Self {
            radius,
            centre: 0.5 * height,
            across: radius * radius / 4.0 + height * height / 12.0,
            along: radius * radius / 2.0,
            gravity,
        }
    }

    /// Velocity of the centre in the frame.
    fn velocity(&self, at: &Lean) -> Vector {
        let (r, h) = (self.radius, self.centre);
        let rolls = r * at.spin - h * at.turns * at.tilt.sin();
        [h * at.tilts, -rolls, r * at.tilts]
    }

    /// What is left of the balance of moments with second rates, and the force over the mass, in the frame.
    fn balance(&self, at: &Lean, base: [f64; 2], second: Vector) -> (Vector, Vector) {
        let (s, c) = at.tilt.sin_cos();
        let (r, h) = (self.radius, self.centre);
        let frame = [-at.turns * s, at.tilts, at.turns * c];
        let turned = -second[1] * s - at.turns * c * at.tilts;
        let momentum = [
            self.across * frame[0],
            self.across * at.tilts,
            self.along * at.spin,
        ];
        let changes = [
            self.across * turned,
            self.across * second[0],
            self.along * second[2],
        ];
        let carried = cross(frame, momentum);
        let faster = [h * second[0], -(r * second[2] + h * turned), r * second[0]];
        let swept = cross(frame, self.velocity(at));
        let field = [-base[0], -base[1], -self.gravity];
        let axes = at.frame();
        let force: Vector = std::array::from_fn(|k| faster[k] + swept[k] - dot(field, axes[k]));
        let moment = cross([r, 0.0, -h], force);
        (
            std::array::from_fn(|k| changes[k] + carried[k] - moment[k]),
            force,
        )
    }

    /// The second rates, and the force over the mass along x, y and z.
    fn solve(&self, at: &Lean, base: [f64; 2]) -> (Vector, Vector) {
        let (rest, _) = self.balance(at, base, [0.0; 3]);
        let column = |k: usize| {
            let mut unit = [0.0; 3];
            unit[k] = 1.0;
            let (full, _) = self.balance(at, base, unit);
            std::array::from_fn(|i| full[i] - rest[i])
        };
        let columns = [column(0), column(1), column(2)];
        let whole = determinant(columns);
        let second: Vector = std::array::from_fn(|k| {
            let mut with = columns;
            with[k] = rest;
            -determinant(with) / whole
        });
        let (_, force) = self.balance(at, base, second);
        let axes = at.frame();
        let world = std::array::from_fn(|k| (0..3).map(|j| force[j] * axes[j][k]).sum());
        (second, world)
    }

    fn slope(&self, time: f64, v: [f64; 7], base: &dyn Fn(f64) -> [f64; 2]) -> [f64; 7] {
        let at = Lean::of(v);
        let ([a, b, n], _) = self.solve(&at, base(time));
        let (speed, axes) = (self.velocity(&at), at.frame());
        let way = |k: usize| (0..3).map(|j| speed[j] * axes[j][k]).sum();
        [at.tilts, at.turns, a, b, n, way(0), way(1)]
    }

    fn step(&self, time: f64, v: [f64; 7], h: f64, base: &dyn Fn(f64) -> [f64; 2]) -> [f64; 7] {
        let plus = |k: [f64; 7], f: f64| std::array::from_fn(|i| v[i] + f * k[i]);
        let a = self.slope(time, v, base);
        let b = self.slope(time + 0.5 * h, plus(a, 0.5 * h), base);
        let c = self.slope(time + 0.5 * h, plus(b, 0.5 * h), base);
        let d = self.slope(time + h, plus(c, h), base);
        std::array::from_fn(|i| v[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]))
    }

    /// Up to a time, or to a tilt.
    pub fn run(
        &self,
        start: Lean,
        base: &dyn Fn(f64) -> [f64; 2],
        end: f64,
        tolerance: f64,
        limit: f64,
    ) -> Went {
        let (mut time, mut v, mut h) = (0.0, start.values(), 1e-8);
        let mut went = Went {
            time,
            at: start,
            largest: start.tilt,
            least: start.tilt,
            friction: 0.0,
            pressure: f64::INFINITY,
        };
        while time < end && v[0] < limit {
            let length = f64::min(h, end - time);
            let whole = self.step(time, v, length, base);
            let half = self.step(time, v, 0.5 * length, base);
            let twice = self.step(time + 0.5 * length, half, 0.5 * length, base);
            let off = (0..5).fold(0.0f64, |most, k| {
                let scale = v[k].abs().max(twice[k].abs()).max(1e-2);
                most.max((whole[k] - twice[k]).abs() / scale)
            });
            if off <= tolerance {
                time += length;
                // The halves are better by the difference over 15.
                v = std::array::from_fn(|k| twice[k] + (twice[k] - whole[k]) / 15.0);
                let at = Lean::of(v);
                let (_, force) = self.solve(&at, base(time));
                went.largest = went.largest.max(at.tilt);
                went.least = went.least.min(at.tilt);
                went.pressure = went.pressure.min(force[2]);
                went.friction = went.friction.max(force[0].hypot(force[1]) / force[2]);
            }
            let change = 0.9 * (tolerance / off.max(1e-30)).powf(0.2);
            h = length * change.clamp(0.2, 3.0);
        }
        (went.time, went.at) = (time, Lean::of(v));
        went
    }
}
