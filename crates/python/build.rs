//! Lets the linker of systems that need it leave the interpreter's symbols open.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
