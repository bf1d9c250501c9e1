//! What is to be played.

use serde::Deserialize;

/// The whole plan: `docs/strength/plan.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Books that are grown first, where they are missing.
    #[serde(default)]
    pub book: Vec<Book>,
    /// Equilibria that are found first, where they are missing.
    #[serde(default)]
    pub strategy: Vec<Strategy>,
    /// Parts of a player, on against off.
    pub part: Vec<Part>,
    /// Everyone against everyone.
    pub crosstable: Vec<Crosstable>,
    /// The same player with more and more to think with.
    pub ladder: Vec<Ladder>,
    /// Matches against programs that are not ours. They are played by hand, because the programs do not come with ours.
    #[serde(default)]
    pub outside: Vec<Outside>,
}

/// A match against another program, and its result.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outside {
    /// The program and its version.
    pub engine: String,
    /// How it was set up.
    pub settings: String,
    pub game: String,
    /// Our player.
    pub ours: String,
    /// What both had for a move.
    pub time: String,
    pub pairs: u64,
    /// Our wins, draws and losses.
    pub counts: [u64; 3],
    /// The Elo difference, and its 95 % interval by pairs.
    pub elo: [f64; 3],
    /// What else a reader must know.
    pub caveats: String,
}

/// A book that some player uses.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Book {
    /// Where it is kept, from the root of the workspace.
    pub file: String,
    pub game: String,
    pub agent: String,
    pub games: u64,
    pub plies: u32,
}

/// An equilibrium that some player plays.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strategy {
    /// Where it is kept, from the root of the workspace.
    pub file: String,
    pub game: String,
    /// The most that any opponent can win against it, in points a game.
    pub precision: String,
}

/// One part of a player.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The part's name, as the page shows it.
    pub part: String,
    pub game: String,
    /// The player with the part.
    pub on: String,
    /// The same player without it.
    pub off: String,
    pub pairs: u64,
    #[serde(default)]
    pub opening: u32,
    /// The time control, where the part needs one.
    pub time: Option<String>,
    #[serde(default)]
    pub ponder: bool,
    #[serde(default)]
    pub threads: Option<u32>,
    /// What else a reader must know.
    #[serde(default)]
    pub note: String,
}

/// A tournament of a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crosstable {
    pub game: String,
    pub agents: Vec<String>,
    pub pairs: u64,
    #[serde(default)]
    pub opening: u32,
    /// How many pairs a session has; 0 without sessions.
    #[serde(default)]
    pub session: u64,
    #[serde(default)]
    pub note: String,
}

/// A player against itself with half as much to think with.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ladder {
    pub game: String,
    /// The player, with `{}` for the number.
    pub agent: String,
    /// The numbers, smallest first; each meets the one before it.
    pub steps: Vec<u64>,
    pub pairs: u64,
    #[serde(default)]
    pub opening: u32,
}

/// One call of the program.
pub struct Call {
    pub words: Vec<String>,
}

impl Call {
    /// Returns the words as one would type them.
    pub fn key(&self) -> String {
        let quoted = self
            .words
            .iter()
            .map(|word| if word.contains(['(', ' ', ',']) { format!("'{word}'") } else { word.clone() });
        quoted.collect::<Vec<_>>().join(" ")
    }
}

/// Every call has this seed; nothing was chosen by looking at others.
const SEED: &str = "1";

fn call(kind: &str, game: &str, agents: &[&str], pairs: u64, opening: u32) -> Call {
    let mut words = vec![kind.to_owned(), game.to_owned()];
    words.extend(agents.iter().map(|&agent| agent.to_owned()));
    words.extend(["--pairs".to_owned(), pairs.to_string(), "--seed".to_owned(), SEED.to_owned()]);
    if opening > 0 {
        words.extend(["--opening".to_owned(), opening.to_string()]);
    }
    Call { words }
}

impl Book {
    pub fn call(&self) -> Call {
        let [games, plies] = [self.games.to_string(), self.plies.to_string()];
        let words =
            ["book", "build", &self.game, "--agent", &self.agent, "--games", &games, "--plies", &plies];
        let seeded = ["--seed", SEED, "-o", &self.file];
        Call { words: words.iter().chain(&seeded).map(|&word| word.to_owned()).collect() }
    }
}

impl Strategy {
    pub fn call(&self) -> Call {
        let words = ["solve", &self.game, "--hidden", "--precision", &self.precision, "--out", &self.file];
        Call { words: words.map(str::to_owned).to_vec() }
    }
}

impl Part {
    pub fn call(&self) -> Call {
        let mut call = call("match", &self.game, &[&self.on, &self.off], self.pairs, self.opening);
        if let Some(time) = &self.time {
            call.words.extend(["--time".to_owned(), time.clone()]);
        }
        if self.ponder {
            call.words.push("--ponder".to_owned());
        }
        if let Some(threads) = self.threads {
            call.words.extend(["--threads".to_owned(), threads.to_string()]);
        }
        call
    }
}

impl Crosstable {
    pub fn call(&self) -> Call {
        let agents: Vec<&str> = self.agents.iter().map(String::as_str).collect();
        let mut call = call("tournament", &self.game, &agents, self.pairs, self.opening);
        if self.session > 0 {
            call.words.extend(["--session".to_owned(), self.session.to_string()]);
        }
        call
    }
}

impl Ladder {
    /// Returns each step's call: the larger number against the one before it.
    pub fn calls(&self) -> impl Iterator<Item = Call> + '_ {
        self.steps.windows(2).map(|pair| {
            let with = |number: u64| self.agent.replace("{}", &number.to_string());
            call("match", &self.game, &[&with(pair[1]), &with(pair[0])], self.pairs, self.opening)
        })
    }
}

impl Plan {
    /// Returns the files that players use, each with the call that makes it.
    pub fn files(&self) -> impl Iterator<Item = (&str, Call)> {
        let books = self.book.iter().map(|book| (book.file.as_str(), book.call()));
        books.chain(self.strategy.iter().map(|strategy| (strategy.file.as_str(), strategy.call())))
    }

    /// Returns every call, in the order of the page.
    pub fn calls(&self) -> Vec<Call> {
        let parts = self.part.iter().map(Part::call);
        let tables = self.crosstable.iter().map(Crosstable::call);
        parts.chain(tables).chain(self.ladder.iter().flat_map(Ladder::calls)).collect()
    }
}
