//! Exact values: from tables that are worked out when they are needed, and by proof down to tables where there would be too many.

use parlor_core::{
    Exact, GameValue, PerfectInfo, Phase, Position, Progress, Resources, Reversible, Seat, Solver, Unsolved,
};

use super::build::{complete, needed_within, up_to};
use super::fortress::certain;
use super::proof::{Memory, Proof};
use super::table::Tables;

/// With at most so many places, all that can follow is worked out at once: seconds.
const AT_ONCE: u64 = 12_000_000;

/// How a proof is tried, first with less and then with more: the most places of the tables that end it, and its nodes.
const TRIES: [(u64, u64); 2] = [(8_000_000, 3_000_000), (60_000_000, 30_000_000)];

/// With more places than this nothing but a short proof is tried. Six men against six on 8×8 have half as many, the start of 6×6 far
/// fewer. From the start of 8×8 a minute of proof search finds nothing.
const MOST_FOR_A_LONG_PROOF: u64 = 1_000_000_000_000_000;

/// The most places and nodes of a short proof, which takes a second at the most.
const SHORT_TRY: (u64, u64) = (1_000_000, 200_000);

/// Pieces of the tables that a short proof may end in, at the most.
const SHORT_TRY_PIECES: u32 = 4;

/// More places than this are never worked out: minutes.
const MOST_PLACES: u64 = 200_000_000;

/// Places that fit a mebibyte.
const PLACES_IN_A_MEBIBYTE: u64 = 4 << 20;

/// Solves positions of a game whose setups can be listed.
struct Endgames<C> {
    means: Resources,
    tables: Tables<C>,
    memory: Option<Memory>,
    nodes: u64,
}

/// Returns a solver. Values are 1, 0 and −1. Tables know of the rule that ends a match in which nothing happens, from positions
/// on in which something just has; where something has not, they answer only if there is time enough. Proofs do not know of the
/// rule: a draw that is proven is one with it as well, of a win that is not said.
pub fn solver<G: Reversible + PerfectInfo>(_: &G, means: &Resources) -> Box<dyn Solver<G>> {
    Box::new(Endgames::<G::Class> { means: means.clone(), tables: Tables::default(), memory: None, nodes: 0 })
}

impl<C: Copy + Eq + std::hash::Hash> Endgames<C> {
    fn places<G: Reversible<Class = C>>(game: &G, classes: &[C]) -> u64 {
        classes.iter().map(|&class| game.class_size(class)).fold(0, u64::saturating_add)
    }

    fn work_out<G: Reversible<Class = C>>(
        &mut self,
        game: &G,
        classes: &[C],
        progress: &mut Progress<'_>,
    ) -> Result<(), Unsolved> {
        let missing: Vec<C> =
            classes.iter().copied().filter(|&class| self.tables.get(class).is_none()).collect();
        let most_plies = game.quiet_plies_left(&game.start());
        complete(game, &mut self.tables, &missing, most_plies, self.means.threads, progress)?;
        self.nodes += Self::places(game, &missing);
        Ok(())
    }

    /// Returns what a setup is worth to the side to move.
    fn known<G: Reversible<Class = C>>(
        &mut self,
        game: &G,
        setup: &G::Setup,
        progress: &mut Progress<'_>,
    ) -> Result<GameValue, Unsolved> {
        if let Some(known) = self.tables.value(game, setup) {
            return Ok(known);
        }
        // The other side has nothing left to move with: whatever is played now wins. Tables hold no such setup.
        if game.is_bare(game.turned(game.class(setup))) {
            return Ok(GameValue::Won);
        }
        // Step 1. All that can follow, if that is little.
        let Some(classes) = needed_within(game, game.class(setup), MOST_FOR_A_LONG_PROOF) else {
            return self.proven_at_once(game, setup, progress);
        };
        let places = Self::places(game, &classes);
        if places <= AT_ONCE {
            self.work_out(game, &classes, progress)?;
            return self.known(game, setup, progress);
        }
        // Step 2. All that can follow, if that is not too much and no short proof is found; otherwise a longer proof.
        let room = PLACES_IN_A_MEBIBYTE.saturating_mul(self.means.memory_mb as u64);
        let mut why = String::new();
        for (number, (most, nodes)) in TRIES.into_iter().enumerate() {
            if number > 0 && places <= MOST_PLACES.min(room) {
                self.work_out(game, &classes, progress)?;
                return self.known(game, setup, progress);
            }
            let below = Self::below(game, &classes, most);
            self.work_out(game, &below, progress)?;
            match self.proven(game, setup, nodes, progress) {
                Err(Unsolved::OutOfReach(wrong)) => why = wrong,
                answer => return answer,
            }
        }
        Err(Unsolved::OutOfReach(format!("out of reach: {places} positions can follow, and {why}")))
    }

    /// Returns what a setup is worth that has too much before it for anything but a short proof.
    fn proven_at_once<G: Reversible<Class = C>>(
        &mut self,
        game: &G,
        setup: &G::Setup,
        progress: &mut Progress<'_>,
    ) -> Result<GameValue, Unsolved> {
        let (most, nodes) = SHORT_TRY;
        let below = Self::below(game, &up_to(game, SHORT_TRY_PIECES), most);
        self.work_out(game, &below, progress)?;
        self.proven(game, setup, nodes, progress).map_err(|wrong| match wrong {
            Unsolved::OutOfReach(why) => Unsolved::OutOfReach(format!(
                "out of reach: more than {MOST_FOR_A_LONG_PROOF:e} positions can follow, and {why}"
            )),
            other => other,
        })
    }

    /// Returns those of `classes` with so few pieces that they have at most so many places together.
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
        let memory = self.memory.get_or_insert_with(|| Memory::new(self.means.memory_mb));
        let mut proof = Proof::new(game, &self.tables, memory, most_nodes);
        let answer = weighed(&mut proof, setup, progress);
        self.nodes += proof.nodes;
        answer
    }

    /// Returns whether a rule that ends long stretches in which nothing happens could make a draw of a win.
    fn rules_matter<G: Reversible<Class = C>>(&self, game: &G, state: &G::State) -> bool {
        let Some(setup) = game.setup(state) else { return false };
        // Where too many classes can follow to list them, every table that is held may matter.
        let longest = needed_within(game, game.class(&setup), MOST_FOR_A_LONG_PROOF)
            .unwrap_or_else(|| self.tables.classes().collect())
            .into_iter()
            .filter_map(|class| self.tables.get(class))
            .map(|table| table.census.longest);
        longest.max().unwrap_or(0) > game.quiet_plies_left(state)
    }
}

/// Returns what a setup is worth to the side to move, by a proof down to the tables that are held, with a memory of so many
/// mebibytes and at most so many nodes.
///
/// # Errors
/// If that is not enough, or it is called off.
pub fn prove<G: Reversible>(
    game: &G,
    tables: &Tables<G::Class>,
    setup: &G::Setup,
    (mebibytes, most_nodes): (usize, u64),
    progress: &mut Progress<'_>,
) -> Result<GameValue, Unsolved> {
    let mut memory = Memory::new(mebibytes);
    weighed(&mut Proof::new(game, tables, &mut memory, most_nodes), setup, progress)
}

fn weighed<G: Reversible>(
    proof: &mut Proof<'_, G>,
    setup: &G::Setup,
    progress: &mut Progress<'_>,
) -> Result<GameValue, Unsolved> {
    Ok(if certain(proof, (*setup, true), progress)? {
        GameValue::Won
    } else if certain(proof, (*setup, false), progress)? {
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

/// Returns the state that is asked about.
fn state_of<'p, G: PerfectInfo>(game: &G, position: &'p Position<G>) -> &'p G::State {
    match position {
        Position::State(state) => state,
        Position::View(view) => game.truth(view),
    }
}

/// Returns the value of a finished match to the seat whose turn would come next: if it is not drawn, that seat cannot move and
/// has lost. `None` while the match goes on.
fn result<G: Reversible>(game: &G, state: &G::State) -> Option<f64> {
    (game.phase(state) == Phase::Over).then(|| -game.payoffs(state).of(Seat::FIRST).abs() + 0.0)
}

impl<G: Reversible + PerfectInfo> Solver<G> for Endgames<G::Class> {
    fn unit(&self) -> &'static str {
        "points (win 1, draw 0, loss −1)"
    }

    fn is_quick(&self, game: &G, position: &Position<G>) -> bool {
        let setup = game.setup(state_of(game, position));
        setup.is_some_and(|setup| needed_within(game, game.class(&setup), AT_ONCE).is_some())
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
            Phase::Chance => return Err(Unsolved::NoDecision("chance is to act here".to_owned())),
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
