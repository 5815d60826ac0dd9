//! The odds of hands that have been known for a long time, and questions that are refused.
//! `tests/oracle` deals random hands.

mod canonical;
mod refusals;
