//! Tournaments: many agents, each pairing a match in pairs.
//!
//! Pairing {a, b} with a < b, agents numbered from 0 as they were listed, has the number b(b − 1)/2 + a, and its pair *i*
//! is dealt from `fork(fork(seed, number), i)`. So an agent that is added at the end changes no game of the others, and a
//! gauntlet plays exactly the games that a round robin of the same seed would play between the same agents.
//!
//! Pairings do not share deals. Sharing would make some differences a little sharper, but the games of an agent against
//! two others would no longer be independent, and the intervals of the ratings, which take them to be, would be wrong.
//!
//! Rows go round: pair 0 of every pairing, then pair 1 of every pairing. With sessions the first session of every pairing is followed
//! by the second of every pairing. A tournament that is stopped early is balanced.

pub mod file;
pub mod names;
mod plot;
pub mod report;
pub mod standings;

use parlor_core::TimeControl;
use parlor_core::rng::{GENERATOR, fork};
use serde::{Deserialize, Serialize};

use crate::manifest::{is_none, is_zero};
use crate::pairs::{PairPlan, Terms, Trial};
use crate::run::folder::{self, RunKind, RunManifest};

/// The version of the folder's format.
pub const VERSION: u32 = 1;

/// The largest number of agents.
pub const MOST_AGENTS: usize = 200;

/// Who meets whom.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Everyone meets everyone.
    #[default]
    RoundRobin,
    /// The first agent meets all others.
    Gauntlet,
}

impl Kind {
    /// Returns the kind in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Kind::RoundRobin => "round robin",
            Kind::Gauntlet => "gauntlet",
        }
    }
}

/// Everything that decides what a tournament's games are.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The format's version.
    pub parlor_tournament: u32,
    /// The program's version.
    pub version: String,
    /// The generator of all random streams.
    pub rng: String,
    /// The game's full form.
    pub game: String,
    /// The agents' full forms.
    pub agents: Vec<String>,
    /// Who meets whom.
    pub kind: Kind,
    /// How many pairs each pairing plays.
    pub pairs: u64,
    /// The run's seed.
    pub seed: u64,
    /// The time each agent has, as text: `5m+2s`, or `none` if it is not limited.
    pub time: TimeControl,
    /// Number of random decisions at the beginning of each pair.
    #[serde(default, skip_serializing_if = "is_none")]
    pub opening: u32,
    /// How many pairs of a pairing a session has; 0 makes every game a session of its own.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub session: u64,
}

/// Why agents make no tournament.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlanError {
    /// Too few agents, or too many.
    #[error("a tournament needs 2 to {MOST_AGENTS} agents; there are {0}")]
    Agents(usize),
    /// The same agent twice.
    #[error("agents {} and {} are the same: {agent}", one + 1, two + 1)]
    Twice {
        /// The first place in the list, from 0.
        one: usize,
        /// The second.
        two: usize,
        /// Its full form.
        agent: String,
    },
}

/// Two agents that meet.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// The number that its deals are drawn from.
    pub id: u64,
    /// The two, by their places in the list; the smaller first.
    pub agents: [usize; 2],
}

impl Pairing {
    fn new(a: usize, b: usize) -> Pairing {
        Pairing { id: (b * (b - 1) / 2 + a) as u64, agents: [a, b] }
    }
}

impl Plan {
    /// Returns a plan with this program's version and generator filled in: a round robin without clocks.
    ///
    /// # Errors
    /// If the agents are too few, too many or not all different.
    pub fn new(game: String, agents: Vec<String>, seed: u64, pairs: u64) -> Result<Plan, PlanError> {
        let plan = Plan {
            parlor_tournament: VERSION,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            rng: GENERATOR.to_owned(),
            game,
            agents,
            kind: Kind::RoundRobin,
            pairs,
            seed,
            time: TimeControl::default(),
            opening: 0,
            session: 0,
        };
        plan.check()?;
        Ok(plan)
    }

    fn check(&self) -> Result<(), PlanError> {
        let agents = &self.agents;
        if !(2..=MOST_AGENTS).contains(&agents.len()) {
            return Err(PlanError::Agents(agents.len()));
        }
        for (two, agent) in agents.iter().enumerate() {
            if let Some(one) = agents[..two].iter().position(|other| other == agent) {
                return Err(PlanError::Twice { one, two, agent: agent.clone() });
            }
        }
        Ok(())
    }

    /// Returns who meets whom, in the order of a round.
    #[must_use]
    pub fn pairings(&self) -> Vec<Pairing> {
        let firsts = |b: usize| match self.kind {
            Kind::RoundRobin => 0..b,
            Kind::Gauntlet => 0..1,
        };
        (1..self.agents.len()).flat_map(|b| firsts(b).map(move |a| Pairing::new(a, b))).collect()
    }

    /// Returns the pairing at place `place` of a round.
    fn pairing(&self, place: usize) -> Pairing {
        match self.kind {
            Kind::Gauntlet => Pairing::new(0, place + 1),
            Kind::RoundRobin => {
                let mut b = 1;
                while b * (b + 1) / 2 <= place {
                    b += 1;
                }
                Pairing::new(place - b * (b - 1) / 2, b)
            }
        }
    }

    /// Returns how many pairings a round has.
    #[must_use]
    pub fn round(&self) -> usize {
        let n = self.agents.len();
        match self.kind {
            Kind::RoundRobin => n * n.saturating_sub(1) / 2,
            Kind::Gauntlet => n.saturating_sub(1),
        }
    }
}

/// The order of the rows of a tournament.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct RowOrder {
    /// How many pairings there are.
    round: u64,
    /// How many pairs each plays.
    pairs: u64,
    /// How many pairs are played in succession: those of a session.
    session: u64,
}

/// Where a row is in its tournament.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct RowPlace {
    /// The place of its pairing in a round.
    pub pairing: usize,
    /// The number of the pair in its pairing.
    pub pair: u64,
    /// The first row of its session.
    pub session: u64,
}

impl RowOrder {
    /// Returns where a row is.
    pub(crate) fn place(self, row: u64) -> RowPlace {
        let RowOrder { round, pairs, session } = self;
        let all = round.saturating_mul(session);
        let (block, within) = (row / all, row % all);
        let first = block * session;
        // The last session of each pairing may be shorter than the others.
        let length = session.min(pairs - first);
        let start = row - within;
        RowPlace {
            pairing: (within / length) as usize,
            pair: first + within % length,
            session: start + within - within % length,
        }
    }
}

impl Plan {
    /// Returns the order of the rows.
    pub(crate) fn order(&self) -> RowOrder {
        let session = self.session.clamp(1, self.pairs.max(1));
        RowOrder { round: self.round() as u64, pairs: self.pairs, session }
    }
}

impl RunManifest for Plan {
    const KIND: &'static RunKind = &folder::TOURNAMENT;

    fn is_supported(&self) -> bool {
        self.parlor_tournament == VERSION && self.rng == GENERATOR && self.check().is_ok()
    }
}

impl PairPlan for Plan {
    fn game(&self) -> &str {
        &self.game
    }

    fn agents(&self) -> &[String] {
        &self.agents
    }

    fn terms(&self) -> Terms {
        Terms { time: self.time, opening: self.opening, session: self.session, ..Terms::default() }
    }

    fn rows(&self) -> u64 {
        self.pairs.saturating_mul(self.round() as u64)
    }

    fn trial(&self, row: u64) -> Trial {
        let place = self.order().place(row);
        let pairing = self.pairing(place.pairing);
        let deal = fork(fork(self.seed, pairing.id), place.pair);
        Trial { row, deal, agents: pairing.agents, session: place.session }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(agents: usize, kind: Kind) -> Plan {
        let agents = (0..agents).map(|i| format!("a{i}")).collect();
        Plan { kind, ..Plan::new("g".to_owned(), agents, 7, 3).unwrap() }
    }

    #[test]
    fn places_and_lists_agree() {
        for kind in [Kind::RoundRobin, Kind::Gauntlet] {
            for agents in 2..12 {
                let plan = plan(agents, kind);
                let places: Vec<Pairing> = (0..plan.round()).map(|place| plan.pairing(place)).collect();
                assert_eq!(places, plan.pairings());
            }
        }
        assert_eq!(plan(4, Kind::RoundRobin).round(), 6);
        assert_eq!(plan(4, Kind::Gauntlet).round(), 3);
    }

    #[test]
    fn games_do_not_change_when_agents_join_or_stay_away() {
        let deals = |plan: &Plan| -> Vec<([usize; 2], u64)> {
            plan.trials(0).map(|trial| (trial.agents, trial.deal)).collect()
        };
        let all = deals(&plan(5, Kind::RoundRobin));
        for fewer in [plan(4, Kind::RoundRobin), plan(5, Kind::Gauntlet)] {
            assert!(deals(&fewer).iter().all(|row| all.contains(row)));
        }
        let mut seeds: Vec<u64> = all.iter().map(|&(_, deal)| deal).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 30, "no deal is played twice");
    }

    #[test]
    fn sessions_change_the_order_of_the_rows_and_nothing_else() {
        for (pairs, session) in [(7, 3), (6, 3), (5, 9), (4, 1), (1, 2)] {
            let alone = Plan { pairs, ..plan(4, Kind::RoundRobin) };
            let plan = Plan { session, ..alone.clone() };
            let sorted = |plan: &Plan| {
                let mut rows: Vec<_> = plan.trials(0).map(|trial| (trial.agents, trial.deal)).collect();
                rows.sort_unstable();
                rows
            };
            assert_eq!(sorted(&plan), sorted(&alone));
            let trials: Vec<Trial> = plan.trials(0).collect();
            for part in trials.chunk_by(|one, two| one.session == two.session) {
                assert_eq!(part[0].session, part[0].row, "it begins with its first row");
                assert!(part.iter().all(|trial| trial.agents == part[0].agents));
                assert!(part.len() as u64 <= session);
            }
            let sessions = trials.chunk_by(|one, two| one.session == two.session).count() as u64;
            assert_eq!(sessions, 6 * pairs.div_ceil(session), "{pairs} pairs in sessions of {session}");
        }
    }

    #[test]
    fn agents_are_several_and_different() {
        let with = |agents: &[&str]| {
            let agents = agents.iter().map(|&agent| agent.to_owned()).collect();
            Plan::new("g".to_owned(), agents, 1, 1)
        };
        assert_eq!(with(&["a"]).unwrap_err(), PlanError::Agents(1));
        assert_eq!(with(&["a", "b", "a"]).unwrap_err().to_string(), "agents 1 and 3 are the same: a");
        assert!(with(&["a", "b"]).is_ok());
    }
}
