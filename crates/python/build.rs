//! Tells the linker of systems that ask that the interpreter brings its symbols.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
