//! The clients' deadlines: a binary heap that knows the position of each client.
//!
//! A client has one deadline at a time: the end of its think time, or of its timeout. A common heap with lazy deletion
//! would keep a dead entry for each request until its timeout has passed; this one has one entry per client, whatever
//! the throughput. Postponing a deadline costs nothing until the old one is reached; most timeouts are postponed by the
//! next request.

use std::time::Duration;

pub(crate) struct DeadlineHeap {
    /// By client.
    deadlines: Vec<Duration>,
    /// A heap by deadline, the earliest first. An entry may hold a deadline that was postponed since.
    heap: Vec<(Duration, u32)>,
    /// Position of each client's entry in the heap.
    places: Vec<u32>,
}

impl DeadlineHeap {
    pub fn new(deadlines: impl IntoIterator<Item = Duration>) -> Self {
        let deadlines: Vec<_> = deadlines.into_iter().collect();
        let mut heap: Vec<_> = deadlines.iter().copied().zip(0..).collect();
        heap.sort_unstable();
        let mut places = vec![0; heap.len()];
        for (place, (_, client)) in heap.iter().enumerate() {
            places[*client as usize] = place as u32;
        }
        Self { deadlines, heap, places }
    }

    pub fn earliest(&mut self) -> Option<(Duration, u32)> {
        loop {
            let (at, client) = *self.heap.first()?;
            let due = self.deadlines[client as usize];
            if at == due {
                return Some((at, client));
            }
            self.heap[0].0 = due;
            self.sink(0);
        }
    }

    pub fn set(&mut self, client: u32, deadline: Duration) {
        self.deadlines[client as usize] = deadline;
        let place = self.places[client as usize] as usize;
        if deadline < self.heap[place].0 {
            self.heap[place].0 = deadline;
            self.rise(place);
        }
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
            mut seconds in prop::collection::vec(0..100_u64, 1..40),
            changes in prop::collection::vec((any::<prop::sample::Index>(), 0..100_u64), 0..200),
        ) {
            let mut deadlines = DeadlineHeap::new(seconds.iter().map(|second| Duration::from_secs(*second)));
            for (client, second) in changes {
                let client = client.index(seconds.len());
                seconds[client] = second;
                deadlines.set(client as u32, Duration::from_secs(second));
                let (at, first) = deadlines.earliest().unwrap();
                prop_assert_eq!(at.as_secs(), *seconds.iter().min().unwrap());
                prop_assert_eq!(at.as_secs(), seconds[first as usize]);
            }
        }
    }
}
