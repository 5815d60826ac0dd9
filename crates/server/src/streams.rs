//! Open streams of server-sent events: a few for each link, and the oldest ends for a new one.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use tokio::sync::oneshot;

/// The most streams of one link: a few tabs of one person.
const MOST: usize = 4;

/// The ends of open streams by their links, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Streams(Mutex<HashMap<String, VecDeque<oneshot::Sender<()>>>>);

impl Streams {
    /// Counts a new stream of a link. It ends when the answer is ready, whatever that is.
    pub(crate) fn open(&self, link: &str) -> oneshot::Receiver<()> {
        let (end, ended) = oneshot::channel();
        let mut streams = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        streams.retain(|_, open| {
            // A client that left dropped its receiver.
            open.retain(|end| !end.is_closed());
            !open.is_empty()
        });
        let open = streams.entry(link.to_owned()).or_default();
        while open.len() >= MOST {
            drop(open.pop_front());
        }
        open.push_back(end);
        ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oneshot::error::TryRecvError::{Closed, Empty};

    #[test]
    fn the_oldest_of_a_link_ends_for_a_new_one() {
        let streams = Streams::default();
        let mut other = streams.open("other");
        let mut all: Vec<_> = (0..6).map(|_| streams.open("one")).collect();
        let ended: Vec<_> = all.iter_mut().map(|stream| stream.try_recv()).collect();
        assert_eq!(
            ended,
            [Err(Closed), Err(Closed), Err(Empty), Err(Empty), Err(Empty), Err(Empty)]
        );
        // Who leaves makes room.
        drop(all.split_off(4));
        let _new = [streams.open("one"), streams.open("one")];
        assert_eq!(all[2].try_recv(), Err(Empty));
        assert_eq!(other.try_recv(), Err(Empty));
    }
}
