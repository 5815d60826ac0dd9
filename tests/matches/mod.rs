//! Match files: the published vector, a second implementation, what must always hold, and what must
//! be refused.

mod deals;
mod export;
mod games;
mod independent;
mod script;
mod tampered;
mod views;
mod worlds;
