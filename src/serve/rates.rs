//! How often one address may ask: a bucket of permissions that fills again with time.

use std::collections::HashMap;
use std::net::IpAddr;
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

/// The most addresses of which is kept how often they asked.
const MOST: usize = 10_000;

/// The buckets of all addresses, for one kind of request.
#[derive(Debug)]
pub(super) struct Rates {
    rate: Rate,
    buckets: Mutex<HashMap<IpAddr, (f64, Instant)>>,
}

impl Rates {
    /// Full buckets.
    pub(super) fn new(rate: Rate) -> Rates {
        Rates {
            rate,
            buckets: Mutex::default(),
        }
    }

    /// Takes one permission out; `false`: there is none now.
    pub(super) fn permits(&self, address: IpAddr) -> bool {
        self.permits_at(address, Instant::now())
    }

    fn permits_at(&self, address: IpAddr, now: Instant) -> bool {
        let Rate { burst, each_second } = self.rate;
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let level = |(left, at): (f64, Instant)| {
            let passed = now.saturating_duration_since(at).as_secs_f64();
            (left + passed * each_second).min(burst)
        };
        if buckets.len() >= MOST {
            // Full buckets say nothing that is not so without them.
            buckets.retain(|_, bucket| level(*bucket) < burst);
        }
        let bucket = buckets.entry(address).or_insert((burst, now));
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
        let (one, other) = ([10, 0, 0, 1].into(), [10, 0, 0, 2].into());
        let start = Instant::now();
        let many = |at| (0..9).filter(|_| rates.permits_at(one, at)).count();
        assert_eq!(many(start), 3);
        assert!(rates.permits_at(other, start));
        assert_eq!(many(start + Duration::from_secs(1)), 2);
        assert_eq!(many(start + Duration::from_secs(60)), 3);
    }
}
