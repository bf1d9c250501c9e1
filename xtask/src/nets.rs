//! Making the net that comes with the program: rounds of matches of `alphabeta` against itself, each with the net of the round before.

use std::fs;
use std::path::{Path, PathBuf};

use crate::steps::{parlor, put, step};

/// The chore's word.
pub const NAME: &str = "checkers-net";

const GAME: &str = "checkers";

/// A round: nodes a move, matches, their seed, how many rounds' positions the net is trained from, and how often these are passed over.
struct Round {
    nodes: u32,
    matches: u32,
    seed: u32,
    rounds: usize,
    epochs: u32,
}

/// The first round plays with the hand-made evaluation and without what was tuned for nets.
const FIRST: &str = "evaluation=none, extensions=off, pruning=off, replies=off, repeats=off";

const ROUNDS: &[Round] = &[
    Round { nodes: 400, matches: 6_000, seed: 101, rounds: 1, epochs: 6 },
    Round { nodes: 800, matches: 3_000, seed: 301, rounds: 1, epochs: 15 },
    Round { nodes: 800, matches: 3_200, seed: 401, rounds: 2, epochs: 15 },
    Round { nodes: 800, matches: 2_000, seed: 501, rounds: 3, epochs: 15 },
];

/// Makes the net anew.
///
/// # Errors
/// If a call of the program fails.
pub fn make(shelf: &Path, home: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(shelf)?;
    fs::create_dir_all(home)?;
    let mut positions: Vec<PathBuf> = Vec::new();
    let mut net: Option<PathBuf> = None;
    for (number, round) in ROUNDS.iter().enumerate() {
        let evaluation = match &net {
            None => FIRST.to_owned(),
            Some(net) => format!("evaluation={}", net.display()),
        };
        let agent = format!("alphabeta(nodes={}, {evaluation})", round.nodes);
        let file = home.join(format!("{GAME}-{number}.positions"));
        let [matches, seed, epochs] = [round.matches, round.seed, round.epochs].map(|n| n.to_string());
        let mut play =
            parlor(&["net", "play", GAME, "--agent", &agent, "--matches", &matches, "--seed", &seed, "-o"]);
        step("positions", play.arg(&file))?;
        positions.push(file);
        let made = home.join(format!("{GAME}-net-{number}.parlor"));
        let mut train = parlor(&["net", "train", GAME]);
        train.args(positions.iter().rev().take(round.rounds));
        step("net", train.args(["--epochs", &epochs, "--seed", "1", "-o"]).arg(&made))?;
        net = Some(made);
    }
    net.map_or(Ok(()), |net| put(&net, &shelf.join(format!("{GAME}.parlor"))))
}
