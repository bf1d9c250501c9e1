//! Lines that are typed on a terminal, with editing and history.

use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use rustyline::config::Configurer;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor};

/// What stands before a line that is typed.
const PROMPT: &str = "> ";

/// The keyboard of a terminal. Another thread waits for it, because waiting there cannot be interrupted; it reads a line when it is asked
/// to, so that the prompt does not get into other lines.
pub struct Keyboard {
    ask: Sender<()>,
    #[cfg(unix)]
    modes: Option<rustix::termios::Termios>,
}

impl Keyboard {
    /// Takes the keyboard. Lines arrive in the channel, which closes with Ctrl-C and Ctrl-D.
    pub fn take() -> anyhow::Result<(Keyboard, Receiver<io::Result<String>>)> {
        let mut editor: Editor<(), MemHistory> = Editor::with_history(Config::default(), MemHistory::new())?;
        editor.set_auto_add_history(true);
        let (ask, asked) = mpsc::channel::<()>();
        let (send, lines) = mpsc::channel();
        let keyboard = Keyboard {
            ask,
            #[cfg(unix)]
            modes: rustix::termios::tcgetattr(rustix::stdio::stdin()).ok(),
        };
        thread::spawn(move || {
            while let Ok(()) = asked.recv() {
                let Ok(line) = editor.readline(PROMPT) else { return };
                if send.send(Ok(line)).is_err() {
                    return;
                }
            }
        });
        Ok((keyboard, lines))
    }

    /// Asks for a line.
    pub fn ask(&self) {
        // Without a reader the channel of lines is closed, too, which the caller notices.
        let _ = self.ask.send(());
    }
}

#[cfg(unix)]
impl Drop for Keyboard {
    /// Gives the terminal back as it was, even if a line was being typed when the time was over or the program was told to end.
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        if let Some(modes) = &self.modes {
            let _ = tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, modes);
        }
    }
}
