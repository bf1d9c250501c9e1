//! Our own line protocol, which all games have.

use std::io::{BufRead, Write};

use parlor_core::dynamic::{AnyEngine, AnyGame, DoorError};
use parlor_core::protocol::{Clocks, FromEngine, ToEngine, VERSION};

use super::lines::Lines;

/// What the referee has said since the last answer.
struct Desk {
    agent: String,
    game: Box<dyn AnyGame>,
    engine: Box<dyn AnyEngine>,
    view: Option<String>,
    clocks: Clocks,
}

pub fn run<R: BufRead>(
    game: Box<dyn AnyGame>,
    agent: &str,
    lines: &mut Lines<R>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let engine = game.engine(agent)?;
    let mut desk = Desk { agent: agent.to_owned(), game, engine, view: None, clocks: Clocks::default() };
    while let Some(line) = lines.next()? {
        let Some(message) = ToEngine::read(&line) else { continue };
        if message == ToEngine::Quit {
            break;
        }
        for reply in desk.reply(message) {
            writeln!(out, "{reply}")?;
        }
        out.flush()?;
    }
    Ok(())
}

impl Desk {
    fn reply(&mut self, message: ToEngine) -> Vec<FromEngine> {
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
                match self.engine.answer(&view, &std::mem::take(&mut self.clocks), bits) {
                    Ok(action) => vec![FromEngine::Move(action)],
                    Err(error) => vec![one_line(&error)],
                }
            }
            ToEngine::Over(payoffs) => {
                let payoffs: Vec<f64> = payoffs.iter().filter_map(|word| word.parse().ok()).collect();
                complaint(self.engine.over(&payoffs))
            }
            ToEngine::Legal(_) | ToEngine::Quit => Vec::new(),
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
            Err(error) => FromEngine::Refuse(error.to_string().replace('\n', " ")),
        }
    }
}

fn complaint(result: Result<(), DoorError>) -> Vec<FromEngine> {
    result.err().iter().map(one_line).collect()
}

/// A message is one line, whatever an agent's last words were.
fn one_line(error: &DoorError) -> FromEngine {
    FromEngine::Info(error.to_string().replace(['\n', '\r'], " "))
}
