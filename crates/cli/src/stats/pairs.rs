//! `parlor stats pairs`: what n pairs between equals can score.

use anyhow::bail;
use parlor_stats::pairs::{PairModel, ScoreSum};
use serde_json::json;

use super::args::PairsArgs;
use super::chance;
use crate::terminal::{columns, say, say_json};

/// The significance levels whose critical scores are printed.
const LEVELS: [f64; 4] = [0.1, 0.05, 0.01, 0.001];

/// The longest list of scores that is worth reading or plotting.
const MOST_LISTED: u64 = 100_000;

pub fn run(args: &PairsArgs) -> anyhow::Result<()> {
    let model = PairModel::new(args.p, args.q)?;
    let sum = model.sum(args.n)?;
    if let Some(s) = args.s
        && s.unsigned_abs() > 2 * args.n
    {
        bail!("{} pairs cannot score {s}: scores lie between -{1} and {1}", args.n, 2 * args.n);
    }
    if args.all && args.n > MOST_LISTED {
        bail!("the scores of {} pairs are too many to list: at most {MOST_LISTED} pairs", args.n);
    }
    // A given score is asked about alone.
    let rare = args.s.is_none().then(|| LEVELS.map(|level| (level, critical(&sum, level))));
    let listed: Option<Vec<(i64, f64)>> = args.all.then(|| {
        let most = sum.most();
        (0..=most).zip(sum.all().into_iter().skip(most as usize)).collect()
    });
    if args.json {
        let critical = rare.map(|rare| -> serde_json::Map<_, _> {
            rare.iter().map(|(level, score)| (level.to_string(), json!(score))).collect()
        });
        let mut answer = json!({
            "p": args.p,
            "q": args.q,
            "n": args.n,
            "s": args.s,
            "chances": model.chances(),
            "sigma": sum.sigma(),
            "p_value": args.s.map(|s| sum.two_sided(s)),
            "p_value_one_sided": args.s.map(|s| sum.at_least(s)),
            "p_value_normal": args.s.map(|s| sum.two_sided_normal(s)),
            "exactly": args.s.map(|s| sum.exactly(s)),
            "within": args.s.map(|s| sum.within(s.saturating_abs())),
            "critical": critical,
        });
        if let Some(listed) = listed {
            answer["distribution"] = json!(listed);
        }
        return say_json(&answer);
    }

    let [two, one, zero, ..] = model.chances().map(chance);
    say(format!(
        "a pair between equals scores 0 with probability {zero}, ±1 with {one} each, ±2 with {two} each"
    ))?;
    say(format!("the sum of {} pairs has mean 0 and standard deviation {:.4}", args.n, sum.sigma()))?;
    if let Some(s) = args.s {
        let far = s.saturating_abs();
        say(format!("a score of {s}, games won minus games lost:"))?;
        let rows = [
            (format!("at least as far from 0, p-value (two-sided, Pr(|X| ≥ {far}))"), sum.two_sided(s)),
            (format!("at least as high (one-sided, Pr(X ≥ {s}))"), sum.at_least(s)),
            (format!("exactly this (Pr(X = {s}))"), sum.exactly(s)),
            (format!("at most as far from 0 (Pr(|X| ≤ {far}))"), sum.within(far)),
            ("p-value of the normal approximation, for comparison".to_owned(), sum.two_sided_normal(s)),
        ];
        for line in columns(&rows.map(|(what, p)| [what, chance(p)]), "    ") {
            say(line)?;
        }
    }
    if let Some(rare) = rare {
        say("scores at least so far from 0 are rarer than")?;
        let rows = rare.map(|(level, score)| {
            let shown = score.map_or_else(
                || "no score is".to_owned(),
                |s| format!("±{s}  (p-value {})", chance(sum.two_sided(s))),
            );
            [format!("{} %", 100.0 * level), shown]
        });
        for line in columns(&rows, "    ") {
            say(line)?;
        }
    }
    for (score, p) in listed.unwrap_or_default() {
        say(format!("{score:>8}  {p:e}"))?;
    }
    Ok(())
}

/// Returns the smallest score whose two-sided p-value is at most `level`; `None` if even the largest is more likely.
fn critical(sum: &ScoreSum, level: f64) -> Option<i64> {
    let rare = |score: i64| sum.two_sided(score) <= level;
    // Six deviations are nearly always rarer than any level asked for, and the way there is short.
    let (mut common, mut found) = (0, sum.most().min(6 * (sum.sigma() as i64 + 1)));
    if !rare(found) {
        found = sum.most();
    }
    if found == 0 || !rare(found) {
        return None;
    }
    while found - common > 1 {
        let middle = common + (found - common) / 2;
        if rare(middle) { found = middle } else { common = middle }
    }
    // Without draws only every second score can occur.
    Some(if sum.exactly(found) == 0.0 { found + 1 } else { found })
}
