//! Games between known styles of play, turned into labelled rows for classifiers.

use crate::files::saved::SavedGame;
use crate::play::agent::Sight;
use crate::play::matches::Observer;
use crate::play::outcome::Actor;
use crate::play::training::Team;
use crate::rules::features::{FeatureInfo, Features};
use crate::rules::game::Game;
use crate::rules::seat::{BySeat, Seat};
use crate::text::notation::Notation;
use crate::text::spec::{Entry, SpecError};

use super::team::HostedTeam;
use super::{Hosted, MatchSetup};

/// One turn of a seat, as the other seat saw it.
#[derive(Clone, PartialEq, Debug)]
pub struct SampleRow {
    /// The number of the turn, from 1: the seat's own turns.
    pub turn: u32,
    /// Whose turn it was.
    pub seat: Seat,
    /// The features of the turn.
    pub features: Vec<f64>,
    /// The style of the seat: its place in [`AnyFeatures::styles`].
    pub style: usize,
}

/// A game between two styles and its turns.
#[derive(Clone, PartialEq, Debug)]
pub struct SampledGame {
    /// The game.
    pub saved: SavedGame,
    /// Every turn of both seats, in order.
    pub rows: Vec<SampleRow>,
}

/// A game with features of play and styles to tell apart.
pub trait AnyFeatures: Send + Sync {
    /// Returns the features of a turn.
    fn features(&self) -> &'static [FeatureInfo];

    /// Returns the styles that are told apart: agents of the game.
    fn styles(&self) -> &'static [&'static str];

    /// Returns the pairings that games cycle through: the style in seat 0 and the style in seat 1.
    fn pairings(&self) -> &'static [[usize; 2]];

    /// Returns what plays games between styles.
    ///
    /// # Errors
    /// If a style is not an agent of the game.
    fn sampler(&self) -> Result<Box<dyn AnySampler>, SpecError>;
}

/// Plays games between styles.
pub trait AnySampler: Send {
    /// Plays one game of a pairing; `chance` and `agent_seed` are those of a [`MatchSetup`].
    fn play(&mut self, pairing: [usize; 2], chance: u64, agent_seed: u64) -> SampledGame;
}

impl<G: Features + Entry + Notation> AnyFeatures for Hosted<G> {
    fn features(&self) -> &'static [FeatureInfo] {
        G::FEATURES
    }

    fn styles(&self) -> &'static [&'static str] {
        G::STYLES
    }

    fn pairings(&self) -> &'static [[usize; 2]] {
        G::PAIRINGS
    }

    fn sampler(&self) -> Result<Box<dyn AnySampler>, SpecError> {
        // Every style twice: it may meet itself.
        let specs = G::STYLES.iter().chain(G::STYLES);
        let build = |spec: &&str| self.roster().build(self.game(), spec);
        let (players, specs) = specs.map(build).collect::<Result<(Vec<_>, Vec<_>), _>>()?;
        Ok(Box::new(Sampler { team: HostedTeam::new(self, Team::new(players), specs) }))
    }
}

struct Sampler<G: Game> {
    team: HostedTeam<G>,
}

impl<G: Features + Entry + Notation> AnySampler for Sampler<G> {
    fn play(&mut self, pairing: [usize; 2], chance: u64, agent_seed: u64) -> SampledGame {
        let seating = [pairing[0], G::STYLES.len() + pairing[1]];
        let game = self.team.game().clone();
        let mut watching =
            Watching { trackers: BySeat::from_fn(|_| game.tracker()), pairing, rows: Vec::new() };
        let setup = MatchSetup::new(&seating, chance, agent_seed);
        let saved = self.team.play_watched(&setup, &mut watching);
        SampledGame { saved: saved.expect("nothing cancels it"), rows: watching.rows }
    }
}

/// Follows a match from both seats. The turns of a seat are described by what the other one saw.
struct Watching<G: Features> {
    /// For each observing seat what it has counted.
    trackers: BySeat<G::Tracker>,
    pairing: [usize; 2],
    rows: Vec<SampleRow>,
}

impl<G: Features> Observer<G> for Watching<G> {
    fn before(&mut self, game: &G, state: &G::State, actor: Actor, action: G::Action) {
        for observer in Seat::all(game.seats()) {
            let Some(action) = game.seen(state, action, observer) else { continue };
            let tracker = &mut self.trackers[observer];
            let Some(seat) = game.observe(tracker, Sight { actor, action }) else { continue };
            if seat == observer {
                continue;
            }
            let mut features = vec![0.0; G::FEATURES.len()];
            game.features(tracker, seat, &mut features);
            let style = self.pairing[seat.index()];
            self.rows.push(SampleRow { turn: game.turns(tracker, seat), seat, features, style });
        }
    }
}
