//! How fast are positions solved?

use std::time::{Duration, Instant};

use parlor_core::api::AnySolver;
use parlor_core::{Cancel, Progress, Resources, Rng};

/// Positions that are solved together, value and best moves.
#[derive(Copy, Clone)]
pub(super) struct Set {
    game: &'static str,
    /// How many random columns make a position; without any it is the start.
    plies: u32,
    positions: usize,
}

/// What is solved. The later a position, the easier it is: 30, 22 and 14 plies are from the middle of the end, the middle and the
/// beginning in the sense of P. Pons' public sets.
pub(super) const SETS: &[Set] = &[
    Set { game: CONNECT, plies: 30, positions: 1_000 },
    Set { game: CONNECT, plies: 22, positions: 200 },
    Set { game: CONNECT, plies: 14, positions: 10 },
    Set { game: "tictactoe(rows=4, columns=4)", plies: 0, positions: 1 },
    Set { game: "tictactoe(rows=4, columns=4, lines=runs)", plies: 0, positions: 1 },
];

const CONNECT: &str = "connect(width=7, height=6)";
const COLUMNS: &[char] = &['1', '2', '3', '4', '5', '6', '7'];

const MEANS: Resources = Resources { threads: 1, memory_mb: 64 };

impl Set {
    pub fn name(&self) -> String {
        match self.plies {
            0 => format!("{} solve start", self.game),
            plies => format!("{} solve after {plies} plies", self.game),
        }
    }

    /// Positions a second, from the fastest of several runs; each begins with an empty table.
    pub fn solved(&self, budget: Duration) -> anyhow::Result<f64> {
        let game = parlor_catalog::open(self.game)?;
        let positions = self.texts(&mut *game.solver(&MEANS)?);
        let started = Instant::now();
        let mut best = 0.0_f64;
        while best == 0.0 || started.elapsed() < budget {
            let mut solver = game.solver(&MEANS)?;
            let run = Instant::now();
            for position in &positions {
                solve(&mut *solver, position.as_deref())?;
            }
            best = best.max(positions.len() as f64 / run.elapsed().as_secs_f64());
        }
        Ok(best)
    }

    /// Returns the positions: what random columns lead to where the match goes on, always the same.
    fn texts(&self, solver: &mut dyn AnySolver) -> Vec<Option<String>> {
        if self.plies == 0 {
            return vec![None; self.positions];
        }
        let (mut texts, mut rng) = (Vec::new(), Rng::new(1));
        while texts.len() < self.positions {
            let text: String = (0..self.plies).map(|_| *rng.choose(COLUMNS)).collect();
            if solve(solver, Some(&text)).is_ok() {
                texts.push(Some(text));
            }
        }
        texts
    }
}

fn solve(solver: &mut dyn AnySolver, position: Option<&str>) -> anyhow::Result<()> {
    let (stop, mut tell) = (Cancel::new(), |_: &_| {});
    solver.solve(position, &mut Progress { cancel: &stop, report: &mut tell })?;
    Ok(())
}
