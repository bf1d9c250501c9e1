//! Matches in pairs: the same deal twice, seats swapped, so that luck of the deal and of the first move cancels.

use parlor_core::Cancel;
use std::iter::Peekable;
use std::ops::ControlFlow;

use parlor_core::api::{AnyGame, AnyTeam, MatchSetup};
use parlor_core::files::saved::{Recognised, SavedEnding, SavedGame};
use parlor_core::parallel::in_order;
use parlor_core::rng::fork;
use parlor_core::time::clock::TimeControl;
use parlor_core::{Seat, Spec, SpecError, WinDrawLoss};
use serde::{Deserialize, Serialize};

use crate::forfeits::{self, ForfeitReason};
use crate::run::RunManifest;

/// What holds for every game of a match or a tournament.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Terms {
    /// Each agent's time for a game.
    pub time: TimeControl,
    /// Number of random decisions at the beginning of each pair, the same in both games.
    pub opening: u32,
    /// Whether agents think on each other's time.
    pub ponder: bool,
    /// How many pairs a session has; 0 makes every game a session of its own. Agents may remember what they saw in earlier games of
    /// the same session. Sessions are what threads share out, so results do not depend on the number of threads.
    pub session: u64,
}

/// The longest random opening.
pub const MOST_OPENING: u32 = 1000;

/// The longest session.
pub const MOST_SESSION: u64 = 1_000_000;

impl Terms {
    /// Returns what is not as usual, to stand at the end of a line: `, time 5m, random moves first: 8`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let mut words = String::new();
        if self.time.is_limited() {
            words.push_str(&format!(", time {}", self.time));
        }
        if self.opening > 0 {
            words.push_str(&format!(", random moves first: {}", self.opening));
        }
        if self.ponder {
            words.push_str(", pondering");
        }
        match self.session {
            0 => {}
            1 => words.push_str(", a session a pair"),
            pairs => words.push_str(&format!(", sessions of {pairs} pairs")),
        }
        words
    }

    /// Returns the first row of the session that `row` of a match belongs to.
    pub(crate) const fn session_start(&self, row: u64) -> u64 {
        match self.session {
            0 => row,
            session => row - row % session,
        }
    }
}

/// A match between two agents, as it was asked for.
pub struct PairMatch<'a> {
    /// The game.
    pub game: &'a dyn AnyGame,
    /// The two agents' specs.
    pub agents: [&'a str; 2],
    /// The first pair to play; those before it are known already.
    pub from: u64,
    /// The pair to stop before.
    pub pairs: u64,
    /// Pair *i* is dealt from `fork(seed, i)`.
    pub seed: u64,
    /// How many threads play; the rows do not depend on it.
    pub threads: usize,
    /// How each game is played.
    pub terms: Terms,
}

/// One game of a pair from the first agent's side.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRow {
    /// 1 for a win of the first agent, ½ for a draw, 0 for a loss.
    pub score: f64,
    /// Which agent forfeited, if any: 0 or 1.
    pub forfeit: Option<usize>,
    /// The games themselves: one, or in a solitary game one for each agent.
    pub saved: Vec<SavedGame>,
}

impl GameRow {
    /// Returns why the agent that forfeited did.
    fn why_forfeited(&self) -> Option<&str> {
        self.saved.iter().find_map(|game| match &game.ending {
            SavedEnding::Forfeit { why, .. } => Some(why.as_str()),
            SavedEnding::Finished | SavedEnding::Unfinished => None,
        })
    }
}

/// One pair.
#[derive(Clone, PartialEq, Debug)]
pub struct PairRow {
    /// The pair's number, from 0.
    pub pair: u64,
    /// Two games with seats swapped; in a solitary game one comparison of two playings of the same deal.
    pub games: Vec<GameRow>,
}

/// Counts from the first agent's side.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// The games.
    #[serde(flatten)]
    pub games: WinDrawLoss,
    /// How many pairs scored 0, ½, 1, 1½, 2. A solitary pair's one comparison counts double.
    pub pentanomial: [u64; 5],
    /// Games that the first and the second agent forfeited.
    pub forfeits: [u64; 2],
    /// How often each agent recognised its opponent; absent if neither tells types of opponents apart.
    #[serde(default, skip_serializing_if = "nobody_recognised")]
    pub recognised: [Recognised; 2],
    /// Why games were forfeited; omitted where none was.
    #[serde(default, skip_serializing_if = "no_reasons")]
    pub forfeit_reasons: [Vec<ForfeitReason>; 2],
}

/// Returns whether neither agent tells types of opponents apart.
pub(crate) fn nobody_recognised(recognised: &[Recognised; 2]) -> bool {
    recognised.iter().all(Recognised::is_nothing)
}

/// Returns whether nothing was forfeited.
pub(crate) fn no_reasons(reasons: &[Vec<ForfeitReason>; 2]) -> bool {
    reasons.iter().all(Vec::is_empty)
}

impl Tally {
    /// Adds a pair.
    pub fn add(&mut self, row: &PairRow) {
        for game in &row.games {
            self.games.add(game.score.total_cmp(&0.5));
            if let Some(agent) = game.forfeit {
                self.forfeits[agent] += 1;
                if let Some(why) = game.why_forfeited() {
                    forfeits::add(&mut self.forfeit_reasons[agent], why);
                }
            }
        }
        // The second game of a pair has the seats swapped.
        for (saved, agents) in row.saved().zip([[0, 1], [1, 0]]) {
            for (recognised, agent) in saved.recognised.iter().zip(agents) {
                self.recognised[agent] += *recognised;
            }
        }
        let mean = row.games.iter().map(|game| game.score).sum::<f64>() / row.games.len() as f64;
        self.pentanomial[(4.0 * mean).round() as usize] += 1;
    }

    /// Returns how many pairs there were.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.pentanomial.iter().sum()
    }
}

/// The plan of a match or a tournament: decides what each row is. Rows have stable numbers, so any part of them can be played
/// anywhere and comes out the same.
pub trait PairPlan: RunManifest + Sync {
    /// Returns the game's full form.
    fn game(&self) -> &str;

    /// Returns the agents' full forms.
    fn agents(&self) -> &[String];

    /// Returns how each game is played.
    fn terms(&self) -> Terms;

    /// Returns how many rows there are at the most.
    fn rows(&self) -> u64;

    /// Returns what row `row` is.
    fn trial(&self, row: u64) -> Trial;

    /// Returns the rows from number `from` on.
    fn trials(&self, from: u64) -> impl Iterator<Item = Trial> + Send {
        (from..self.rows()).map(|row| self.trial(row))
    }
}

/// One row as it is planned: a pair of games.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Trial {
    /// The row's number.
    pub row: u64,
    /// The seed of the deal.
    pub deal: u64,
    /// The two agents, by their places in the plan's list.
    pub agents: [usize; 2],
    /// The first row of its session; the row itself if every game is a session of its own.
    pub session: u64,
}

impl PairMatch<'_> {
    /// Plays the pairs and hands each row to `on_row`, in order of pair numbers for any number of threads. A `Break`
    /// from `on_row` or a raised `stop` ends the match early, after a whole number of pairs.
    ///
    /// # Errors
    /// If an agent cannot be seated at this game.
    pub fn run(
        &self,
        stop: &Cancel,
        mut on_row: impl FnMut(PairRow) -> ControlFlow<()>,
    ) -> Result<Tally, SpecError> {
        // Seat everyone before anything is played: a misspelt agent is an answer, not a failure half-way.
        let teams = seat_teams(self.game, &self.agents, self.threads.max(1))?;
        let trial = |row| Trial {
            row,
            deal: fork(self.seed, row),
            agents: [0, 1],
            session: self.terms.session_start(row),
        };
        let trials = (self.terms.session_start(self.from)..self.pairs).map(trial);
        let mut tally = Tally::default();
        play_trials(teams, self.game.seats(), trials, self.from, self.terms, stop, |row| {
            tally.add(&row);
            on_row(row)
        });
        Ok(tally)
    }
}

/// Trials, session by session.
struct Sessions<I: Iterator<Item = Trial>>(Peekable<I>);

impl<I: Iterator<Item = Trial>> Iterator for Sessions<I> {
    type Item = Vec<Trial>;

    fn next(&mut self) -> Option<Vec<Trial>> {
        let first = self.0.next()?;
        let mut session = vec![first];
        while let Some(trial) = self.0.next_if(|trial| trial.session == first.session) {
            session.push(trial);
        }
        Some(session)
    }
}

/// Plays trials, one team a thread, and hands each row from number `from` on to `on_row` in the order of the trials. Returns the
/// teams.
///
/// The trials begin with a session: rows before `from` are played for what agents remember of them.
pub(crate) fn play_trials(
    teams: Vec<Box<dyn AnyTeam>>,
    seats: u8,
    trials: impl Iterator<Item = Trial> + Send,
    from: u64,
    terms: Terms,
    cancel: &Cancel,
    mut on_row: impl FnMut(PairRow) -> ControlFlow<()>,
) -> Vec<Box<dyn AnyTeam>> {
    let sessions = Sessions(trials.peekable());
    let play = |team: &mut Box<dyn AnyTeam>, session: Vec<Trial>| -> Option<Vec<PairRow>> {
        let mut continues = false;
        let play_next = |trial| {
            let row = play_pair(&mut **team, seats == 1, trial, terms, continues, cancel);
            continues = terms.session > 0;
            row
        };
        session.into_iter().map(play_next).collect()
    };
    in_order(teams, sessions, cancel, play, |rows| {
        rows.into_iter().filter(|row| row.pair >= from).try_for_each(&mut on_row)
    })
}

/// Returns the full form of an agent that can sit down in a match or a tournament.
///
/// # Errors
/// If there is no such agent, its settings do not fit, or it would go on learning: then each game would depend on the
/// games before it, and on which thread played them.
pub fn seated_spec(game: &dyn AnyGame, spec: &str) -> Result<String, SpecError> {
    let teams = seat_teams(game, &[spec], 1)?;
    Ok(teams[0].spec(0).to_owned())
}

/// Returns the full forms of a team's members.
pub(crate) fn full_forms(team: &dyn AnyTeam, members: usize) -> Vec<String> {
    (0..members).map(|member| team.spec(member).to_owned()).collect()
}

/// Returns the full forms among `agents` of those that see what is hidden: results name them.
#[must_use]
pub fn oracles(game: &dyn AnyGame, agents: &[String]) -> Vec<String> {
    let seeing: Vec<&str> =
        game.agents().iter().filter(|agent| agent.sees_all).map(|agent| agent.name).collect();
    agents.iter().filter(|agent| seeing.contains(&Spec::bare_name(agent))).cloned().collect()
}

/// Seats the agents, once for each of `count` teams.
pub(crate) fn seat_teams(
    game: &dyn AnyGame,
    agents: &[&str],
    count: usize,
) -> Result<Vec<Box<dyn AnyTeam>>, SpecError> {
    let mut teams = (0..count).map(|_| game.team(agents)).collect::<Result<Vec<_>, SpecError>>()?;
    let Some(first) = teams.first_mut() else { return Ok(teams) };
    for (member, agent) in agents.iter().enumerate() {
        if first.learner(member).is_some_and(|learner| !learner.is_frozen()) {
            return Err(SpecError::Learning { owner: Spec::bare_name(agent).to_owned() });
        }
    }
    Ok(teams)
}

/// Plays one pair: the same deal twice, with seats swapped or, in a solitary game, by one agent after the other. With `continues`,
/// its first game continues the session of the game before. `None` if `stop` was raised meanwhile.
fn play_pair(
    team: &mut dyn AnyTeam,
    solitary: bool,
    trial: Trial,
    terms: Terms,
    continues: bool,
    stop: &Cancel,
) -> Option<PairRow> {
    let Trial { row, deal, agents: [first, second], .. } = trial;
    // The deal is the same for both games of the pair; the agents' random streams are not.
    let mut play = |seating: &[usize], minds: u64| {
        let sitting = MatchSetup {
            time: terms.time,
            opening: terms.opening,
            ponder: terms.ponder,
            continues: if minds == 0 { continues } else { terms.session > 0 },
            cancel: Some(stop.clone()),
            ..MatchSetup::new(seating, deal, fork(deal, 1 + minds))
        };
        team.play(&sitting)
    };
    let saved = if solitary {
        [play(&[first], 0)?, play(&[second], 1)?]
    } else {
        [play(&[first, second], 0)?, play(&[second, first], 1)?]
    };
    Some(PairRow::of(row, saved))
}

impl PairRow {
    /// Reads a pair from its two games: with seats swapped, or one playing of each agent in a solitary game.
    #[must_use]
    pub fn of(pair: u64, saved: [SavedGame; 2]) -> PairRow {
        let payoff = |game: &SavedGame, seat: usize| {
            game.payoffs.as_ref().and_then(|payoffs| payoffs.get(seat)).copied().unwrap_or(0.0)
        };
        let [one, two] = saved;
        let games = if one.seats.len() == 1 {
            let forfeit = one.ending.forfeit().map(|_| 0).or(two.ending.forfeit().map(|_| 1));
            let score = points(payoff(&one, 0), payoff(&two, 0));
            vec![GameRow { score, forfeit, saved: vec![one, two] }]
        } else {
            let straight = GameRow {
                score: points(payoff(&one, 0), payoff(&one, 1)),
                forfeit: one.ending.forfeit().map(Seat::index),
                saved: vec![one],
            };
            let swapped = GameRow {
                score: points(payoff(&two, 1), payoff(&two, 0)),
                forfeit: two.ending.forfeit().map(|seat| seat.other().index()),
                saved: vec![two],
            };
            vec![straight, swapped]
        };
        PairRow { pair, games }
    }

    /// Names the two agents in the games.
    pub(crate) fn rename(&mut self, [first, second]: [&str; 2]) {
        let rename = |saved: &mut SavedGame, seats: &[&str]| {
            for (seat, &name) in saved.seats.iter_mut().zip(seats) {
                if seat != name {
                    name.clone_into(seat);
                }
            }
        };
        match &mut self.games[..] {
            [GameRow { saved, .. }] => {
                saved.iter_mut().zip([first, second]).for_each(|(saved, name)| rename(saved, &[name]));
            }
            games => {
                for (game, seats) in games.iter_mut().zip([[first, second], [second, first]]) {
                    game.saved.iter_mut().for_each(|saved| rename(saved, &seats));
                }
            }
        }
    }

    /// Returns the games in the order in which they were played.
    pub fn saved(&self) -> impl Iterator<Item = &SavedGame> {
        self.games.iter().flat_map(|game| &game.saved)
    }
}

/// Who got more? The size of the difference does not count.
fn points(first: f64, second: f64) -> f64 {
    if first > second {
        1.0
    } else if first < second {
        0.0
    } else {
        0.5
    }
}
