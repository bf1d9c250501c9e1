//! Which agents can play which game.

use std::ops::Deref;
use std::time::Duration;

use parlor_agents::equilibrium::nash;
use parlor_agents::outside::{Outside, Timeouts};
use parlor_agents::{
    Random, alphabeta, book, collective, exact, expectimax, ismcts, mcts, mstar, ntuple, pimc,
};
use parlor_core::api::{AgentEntry, BuildContext, Make};
use parlor_core::text::spec::Cause;
use parlor_core::{
    Afterstates, Agent, Cells, Entry, Evaluate, Game, Key, Keyed, Kind, Learner, Notation, PerfectInfo,
    Positions, SpecError, Stimulus,
};
use parlor_games::bits::Word;
use parlor_games::checkers::Checkers;
use parlor_games::connect::{Connect, columns, solve};
use parlor_games::darkchess::DarkChess;
use parlor_games::dominoes::{Dominoes, players};
use parlor_games::minesweeper::{self, Minesweeper};
use parlor_games::tictactoe::{self, TicTacToe};

use crate::learnt_values::ntuple_views;
use crate::search_keys::{
    EXACT_KEYS, EXPECTIMAX_KEYS, SEARCH_KEYS, SEARCH_KEYS_WITH_LEARNT, SEARCH_KEYS_WITH_NETS, WORLD_KEYS,
};
use crate::{Registered, ShippedFile};

/// The agents of a game, in the order in which lists show them; names are distinct.
pub struct Roster<G: Game>(Vec<AgentEntry<G>>);

impl<G: Game> Roster<G> {
    /// Adds an agent at the end.
    pub fn push(&mut self, entry: AgentEntry<G>) {
        self.0.push(entry);
    }

    /// Adds agents at the end.
    pub fn extend(&mut self, entries: impl IntoIterator<Item = AgentEntry<G>>) {
        self.0.extend(entries);
    }

    /// Puts an agent in the place of the one that has its name.
    ///
    /// # Panics
    /// If none has it.
    pub fn replace(&mut self, entry: AgentEntry<G>) {
        let old = self.0.iter_mut().find(|old| old.name == entry.name);
        *old.expect("what is replaced is in the roster") = entry;
    }
}

impl<G: Game> Deref for Roster<G> {
    type Target = [AgentEntry<G>];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<G: Game> IntoIterator for Roster<G> {
    type Item = AgentEntry<G>;
    type IntoIter = std::vec::IntoIter<AgentEntry<G>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<G: Game> From<Vec<AgentEntry<G>>> for Roster<G> {
    fn from(entries: Vec<AgentEntry<G>>) -> Self {
        Roster(entries)
    }
}

impl<G: Game> From<Roster<G>> for Vec<AgentEntry<G>> {
    fn from(roster: Roster<G>) -> Self {
        roster.0
    }
}

/// The agents that play every game, seated by name alone.
pub fn everywhere<G: Entry + Notation>() -> Roster<G> {
    Roster(vec![AgentEntry {
        name: "random",
        summary: "chooses uniformly among the legal actions",
        keys: &[],
        make: Make::Agent(|_| Ok(Box::new(Random))),
        policy: Some(|_| Ok(Box::new(Random))),
    }])
}

/// The agents of a game with codecs: those that play every game, then the learners.
pub fn with_codecs<G: Registered + Stimulus + Cells>() -> Roster<G> {
    let mut agents = everywhere();
    agents.push(AgentEntry {
        name: collective::NAME,
        summary: collective::SUMMARY,
        keys: collective::keys::<G>(),
        make: Make::Learner(|context| collective::build(context, G::ABILITIES.shipped)),
        policy: Some(|context| collective::build_policy(context, G::ABILITIES.shipped)),
    });
    agents.push(fable());
    agents
}

/// The learner of games that show their views as cells.
fn fable<G: Entry + Notation + Cells>() -> AgentEntry<G> {
    AgentEntry {
        name: parlor_fable::NAME,
        summary: parlor_fable::SUMMARY,
        keys: parlor_fable::KEYS,
        make: Make::Learner(parlor_fable::build),
        policy: Some(parlor_fable::build_policy),
    }
}

/// The learner of games that describe afterstates by entries of a table.
fn ntuple<G: Registered + Afterstates>() -> AgentEntry<G> {
    ntuple::entry(|context| ntuple::build(context, shipped_table(context.game)))
}

/// Returns the table that comes with the program for these rules.
pub(crate) fn shipped_table<G: Registered>(game: &G) -> Option<&'static [u8]> {
    for_rules(game, G::ABILITIES.shipped_tables)
}

/// Returns the opening book that comes with the program for these rules.
fn shipped_book<G: Registered>(game: &G) -> Option<&'static [u8]> {
    for_rules(game, G::ABILITIES.shipped_books)
}

fn for_rules<G: Registered>(game: &G, files: &'static [ShippedFile]) -> Option<&'static [u8]> {
    if files.is_empty() {
        return None;
    }
    let rules = game.spec().to_string();
    files.iter().find(|file| file.game == rules).map(|file| file.bytes)
}

/// Adds the book that the settings name, if any, to an agent.
fn booked<G: Registered + PerfectInfo + Keyed>(
    agent: Box<dyn Agent<G>>,
    context: &BuildContext<'_, G>,
) -> Result<Box<dyn Agent<G>>, SpecError> {
    book::booked(agent, context, shipped_book(context.game))
}

/// The agents of board games without chance, the strongest first.
pub fn boards<G: Registered + Stimulus + Cells + PerfectInfo + Keyed + Evaluate>() -> Roster<G> {
    let looking_ahead = AgentEntry {
        name: alphabeta::NAME,
        summary: alphabeta::SUMMARY,
        keys: &SEARCH_KEYS.alphabeta,
        make: Make::Agent(|context| booked(alphabeta::build(context)?, context)),
        policy: None,
    };
    let simulating = AgentEntry {
        name: mcts::NAME,
        summary: mcts::SUMMARY,
        keys: &SEARCH_KEYS.mcts,
        make: Make::Agent(|context| booked(mcts::build_with_evaluation(context, None)?, context)),
        policy: None,
    };
    let mut agents = Roster(vec![looking_ahead, simulating]);
    agents.extend(with_codecs());
    agents
}

/// The agents of board games in which `ntuple` values positions for searches; `build` makes `alphabeta`, `build_learner` makes `ntuple`.
fn boards_with_values<G>(
    build: parlor_core::api::Build<G>,
    build_learner: parlor_core::api::BuildLearner<G>,
) -> Roster<G>
where
    G: Registered + Stimulus + Cells + PerfectInfo + Keyed + Evaluate + Positions,
{
    let mut agents = boards();
    agents.replace(AgentEntry {
        name: alphabeta::NAME,
        summary: alphabeta::SUMMARY,
        keys: &SEARCH_KEYS_WITH_LEARNT.alphabeta,
        make: Make::Agent(build),
        policy: None,
    });
    agents.replace(AgentEntry {
        name: mcts::NAME,
        summary: mcts::SUMMARY,
        keys: &SEARCH_KEYS_WITH_LEARNT.mcts,
        make: Make::Agent(|context| {
            booked(mcts::build_with_evaluation(context, G::ABILITIES.learnt_value)?, context)
        }),
        policy: None,
    });
    agents.push(ntuple::entry_looking_ahead(build_learner));
    agents
}

/// Makes `ntuple` for a game in which it looks ahead by a search with this tuning.
fn ntuple_looking_ahead<G>(
    context: &BuildContext<'_, G>,
    tuning: alphabeta::Tuning,
) -> Result<Box<dyn Learner<G>>, SpecError>
where
    G: Registered + PerfectInfo + Keyed + Evaluate + Positions,
{
    ntuple::build_looking_ahead(context, tuning, shipped_table(context.game))
}

/// The agents of tictactoe: those of board games, then its rule players.
#[inline] // compiled by the crate of its family, not here
#[must_use]
pub fn tictactoe() -> Roster<TicTacToe> {
    const TUNING: alphabeta::Tuning = alphabeta::Tuning::USUAL;
    let mut agents = boards_with_values(
        |context| {
            booked(alphabeta::build_tuned(context, TUNING, TicTacToe::ABILITIES.learnt_value)?, context)
        },
        |context| ntuple_looking_ahead(context, TUNING),
    );
    agents.extend(tictactoe::players::agents());
    agents
}

/// The agents of connect: those of board games, with `alphabeta` tuned for it, then those that look at columns.
pub fn connect<W: Word>() -> Roster<Connect<W>> {
    // Threats decide, and they come late in the order as often as not; values leap from depth to depth.
    const TUNING: alphabeta::Tuning =
        alphabeta::Tuning { reductions: false, aspiration: false, exchanges: false };
    let mut agents = boards_with_values(
        |context| {
            booked(alphabeta::build_tuned(context, TUNING, Connect::<W>::ABILITIES.learnt_value)?, context)
        },
        |context| ntuple_looking_ahead(context, TUNING),
    );
    agents.push(AgentEntry {
        name: exact::NAME,
        summary: exact::SUMMARY,
        keys: &EXACT_KEYS,
        make: Make::Agent(|context| booked(exact::build(context, solve::solver)?, context)),
        policy: None,
    });
    agents.extend(columns::agents());
    agents
}

/// The agents of checkers: those of board games; nets value positions for them, and `alphabeta` can use a database.
pub fn checkers<W: Word>() -> Roster<Checkers<W>> {
    let build: parlor_core::api::Build<Checkers<W>> = |context| {
        booked(alphabeta::build_with_endgames(context, Checkers::<W>::ABILITIES.learnt_value)?, context)
    };
    let mut agents =
        boards_with_values(build, |context| ntuple_looking_ahead(context, alphabeta::Tuning::EXCHANGES));
    agents.replace(AgentEntry {
        name: alphabeta::NAME,
        summary: alphabeta::SUMMARY,
        keys: &SEARCH_KEYS_WITH_NETS.alphabeta,
        make: Make::Agent(build),
        policy: None,
    });
    agents.replace(AgentEntry {
        name: mcts::NAME,
        summary: mcts::SUMMARY,
        keys: &SEARCH_KEYS_WITH_NETS.mcts,
        make: Make::Agent(|context| {
            booked(mcts::build_with_evaluation(context, Checkers::<W>::ABILITIES.learnt_value)?, context)
        }),
        policy: None,
    });
    agents
}

/// The agents of dark chess, the strongest first.
#[inline] // compiled by the crate of its family, not here
#[must_use]
pub fn darkchess() -> Roster<DarkChess> {
    let averaging = AgentEntry {
        name: expectimax::NAME,
        summary: expectimax::SUMMARY,
        keys: &EXPECTIMAX_KEYS,
        make: Make::Agent(expectimax::build_with_endgames),
        policy: None,
    };
    let simulating = AgentEntry {
        name: mcts::NAME,
        summary: mcts::SUMMARY,
        keys: mcts::keys_with_cuts(),
        make: Make::Agent(|context| mcts::build_with_evaluation(context, None)),
        policy: None,
    };
    let mut agents = Roster(vec![averaging, simulating]);
    agents.extend(everywhere());
    agents.push(fable());
    agents
}

/// The agents of minesweeper, the strongest first.
pub fn minesweeper<W: Word>() -> Roster<Minesweeper<W>> {
    let mut agents = Roster(minesweeper::players::agents());
    agents.push(AgentEntry {
        name: "ismcts",
        summary: "Monte Carlo tree search over what the player can see, another field each time",
        keys: &WORLD_KEYS.plain_ismcts,
        make: Make::Agent(|context| ismcts::build_plain(context, Some(ntuple_views))),
        policy: None,
    });
    agents.extend(with_codecs());
    agents.push(ntuple());
    agents
}

/// The agents of dominoes: those that search, its rule players, then those that play other games too.
#[inline] // compiled by the crate of its family, not here
pub fn dominoes() -> Roster<Dominoes> {
    let mut agents = Roster(vec![
        AgentEntry {
            name: "pimc",
            summary: "searches many hidden worlds as if the hands lay open, and averages",
            keys: &WORLD_KEYS.pimc,
            make: Make::Agent(|context| pimc::build(context, Some(ntuple_views))),
            policy: None,
        },
        AgentEntry {
            name: "expectimax",
            summary: "in every hidden world larger value, smaller value and average to the end of the stage",
            keys: &WORLD_KEYS.expectimax,
            make: Make::Agent(|context| pimc::build_expectimax(context, Some(ntuple_views))),
            policy: None,
        },
        AgentEntry {
            name: "ismcts",
            summary: "Monte Carlo tree search over what its seat can see, another hidden world each time",
            keys: &WORLD_KEYS.ismcts,
            make: Make::Agent(|context| ismcts::build(context, Some(ntuple_views))),
            policy: None,
        },
    ]);
    agents.extend(players::agents());
    agents.push(AgentEntry {
        name: mstar::NAME,
        summary: mstar::SUMMARY,
        keys: mstar::KEYS,
        make: Make::Agent(|context| mstar::build(context, Dominoes::ABILITIES.classifiers)),
        policy: None,
    });
    agents.push(AgentEntry {
        name: nash::NAME,
        summary: nash::SUMMARY,
        keys: nash::KEYS,
        make: Make::Agent(nash::build),
        policy: Some(nash::build_policy),
    });
    agents.extend(with_codecs());
    agents.push(ntuple());
    agents.extend(oracles());
    agents
}

/// Players of dominoes that see both hands. Only the laboratory seats them.
#[inline] // as above
fn oracles() -> [AgentEntry<Dominoes>; 2] {
    [
        AgentEntry {
            name: pimc::ORACLE,
            summary: pimc::ORACLE_SUMMARY,
            keys: pimc::ORACLE_KEYS,
            make: Make::Oracle(pimc::build_oracle),
            policy: None,
        },
        AgentEntry {
            name: mstar::ORACLE,
            summary: mstar::ORACLE_SUMMARY,
            keys: mstar::ORACLE_KEYS,
            make: Make::Oracle(|context| mstar::build_oracle(context, Dominoes::ABILITIES.classifiers)),
            policy: None,
        },
    ]
}

const OUTSIDE_KEYS: &[Key] = &[
    Key {
        name: "command",
        kind: Kind::Command,
        default: "",
        help: "the program and its words; `cmd:WORDS` for short",
    },
    Key {
        name: "timeout_s",
        kind: Kind::Whole { min: 1, max: 86_400 },
        default: "60",
        help: "seconds for a decision when no clock runs",
    },
    Key {
        name: "folder",
        kind: Kind::WorkingFolder,
        default: ".",
        help: "the folder in which it runs; full forms have the whole path, so that a run resumes from anywhere",
    },
];

/// Any program that speaks the line protocol, in its own process.
pub fn outside<G: Entry + Notation>() -> AgentEntry<G> {
    AgentEntry {
        name: "cmd",
        summary: "a program that speaks the line protocol: cmd:./engine --words",
        keys: OUTSIDE_KEYS,
        make: Make::Agent(|context| {
            let &BuildContext { game, settings, .. } = context;
            let timeouts = Timeouts { decision: Duration::from_secs(settings.whole("timeout_s") as u64) };
            let command = settings.text("command");
            let started = Outside::start(game, command, settings.text("folder").as_ref(), timeouts);
            started.map(|agent| Box::new(agent) as _).map_err(|error| SpecError::Program {
                owner: settings.owner().to_owned(),
                command: command.to_owned(),
                cause: Cause::new(error),
            })
        }),
        policy: None,
    }
}
