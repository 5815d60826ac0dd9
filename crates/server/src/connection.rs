//! Connections: a limited number, each with a time limit for the head of a request. `axum::serve`
//! has neither limit.

use axum::Router;
use axum::extract::ConnectInfo;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// How long the head of a request may take, and so how long a connection may wait for its next one.
pub(crate) const HEAD: Duration = Duration::from_secs(10);
/// How long a connection may last: pages that listen for changes connect again by themselves.
const LONGEST: Duration = Duration::from_secs(60 * 60);
/// The most connections at a time: well below the files that systems let a process have open.
const MOST: usize = 512;
/// How long connections may take to end once the server ends.
const ENDS: Duration = Duration::from_secs(2);

/// The connection of a request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer {
    /// The address of the client.
    pub(crate) remote: SocketAddr,
    /// The address of this machine that it came to.
    pub(crate) local: Option<SocketAddr>,
}

/// Serves until `until` is over, and ends what was begun.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    patience: Duration,
    until: impl Future<Output = ()>,
) {
    let places = Arc::new(Semaphore::new(MOST));
    let ending = GracefulShutdown::new();
    tokio::pin!(until);
    loop {
        let next = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            next = next => next,
            () = &mut until => break,
        };
        let Ok((stream, remote)) = accepted else {
            // Out of files, mostly: some will be closed.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        // An answer is one write; waiting for more of it only delays it.
        let _ = stream.set_nodelay(true);
        let local = stream.local_addr().ok();
        let peer = Peer { remote, local };
        let routes = TowerToHyperService::new(router.clone());
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(peer));
            routes.call(request)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(patience)
            .serve_connection(TokioIo::new(stream), service);
        let connection = ending.watch(connection);
        tokio::spawn(async move {
            let _place = place;
            // A client that is gone, or that HTTP cannot parse, gets no answer.
            let _ = timeout(LONGEST, connection).await;
        });
    }
    // Pages that listen for changes would listen for ever.
    let _ = timeout(ENDS, ending.shutdown()).await;
}
