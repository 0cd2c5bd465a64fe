//! How a run starts: block, base, restrainers and options as the state of a driver.

use super::energy::Audit;
use super::run::{Detail, Driver, MODES};
use super::setting::{Setting, Tilt};
use super::state::{Mode, State, side_of};
use super::{Base, SlideRockEnergy, SlideRockOptions, SlideRockOutcome, SlideRockRun};
use crate::block::RockingBlock;
use crate::compliant::Support;
use crate::error::RockingError;
use crate::force::ContactDemand;
use crate::restitution::Restitution;
use crate::restraint::Tie;
use klast_ground_motion::GroundMotion;

/// Simulates `block` on a base with `motion`: by the options with friction, with restrainers, and on a rigid, a tilted
/// or a compliant base. On a compliant base the restitution has no effect.
///
/// ```
/// use klast_ground_motion::{Component, Frequency, GroundMotion};
/// use klast_rocking::{Friction, Restitution, RockingBlock, SlideRockOptions, SlideRockOutcome, simulate_slide_rock};
///
/// let block = RockingBlock::rectangle(0.5, 2.0, 9.81)?;
/// let wave = Component::waves(14.0, Frequency::rad_per_s(std::f64::consts::TAU), 0.0, 1.0)?;
/// let options = SlideRockOptions::new(10.0, Friction::new(0.2)?);
/// let motion = GroundMotion::horizontal(wave);
/// let run = simulate_slide_rock(&block, &Restitution::housner(), &motion, &options)?;
/// assert_eq!(run.outcome, SlideRockOutcome::Slid);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn simulate_slide_rock(
    block: &RockingBlock,
    restitution: &Restitution,
    motion: &GroundMotion,
    options: &SlideRockOptions,
) -> Result<SlideRockRun, RockingError> {
    options.check()?;
    drive(block, restitution, motion, (options, &[]), Detail::Full).map(|driven| driven.run)
}

/// What a run comes to.
pub(crate) struct Driven {
    pub run: SlideRockRun,
    /// Whether it ended as soon as the outcome was known, so that the slip may still have grown.
    #[cfg_attr(
        not(feature = "batch"),
        allow(dead_code, reason = "batches ask for it")
    )]
    pub cut_short: bool,
}

/// The run, as far as `detail` asks for it, with samples at the `times` given or else at the interval of the options.
pub(crate) fn drive(
    block: &RockingBlock,
    restitution: &Restitution,
    motion: &GroundMotion,
    (options, times): (&SlideRockOptions, &[f64]),
    detail: Detail,
) -> Result<Driven, RockingError> {
    let level = match options.base {
        Base::Tilted(angle) => block.under(block.gravity() * libm::cos(angle))?,
        _ => *block,
    };
    let setting = setting(&level, block.gravity(), options);
    let (state, ties) = start(&setting, options);
    let mut driver = Driver {
        setting,
        restitution,
        options,
        times,
        detail,
        audit: Audit::default(),
        run: begun(options, &state),
        t: 0.0,
        state,
        ties,
        mode: Mode::Flight,
        changes: 0,
        failed: [None; MODES],
        grazes: false,
        next_sample: 0,
        cut_short: false,
    };
    let unit = block.gravity() * block.radius();
    driver.audit = Audit::start(unit, driver.energy_of(&state));
    driver.go(motion)?;
    driver.run.energy = driver.audit.energy;
    driver.run.energy.end = driver.energy_of(&driver.state);
    driver.run.restrainers = driver.ties.iter().map(|tie| tie.report).collect();
    Ok(Driven {
        run: driver.run,
        cut_short: driver.cut_short,
    })
}

fn setting<'a>(block: &'a RockingBlock, gravity: f64, options: &SlideRockOptions) -> Setting<'a> {
    let (mut support, mut tilt) = (None, None);
    match options.base {
        Base::Rigid => {}
        Base::Tilted(angle) => {
            let (sin, cos) = libm::sincos(angle);
            tilt = Some(Tilt { sin, cos, gravity });
        }
        Base::Compliant(foundation) => support = Some(Support::new(block, &foundation)),
    }
    Setting {
        block,
        foot: options.foot,
        support,
        tilt,
        overturned_at: options.overturned_at,
    }
}

/// State and restrainers at the start.
fn start(setting: &Setting, options: &SlideRockOptions) -> (State, Vec<Tie>) {
    let block = setting.block;
    let mut ties: Vec<Tie> = options.restraint.map_or(Vec::new(), |restraint| {
        let list = restraint.restrainers().iter();
        list.map(|of| Tie::new(block, restraint.mass(), of))
            .collect()
    });
    let (turn, rate, speed) = (
        options.rotation,
        options.angular_velocity,
        options.sliding_velocity,
    );
    let state = match (
        &setting.support,
        side_of(if turn == 0.0 { rate } else { turn }),
    ) {
        (Some(support), _) => {
            let state = |rise, turn| State::Springs {
                rise,
                turn,
                rising: 0.0,
                rate,
                foot: 0.0,
                speed,
            };
            let (mut force, mut moment) = ((0.0, 0.0), 0.0);
            for tie in &mut ties {
                tie.begin((0.0, 0.0));
                let (x, z) = tie.force((0.0, 0.0));
                force = (force.0 + x, force.1 + z);
                moment += tie.at.1 * x - tie.at.0 * z;
            }
            let (level, leaning) = support.rest(force, moment);
            let rest = state(level, leaning);
            for tie in &mut ties {
                tie.rests_at(leaning, rest.shift(block, tie.at));
            }
            match turn {
                0.0 => rest,
                _ => state(support.level(turn, block.gravity() - force.1), turn),
            }
        }
        (None, None) => State::Flat { foot: 0.0, speed },
        (None, Some(side)) => State::Corner {
            side,
            q: turn.abs(),
            rate: side.sign() * rate,
            foot: 0.0,
            speed,
        },
    };
    for tie in &mut ties {
        tie.begin(state.shift(block, tie.at));
    }
    (state, ties)
}

fn begun(options: &SlideRockOptions, state: &State) -> SlideRockRun {
    let (turn, rate) = state.rotation();
    SlideRockRun {
        outcome: SlideRockOutcome::Rest,
        events: Vec::new(),
        impacts: 0,
        jumps: 0,
        jams: 0,
        ambiguous: 0,
        unresolved: 0,
        first_slide: None,
        first_rock: None,
        first_jump: None,
        largest_rotation: turn.abs(),
        largest_velocity: rate.abs(),
        slip: 0.0,
        largest_slip: 0.0,
        largest_landing: 0.0,
        largest_reach: 0.0,
        way: 0.0,
        restrainers: Vec::new(),
        contact: ContactDemand::new(options.questioned),
        uplifts: 0,
        first_uplift: None,
        largest_settlement: 0.0,
        steps: 0,
        energy: SlideRockEnergy::default(),
        samples: Vec::new(),
        end_time: 0.0,
        end: (turn, rate),
    }
}
