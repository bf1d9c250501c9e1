//! Maximum likelihood among the distributions that a hypothesis allows.
//!
//! With shares pᵢ of the scores aᵢ seen, the distribution q that maximises Σ pᵢ·ln qᵢ under Σ qᵢ·dᵢ = 0 is
//! qᵢ = pᵢ/(1 + x·dᵢ) with the x that fulfils the condition (A. Owen, *Empirical likelihood ratio confidence intervals*
//! (1988)). A fixed mean s is the condition dᵢ = aᵢ − s.
//!
//! A fixed ratio t = (μ − ½)/σ is not linear in q. At the maximum, though, q also maximises under the tangent of the
//! condition there, dᵢ = aᵢ − ½ − t·σ·(1 + ((aᵢ − μ)/σ)²)/2 (M. Van den Bergh, *Normalized Elo*), with the μ and σ
//! of q itself. As σ = (μ − ½)/t, one number is left to find: the lead e = μ − ½ whose q has that mean.

use crate::outcomes::Frequencies;

/// Each score's offset from the condition, and its share.
type Offsets = [(f64, f64); 5];

/// Returns n·Σ pᵢ·ln(pᵢ/qᵢ) for the likeliest q with mean `score`: how much likelihood the hypothesis costs.
pub(super) fn loss_with_mean(f: &Frequencies, score: f64) -> f64 {
    let offsets = offsets(f, |value| value - score);
    loss(f, &offsets, multiplier(&offsets))
}

/// Returns n·Σ pᵢ·ln(pᵢ/qᵢ) for the likeliest q with (mean − ½)/deviation = `ratio`.
pub(super) fn loss_with_ratio(f: &Frequencies, ratio: f64) -> f64 {
    if ratio == 0.0 {
        return loss_with_mean(f, 0.5);
    }
    let t = ratio.abs();
    // A negative ratio is a positive one from the other side.
    let from_half = |value: f64| if ratio > 0.0 { value - 0.5 } else { 0.5 - value };
    let tangent = |lead: f64| {
        offsets(f, |value| {
            let away = from_half(value) - lead;
            away + lead / 2.0 - t * t * away * away / (2.0 * lead)
        })
    };
    // Step 1. The lead lies between 0, where no distribution has so small a deviation, and ½, where the mean of q is
    // below it.
    let (mut low, mut high) = (0.0, 0.5);
    let (mut excess_low, mut excess_high) = (None, None);
    let mut lead = (t * f.variance.sqrt()).clamp(1e-12, 0.4);
    // Step 2. Bisection or interpolation (Illinois rule: halve the weight of an end that stays twice).
    for _ in 0..300 {
        let conditions = tangent(lead);
        let excess = excess(f, &conditions, lead, from_half);
        if excess.is_none_or(|e| e > 0.0) {
            low = lead;
            excess_high = excess_high.map(|e: f64| e / 2.0);
            excess_low = excess;
        } else {
            high = lead;
            excess_low = excess_low.map(|e: f64| e / 2.0);
            excess_high = excess;
        }
        let next = match (excess_low, excess_high) {
            (Some(above), Some(below)) => (low * below - high * above) / (below - above),
            _ if low == 0.0 => high / 8.0,
            _ => (low * high).sqrt(),
        };
        let next = if next > low && next < high { next } else { f64::midpoint(low, high) };
        // The loss is flat around the right lead, so half the digits of the lead give all digits of the loss.
        if (next - lead).abs() <= 1e-11 * lead {
            break;
        }
        lead = next;
    }
    // Step 3. Use the lowest feasible lead: rounding may leave the last one just below it.
    let conditions = [lead, high].map(tangent).into_iter().find(mixed);
    conditions.map_or(0.0, |c| loss(f, &c, multiplier(&c)))
}

/// Returns by how much the mean of the likeliest q exceeds ½ plus `lead`; `None` if no q satisfies the conditions.
fn excess(f: &Frequencies, conditions: &Offsets, lead: f64, from_half: impl Fn(f64) -> f64) -> Option<f64> {
    if !mixed(conditions) {
        return None;
    }
    let x = multiplier(conditions);
    let lead_of_q: f64 = f
        .iter()
        .zip(conditions)
        .map(|((value, _), (d, share))| from_half(value) * share / (1.0 + x * d))
        .sum();
    Some(lead_of_q - lead)
}

/// Returns whether the offsets have both signs; otherwise no distribution satisfies the condition.
fn mixed(offsets: &Offsets) -> bool {
    offsets.iter().any(|o| o.0 > 0.0) && offsets.iter().any(|o| o.0 < 0.0)
}

fn offsets(f: &Frequencies, offset: impl Fn(f64) -> f64) -> Offsets {
    let mut offsets = [(0.0, 0.0); 5];
    for (slot, (value, share)) in offsets.iter_mut().zip(f.iter()) {
        *slot = (offset(value), share);
    }
    offsets
}

fn loss(f: &Frequencies, offsets: &Offsets, x: f64) -> f64 {
    f.n * offsets.iter().map(|(d, share)| share * libm::log1p(x * d)).sum::<f64>()
}

/// Returns the x with Σ pᵢ·dᵢ/(1 + x·dᵢ) = 0; the d must not all have the same sign.
///
/// The sum falls from +∞ to −∞ as x crosses the interval in which all 1 + x·dᵢ are positive.
fn multiplier(offsets: &Offsets) -> f64 {
    let largest = offsets.iter().map(|o| o.0).fold(f64::NEG_INFINITY, f64::max);
    let smallest = offsets.iter().map(|o| o.0).fold(f64::INFINITY, f64::min);
    let (mut low, mut high) = (-1.0 / largest, -1.0 / smallest);
    let mut x = 0.0;
    for _ in 0..200 {
        let (mut sum, mut slope) = (0.0, 0.0);
        for (d, share) in offsets {
            let part = d / (1.0 + x * d);
            sum += share * part;
            slope += share * part * part;
        }
        if sum > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x + sum / slope;
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        if (next - x).abs() <= 1e-16 * x.abs() {
            break;
        }
        x = next;
    }
    x
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "compared within a tolerance")]
mod tests {
    use super::*;
    use crate::outcomes::{Pentanomial, Tally};
    use proptest::prelude::*;

    fn ratio_of(f: &Frequencies, q: &[f64]) -> f64 {
        let mean: f64 = f.iter().zip(q).map(|((value, _), q)| q * value).sum();
        let variance: f64 = f.iter().zip(q).map(|((value, _), q)| q * (value - mean).powi(2)).sum();
        (mean - 0.5) / variance.sqrt()
    }

    proptest! {
        /// No distribution with the right ratio is likelier than the one found.
        #[test]
        fn nothing_is_likelier(
            counts in prop::array::uniform5(0u64..400),
            weights in prop::array::uniform5(0.01..1.0f64),
            other in prop::array::uniform5(0.01..1.0f64),
            ratio in -1.5..1.5f64,
        ) {
            let tally = Tally::from(Pentanomial(counts));
            let Some(f) = tally.frequencies_at_least(1e-3) else { return Ok(()) };
            let total: f64 = f.iter().zip(weights).map(|((_, share), w)| share * w).sum();
            // Mixtures of two distributions reach every ratio between theirs: find the one with the given ratio.
            let near: Vec<f64> = f.iter().zip(weights).map(|((_, share), w)| share * w / total).collect();
            let sum: f64 = other.iter().sum();
            let far: Vec<f64> = other.iter().map(|w| w / sum).collect();
            let mix = |part: f64| -> Vec<f64> {
                near.iter().zip(&far).map(|(a, b)| a * (1.0 - part) + b * part).collect()
            };
            let sign = ratio_of(&f, &far) > ratio;
            if (ratio_of(&f, &near) > ratio) == sign {
                return Ok(());
            }
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..60 {
                let part = f64::midpoint(low, high);
                if (ratio_of(&f, &mix(part)) > ratio) == sign { high = part } else { low = part }
            }
            let q = mix(high);
            let theirs: f64 = f.n * f.iter().zip(&q).map(|((_, share), q)| share * (share / q).ln()).sum::<f64>();
            let ours = loss_with_ratio(&f, ratio);
            prop_assert!(ours <= theirs + 1e-9 * theirs.abs().max(1.0), "ours {ours}, theirs {theirs}");
            prop_assert!(ours >= -1e-9);
        }
    }
}
