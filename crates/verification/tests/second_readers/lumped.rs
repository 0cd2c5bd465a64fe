//! Lumped masses: flights by fine steps and halving, the impact with spin by its energy along the ground.

use glam::{DMat3, DVec2, DVec3};
use serde::Deserialize;

use super::reading::Reading;

#[derive(Deserialize)]
struct Impact {
    id: String,
    rotation: bool,
    velocity_m_per_s: DVec3,
    spin_rad_per_s: DVec3,
    normal_restitution: f64,
    tangential_restitution: f64,
    volume_m3: f64,
}

/// Pfeiffer and Bowen (1989): what is left of the energy along the ground, translation and spin, is that of a sphere
/// that rolls. Their 20 and 250 are feet per second.
struct Ball {
    radius: f64,
    normal: f64,
    tangential: f64,
}

const FOOT: f64 = 0.3048;

impl Ball {
    fn of(volume: f64, normal: f64, tangential: f64) -> Self {
        let radius = (0.75 * volume / std::f64::consts::PI).cbrt();
        Self {
            radius,
            normal,
            tangential,
        }
    }

    /// Friction function and scaling factor.
    fn factors(&self, slip: f64, approach: f64) -> (f64, f64) {
        let rub = slip / (20.0 * FOOT);
        let f = self.tangential + (1.0 - self.tangential) / (rub * rub + 1.2);
        let hit = approach / (250.0 * FOOT * self.normal);
        let scaled = self.tangential / (hit * hit + 1.0);
        (f, scaled)
    }

    /// Velocity in (n, t1, t2) after an impact, and the spin of a ball that rolls with it.
    fn impact(&self, v: DVec3, w: DVec3) -> (DVec3, DVec3) {
        // The contact lies at −R n; a spin about t2 moves it along t1.
        let contact = v + w.cross(DVec3::new(-self.radius, 0.0, 0.0));
        let slip = DVec2::new(contact.y, contact.z).length();
        let (f, scaling) = self.factors(slip, v.x.abs());
        let rolls = |v: f64, rim: f64| {
            let energy = 0.5 * v * v + 0.2 * rim * rim;
            let speed = (2.0 * energy * f * scaling / 1.4).sqrt();
            // Forward, if the moment of momentum about the contact points so.
            if v + 0.4 * rim < 0.0 { -speed } else { speed }
        };
        let (t1, t2) = (
            rolls(v.y, self.radius * w.z),
            rolls(v.z, -self.radius * w.y),
        );
        let spin = DVec3::new(w.x, -t2 / self.radius, t1 / self.radius);
        (DVec3::new(-self.normal * v.x, t1, t2), spin)
    }
}

#[test]
fn a_flight_in_ten_thousand_steps() {
    let mut reading = Reading::open("lumped_mass/flight", "a_flight_in_ten_thousand_steps");
    let mut at = DVec3::from_array(reading.inputs("position_m"));
    let mut v = DVec3::from_array(reading.inputs("velocity_m_per_s"));
    let spin = DVec3::from_array(reading.inputs("spin_rad_per_s"));
    let mut turn = DMat3::from_rotation_z(reading.input("attitude_deg_about_z").to_radians());
    let gravity = DVec3::new(0.0, 0.0, -reading.input("gravity_m_per_s2"));
    const STEPS: u32 = 10_000;
    let h = reading.input("time_s") / f64::from(STEPS);
    let rate = |m: DMat3| {
        DMat3::from_cols(
            spin.cross(m.x_axis),
            spin.cross(m.y_axis),
            spin.cross(m.z_axis),
        )
    };
    for _ in 0..STEPS {
        // Constant acceleration is exact by the middle velocity; the attitude by Runge and Kutta.
        at += h * (v + 0.5 * h * gravity);
        v += h * gravity;
        let k1 = rate(turn);
        let k2 = rate(turn + k1 * (0.5 * h));
        let k3 = rate(turn + k2 * (0.5 * h));
        let k4 = rate(turn + k3 * h);
        turn += (k1 + k2 * 2.0 + k3 * 2.0 + k4) * (h / 6.0);
    }
    for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
        reading.holds(&format!("p{axis}"), "corrected", at[k], 1e-10);
        reading.holds(&format!("v{axis}"), "corrected", v[k], 1e-10);
        for column in 0..3 {
            let row = format!("R{}{}", k + 1, column + 1);
            reading.holds(&row, "corrected", turn.col(column)[k], 1e-10);
        }
    }
    reading.whole("corrected", &[]);
    // As printed: no start position, and the rotation from both sides.
    let (v, time) = (
        DVec3::from_array(reading.inputs("velocity_m_per_s")),
        reading.input("time_s"),
    );
    let start = DMat3::from_rotation_z(reading.input("attitude_deg_about_z").to_radians());
    let only = turn * start.transpose();
    let printed = only * start * only.transpose();
    for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
        let way = v[k] * time + 0.5 * gravity[k] * time * time;
        reading.holds(&format!("p{axis}"), "literal", way, 1e-9);
        for column in 0..3 {
            let row = format!("R{}{}", k + 1, column + 1);
            reading.holds(&row, "literal", printed.col(column)[k], 1e-9);
        }
    }
    reading.whole("literal", &[]);
}

/// A path: parabolas in steps of 0.1 ms until they cross the ground, slides by their energy, up to the stop.
fn path(id: &str, rotation: bool) {
    let mut reading = Reading::open(id, "paths_by_steps_and_halving");
    let profile: Vec<DVec2> = reading.inputs("profile_m");
    let materials: Vec<[f64; 3]> = reading.inputs("materials_rn_rt_phi_deg");
    let gravity = reading.input("gravity_m_per_s2");
    let cutoff = reading.input("normal_velocity_cutoff_m_per_s");
    let mut at = DVec2::new(reading.input("start_x_m"), reading.input("start_z_m"));
    let mut v = DVec2::new(
        reading.input("start_vx_m_per_s"),
        reading.input("start_vz_m_per_s"),
    );
    let segment = |x: f64| profile.iter().rposition(|p| p.x <= x).unwrap_or(0);
    let along = |k: usize| (profile[k + 1] - profile[k]).normalize();
    let height = |x: f64| {
        let k = segment(x).min(profile.len() - 2);
        let (a, b) = (profile[k], profile[k + 1]);
        a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)
    };
    let (mut time, mut spin, mut number) = (0.0, 0.0, 0);
    // A slide that ends at a concave corner strikes the next segment there.
    let mut struck: Option<usize> = None;
    loop {
        let k = match struck.take() {
            Some(k) => k,
            None => {
                let fall = |t: f64| at + v * t - DVec2::Y * (0.5 * gravity * t * t);
                let above = |t: f64| fall(t).y - height(fall(t).x);
                let t = landing(above);
                (at, time, v) = (fall(t), time + t, v - DVec2::Y * (gravity * t));
                segment(at.x)
            }
        };
        let before = v;
        let (t1, up) = (along(k), DVec2::new(-along(k).y, along(k).x));
        let [normal, tangential, angle] = materials[k];
        let ball = Ball::of(reading.input("volume_m3"), normal, tangential);
        let there = DVec3::new(before.dot(up), before.dot(t1), 0.0);
        let (back, turned) = match rotation {
            true => ball.impact(there, DVec3::new(0.0, 0.0, spin)),
            false => (
                DVec3::new(-normal * there.x, tangential * there.y, 0.0),
                DVec3::ZERO,
            ),
        };
        let slides = back.x < cutoff;
        v = t1 * back.y + if slides { DVec2::ZERO } else { up * back.x };
        spin = turned.z;
        let mut event = |kind: &str, k: usize, at: DVec2, time: f64, before: DVec2, v: DVec2| {
            number += 1;
            let row = |what: &str| format!("{number:02}/{what}");
            reading.says(&row("kind"), "reference", kind);
            for (what, value) in [
                ("segment", k as f64),
                ("t", time),
                ("x", at.x),
                ("z", at.y),
                ("vx-before", before.x),
                ("vz-before", before.y),
                ("vx-after", v.x),
                ("vz-after", v.y),
                ("w-after", spin),
            ] {
                reading.holds(&row(what), "reference", value, 1e-9);
            }
        };
        if !slides {
            event("impact", k, at, time, before, v);
            continue;
        }
        event("impact->slide", k, at, time, before, v);
        // Forward on a ground that falls: gravity and friction do their work on the way to the corner.
        let (speed, way) = (v.length(), profile[k + 1].distance(at));
        let pull = -t1.y - angle.to_radians().tan() * t1.x;
        let energy = 0.5 * speed * speed + gravity * pull * way;
        if energy < 0.0 {
            let rest = -0.5 * speed * speed / (gravity * pull);
            let end = (at + t1 * rest, time + 2.0 * rest / speed);
            event("stop", k, end.0, end.1, DVec2::ZERO, DVec2::ZERO);
            break;
        }
        let fast = (2.0 * energy).sqrt();
        time += 2.0 * way / (speed + fast);
        (at, v) = (profile[k + 1], t1 * fast);
        let concave = along(k + 1).perp_dot(t1) < 0.0;
        let kind = if concave {
            "concave vertex"
        } else {
            "convex vertex"
        };
        event(kind, k, at, time, v, v);
        struck = concave.then_some(k + 1);
    }
    reading.whole("reference", &[]);
}

/// When a height that is positive just after the start is zero: in steps of 0.1 ms, then by halving.
fn landing(above: impl Fn(f64) -> f64) -> f64 {
    let mut t = 1e-4;
    while above(t) > 0.0 {
        t += 1e-4;
    }
    let (mut low, mut high) = (t - 1e-4, t);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        match above(middle) > 0.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    high
}

#[test]
fn paths_by_steps_and_halving() {
    path("lumped_mass/trajectory-without-rotation", false);
    path("lumped_mass/trajectory-with-rotation", true);
}

#[test]
fn impacts_by_the_energy_along_the_ground() {
    let mut reading = Reading::open(
        "lumped_mass/impacts",
        "impacts_by_the_energy_along_the_ground",
    );
    for case in reading.inputs::<Vec<Impact>>("cases") {
        let (normal, tangential) = (case.normal_restitution, case.tangential_restitution);
        let ball = Ball::of(case.volume_m3, normal, tangential);
        let (v, w) = (case.velocity_m_per_s, case.spin_rad_per_s);
        let (after, spin) = match case.rotation {
            true => ball.impact(v, w),
            false => (
                DVec3::new(-normal * v.x, tangential * v.y, tangential * v.z),
                w,
            ),
        };
        let contact = v + w.cross(DVec3::new(-ball.radius, 0.0, 0.0));
        let (f, scaling) = ball.factors(DVec2::new(contact.y, contact.z).length(), v.x.abs());
        for (what, value) in [
            ("f", f),
            ("SF", scaling),
            ("vn", after.x),
            ("vt1", after.y),
            ("vt2", after.z),
            ("wn", spin.x),
            ("wt1", spin.y),
            ("wt2", spin.z),
        ] {
            // Without restitution along the normal the factor is zero by its limit.
            let value = if value.is_nan() { 0.0 } else { value };
            reading.may_hold(&format!("{}/{what}", case.id), "corrected", value, 1e-9);
        }
        // As printed: into the ground, roots without a sign, spin from the velocity before.
        let (along, spin) = match case.rotation {
            true => (
                [after.y.abs(), after.z.abs()],
                [w.x, -v.z / ball.radius, v.y / ball.radius],
            ),
            false => ([after.y, after.z], [w.x, w.y, w.z]),
        };
        for (what, value) in [
            ("f", f),
            ("SF", scaling),
            ("vn", normal * v.x),
            ("vt1", along[0]),
            ("vt2", along[1]),
            ("wn", spin[0]),
            ("wt1", spin[1]),
            ("wt2", spin[2]),
        ] {
            let value = if value.is_nan() { 0.0 } else { value };
            reading.may_hold(&format!("{}/{what}", case.id), "literal", value, 1e-9);
        }
    }
    reading.whole("corrected", &[]);
    reading.whole("literal", &[]);
}

/// The frame of the ground is the one in which the spin along it has the direction t2.
#[test]
fn an_impact_on_ground_that_leans() {
    let mut reading = Reading::open("lumped_mass/world-frame", "an_impact_on_ground_that_leans");
    let n = DVec3::from_array(reading.inputs("normal")).normalize();
    let v = DVec3::from_array(reading.inputs("velocity_m_per_s"));
    let w = DVec3::from_array(reading.inputs("spin_rad_per_s"));
    let t2 = (w - n * w.dot(n)).normalize();
    let frame = DMat3::from_cols(n, t2.cross(n), t2);
    let ball = Ball::of(
        reading.input("volume_m3"),
        reading.input("normal_restitution"),
        reading.input("tangential_restitution"),
    );
    let (v, w) = ball.impact(frame.transpose() * v, frame.transpose() * w);
    let (v, w) = (frame * v, frame * w);
    for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
        reading.holds(&format!("v{axis}"), "corrected", v[k], 1e-9);
        reading.holds(&format!("w{axis}"), "corrected", w[k], 1e-9);
    }
    reading.whole("corrected", &[]);
}

/// A mass on a plane that leans by an angle, by steps of Runge and Kutta: place and velocity (down the slope, across)
/// after a time, or where it stops.
fn slid(lean: f64, mu: f64, start: DVec2, time: f64) -> (DVec2, DVec2) {
    const G: f64 = 9.81;
    let pull = DVec2::new(G * lean.sin(), 0.0);
    let rate = |v: DVec2| pull - v.normalize_or_zero() * (mu * G * lean.cos());
    let steps = (time / 1e-4).round() as u32;
    let h = time / f64::from(steps.max(1));
    let (mut at, mut v) = (DVec2::ZERO, start);
    for _ in 0..steps {
        let k1 = rate(v);
        let k2 = rate(v + 0.5 * h * k1);
        let k3 = rate(v + 0.5 * h * k2);
        let k4 = rate(v + h * k3);
        let next = v + (k1 + 2.0 * k2 + 2.0 * k3 + k4) * (h / 6.0);
        at += h / 6.0 * (v + 2.0 * (v + 0.5 * h * k1) + 2.0 * (v + 0.5 * h * k2) + (v + h * k3));
        v = next;
    }
    (at, v)
}

#[test]
fn slides_in_small_steps() {
    let mut reading = Reading::open("lumped_mass/laws", "slides_in_small_steps");
    let lean = 30.0_f64.to_radians();
    // Up the slope gravity and friction take the energy of 0.8 m/s.
    let resists = 9.81 * (lean.sin() + 0.4 * lean.cos());
    let way = 0.5 * 0.8 * 0.8 / resists;
    let time = 2.0 * way / 0.8;
    reading.holds("uphill/turn-distance", "exact", way, 1e-9);
    reading.holds("uphill/turn-time", "exact", time, 1e-9);
    let (at, v) = slid(lean, 0.4, DVec2::X * 1e-12, 20.0 - time);
    reading.holds("uphill/speed", "exact", v.x, 1e-9);
    reading.holds("uphill/distance", "exact", at.x, 1e-9);
    let (at, v) = slid(lean, 0.0, DVec2::ZERO, 2.0);
    reading.holds("frictionless/speed", "exact", v.x, 1e-9);
    reading.holds("frictionless/distance", "exact", at.x, 1e-9);
    for (row, mu) in [("static/below", 0.577), ("static/above", 0.578)] {
        // The weight along the slope against what friction can carry.
        let word = if lean.sin() > mu * lean.cos() {
            "slides"
        } else {
            "rests"
        };
        reading.says(row, "exact", word);
    }
    // Level ground: energy over friction.
    let level = 0.5 * 25.0 / (30.0_f64.to_radians().tan() * 9.81);
    reading.holds("angle/distance", "exact", level, 1e-9);
    let (at, v) = slid(0.5_f64.atan(), 0.7, DVec2::Y * 6.0, 1.5);
    reading.holds("oblique/down", "exact", at.x, 1e-9);
    reading.holds("oblique/across", "exact", at.y, 1e-9);
    reading.holds("oblique/speed", "exact", v.length(), 1e-9);
    // Without spin the size does not matter.
    let ball = Ball::of(1.0, 0.3, 0.7);
    let (v, _) = ball.impact(
        DVec3::new(-0.3 * 250.0 * FOOT, 20.0 * FOOT, 0.0),
        DVec3::ZERO,
    );
    reading.holds("f1/v", "exact", v.y, 1e-9);
    reading.whole("exact", &["roughness", "no-tangential-spin"]);
}
