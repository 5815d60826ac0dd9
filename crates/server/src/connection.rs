//! Connections: as many as are borne, and none that is kept open by a client that dawdles.
//!
//! There are fewer places than the process has handles, so that the data can be read and written
//! however many clients there are. When all are taken, the next one to come gets the place of the
//! connection that has waited longest for a request, of the address that has the most. Where none
//! waits, an address that has more than the newcomer's gives up its oldest: pages that listen for
//! changes connect again by themselves.
//!
//! Who was invited goes first: a connection by which somebody has shown a key (a player's, an
//! organiser's, a seat's or the host's) is the last to be given up, and strangers never take the
//! last places, which are for the networks where a key was shown lately.
//!
//! What a client sends before its request is understood costs memory and a place, so a request's
//! head must arrive within [`HEAD`], a connection may wait [`IDLE`] between requests, and a
//! reader that takes nothing for [`STUCK`] is left. Bodies have their own time, see
//! [`guard`](super::guard).

use axum::serve::{IncomingStream, Listener};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, oneshot};
use tokio::time::{Instant, Sleep};

/// How long the head of a request may take.
pub(super) const HEAD: Duration = Duration::from_secs(10);
/// How long a connection may wait for its next request.
const IDLE: Duration = Duration::from_secs(75);
/// How long a client may take nothing of an answer.
const STUCK: Duration = Duration::from_secs(30);
/// The most connections at a time.
const MOST: usize = 2048;
/// Handles that are not for connections: files of the data, of each thread that reads it.
const RESERVE: usize = 128;
/// How long a connection that was told to end may take to do so.
const ENDS: Duration = Duration::from_secs(2);
/// Of so many places strangers leave one.
const STRANGERS_LEAVE: usize = 8;
/// How long a network is known where a key was shown.
const LATELY: Duration = Duration::from_secs(60 * 60);
/// The most networks that are known.
const NETWORKS: usize = 4096;

/// How many connections the handles of this process allow. It asks the system for as many handles
/// as it may have.
fn places() -> usize {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        let wanted = (MOST + RESERVE) as u64;
        let current = Some(maximum.map_or(wanted, |maximum| maximum.min(wanted)));
        let few = getrlimit(Resource::Nofile).current;
        if few.is_some_and(|few| current.is_some_and(|wanted| few < wanted)) {
            // What it may not have is not counted on.
            let _ = setrlimit(Resource::Nofile, Rlimit { current, maximum });
        }
        match getrlimit(Resource::Nofile).current {
            Some(handles) => within(usize::try_from(handles).unwrap_or(usize::MAX)),
            None => MOST,
        }
    }
    #[cfg(not(unix))]
    MOST
}

/// How many connections there may be beside what else so many handles are for.
fn within(handles: usize) -> usize {
    // Of few handles a half is as good as the reserve.
    let left = handles.saturating_sub(RESERVE).max(handles / 2);
    left.clamp(1, MOST)
}

const WAITS: u8 = 0;
const HEADS: u8 = 1;
const SERVED: u8 = 2;

/// What is known of the connection that a request came by.
#[derive(Debug, Clone)]
pub(super) struct Peer {
    /// Whose it is.
    pub(super) remote: SocketAddr,
    /// Which of this machine's addresses it came to.
    pub(super) local: Option<SocketAddr>,
    state: Arc<AtomicU8>,
    invited: Arc<AtomicBool>,
    open: Shared,
}

impl Peer {
    /// Says that whoever asks has shown a key.
    pub(super) fn is_invited(&self) {
        self.invited.store(true, Ordering::Relaxed);
        lock(&self.open).invite(network(self.remote.ip()), Instant::now());
    }

    /// How many connections there are, and how many there may be.
    pub(super) fn crowd(&self) -> (usize, usize) {
        let open = lock(&self.open);
        (open.by_number.len(), open.places)
    }

    /// Says that the request's head is here: from now on its body has its own time.
    pub(super) fn understood(&self) {
        self.state.store(SERVED, Ordering::Relaxed);
    }
}

impl axum::extract::connect_info::Connected<IncomingStream<'_, Doorway>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Doorway>) -> Peer {
        Peer {
            remote: *stream.remote_addr(),
            local: stream.io().stream.local_addr().ok(),
            state: Arc::clone(&stream.io().state),
            invited: Arc::clone(&stream.io().invited),
            open: Arc::clone(&stream.io().place.open),
        }
    }
}

/// The connections that are open.
#[derive(Debug)]
struct Open {
    places: usize,
    next: u64,
    /// By their numbers, the oldest first.
    by_number: BTreeMap<u64, Entry>,
    /// When a key was last shown, by networks.
    lately: HashMap<IpAddr, Instant>,
}

#[derive(Debug)]
struct Entry {
    network: IpAddr,
    /// Whether it came from where a key was shown lately.
    known: bool,
    /// Whether a key was shown by it.
    invited: Arc<AtomicBool>,
    state: Arc<AtomicU8>,
    /// Counts up with every request, so that the one that waits longest has the least.
    used: Arc<AtomicU64>,
    end: Option<oneshot::Sender<()>>,
}

/// Whose connections are counted together: an address, or of IPv6 the network that one
/// subscriber has.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            let network = u128::from(address) & !u128::from(u64::MAX);
            IpAddr::V6(network.into())
        }
        address => address,
    }
}

impl Entry {
    fn is_invited(&self) -> bool {
        self.invited.load(Ordering::Relaxed)
    }

    fn is_stranger(&self) -> bool {
        !self.known && !self.is_invited()
    }
}

impl Open {
    fn new(places: usize) -> Open {
        Open {
            places,
            next: 0,
            by_number: BTreeMap::new(),
            lately: HashMap::new(),
        }
    }

    /// Remembers a network where a key was shown.
    fn invite(&mut self, network: IpAddr, now: Instant) {
        if self.lately.len() >= NETWORKS {
            // The half that was heard of last stays.
            let mut times: Vec<Instant> = self.lately.values().copied().collect();
            times.sort_unstable();
            let half = times.get(times.len() / 2).copied();
            self.lately
                .retain(|_, at| half.is_some_and(|half| *at > half));
        }
        self.lately.insert(network, now);
    }

    /// Whether a key was shown at a network lately.
    fn knows(&self, network: IpAddr, now: Instant) -> bool {
        let at = self.lately.get(&network);
        at.is_some_and(|at| now.saturating_duration_since(*at) < LATELY)
    }

    /// Whether strangers have all places that are for them.
    fn is_crowded(&self) -> bool {
        let strangers = self.by_number.values().filter(|entry| entry.is_stranger());
        strangers.count() >= self.places - self.places / STRANGERS_LEAVE
    }

    /// Whether there is a place for one more from a network that is known or not.
    fn has_place(&self, known: bool) -> bool {
        self.by_number.len() < self.places && (known || !self.is_crowded())
    }

    /// Ends a connection in favour of one from a network; `false`: there is none that should.
    fn make_room(&mut self, for_network: IpAddr, known: bool) -> bool {
        let mut counts: HashMap<IpAddr, usize> = HashMap::new();
        for entry in self.by_number.values() {
            *counts.entry(entry.network).or_default() += 1;
        }
        let many = |network: &IpAddr| counts.get(network).copied().unwrap_or(0);
        // Where strangers have all that is theirs, another one needs the place of one of them.
        let among_strangers = !known && self.is_crowded();
        let rank = |(number, entry): (&u64, &Entry)| {
            let served = entry.state.load(Ordering::Relaxed) == SERVED;
            let used = entry.used.load(Ordering::Relaxed);
            let invited = entry.is_invited();
            let least = (
                invited,
                served,
                Reverse(many(&entry.network)),
                used,
                *number,
            );
            // Between those who are served it is given to who has fewer, from strangers to who is
            // known, and never from the invited to strangers.
            let fewer = many(&entry.network) > many(&for_network) + 1;
            let may = if !served {
                true
            } else if invited {
                known && fewer
            } else {
                fewer || known && entry.is_stranger()
            };
            let may = may && (!among_strangers || entry.is_stranger());
            (entry.end.is_some() && may).then_some(least)
        };
        let Some((.., number)) = self.by_number.iter().filter_map(rank).min() else {
            return false;
        };
        let entry = self.by_number.get_mut(&number);
        let end = entry.and_then(|entry| entry.end.take());
        end.is_some_and(|end| end.send(()).is_ok())
    }
}

type Shared = Arc<Mutex<Open>>;

fn lock(open: &Shared) -> MutexGuard<'_, Open> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The place of a connection: given back when that is closed.
#[derive(Debug)]
struct Place {
    number: u64,
    open: Shared,
    freed: Arc<Notify>,
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.open).by_number.remove(&self.number);
        self.freed.notify_one();
    }
}

/// Takes connections in.
pub(super) struct Doorway {
    listener: TcpListener,
    open: Shared,
    /// Tells that a place was given back.
    freed: Arc<Notify>,
    /// Counts the requests of all connections.
    clock: Arc<AtomicU64>,
    head: Duration,
}

impl Doorway {
    /// Takes them in at a socket; a request's head may take so long.
    pub(super) fn new(listener: TcpListener, head: Duration) -> Doorway {
        Doorway {
            listener,
            open: Arc::new(Mutex::new(Open::new(places()))),
            freed: Arc::default(),
            clock: Arc::default(),
            head,
        }
    }

    /// Waits until there is a place for a connection, and says whether its network is known;
    /// `None`: all others are in use, and none should be given up.
    async fn place(&self, network: IpAddr) -> Option<bool> {
        let known = {
            let mut open = lock(&self.open);
            let known = open.knows(network, Instant::now());
            if open.has_place(known) {
                return Some(known);
            }
            if !open.make_room(network, known) {
                return None;
            }
            known
        };
        // Nobody else takes places, so that one that is free stays so.
        let freed = async {
            while !lock(&self.open).has_place(known) {
                self.freed.notified().await;
            }
        };
        let freed = tokio::time::timeout(ENDS, freed).await;
        freed.ok().map(|()| known)
    }
}

impl Listener for Doorway {
    type Io = Line;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Line, SocketAddr) {
        loop {
            match self.listener.accept().await {
                Ok((stream, remote)) => {
                    let network = network(remote.ip());
                    let Some(known) = self.place(network).await else {
                        // It is closed; whoever it is may try again.
                        continue;
                    };
                    // An answer is one write; waiting for more of it only delays it.
                    let _ = stream.set_nodelay(true);
                    // A client that connects has something to say.
                    let state = Arc::new(AtomicU8::new(HEADS));
                    let used = Arc::new(AtomicU64::new(self.clock.fetch_add(1, Ordering::Relaxed)));
                    let invited = Arc::new(AtomicBool::new(false));
                    let (end, ended) = oneshot::channel();
                    let number = {
                        let mut open = lock(&self.open);
                        let number = open.next;
                        open.next += 1;
                        let entry = Entry {
                            network,
                            known,
                            invited: Arc::clone(&invited),
                            state: Arc::clone(&state),
                            used: Arc::clone(&used),
                            end: Some(end),
                        };
                        open.by_number.insert(number, entry);
                        number
                    };
                    let place = Place {
                        number,
                        open: Arc::clone(&self.open),
                        freed: Arc::clone(&self.freed),
                    };
                    let line = Line {
                        stream,
                        state,
                        invited,
                        used,
                        clock_of_all: Arc::clone(&self.clock),
                        ended,
                        clock: Box::pin(tokio::time::sleep(self.head)),
                        set: HEADS,
                        stuck: None,
                        head: self.head,
                        place,
                    };
                    return (line, remote);
                }
                // Out of descriptors, mostly: some will be closed.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection with its clocks.
pub(super) struct Line {
    stream: TcpStream,
    state: Arc<AtomicU8>,
    invited: Arc<AtomicBool>,
    /// When what is waited for must have come.
    clock: Pin<Box<Sleep>>,
    /// What the clock is set for.
    set: u8,
    /// When a write must have gone on.
    stuck: Option<Pin<Box<Sleep>>>,
    head: Duration,
    /// When it was last used, by the clock of all connections.
    used: Arc<AtomicU64>,
    clock_of_all: Arc<AtomicU64>,
    /// JsonResult that another needs the place more.
    ended: oneshot::Receiver<()>,
    place: Place,
}

impl Line {
    fn late(&mut self, context: &mut Context<'_>) -> bool {
        let state = self.state.load(Ordering::Relaxed);
        if state == SERVED {
            self.set = SERVED;
            return false;
        }
        if self.set != state {
            let wait = if state == HEADS { self.head } else { IDLE };
            self.clock.as_mut().reset(Instant::now() + wait);
            self.set = state;
        }
        self.clock.as_mut().poll(context).is_ready()
    }

    fn written(
        &mut self,
        context: &mut Context<'_>,
        poll: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if poll.is_ready() {
            self.stuck = None;
            // Once an answer is on its way, the next thing to come is another request.
            let _ =
                self.state
                    .compare_exchange(SERVED, WAITS, Ordering::Relaxed, Ordering::Relaxed);
            return poll;
        }
        let stuck = self
            .stuck
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(STUCK)));
        match stuck.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::Error::from(io::ErrorKind::TimedOut))),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Line {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if Pin::new(&mut self.ended).poll(context).is_ready() {
            return Poll::Ready(Err(io::Error::from(io::ErrorKind::ConnectionAborted)));
        }
        let before = buffer.filled().len();
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Ready(done) => {
                if buffer.filled().len() > before {
                    let now = self.clock_of_all.fetch_add(1, Ordering::Relaxed);
                    self.used.store(now, Ordering::Relaxed);
                    let _ = self.state.compare_exchange(
                        WAITS,
                        HEADS,
                        Ordering::Relaxed,
                        Ordering::Relaxed,
                    );
                    // A head that comes byte by byte runs against the same clock.
                    if self.late(context) {
                        return Poll::Ready(Err(io::Error::from(io::ErrorKind::TimedOut)));
                    }
                }
                Poll::Ready(done)
            }
            Poll::Pending if self.late(context) => {
                Poll::Ready(Err(io::Error::from(io::ErrorKind::TimedOut)))
            }
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncWrite for Line {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.written(context, poll)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.written(context, poll)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRANGE: (bool, bool) = (false, false);
    const KNOWN: (bool, bool) = (true, false);
    const INVITED: (bool, bool) = (true, true);

    /// A connection: its network, whether that is known and it is invited, its state, its use.
    type Told = (u8, (bool, bool), u8, u64);

    fn open(places: usize, entries: &[Told]) -> (Open, Vec<oneshot::Receiver<()>>) {
        let mut open = Open::new(places);
        let mut ended = Vec::new();
        for (number, (network, (known, invited), state, used)) in (0..).zip(entries) {
            let (end, told) = oneshot::channel();
            let entry = Entry {
                network: IpAddr::from([10, 0, 0, *network]),
                known: *known,
                invited: Arc::new(AtomicBool::new(*invited)),
                state: Arc::new(AtomicU8::new(*state)),
                used: Arc::new(AtomicU64::new(*used)),
                end: Some(end),
            };
            open.by_number.insert(number, entry);
            ended.push(told);
        }
        (open, ended)
    }

    /// Which of some connections gives up its place for one from a network, where all places are
    /// taken by them.
    fn gives_up(entries: &[Told], network: u8, known: bool) -> Option<usize> {
        let (mut open, mut ended) = open(entries.len(), entries);
        assert!(!open.has_place(known));
        let made = open.make_room([10, 0, 0, network].into(), known);
        let told = ended.iter_mut().position(|told| told.try_recv().is_ok());
        assert_eq!(made, told.is_some());
        told
    }

    #[test]
    fn the_place_of_who_waits_longest_and_has_most_is_given_up() {
        let of = |network, state, used| (network, STRANGE, state, used);
        // One address has two that wait, the older of which was used last.
        let two = [
            of(1, WAITS, 9),
            of(1, WAITS, 5),
            of(2, WAITS, 1),
            of(3, SERVED, 0),
        ];
        assert_eq!(gives_up(&two, 4, false), Some(1));
        assert_eq!(gives_up(&two, 1, false), Some(1));
        // None waits: the address that has more than the newcomer's gives up one.
        let busy = [of(2, SERVED, 1), of(1, SERVED, 3), of(1, SERVED, 2)];
        assert_eq!(gives_up(&busy, 3, false), Some(2));
        assert_eq!(gives_up(&busy, 1, false), None);
        let fair = [of(1, SERVED, 1), of(2, SERVED, 2)];
        assert_eq!(gives_up(&fair, 3, false), None);
        // A head that does not come is no request.
        assert_eq!(
            gives_up(&[of(1, SERVED, 0), of(2, HEADS, 7)], 2, false),
            Some(1)
        );
    }

    #[test]
    fn the_invited_are_the_last_to_be_given_up() {
        // Whatever they do, as long as there is a stranger.
        let idle = [
            (1, INVITED, WAITS, 0),
            (2, STRANGE, SERVED, 9),
            (2, STRANGE, SERVED, 8),
            (2, STRANGE, SERVED, 7),
        ];
        assert_eq!(gives_up(&idle, 3, false), Some(3));
        assert_eq!(gives_up(&idle, 3, true), Some(3));
        // One of a known network is served in the place of a stranger, however few that one has.
        let fair = [
            (1, INVITED, SERVED, 0),
            (2, STRANGE, SERVED, 1),
            (4, KNOWN, SERVED, 2),
        ];
        assert_eq!(gives_up(&fair, 3, true), Some(1));
        // No stranger takes the place of the invited who are served, however many those are.
        let many = [
            (1, INVITED, SERVED, 0),
            (1, INVITED, SERVED, 1),
            (1, INVITED, SERVED, 2),
        ];
        assert_eq!(gives_up(&many, 3, false), None);
        assert_eq!(gives_up(&many, 3, true), Some(0));
    }

    #[test]
    fn strangers_leave_places_to_networks_where_a_key_was_shown_lately() {
        let (here, now) = (IpAddr::from([10, 0, 0, 9]), Instant::now());
        let strangers: Vec<Told> = (0..7).map(|at| (at, STRANGE, SERVED, 0)).collect();
        let (mut open, _ended) = open(8, &strangers);
        assert!(!open.has_place(false) && open.has_place(true));
        assert!(!open.knows(here, now));
        open.invite(here, now);
        assert!(open.knows(here, now + LATELY / 2) && !open.knows(here, now + LATELY));
        // Those who are known do not take from what strangers may have.
        let mixed: Vec<Told> = (0..7).map(|at| (at, KNOWN, SERVED, 0)).collect();
        assert!(super::tests::open(8, &mixed).0.has_place(false));
        // However many networks there are, the last of them are known.
        for at in 0..3 * NETWORKS {
            let network = IpAddr::from(u32::try_from(at).unwrap_or(0).to_be_bytes());
            open.invite(network, now + Duration::from_millis(at as u64));
            assert!(open.knows(network, now) && open.lately.len() <= NETWORKS);
        }
    }

    #[test]
    fn there_are_fewer_places_than_handles() {
        for handles in [2, 16, 64, 256, 1024, 4096, usize::MAX] {
            assert!(within(handles) < handles && within(handles) <= MOST);
        }
        assert_eq!(within(1024), 1024 - RESERVE);
    }

    #[test]
    fn a_network_of_ipv6_is_one_and_an_address_of_ipv4_is_one() {
        let of = |text: &str| text.parse().map(network).ok();
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:1"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_ne!(of("10.0.0.1"), of("10.0.0.2"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
    }
}
