//! What the games of a tournament say.

use parlor_core::WinDrawLoss;
use parlor_stats::ratings::{Crosstable, Rated, Ratings};
use serde::{Deserialize, Serialize};

use crate::forfeits::{self, ForfeitReason};
use crate::pairs::{PairPlan, PairRow, Tally};
use crate::verdict::{Verdict, trinomial};

use super::{Plan, RowOrder};

/// Counts by pairing, row by row.
#[derive(Clone, Debug)]
pub struct Table {
    order: RowOrder,
    pairings: Vec<Counts>,
}

#[derive(Clone, Debug, Default)]
struct Counts {
    tally: Tally,
    /// Pairs by the results of their two games, each from the side of the agent in the first seat: won, drawn, lost.
    /// Empty in a solitary game.
    pairs: [[u64; 3]; 3],
    /// The moves of the first pair.
    opening: Vec<String>,
    /// Pairs whose games were not those of the first pair.
    different: u64,
}

impl Table {
    /// Returns an empty table.
    #[must_use]
    pub fn new(plan: &Plan) -> Table {
        Table { order: plan.order(), pairings: vec![Counts::default(); plan.round()] }
    }

    /// Adds a row of the plan.
    pub fn add(&mut self, row: &PairRow) {
        let counts = &mut self.pairings[self.order.place(row.pair).pairing];
        counts.tally.add(row);
        if let [one, two] = &row.games[..] {
            // Scores are the first agent's, who has the second seat in the second game.
            counts.pairs[place(one.score)][place(1.0 - two.score)] += 1;
        }
        if counts.opening.is_empty() {
            counts.opening = row.saved().map(|game| game.moves.clone()).collect();
        } else if !row.saved().map(|game| &game.moves).eq(&counts.opening) {
            counts.different += 1;
        }
    }

    /// Returns how many pairs were added.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.pairings.iter().map(Counts::number).sum()
    }

    /// Returns the ratings of all agents at once.
    fn rate(&self, plan: &Plan, solitary: bool) -> Ratings {
        let mut table = Crosstable::new(plan.agents.len());
        for (pairing, counts) in plan.pairings().iter().zip(&self.pairings) {
            let [a, b] = pairing.agents;
            let added = if solitary {
                table.add_without_seats(a, b, &trinomial(counts.tally.games))
            } else {
                table.add_pairs(a, b, &counts.pairs)
            };
            added.expect("a plan's pairings are pairs of its agents");
        }
        table.rate()
    }

    /// Returns what the games say so far.
    #[must_use]
    pub fn standings(&self, plan: &Plan, solitary: bool) -> Standings {
        let ratings = self.rate(plan, solitary);
        let mut agents: Vec<Standing> =
            (0..plan.agents.len()).map(|agent| self.standing(plan, &ratings, agent)).collect();
        // Equal ratings keep the order of the list.
        agents.sort_by(|a, b| b.elo.unwrap_or(f64::MIN).total_cmp(&a.elo.unwrap_or(f64::MIN)));
        for at in 0..agents.len() {
            agents[at].rank = at + 1;
            agents[at].above_next = agents.get(at + 1).and_then(|next| {
                let both = agents[at].games > 0 && next.games > 0;
                ratings.difference(agents[at].number, next.number).filter(|_| both).map(|lead| lead.los)
            });
        }
        let meetings = plan.pairings().into_iter().zip(&self.pairings).map(|(pairing, counts)| {
            let [first, second] = pairing.agents.map(|agent| plan.agents[agent].clone());
            let all_alike = counts.number() > 1 && counts.different == 0;
            let verdict = Verdict::of(&counts.tally, None);
            Meeting { numbers: pairing.agents, first, second, all_alike, verdict }
        });
        let played = self.pairs();
        Standings {
            pairs: played,
            pairs_planned: plan.rows(),
            first_seat: (played > 0 && !solitary).then(|| ratings.advantage().into()),
            draw_rate: (played > 0).then(|| ratings.draw_rate()),
            agents,
            meetings: meetings.collect(),
            oracles: Vec::new(),
        }
    }

    fn standing(&self, plan: &Plan, ratings: &Ratings, number: usize) -> Standing {
        let mut own = Standing { agent: plan.agents[number].clone(), number, ..Standing::default() };
        for (pairing, counts) in plan.pairings().iter().zip(&self.pairings) {
            let tally = &counts.tally;
            let Some(side) = pairing.agents.iter().position(|&agent| agent == number) else { continue };
            own.results += if side == 0 { tally.games } else { tally.games.flipped() };
            own.forfeits += tally.forfeits[side];
            for reason in &tally.forfeit_reasons[side] {
                forfeits::add_all(&mut own.forfeit_reasons, reason);
            }
        }
        own.games = own.results.total();
        own.score = own.results.score();
        if own.games > 0
            && let Some(rated) = ratings.rating(number)
        {
            (own.elo, own.elo_low, own.elo_high) = (Some(rated.elo), Some(rated.low), Some(rated.high));
        }
        own
    }
}

/// Returns the place of a score in counts of won, drawn and lost games.
fn place(score: f64) -> usize {
    (2.0 * (1.0 - score)).round() as usize
}

impl Counts {
    fn number(&self) -> u64 {
        self.tally.pairs()
    }
}

/// The numbers of a tournament. A value that does not exist is `None`.
///
/// Nothing here depends on time or threads: equal runs give equal standings.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standings {
    /// Pairs that were played.
    pub pairs: u64,
    /// Pairs that there are to play.
    pub pairs_planned: u64,
    /// The agents, best first.
    pub agents: Vec<Standing>,
    /// The pairings in the order of a round.
    pub meetings: Vec<Meeting>,
    /// The advantage of the first seat; `None` in a solitary game.
    pub first_seat: Option<Figure>,
    /// How often equals would draw if no seat were better.
    pub draw_rate: Option<f64>,
    /// The full forms of agents that saw what is hidden; omitted where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub oracles: Vec<String>,
}

/// One agent's place.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Standing {
    /// From 1 for the best.
    pub rank: usize,
    /// The agent's full form.
    pub agent: String,
    /// Its place in the list, from 0.
    pub number: usize,
    /// Its games, or comparisons in a solitary game.
    pub games: u64,
    /// How they came out.
    #[serde(flatten)]
    pub results: WinDrawLoss,
    /// Points a game.
    pub score: Option<f64>,
    /// Its strength in Elo; the mean of all agents is 0.
    pub elo: Option<f64>,
    /// Lower end of the 95 % interval.
    pub elo_low: Option<f64>,
    /// Upper end of the 95 % interval.
    pub elo_high: Option<f64>,
    /// The likelihood that it is stronger than the next in rank.
    pub above_next: Option<f64>,
    /// Games that it forfeited.
    pub forfeits: u64,
    /// Why it did; omitted where it forfeited none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forfeit_reasons: Vec<ForfeitReason>,
}

/// Two agents' games against each other.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Meeting {
    /// Their places in the list, from 0.
    pub numbers: [usize; 2],
    /// The first agent's full form; the counts are from its side.
    pub first: String,
    /// The second agent's full form.
    pub second: String,
    /// Whether all pairs are the same two games, so that more of them say nothing more.
    pub all_alike: bool,
    /// What the pairs say.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// A number in Elo with its 95 % interval.
#[derive(Copy, Clone, PartialEq, Debug, Serialize)]
pub struct Figure {
    /// The estimate.
    pub elo: f64,
    /// Lower end of its 95 % interval.
    pub elo_low: f64,
    /// Upper end of its 95 % interval.
    pub elo_high: f64,
}

impl From<Rated> for Figure {
    fn from(rated: Rated) -> Figure {
        Figure { elo: rated.elo, elo_low: rated.low, elo_high: rated.high }
    }
}

impl Standings {
    /// Returns whether everything was played.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.pairs >= self.pairs_planned
    }

    /// Returns the games of agent `number` against agent `other`, from the former's side; `None` if they do not meet.
    #[must_use]
    pub fn between(&self, number: usize, other: usize) -> Option<WinDrawLoss> {
        self.meetings.iter().find_map(|meeting| match meeting.numbers {
            numbers if numbers == [number, other] => Some(meeting.verdict.games),
            numbers if numbers == [other, number] => Some(meeting.verdict.games.flipped()),
            _ => None,
        })
    }
}
