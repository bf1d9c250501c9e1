//! Checking a folder: every value against those that follow, and a sample by plain search.

use std::ops::ControlFlow;

use parlor_core::parallel::in_order;
use parlor_core::{GameValue, Phase, Progress, ProgressUpdate, Reversible, Rng, Spot, Unsolved};
use serde::Serialize;

use super::file::EndgameError;
use super::folder::{Folder, Reader};
use super::table::{Census, Tables};

/// Slices that a thread checks at once: enough to be worth the taking.
const AT_ONCE: u64 = 16;

/// How thoroughly a folder is checked.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Checks {
    /// How many threads work.
    pub threads: usize,
    /// How many positions are searched.
    pub sample: u32,
    /// Which ones.
    pub seed: u64,
    /// How many plies deep.
    pub depth: u32,
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Findings {
    /// Positions whose value was compared with what follows from their moves.
    pub positions: u64,
    /// Positions whose value does not follow.
    pub wrong: u64,
    /// Classes whose numbers of won, drawn and lost positions are not what the file says.
    pub miscounted: u32,
    /// Positions that were searched.
    pub searched: u32,
    /// Positions among them whose value the search could tell.
    pub settled: u32,
    /// Positions among them whose value the search contradicts.
    pub refuted: u32,
    /// One that is wrong.
    pub example: Option<String>,
}

impl Findings {
    /// Returns whether nothing is wrong.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.wrong == 0 && self.miscounted == 0 && self.refuted == 0
    }
}

/// Checks every value against those that follow.
///
/// # Errors
/// If a file cannot be read or is damaged, or it is called off.
pub fn consistency<G: Reversible>(
    game: &G,
    folder: &Folder<G>,
    checks: &Checks,
    findings: &mut Findings,
    progress: &mut Progress<'_>,
) -> Result<(), EndgameError> {
    let classes = folder.classes(game);
    let all: u64 = classes.iter().map(|&class| game.class_size(class)).sum();
    let mut tables: Tables<G::Class> = Tables::default();
    for &class in &classes {
        let mut beyond = game.conversions(class);
        beyond.extend([class, game.turned(class)]);
        tables.retain(|class| beyond.contains(&class));
        for class in beyond {
            if let (None, Some(file)) = (tables.get(class), folder.file(class)) {
                tables.insert(class, file.table()?);
            }
        }
        let doing = format!("checking {}", game.class_name(class));
        let done = Some(findings.positions as f64 / all.max(1) as f64);
        (progress.report)(&ProgressUpdate { doing, done, nodes: findings.positions });
        let check = |(): &mut (), first: u64| {
            let (mut census, mut wrong, mut example) = (Census::default(), 0, None);
            for slice in first..game.slices(class).min(first + AT_ONCE) {
                game.each(class, slice, |_, setup| {
                    let stored = tables.value(game, setup);
                    match stored {
                        Some(GameValue::Lost) => census.lost += 1,
                        Some(GameValue::Drawn) => census.drawn += 1,
                        Some(GameValue::Won) => census.won += 1,
                        None => {}
                    }
                    if stored != follows(game, &tables, setup) {
                        wrong += 1;
                        example.get_or_insert(*setup);
                    }
                });
            }
            Some((census, wrong, example))
        };
        let (mut census, mut wrong, mut example) = (Census::default(), 0, None);
        let slices = (0..game.slices(class)).step_by(AT_ONCE as usize);
        in_order(vec![(); checks.threads.max(1)], slices, progress.cancel, check, |(part, more, found)| {
            census.add(part);
            wrong += more;
            example = example.or(found);
            ControlFlow::Continue(())
        });
        progress.check()?;
        let told = folder.file(class).map(|file| file.about.census);
        findings.positions += census.setups();
        findings.wrong += wrong;
        findings.miscounted +=
            u32::from(told.is_none_or(|told| Census { longest: told.longest, ..census } != told));
        if let (None, Some(setup)) = (&findings.example, example) {
            findings.example = Some(format!("{:?}", game.stand(&setup)));
        }
    }
    Ok(())
}

/// Returns what the values of the setups that follow make of a setup; `None` if one of them is not known.
fn follows<G: Reversible>(game: &G, tables: &Tables<G::Class>, setup: &G::Setup) -> Option<GameValue> {
    let mut best = Some(GameValue::Lost);
    game.onward(setup, |next, _| {
        let value = tables.value(game, &next).map(GameValue::turned);
        best = best.zip(value).map(|(best, value)| best.max(value));
    });
    best
}

/// Searches a sample of positions, all equally likely, without any table.
///
/// # Errors
/// If a file cannot be read or is damaged, or it is called off.
pub fn sample<G: Reversible>(
    game: &G,
    folder: &Folder<G>,
    checks: &Checks,
    findings: &mut Findings,
    progress: &mut Progress<'_>,
) -> Result<(), EndgameError> {
    let classes = folder.classes(game);
    let all: u64 = classes.iter().map(|&class| game.class_size(class)).sum();
    let mut rng = Rng::new(checks.seed);
    let mut reader = Reader::default();
    while findings.searched < checks.sample {
        progress.check()?;
        let mut at = rng.bits() % all.max(1);
        let Some(&class) = classes.iter().find(|&&class| {
            let size = game.class_size(class);
            let here = at < size;
            at -= if here { 0 } else { size };
            here
        }) else {
            return Err(Unsolved::OutOfReach("there is nothing to check".to_owned()).into());
        };
        let size = game.slice_size(class);
        let Some(setup) = game.at(Spot { class, slice: at / size, place: at % size }) else { continue };
        let Some(stored) = reader.value(game, folder, &setup)? else { continue };
        let [low, high] = bounds(game, &game.stand(&setup), checks.depth, [-1, 1]);
        findings.searched += 1;
        findings.settled += u32::from(low == high);
        let stored = stored as i8 - GameValue::Drawn as i8;
        if stored < low || stored > high {
            findings.refuted += 1;
            findings.example.get_or_insert(format!("{:?}", game.stand(&setup)));
        }
    }
    Ok(())
}

/// Returns bounds of what a position is worth to the seat to move, by looking so many plies ahead. Nothing outside of `window`
/// is of interest.
fn bounds<G: Reversible>(game: &G, state: &G::State, depth: u32, window: [i8; 2]) -> [i8; 2] {
    match game.phase(state) {
        Phase::Decide(_) if depth == 0 => return [-1, 1],
        Phase::Decide(_) => {}
        Phase::Chance => return [-1, 1],
        Phase::Over => {
            // Whoever cannot move has lost; anything else is a draw by the rules.
            let lost = game.payoffs(state).winner().is_some();
            return if lost { [-1, -1] } else { [0, 0] };
        }
    }
    let mut best = [-1, -1];
    for action in game.actions(state) {
        let mut next = state.clone();
        game.apply(&mut next, action);
        let floor = window[0].max(best[0]);
        let [low, high] = bounds(game, &next, depth - 1, [-window[1], -floor]);
        best = [best[0].max(-high), best[1].max(-low)];
        if best[0] >= window[1] {
            return [best[0], 1];
        }
    }
    best
}
