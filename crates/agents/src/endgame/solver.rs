//! Exact values: from tables built on demand and, where there would be too many, by proof search down to tables.

use parlor_core::{
    Exact, GameValue, PerfectInfo, Phase, Position, Progress, Resources, Reversible, Seat, Solver, Unsolved,
};

use super::build::{complete, reachable_classes_within, up_to};
use super::fortress::solve_verified;
use super::proof::{ProofSearch, ProofTable};
use super::table::Tables;

/// With at most this many places, all reachable classes are built at once: takes seconds.
const BUILD_ALL_PLACES: u64 = 12_000_000;

/// The attempts at a proof, cheapest first: the maximum number of places in the tables below it, and of its nodes.
const PROOF_ATTEMPTS: [(u64, u64); 2] = [(8_000_000, 3_000_000), (60_000_000, 30_000_000)];

/// With more reachable places than this only a short proof is tried. Six men against six on 8×8 have half as many, the
/// start of 6×6 far fewer. From the start of 8×8 a minute of proof search finds nothing.
const MAX_FOR_LONG_PROOF: u64 = 1_000_000_000_000_000;

/// With more reachable places than this no proof is tried at all: the start of 8×8 checkers has more, ten men against ten less.
const MAX_FOR_SHORT_PROOF: u64 = 1_000_000_000_000_000_000;

/// The maximum number of places and of nodes of a short proof: takes at most a second.
const SHORT_PROOF: (u64, u64) = (1_000_000, 200_000);

/// The maximum number of pieces in the tables below a short proof.
const SHORT_PROOF_PIECES: u32 = 4;

/// The maximum number of places ever built: takes minutes.
const MAX_PLACES: u64 = 200_000_000;

/// Places per mebibyte.
const PLACES_PER_MEBIBYTE: u64 = 4 << 20;

/// An exact solver for a game with endgame tables.
struct EndgameSolver<C> {
    resources: Resources,
    tables: Tables<C>,
    memory: Option<ProofTable>,
    nodes: u64,
}

/// Returns a solver. Values are 1, 0 and −1. The tables respect the rule that ends matches without progress, counted from
/// the last irreversible move; if some plies of it are used up, they answer only if enough are left. Proofs ignore the
/// rule: a proven draw is also a draw under the rule, a proven win may not be a win.
pub fn solver<G: Reversible + PerfectInfo>(_: &G, resources: &Resources) -> Box<dyn Solver<G>> {
    Box::new(EndgameSolver::<G::Class> {
        resources: resources.clone(),
        tables: Tables::default(),
        memory: None,
        nodes: 0,
    })
}

impl<C: Copy + Eq + std::hash::Hash> EndgameSolver<C> {
    fn places<G: Reversible<Class = C>>(game: &G, classes: &[C]) -> u64 {
        classes.iter().map(|&class| game.class_size(class)).fold(0, u64::saturating_add)
    }

    fn build_classes<G: Reversible<Class = C>>(
        &mut self,
        game: &G,
        classes: &[C],
        progress: &mut Progress<'_>,
    ) -> Result<(), Unsolved> {
        let missing: Vec<C> =
            classes.iter().copied().filter(|&class| self.tables.get(class).is_none()).collect();
        let most_plies = game.quiet_plies_left(&game.start());
        complete(game, &mut self.tables, &missing, most_plies, self.resources.threads, progress)?;
        self.nodes += Self::places(game, &missing);
        Ok(())
    }

    /// Returns the value of a setup to the side to move.
    fn known<G: Reversible<Class = C>>(
        &mut self,
        game: &G,
        setup: &G::Setup,
        progress: &mut Progress<'_>,
    ) -> Result<GameValue, Unsolved> {
        if let Some(known) = self.tables.value(game, setup) {
            return Ok(known);
        }
        // The opponent has nothing left to move, so every move wins. Tables hold no such setup.
        if game.is_bare(game.turned(game.class(setup))) {
            return Ok(GameValue::Won);
        }
        // Step 1. Build all reachable classes if they are few.
        let Some(classes) = reachable_classes_within(game, game.class(setup), MAX_FOR_LONG_PROOF) else {
            return self.short_proof(game, setup, progress);
        };
        let places = Self::places(game, &classes);
        if places <= BUILD_ALL_PLACES {
            self.build_classes(game, &classes, progress)?;
            return self.known(game, setup, progress);
        }
        // Step 2. Build all reachable classes if they are not too many and there is no short proof; otherwise try a
        // longer proof.
        let room = PLACES_PER_MEBIBYTE.saturating_mul(self.resources.memory_mb as u64);
        let mut why = String::new();
        for (number, (most, nodes)) in PROOF_ATTEMPTS.into_iter().enumerate() {
            if number > 0 && places <= MAX_PLACES.min(room) {
                self.build_classes(game, &classes, progress)?;
                return self.known(game, setup, progress);
            }
            let below = Self::below(game, &classes, most);
            self.build_classes(game, &below, progress)?;
            match self.proven(game, setup, nodes, progress) {
                Err(Unsolved::OutOfReach(wrong)) => why = wrong,
                answer => return answer,
            }
        }
        Err(Unsolved::OutOfReach(format!("out of reach: {places} positions can follow, and {why}")))
    }

    /// Returns the value of a setup with too many reachable classes, by a short proof.
    fn short_proof<G: Reversible<Class = C>>(
        &mut self,
        game: &G,
        setup: &G::Setup,
        progress: &mut Progress<'_>,
    ) -> Result<GameValue, Unsolved> {
        if reachable_classes_within(game, game.class(setup), MAX_FOR_SHORT_PROOF).is_none() {
            return Err(Unsolved::OutOfReach(format!(
                "out of reach: more than {MAX_FOR_SHORT_PROOF:e} positions can follow"
            )));
        }
        let (most, nodes) = SHORT_PROOF;
        let below = Self::below(game, &up_to(game, SHORT_PROOF_PIECES), most);
        self.build_classes(game, &below, progress)?;
        self.proven(game, setup, nodes, progress).map_err(|wrong| match wrong {
            Unsolved::OutOfReach(why) => Unsolved::OutOfReach(format!(
                "out of reach: more than {MAX_FOR_LONG_PROOF:e} positions can follow, and {why}"
            )),
            other => other,
        })
    }

    /// Returns the classes with the fewest pieces that have at most `most` places together.
    fn below<G: Reversible<Class = C>>(game: &G, classes: &[C], most: u64) -> Vec<C> {
        let up_to = |pieces: u32| -> Vec<C> {
            classes.iter().copied().filter(|&class| game.pieces(class) <= pieces).collect()
        };
        let fits = |&pieces: &u32| Self::places(game, &up_to(pieces)) <= most;
        (2..).take_while(fits).last().map(up_to).unwrap_or_default()
    }

    fn proven<G: Reversible<Class = C>>(
        &mut self,
        game: &G,
        setup: &G::Setup,
        most_nodes: u64,
        progress: &mut Progress<'_>,
    ) -> Result<GameValue, Unsolved> {
        let memory = self.memory.get_or_insert_with(|| ProofTable::new(self.resources.memory_mb));
        let mut proof = ProofSearch::new(game, &self.tables, memory, most_nodes);
        let answer = prove_value(&mut proof, setup, progress);
        self.nodes += proof.nodes;
        answer
    }

    /// Returns whether the rule on plies without progress could turn a win into a draw.
    fn rules_matter<G: Reversible<Class = C>>(&self, game: &G, state: &G::State) -> bool {
        let Some(setup) = game.setup(state) else { return false };
        // If the reachable classes are too many to list, every table in memory may matter.
        let longest = reachable_classes_within(game, game.class(&setup), MAX_FOR_LONG_PROOF)
            .unwrap_or_else(|| self.tables.classes().collect())
            .into_iter()
            .filter_map(|class| self.tables.get(class))
            .map(|table| table.census.longest);
        longest.max().unwrap_or(0) > game.quiet_plies_left(state)
    }
}

/// Returns the value of a setup to the side to move by a proof down to the tables in memory, with a transposition table
/// of `mebibytes` MiB and at most `nodes` nodes.
///
/// # Errors
/// If that does not suffice or the search is cancelled.
pub fn prove<G: Reversible>(
    game: &G,
    tables: &Tables<G::Class>,
    setup: &G::Setup,
    (mebibytes, most_nodes): (usize, u64),
    progress: &mut Progress<'_>,
) -> Result<GameValue, Unsolved> {
    let mut memory = ProofTable::new(mebibytes);
    prove_value(&mut ProofSearch::new(game, tables, &mut memory, most_nodes), setup, progress)
}

fn prove_value<G: Reversible>(
    proof: &mut ProofSearch<'_, G>,
    setup: &G::Setup,
    progress: &mut Progress<'_>,
) -> Result<GameValue, Unsolved> {
    Ok(if solve_verified(proof, (*setup, true), progress)? {
        GameValue::Won
    } else if solve_verified(proof, (*setup, false), progress)? {
        GameValue::Lost
    } else {
        GameValue::Drawn
    })
}

fn points(known: GameValue) -> f64 {
    match known {
        GameValue::Lost => -1.0,
        GameValue::Drawn => 0.0,
        GameValue::Won => 1.0,
    }
}

/// Returns the state to solve.
fn state_of<'p, G: PerfectInfo>(game: &G, position: &'p Position<G>) -> &'p G::State {
    match position {
        Position::State(state) => state,
        Position::View(view) => game.truth(view),
    }
}

/// Returns the value of a finished match to the seat that would move next, which has lost unless the match is drawn;
/// `None` if the match is not over.
fn result<G: Reversible>(game: &G, state: &G::State) -> Option<f64> {
    (game.phase(state) == Phase::Over).then(|| -game.payoffs(state).of(Seat::FIRST).abs() + 0.0)
}

impl<G: Reversible + PerfectInfo> Solver<G> for EndgameSolver<G::Class> {
    fn unit(&self) -> &'static str {
        "points (win 1, draw 0, loss −1)"
    }

    fn is_quick(&self, game: &G, position: &Position<G>) -> bool {
        let setup = game.setup(state_of(game, position));
        setup.is_some_and(|setup| {
            reachable_classes_within(game, game.class(&setup), BUILD_ALL_PLACES).is_some()
        })
    }

    fn solve(
        &mut self,
        game: &G,
        position: &Position<G>,
        progress: &mut Progress<'_>,
    ) -> Result<Exact<G::Action>, Unsolved> {
        self.nodes = 0;
        if let Some(value) = result(game, state_of(game, position)) {
            return Ok(Exact { value, best: Vec::new(), nodes: 0 });
        }
        let values = self.values(game, position, progress)?;
        let value = values.iter().map(|&(_, value)| value).fold(-1.0, f64::max);
        let best = values.into_iter().filter(|&(_, each)| each == value).map(|(action, _)| action).collect();
        Ok(Exact { value, best, nodes: self.nodes })
    }

    fn values(
        &mut self,
        game: &G,
        position: &Position<G>,
        progress: &mut Progress<'_>,
    ) -> Result<Vec<(G::Action, f64)>, Unsolved> {
        let state = state_of(game, position);
        match game.phase(state) {
            Phase::Decide(_) => {}
            Phase::Over => return Ok(Vec::new()),
            Phase::Chance => return Err(Unsolved::NoDecision("chance is to move".to_owned())),
        }
        let too_many = || Unsolved::OutOfReach("there are too many pieces, or some lie face down".to_owned());
        let setup = game.setup(state).ok_or_else(too_many)?;
        let known = self.known(game, &setup, progress)?;
        if known != GameValue::Drawn && self.rules_matter(game, state) {
            let wrong = "the rule about moves without progress may end the match first";
            return Err(Unsolved::OutOfReach(wrong.to_owned()));
        }
        game.actions(state)
            .map(|action| {
                let mut next = state.clone();
                game.apply(&mut next, action);
                let setup = game.setup(&next).ok_or_else(too_many)?;
                Ok((action, points(self.known(game, &setup, progress)?.turned())))
            })
            .collect()
    }
}
