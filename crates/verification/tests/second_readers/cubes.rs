//! Cubes and other solids on a plane: drops by the energy of heights, slides by their time, impacts at the lowest
//! corners by a slow iteration of projections (Newton) and by steps of the normal impulse (Stronge).

use glam::{DQuat, DVec2, DVec3};
use serde::Deserialize;

use super::reading::{Reading, first_zero};

/// A cube of side 1 m before its impact.
struct Fall {
    mass: f64,
    gravity: f64,
    /// Of the ground.
    normal: DVec3,
    spin: DVec3,
}

/// What it has at its first contact.
struct Contact {
    time: f64,
    velocity: DVec3,
    arm: DVec3,
}

impl Fall {
    /// The lowest point at a time; the middle of an edge that is as low as that.
    fn lowest(&self, time: f64) -> DVec3 {
        let turn = DQuat::from_scaled_axis(self.spin * time);
        let corners = (0..8).map(|k| {
            let side = |bit: i32| if k >> bit & 1 == 1 { 0.5 } else { -0.5 };
            turn * DVec3::new(side(0), side(1), side(2))
        });
        let corners: Vec<DVec3> = corners.collect();
        let height = |c: &DVec3| c.dot(self.normal);
        let low = corners.iter().map(height).fold(f64::INFINITY, f64::min);
        let touching: Vec<DVec3> = corners
            .into_iter()
            .filter(|c| height(c) < low + 1e-9)
            .collect();
        touching.iter().sum::<DVec3>() / touching.len() as f64
    }

    /// The first contact of a centre that starts a distance above the plane along the vertical.
    fn contact(&self, above: f64) -> Contact {
        let centre = |t: f64| DVec3::Z * (above - 0.5 * self.gravity * t * t);
        let gap = |t: f64| (centre(t) + self.lowest(t)).dot(self.normal);
        let high = first_zero(gap);
        Contact {
            time: high,
            velocity: -DVec3::Z * self.gravity * high,
            arm: self.lowest(high),
        }
    }

    fn inertia(&self) -> f64 {
        self.mass / 6.0
    }

    /// Velocity and spin after an impulse at the contact.
    fn after(&self, c: &Contact, impulse: DVec3) -> (DVec3, DVec3) {
        let spin = self.spin + c.arm.cross(impulse) / self.inertia();
        (c.velocity + impulse / self.mass, spin)
    }

    /// Normal, the direction of slip in the plane, and the two by two that takes impulses to velocities. The motions of
    /// the tables have a plane of symmetry: nothing leaves it.
    fn plane(&self, c: &Contact) -> (DVec3, DVec3, [DVec2; 2], DVec2) {
        let at = c.velocity + self.spin.cross(c.arm);
        let slip = at - self.normal * at.dot(self.normal);
        let t = match slip.length() > 1e-12 {
            true => slip.normalize(),
            false => self.normal.any_orthonormal_vector(),
        };
        let given = |p: DVec3| {
            let (v, w) = self.after(c, p);
            let u = v + w.cross(c.arm) - at;
            assert!(
                u.dot(self.normal.cross(t)).abs() < 1e-9,
                "it leaves the plane"
            );
            DVec2::new(u.dot(self.normal), u.dot(t))
        };
        let u = DVec2::new(at.dot(self.normal), at.dot(t));
        (self.normal, t, [given(self.normal), given(t)], u)
    }

    /// Newton: `u_n⁺ = −e u_n`, tangential to `−e_t u_t`, friction in its cone; by projection until nothing moves.
    fn newton(&self, c: &Contact, e: f64, tangential: f64, mu: f64) -> DVec3 {
        let (n, t, w, u) = self.plane(c);
        let step = 0.5 / (w[0].x + w[1].y);
        let mut p = DVec2::ZERO;
        for _ in 0..20_000 {
            let now = u + w[0] * p.x + w[1] * p.y;
            p.x = (p.x - step * (now.x + e * u.x)).max(0.0);
            let now = u + w[0] * p.x + w[1] * p.y;
            p.y = (p.y - step * (now.y + tangential * u.y)).clamp(-mu * p.x, mu * p.x);
        }
        n * p.x + t * p.y
    }

    /// Stronge: steps of the normal impulse; restitution gives back e² of the work of compression.
    fn stronge(&self, c: &Contact, e: f64, mu: f64) -> DVec3 {
        let (n, t, w, mut u) = self.plane(c);
        let step = 1e-6 * self.mass * u.x.abs();
        let (mut p, mut work, mut back) = (DVec2::ZERO, 0.0_f64, 0.0_f64);
        loop {
            // Friction that would hold the slip at zero, if it is in the cone.
            let hold = -w[0].y / w[1].y;
            let rate = match u.y.abs() > 2.0 * step * w[1].y.max(w[0].y.abs()) {
                true => -mu * u.y.signum(),
                false if hold.abs() <= mu => hold,
                false => mu * hold.signum(),
            };
            let change = w[0] + w[1] * rate;
            let middle = u.x + 0.5 * step * change.x;
            if middle < 0.0 {
                work -= middle * step;
            } else {
                back += middle * step;
                if back > e * e * work {
                    return n * p.x + t * p.y;
                }
            }
            u += change * step;
            p += DVec2::new(step, rate * step);
        }
    }

    /// Holds velocities and energies (kJ) after the impact against a column.
    fn holds(&self, reading: &mut Reading, prefix: &str, column: &str, c: &Contact, p: DVec3) {
        let tolerance = if column.contains("stronge") {
            1e-4
        } else {
            1e-9
        };
        let energy = |v: DVec3, w: DVec3| {
            0.5e-3 * (self.mass * v.length_squared() + self.inertia() * w.length_squared())
        };
        let (v, w) = self.after(c, p);
        let (before, after) = (energy(c.velocity, self.spin), energy(v, w));
        for (what, value) in [
            ("vx", v.x),
            ("vy", v.y),
            ("vz", v.z),
            ("wx", w.x),
            ("wy", w.y),
            ("w", w.y),
            ("t", c.time),
            ("ke_in", before),
            ("ke", after),
            ("kt", energy(v, DVec3::ZERO)),
            ("kr", energy(DVec3::ZERO, w)),
            ("loss", before - after),
        ] {
            reading.may_hold(&format!("{prefix}{what}"), column, value, tolerance);
        }
    }

    fn laws(&self, reading: &mut Reading, prefix: &str, above: f64, (e, mu): (f64, f64)) {
        let c = self.contact(above);
        let newton = self.newton(&c, e, 0.0, mu);
        self.holds(reading, prefix, "exact_newton", &c, newton);
        let whole = self.newton(&c, e, 1.0, mu);
        self.holds(reading, prefix, "exact_newton_rt1", &c, whole);
        let stronge = self.stronge(&c, e, mu);
        self.holds(reading, prefix, "exact_stronge", &c, stronge);
    }
}

const LAWS: [&str; 3] = ["exact_newton", "exact_newton_rt1", "exact_stronge"];

fn radians(degrees: [f64; 3]) -> DVec3 {
    DVec3::from_array(degrees.map(f64::to_radians))
}

#[test]
fn a_spinning_cube_on_level_ground() {
    for id in ["3.1-2d", "3.1-3d", "3.2-2d", "3.2-3d"] {
        let mut reading = Reading::open(
            &format!("rocfall3/table-{id}"),
            "a_spinning_cube_on_level_ground",
        );
        let fall = Fall {
            mass: reading.input("mass_kg"),
            gravity: reading.input("gravity_m_per_s2"),
            normal: DVec3::Z,
            spin: radians(reading.inputs("spin_deg_per_s")),
        };
        let law = (reading.input("restitution"), reading.input("friction"));
        let above = reading.input("centre_height_m");
        fall.laws(&mut reading, "", above, law);
        LAWS.iter().for_each(|column| reading.whole(column, &[]));
    }
}

#[derive(Deserialize)]
struct Angle {
    id: String,
    friction_angle_deg: f64,
}

#[test]
fn a_spinning_cube_with_four_frictions() {
    let mut reading = Reading::open("rocfall3/table-3.3", "a_spinning_cube_with_four_frictions");
    let fall = Fall {
        mass: reading.input("mass_kg"),
        gravity: reading.input("gravity_m_per_s2"),
        normal: DVec3::Z,
        spin: radians(reading.inputs("spin_deg_per_s")),
    };
    let (e, above) = (
        reading.input("restitution"),
        reading.input("centre_height_m"),
    );
    for case in reading.inputs::<Vec<Angle>>("cases") {
        let mu = case.friction_angle_deg.to_radians().tan();
        fall.laws(&mut reading, &format!("{}/", case.id), above, (e, mu));
    }
    reading.whole("exact_newton", &[]);
    reading.whole("exact_stronge", &[]);
}

#[derive(Deserialize)]
struct Rock {
    id: String,
    centre_above_slope_m: f64,
    spin_y_deg_per_s: f64,
}

#[test]
fn three_cubes_on_a_slope() {
    let mut reading = Reading::open("rocfall3/table-4.2", "three_cubes_on_a_slope");
    let law = (reading.input("restitution"), reading.input("friction"));
    for rock in reading.inputs::<Vec<Rock>>("cases") {
        let fall = Fall {
            mass: reading.input("mass_kg"),
            gravity: reading.input("gravity_m_per_s2"),
            normal: DVec3::new(1.0, 0.0, 2.0).normalize(),
            spin: DVec3::Y * rock.spin_y_deg_per_s.to_radians(),
        };
        let prefix = format!("{}/", rock.id);
        fall.laws(&mut reading, &prefix, rock.centre_above_slope_m, law);
    }
    LAWS.iter().for_each(|column| reading.whole(column, &[]));
}

/// Five rocks of section 5 with the stated generator: cosine branch of Box and Muller, values outside drawn again.
#[test]
fn the_first_rocks_of_section_5() {
    let mut reading = Reading::open("rocfall3/section5", "the_first_rocks_of_section_5");
    let mut state = reading.input("seed") as u64;
    let mut uniform = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((z ^ (z >> 31)) >> 11) + 1) as f64 / 9_007_199_254_740_992.0
    };
    let mut draw = |[mean, deviation, low, high]: [f64; 4]| loop {
        let (u, v) = (uniform(), uniform());
        let x = mean + deviation * (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos();
        if x >= low && x <= high {
            return x;
        }
    };
    for rock in 1..=5 {
        let e = draw(reading.inputs("normal_restitution_mean_sd_min_max"));
        let mu = draw(reading.inputs("friction_mean_sd_min_max"));
        let spin = draw(reading.inputs("spin_deg_per_s_mean_sd_min_max"));
        let fall = Fall {
            mass: reading.input("mass_kg"),
            gravity: reading.input("gravity_m_per_s2"),
            normal: DVec3::new(reading.input("slope_rise_over_run"), 0.0, 1.0).normalize(),
            spin: DVec3::Y * spin.to_radians(),
        };
        let c = fall.contact(reading.input("height_over_slope_m"));
        let p = fall.newton(&c, e, 0.0, mu);
        for column in ["exact-2d", "exact-3d"] {
            fall.holds(&mut reading, &format!("rock-{rock}/"), column, &c, p);
        }
    }
    reading.whole("exact-2d", &["sample/"]);
}

/// Heights of rebounds: each keeps e² of the energy over the lowest place of the centre.
fn rebounds(reading: &mut Reading, prefix: &str, lowest: f64, e: f64) {
    let mut energy = reading.input("centre_height_m") - lowest;
    for k in 1..=4 {
        energy *= e * e;
        reading.may_hold(
            &format!("{prefix}rebound{k}"),
            "exact",
            lowest + energy,
            1e-12,
        );
    }
}

/// Heights of the centres of solids of volume 1 that come down as they are drawn: an octahedron ±a on its corner, whose
/// two pyramids have the volume 4a³/3; a dodecahedron about the cube ±a on an edge, φ a below, whose edge is 2a/φ.
fn lowest() -> (f64, f64) {
    let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
    let of_edge_1 = (15.0 + 7.0 * 5.0_f64.sqrt()) / 4.0;
    let dodecahedron = golden / (of_edge_1 * (2.0 / golden).powi(3)).cbrt();
    ((3.0 / 4.0_f64).cbrt(), dodecahedron)
}

#[derive(Deserialize)]
struct Drop {
    id: String,
    restitution: f64,
}

#[test]
fn solids_that_fall_on_their_faces() {
    let mut reading = Reading::open("rocfall3/table-1.1", "solids_that_fall_on_their_faces");
    let e = reading.input("restitution");
    rebounds(&mut reading, "", 0.5, e);
    reading.whole("exact", &[]);
    let (octahedron, dodecahedron) = lowest();
    let mut reading = Reading::open("rocfall3/table-1.2", "solids_that_fall_on_their_faces");
    for case in reading.inputs::<Vec<Drop>>("cases") {
        let lowest = match case.id.as_str() {
            "octahedron" => octahedron,
            _ => dodecahedron,
        };
        rebounds(
            &mut reading,
            &format!("{}/", case.id),
            lowest,
            case.restitution,
        );
    }
    reading.whole("exact", &[]);
    let mut reading = Reading::open("rocfall3/table-1.3", "solids_that_fall_on_their_faces");
    rebounds(&mut reading, "elastic/", 0.5, 1.0);
    rebounds(&mut reading, "plastic/", octahedron, 0.0);
    reading.whole("exact", &[]);
}

/// Way in the time that friction takes to stop a slide.
#[test]
fn slides_on_level_ground() {
    for id in ["2.1", "2.2"] {
        let mut reading = Reading::open(&format!("rocfall3/table-{id}"), "slides_on_level_ground");
        let speed = DVec3::from_array(reading.inputs("velocity_m_per_s")).length();
        let slowing = reading.input("friction") * reading.input("gravity_m_per_s2");
        let time = speed / slowing;
        let way = speed * time - 0.5 * slowing * time * time;
        reading.holds("distance", "exact", way, 1e-12);
        reading.whole("exact", &[]);
    }
}
