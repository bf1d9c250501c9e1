//! What can be done with a game beyond playing it, and the error for what cannot.

use std::fmt;

use parlor_agents::book::AnyBookBuilder;
use parlor_agents::classifier::ShippedClassifier;
use parlor_agents::endgame::AnyEndgames;
use parlor_agents::equilibrium::AnyEquilibrium;
use parlor_agents::evaluation::BuildLearnt;
use parlor_agents::net::AnyNets;
use parlor_core::api::{AnyFeatures, AnyGame, Hosted};
use parlor_core::{BuildSolver, Cells, CodecInfo, DrawExercise, Entry, Game, Imagine, Notation, Numbered};

use crate::column_features::AnyColumnFeatures;
use crate::deals::AnyDeals;
use crate::odds::AnyOdds;
use crate::registry::GAMES;
use crate::roster::Roster;
use crate::table_plans::TablePlan;
use crate::training_plans::TrainingPlan;

/// Shows a hosted game from one side: as a builder of books, of endgames and so on.
pub type Side<G, T> = fn(&Hosted<G>) -> &T;

/// A file that comes with the program, for one set of rules.
pub struct ShippedFile {
    /// The full form of the game that it was made for.
    pub game: &'static str,
    /// The file.
    pub bytes: &'static [u8],
}

/// Everything the registry knows about one type that plays a game. What a game cannot do is `None`.
pub struct Abilities<G: Game> {
    /// The agents that play it, the default one first. `cmd` is added to all of them.
    pub roster: fn() -> Roster<G>,
    /// Makes the solver that knows exact values.
    pub solver: Option<BuildSolver<G>>,
    /// Opening books.
    pub books: Option<Side<G, dyn AnyBookBuilder>>,
    /// Endgame databases.
    pub endgames: Option<Side<G, dyn AnyEndgames>>,
    /// Nets that value positions.
    pub nets: Option<Side<G, dyn AnyNets>>,
    /// Equilibria and exploitability.
    pub equilibrium: Option<Side<G, dyn AnyEquilibrium>>,
    /// Counting and solving of deals.
    pub deals: Option<Side<G, dyn AnyDeals>>,
    /// Exact odds of hidden things.
    pub odds: Option<Side<G, dyn AnyOdds>>,
    /// Positions with known right actions.
    pub exercises: Option<DrawExercise<G>>,
    /// Features of columns.
    pub column_features: Option<Side<G, dyn AnyColumnFeatures>>,
    /// Features of play, and styles that they tell apart.
    pub features: Option<Side<G, dyn AnyFeatures>>,
    /// The classifiers of these styles that come with the program. `cargo xtask shipped` makes them anew.
    pub classifiers: &'static [ShippedClassifier],
    /// The codes that learners see it through.
    pub codecs: &'static [CodecInfo],
    /// What `parlor learn` trains.
    pub training: Option<&'static TrainingPlan>,
    /// The knowledge that comes with the program: `collective(file=shipped)`. `cargo xtask shipped` makes it anew.
    pub shipped: Option<&'static [u8]>,
    /// The tables that come with the program: `ntuple(file=shipped)`. `cargo xtask shipped` makes them anew.
    pub shipped_tables: &'static [ShippedFile],
    /// The opening books that come with the program: `exact`, `alphabeta(book=shipped)`. `cargo xtask shipped` makes them anew.
    pub shipped_books: &'static [ShippedFile],
    /// Makes the learnt values of positions that searches can use: `alphabeta(evaluation=FILE)`.
    pub learnt_value: Option<BuildLearnt<G>>,
    /// The net that comes with the program: `alphabeta(evaluation=net)`. `cargo xtask shipped` makes it anew.
    pub shipped_net: Option<&'static [u8]>,
    /// How people play it: levels, boards with names, other names of the game.
    pub table: Option<&'static TablePlan>,
}

impl<G: Game> Abilities<G> {
    /// Returns those of a game that can be played and nothing else.
    pub const fn new(roster: fn() -> Roster<G>) -> Self {
        Abilities {
            roster,
            solver: None,
            books: None,
            endgames: None,
            nets: None,
            equilibrium: None,
            deals: None,
            odds: None,
            exercises: None,
            column_features: None,
            features: None,
            classifiers: &[],
            codecs: &[],
            training: None,
            shipped: None,
            shipped_tables: &[],
            shipped_books: &[],
            learnt_value: None,
            shipped_net: None,
            table: None,
        }
    }

    /// Returns for each ability whether the game has it.
    pub(crate) const fn which(&self) -> [bool; Ability::ALL.len()] {
        let mut which = [false; Ability::ALL.len()];
        let mut at = 0;
        while at < which.len() {
            which[at] = match Ability::ALL[at] {
                Ability::Books => self.books.is_some(),
                Ability::Endgames => self.endgames.is_some(),
                Ability::Nets => self.nets.is_some(),
                Ability::Equilibrium => self.equilibrium.is_some(),
                Ability::Deals => self.deals.is_some(),
                Ability::Odds => self.odds.is_some(),
                Ability::ColumnFeatures => self.column_features.is_some(),
                Ability::Features => self.features.is_some(),
                Ability::Training => self.training.is_some(),
            };
            at += 1;
        }
        which
    }
}

/// A type that plays a game of the registry.
pub trait Registered: Entry + Notation + Imagine + Cells + Numbered {
    /// Its agents, and what else can be done with it.
    const ABILITIES: Abilities<Self>;
}

/// An ability that not every game has.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Ability {
    /// [`OpenedGame::books`].
    Books,
    /// [`OpenedGame::endgames`].
    Endgames,
    /// [`OpenedGame::nets`].
    Nets,
    /// [`OpenedGame::equilibrium`].
    Equilibrium,
    /// [`OpenedGame::deals`].
    Deals,
    /// [`OpenedGame::odds`].
    Odds,
    /// [`OpenedGame::column_features`].
    ColumnFeatures,
    /// [`OpenedGame::features`].
    Features,
    /// [`OpenedGame::training`].
    Training,
}

impl Ability {
    /// Every ability, in the order of the variants.
    pub(crate) const ALL: [Ability; 9] = [
        Ability::Books,
        Ability::Endgames,
        Ability::Nets,
        Ability::Equilibrium,
        Ability::Deals,
        Ability::Odds,
        Ability::ColumnFeatures,
        Ability::Features,
        Ability::Training,
    ];
}

impl fmt::Display for Ability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ability::Books => "opening books",
            Ability::Endgames => "endgame databases",
            Ability::Nets => "nets that value positions",
            Ability::Equilibrium => "equilibrium solver",
            Ability::Deals => "hidden hands",
            Ability::Odds => "mine odds",
            Ability::ColumnFeatures => "features of columns",
            Ability::Features => "features of play",
            Ability::Training => "training plan",
        })
    }
}

/// Error of a game that lacks an ability.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{game} has no {ability}; available for {}", .available.join(", "))]
pub struct MissingAbility {
    /// The game's bare name.
    pub game: &'static str,
    /// What it lacks.
    pub ability: Ability,
    /// The games that have it.
    pub available: Vec<&'static str>,
}

impl MissingAbility {
    fn new(game: &'static str, ability: Ability) -> Self {
        let available = GAMES.iter().filter(|entry| entry.has(ability)).map(|entry| entry.name).collect();
        MissingAbility { game, ability, available }
    }
}

/// A game that was opened by its spec, with what else can be done with it.
pub trait OpenedGame: AnyGame {
    /// Returns the codes that learners see the game through.
    fn codecs(&self) -> &'static [CodecInfo];

    /// Returns what grows and shows opening books.
    ///
    /// # Errors
    /// If the game has chance in it.
    fn books(&self) -> Result<&dyn AnyBookBuilder, MissingAbility>;

    /// Returns what builds and probes endgame databases.
    ///
    /// # Errors
    /// If the game's positions cannot be numbered.
    fn endgames(&self) -> Result<&dyn AnyEndgames, MissingAbility>;

    /// Returns what makes nets that value positions.
    ///
    /// # Errors
    /// If the game does not describe its positions for nets.
    fn nets(&self) -> Result<&dyn AnyNets, MissingAbility>;

    /// Returns the net that comes with the program, if there is one for this game.
    fn shipped_net(&self) -> Option<&'static [u8]>;

    /// Returns what finds equilibria and exploits agents.
    ///
    /// # Errors
    /// If nothing is hidden in the game.
    fn equilibrium(&self) -> Result<&dyn AnyEquilibrium, MissingAbility>;

    /// Returns what counts and solves deals.
    ///
    /// # Errors
    /// If no hands are dealt in the game.
    fn deals(&self) -> Result<&dyn AnyDeals, MissingAbility>;

    /// Returns what knows the exact odds of hidden things.
    ///
    /// # Errors
    /// If the game has none to count.
    fn odds(&self) -> Result<&dyn AnyOdds, MissingAbility>;

    /// Returns what describes the columns of a board by numbers.
    ///
    /// # Errors
    /// If the game has no columns.
    fn column_features(&self) -> Result<&dyn AnyColumnFeatures, MissingAbility>;

    /// Returns what plays games between styles and describes their turns, for classifiers.
    ///
    /// # Errors
    /// If the game has no features of play.
    fn features(&self) -> Result<&dyn AnyFeatures, MissingAbility>;

    /// Returns the classifiers of styles that come with the program.
    fn classifiers(&self) -> &'static [ShippedClassifier];

    /// Returns how people play the game: levels, boards with names; `None` where that is not laid down.
    fn table_plan(&self) -> Option<&'static TablePlan>;

    /// Returns how the game's default learner is trained.
    ///
    /// # Errors
    /// If no agent learns the game.
    fn training(&self) -> Result<&'static TrainingPlan, MissingAbility>;
}

impl<G: Registered> OpenedGame for Hosted<G> {
    fn codecs(&self) -> &'static [CodecInfo] {
        G::ABILITIES.codecs
    }

    fn books(&self) -> Result<&dyn AnyBookBuilder, MissingAbility> {
        with(G::ABILITIES.books, self, Ability::Books)
    }

    fn endgames(&self) -> Result<&dyn AnyEndgames, MissingAbility> {
        with(G::ABILITIES.endgames, self, Ability::Endgames)
    }

    fn nets(&self) -> Result<&dyn AnyNets, MissingAbility> {
        with(G::ABILITIES.nets, self, Ability::Nets)
    }

    fn shipped_net(&self) -> Option<&'static [u8]> {
        G::ABILITIES.shipped_net
    }

    fn equilibrium(&self) -> Result<&dyn AnyEquilibrium, MissingAbility> {
        with(G::ABILITIES.equilibrium, self, Ability::Equilibrium)
    }

    fn deals(&self) -> Result<&dyn AnyDeals, MissingAbility> {
        with(G::ABILITIES.deals, self, Ability::Deals)
    }

    fn odds(&self) -> Result<&dyn AnyOdds, MissingAbility> {
        with(G::ABILITIES.odds, self, Ability::Odds)
    }

    fn column_features(&self) -> Result<&dyn AnyColumnFeatures, MissingAbility> {
        with(G::ABILITIES.column_features, self, Ability::ColumnFeatures)
    }

    fn features(&self) -> Result<&dyn AnyFeatures, MissingAbility> {
        with(G::ABILITIES.features, self, Ability::Features)
    }

    fn classifiers(&self) -> &'static [ShippedClassifier] {
        G::ABILITIES.classifiers
    }

    fn table_plan(&self) -> Option<&'static TablePlan> {
        G::ABILITIES.table
    }

    fn training(&self) -> Result<&'static TrainingPlan, MissingAbility> {
        G::ABILITIES.training.ok_or_else(|| MissingAbility::new(G::NAME, Ability::Training))
    }
}

/// Returns one side of a hosted game.
fn with<G: Registered, T: ?Sized>(
    side: Option<Side<G, T>>,
    game: &Hosted<G>,
    ability: Ability,
) -> Result<&T, MissingAbility> {
    side.map(|side| side(game)).ok_or_else(|| MissingAbility::new(G::NAME, ability))
}
