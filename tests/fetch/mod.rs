//! Banlists from a server that means well, and from servers that do not. The servers are
//! threads of the test on 127.0.0.1.

mod decides;
pub(crate) mod desk;
mod failures;
pub(crate) mod server;
mod successes;
