//! Opens games, with their agents and their other abilities, from `name(key=value, …)`.

use parlor_core::{Spec, SpecError};

pub use parlor_registry::{
    Abilities, Ability, AnyDeals, AnyOdds, DealValue, Deals, GAMES, GameEntry, Instance, Level, MineOdds,
    MissingAbility, OddsWorkload, OpenedGame, Preset, Registered, Side, TablePlan, TrainingPlan, Visitor,
    find, roster, visit,
};

// What the abilities take and return, for those that may not know `parlor-agents`.
pub use parlor_agents::outside::{check as engine_check, guard as engine_guard, stderr as engine_stderr};
pub use parlor_agents::{book, classifier, endgame, equilibrium as equilibria, net};
pub use parlor_fable as fable;

/// The compiled games, family by family. A test compares them with the registry. They are references to other statics: a list that
/// copied their values would compile all games again.
pub static INSTANCES: &[&[Instance]] = &[
    &parlor_instances_dominoes::INSTANCES,
    &parlor_instances_boards::INSTANCES,
    &parlor_instances_covered::INSTANCES,
];

/// Opens a game from its spec.
///
/// # Errors
/// If there is no such game, or its settings do not fit; the sentence says what would.
///
/// # Panics
/// If a game of the registry is in none of [`INSTANCES`].
///
/// ```
/// let game = parlor_catalog::open("tictactoe(rows=4)").unwrap();
/// assert_eq!(game.spec(), "tictactoe(rows=4, columns=3, lines=windows)");
/// assert!(game.books().is_ok());
/// assert_eq!(parlor_catalog::open("dominoes(rules=myers)").unwrap().deals().unwrap().count().deals, 4_200);
/// assert_eq!(game.odds().err().unwrap().to_string(), "tictactoe has no mine odds; available for minesweeper");
/// assert!(parlor_catalog::open("tictacto").err().unwrap().to_string().contains("did you mean `tictactoe`?"));
/// ```
pub fn open(spec: &str) -> Result<Box<dyn OpenedGame>, SpecError> {
    let spec = Spec::parse(spec)?;
    let entry = find(&spec.name)?;
    let settings = entry.settings(spec)?;
    let mut instances = INSTANCES.iter().copied().flatten();
    let instance = instances.find(|instance| instance.game == entry.name);
    (instance.expect("every game of the registry is compiled").open)(&settings)
}

/// Returns the shortest form that opens the same game: keys that go without saying are left out.
///
/// ```
/// let full = parlor_catalog::open("connect(width=7)").unwrap().spec();
/// assert_eq!(parlor_catalog::short_form(&full), "connect(width=7)");
/// assert_eq!(parlor_catalog::short_form("no such game"), "no such game");
/// ```
#[must_use]
pub fn short_form(full: &str) -> String {
    let (Ok(mut spec), Ok(game)) = (Spec::parse(full), open(full)) else { return full.to_owned() };
    let same = game.spec();
    // From the last to the first: later keys refine what earlier ones choose.
    for at in (0..spec.pairs.len()).rev() {
        let mut shorter = spec.clone();
        shorter.pairs.remove(at);
        if open(&shorter.to_string()).is_ok_and(|game| game.spec() == same) {
            spec = shorter;
        }
    }
    spec.to_string()
}

/// Returns rounds of CFR+ at Leduc poker with its suits told apart, as other programs have it: 936 information sets. It is no
/// game of the registry: it measures solvers.
///
/// # Panics
/// Never: it is small.
#[must_use]
pub fn leduc_rounds() -> equilibria::Rounds {
    let detail = equilibria::sequence_form::Detail::Everything;
    equilibria::Rounds::of(&parlor_games::leduc::Leduc, detail).expect("Leduc poker is small")
}
