//! The energies at the start of a step, and the balance of what changes in them until its end.
//!
//! A gain is looked for island by island. In the sum over all bodies a body that falls or brakes elsewhere would hide
//! it: by what its own step takes, and by the rounding of its energy.

use super::audit::StepReport;
use super::exchanged::Exchanged;
use super::islands::Islands;
use super::state::{History, WorldState};
use glam::DVec3;

/// Rise of the energy under this part of the energies that were exchanged is rounding: sums over thousands of bodies.
const ROUNDING: f64 = 1e-12;

/// Energies at the start of a step (J).
#[derive(Debug, Clone, Default)]
pub(super) struct Energies {
    kinetic: f64,
    potential: f64,
    elastic: f64,
    tied: f64,
    /// Kinetic energy of each member, and where it is.
    members: Vec<(f64, DVec3)>,
}

impl Energies {
    /// Takes those of now.
    pub fn set(&mut self, state: &WorldState, history: &History) {
        self.members.clear();
        self.members.extend(state.members.iter().map(|m| {
            let kinetic = match m.is_free() {
                true => m.kinetic_energy(),
                false => 0.0,
            };
            (kinetic, m.state.pose.translation)
        }));
        // A sum of none is −0.
        self.kinetic = self.members.iter().map(|(kinetic, _)| kinetic).sum::<f64>() + 0.0;
        self.potential = state.potential_energy();
        self.elastic = history.elastic_energy(&state.settings);
        self.tied = state.tied_energy();
    }

    /// Enters the change of the energies over a step, what of it no term explains, and what islands gained.
    pub fn balance(
        &self,
        state: &WorldState,
        history: &History,
        islands: &Islands,
        report: &mut StepReport,
    ) {
        (report.energy.kinetic, report.energy.potential) =
            (state.kinetic_energy(), state.potential_energy());
        report.energy.elastic = history.elastic_energy(&state.settings);
        report.energy.tied = state.tied_energy();
        report.exchange.spring_loss += self.elastic - report.energy.elastic;
        let change = report.energy.kinetic - self.kinetic + report.energy.potential
            - self.potential
            + report.energy.elastic
            - self.elastic
            + report.energy.tied
            - self.tied
            - report.exchange.stabilisation;
        report.unexplained = change - report.exchange.boundary_work - report.exchange.load_work
            + report.exchange.losses();
        report.gain = islands
            .iter()
            .map(|island| self.gain(state, &island.bodies, island.exchanged))
            .sum::<f64>()
            + 0.0;
    }

    /// What the energy of an island rose by beyond what it was given; 0 where that is not above rounding.
    fn gain(&self, state: &WorldState, bodies: &[u32], exchanged: Exchanged) -> f64 {
        let (mut rise, mut handled) = (-exchanged.given, exchanged.handled);
        for &i in bodies {
            let (m, (kinetic, place)) = (&state.members[i as usize], self.members[i as usize]);
            let now = m.kinetic_energy();
            let (weight, at) = (
                m.body.mass() * state.settings.gravity,
                m.state.pose.translation,
            );
            rise += now - kinetic - weight.dot(at - place);
            handled += now + kinetic + weight.dot(at).abs() + weight.dot(place).abs();
        }
        if rise > ROUNDING * handled { rise } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::contacts::{PLANES, WorldContact};
    use super::super::materials::Surface;
    use super::super::member::{Member, Role};
    use super::super::settings::WorldSettings;
    use super::*;
    use crate::{Body, State};
    use klast_geometry::Pose;

    /// A body of 1 kg whose energy rises by 1e-6 J at a contact is seen, whatever falls or brakes elsewhere: here
    /// 1e12 kg, which lose 1e13 J in the step, and whose rounding alone is a joule.
    #[test]
    fn what_falls_elsewhere_hides_no_gain() {
        for heavy_touches in [false, true] {
            let mut state = WorldState::new(WorldSettings::default());
            for (place, density, speed) in [(DVec3::ZERO, 1.0, 1.0), (DVec3::Z * 1e3, 1e12, 10.0)] {
                let mut start = State::at_rest(Pose::from_translation(place));
                start.velocity.linear.x = speed;
                let body = Body::sphere(0.5, density * 6.0 / std::f64::consts::PI).unwrap();
                let surface = Surface {
                    friction: 0.0,
                    restitution: 0.0,
                };
                let member = Member::new(body, start, Role::Free, surface).unwrap();
                state.members.push(member);
            }
            let contact = |first| WorldContact {
                first,
                second: PLANES,
                feature: 0,
                point: DVec3::ZERO,
                apart: DVec3::ZERO,
                normal: DVec3::Z,
                gap: 0.0,
                friction: 0.0,
                restitution: 0.0,
                rolling_length: 0.0,
                rolling_arm: DVec3::ZERO,
                rolling_speed: 0.0,
                impulse: DVec3::ZERO,
                velocity: DVec3::ZERO,
            };
            let contacts = [contact(0), contact(1)];
            let mut islands = Islands::default();
            islands.sort(&state, &contacts[..1 + usize::from(heavy_touches)]);
            let (history, mut before) = (History::default(), Energies::default());
            before.set(&state, &history);
            state.members[0].state.velocity.linear.x = (1.0f64 + 2e-6).sqrt();
            state.members[1].state.velocity.linear.x = 9.0;
            let mut report = StepReport::default();
            before.balance(&state, &history, &islands, &mut report);
            assert!((report.gain - 1e-6).abs() < 1e-15, "{report:?}");
        }
    }
}
