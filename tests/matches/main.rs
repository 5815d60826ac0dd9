//! Match files: the published vector, a second implementation, what must always hold, and
//! what must be refused.
#![allow(clippy::unwrap_used)]

mod event;
mod fairness;
mod games;
mod independent;
mod lines;
mod onlooker;
mod places;
mod play;
mod properties;
mod redeal;
mod refused;
mod worlds;
