//! All parts of a run, side by side: each function takes those that it needs.

use crate::chain::{self, Chain};
use crate::event::{Collision, Event};
use crate::model::Model;
use crate::record::Record;
use crate::schedule::Schedule;
use crate::state::State;

/// What stays the same, where things are, what comes next and what has been.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(crate) model: Model,
    pub(crate) state: State,
    pub(crate) schedule: Schedule,
    pub(crate) record: Record,
    pub(crate) workspace: Workspace,
}

/// Buffers of impacts, kept from one to the next.
#[derive(Debug, Clone, Default)]
pub(crate) struct Workspace {
    pub(crate) chain: Chain,
    pub(crate) rule: chain::Workspace,
    pub(crate) heads: Vec<usize>,
}

impl Run {
    pub(crate) fn predict_contact(&mut self, i: usize) {
        self.schedule.predict_contact(&self.model, &self.state, i);
    }

    pub(crate) fn predict_cluster(&mut self, c: usize) {
        self.schedule.predict_cluster(&self.model, &self.state, c);
    }

    pub(crate) fn predict_range(&mut self, first: usize, last: usize) {
        self.schedule
            .predict_range(&self.model, &self.state, first, last);
    }

    pub(crate) fn refine(&mut self, slot: usize) {
        self.schedule.refine(&self.model, &self.state, slot);
    }

    /// Brings a cluster to time `t`, with its coordinate in the basin, and books its work and heat.
    pub(crate) fn close(&mut self, c: usize, t: f64) {
        self.state.bring_placed(&self.model, c, t);
        self.state.close_segment(&mut self.record, c, t);
    }

    /// Enters an impact, whose time is still the local one, into the list of events and of the strongest.
    pub(crate) fn note_impact(&mut self, mut impact: Collision, approach_energy: f64) {
        impact.time += self.state.clock.epoch_start();
        self.record.note_largest(&impact, approach_energy);
        self.record.note(Event::Impact(impact));
    }
}
