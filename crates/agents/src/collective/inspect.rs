//! What a learner knows, in words: as the source's authors read their matrices.

use std::io::{self, Write};

use parlor_core::small_sort::descending;
use parlor_core::{KnowledgeTable, Stimulus};

use super::Parts;
use super::matrix::{States, number_of};
use super::policies::{Update, Weighed};

/// A transition that was used less often says more about luck than about the learner.
const ENOUGH_USES: u32 = 5;

const RESPONDENTS: &str = "A respondent is what an action leads to, as the learner sees it. The learner plays the action whose respondent has the highest weight; “uses” is how often the weight was updated.";

const TRANSITIONS: &str = "A transition leads from what the seat knows (the stimulant) to what its action leads to (the respondent), as the learner sees them. The learner plays the transition with the highest weight; “uses” is how often the weight was updated.";

/// Returns the strongest, the weakest and the most used transitions, and the openings it prefers.
pub(super) fn tables<G: Stimulus>(
    game: &G,
    parts: &Parts<G::Codec>,
    all: &[States],
    rows: usize,
) -> Vec<KnowledgeTable> {
    let logarithmic = parts.policies.update == Update::Multiplicative;
    // Where only respondents are weighed, nothing is known about where they were reached from.
    let anywhere = parts.policies.weighed == Weighed::Respondent;
    let row = |transition: &States| {
        let (from, to) = transition.pair;
        let mut cells = if anywhere {
            vec![game.in_words(parts.codec, to)]
        } else {
            vec![game.in_words(parts.codec, from), game.step_in_words(parts.codec, from, to)]
        };
        cells.extend([weight(transition.weight, logarithmic), transition.uses.to_string()]);
        cells
    };
    let (columns, what, note) = if anywhere {
        (vec!["reaches", "weight", "uses"], "respondents", RESPONDENTS)
    } else {
        (vec!["knows", "does", "weight", "uses"], "transitions", TRANSITIONS)
    };
    let table = |title: String, chosen: &mut dyn Iterator<Item = &States>| KnowledgeTable {
        title,
        columns: columns.clone(),
        rows: chosen.take(rows).map(row).collect(),
        note,
    };
    let often = |t: &&States| t.uses >= ENOUGH_USES;
    // Equal weights stay in the order of their pairs.
    let weights: Vec<i64> = all.iter().map(|t| t.weight).collect();
    let by_weight = descending(&weights);
    let weighed = || by_weight.iter().map(|&at| &all[at]);
    let opening = |t: &&States| !anywhere && game.is_opening(parts.codec, t.pair.0);
    let mut tables = vec![
        table("openings it prefers".to_owned(), &mut weighed().filter(opening)),
        table(format!("strongest {what} (used {ENOUGH_USES} times or more)"), &mut weighed().filter(often)),
        table(
            format!("weakest {what} (used {ENOUGH_USES} times or more)"),
            &mut weighed().rev().filter(often),
        ),
    ];
    // Equally used ones by weight.
    let uses: Vec<i64> = weighed().map(|t| i64::from(t.uses)).collect();
    let by_uses = descending(&uses).into_iter().map(|at| &all[by_weight[at]]);
    tables.insert(1, table(format!("most used {what}"), &mut { by_uses }));
    tables.retain(|table| !table.rows.is_empty());
    tables
}

/// Writes every transition, in the order of its states: the two codes, what they mean, the weight, the uses.
pub(super) fn write_all<G: Stimulus>(
    game: &G,
    parts: &Parts<G::Codec>,
    all: &[States],
    to: &mut dyn Write,
) -> io::Result<()> {
    let logarithmic = parts.policies.update == Update::Multiplicative;
    let anywhere = parts.policies.weighed == Weighed::Respondent;
    writeln!(to, "stimulant\trespondent\tknows\tdoes\tweight\tuses")?;
    for transition in all {
        let (from, respondent) = transition.pair;
        let (knows, does) = if anywhere {
            ("anything".to_owned(), game.in_words(parts.codec, respondent))
        } else {
            (game.in_words(parts.codec, from), game.step_in_words(parts.codec, from, respondent))
        };
        writeln!(
            to,
            "{from}\t{respondent}\t{knows}\t{does}\t{}\t{}",
            weight(transition.weight, logarithmic),
            transition.uses
        )?;
    }
    Ok(())
}

/// Returns a weight as people read it; a logarithm as the number it stands for.
fn weight(weight: i64, logarithmic: bool) -> String {
    let number = number_of(weight);
    if !logarithmic {
        return format!("{number:+.3}");
    }
    let decimal = number / std::f64::consts::LN_10;
    if decimal.abs() < 4.0 {
        format!("{:.4}", libm::pow(10.0, decimal))
    } else {
        let exponent = decimal.floor();
        format!("{:.2}e{exponent:.0}", libm::pow(10.0, decimal - exponent))
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "compared within a tolerance")]
mod tests {
    use super::super::matrix::weight_of;
    use super::*;

    #[test]
    fn weights_are_shown_as_the_source_has_them() {
        assert_eq!(weight(0, true), "1.0000");
        assert_eq!(weight(weight_of(1.06_f64.ln()), true), "1.0600");
        assert_eq!(weight(weight_of(10_f64.ln() * 5.3), true), "2.00e5");
        assert_eq!(weight(weight_of(10_f64.ln() * -300.7), true), "2.00e-301");
        assert_eq!(weight(weight_of(-0.25), false), "-0.250");
    }
}
