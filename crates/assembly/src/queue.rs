//! A priority queue of predicted times with a fixed slot for each event source.

/// One time per slot, the earliest on top. Changing a slot costs O(log n); nothing stale is ever stored, so the size
/// never grows. Equal times leave in slot order, which makes a run independent of history.
#[derive(Debug, Clone)]
pub(crate) struct EventQueue {
    time: Vec<f64>,
    heap: Vec<u32>,
    place: Vec<u32>,
}

impl EventQueue {
    /// All slots empty (time = ∞).
    pub(crate) fn new(slots: usize) -> Self {
        let order: Vec<u32> = (0..slots as u32).collect();
        Self {
            time: vec![f64::INFINITY; slots],
            heap: order.clone(),
            place: order,
        }
    }

    /// Slot and time of the earliest event; `None` without slots.
    #[inline]
    pub(crate) fn first(&self) -> Option<(usize, f64)> {
        self.heap
            .first()
            .map(|&s| (s as usize, self.time[s as usize]))
    }

    #[inline]
    pub(crate) fn time(&self, slot: usize) -> f64 {
        self.time[slot]
    }

    #[inline]
    fn earlier(&self, a: u32, b: u32) -> bool {
        let (ta, tb) = (self.time[a as usize], self.time[b as usize]);
        ta < tb || (ta == tb && a < b)
    }

    /// Sets the time of a slot; ∞ empties it.
    #[inline]
    pub(crate) fn set(&mut self, slot: usize, time: f64) {
        let old = self.time[slot];
        if old == time {
            return;
        }
        self.time[slot] = time;
        if time < old {
            self.up(self.place[slot] as usize);
        } else {
            self.down(self.place[slot] as usize);
        }
    }

    fn up(&mut self, mut i: usize) {
        let s = self.heap[i];
        while i > 0 {
            let parent = (i - 1) / 2;
            let p = self.heap[parent];
            if !self.earlier(s, p) {
                break;
            }
            self.heap[i] = p;
            self.place[p as usize] = i as u32;
            i = parent;
        }
        self.heap[i] = s;
        self.place[s as usize] = i as u32;
    }

    fn down(&mut self, mut i: usize) {
        let s = self.heap[i];
        loop {
            let mut child = 2 * i + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.earlier(self.heap[child + 1], self.heap[child]) {
                child += 1;
            }
            let c = self.heap[child];
            if !self.earlier(c, s) {
                break;
            }
            self.heap[i] = c;
            self.place[c as usize] = i as u32;
            i = child;
        }
        self.heap[i] = s;
        self.place[s as usize] = i as u32;
    }

    /// Moves every time by the same amount; the order is kept.
    pub(crate) fn shift(&mut self, by: f64) {
        for t in &mut self.time {
            *t += by;
        }
        // Rounding may turn an order of two nearly equal times into a tie: sift everything once.
        for i in (0..self.heap.len()).rev() {
            self.down(i);
        }
    }
}
