//! Leduc poker, the usual yardstick of equilibrium programs: six cards, two rounds of bets, a raise and a re-raise in each
//! (Southey and others, *Bayes' bluff: opponent modelling in poker*, UAI 2005). Nobody is asked to play it: it measures solvers.

use parlor_core::{Game, InformationSets, Payoffs, Phase, Range, Seat};

/// How many cards there are: three ranks, two of each.
const CARDS: u8 = 6;
/// No card.
const NONE: u8 = u8::MAX;
/// What everyone pays before the first card.
const ANTE: u8 = 1;
/// What a raise costs in each round.
const RAISES: [u8; 2] = [2, 4];
/// How often a round can be raised.
const MOST_RAISES: u8 = 2;

/// The game.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Leduc;

/// What is done.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// Chance: a card, for seat 0, then for seat 1, then for the table.
    Deal(u8),
    /// The other seat's card.
    DealHidden,
    /// Give up.
    Fold,
    /// Pay what is asked for, or nothing if nothing is.
    Call,
    /// Ask for more.
    Raise,
}

/// The truth about a hand.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    cards: [u8; 2],
    table: u8,
    public: Public,
}

/// What everyone sees but for the card on the table.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
struct Public {
    paid: [u8; 2],
    round: u8,
    raises: u8,
    /// Whether someone has called or raised in this round.
    opened: bool,
    turn: Seat,
    folded: Option<Seat>,
    over: bool,
    /// What was done, two bits each, behind a 1.
    log: u32,
}

/// What one seat knows.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct View {
    card: u8,
    table: u8,
    public: Public,
}

impl State {
    fn is_free(&self, card: u8) -> bool {
        card != self.table && !self.cards.contains(&card)
    }

    fn awaits_card(&self) -> bool {
        self.cards.contains(&NONE) || (self.public.round == 1 && self.table == NONE)
    }

    fn end_round(&mut self) {
        let public = &mut self.public;
        if public.round == 1 {
            public.over = true;
        } else {
            *public = Public { round: 1, raises: 0, opened: false, turn: Seat::FIRST, ..*public };
        }
    }
}

/// Two cards are a rank; the pair beats everything, then the higher rank.
fn strength(card: u8, table: u8) -> u8 {
    if card / 2 == table / 2 { CARDS } else { card / 2 }
}

impl Game for Leduc {
    type State = State;
    type Action = Move;
    type View = View;

    fn seats(&self) -> u8 {
        2
    }

    fn start(&self) -> State {
        let public = Public {
            paid: [ANTE; 2],
            round: 0,
            raises: 0,
            opened: false,
            turn: Seat::FIRST,
            folded: None,
            over: false,
            log: 1,
        };
        State { cards: [NONE; 2], table: NONE, public }
    }

    fn phase(&self, state: &State) -> Phase {
        if state.public.over {
            Phase::Over
        } else if state.awaits_card() {
            Phase::Chance
        } else {
            Phase::Decide(state.public.turn)
        }
    }

    fn actions(&self, state: &State) -> impl ExactSizeIterator<Item = Move> {
        const ALL: [Move; 3] = [Move::Fold, Move::Call, Move::Raise];
        let public = &state.public;
        let from = usize::from(public.raises == 0);
        let to = if public.raises < MOST_RAISES { 3 } else { 2 };
        let asked = matches!(self.phase(state), Phase::Decide(_));
        ALL[if asked { from..to } else { 0..0 }].iter().copied()
    }

    fn chances(&self, state: &State) -> impl Iterator<Item = (Move, f64)> {
        let free = (0..CARDS).filter(|&card| state.is_free(card));
        let weight = 1.0 / free.clone().count() as f64;
        let asked = self.phase(state) == Phase::Chance;
        free.filter(move |_| asked).map(move |card| (Move::Deal(card), weight))
    }

    fn apply(&self, state: &mut State, action: Move) {
        let code = match action {
            Move::Deal(card) => {
                let place = state.cards.iter_mut().find(|card| **card == NONE);
                *place.unwrap_or(&mut state.table) = card;
                return;
            }
            Move::DealHidden => panic!("a masked action is seen, not done"),
            Move::Fold => 1,
            Move::Call => 2,
            Move::Raise => 3,
        };
        let public = &mut state.public;
        public.log = public.log << 2 | code;
        let (own, other) = (public.turn.index(), public.turn.other().index());
        match action {
            Move::Fold => {
                public.folded = Some(public.turn);
                public.over = true;
            }
            Move::Raise => {
                public.paid[own] = public.paid[other] + RAISES[usize::from(public.round)];
                public.raises += 1;
                public.opened = true;
                public.turn = public.turn.other();
            }
            _ => {
                public.paid[own] = public.paid[other];
                if public.opened {
                    state.end_round();
                } else {
                    public.opened = true;
                    public.turn = public.turn.other();
                }
            }
        }
    }

    fn payoffs(&self, state: &State) -> Payoffs {
        let [first, second] = state.cards.map(|card| strength(card, state.table));
        let paid = state.public.paid.map(f64::from);
        Payoffs::zero_sum(match state.public.folded {
            Some(Seat::FIRST) => -paid[0],
            Some(_) => paid[1],
            None if first == second => 0.0,
            None if first > second => paid[1],
            None => -paid[0],
        })
    }

    fn range(&self) -> Range {
        let most = ANTE + MOST_RAISES * (RAISES[0] + RAISES[1]);
        Range { low: -f64::from(most), high: f64::from(most), sum: Some(0.0) }
    }

    fn view(&self, state: &State, seat: Seat) -> View {
        View { card: state.cards[seat.index()], table: state.table, public: state.public }
    }

    fn seen(&self, state: &State, action: Move, seat: Seat) -> Option<Move> {
        let receiver = state.cards.iter().position(|&card| card == NONE);
        Some(match action {
            Move::Deal(_) if receiver.is_some_and(|receiver| receiver != seat.index()) => Move::DealHidden,
            open => open,
        })
    }
}

impl InformationSets for Leduc {
    /// Suits do not matter.
    fn recall(&self, view: &View, memory: &mut Vec<u8>) {
        memory.extend([view.card / 2, view.table / 2]);
        memory.extend(view.public.log.to_le_bytes());
    }

    fn recall_everything(&self, view: &View, memory: &mut Vec<u8>) {
        memory.extend([view.card, view.table]);
        memory.extend(view.public.log.to_le_bytes());
    }

    fn label(&self, _: &View, action: Move) -> u32 {
        match action {
            Move::Fold => 0,
            Move::Call => 1,
            _ => 2,
        }
    }
}
