//! How often one address may ask: a bucket of permissions that fills again with time.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// What an address may do at once, and how many times a second on and on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rate {
    /// At once.
    pub(super) burst: f64,
    /// Each second.
    pub(super) each_second: f64,
}

impl Rate {
    /// What is left now in a bucket that had so much left at a moment.
    fn level(self, (left, at): (f64, Instant), now: Instant) -> f64 {
        let passed = now.saturating_duration_since(at).as_secs_f64();
        (left + passed * self.each_second).min(self.burst)
    }
}

/// The pages of one event that is open, for one address: a whole event's phones stand behind the
/// one address of a shop's network, and each of them hands in within the same minute.
pub(super) const EVENT: Rate = Rate {
    burst: 4000.0,
    each_second: 200.0,
};

/// Questions and pages: many more than a person asks, who types with all fingers.
pub(super) const PAGES: Rate = Rate {
    burst: 400.0,
    each_second: 60.0,
};

/// Keys that are tried.
pub(super) const KEYS: Rate = Rate {
    burst: 20.0,
    each_second: 0.5,
};

/// Decks that are begun, shared or played: each takes up to 64 KiB of the room.
pub(super) const MADE: Rate = Rate {
    burst: 100.0,
    each_second: 1.0,
};

/// The most buckets that are kept.
const MOST: usize = 10_000;

/// A bucket for each key, such as an address, for one kind of request.
#[derive(Debug)]
pub(super) struct Rates<K> {
    rate: Rate,
    buckets: Mutex<HashMap<K, (f64, Instant)>>,
}

impl<K: Eq + Hash> Rates<K> {
    /// Full buckets.
    pub(super) fn new(rate: Rate) -> Rates<K> {
        Rates {
            rate,
            buckets: Mutex::default(),
        }
    }

    /// Takes one permission out; `false`: there is none now.
    pub(super) fn permits(&self, key: K) -> bool {
        self.permits_at(key, Instant::now())
    }

    fn permits_at(&self, key: K, now: Instant) -> bool {
        let burst = self.rate.burst;
        let level = |bucket| self.rate.level(bucket, now);
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST {
            // Full buckets say nothing that is not so without them.
            buckets.retain(|_, bucket| level(*bucket) < burst);
        }
        let bucket = buckets.entry(key).or_insert((burst, now));
        let left = level(*bucket);
        *bucket = (if left >= 1.0 { left - 1.0 } else { left }, now);
        left >= 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_bucket_empties_fills_again_and_is_no_one_elses() {
        let rates = Rates::new(Rate {
            burst: 3.0,
            each_second: 2.0,
        });
        let (one, other) = (1, 2);
        let start = Instant::now();
        let many = |at| (0..9).filter(|_| rates.permits_at(one, at)).count();
        assert_eq!(many(start), 3);
        assert!(rates.permits_at(other, start));
        assert_eq!(many(start + Duration::from_secs(1)), 2);
        assert_eq!(many(start + Duration::from_secs(60)), 3);
    }
}
