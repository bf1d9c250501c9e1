//! Dominoes for two: a line with a spinner and four ends, points for board counts that are multiples of five, a boneyard
//! to draw from, stages and contests.
//!
//! After "Dominating Dominoes", Appendix A (rule set `dominating`), and Myers 2014 (rule set `myers`). Where they are
//! silent or disagree there is a switch in [`Rules`]; the guide's page documents the default reading and its reason.

mod afterstates;
mod board;
mod contest;
mod deals;
mod draw;
mod entry;
mod features;
mod hand_counts;
mod histories;
mod holdings;
mod imagine;
mod information_sets;
mod layout;
mod listing;
mod notation;
mod people;
pub mod players;
mod plays;
mod replies;
mod rules;
mod sheet;
mod solve;
mod staged;
mod state;
mod stimulus;
mod tile;
mod view;
mod worlds;

use parlor_core::{BySeat, Game, Payoffs, Phase, Range, Rng, Seat};

pub use board::{Board, End, OpenEnd};
use contest::KnownStandings;
pub use features::Tracker;
pub use plays::Plays;
pub use rules::{
    Arms, Blocked, Bonus, Drawing, Leading, MAX_STAGES, MAX_TARGET, Preset, Rules, RulesError, Spinner,
};
pub use sheet::{EndSheet, EndedSheet, EventSheet, Sheet};
pub use solve::{DealValue, OpenHands, solver};
use state::Step;
pub use state::{Action, Event, How, Log, MAX_EVENTS, StageEnd, State};
pub use stimulus::Codec;
pub use tile::{MAX_PIPS, MAX_TILES, Tile, TileSet, Tiles};
pub use view::{Awaits, View};

/// The game, with consistent rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dominoes {
    rules: Rules,
    /// Every tile of the set.
    all: TileSet,
    /// Number of tiles left after the deal.
    bones_after_deal: u8,
    /// What scores are worth in a contest, once it was asked for.
    standings: KnownStandings,
}

impl Dominoes {
    /// Returns the game.
    ///
    /// # Errors
    /// If the rules are inconsistent.
    pub fn new(rules: Rules) -> Result<Self, RulesError> {
        rules.check()?;
        let all = TileSet::all(rules.set);
        let bones_after_deal = all.len() - 2 * rules.hand;
        Ok(Dominoes { rules, all, bones_after_deal, standings: KnownStandings::default() })
    }

    /// Returns the rules.
    #[inline]
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns every tile of the set.
    #[inline]
    #[must_use]
    pub fn all(&self) -> TileSet {
        self.all
    }

    /// Returns a stage before its deal.
    fn fresh(&self) -> State {
        State {
            hands: BySeat::default(),
            boneyard: self.all,
            bones: self.all.len(),
            board: Board::default(),
            step: Step::Deal,
            turn: Seat::FIRST,
            leader: None,
            stage: 1,
            scores: BySeat::default(),
            before: BySeat::default(),
            ended: None,
            log: Log::new(),
        }
    }

    /// Gives the turn to the leader, after the deal.
    fn begin(&self, state: &mut State) {
        if self.lead_is_forced() {
            let claim = |seat: Seat| state.hands[seat].strongest().map(Tile::claim);
            let second = claim(Seat::SECOND) > claim(Seat::FIRST);
            state.leader = Some(Seat(u8::from(second)));
        }
        state.turn = state.leader.expect("chance, the last stage or the rule has named the leader");
        state.step = Step::Play;
    }

    /// Returns whether a tile may be drawn.
    #[inline]
    fn may_draw(&self, state: &State) -> bool {
        state.bones > self.rules.reserve
    }

    /// Sets the next step of the seat to move: play, draw or pass.
    #[inline]
    fn set_step(&self, state: &mut State) {
        let playable = state.hands[state.turn] & state.board.fits();
        state.step = if !playable.is_empty() {
            Step::Play
        } else if self.may_draw(state) {
            Step::Draw
        } else {
            Step::Pass
        };
    }

    #[inline]
    fn play(&self, state: &mut State, tile: Tile, end: End) {
        let seat = state.turn;
        state.hands[seat] -= tile.into();
        state.board.put(&self.rules, tile, end);
        let points = self.points_for(state.board.count());
        state.log.push(Event { seat, action: Action::Play(tile, end), points });
        let score = state.scores[seat] + u16::from(points);
        state.scores[seat] = score;
        if self.rules.target.is_some_and(|target| score > target) {
            state.step = Step::Over;
        } else if state.hands[seat].is_empty() {
            self.end_stage(state, How::Out(seat));
        } else {
            state.turn = seat.other();
            self.set_step(state);
        }
    }

    #[inline]
    fn take(&self, state: &mut State, tile: Tile) {
        let seat = state.turn;
        state.boneyard -= tile.into();
        state.bones -= 1;
        state.hands[seat] |= tile.into();
        state.log.push(Event { seat, action: Action::Draw(tile), points: 0 });
        match self.rules.draw {
            Drawing::Until => self.set_step(state),
            Drawing::OneThenPlay => {
                // No tile fitted before, so only this one can fit now.
                let fits = state.board.fits().contains(tile);
                state.step = if fits { Step::Play } else { Step::Pass };
            }
            Drawing::OneEndsTurn => {
                state.turn = seat.other();
                self.set_step(state);
            }
        }
    }

    fn pass(&self, state: &mut State) {
        let seat = state.turn;
        state.log.push(Event { seat, action: Action::Pass, points: 0 });
        state.turn = seat.other();
        self.set_step(state);
        if state.step == Step::Pass {
            self.end_stage(state, How::Blocked);
        }
    }

    /// Returns whether a score exceeds the target.
    fn decided(&self, state: &State) -> bool {
        let [first, second] = state.scores.0;
        self.rules.target.is_some_and(|target| first.max(second) > target)
    }

    /// Returns the leader of the stage after one that has ended like this, where no rule names another.
    fn next_leader(&self, state: &State, how: How) -> Option<Seat> {
        let [first, second] = state.hands.0.map(TileSet::pips);
        match how {
            _ if self.lead_is_forced() => None,
            How::Out(seat) => Some(seat),
            How::Blocked if first == second => state.leader,
            How::Blocked => Some(if first < second { Seat::FIRST } else { Seat::SECOND }),
        }
    }

    /// Scores the end of a stage and, in a contest that continues, collects the tiles for the next.
    fn end_stage(&self, state: &mut State, how: How) {
        let pips = BySeat(state.hands.0.map(TileSet::pips));
        let [first, second] = pips.0;
        let mut points = BySeat([0, 0]);
        let lower = if first < second { Seat::FIRST } else { Seat::SECOND };
        match how {
            How::Out(seat) => {
                let left = pips[seat.other()];
                points[seat] = match self.rules.bonus {
                    Bonus::Pips => left,
                    Bonus::Five => (left + 2) / 5 * 5,
                    Bonus::None => 0,
                };
            }
            How::Blocked => match self.rules.blocked {
                Blocked::Each => points = BySeat([second, first]),
                Blocked::Lower if first != second => points[lower] = pips[lower.other()],
                Blocked::Difference => points[lower] = first.abs_diff(second),
                Blocked::Lower | Blocked::Nothing => {}
            },
        }
        let leader = self.next_leader(state, how);
        for seat in Seat::all(2) {
            state.scores[seat] += points[seat];
        }
        state.ended = Some(StageEnd { how, points });
        if self.rules.target.is_none() || self.decided(state) || state.stage == MAX_STAGES {
            state.step = Step::Over;
            return;
        }
        *state = State {
            leader,
            stage: state.stage + 1,
            scores: state.scores,
            before: state.scores,
            ended: state.ended,
            ..self.fresh()
        };
    }

    /// Returns the seat that receives the next tile of the deal.
    #[inline]
    fn next_to_be_dealt(&self, state: &State) -> Seat {
        Seat(u8::from(state.bones <= self.bones_after_deal + self.rules.hand))
    }
}

impl Game for Dominoes {
    type State = State;
    type Action = Action;
    type View = View;

    fn seats(&self) -> u8 {
        2
    }

    fn start(&self) -> State {
        let step = if self.lead_is_forced() { Step::Deal } else { Step::Lead };
        State { step, ..self.fresh() }
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        match state.step {
            Step::Lead | Step::Deal | Step::Draw => Phase::Chance,
            Step::Play | Step::Pass => Phase::Decide(state.turn),
            Step::Over => Phase::Over,
        }
    }

    #[inline]
    fn actions(&self, state: &State) -> impl ExactSizeIterator<Item = Action> {
        self.plays(state)
    }

    fn chances(&self, state: &State) -> impl Iterator<Item = (Action, f64)> {
        let step = state.step;
        let seats = if step == Step::Lead { 2 } else { 0 };
        let tiles = if matches!(step, Step::Deal | Step::Draw) { state.boneyard } else { TileSet::EMPTY };
        let weight = 1.0 / f64::from(tiles.len());
        let leads = Seat::all(seats).map(|seat| (Action::Lead(seat), 0.5));
        let given = move |tile| if step == Step::Deal { Action::Deal(tile) } else { Action::Draw(tile) };
        leads.chain(tiles.tiles().map(move |tile| (given(tile), weight)))
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Action) {
        match action {
            Action::Play(tile, end) => self.play(state, tile, end),
            Action::Draw(tile) => self.take(state, tile),
            Action::Deal(tile) => {
                let seat = self.next_to_be_dealt(state);
                state.boneyard -= tile.into();
                state.bones -= 1;
                state.hands[seat] |= tile.into();
                if state.bones == self.bones_after_deal {
                    self.begin(state);
                }
            }
            Action::Pass => self.pass(state),
            Action::Lead(seat) => {
                state.leader = Some(seat);
                state.step = Step::Deal;
            }
            Action::DealHidden | Action::DrawHidden => panic!("a masked action is seen, not done"),
        }
    }

    fn stages(&self, state: &State) -> u32 {
        u32::from(state.stage - u16::from(state.step != Step::Over))
    }

    /// The seat that went out or exceeded the target while playing; after a block, the seat that scored more for it.
    fn stage_winner(&self, state: &State) -> Option<Seat> {
        if state.step == Step::Over
            && let Some(Event { seat, action: Action::Play(..), .. }) = state.log.last()
        {
            return Some(*seat);
        }
        state.ended.and_then(|end| match end.how {
            How::Out(seat) => Some(seat),
            How::Blocked => Payoffs(BySeat(end.points.0.map(f64::from))).winner(),
        })
    }

    fn scores(&self, state: &State) -> BySeat<f64> {
        BySeat(state.scores.0.map(f64::from))
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        let [first, second] = state.scores.0.map(f64::from);
        let lead = first - second;
        Payoffs::zero_sum(if self.rules.target.is_none() || lead == 0.0 { lead } else { lead.signum() })
    }

    fn range(&self) -> Range {
        if self.rules.target.is_some() {
            return Range::WIN_DRAW_LOSS;
        }
        // Upper bound: every tile scores four exposed doubles, and all pips are left at the end.
        let most = f64::from(self.all.len()) * f64::from(self.rules.set) * 8.0 + f64::from(self.all.pips());
        Range { low: -most, high: most, sum: Some(0.0) }
    }

    fn view(&self, state: &State, seat: Seat) -> View {
        self.view_of(state, seat)
    }

    fn seen(&self, state: &State, action: Action, seat: Seat) -> Option<Action> {
        Some(match action {
            Action::Deal(_) if seat != self.next_to_be_dealt(state) => Action::DealHidden,
            Action::Draw(_) if seat != state.turn => Action::DrawHidden,
            open => open,
        })
    }

    #[inline]
    fn pick(&self, state: &State, rng: &mut Rng) -> Action {
        self.plays(state).pick(rng)
    }

    #[inline]
    fn sample(&self, state: &State, rng: &mut Rng) -> Action {
        if state.step == Step::Lead {
            return Action::Lead(Seat(rng.below(2) as u8));
        }
        let tile = state.boneyard.nth(rng.below(u32::from(state.bones)));
        if state.step == Step::Deal { Action::Deal(tile) } else { Action::Draw(tile) }
    }
}

impl Dominoes {
    #[inline]
    fn plays(&self, state: &State) -> Plays {
        match state.step {
            Step::Play => Plays::of(&self.rules, &state.board, state.hands[state.turn]),
            Step::Pass => Plays::pass(),
            _ => Plays::none(),
        }
    }
}

const _: () = assert!(size_of::<Action>() == 2 && size_of::<Event>() == 4);

#[cfg(test)]
mod tests;
