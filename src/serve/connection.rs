//! Connections: as many as are borne, and none that is kept open by a client that dawdles.
//!
//! What a client sends before its request is understood costs memory and a place, so a request's
//! head must arrive within [`HEAD`], a connection may wait [`IDLE`] between requests, and a
//! reader that takes nothing for [`STUCK`] is left. Bodies have their own time, see
//! [`guard`](super::guard).

use axum::serve::{IncomingStream, Listener};
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep};

/// How long the head of a request may take.
pub(super) const HEAD: Duration = Duration::from_secs(10);
/// How long a connection may wait for its next request.
const IDLE: Duration = Duration::from_secs(75);
/// How long a client may take nothing of an answer.
const STUCK: Duration = Duration::from_secs(30);
/// The most connections at a time: more wait until one is closed.
const MOST: usize = 2048;

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

/// Takes connections in.
pub(super) struct Doorway {
    listener: TcpListener,
    places: Arc<Semaphore>,
    head: Duration,
}

impl Doorway {
    /// Takes them in at a socket; a request's head may take so long.
    pub(super) fn new(listener: TcpListener, head: Duration) -> Doorway {
        Doorway {
            listener,
            places: Arc::new(Semaphore::new(MOST)),
            head,
        }
    }
}

impl Listener for Doorway {
    type Io = Line;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Line, SocketAddr) {
        loop {
            // The semaphore is never closed.
            let Ok(place) = Arc::clone(&self.places).acquire_owned().await else {
                std::future::pending::<()>().await;
                continue;
            };
            match self.listener.accept().await {
                Ok((stream, remote)) => {
                    // An answer is one write; waiting for more of it only delays it.
                    let _ = stream.set_nodelay(true);
                    return (Line::new(stream, place, self.head), remote);
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
    _place: OwnedSemaphorePermit,
}

impl Line {
    fn new(stream: TcpStream, place: OwnedSemaphorePermit, head: Duration) -> Line {
        Line {
            stream,
            // A client that connects has something to say.
            state: Arc::new(AtomicU8::new(HEADS)),
            clock: Box::pin(tokio::time::sleep(head)),
            set: HEADS,
            stuck: None,
            head,
            _place: place,
        }
    }

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
        let before = buffer.filled().len();
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Ready(done) => {
                if buffer.filled().len() > before {
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
