//! The adaptive Dormand–Prince method of order 8(5,3) with dense output of order 7.
//!
//! Source of the method, of the error norm and of the first step: Hairer, Nørsett, Wanner (1993), sections II.4 to
//! II.6.

mod advance;
mod dense;
mod first_step;

use super::tableau::{A, C, FIFTH, Row, STAGES, THIRD};
use super::{OdeError, OdeOptions, OdeSystem};

/// Safety factor and limits of the step change (Hairer, Nørsett, Wanner 1993, section II.4).
const SAFETY: f64 = 0.9;
const SHRINK: f64 = 1.0 / 3.0;
const GROW: f64 = 6.0;

/// The integrator: owns time, state and scratch; borrows the system call by call.
#[derive(Debug, Clone)]
pub struct Dopri853 {
    options: OdeOptions,
    n: usize,
    time: f64,
    state: Vec<f64>,
    /// Start of the last accepted step.
    start_time: f64,
    start_state: Vec<f64>,
    /// Slopes, stage after stage.
    slopes: Vec<f64>,
    /// Coefficients of the dense output of the last accepted step, 8 per unknown.
    dense: Vec<f64>,
    dense_ready: bool,
    /// Length of the last accepted step before an event cut it.
    step: f64,
    next_step: Option<f64>,
    first_slope_ready: bool,
    stage_state: Vec<f64>,
    trial: Vec<f64>,
    /// A state that an event function is looked at.
    look: Vec<f64>,
    /// Index of the event the state stands on.
    passed: Option<usize>,
    steps: usize,
    rejected: usize,
    evaluations: usize,
}

impl Dopri853 {
    /// A method for `dimension` unknowns.
    pub fn new(dimension: usize, options: OdeOptions) -> Result<Self, OdeError> {
        let positive = |field, found: f64, accepted| {
            if found > 0.0 {
                Ok(())
            } else {
                Err(OdeError::Option {
                    field,
                    found,
                    accepted,
                })
            }
        };
        positive("absolute", options.absolute, "above 0")?;
        positive("max_step", options.max_step, "above 0")?;
        positive("first_step", options.first_step.unwrap_or(1.0), "above 0")?;
        if !(options.relative >= 1e-15 && options.relative < 1.0) {
            return Err(OdeError::Option {
                field: "relative",
                found: options.relative,
                accepted: "from 1e-15 to 1",
            });
        }
        let n = dimension;
        Ok(Self {
            options,
            n,
            time: 0.0,
            state: vec![0.0; n],
            start_time: 0.0,
            start_state: vec![0.0; n],
            slopes: vec![0.0; n * STAGES],
            dense: vec![0.0; 8 * n],
            dense_ready: false,
            step: 0.0,
            next_step: options.first_step,
            first_slope_ready: false,
            stage_state: vec![0.0; n],
            trial: vec![0.0; n],
            look: vec![0.0; n],
            passed: None,
            steps: 0,
            rejected: 0,
            evaluations: 0,
        })
    }

    /// Sets time and state, as at the start and after every impact; forgets the last step and its suggestion for the
    /// next.
    pub fn reset(&mut self, time: f64, state: &[f64]) -> Result<(), OdeError> {
        self.check_length(state.len())?;
        if !time.is_finite() || state.iter().any(|x| !x.is_finite()) {
            return Err(OdeError::NotFinite { time });
        }
        self.time = time;
        self.state.copy_from_slice(state);
        self.start_time = time;
        self.start_state.copy_from_slice(state);
        self.next_step = self.options.first_step;
        self.step = 0.0;
        self.first_slope_ready = false;
        self.dense_ready = false;
        self.passed = None;
        self.steps = 0;
        Ok(())
    }

    /// Time reached (s).
    pub fn time(&self) -> f64 {
        self.time
    }

    /// State reached.
    pub fn state(&self) -> &[f64] {
        &self.state
    }

    /// Time at which the last step started (s).
    pub fn step_start(&self) -> f64 {
        self.start_time
    }

    /// Number of evaluations of the right-hand side so far.
    pub fn evaluations(&self) -> usize {
        self.evaluations
    }

    /// Number of rejected steps so far.
    pub fn rejected(&self) -> usize {
        self.rejected
    }

    /// Takes one accepted step that does not pass `limit`.
    pub fn take_step<S: OdeSystem + ?Sized>(
        &mut self,
        system: &S,
        limit: f64,
    ) -> Result<(), OdeError> {
        self.check_length(system.dimension())?;
        if !self.first_slope_ready {
            self.evaluate(system, self.time, 0, true);
            self.first_slope_ready = true;
        }
        let mut h = match self.next_step {
            Some(h) => h,
            None => self.guess_step(system, limit),
        };
        let mut was_rejected = false;
        loop {
            self.steps += 1;
            if self.steps > self.options.max_steps {
                return Err(OdeError::TooManySteps {
                    time: self.time,
                    limit: self.options.max_steps,
                });
            }
            let rest = limit - self.time;
            let suggested = h.min(self.options.max_step);
            // A last step of nearly the same length is stretched rather than followed by a sliver.
            let last = suggested >= rest * (1.0 - 1e-12);
            h = if last { rest } else { suggested };
            let resolved = h > 4.0 * f64::EPSILON * self.time.abs();
            if !resolved && !last {
                return Err(OdeError::StepTooSmall {
                    time: self.time,
                    step: h,
                });
            }
            self.stages(system, self.time, h);
            let error = self.error(h);
            if error <= 1.0 {
                self.accept(system, h, if last { limit } else { self.time + h });
                let grow = if was_rejected { 1.0 } else { GROW };
                // A step cut short by the limit says nothing against the longer one suggested before.
                let next = h * factor(error).min(grow);
                self.next_step = Some(if last { next.max(suggested) } else { next });
                return Ok(());
            }
            self.rejected += 1;
            was_rejected = true;
            h *= if error.is_finite() {
                factor(error)
            } else {
                0.1
            };
        }
    }

    /// Length of the last full step (s).
    pub(super) fn full_step(&self) -> f64 {
        self.step
    }

    /// State at the start of the last step.
    pub(super) fn start_state(&self) -> &[f64] {
        &self.start_state
    }

    fn check_length(&self, found: usize) -> Result<(), OdeError> {
        if found == self.n {
            Ok(())
        } else {
            Err(OdeError::Dimension {
                needed: self.n,
                found,
            })
        }
    }

    /// Evaluates the slope of stage `stage` at the current state (`at_state`) or at the stage state.
    fn evaluate<S: OdeSystem + ?Sized>(
        &mut self,
        system: &S,
        time: f64,
        stage: usize,
        at_state: bool,
    ) {
        let y = if at_state {
            &self.state
        } else {
            &self.stage_state
        };
        let range = stage * self.n..(stage + 1) * self.n;
        system.derivative(time, y, &mut self.slopes[range]);
        self.evaluations += 1;
    }

    /// Weighted sum of slopes for unknown `i`.
    fn combine(&self, row: Row, i: usize) -> f64 {
        let mut sum = 0.0;
        for &(stage, weight) in row {
            sum += weight * self.slopes[stage * self.n + i];
        }
        sum
    }

    /// The twelve stages from the current state with step `h`; the solution of order 8 lands in `trial`.
    fn stages<S: OdeSystem + ?Sized>(&mut self, system: &S, time: f64, h: f64) {
        for stage in 1..12 {
            for i in 0..self.n {
                self.stage_state[i] = self.state[i] + h * self.combine(A[stage], i);
            }
            self.evaluate(system, time + C[stage] * h, stage, false);
        }
        for i in 0..self.n {
            self.trial[i] = self.state[i] + h * self.combine(A[12], i);
        }
    }

    /// Error of the trial step in units of the tolerance: the norm of order 5 damped by that of order 3.
    fn error(&self, h: f64) -> f64 {
        let (mut fifth, mut third) = (0.0, 0.0);
        for i in 0..self.n {
            let size = self.state[i].abs().max(self.trial[i].abs());
            let scale = self.options.absolute + self.options.relative * size;
            let e5 = self.combine(FIFTH, i) / scale;
            let e3 = (self.combine(A[12], i) - self.combine(THIRD, i)) / scale;
            fifth += e5 * e5;
            third += e3 * e3;
        }
        let mut denominator = fifth + 0.01 * third;
        if denominator <= 0.0 {
            denominator = 1.0;
        }
        h * fifth / (denominator * self.n.max(1) as f64).sqrt()
    }

    fn accept<S: OdeSystem + ?Sized>(&mut self, system: &S, h: f64, end: f64) {
        self.start_time = self.time;
        self.start_state.copy_from_slice(&self.state);
        self.step = h;
        self.stage_state.copy_from_slice(&self.trial);
        self.evaluate(system, end, 12, false);
        // Coefficients that need only the ends of the step are kept now: the first slope is overwritten below.
        for i in 0..self.n {
            let difference = self.trial[i] - self.state[i];
            let bend = h * self.slopes[i] - difference;
            let c = &mut self.dense[8 * i..8 * i + 4];
            c[0] = self.state[i];
            c[1] = difference;
            c[2] = bend;
            c[3] = difference - h * self.slopes[12 * self.n + i] - bend;
        }
        self.time = end;
        self.state.copy_from_slice(&self.trial);
        self.dense_ready = false;
        self.first_slope_ready = false;
    }
}

/// Change of the step for an error in units of the tolerance, (1/error)^(1/8) within the limits.
fn factor(error: f64) -> f64 {
    let eighth = error.max(1e-30).sqrt().sqrt().sqrt();
    (SAFETY / eighth).clamp(SHRINK, GROW)
}
