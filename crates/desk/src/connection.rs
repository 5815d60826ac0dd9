//! Connections: as many as are borne, and none that is kept open by a client that dawdles.
//!
//! There are fewer places than the process has handles, so that the data can be read and written
//! however many clients there are. When all are taken, the next one to come gets the place of the
//! connection that has waited longest for a request, of the address that has the most. Where none
//! waits, an address that has more than the newcomer's gives up its oldest: pages that listen for
//! changes connect again by themselves.
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
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
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
}

impl Peer {
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
        }
    }
}

/// The connections that are open.
#[derive(Debug, Default)]
struct Open {
    next: u64,
    /// By their numbers, the oldest first.
    by_number: BTreeMap<u64, Entry>,
}

#[derive(Debug)]
struct Entry {
    network: IpAddr,
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

impl Open {
    /// Ends a connection in favour of one from a network; `false`: there is none that should.
    fn make_room(&mut self, for_network: IpAddr) -> bool {
        let mut counts: HashMap<IpAddr, usize> = HashMap::new();
        for entry in self.by_number.values() {
            *counts.entry(entry.network).or_default() += 1;
        }
        let many = |network: &IpAddr| counts.get(network).copied().unwrap_or(0);
        let rank = |(number, entry): (&u64, &Entry)| {
            let served = entry.state.load(Ordering::Relaxed) == SERVED;
            let used = entry.used.load(Ordering::Relaxed);
            let least = (served, Reverse(many(&entry.network)), used, *number);
            // Between those who are served it is given to who has fewer.
            let may = !served || many(&entry.network) > many(&for_network) + 1;
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
    _permit: OwnedSemaphorePermit,
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.open).by_number.remove(&self.number);
    }
}

/// Takes connections in.
pub(super) struct Doorway {
    listener: TcpListener,
    places: Arc<Semaphore>,
    open: Shared,
    /// Counts the requests of all connections.
    clock: Arc<AtomicU64>,
    head: Duration,
}

impl Doorway {
    /// Takes them in at a socket; a request's head may take so long.
    pub(super) fn new(listener: TcpListener, head: Duration) -> Doorway {
        Doorway {
            listener,
            places: Arc::new(Semaphore::new(places())),
            open: Shared::default(),
            clock: Arc::default(),
            head,
        }
    }

    /// A place for a connection; `None`: all others are in use, and none should be given up.
    async fn place(&self, network: IpAddr) -> Option<OwnedSemaphorePermit> {
        let places = || Arc::clone(&self.places);
        if let Ok(permit) = places().try_acquire_owned() {
            return Some(permit);
        }
        if !lock(&self.open).make_room(network) {
            return None;
        }
        let freed = tokio::time::timeout(ENDS, places().acquire_owned()).await;
        freed.ok()?.ok()
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
                    let Some(permit) = self.place(network).await else {
                        // It is closed; whoever it is may try again.
                        continue;
                    };
                    // An answer is one write; waiting for more of it only delays it.
                    let _ = stream.set_nodelay(true);
                    // A client that connects has something to say.
                    let state = Arc::new(AtomicU8::new(HEADS));
                    let used = Arc::new(AtomicU64::new(self.clock.fetch_add(1, Ordering::Relaxed)));
                    let (end, ended) = oneshot::channel();
                    let number = {
                        let mut open = lock(&self.open);
                        let number = open.next;
                        open.next += 1;
                        let entry = Entry {
                            network,
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
                        _permit: permit,
                    };
                    let line = Line {
                        stream,
                        state,
                        used,
                        clock_of_all: Arc::clone(&self.clock),
                        ended,
                        clock: Box::pin(tokio::time::sleep(self.head)),
                        set: HEADS,
                        stuck: None,
                        head: self.head,
                        _place: place,
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
    _place: Place,
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

    fn open(entries: &[(u8, u8, u64)]) -> (Open, Vec<oneshot::Receiver<()>>) {
        let mut open = Open::default();
        let mut ended = Vec::new();
        for (number, (network, state, used)) in (0..).zip(entries) {
            let (end, told) = oneshot::channel();
            let entry = Entry {
                network: IpAddr::from([10, 0, 0, *network]),
                state: Arc::new(AtomicU8::new(*state)),
                used: Arc::new(AtomicU64::new(*used)),
                end: Some(end),
            };
            open.by_number.insert(number, entry);
            ended.push(told);
        }
        (open, ended)
    }

    /// Which of some connections gives up its place for one from a network.
    fn gives_up(entries: &[(u8, u8, u64)], network: u8) -> Option<usize> {
        let (mut open, mut ended) = open(entries);
        let made = open.make_room([10, 0, 0, network].into());
        let told = ended.iter_mut().position(|told| told.try_recv().is_ok());
        assert_eq!(made, told.is_some());
        told
    }

    #[test]
    fn the_place_of_who_waits_longest_and_has_most_is_given_up() {
        let (idle, served) = (WAITS, SERVED);
        // One address has two that wait, the older of which was used last.
        let two = [(1, idle, 9), (1, idle, 5), (2, idle, 1), (3, served, 0)];
        assert_eq!(gives_up(&two, 4), Some(1));
        assert_eq!(gives_up(&two, 1), Some(1));
        // None waits: the address that has more than the newcomer's gives up one.
        let busy = [(2, served, 1), (1, served, 3), (1, served, 2)];
        assert_eq!(gives_up(&busy, 3), Some(2));
        assert_eq!(gives_up(&busy, 1), None);
        let fair = [(1, served, 1), (2, served, 2)];
        assert_eq!(gives_up(&fair, 3), None);
        // A head that does not come is no request.
        assert_eq!(gives_up(&[(1, served, 0), (2, HEADS, 7)], 2), Some(1));
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
