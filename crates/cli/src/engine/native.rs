//! Our own line protocol, which all games have.

use parlor_core::Cancel;
use std::io::{self, Write};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use parlor_core::api::{AnyEngine, AnyGame, ApiError};
use parlor_core::text::protocol::{Clocks, FromEngine, ToEngine, VERSION};
use parlor_core::text::shown::shown;

use super::lines::Lines;

/// What the referee has said since the last answer.
struct Session {
    agent: String,
    game: Box<dyn AnyGame>,
    engine: Box<dyn AnyEngine>,
    view: Option<String>,
    clocks: Clocks,
}

/// How many messages may wait. A referee that talks on while we think is held up by its own full pipe.
const WAITING: usize = 4096;

/// Errors are cut to this number of characters.
const LONGEST_TEXT: usize = 1000;

/// A message, and the flag that breaks off what it asks for.
type Heard = io::Result<(ToEngine, Cancel)>;

/// Listens on a thread of its own, so that a `stop` is heard while the agent thinks.
fn listen() -> Receiver<Heard> {
    let (send, heard) = mpsc::sync_channel(WAITING);
    thread::spawn(move || {
        let mut lines = Lines::new(io::stdin().lock());
        let mut listener = Listener::default();
        loop {
            let heard = match lines.next() {
                Ok(Some(line)) => ToEngine::read(&line).map(|message| Ok(listener.note(message))),
                Ok(None) => {
                    listener.is_left();
                    return;
                }
                Err(error) => Some(Err(error)),
            };
            let last = matches!(heard, Some(Err(_)));
            if heard.is_some_and(|heard| send.send(heard).is_err()) || last {
                return;
            }
        }
    });
    heard
}

/// Knows what the agent is thinking about, or will be.
#[derive(Default)]
struct Listener {
    /// The flag of the last `go` or `ponder`, and whether it was a `ponder`.
    thinking: Option<(Cancel, bool)>,
}

impl Listener {
    /// Takes note of a message. The next message after a `ponder` ends it; a `go` is ended by `stop` and `quit` only.
    fn note(&mut self, message: ToEngine) -> (ToEngine, Cancel) {
        if let Some((flag, pondering)) = &self.thinking
            && (*pondering || matches!(message, ToEngine::Stop | ToEngine::Quit))
        {
            flag.cancel();
        }
        let flag = Cancel::new();
        match message {
            ToEngine::Go(_) => self.thinking = Some((flag.clone(), false)),
            ToEngine::Ponder(_) => self.thinking = Some((flag.clone(), true)),
            _ => {}
        }
        (message, flag)
    }

    /// The referee has gone, so pondering ends. An answer that was asked for is still given.
    fn is_left(&self) {
        if let Some((flag, true)) = &self.thinking {
            flag.cancel();
        }
    }
}

pub fn run(game: Box<dyn AnyGame>, agent: &str, out: &mut impl Write) -> anyhow::Result<()> {
    let engine = game.engine(agent)?;
    let mut session =
        Session { agent: agent.to_owned(), game, engine, view: None, clocks: Clocks::default() };
    for heard in listen() {
        let (message, stop) = heard?;
        if message == ToEngine::Quit {
            break;
        }
        for reply in session.reply(message, &stop) {
            writeln!(out, "{reply}")?;
        }
        out.flush()?;
    }
    Ok(())
}

/// Serves a referee that has said everything already. Nobody will end a search or pondering, so they end at once.
#[cfg(test)]
pub fn run_on(
    game: Box<dyn AnyGame>,
    agent: &str,
    input: impl io::BufRead,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let engine = game.engine(agent)?;
    let mut session =
        Session { agent: agent.to_owned(), game, engine, view: None, clocks: Clocks::default() };
    let mut lines = Lines::new(input);
    let (mut listener, stop) = (Listener::default(), Cancel::new());
    stop.cancel();
    while let Some(line) = lines.next()? {
        let Some((message, _)) = ToEngine::read(&line).map(|message| listener.note(message)) else {
            continue;
        };
        for reply in session.reply(message, &stop) {
            writeln!(out, "{reply}")?;
        }
    }
    Ok(())
}

impl Session {
    fn reply(&mut self, message: ToEngine, stop: &Cancel) -> Vec<FromEngine> {
        match message {
            ToEngine::Hello(_) => {
                let name = format!("parlor {} {}", env!("CARGO_PKG_VERSION"), self.agent);
                vec![
                    FromEngine::Name(name),
                    FromEngine::Info(format!("protocol {VERSION}")),
                    FromEngine::Ready,
                ]
            }
            ToEngine::Game(spec) => vec![self.open(&spec)],
            ToEngine::New(seat) => complaint(self.engine.begin(seat)),
            ToEngine::See(actor, action) => complaint(self.engine.see(actor, &action)),
            ToEngine::View(json) => {
                self.view = Some(json);
                Vec::new()
            }
            ToEngine::Clock(clocks) => {
                self.clocks = *clocks;
                Vec::new()
            }
            ToEngine::Go(bits) => {
                let view = self.view.take().unwrap_or_default();
                match self.engine.answer(&view, &std::mem::take(&mut self.clocks), bits, stop) {
                    Ok(action) => vec![FromEngine::Move(action)],
                    Err(error) => vec![one_line(&error)],
                }
            }
            ToEngine::Over(payoffs) => {
                let payoffs: Vec<f64> = payoffs.iter().filter_map(|word| word.parse().ok()).collect();
                complaint(self.engine.over(&payoffs))
            }
            ToEngine::Ponder(view) => complaint(self.engine.ponder(&view, stop)),
            // A stop is heard by the listener; by the time it comes here there is nothing left to stop.
            ToEngine::Legal(_) | ToEngine::Stop | ToEngine::Quit => Vec::new(),
        }
    }

    /// Takes the referee's options of the game, if it is the game that this engine was started for.
    fn open(&mut self, spec: &str) -> FromEngine {
        let opened = parlor_catalog::open(spec).and_then(|game| {
            if game.name() != self.game.name() {
                return Ok(Err(format!("started for {}, not for {}", self.game.name(), game.name())));
            }
            let engine = game.engine(&self.agent)?;
            Ok(Ok((game, engine)))
        });
        match opened {
            Ok(Ok((game, engine))) => {
                self.game = game;
                self.engine = engine;
                FromEngine::Ok
            }
            Ok(Err(other)) => FromEngine::Refuse(other),
            Err(error) => FromEngine::Refuse(shown(&error.to_string(), LONGEST_TEXT)),
        }
    }
}

fn complaint(result: Result<(), ApiError>) -> Vec<FromEngine> {
    result.err().iter().map(one_line).collect()
}

/// Returns a message on one line: a panic text may have several, and a text of the referee's anything.
fn one_line(error: &ApiError) -> FromEngine {
    FromEngine::Info(shown(&error.to_string(), LONGEST_TEXT))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_set((_, flag): &(ToEngine, Cancel)) -> bool {
        flag.is_cancelled()
    }

    #[test]
    fn a_go_is_ended_by_stop_alone_and_pondering_by_anything() {
        let mut listener = Listener::default();
        listener.note(ToEngine::Stop);
        let go = listener.note(ToEngine::Go(1));
        listener.note(ToEngine::View(String::new()));
        listener.is_left();
        assert!(!is_set(&go), "an earlier stop, another message and the end of input do not count");
        listener.note(ToEngine::Stop);
        assert!(is_set(&go));
        let ponder = listener.note(ToEngine::Ponder(String::new()));
        let again = listener.note(ToEngine::Ponder(String::new()));
        assert!(is_set(&ponder) && !is_set(&again));
        listener.is_left();
        assert!(is_set(&again));
    }
}
