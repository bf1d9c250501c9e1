//! Ratings of many agents at once, from their results against each other.
//!
//! The model of R. R. Davidson and R. J. Beaver, *On extending the Bradley-Terry model to incorporate within-pair order
//! effects* (1977): with strengths r, the first seat's advantage h and the draw parameter ν,
//!
//! ```text
//!   d = r(first) − r(second) + h           first wins : draw : second wins  =  e^(d/2) : ν : e^(−d/2)
//! ```
//!
//! so a draw counts half a win and half a loss, and equals draw with probability ν/(2 + ν). All parameters are fitted
//! together by maximum likelihood; strengths are in Elo (400 for odds of 10 to 1 in decided games) with mean 0.
//!
//! Two cases have no maximum: an agent that won or lost everything, and groups that never met. A wide normal prior
//! (standard deviation [`PRIOR_ELO`] for strengths and advantage, [`PRIOR_DRAW`] for ln ν) makes every estimate
//! finite: such an agent gets a high but finite rating with a wide interval, and groups that never met are each
//! centred on 0, with wide intervals between them. The prior hardly matters once there are games: after 100 of them
//! between two agents (60 to 40, no draws) it changes their difference by less than 0.2 %.
//!
//! Intervals come from the inverse of the information matrix at the maximum, which treats all games as independent.
//! Where games come in pairs ([`Crosstable::add_pairs`]), the pair is the unit, and the intervals are corrected for
//! the correlation of its two games.

mod linear;
mod pairs;

use std::f64::consts::LN_10;

use crate::distributions::{Z95, normal_below};
use crate::error::Unfit;
use crate::outcomes::Trinomial;
use crate::special::square;
use linear::Factor;
use pairs::{Pairs, sandwich};

/// Standard deviation of the prior of strengths and of the first seat's advantage, in Elo.
pub const PRIOR_ELO: f64 = 1000.0;

/// Standard deviation of the prior of the logarithm of the draw parameter.
pub const PRIOR_DRAW: f64 = 5.0;

/// Elo for a factor of e in the odds.
const ELO: f64 = 400.0 / LN_10;

/// The largest number of games with one result in one meeting.
const MOST_GAMES: f64 = 1e12;

/// Limit on the steps of Newton's method; it needs about ten.
const MOST_STEPS: u32 = 200;

/// Results of every pairing of agents.
#[derive(Clone, Debug, PartialEq)]
pub struct Crosstable {
    agents: usize,
    meetings: Vec<Meeting>,
    pairs: Vec<Pairs>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Meeting {
    first: usize,
    second: usize,
    wins: f64,
    draws: f64,
    losses: f64,
    /// Weight of the first seat's advantage: 1, or 0 in games without seats.
    seat: f64,
}

impl Crosstable {
    /// Returns an empty table of `agents` agents, numbered from 0.
    #[must_use]
    pub fn new(agents: usize) -> Self {
        Crosstable { agents, meetings: Vec::new(), pairs: Vec::new() }
    }

    /// Adds games of `first`, in the first seat, against `second`, counted from `first`'s side.
    ///
    /// Counts above 10¹² are reduced to 10¹²: beyond, the prior would drown in rounding.
    ///
    /// # Errors
    /// If one of them is not in the table, or both are the same.
    pub fn add(&mut self, first: usize, second: usize, games: &Trinomial) -> Result<(), Unfit> {
        self.push(first, second, games, 1.0)
    }

    /// Adds comparisons of `first` with `second` without seats, such as results of a solitary game, counted from
    /// `first`'s side. They do not depend on the first seat's advantage.
    ///
    /// # Errors
    /// As for [`add`](Crosstable::add).
    pub fn add_without_seats(&mut self, first: usize, second: usize, games: &Trinomial) -> Result<(), Unfit> {
        self.push(first, second, games, 0.0)
    }

    /// Adds pairs of games of `a` and `b`, the same deal twice: first `a`, then `b` in the first seat. `pairs[i][j]` of
    /// them ended with result *i* of the first and *j* of the second game, each counted from the side of the agent in the
    /// first seat: 0 for a win, 1 for a draw, 2 for a loss.
    ///
    /// # Errors
    /// As for [`add`](Crosstable::add).
    pub fn add_pairs(&mut self, a: usize, b: usize, pairs: &[[u64; 3]; 3]) -> Result<(), Unfit> {
        let capped = pairs.map(|row| row.map(|count| count.min(MOST_GAMES as u64 / 9)));
        let first = capped.map(|row| row.iter().sum());
        let second = [0, 1, 2].map(|result| capped.iter().map(|row| row[result]).sum());
        for (one, two, [wins, draws, losses]) in [(a, b, first), (b, a, second)] {
            self.push(one, two, &Trinomial { wins, draws, losses }, 1.0)?;
        }
        let [.., one, two] = self.meetings[..] else { return Ok(()) };
        let counts = capped.map(|row| row.map(|count| count as f64));
        self.pairs.push(Pairs { games: [one, two], counts });
        Ok(())
    }

    fn push(&mut self, first: usize, second: usize, games: &Trinomial, seat: f64) -> Result<(), Unfit> {
        if let Some(&agent) = [first, second].iter().find(|&&agent| agent >= self.agents) {
            return Err(Unfit::NoSuchAgent { agent, agents: self.agents });
        }
        if first == second {
            return Err(Unfit::SelfMatch { agent: first });
        }
        let capped = |count: u64| (count as f64).min(MOST_GAMES);
        let [wins, draws, losses] = [games.wins, games.draws, games.losses].map(capped);
        self.meetings.push(Meeting { first, second, wins, draws, losses, seat });
        Ok(())
    }

    /// Returns the ratings that fit the games best.
    #[must_use]
    pub fn rate(&self) -> Ratings {
        let fit = Fit::new(self);
        let mut information = fit.information();
        let factor = Factor::new(&information);
        let size = fit.values.len();
        let mut covariance: Vec<Vec<f64>> = (0..size).map(|i| factor.solve(&unit(size, i))).collect();
        if !self.pairs.is_empty() {
            self.pairs.iter().for_each(|pairs| pairs.correct(&fit.values, &mut information));
            covariance = sandwich(&covariance, &information);
        }
        Ratings { games: self.games(), groups: self.groups(), covariance, values: fit.values }
    }

    fn games(&self) -> Vec<u64> {
        let mut games = vec![0.0; self.agents];
        for m in &self.meetings {
            for agent in [m.first, m.second] {
                games[agent] += m.wins + m.draws + m.losses;
            }
        }
        games.into_iter().map(|n| n as u64).collect()
    }

    /// Returns for each agent the smallest number among those it is connected with by games.
    fn groups(&self) -> Vec<usize> {
        let mut groups: Vec<usize> = (0..self.agents).collect();
        for m in self.meetings.iter().filter(|m| m.wins + m.draws + m.losses > 0.0) {
            let (a, b) = (groups[m.first], groups[m.second]);
            for group in groups.iter_mut().filter(|group| **group == a || **group == b) {
                *group = a.min(b);
            }
        }
        groups
    }
}

/// A number with its uncertainty, in Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rated {
    /// The estimate.
    pub elo: f64,
    /// Its standard error.
    pub error: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end of the 95 % interval.
    pub high: f64,
    /// Likelihood that the number is positive.
    pub los: f64,
}

impl Rated {
    fn new(nats: f64, variance: f64) -> Self {
        let (elo, error) = (nats * ELO, variance.max(0.0).sqrt() * ELO);
        let los = if error > 0.0 { normal_below(elo / error) } else { 0.5 };
        Rated { elo, error, low: elo - Z95 * error, high: elo + Z95 * error, los }
    }
}

/// Fitted ratings.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    games: Vec<u64>,
    groups: Vec<usize>,
    /// Strengths, then advantage, then ln ν; in nats.
    values: Vec<f64>,
    covariance: Vec<Vec<f64>>,
}

impl Ratings {
    /// Returns the number of agents.
    #[must_use]
    pub fn agents(&self) -> usize {
        self.games.len()
    }

    /// Returns the number of games that an agent played.
    #[must_use]
    pub fn games(&self, agent: usize) -> Option<u64> {
        self.games.get(agent).copied()
    }

    /// Returns the group of an agent. Games connect the members of a group; ratings are comparable only within a
    /// group.
    #[must_use]
    pub fn group(&self, agent: usize) -> Option<usize> {
        self.groups.get(agent).copied()
    }

    /// Returns an agent's strength relative to the mean of all; `None` if there is no such agent.
    #[must_use]
    pub fn rating(&self, agent: usize) -> Option<Rated> {
        let n = self.agents();
        let share = 1.0 / n as f64;
        (agent < n).then(|| self.combination(|i| f64::from(u8::from(i == agent)) - share))
    }

    /// Returns how much stronger agent `a` is than agent `b`; `None` if there is no such agent.
    ///
    /// Its interval does not follow from those of the two agents, because their errors are not independent.
    #[must_use]
    pub fn difference(&self, a: usize, b: usize) -> Option<Rated> {
        let sign = |i: usize| f64::from(u8::from(i == a)) - f64::from(u8::from(i == b));
        (a.max(b) < self.agents()).then(|| self.combination(sign))
    }

    /// Returns the advantage of the first seat.
    #[must_use]
    pub fn advantage(&self) -> Rated {
        let i = self.agents();
        Rated::new(self.values[i], self.covariance[i][i])
    }

    /// Returns the draw rate of equally strong agents without a seat advantage.
    #[must_use]
    pub fn draw_rate(&self) -> f64 {
        let draw = libm::exp(self.values[self.agents() + 1]);
        draw / (2.0 + draw)
    }

    /// Returns the chances of a win, a draw and a loss of `first` in the first seat; `None` if there is no such agent.
    #[must_use]
    pub fn chances(&self, first: usize, second: usize) -> Option<[f64; 3]> {
        let n = self.agents();
        (first.max(second) < n)
            .then(|| chances(self.values[first] - self.values[second] + self.values[n], self.values[n + 1]))
    }

    /// Returns a linear combination of strengths with its variance.
    fn combination(&self, weight: impl Fn(usize) -> f64) -> Rated {
        let n = self.agents();
        let value = (0..n).map(|i| weight(i) * self.values[i]).sum();
        let variance = (0..n)
            .filter(|&i| weight(i) != 0.0)
            .map(|i| weight(i) * (0..n).map(|j| weight(j) * self.covariance[i][j]).sum::<f64>())
            .sum();
        Rated::new(value, variance)
    }
}

/// Returns the chances of win, draw and loss at a lead `d` and the logarithm `draw` of the draw parameter.
fn chances(d: f64, draw: f64) -> [f64; 3] {
    let logs = [d / 2.0, draw, -d / 2.0];
    let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let raised = logs.map(|l| libm::exp(l - top));
    let sum: f64 = raised.iter().sum();
    raised.map(|r| r / sum)
}

fn unit(n: usize, i: usize) -> Vec<f64> {
    let mut vector = vec![0.0; n];
    vector[i] = 1.0;
    vector
}

/// The maximisation: the log-likelihood plus the log-prior is strictly concave in all parameters.
struct Fit<'a> {
    table: &'a Crosstable,
    values: Vec<f64>,
}

impl<'a> Fit<'a> {
    fn new(table: &'a Crosstable) -> Self {
        let mut fit = Fit { table, values: vec![0.0; table.agents + 2] };
        let mut height = fit.height(&fit.values);
        for _ in 0..MOST_STEPS {
            let gradient = fit.gradient();
            let step = Factor::new(&fit.information()).solve(&gradient);
            // Halve the step until the likelihood rises: from far away Newton's method may overshoot.
            let climbed = (0..40).find_map(|halvings| {
                let scale = libm::ldexp(1.0, -halvings);
                let values: Vec<f64> = fit.values.iter().zip(&step).map(|(v, s)| v + scale * s).collect();
                let there = fit.height(&values);
                (there > height).then_some((values, there))
            });
            let Some((values, there)) = climbed else { break };
            let moved = values.iter().zip(&fit.values).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            (fit.values, height) = (values, there);
            if moved < 1e-12 {
                break;
            }
        }
        fit
    }

    /// Returns the weight of the prior of parameter `i`: 1 over its variance.
    fn prior(&self, i: usize) -> f64 {
        if i == self.table.agents + 1 { 1.0 / square(PRIOR_DRAW) } else { 1.0 / square(PRIOR_ELO / ELO) }
    }

    fn chances(&self, values: &[f64], m: &Meeting) -> [f64; 3] {
        let n = self.table.agents;
        chances(values[m.first] - values[m.second] + m.seat * values[n], values[n + 1])
    }

    fn height(&self, values: &[f64]) -> f64 {
        let prior: f64 = values.iter().enumerate().map(|(i, v)| -0.5 * self.prior(i) * v * v).sum();
        let n = self.table.agents;
        let games: f64 = self
            .table
            .meetings
            .iter()
            .map(|m| {
                let (d, draw) = (values[m.first] - values[m.second] + m.seat * values[n], values[n + 1]);
                let top = (d.abs() / 2.0).max(draw);
                let norm = top
                    + libm::log(libm::exp(d / 2.0 - top) + libm::exp(draw - top) + libm::exp(-d / 2.0 - top));
                (m.wins - m.losses) * d / 2.0 + m.draws * draw - (m.wins + m.draws + m.losses) * norm
            })
            .sum();
        prior + games
    }

    fn gradient(&self) -> Vec<f64> {
        let n = self.table.agents;
        let mut gradient: Vec<f64> =
            self.values.iter().enumerate().map(|(i, v)| -self.prior(i) * v).collect();
        for m in &self.table.meetings {
            let [win, draw, loss] = self.chances(&self.values, m);
            let games = m.wins + m.draws + m.losses;
            let lead = (m.wins - m.losses - games * (win - loss)) / 2.0;
            gradient[m.first] += lead;
            gradient[m.second] -= lead;
            gradient[n] += m.seat * lead;
            gradient[n + 1] += m.draws - games * draw;
        }
        gradient
    }

    /// Returns the information matrix: minus the second derivatives.
    fn information(&self) -> Vec<Vec<f64>> {
        let n = self.table.agents;
        let size = n + 2;
        let mut matrix = vec![vec![0.0; size]; size];
        for (i, row) in matrix.iter_mut().enumerate() {
            row[i] = self.prior(i);
        }
        for m in &self.table.meetings {
            let [win, draw, loss] = self.chances(&self.values, m);
            let games = m.wins + m.draws + m.losses;
            // Variances and covariance of "half a win minus half a loss" and "a draw".
            let lead = games * ((win + loss) - square(win - loss)) / 4.0;
            let level = games * draw * (1.0 - draw);
            let both = -games * draw * (win - loss) / 2.0;
            let signs = [(m.first, 1.0), (m.second, -1.0), (n, m.seat)];
            for (i, a) in signs {
                for (j, b) in signs {
                    matrix[i][j] += a * b * lead;
                }
                matrix[i][n + 1] += a * both;
                matrix[n + 1][i] += a * both;
            }
            matrix[n + 1][n + 1] += level;
        }
        matrix
    }
}
