//! How often one address may ask.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The most requests of an address at once: all phones of an event may share the one address of a
/// shop's network and hand in within the same minute.
const BURST: f64 = 4000.0;
/// How many permissions come each second.
const EACH_SECOND: f64 = 200.0;
/// The most buckets that are kept.
const MOST: usize = 10_000;

/// A token bucket for each address: what was left in it, and when.
#[derive(Debug, Default)]
pub(crate) struct Rates(Mutex<HashMap<IpAddr, (f64, Instant)>>);

impl Rates {
    /// Takes one permission of an address; `false` if there is none now.
    pub(crate) fn permits(&self, address: IpAddr) -> bool {
        self.permits_at(address, 1.0, Instant::now())
    }

    fn permits_at(&self, address: IpAddr, cost: f64, now: Instant) -> bool {
        let level = |(left, at): (f64, Instant)| {
            let passed = now.saturating_duration_since(at).as_secs_f64();
            (left + passed * EACH_SECOND).min(BURST)
        };
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST {
            // A full bucket is the same as none.
            buckets.retain(|_, bucket| level(*bucket) < BURST);
        }
        let bucket = buckets.entry(address).or_insert((BURST, now));
        let left = level(*bucket);
        let permits = left >= cost;
        *bucket = (if permits { left - cost } else { left }, now);
        permits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_bucket_empties_and_fills_again_for_each_address() {
        let rates = Rates::default();
        let (one, other) = ([10, 0, 0, 1].into(), [10, 0, 0, 2].into());
        let start = Instant::now();
        let many = |at| (0..9).filter(|_| rates.permits_at(one, 1000.0, at)).count();
        assert_eq!(many(start), 4);
        assert!(rates.permits_at(other, 1.0, start));
        assert_eq!(many(start + Duration::from_secs(10)), 2);
        assert_eq!(many(start + Duration::from_secs(60)), 4);
    }
}
