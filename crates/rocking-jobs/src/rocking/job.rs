//! One motion of one rocking block.

use klast_ground_motion::GroundMotion;
use klast_rocking::compliant::{Foundation, simulate_compliant};
use klast_rocking::{
    Base, Engine, Foot, Friction, ModelEnd, Options, Restitution as Model, RockingBlock, Side,
    SlideRockOptions, simulate, simulate_slide_rock,
};
use klast_runs::error::Result;

use super::scene::Scene;
use super::slope::Slope;
use super::{result, slip};
use crate::common::base_motion::base_motion;
use crate::common::foundation::{CompliantBase, Support};
use crate::common::restitution::Restitution;
use crate::common::slip::Slip;
use klast_runs::Results;
use klast_runs::common::duration::interval;
use klast_runs::faults::{Fault, Faults};
use klast_runs::job::{Job, Run};
use klast_runs::text::SceneText;

struct RockingJob {
    block: RockingBlock,
    restitution: Model,
    foundation: Option<Foundation>,
    motion: GroundMotion,
    options: Options,
    engine: Engine,
    /// Angle by which the base falls to the right (rad).
    tilt: f64,
    remarks: Vec<String>,
}

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let mut faults = Faults::default();
    let end = faults.take("", scene.duration_s.seconds());
    let gravity = faults.take("", scene.gravity_m_s2.m_s2());
    let block = gravity.and_then(|g| faults.take("block", scene.block.build(g)));
    let motion = base_motion(text, &mut faults, [&scene.horizontal, &scene.vertical]);
    let support = Support::build(scene.mass_kg, &scene.restrainers, scene.base.as_ref());
    let support = faults.take("", support);
    let engine = Slip {
        engine: scene.engine,
        friction: scene.friction,
        friction_at_rest: scene.friction_at_rest,
        equation: scene.equation,
        support: support.as_ref().and_then(Support::key),
    };
    let engine = faults.take("", engine.build());
    let beside = Restitution::beside(scene.restitution, scene.base.is_some());
    let restitution = faults.take("", beside);
    faults.take("", interval("sample_s", scene.sample_s, end, 1e7));
    let tilt = scene.base_tilt_rad;
    if tilt != 0.0 {
        let steep = tilt.abs() < std::f64::consts::FRAC_PI_2;
        let slides = !matches!(engine, Some(Engine::NoSlip)) && scene.base.is_none();
        faults.check(steep, || {
            Fault::new("base_tilt_rad", tilt).accepted("between -π/2 and π/2")
        });
        faults.check(slides, || {
            Fault::new("base_tilt_rad", tilt)
                .accepted("0, or friction and engine slide_rock without base")
        });
    }
    let options = Options {
        equation: scene.equation.into(),
        rotation: scene.tilt_rad,
        angular_velocity: scene.angular_velocity_rad_s,
        sample: Some(scene.sample_s),
        friction: scene.friction,
        restraint: support.as_ref().and_then(|s| s.restraint),
        ..Options::new(end.unwrap_or(1.0))
    };
    if end.is_some() {
        faults.take("", options.check());
    }
    let job = faults.or_all(|| {
        let (motion, remarks) = motion?;
        Some(RockingJob {
            block: block?,
            restitution: restitution?,
            foundation: support?.foundation,
            motion,
            options,
            engine: engine?,
            tilt,
            remarks,
        })
    });
    Ok(Box::new(job?))
}

impl Job for RockingJob {
    fn describe(&self) -> String {
        let b = &self.block;
        let i = self.motion.horizontal.intensity();
        format!(
            "one block: α = {:.4} rad, R = {:.4} m, p = {:.4} rad/s, η = {:.4}, lifts off at {:.3} m/s²\n\
             base: PGA {:.3} m/s², PGV {:.3} m/s; {} s",
            b.slenderness(),
            b.radius(),
            b.frequency(),
            self.restitution.coefficient(b, Side::Right),
            b.lift_off_acceleration(),
            i.pga,
            i.pgv,
            self.options.duration
        )
    }

    fn run(&self, run: &mut Run) -> Result<Box<dyn Results>> {
        run.warnings(&self.remarks);
        let (block, foundation) = (&self.block, self.foundation.as_ref());
        if let (true, Engine::SlideRock(friction)) = (self.tilt != 0.0, self.engine) {
            return self.on_slope(run, friction);
        }
        let (without, end) = self.without_slip()?;
        if let Some(end) = end {
            run.warning(&end.to_string());
        }
        let results = match self.engine {
            Engine::NoSlip => without,
            Engine::SlideRock(friction) => {
                let with = SlideRockOptions {
                    foot: Foot::Slides(friction),
                    base: foundation.map_or(Base::Rigid, |of| Base::Compliant(*of)),
                    ..SlideRockOptions::from(&self.options)
                };
                let found = simulate_slide_rock(block, &self.restitution, &self.motion, &with)?;
                run.warnings(&slip::warnings(&found));
                let base = foundation.map(|of| {
                    let uplifts = (found.first_uplift, found.uplifts);
                    let settled = found.largest_settlement;
                    CompliantBase::of(uplifts, settled, &found.energy, (of, block))
                });
                result::Results::with_slip(&found, (friction, base), (without.summary, end))
            }
        };
        if foundation.is_none() {
            run.count("impacts", results.summary.impacts);
        }
        Ok(Box::new(results.on(block, &self.motion)))
    }
}

impl RockingJob {
    /// The motion on a tilted base.
    fn on_slope(&self, run: &mut Run, friction: Friction) -> Result<Box<dyn Results>> {
        let (block, tilt) = (&self.block, self.tilt);
        let with = SlideRockOptions {
            foot: Foot::Slides(friction),
            base: Base::Tilted(tilt),
            ..SlideRockOptions::from(&self.options)
        };
        let found = simulate_slide_rock(block, &self.restitution, &self.motion, &with)?;
        run.warnings(&slip::warnings(&found));
        let slope = Slope::of(&found, (block, friction), tilt);
        run.warnings(&slope.warning().into_iter().collect::<Vec<_>>());
        let intensity = self.motion.horizontal.intensity();
        let still = result::Summary {
            slope: Some(slope),
            ..result::Summary::moved(intensity, &self.remarks)
        };
        let results = result::Results::with_slip(&found, (friction, None), (still, None));
        run.count("impacts", results.summary.impacts);
        Ok(Box::new(results.on(block, &self.motion)))
    }

    /// The motion of a foot that sticks, and when the model of that ends. An end in the fall, past the balance, decides
    /// nothing: the verdict tells of it.
    fn without_slip(&self) -> Result<(result::Results, Option<ModelEnd>)> {
        let (block, options) = (&self.block, &self.options);
        let intensity = self.motion.horizontal.intensity();
        let Some(foundation) = &self.foundation else {
            let run = simulate(block, &self.restitution, &self.motion, options)?;
            let results = result::Results::without_slip(&run, intensity, &self.remarks);
            let end = run.contact.and_then(|contact| contact.end_before_balance());
            return Ok((results, end));
        };
        let run = simulate_compliant(block, foundation, &self.motion, options)?;
        let uplifts = (run.first_uplift, run.uplifts);
        let settled = run.largest_settlement;
        let base = CompliantBase::of(uplifts, settled, &run.energy, (foundation, block));
        let results = result::Results::on_springs(&run, base, intensity, &self.remarks);
        Ok((results, run.contact.end_before_balance()))
    }
}
