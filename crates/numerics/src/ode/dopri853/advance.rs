//! Steps up to a time or the first event.

use super::Dopri853;
use crate::ode::{Arrival, Event, OdeError, OdeSystem, event};

impl Dopri853 {
    /// Advances to `end` or to the first event, whichever comes first.
    pub fn advance<S: OdeSystem + ?Sized>(
        &mut self,
        system: &S,
        end: f64,
        events: &[&dyn Event],
    ) -> Result<Arrival, OdeError> {
        self.advance_observed(system, end, events, None)
    }

    /// As [`Dopri853::advance`]; `observer` is called after every step, when [`Dopri853::interpolate`] answers between
    /// [`Dopri853::step_start`] and [`Dopri853::time`].
    pub fn advance_observed<S: OdeSystem + ?Sized>(
        &mut self,
        system: &S,
        end: f64,
        events: &[&dyn Event],
        mut observer: Option<&mut dyn FnMut(&Dopri853)>,
    ) -> Result<Arrival, OdeError> {
        self.check_length(system.dimension())?;
        // The state left by an event is on its zero to rounding, on either side: it does not count again.
        let mut passed = self.passed.take();
        while self.time < end {
            self.take_step(system, end)?;
            if !events.is_empty() || observer.is_some() {
                self.prepare_dense(system);
            }
            let mut look = std::mem::take(&mut self.look);
            let found = event::first(self, events, passed.take(), &mut look);
            self.look = look;
            if let Some(candidate) = found {
                self.cut_at(system, &candidate, events);
            }
            if let Some(observe) = observer.as_mut() {
                observe(self);
            }
            if let Some(candidate) = found {
                self.passed = Some(candidate.index);
                return Ok(Arrival::Event {
                    index: candidate.index,
                });
            }
        }
        Ok(Arrival::End)
    }
}
