//! One instant of a stack, for checks and for other integrators: accelerations, contact forces, openings and impacts.

use super::chain::{Chain, LeverTable, Vec2};
use super::configuration::{Configuration, Pivot};
use super::impact::Impact;
use super::impact_outcome::{NoOutcome, Outcome};
use super::motion::{Contact, accelerations, flow, hinge_contact, mass_matrix, shut_contact};
use super::opening::{openings, pose};
use super::restitution::InterfaceRestitution;
use super::sincos::sin_cos;
use super::state::StackState;
use super::{Row, Stack};
use klast_numerics::OutOfRange;
use klast_rocking::RockingError;

/// What an interface passes upwards: force along and across its face, and the moment about its middle, clockwise (0 at
/// an open hinge).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InterfaceForce {
    /// Normal component (N, or N s for an impulse), pushing positive.
    pub normal: f64,
    /// Tangential component, to the right positive.
    pub tangent: f64,
    /// Moment about the middle of a shut interface (N m, or N m s).
    pub moment: f64,
}

impl From<Contact> for InterfaceForce {
    fn from(contact: Contact) -> Self {
        Self {
            normal: contact.normal,
            tangent: contact.tangent,
            moment: contact.moment,
        }
    }
}

/// How an impact settles.
#[derive(Debug, Clone, PartialEq)]
pub struct StackImpact {
    /// The state after it.
    pub after: StackState,
    /// Kinetic energy relative to the base, before and after (J).
    pub energy: (f64, f64),
    /// The impulse of every interface.
    pub impulses: Vec<InterfaceForce>,
    /// False when no set of pivots was admissible.
    pub admissible: bool,
    /// Why none was.
    pub refusal: Option<NoOutcome>,
}

impl Stack {
    /// Angular accelerations of the standing blocks (rad/s²) in the configuration of `state`, under a base acceleration
    /// (m/s², to the right and upwards).
    pub fn accelerations(
        &self,
        state: &StackState,
        horizontal: f64,
        vertical: f64,
    ) -> Result<Vec<f64>, RockingError> {
        self.fits(state)?;
        let chain = Chain::new(self, &state.configuration);
        let (_, pose) = pose(&chain, &state.phi, &state.phi_rate);
        let acceleration = accelerations(&chain, &pose, self.base(horizontal, vertical));
        Ok(spread(&chain, &acceleration, state.len()))
    }

    /// What every interface carries, base first.
    pub fn forces(
        &self,
        state: &StackState,
        horizontal: f64,
        vertical: f64,
    ) -> Result<Vec<InterfaceForce>, RockingError> {
        self.fits(state)?;
        let base = self.base(horizontal, vertical);
        let chain = Chain::new(self, &state.configuration);
        let (_, pose) = pose(&chain, &state.phi, &state.phi_rate);
        let acceleration = accelerations(&chain, &pose, base);
        let flow = flow(&chain, &pose, &acceleration, base);
        let mut made = vec![InterfaceForce::from(Contact::default()); state.len()];
        for shut in chain.shut() {
            made[shut.interface] = shut_contact(shut, &pose, &acceleration, &flow).into();
        }
        for (g, group) in chain.groups().iter().enumerate() {
            let (sin, cos) = self
                .face_of(group.first)
                .map_or((0.0, 1.0), |body| sin_cos(state.angle(body)));
            made[group.first] = hinge_contact(&chain, g, &flow, cos, sin).into();
        }
        Ok(made)
    }

    /// The mass matrix over the absolute rotations of the standing blocks in the configuration of `state`, with no
    /// interface merged (kg m²).
    pub fn mass_matrix(&self, state: &StackState) -> Result<Vec<Vec<f64>>, RockingError> {
        self.fits(state)?;
        let blocks = state.len();
        let table = LeverTable::new(self, &state.configuration);
        let groups: Vec<_> = (0..blocks).map(|j| table.part(j, j + 1, 0.0)).collect();
        let (mut cos, mut sin) = (Row::from_elem(0.0, blocks), Row::from_elem(0.0, blocks));
        for j in 0..blocks {
            (sin[j], cos[j]) = sin_cos(state.angle(j));
        }
        let matrix = mass_matrix(&groups, &cos, &sin);
        let entry = |i: usize, j: usize| matrix[i.min(j) * blocks + i.max(j)];
        let row = |i: usize| (0..blocks).map(|j| entry(i, j)).collect();
        Ok((0..blocks).map(row).collect())
    }

    /// The configuration the accelerations call for: every shut interface of `state` is free to open.
    pub fn openings(
        &self,
        state: &StackState,
        horizontal: f64,
        vertical: f64,
    ) -> Result<Configuration, RockingError> {
        self.fits(state)?;
        let base = self.base(horizontal, vertical);
        Ok(openings(
            self,
            &state.configuration,
            &state.phi,
            &state.phi_rate,
            base,
        )
        .configuration)
    }

    /// Settles an impact of `interface`, which must be open in `state` with a rotation of zero.
    pub fn impact(
        &self,
        state: &StackState,
        interface: usize,
        restitution: InterfaceRestitution,
    ) -> Result<StackImpact, RockingError> {
        let impact = self.prepare(state, interface, restitution)?;
        let settled = impact.settle();
        Ok(told(
            state,
            settled.configuration,
            &settled.outcome,
            settled.refusal,
            settled.admissible,
        ))
    }

    /// Every admissible outcome of an impact, by trying all sets of pivots. One is expected.
    pub fn admissible_impacts(
        &self,
        state: &StackState,
        interface: usize,
        restitution: InterfaceRestitution,
    ) -> Result<Vec<StackImpact>, RockingError> {
        let impact = self.prepare(state, interface, restitution)?;
        Ok(impact
            .all_admissible()
            .iter()
            .map(|(configuration, outcome)| told(state, *configuration, outcome, None, true))
            .collect())
    }

    fn prepare(
        &self,
        state: &StackState,
        interface: usize,
        restitution: InterfaceRestitution,
    ) -> Result<Impact<'_>, RockingError> {
        self.fits(state)?;
        let open = state.configuration.pivot(interface) != Pivot::Full;
        if !open || state.relative(interface) != 0.0 {
            let found = if open {
                state.relative(interface)
            } else {
                f64::NAN
            };
            let field = "relative rotation of the interface struck (rad)";
            return Err(OutOfRange::new(field, found, "0, with a rate").into());
        }
        Ok(Impact::new(
            self,
            state.configuration,
            interface,
            restitution,
            &state.phi,
            &state.phi_rate,
        ))
    }

    fn fits(&self, state: &StackState) -> Result<(), RockingError> {
        if state.is_empty() || state.len() > self.len() {
            return Err(OutOfRange::new(
                "number of rotations of a state",
                state.len(),
                "at most one a block",
            )
            .into());
        }
        Ok(())
    }

    fn base(&self, horizontal: f64, vertical: f64) -> Vec2 {
        Vec2::new(horizontal, self.gravity() + vertical)
    }
}

fn told(
    before: &StackState,
    configuration: Configuration,
    outcome: &Outcome,
    refusal: Option<NoOutcome>,
    admissible: bool,
) -> StackImpact {
    let mut after = before.clone();
    after.configuration = configuration;
    for (k, pivot) in configuration.pivots().iter().enumerate() {
        after.phi_rate[k] = if *pivot == Pivot::Full {
            0.0
        } else {
            outcome.phi_rate[k]
        };
    }
    let impulses = outcome.impulse.iter().take(before.len());
    StackImpact {
        after,
        energy: outcome.energy,
        impulses: impulses.map(|contact| (*contact).into()).collect(),
        admissible,
        refusal,
    }
}

fn spread(chain: &Chain, values: &[f64], blocks: usize) -> Vec<f64> {
    let mut made = vec![0.0; blocks];
    for (g, group) in chain.groups().iter().enumerate() {
        made[group.first..].fill(values[g]);
    }
    made
}
