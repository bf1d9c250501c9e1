//! `parlor stats elo` and `parlor stats penta`: what counts of games, or of pairs, say.

use parlor_lab::format::signed;
use parlor_stats::elo::{self, Estimate};
use parlor_stats::outcomes::{Pentanomial, Tally, Trinomial};
use parlor_stats::sprt::{Scale, Sprt, State};
use serde::Serialize;

use super::args::{EloArgs, HowArgs, PentaArgs};
use super::chance;
use crate::terminal::{say, say_json};

/// The numbers; what does not exist is `null`.
#[derive(Serialize)]
struct Answer {
    games: u64,
    score: Option<f64>,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    nelo: Option<f64>,
    nelo_error: Option<f64>,
    los: Option<f64>,
    /// Two-sided and exact.
    p_value: Option<f64>,
    /// Standard deviation of games won minus games lost if both were equally strong and as much had been decided.
    sigma: Option<f64>,
    llr: Option<f64>,
    lower: Option<f64>,
    upper: Option<f64>,
    accepted: Option<&'static str>,
}

pub fn games(args: &EloArgs) -> anyhow::Result<()> {
    let games = Trinomial::new(args.wins, args.draws, args.losses);
    let estimate = elo::of_games_at(&games, args.how.level)?;
    let variance = args.wins as f64 + args.losses as f64;
    let what = format!("{} games: +{} ={} -{}", games.games(), args.wins, args.draws, args.losses);
    answer(&args.how, games.games(), &what, &estimate, variance, games.into())
}

pub fn pairs(args: &PentaArgs) -> anyhow::Result<()> {
    let counts = <[u64; 5]>::try_from(&args.counts[..]).expect("the parser takes five");
    let pairs = Pentanomial(counts);
    let estimate = elo::of_pairs_at(&pairs, args.how.level)?;
    let [a, b, c, d, e] = counts;
    let variance = b as f64 + d as f64 + 4.0 * (a as f64 + e as f64);
    let what = format!("{} pairs: {a} {b} {c} {d} {e} scored 0, ½, 1, 1½, 2", pairs.pairs());
    answer(&args.how, pairs.pairs().saturating_mul(2), &what, &estimate, variance, pairs.into())
}

fn answer(
    how: &HowArgs,
    games: u64,
    what: &str,
    estimate: &Estimate,
    variance: f64,
    tally: Tally,
) -> anyhow::Result<()> {
    let scale = if how.normalised { Scale::Normalised } else { Scale::Logistic };
    let test = how
        .sprt
        .map(|[e0, e1]| Sprt::new(scale, e0, e1).and_then(|test| test.with_rates(how.alpha, how.beta)))
        .transpose()?;
    let llr = test.map(|test| test.llr(tally));
    let answer = Answer {
        games,
        score: estimate.score,
        elo: estimate.elo,
        elo_low: estimate.elo_low,
        elo_high: estimate.elo_high,
        nelo: estimate.nelo,
        nelo_error: estimate.nelo_error,
        los: estimate.los,
        p_value: estimate.p_value,
        sigma: (games > 0).then(|| variance.sqrt()),
        llr,
        lower: test.map(|test| test.lower()),
        upper: test.map(|test| test.upper()),
        accepted: test.zip(llr).and_then(|(test, llr)| match test.state(llr) {
            State::Continue => None,
            State::H0 => Some("H0"),
            State::H1 => Some("H1"),
        }),
    };
    if how.json {
        return say_json(&answer);
    }
    tell(how, what, &answer)
}

fn tell(how: &HowArgs, what: &str, answer: &Answer) -> anyhow::Result<()> {
    let Some(score) = answer.score else {
        say(format!("{what}\nnothing was played, so nothing can be said"))?;
        return Ok(());
    };
    say(format!("{what}, score {:.2} %", 100.0 * score))?;
    let end = |value: Option<f64>, missing: &str| value.map_or_else(|| missing.to_owned(), signed);
    say(format!(
        "Elo {} [{} … {}] ({} %)",
        end(answer.elo, if score > 0.5 { "+∞" } else { "-∞" }),
        end(answer.elo_low, if score >= 1.0 { "unknown" } else { "-∞" }),
        end(answer.elo_high, if score <= 0.0 { "unknown" } else { "+∞" }),
        (1e6 * how.level).round() / 1e4
    ))?;
    if let (Some(nelo), Some(error)) = (answer.nelo, answer.nelo_error) {
        say(format!("normalised Elo {} ± {error:.1}", signed(nelo)))?;
    }
    if let Some(los) = answer.los {
        say(format!("likelihood of superiority {:.2} %", 100.0 * los))?;
    }
    if let Some(p) = answer.p_value {
        say(format!(
            "if both were equally strong, a difference like this or larger had probability {}",
            chance(p)
        ))?;
    }
    if let (Some([e0, e1]), Some(llr), Some(lower), Some(upper)) =
        (how.sprt, answer.llr, answer.lower, answer.upper)
    {
        let unit = if how.normalised { "normalised Elo" } else { "Elo" };
        say(format!("sequential test of {e0} against {e1} {unit}: LLR {llr:.2} ({lower:.2} … {upper:.2})"))?;
        say(match answer.accepted {
            Some("H1") => format!("H1 accepted: the difference is {e1} rather than {e0}"),
            Some(_) => format!("H0 accepted: the difference is {e0} rather than {e1}"),
            None => "undecided: more games are needed".to_owned(),
        })?;
    }
    Ok(())
}
