//! Equations of a body of revolution that touches a moving plane in the lowest point of its rim.
//!
//! In the frame of the plane the body of mass m is under G = (−a_x, −a_y, −g − a_z). With the unit vector e of the
//! axis, the height h of the mass centre over the base of radius R and the unit vector u of the base towards its lowest
//! point, r = R u − h e leads from the mass centre to the contact, and with the moments I₁ across and I₃ along the axis
//!
//! J ω′ = (I₁ − I₃) (ω·e) (ω × e) + r × F, m v′ = m G + F.
//!
//! Where the rim sticks, v = −ω × r gives F = m (v′ − G); where it slides, F = N (z − μ s) with the direction s of
//! sliding, and the contact keeps its height: (v′ + ω′ × r + ω × r′)·z = 0. r′ goes along with the geometric contact:
//! u′ is as fast as the contact runs round the rim.

use glam::{DMat3, DQuat, DVec2, DVec3};
use klast_ground_motion::Piece;
use klast_numerics::ode::OdeSystem;

/// Unknowns: attitude, place of the mass centre, its velocity, angular velocity, and the work of the base and what
/// friction takes (J/kg).
pub(super) const UNKNOWNS: usize = 15;

/// The body: lengths (m), and moments of inertia over the mass (m²).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Drum {
    /// Radius of the rim.
    pub radius: f64,
    /// Of the mass centre over the base.
    pub centre: f64,
    /// Height and radius of the face at the top.
    pub height: f64,
    pub top: f64,
    /// Moments across the axis and along it.
    pub across: f64,
    pub along: f64,
}

/// Where the body is and how it moves, in the frame of the plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Motion {
    /// From the upright attitude.
    pub attitude: DQuat,
    /// Of the mass centre over the plane.
    pub place: DVec3,
    pub velocity: DVec3,
    pub spin: DVec3,
    pub work: f64,
    pub loss: f64,
}

impl Motion {
    pub(super) fn of(y: &[f64]) -> Self {
        let at = |k: usize| y.get(k).copied().unwrap_or_default();
        let vector = |k: usize| DVec3::new(at(k), at(k + 1), at(k + 2));
        Self {
            attitude: DQuat::from_xyzw(at(0), at(1), at(2), at(3)),
            place: vector(4),
            velocity: vector(7),
            spin: vector(10),
            work: at(13),
            loss: at(14),
        }
    }

    pub(super) fn unknowns(&self) -> [f64; UNKNOWNS] {
        let (q, c, v, w) = (self.attitude, self.place, self.velocity, self.spin);
        [
            q.x, q.y, q.z, q.w, c.x, c.y, c.z, v.x, v.y, v.z, w.x, w.y, w.z, self.work, self.loss,
        ]
    }

    /// The axis of the body.
    pub(super) fn axis(&self) -> DVec3 {
        axis(self.attitude)
    }

    /// Sine of the tilt.
    pub(super) fn lean(&self) -> f64 {
        let axis = self.axis();
        libm::hypot(axis.x, axis.y)
    }
}

/// The axis in an attitude. Products keep a small tilt, which a rotated unit vector would round.
fn axis(q: DQuat) -> DVec3 {
    DVec3::new(
        2.0 * (q.x * q.z + q.w * q.y),
        2.0 * (q.y * q.z - q.w * q.x),
        1.0 - 2.0 * (q.x * q.x + q.y * q.y),
    )
}

/// What moves the body at a time: accelerations, and the force on it over its mass.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rates {
    pub velocity: DVec3,
    pub spin: DVec3,
    pub force: DVec3,
}

/// How the rim touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Touch {
    Sticks,
    Slides,
}

/// The equations in a time in which the laws of the base hold.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rim {
    pub drum: Drum,
    pub gravity: f64,
    pub friction: f64,
    pub base: [Piece; 3],
    pub touch: Touch,
}

impl Rim {
    /// What acts on the body beside the contact, over its mass.
    pub(super) fn field(&self, time: f64) -> DVec3 {
        let base = DVec3::from_array(self.base.map(|piece| piece.acceleration(time)));
        DVec3::new(0.0, 0.0, -self.gravity) - base
    }

    pub(super) fn base_velocity(&self, time: f64) -> DVec3 {
        DVec3::from_array(self.base.map(|piece| piece.velocity(time)))
    }

    /// From the mass centre to the contact, and how fast that changes.
    pub(super) fn lever(&self, m: &Motion) -> (DVec3, DVec3) {
        let (e, lean) = (m.axis(), m.lean());
        let moved = m.spin.cross(e);
        let up = m.spin.x * e.y - m.spin.y * e.x;
        let down = DVec3::new(e.z * e.x / lean, e.z * e.y / lean, -lean);
        // lean² = 1 − e_z², so lean′ = −e_z e_z′/lean.
        let runs = (up * e + e.z * moved) / lean + down * (e.z * up / (lean * lean));
        let Drum { radius, centre, .. } = self.drum;
        (radius * down - centre * e, radius * runs - centre * moved)
    }

    /// Velocity of the material point that touches.
    pub(super) fn slip(&self, m: &Motion) -> DVec3 {
        m.velocity + m.spin.cross(self.lever(m).0)
    }

    /// Inertia about the mass centre over the mass.
    pub(super) fn inertia(&self, e: DVec3) -> DMat3 {
        let Drum { across, along, .. } = self.drum;
        DMat3::from_diagonal(DVec3::splat(across)) + outer(e) * (along - across)
    }

    /// Inertia about the contact over the mass.
    pub(super) fn inertia_about(&self, e: DVec3, r: DVec3) -> DMat3 {
        self.inertia(e) + DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer(r)
    }

    fn gyroscopic(&self, e: DVec3, spin: DVec3) -> DVec3 {
        let Drum { across, along, .. } = self.drum;
        (across - along) * spin.dot(e) * spin.cross(e)
    }

    /// Where the rim sticks.
    pub(super) fn sticking(&self, time: f64, m: &Motion) -> Rates {
        let ((r, runs), e, field) = (self.lever(m), m.axis(), self.field(time));
        let carried = m.spin.cross(runs);
        let moment = self.gyroscopic(e, m.spin) - r.cross(carried + field);
        let spin = self.inertia_about(e, r).inverse() * moment;
        let velocity = -spin.cross(r) - carried;
        Rates {
            velocity,
            spin,
            force: velocity - field,
        }
    }

    /// Where it slides in a direction; none where no pressing force keeps the height of the contact, as with much
    /// friction (Painlevé 1895).
    pub(super) fn sliding(&self, time: f64, m: &Motion, way: DVec3) -> Option<Rates> {
        let ((r, runs), e, field) = (self.lever(m), m.axis(), self.field(time));
        let inverse = self.inertia(e).inverse();
        let unit = DVec3::Z - self.friction * way;
        let free = inverse * self.gyroscopic(e, m.spin);
        let turned = inverse * r.cross(unit);
        let sinks = (field + free.cross(r) + m.spin.cross(runs)).z;
        let gives = (unit + turned.cross(r)).z;
        if gives <= 1e-9 {
            return None;
        }
        let force = unit * (-sinks / gives);
        Some(Rates {
            velocity: field + force,
            spin: free + turned * (-sinks / gives),
            force,
        })
    }

    /// What holds at a time.
    pub(super) fn rates(&self, time: f64, m: &Motion) -> Option<Rates> {
        match self.touch {
            Touch::Sticks => Some(self.sticking(time, m)),
            Touch::Slides => {
                let slip = self.slip(m).with_z(0.0);
                self.sliding(time, m, slip.normalize_or_zero())
            }
        }
    }

    /// Height of the lowest point of the upper rim.
    pub(super) fn top_clearance(&self, m: &Motion) -> f64 {
        let Drum {
            centre,
            height,
            top,
            ..
        } = self.drum;
        m.place.z + (height - centre) * m.axis().z - top * m.lean()
    }

    /// Height of the mass centre at which the rim touches.
    pub(super) fn height(&self, m: &Motion) -> f64 {
        self.drum.centre * m.axis().z + self.drum.radius * m.lean()
    }

    /// Kinetic energy (J/kg) in the frame of the plane, or with the velocity of the plane added.
    pub(super) fn kinetic(&self, m: &Motion, base: DVec3) -> f64 {
        let v = m.velocity + base;
        0.5 * (v.length_squared() + m.spin.dot(self.inertia(m.axis()) * m.spin))
    }

    /// By how much the body at rest on its face stays short of tipping over its rim, and of sliding (m/s²).
    pub(super) fn margins(&self, time: f64) -> (f64, f64) {
        let field = self.field(time);
        let push = libm::hypot(field.x, field.y);
        let tips = -field.z * self.drum.radius / self.drum.centre - push;
        (tips, -field.z * self.friction - push)
    }

    /// The direction in which it tips.
    pub(super) fn tips_to(&self, time: f64) -> DVec2 {
        self.field(time).truncate().normalize_or(DVec2::X)
    }
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

impl OdeSystem for Rim {
    fn dimension(&self) -> usize {
        UNKNOWNS
    }

    fn derivative(&self, time: f64, y: &[f64], dy: &mut [f64]) {
        let m = Motion::of(y);
        let Some(rates) = self.rates(time, &m) else {
            // No step is taken into what has no solution.
            dy.fill(f64::NAN);
            return;
        };
        let (moves, accelerates) = match self.touch {
            Touch::Sticks => (-m.spin.cross(self.lever(&m).0), DVec3::ZERO),
            Touch::Slides => (m.velocity, rates.velocity),
        };
        let w = m.spin;
        let turns = DQuat::from_xyzw(w.x, w.y, w.z, 0.0) * m.attitude;
        let slip = match self.touch {
            Touch::Sticks => 0.0,
            Touch::Slides => -rates.force.dot(self.slip(&m).with_z(0.0)),
        };
        let change = Motion {
            attitude: turns * 0.5,
            place: moves,
            velocity: accelerates,
            spin: rates.spin,
            work: rates.force.dot(self.base_velocity(time)),
            loss: slip,
        };
        for (to, from) in dy.iter_mut().zip(change.unknowns()) {
            *to = from;
        }
    }
}
