//! Ratings: against two agents' Elo, at the edges, and the coverage of their intervals.

use parlor_stats::elo::{elo_of_score, of_games};
use parlor_stats::outcomes::Trinomial;
use parlor_stats::ratings::{Crosstable, Rated, Ratings};
use proptest::prelude::*;

use crate::common;
use common::Dice;

fn numbers(r: Rated) -> bool {
    [r.elo, r.error, r.low, r.high, r.los].iter().all(|x| x.is_finite()) && r.low <= r.elo && r.elo <= r.high
}

fn all_numbers(r: &Ratings) -> bool {
    (0..r.agents()).all(|i| {
        numbers(r.rating(i).unwrap()) && (0..r.agents()).all(|j| numbers(r.difference(i, j).unwrap()))
    }) && numbers(r.advantage())
        && (0.0..=1.0).contains(&r.draw_rate())
}

#[test]
fn two_agents_without_draws_are_their_elo_difference() {
    let mut table = Crosstable::new(2);
    table.add(0, 1, &Trinomial::new(6000, 0, 4000)).unwrap();
    table.add(1, 0, &Trinomial::new(4000, 0, 6000)).unwrap();
    let ratings = table.rate();
    let want = of_games(&Trinomial::new(12_000, 0, 8_000));
    let got = ratings.difference(0, 1).unwrap();
    // The prior changes a share of (3.5/1000)², far below the tolerance.
    assert!((got.elo - want.elo.unwrap()).abs() < 0.01, "{got:?}");
    assert!((got.high - want.elo_high.unwrap()).abs() < 0.05, "{got:?}");
    assert!(ratings.advantage().elo.abs() < 1e-9);
    assert!((ratings.rating(0).unwrap().elo + ratings.rating(1).unwrap().elo).abs() < 1e-9);
}

#[test]
fn the_first_seat_and_draws_are_separated_from_strength() {
    // Equal agents; the first seat wins 50 %, draws 30 %, loses 20 %.
    let mut table = Crosstable::new(3);
    for (a, b) in [(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)] {
        table.add(a, b, &Trinomial::new(5000, 3000, 2000)).unwrap();
    }
    let ratings = table.rate();
    for agent in 0..3 {
        assert!(ratings.rating(agent).unwrap().elo.abs() < 1e-6);
    }
    // Odds of 50 to 20, and a draw parameter of 30/√(50·20).
    let advantage = ratings.advantage();
    assert!((advantage.elo - 400.0 * 2.5f64.log10()).abs() < 0.01, "{advantage:?}");
    let nu = 0.3 / (0.5f64 * 0.2).sqrt();
    assert!((ratings.draw_rate() - nu / (2.0 + nu)).abs() < 1e-4);
    for (got, want) in ratings.chances(0, 2).unwrap().into_iter().zip([0.5, 0.3, 0.2]) {
        assert!((got - want).abs() < 1e-4);
    }
}

#[test]
fn the_prior_hardly_matters_where_there_are_games() {
    let mut table = Crosstable::new(2);
    table.add(0, 1, &Trinomial::new(30, 0, 20)).unwrap();
    table.add(1, 0, &Trinomial::new(20, 0, 30)).unwrap();
    let changed = table.rate().difference(0, 1).unwrap().elo / elo_of_score(0.6).unwrap();
    assert!((0.998..1.002).contains(&changed), "{changed}");
}

#[test]
fn a_maximum_is_a_maximum() {
    // At the maximum the expected scores equal the observed ones, up to the pull of the prior.
    let mut table = Crosstable::new(3);
    let games = [(0, 1, 30, 10, 20), (1, 2, 25, 5, 10), (2, 0, 12, 8, 30), (1, 0, 18, 9, 13)];
    for (a, b, w, d, l) in games {
        table.add(a, b, &Trinomial::new(w, d, l)).unwrap();
    }
    let ratings = table.rate();
    let mut surplus = [0.0; 3];
    for (a, b, w, d, l) in games {
        let n = (w + d + l) as f64;
        let [win, draw, _] = ratings.chances(a, b).unwrap();
        let more = w as f64 + d as f64 / 2.0 - n * (win + draw / 2.0);
        surplus[a] += more;
        surplus[b] -= more;
    }
    for (agent, surplus) in surplus.into_iter().enumerate() {
        let nats = ratings.rating(agent).unwrap().elo / 173.717_792_761;
        let pull = nats * (173.717_792_761f64 / 1000.0).powi(2);
        assert!((surplus - pull).abs() < 1e-9, "agent {agent}: {surplus} {pull}");
    }
}

#[test]
fn edges_are_finite() {
    let none = Crosstable::new(0).rate();
    assert_eq!((none.agents(), none.rating(0), none.difference(0, 0)), (0, None, None));
    assert!(all_numbers(&none));

    let mut table = Crosstable::new(5);
    assert!(all_numbers(&table.rate()));
    table.add(0, 1, &Trinomial::new(100, 0, 0)).unwrap();
    table.add(2, 3, &Trinomial::new(0, 7, 0)).unwrap();
    table.add(3, 4, &Trinomial::default()).unwrap();
    let ratings = table.rate();
    assert!(all_numbers(&ratings));
    // A perfect score is strong but finite; agents that never met are not compared with any confidence.
    assert!(ratings.difference(0, 1).unwrap().low > 0.0);
    let strangers = ratings.difference(0, 2).unwrap();
    assert!(strangers.high - strangers.low > 2000.0, "{strangers:?}");
    let groups: Vec<_> = (0..5).map(|i| ratings.group(i).unwrap()).collect();
    assert_eq!(groups, [0, 0, 2, 2, 4]);
    assert_eq!((ratings.games(0), ratings.games(4), ratings.games(5)), (Some(100), Some(0), None));
    assert_eq!(ratings.difference(1, 1).unwrap().elo, 0.0);

    assert!(table.add(0, 5, &Trinomial::new(1, 0, 0)).is_err());
    assert!(table.add(2, 2, &Trinomial::new(1, 0, 0)).is_err());
}

#[test]
fn intervals_cover() {
    let strengths: [f64; 5] = [0.0, 60.0, -80.0, 150.0, -130.0];
    let (advantage, draw) = (35.0, 0.8f64);
    let mut dice = Dice::new(9);
    let (mut covered, mut asked, mut seat) = (0, 0, 0);
    let runs = 150;
    for _ in 0..runs {
        let mut table = Crosstable::new(5);
        for a in 0..5 {
            for b in (0..5).filter(|&b| b != a) {
                let lead = (strengths[a] - strengths[b] + advantage) / 173.717_792_761;
                let weights = [(lead / 2.0).exp(), draw, (-lead / 2.0).exp()];
                let sum: f64 = weights.iter().sum();
                let mut counts = [0; 3];
                for _ in 0..30 {
                    counts[dice.pick(&weights.map(|w| w / sum))] += 1;
                }
                table.add(a, b, &Trinomial::new(counts[0], counts[1], counts[2])).unwrap();
            }
        }
        let ratings = table.rate();
        for a in 0..5 {
            let rated = ratings.rating(a).unwrap();
            covered += u32::from(rated.low <= strengths[a] && strengths[a] <= rated.high);
            for b in 0..a {
                let rated = ratings.difference(a, b).unwrap();
                let truth = strengths[a] - strengths[b];
                covered += u32::from(rated.low <= truth && truth <= rated.high);
            }
            asked += 1 + a as u32;
        }
        let rated = ratings.advantage();
        seat += u32::from(rated.low <= advantage && advantage <= rated.high);
    }
    println!("{covered} of {asked}, advantage {seat} of {runs}");
    // The 15 questions of a run depend on each other; four of them at most are independent. Four standard errors of 600
    // answers are 3.6 points, of 150 answers 7.
    let share = f64::from(covered) / f64::from(asked);
    assert!((0.914..=0.986).contains(&share), "{share}");
    assert!((132..=150).contains(&seat), "{seat}");
}

#[test]
fn a_ladder_of_hundreds_is_rated() {
    let n = 200;
    let mut table = Crosstable::new(n);
    for i in 1..n {
        table.add(i, i - 1, &Trinomial::new(11, 5, 4)).unwrap();
        table.add(i - 1, i, &Trinomial::new(6, 5, 9)).unwrap();
    }
    let ratings = table.rate();
    assert!((1..n).all(|i| ratings.rating(i).unwrap().elo > ratings.rating(i - 1).unwrap().elo));
    assert_eq!(ratings.agents(), n);
}

/// Counts of all sizes, zeros often among them.
fn count() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0u64), 0u64..50, Just(1_000_000_000), Just(u64::MAX)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn results_are_finite_numbers(
        games in prop::collection::vec((0usize..6, 0usize..6, prop::array::uniform3(count())), 0..12),
    ) {
        let mut table = Crosstable::new(6);
        for (a, b, [w, d, l]) in games {
            if a != b {
                table.add(a, b, &Trinomial::new(w, d, l)).unwrap();
            }
        }
        let ratings = table.rate();
        prop_assert!(all_numbers(&ratings), "{table:?}");
        let mean: f64 = (0..6).map(|i| ratings.rating(i).unwrap().elo).sum();
        prop_assert!(mean.abs() < 1e-6);
    }
}

#[test]
fn comparisons_without_seats_do_not_affect_the_first_seat() {
    let mut table = Crosstable::new(2);
    table.add_without_seats(0, 1, &Trinomial { wins: 750, draws: 0, losses: 250 }).unwrap();
    let ratings = table.rate();
    // Odds of 3 to 1 are 190.85 Elo.
    assert!((ratings.difference(0, 1).unwrap().elo - 190.85).abs() < 0.5);
    assert!(ratings.advantage().elo.abs() < 1e-6);
    assert!(ratings.advantage().error > 900.0, "only the prior determines it");
}

/// Plays `pairs` pairs of equals; `luck` is the probability that the deal decides a pair for one seat. Returns counts
/// in the form of `add_pairs`.
fn lucky_pairs(dice: &mut Dice, pairs: u32, luck: f64, win: f64) -> [[u64; 3]; 3] {
    let mut counts = [[0; 3]; 3];
    for _ in 0..pairs {
        let (first, second) = if dice.unit() < luck {
            // The same seat wins both games.
            if dice.unit() < 0.5 { (0, 0) } else { (2, 2) }
        } else {
            let loses = |chance: f64, dice: &mut Dice| if dice.unit() < chance { 0 } else { 2 };
            (loses(win, dice), loses(1.0 - win, dice))
        };
        counts[first][second] += 1;
    }
    counts
}

#[test]
fn intervals_from_pairs_cover_and_are_as_narrow_as_pairs_allow() {
    let mut dice = Dice::new(5);
    for (luck, win) in [(0.0, 0.5), (0.7, 0.5), (0.7, 0.8), (0.3, 0.7)] {
        let (mut covered, mut widths, runs) = (0, [0.0; 2], 600);
        let score = luck / 2.0 + (1.0 - luck) * win;
        let truth = elo_of_score(score).unwrap();
        for _ in 0..runs {
            let counts = lucky_pairs(&mut dice, 100, luck, win);
            let mut table = Crosstable::new(2);
            table.add_pairs(0, 1, &counts).unwrap();
            let from_pairs = table.rate().difference(0, 1).unwrap();
            covered += u32::from(from_pairs.low <= truth && truth <= from_pairs.high);
            let mut table = Crosstable::new(2);
            let first = counts.map(|row| row.iter().sum());
            let second = [0, 1, 2].map(|j| counts.iter().map(|row| row[j]).sum::<u64>());
            table.add(0, 1, &Trinomial::new(first[0], first[1], first[2])).unwrap();
            table.add(1, 0, &Trinomial::new(second[0], second[1], second[2])).unwrap();
            let from_games = table.rate().difference(0, 1).unwrap();
            assert!((from_games.elo - from_pairs.elo).abs() < 1e-9, "the estimate is the same");
            widths[0] += from_pairs.error;
            widths[1] += from_games.error;
        }
        let rate = f64::from(covered) / f64::from(runs);
        // Five standard errors of a rate of 0.95 are 0.044.
        assert!((0.92..=0.99).contains(&rate), "luck {luck}, win {win}: {rate}");
        // A pair's variance is that of a decided pair's share of the games.
        let variance = (1.0 - luck) * win * (1.0 - win) / 2.0 + luck * (1.0 - luck) * (win - 0.5f64).powi(2);
        // With 100 pairs, one part in eleven is the value for separate games.
        let expected = (variance / (score * (1.0 - score) / 2.0) * (10.0 / 11.0) + 1.0 / 11.0).sqrt();
        let ratio = widths[0] / widths[1];
        assert!((ratio - expected).abs() < 0.02, "luck {luck}, win {win}: {ratio} against {expected}");
    }
}

#[test]
fn pairs_at_their_edges_are_finite() {
    for count in [0, 1, 3, 1_000_000, u64::MAX] {
        for (i, j) in [(0, 0), (0, 2), (1, 1), (2, 1)] {
            let mut counts = [[0; 3]; 3];
            counts[i][j] = count;
            let mut table = Crosstable::new(3);
            table.add_pairs(0, 1, &counts).unwrap();
            table.add_pairs(2, 1, &[[count; 3]; 3]).unwrap();
            assert!(all_numbers(&table.rate()), "{count} at {i}, {j}");
        }
    }
    let mut table = Crosstable::new(2);
    assert!(table.add_pairs(0, 0, &[[1; 3]; 3]).is_err());
    assert!(table.add_pairs(0, 2, &[[1; 3]; 3]).is_err());
}
