//! The probability of winning a contest from the scores between two stages.
//!
//! Stages between two experts, played once with a fixed seed, stand for what a stage may bring. Dynamic programming over the points that
//! both seats still need then gives the probability of winning from every pair of scores. A contest ends in the middle of a stage, so the
//! order in which a stage's points were scored counts.

use std::sync::{Arc, OnceLock};

use parlor_core::{Game, Phase, Rng, Seat};

use super::players::Expert;
use super::{Dominoes, Rules, State};

/// Number of stages that stand for all.
const STAGES: u64 = 1000;

/// The seed of these stages.
const SEED: u64 = 1;

/// The table has at most this many rows: with a higher target it has steps of several points, and values between them are interpolated.
const MOST_ROWS: u16 = 101;

/// How often the table is gone through if values between its rows depend on rows that come later.
const SWEEPS: usize = 3;

/// What scores are worth, computed at the first question. Clones of a game share it.
#[derive(Clone, Default)]
pub(super) struct KnownStandings(Arc<OnceLock<Standings>>);

/// It follows from the rules.
impl PartialEq for KnownStandings {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for KnownStandings {}

impl std::fmt::Debug for KnownStandings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.get().is_some() { "known" } else { "unknown" })
    }
}

impl Dominoes {
    /// Returns what the scores of a contest are worth. The first call takes less than a tenth of a second.
    #[inline]
    pub(super) fn standings(&self) -> &Standings {
        self.standings.0.get_or_init(|| Standings::new(self))
    }
}

/// How the points of a stage came: those of its leader and of the other seat, added up after every event that scored.
struct Course {
    sums: Vec<[u16; 2]>,
    /// The sums at the end.
    total: [u16; 2],
    /// Whether its leader leads the next stage; `None` if that depends on the deal.
    leads_again: Option<bool>,
}

/// The probability of winning from every pair of scores.
pub(super) struct Standings {
    /// The points that win.
    goal: u16,
    /// Points from one row to the next.
    step: u16,
    rows: usize,
    /// For a seat that leads the next stage: the probability of winning, row by row of the steps that it needs, by the steps that the other
    /// seat needs.
    leading: Vec<f32>,
}

impl Standings {
    fn new(game: &Dominoes) -> Standings {
        let goal = game.rules.target.map_or(1, |target| target + 1);
        let step = goal.div_ceil(MOST_ROWS);
        let rows = usize::from(goal.div_ceil(step)) + 1;
        let mut standings = Standings { goal, step, rows, leading: vec![0.5; rows * rows] };
        for own in 0..rows {
            for other in 0..rows {
                if own + other > 0 {
                    standings.leading[own * rows + other] = other as f32 / (own + other) as f32;
                }
            }
        }
        let courses = courses(game);
        for _ in 0..if step == 1 { 1 } else { SWEEPS } {
            for sum in 2..2 * rows - 1 {
                for own in sum.saturating_sub(rows - 1).max(1)..rows.min(sum) {
                    let value = standings.average(&courses, own, sum - own);
                    standings.leading[own * rows + sum - own] = value as f32;
                }
            }
        }
        standings
    }

    /// Returns the probability of winning for the seat that leads: the mean over all courses. A stage without points changes nothing.
    fn average(&self, courses: &[Course], own: usize, other: usize) -> f64 {
        let needs = [own, other].map(|steps| steps as u16 * self.step);
        let (mut won, mut all) = (0.0, 0.0);
        for Course { sums, total, leads_again } in courses.iter().filter(|course| course.total != [0, 0]) {
            all += 1.0;
            if total[0] < needs[0] && total[1] < needs[1] {
                let left = [needs[0] - total[0], needs[1] - total[1]];
                won += self.wins_needing(left.map(f64::from), *leads_again);
                continue;
            }
            let end = sums.iter().find(|sum| sum[0] >= needs[0] || sum[1] >= needs[1]).unwrap_or(total);
            // Points for a blocked stage may take both over the target: the higher score wins.
            let [ahead, behind] = [0, 1].map(|seat| i32::from(end[seat]) - i32::from(needs[seat]));
            won += 0.5 * f64::from(1 + (ahead - behind).signum());
        }
        if all > 0.0 { won / all } else { 0.5 }
    }

    /// Returns the probability of winning for a seat that needs the first number of points if the other needs the second one.
    #[inline]
    fn wins_needing(&self, [own, other]: [f64; 2], leads: Option<bool>) -> f64 {
        match leads {
            Some(true) => self.between(own, other),
            Some(false) => 1.0 - self.between(other, own),
            None => 0.5 * (1.0 + self.between(own, other) - self.between(other, own)),
        }
    }

    /// Returns the value for a seat that leads, interpolated between rows and columns.
    #[inline]
    fn between(&self, own: f64, other: f64) -> f64 {
        let step = f64::from(self.step);
        let place = |points: f64| {
            let steps = points / step;
            let below = (steps as usize).min(self.rows - 2);
            (below, steps - below as f64)
        };
        let ((row, down), (column, across)) = (place(own), place(other));
        let at = |row: usize, column: usize| f64::from(self.leading[row * self.rows + column]);
        let in_row = |row: usize| {
            if across == 0.0 {
                at(row, column)
            } else {
                at(row, column) + across * (at(row, column + 1) - at(row, column))
            }
        };
        if down == 0.0 { in_row(row) } else { in_row(row) + down * (in_row(row + 1) - in_row(row)) }
    }

    /// Returns the first seat's probability of winning at these scores, which need not be whole; `leader` leads the next stage, or it is not
    /// known who will.
    #[inline]
    pub(super) fn wins(&self, scores: [f64; 2], leader: Option<Seat>) -> f64 {
        let needs = scores.map(|score| (f64::from(self.goal) - score).max(0.0));
        self.wins_needing(needs, leader.map(|leader| leader == Seat::FIRST))
    }
}

/// Plays the stages.
fn courses(game: &Dominoes) -> Vec<Course> {
    let rules = Rules { target: None, ..*game.rules() };
    let game = Dominoes::new(rules).expect("one stage is a game under every rule");
    (0..STAGES).map(|number| course(&game, &mut Rng::forked(SEED, number))).collect()
}

/// Plays a stage.
fn course(game: &Dominoes, rng: &mut Rng) -> Course {
    let expert = Expert::default();
    let mut state = game.start();
    let mut actions = Vec::new();
    let mut leader = Seat::FIRST;
    loop {
        let action = match game.phase(&state) {
            Phase::Over => break,
            Phase::Chance => game.sample(&state, rng),
            Phase::Decide(seat) => {
                if state.log.is_empty() {
                    leader = seat;
                }
                actions.clear();
                actions.extend(game.actions(&state));
                expert.choose(game, &game.view(&state, seat), &actions)
            }
        };
        game.apply(&mut state, action);
    }
    course_of(game, &state, leader)
}

/// Returns how the points of a finished stage came.
fn course_of(game: &Dominoes, state: &State, leader: Seat) -> Course {
    let mut total = [0, 0];
    let mut sums = Vec::new();
    let plays = state.log.iter().filter(|event| event.points > 0);
    for event in plays {
        total[usize::from(event.seat != leader)] += u16::from(event.points);
        sums.push(total);
    }
    let end = state.ended.expect("the stage is over");
    total[0] += end.points[leader];
    total[1] += end.points[leader.other()];
    sums.push(total);
    Course { sums, total, leads_again: game.next_leader(state, end.how).map(|next| next == leader) }
}

#[cfg(test)]
mod tests;
