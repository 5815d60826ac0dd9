//! How the program is linked.

/// On Linux the program has a fixed address. With one of the loader's choice 100,000 pointers are
/// written before the first line runs, which is a third of the time that a check of one deck takes.
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |key: &str, value: &str| std::env::var(key).is_ok_and(|own| own == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
