//! When each client must be woken: a binary heap that knows each client's place in it.
//!
//! A client has one deadline at a time: the end of its think time, or of its patience. A common heap with lazy
//! deletion would keep a dead entry for each request until its timeout has passed; this one has as many entries as
//! clients, whatever the throughput.

use std::time::Duration;

/// One deadline per client.
pub(crate) struct Agenda {
    /// A heap by deadline, the earliest first.
    heap: Vec<(Duration, u32)>,
    /// Where each client's entry is in the heap.
    places: Vec<u32>,
}

impl Agenda {
    /// An agenda on which each client's deadline is that of the same position.
    pub fn new(deadlines: impl IntoIterator<Item = Duration>) -> Self {
        let mut heap: Vec<_> = deadlines.into_iter().zip(0..).collect();
        heap.sort_unstable();
        let mut places = vec![0; heap.len()];
        for (place, (_, client)) in heap.iter().enumerate() {
            places[*client as usize] = place as u32;
        }
        Self { heap, places }
    }

    /// The earliest deadline, and whose it is.
    pub fn earliest(&self) -> Option<(Duration, u32)> {
        self.heap.first().copied()
    }

    /// Changes a client's deadline.
    pub fn set(&mut self, client: u32, deadline: Duration) {
        let place = self.places[client as usize] as usize;
        let earlier = deadline < self.heap[place].0;
        self.heap[place].0 = deadline;
        if earlier { self.rise(place) } else { self.sink(place) }
    }

    fn rise(&mut self, mut place: usize) {
        while place > 0 && self.heap[place] < self.heap[(place - 1) / 2] {
            self.swap(place, (place - 1) / 2);
            place = (place - 1) / 2;
        }
    }

    fn sink(&mut self, mut place: usize) {
        loop {
            let children = 2 * place + 1..(2 * place + 3).min(self.heap.len());
            let Some(child) = children.min_by_key(|child| self.heap[*child]) else { return };
            if self.heap[place] <= self.heap[child] {
                return;
            }
            self.swap(place, child);
            place = child;
        }
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.heap.swap(a, b);
        self.places[self.heap[a].1 as usize] = a as u32;
        self.places[self.heap[b].1 as usize] = b as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_earliest_is_always_first(
            mut deadlines in prop::collection::vec(0..100_u64, 1..40),
            changes in prop::collection::vec((any::<prop::sample::Index>(), 0..100_u64), 0..200),
        ) {
            let mut agenda = Agenda::new(deadlines.iter().map(|second| Duration::from_secs(*second)));
            for (client, second) in changes {
                let client = client.index(deadlines.len());
                deadlines[client] = second;
                agenda.set(client as u32, Duration::from_secs(second));
                let (at, first) = agenda.earliest().unwrap();
                prop_assert_eq!(at.as_secs(), *deadlines.iter().min().unwrap());
                prop_assert_eq!(at.as_secs(), deadlines[first as usize]);
            }
        }
    }
}
