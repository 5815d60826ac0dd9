//! The program: everything is in the library's `cli`.

/// A folder of decks is judged with less work than by the allocator of glibc, and that of musl
/// takes 20 times as long where small values come and go. Without huge pages, whose first one takes
/// a tenth of the time of one deck.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    decklaw::cli::main(std::env::args_os().collect()).into()
}
