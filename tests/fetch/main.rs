//! Banlists from a server that means well, and from servers that do not. The servers are
//! threads of the test on 127.0.0.1; keys and signatures are made anew in each run.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod decides;
mod desk;
mod failures;
mod locks;
mod server;
mod signatures;
mod successes;
mod tls;
