//! What the pairs of a match say.

use parlor_core::WinDrawLoss;
use parlor_core::files::saved::Recognised;
use parlor_stats::elo;
use parlor_stats::outcomes::{Pentanomial, Trinomial};
use parlor_stats::sprt::{Sprt, State};
use serde::Serialize;

use crate::forfeits::ForfeitReason;
use crate::pairs::{Tally, no_reasons, nobody_recognised};

/// Returns counts as the statistics take them. `parlor-stats` stands alone, so it has a type of its own.
#[must_use]
pub fn trinomial(games: WinDrawLoss) -> Trinomial {
    let WinDrawLoss { wins, draws, losses } = games;
    Trinomial::new(wins, draws, losses)
}

/// The numbers of a match from the first agent's side. A value that does not exist is `None`.
///
/// Nothing here depends on time or threads: equal runs give equal verdicts.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Verdict {
    /// The games.
    #[serde(flatten)]
    pub games: WinDrawLoss,
    /// How many pairs scored 0, ½, 1, 1½, 2.
    pub pentanomial: [u64; 5],
    /// Points a game.
    pub score: Option<f64>,
    /// The difference in Elo.
    pub elo: Option<f64>,
    /// Lower end of its 95 % interval; `None` also if all pairs had the same result.
    pub elo_low: Option<f64>,
    /// Upper end of its 95 % interval; `None` also if all pairs had the same result.
    pub elo_high: Option<f64>,
    /// Exact two-sided p-value of "no difference".
    pub p_value: Option<f64>,
    /// Normalised Elo.
    pub nelo: Option<f64>,
    /// Likelihood of superiority; `None` also if all pairs had the same result.
    pub los: Option<f64>,
    /// Games that the first and the second agent forfeited.
    pub forfeits: [u64; 2],
    /// How often each agent recognised its opponent; omitted if neither tells types of opponents apart.
    #[serde(skip_serializing_if = "nobody_recognised")]
    pub recognised: [Recognised; 2],
    /// Why games were forfeited; omitted where none was.
    #[serde(skip_serializing_if = "no_reasons")]
    pub forfeit_reasons: [Vec<ForfeitReason>; 2],
    /// The full forms of agents that saw what is hidden; omitted where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub oracles: Vec<String>,
    /// What the sequential test says, if there is one.
    #[serde(flatten)]
    pub sequential: Option<Sequential>,
}

/// What a sequential test says.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Sequential {
    /// The log-likelihood ratio.
    pub llr: f64,
    /// At or below this H0 is accepted.
    pub lower: f64,
    /// At or above this H1 is accepted.
    pub upper: f64,
    /// `H0`, `H1`, or `null` while undecided.
    pub accepted: Option<&'static str>,
    /// The difference in Elo after a test that stops by itself: too high as often as too low.
    pub elo_after_stopping: Option<f64>,
    /// Lower end of its 95 % interval.
    pub elo_after_stopping_low: Option<f64>,
    /// Upper end of its 95 % interval.
    pub elo_after_stopping_high: Option<f64>,
}

impl Verdict {
    /// Returns what the tally says so far.
    #[must_use]
    pub fn of(tally: &Tally, test: Option<&Sprt>) -> Verdict {
        let pairs = Pentanomial(tally.pentanomial);
        let estimate = elo::of_pairs(&pairs);
        // Where all pairs had the same result, neither an interval nor a likelihood can be estimated.
        let has_spread = tally.pentanomial.iter().filter(|&&pairs| pairs > 0).count() > 1;
        Verdict {
            games: tally.games,
            pentanomial: tally.pentanomial,
            score: tally.games.score(),
            elo: estimate.elo,
            elo_low: estimate.elo_low.filter(|_| has_spread),
            elo_high: estimate.elo_high.filter(|_| has_spread),
            p_value: estimate.p_value,
            nelo: estimate.nelo,
            los: estimate.los.filter(|_| has_spread),
            forfeits: tally.forfeits,
            recognised: tally.recognised,
            forfeit_reasons: tally.forfeit_reasons.clone(),
            oracles: Vec::new(),
            sequential: test.map(|test| Sequential::of(test, &pairs)),
        }
    }
}

impl Sequential {
    /// Returns what the test says of the pairs so far.
    #[must_use]
    pub fn of(test: &Sprt, pairs: &Pentanomial) -> Sequential {
        let llr = test.llr(*pairs);
        let estimate = test.estimate(*pairs);
        Sequential {
            llr,
            lower: test.lower(),
            upper: test.upper(),
            accepted: match test.state(llr) {
                State::Continue => None,
                State::H0 => Some("H0"),
                State::H1 => Some("H1"),
            },
            elo_after_stopping: estimate.and_then(|e| e.elo),
            elo_after_stopping_low: estimate.and_then(|e| e.elo_low),
            elo_after_stopping_high: estimate.and_then(|e| e.elo_high),
        }
    }
}
