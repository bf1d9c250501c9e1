//! `parlor engine`: an agent of ours that speaks the line protocol.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use parlor_core::dynamic::AnyEngine;
use parlor_core::protocol::{FromEngine, ToEngine, VERSION};

use crate::args::EngineArgs;

/// What the referee has said since the last answer.
struct Desk {
    agent: String,
    game: Box<dyn parlor_core::dynamic::AnyGame>,
    engine: Box<dyn AnyEngine>,
    view: Option<String>,
    limit: Option<Duration>,
}

pub fn run(args: &EngineArgs) -> anyhow::Result<()> {
    let game = parlor_catalog::open(&args.game)?;
    let engine = game.engine(&args.agent)?;
    let mut desk = Desk { agent: args.agent.clone(), game, engine, view: None, limit: None };
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let Some(message) = ToEngine::read(&line?) else { continue };
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
            ToEngine::New(seat) => {
                self.engine.begin(seat);
                Vec::new()
            }
            ToEngine::See(actor, action) => complaint(self.engine.see(actor, &action)),
            ToEngine::View(json) => {
                self.view = Some(json);
                Vec::new()
            }
            ToEngine::Clock { own, .. } => {
                self.limit = own.map(Duration::from_millis);
                Vec::new()
            }
            ToEngine::Go(bits) => {
                let view = self.view.take().unwrap_or_default();
                match self.engine.answer(&view, self.limit.take(), bits) {
                    Ok(action) => vec![FromEngine::Move(action)],
                    Err(error) => vec![FromEngine::Info(error.to_string())],
                }
            }
            ToEngine::Over(payoffs) => {
                let payoffs: Vec<f64> = payoffs.iter().filter_map(|word| word.parse().ok()).collect();
                self.engine.over(&payoffs);
                Vec::new()
            }
            ToEngine::Legal(_) | ToEngine::Quit => Vec::new(),
        }
    }

    /// Takes the referee's options of the game, if it is the game that this engine was started for.
    fn open(&mut self, spec: &str) -> FromEngine {
        let opened = parlor_catalog::open(spec).and_then(|game| {
            let engine = game.engine(&self.agent)?;
            Ok((game, engine))
        });
        match opened {
            Ok((game, _)) if game.name() != self.game.name() => {
                FromEngine::Refuse(format!("started for {}, not for {}", self.game.name(), game.name()))
            }
            Ok((game, engine)) => {
                self.game = game;
                self.engine = engine;
                FromEngine::Ok
            }
            Err(error) => FromEngine::Refuse(error.to_string()),
        }
    }
}

fn complaint<E: std::fmt::Display>(result: Result<(), E>) -> Vec<FromEngine> {
    result.err().map(|error| FromEngine::Info(error.to_string())).into_iter().collect()
}
