//! The impact equations of the thesis as printed, (6.136) to (6.199), for equal widths: kept to show what they do.

/// Sizes of two blocks of equal width.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    pub b: f64,
    pub h: (f64, f64),
    pub m: (f64, f64),
}

struct Parts {
    r: (f64, f64),
    alpha: (f64, f64),
    ic: (f64, f64),
}

impl Sizes {
    fn parts(&self) -> Parts {
        let r = (
            0.5 * libm::hypot(self.b, self.h.0),
            0.5 * libm::hypot(self.b, self.h.1),
        );
        Parts {
            r,
            alpha: (libm::atan2(self.b, self.h.0), libm::atan2(self.b, self.h.1)),
            ic: (self.m.0 * r.0 * r.0 / 3.0, self.m.1 * r.1 * r.1 / 3.0),
        }
    }

    /// Rates after the impact that leaves configuration `from` at interface `struck` (0 the base), from the rates
    /// before and the rotation of the upper block; none where the thesis prints none.
    pub fn after(
        &self,
        from: &str,
        struck: usize,
        upper: f64,
        w: (f64, f64),
    ) -> Option<(f64, f64)> {
        let side = if from.ends_with('a') { 1.0 } else { -1.0 };
        match (from, struck) {
            ("1a" | "1b", 1) => Some(self.upper_opens_back(w)),
            ("2a" | "2b", 1) => Some(self.upper_closes_up(w)),
            ("1a" | "1b", 0) => Some(self.base_from_first(side * upper, w)),
            // 2b turns about the left corner of the upper block, 2a about its right one.
            ("2a" | "2b", 0) => Some(self.base_from_second(-side * upper, w, from == "2a")),
            _ => None,
        }
    }

    /// (6.137) to (6.142).
    fn upper_opens_back(&self, w: (f64, f64)) -> (f64, f64) {
        let Parts { r, alpha, ic } = self.parts();
        let (m1, m2) = self.m;
        let c12 = libm::cos(alpha.0 + alpha.1);
        let hh = 0.5 * self.h.0 * self.h.1;
        let z1 = ic.0 + r.0 * r.0 * m1 + 4.0 * r.1 * r.1 * m2 + 2.0 * r.0 * r.1 * m1 * c12;
        let z2 = ic.1 + r.1 * m2 + 2.0 * r.0 * r.1 * m2 * c12;
        let z3 = 2.0 * r.0 * r.0 * m2 * c12;
        let z4 = ic.1 + r.1 * r.1 * m2;
        let l1 = (ic.0 + r.0 * r.0 * m1 + self.h.0 * self.h.0 * m2 + hh * m2) * w.0
            + (z4 + hh * m2) * w.1;
        let l2 = z4 * w.1 + (hh - 0.5 * self.b * self.h.1) * m2 * w.0;
        solve(z1, z2, z3, z4, l1, l2)
    }

    /// (6.144) to (6.149).
    fn upper_closes_up(&self, w: (f64, f64)) -> (f64, f64) {
        let Parts { r, alpha, ic } = self.parts();
        let (m1, m2) = self.m;
        let cross = 2.0 * r.0 * r.1 * m2 * libm::cos(alpha.0 + alpha.1);
        let hh = 0.5 * self.h.0 * self.h.1 * m2;
        let z4 = ic.1 + r.1 * r.1 * m2;
        let l1 = (ic.0 + r.0 * r.0 * m1 + 4.0 * r.0 * r.0 * m2 + cross) * w.0 + (z4 + cross) * w.1;
        let l2 = (z4 - 0.5 * self.b * self.h.1 * m2) * w.1
            + (0.5 * self.b * self.h.0 * m2 + cross) * w.0;
        solve(ic.0 + r.0 * r.0 * m1 + hh, z4 + hh, hh, z4, l1, l2)
    }

    /// (6.169) to (6.174), (6.187) to (6.192).
    fn base_from_first(&self, upper: f64, w: (f64, f64)) -> (f64, f64) {
        let Parts { r, alpha, ic } = self.parts();
        let (m1, m2) = self.m;
        let (b, h1) = (self.b, self.h.0);
        let a = alpha.1 + upper;
        let cross = 2.0 * r.0 * r.1 * m2 * libm::cos(alpha.0 + a);
        let z4 = ic.1 + r.1 * r.1 * m2;
        let near = ic.0 + r.0 * r.0 * m1;
        let l1 = (near - 0.5 * b * b * m1 + h1 * h1 * m2 + h1 * r.0 * m2 * libm::cos(a)) * w.0
            + (z4 + r.1 * h1 * m2 * libm::cos(a) - r.1 * b * m2 * libm::sin(a)) * w.1;
        let l2 = z4 * w.1 + h1 * m2 * r.1 * libm::cos(a) * w.0;
        solve(
            near + h1 * h1 * m2 + r.1 * h1 * m2 * libm::cos(a),
            z4 + cross,
            cross,
            z4,
            l1,
            l2,
        )
    }

    /// (6.180) to (6.185), (6.194) to (6.199).
    fn base_from_second(&self, upper: f64, w: (f64, f64), mirrored: bool) -> (f64, f64) {
        let Parts { r, alpha, ic } = self.parts();
        let (m1, m2) = self.m;
        let (b, h1) = (self.b, self.h.0);
        let a = alpha.1 + upper;
        let (sin, cos) = libm::sincos(a);
        let mixed = h1 * m2 * r.1 * (cos - sin);
        let z4 = ic.1 + r.1 * r.1 * m2;
        let l1 = (ic.0 + 0.25 * (h1 * h1 - b * b) * m1 + h1 * m2 * (h1 + r.1 * cos)
            - b * m2 * r.1 * sin)
            * w.0
            + (z4 + r.1 * m2 * h1 * cos) * w.1;
        // (6.199) has the sign of the second angle turned against (6.185).
        let between = if mirrored { alpha.0 - a } else { alpha.0 + a };
        let l2 = z4 * w.1 + 2.0 * r.0 * r.1 * m2 * libm::cos(between) * w.0;
        solve(
            ic.0 + r.0 * r.0 * m1 + 2.0 * mixed,
            z4 + mixed,
            mixed,
            z4,
            l1,
            l2,
        )
    }
}

fn solve(z1: f64, z2: f64, z3: f64, z4: f64, l1: f64, l2: f64) -> (f64, f64) {
    let det = z1 * z4 - z2 * z3;
    ((l1 * z4 - z2 * l2) / det, (z1 * l2 - z3 * l1) / det)
}
