//! Warnings about keys that were typed under old names. What comes from files of our own is read without a word.

use std::collections::HashSet;
use std::path::Path;

use parlor_core::files::reading::read_text;
use parlor_core::text::spec::OldKey;
use parlor_lab::experiment::Experiment;
use parlor_lab::tournament::file::Request;

use crate::book::args::BookCommand;
use crate::commands::Command;
use crate::engine::EngineArgs;
use crate::experiment::ExperimentCommand;
use crate::terminal::say_aside;

/// A game and the agents that were typed for it.
type Typed = (String, Vec<String>);

/// Warns on standard error, once a key. What cannot be understood is left to the command, which says what is wrong.
pub fn warn(command: &Command) {
    let mut told: HashSet<OldKey> = HashSet::new();
    for (game, agents) in typed(command) {
        let Ok(game) = parlor_catalog::open(&game) else { continue };
        for survey in agents.iter().filter_map(|agent| game.survey(agent).ok()) {
            for old in survey.old_keys {
                if told.insert(old.clone()) {
                    say_aside(format!("\x1b[1;33mwarning:\x1b[0m {old}"));
                }
            }
        }
    }
}

/// Returns the games and agents that were typed, in a file of the user's as well.
fn typed(command: &Command) -> Vec<Typed> {
    let one = |game: &Option<String>, agents: Vec<&String>| {
        game.iter().map(|game| (game.clone(), agents.iter().map(|&agent| agent.clone()).collect())).collect()
    };
    match command {
        Command::Analyse(args) => one(&args.game, args.agent.iter().collect()),
        Command::Regret(args) => one(&Some(args.game.clone()), vec![&args.agent, &args.against]),
        Command::Respond(args) => one(&Some(args.game.clone()), vec![&args.agent]),
        Command::Exploit(args) => one(&Some(args.game.clone()), vec![&args.agent]),
        Command::Engine(EngineArgs { served: Some(args), .. }) => {
            one(&Some(args.game.clone()), vec![&args.agent])
        }
        Command::Play(args) => {
            one(&args.game, args.agent.iter().chain(args.watch.iter().flatten()).collect())
        }
        Command::Match(args) => one(&args.game, args.first.iter().chain(&args.second).collect()),
        Command::Train(args) => {
            one(&args.game, args.learner.iter().chain(&args.against).chain(&args.test).collect())
        }
        Command::Book(BookCommand::Build(args)) => one(&args.game, args.agent.iter().collect()),
        Command::Tournament(args) => match args.game.as_deref().and_then(toml) {
            Some(text) => Request::read(&text).map_or_else(|_| Vec::new(), |request| vec![in_file(&request)]),
            None => one(&args.game, args.agents.iter().collect()),
        },
        Command::Experiment(ExperimentCommand::Run(args)) => {
            let texts = args.experiments.iter().filter_map(|name| toml(name));
            let experiments = texts.filter_map(|text| Experiment::read(&text).ok());
            experiments.flat_map(|experiment| in_experiment(&experiment)).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the text of a file if the name is that of one that the user may have written.
fn toml(name: &str) -> Option<String> {
    Path::new(name).extension().filter(|ending| *ending == "toml")?;
    read_text(Path::new(name)).ok()
}

fn in_file(request: &Request) -> Typed {
    (request.game.text.clone(), request.agents.iter().map(|agent| agent.text.clone()).collect())
}

fn in_experiment(experiment: &Experiment) -> Vec<Typed> {
    let arms = experiment.arms.iter().map(|arm| {
        let met = [arm.rival.as_ref(), arm.against.agent(), arm.test.against.agent()];
        let agents = std::iter::once(&arm.learner).chain(met.into_iter().flatten());
        (arm.game.text.clone(), agents.map(|agent| agent.text.clone()).collect())
    });
    arms.collect()
}
