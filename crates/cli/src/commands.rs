//! The commands, and the groups in which `--help` lists them.

#[cfg(unix)]
use std::ffi::OsString;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

use crate::analyse::args::AnalyseArgs;
use crate::args::{
    AgentsArgs, GamesArgs, HistoryArgs, MatchArgs, MergeArgs, MovesArgs, PerftArgs, PlayArgs, TournamentArgs,
};
use crate::bench::BenchArgs;
use crate::book::args::BookCommand;
use crate::cells::CellsArgs;
use crate::classify::args::ClassifyCommand;
use crate::deals::DealsArgs;
use crate::endgame::args::EndgameCommand;
use crate::engine::{EngineArgs, EngineCommand};
use crate::experiment::ExperimentCommand;
use crate::exploit::ExploitArgs;
use crate::fable::FableCommand;
use crate::features::FeaturesArgs;
use crate::learning::args::{InspectArgs, LearnArgs, TrainArgs};
use crate::net::NetCommand;
use crate::odds::OddsArgs;
use crate::regret::RegretArgs;
use crate::respond::RespondArgs;
use crate::samples::SamplesArgs;
use crate::serve::ServeArgs;
use crate::solve::args::SolveArgs;
use crate::stats::StatsCommand;

/// A laboratory in which game-playing agents learn, are measured honestly, and can be played against.
///
/// Games and agents are written `name(key=value, …)`; a bare name means all defaults. Quote them for the shell:
/// parlor play 'connect(width=7, height=6)'
#[derive(Parser, Debug)]
#[command(name = "parlor", version, arg_required_else_help = true, max_term_width = 100)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

/// The hidden command that engines are started by.
#[cfg(unix)]
pub const GUARD_ENGINE: &str = "guard-engine";

#[derive(Subcommand, Debug)]
pub enum Command {
    /// List the games and their keys
    #[command(after_help = "Example: parlor games dominoes")]
    Games(GamesArgs),
    /// List the agents of a game and their keys
    #[command(after_help = "Example: parlor agents dominoes")]
    Agents(AgentsArgs),
    /// List the legal actions of a position, one a line, sorted
    #[command(after_help = "Example: parlor moves 'connect(width=7, height=6)' --position 436622165622")]
    Moves(MovesArgs),
    /// Show a position as a grid of symbols, with the place and number of each action
    ///
    /// This is what learners that know no game, and other languages, get of a view.
    #[command(after_help = "Examples:\n  \
        parlor cells tictactoe --position .X./O.X/.XO\n  \
        parlor cells minesweeper --position '###/#2#/###' --json\n  \
        parlor cells 'dominoes(rules=myers)' --seed 4          the view after a deal")]
    Cells(CellsArgs),
    /// Count the action sequences of each length: the classic test of a move generator
    #[command(after_help = "Example: parlor perft checkers 8", allow_negative_numbers = true)]
    Perft(PerftArgs),
    /// Give the exact probability of a mine in each covered cell, and of winning by random clicks
    #[command(after_help = "Examples:\n  \
        parlor odds minesweeper --position '###/#2#/###'\n  \
        parlor odds 'minesweeper(rows=4, columns=4)' --json")]
    Odds(OddsArgs),
    /// Show the features by which `columns` judges each column of connect, with their sums and values
    #[command(after_help = "Examples:\n  \
        parlor features connect --position 6581198789669a68\n  \
        parlor features connect --position 6581 --agent 'columns(lookahead=0)' --json")]
    Features(FeaturesArgs),
    /// Show an agent's analysis of a position: depth, speed, value, best line, every move
    ///
    /// Ctrl-C ends the search and prints its result.
    #[command(
        visible_alias = "analyze",
        allow_negative_numbers = true,
        after_help = "Examples:\n  \
        parlor analyse 'connect(width=7, height=6)' --position 436622165622\n  \
        parlor analyse checkers --time 10000                          ten seconds\n  \
        parlor analyse minesweeper --position '###/#2#/###' --beliefs\n  \
        parlor analyse dominoes --json                                a thought a line, for scripts"
    )]
    Analyse(AnalyseArgs),
    /// Give the exact value of a position and the moves that keep it
    #[command(
        after_help = "Examples:\n  \
        parlor solve 'connect(width=7, height=6)' --position 436622165622\n  \
        parlor solve tictactoe --moves\n  \
        parlor solve 'dominoes(rules=myers)' --each             every deal, hands open\n  \
        parlor solve 'dominoes(rules=myers)' --hidden           the equilibrium",
        allow_negative_numbers = true
    )]
    Solve(SolveArgs),
    /// Measure how much an agent loses against perfect play
    #[command(
        after_help = "Examples:\n  \
        parlor regret tictactoe 'mcts(sims=100)'                          in matches against random\n  \
        parlor regret tictactoe 'alphabeta(depth=2)' --all                in every position\n  \
        parlor regret 'connect(width=7, height=6)' 'alphabeta(nodes=1000)' --opening 20",
        allow_negative_numbers = true
    )]
    Regret(RegretArgs),
    /// Play in the terminal, resume a match that you left, watch two agents, or replay a saved game
    #[command(
        after_help = "Examples:\n  \
        parlor play                                 list the games\n  \
        parlor play connect --level easy            four in a row on 7×6, against a weak opponent\n  \
        parlor play minesweeper --preset expert     alone, 30×16 with 99 mines\n  \
        parlor play checkers --seat 1 --ascii       you are white, plain characters\n  \
        parlor play dominoes --agent expert --time 5m --ponder\n  \
        parlor play --resume                        go on with the match that you left last\n  \
        parlor play dominoes --watch expert random  watch two agents\n  \
        parlor play --replay games.jsonl            see a saved game again",
        allow_negative_numbers = true
    )]
    Play(PlayArgs),
    /// Play, watch, analyse and run the laboratory in a browser; other programs can use its API
    ///
    /// Prints the address when it listens. Tables are kept as they go: Ctrl-C ends the server, and the next one has them again.
    #[command(after_help = "Examples:\n  \
        parlor serve                                then open http://127.0.0.1:8017 in a browser\n  \
        parlor serve --port 0                       any free port\n  \
        parlor serve --listen 0.0.0.0 --host games.example.org\n  \
        parlor serve --agent mine='collective(file=my.parlor)'\n                                              \
        your own agents, as opponents named @mine")]
    Serve(ServeArgs),
    /// Play pairs of games between two agents: the same deal twice, seats swapped
    #[command(
        after_help = "Examples:\n  \
        parlor match dominoes expert random --pairs 500 --seed 1\n  \
        parlor match dominoes expert scoring --pairs 20000 --sprt 0,10   stop when it is clear\n  \
        parlor match tictactoe random random --opening 2                 two random moves first\n  \
        parlor match --resume FOLDER                                     go on after a break\n  \
        parlor match connect mcts random --shard 0/16 --out DIR          a part of it, for many machines",
        allow_negative_numbers = true
    )]
    Match(MatchArgs),
    /// Play a tournament: crosstable, ratings with intervals, a report
    #[command(after_help = "Examples:\n  \
        parlor tournament dominoes expert scoring defense random --pairs 200\n  \
        parlor tournament dominoes expert scoring random --gauntlet   the first against all others\n  \
        parlor tournament league.toml                                 as the file says, see the guide\n  \
        parlor tournament --resume FOLDER                             go on after a break\n  \
        parlor tournament league.toml --shard 0/16 --out DIR          a part of it, for many machines")]
    Tournament(TournamentArgs),
    /// Make one run of the shards of a match, a tournament or an experiment
    ///
    /// Its rows, result and report are those of a run on one machine. A shard that is missing, damaged or of another run is an error.
    #[command(after_help = "Examples:\n  \
        parlor match dominoes expert scoring --pairs 1000 --shard 0/2 --out DIR   on one machine\n  \
        parlor match dominoes expert scoring --pairs 1000 --shard 1/2 --out DIR   on another\n  \
        parlor merge DIR                                                          the result\n  \
        parlor merge DIR --out RUN --json")]
    Merge(MergeArgs),
    /// Watch a learner improve in a minute, measure it, and play against it
    #[command(after_help = "Examples:\n  \
        parlor learn                                            dominoes, about a minute\n  \
        parlor learn tictactoe --quick\n  \
        parlor learn minesweeper --learner fable")]
    Learn(LearnArgs),
    /// Train a learner and keep its knowledge in a file
    #[command(
        after_help = "Examples:\n  \
        parlor train dominoes collective -o mine.parlor\n  \
        parlor train dominoes 'collective(state=gsp1)' --against expert self --plan 40x1000 --test random expert -o mine.parlor\n  \
        parlor train minesweeper 'fable(store=games)' --plan 10x1000    kept in a store of games\n  \
        parlor train --resume mine.parlor                       go on after a break\n  \
        parlor match dominoes 'collective(file=mine.parlor)' expert",
        allow_negative_numbers = true
    )]
    Train(TrainArgs),
    /// Make nets that value positions for searches: matches of an agent against itself, and training from them
    #[command(subcommand)]
    Net(NetCommand),
    /// Show what a learner has learnt
    #[command(after_help = "Examples:\n  \
        parlor inspect mine.parlor --rows 20\n  \
        parlor inspect mine.parlor --graph mine.svg             draw the automaton of fable\n  \
        parlor inspect minesweeper 'fable(store=games)'         without a file\n  \
        parlor inspect mine.parlor --text > mine.tsv            everything, one transition a line")]
    Inspect(InspectArgs),
    /// Make labelled rows for classifiers from games between known styles of play
    ///
    /// One row a turn: features that the other seat can see, and the style of the seat whose turn it was. Ctrl-C writes the
    /// rows of the games that have ended.
    #[command(
        after_help = "Examples:\n  \
        parlor samples 'dominoes(rules=myers)' --rows 8242 --seed 1 --out rows.csv\n  \
        parlor samples tictactoe --rows 50000 --out rows.parquet --games games.jsonl",
        allow_negative_numbers = true
    )]
    Samples(SamplesArgs),
    /// Fit, test and cross-validate classifiers of labelled rows: discriminant analysis, random forests
    #[command(subcommand)]
    Classify(ClassifyCommand),
    /// Build opening books by self-play, and read them
    #[command(subcommand)]
    Book(BookCommand),
    /// Build, verify and read databases of positions with few pieces
    #[command(subcommand)]
    Endgame(EndgameCommand),
    /// Run heuristics of FABLE as processes of their own, and look after its store
    #[command(subcommand)]
    Fable(FableCommand),
    /// Run published experiments with learners, or your own, and compare the results
    #[command(subcommand)]
    Experiment(ExperimentCommand),
    /// List all matches and tournaments that were played, newest last; list, replay and export recorded games
    ///
    /// Without a command: the log, one line a match or tournament. The commands read a store, which has every game move by move if it
    /// was played with --record STORE.
    #[command(
        alias = "log",
        after_help = "Examples:\n  \
        parlor history --game dominoes --last 10                     the log\n  \
        parlor match tictactoe random random --record games          record every game in the folder games\n  \
        parlor history games --store games --last 10                 list them\n  \
        parlor history replay 7 --store games                        see one again\n  \
        parlor history export --store games -o games.csv             one row a decision"
    )]
    History(HistoryArgs),
    /// Run an agent as an engine that other programs talk to, or check an engine of yours
    ///
    /// It speaks the line protocol on standard input and output.
    #[command(after_help = "Examples:\n  \
        parlor match dominoes expert 'cmd:parlor engine dominoes random'\n  \
        parlor engine darkchess random --protocol gtp\n  \
        parlor engine checkers random --protocol hub\n  \
        parlor engine check 'python3 engine.py'")]
    Engine(EngineArgs),
    /// The old name of `parlor engine check`
    #[command(subcommand, hide = true)]
    Protocol(EngineCommand),
    /// Runs an engine until the program that started this one is gone; not for people
    #[cfg(unix)]
    #[command(name = GUARD_ENGINE, hide = true)]
    GuardEngine {
        /// The engine and its arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
    /// Compute statistics of any counts: p-values, Elo, sequential tests; plan time
    #[command(subcommand)]
    Stats(StatsCommand),
    /// Measure what an agent loses to its best response, in small games with hidden hands
    #[command(
        after_help = "Examples:\n  \
        parlor exploit 'dominoes(rules=myers)' expert\n  \
        parlor exploit 'dominoes(rules=myers, set=2, hand=2)' 'ismcts(sims=500)' --samples 50",
        allow_negative_numbers = true
    )]
    Exploit(ExploitArgs),
    /// Compute how to win from an agent at a limited risk, in small games with hidden hands
    ///
    /// The restricted Nash response: the best strategy against an opponent that is the agent with probability P, and anyone
    /// otherwise. P = 0 is an equilibrium, P = 1 a best response.
    #[command(
        after_help = "Examples:\n  \
        parlor respond 'dominoes(rules=myers)' scoring --weight 0.5 --out careful.nash\n  \
        parlor match 'dominoes(rules=myers)' 'nash(file=careful.nash)' scoring --pairs 5000\n  \
        parlor respond 'dominoes(rules=myers)' defense --weight 1 --out none --json   what there is to win",
        allow_negative_numbers = true
    )]
    Respond(RespondArgs),
    /// Count the deals of a game
    #[command(after_help = "Example: parlor deals 'dominoes(set=4, hand=5)'")]
    Deals(DealsArgs),
    /// Print what completes commands and options in a shell
    #[command(after_help = "Examples:\n  \
        parlor completions bash > ~/.local/share/bash-completion/completions/parlor\n  \
        parlor completions zsh > ~/.zfunc/_parlor              with fpath+=(~/.zfunc) in ~/.zshrc\n  \
        parlor completions fish > ~/.config/fish/completions/parlor.fish")]
    Completions {
        /// bash, zsh, fish, elvish or powershell
        shell: Shell,
    },
    /// Prints the manual page
    #[command(hide = true)]
    Man,
    /// Measure the speed of random games, training and search on one thread
    #[command(after_help = "Example: parlor bench connect --json", allow_negative_numbers = true)]
    Bench(BenchArgs),
}

/// What commands are for, in the order of `--help`.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Play", &["play", "serve", "analyse", "games", "agents", "moves", "cells"]),
    (
        "Measure",
        &["match", "tournament", "merge", "regret", "exploit", "respond", "stats", "history", "bench"],
    ),
    (
        "Learn",
        &["learn", "train", "net", "inspect", "fable", "features", "samples", "classify", "experiment"],
    ),
    ("Solve", &["solve", "odds", "deals", "book", "endgame", "perft"]),
    ("Tools", &["engine", "completions", "help"]),
];

/// Returns the parser of the command line. Its help lists the commands by group, which the parser cannot do by itself.
pub fn parser() -> clap::Command {
    let mut command = Args::command();
    // Adds `help` to the commands.
    command.build();
    let header = *command.get_styles().get_header();
    let mut listing = String::new();
    for (group, names) in GROUPS {
        listing.push_str(&format!("{header}{group}:{header:#}\n"));
        for name in names {
            let about = command.find_subcommand(name).and_then(|found| found.get_about());
            listing.push_str(&format!("  {name:<WIDEST$}  {}\n", about.cloned().unwrap_or_default()));
        }
        listing.push('\n');
    }
    Args::command().help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{listing}{header}Options:{header:#}\n{{options}}"
    ))
}

/// The letters of the longest command.
const WIDEST: usize = 11;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_listed_in_one_group() {
        let mut command = Args::command();
        command.build();
        let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
        let mut names: Vec<&str> = shown.map(clap::Command::get_name).collect();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        names.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, names);
        assert_eq!(names.iter().map(|name| name.len()).max(), Some(WIDEST));
    }

    #[test]
    fn parsers_are_well_formed() {
        parser().debug_assert();
    }
}
