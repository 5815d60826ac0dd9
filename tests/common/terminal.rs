//! A program in a real pseudo-terminal, of 80 columns and 24 rows unless said otherwise.

use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long a screen may take on a machine that is busy; nothing is measured by it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Terminal {
    pub(crate) screen: Arc<Mutex<vt100::Parser>>,
    keys: Box<dyn Write + Send>,
    pub(crate) child: Box<dyn Child + Send + Sync>,
    // Closing it would end the terminal.
    _terminal: Box<dyn portable_pty::MasterPty + Send>,
}

impl Terminal {
    pub(crate) fn new(folder: &Path, arguments: &[&str]) -> Terminal {
        Terminal::sized(folder, arguments, (80, 24))
    }

    /// The same with so many columns and rows.
    pub(crate) fn sized(folder: &Path, arguments: &[&str], (cols, rows): (u16, u16)) -> Terminal {
        let size = PtySize {
            rows,
            cols,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_decklaw"));
        command.args(arguments);
        command.cwd(folder);
        command.env("DECKLAW_CONFIG", folder);
        command.env("TERM", "xterm-256color");
        command.env_remove("COLUMNS");
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let screen = Arc::new(Mutex::new(vt100::Parser::new(rows, cols, 500)));
        let mut reader = pair.master.try_clone_reader().unwrap();
        let shown = Arc::clone(&screen);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read) = reader.read(&mut bytes) {
                if read == 0 {
                    break;
                }
                shown.lock().unwrap().process(&bytes[..read]);
            }
        });
        let keys = pair.master.take_writer().unwrap();
        Terminal {
            screen,
            keys,
            child,
            _terminal: pair.master,
        }
    }

    pub(crate) fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits until the screen holds something.
    #[track_caller]
    pub(crate) fn until(&self, what: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        loop {
            let text = self.text();
            if what(&text) {
                return text;
            }
            assert!(begun.elapsed() < PATIENCE, "in vain:\n{text}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[track_caller]
    pub(crate) fn sees(&self, words: &str) -> String {
        self.until(|text| text.contains(words))
    }

    pub(crate) fn ends_with(mut self, status: u32) {
        assert_eq!(self.child.wait().unwrap().exit_code(), status);
    }
}
