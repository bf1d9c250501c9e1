//! Which games endgame databases can be built for.

use parlor_agents::endgame::{AnyEndgames, HostedEndgames};
use parlor_core::{Entry, Notation, PerfectInfo, Reversible, Settings, Spec, SpecError};
use parlor_games::checkers::Checkers;
use parlor_games::darkchess::DarkChess;

use crate::find;

type Open = fn(&Settings) -> Result<Box<dyn AnyEndgames>, SpecError>;

/// The types that play each game, from the fastest to the roomiest, as in the list of games.
const DESKS: &[(&str, &[Open])] =
    &[("checkers", &[open::<Checkers<u64>>, open::<Checkers<u128>>]), ("darkchess", &[open::<DarkChess>])];

fn open<G: Entry + Notation + PerfectInfo + Reversible>(
    settings: &Settings,
) -> Result<Box<dyn AnyEndgames>, SpecError> {
    Ok(Box::new(HostedEndgames(G::open(settings)?)))
}

/// Opens a game for endgame databases.
///
/// # Errors
/// If there is no such game, its settings do not fit, or there are no endgames to list in it.
pub fn endgames(spec: &str) -> Result<Box<dyn AnyEndgames>, SpecError> {
    let spec = Spec::parse(spec)?;
    let entry = find(&spec.name)?;
    let settings = Settings::read(&spec, entry.keys)?;
    let Some((_, types)) = DESKS.iter().find(|(name, _)| *name == entry.name) else {
        let known: Vec<&str> = DESKS.iter().map(|(name, _)| *name).collect();
        let wrong = format!("it has no endgames to list; there are databases for {}", known.join(", "));
        return Err(SpecError::Together { owner: spec.name, wrong });
    };
    let (roomiest, others) = types.split_last().expect("a game has a type");
    others.iter().find_map(|open| open(&settings).ok()).map_or_else(|| roomiest(&settings), Ok)
}
