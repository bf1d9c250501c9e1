//! Kuhn poker (H. W. Kuhn, *A simplified two-person poker*, 1950), and matching pennies.

use parlor_core::{Game, InformationSets, Payoffs, Phase, Range, Seat};

#[derive(Clone, Debug)]
pub struct Kuhn;

/// The cards, and the actions: `c` for check or call, `b` for bet, `f` for fold.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    cards: Vec<u8>,
    done: Vec<char>,
}

impl Game for Kuhn {
    type State = State;
    type Action = char;
    type View = (Option<u8>, Vec<char>);

    fn seats(&self) -> u8 {
        2
    }
    fn start(&self) -> State {
        State::default()
    }
    fn phase(&self, state: &State) -> Phase {
        let done: String = state.done.iter().collect();
        match done.as_str() {
            _ if state.cards.len() < 2 => Phase::Chance,
            "" | "cb" => Phase::Decide(Seat::FIRST),
            "c" | "b" => Phase::Decide(Seat::SECOND),
            _ => Phase::Over,
        }
    }
    fn actions(&self, state: &State) -> impl ExactSizeIterator<Item = char> {
        let offered: &[char] = match (self.phase(state), state.done.last()) {
            (Phase::Decide(_), Some('b')) => &['f', 'c'],
            (Phase::Decide(_), _) => &['c', 'b'],
            _ => &[],
        };
        offered.iter().copied()
    }
    fn chances(&self, state: &State) -> impl Iterator<Item = (char, f64)> {
        let left = 3 - state.cards.len();
        let cards = (1..=3_u8).filter(|card| !state.cards.contains(card));
        cards.map(move |card| (char::from(b'0' + card), 1.0 / left as f64))
    }
    fn apply(&self, state: &mut State, action: char) {
        match action.to_digit(10) {
            Some(card) => state.cards.push(card as u8),
            None => state.done.push(action),
        }
    }
    fn payoffs(&self, state: &State) -> Payoffs {
        let done: String = state.done.iter().collect();
        let won = if state.cards[0] > state.cards[1] { 1.0 } else { -1.0 };
        Payoffs::zero_sum(match done.as_str() {
            "bf" => 1.0,
            "cbf" => -1.0,
            "cc" => won,
            _ => 2.0 * won,
        })
    }
    fn range(&self) -> Range {
        Range { low: -2.0, high: 2.0, sum: Some(0.0) }
    }
    fn view(&self, state: &State, seat: Seat) -> Self::View {
        (state.cards.get(seat.index()).copied(), state.done.clone())
    }
    fn seen(&self, _: &State, action: char, _: Seat) -> Option<char> {
        (!action.is_ascii_digit()).then_some(action)
    }
}

impl InformationSets for Kuhn {
    fn recall(&self, view: &Self::View, memory: &mut Vec<u8>) {
        memory.extend(view.0);
        memory.extend(view.1.iter().map(|&done| done as u8));
    }
    fn recall_everything(&self, view: &Self::View, memory: &mut Vec<u8>) {
        self.recall(view, memory);
    }
    fn label(&self, _: &Self::View, action: char) -> u32 {
        action.into()
    }
}

/// The first seat shows a side of a coin that the second does not see.
#[derive(Clone, Debug)]
pub struct Pennies;

impl Game for Pennies {
    type State = Vec<bool>;
    type Action = bool;
    type View = usize;

    fn seats(&self) -> u8 {
        2
    }
    fn start(&self) -> Vec<bool> {
        Vec::new()
    }
    fn phase(&self, state: &Vec<bool>) -> Phase {
        if state.len() < 2 { Phase::Decide(Seat(state.len() as u8)) } else { Phase::Over }
    }
    fn actions(&self, state: &Vec<bool>) -> impl ExactSizeIterator<Item = bool> {
        let offered: &[bool] = if state.len() < 2 { &[false, true] } else { &[] };
        offered.iter().copied()
    }
    fn chances(&self, _: &Vec<bool>) -> impl Iterator<Item = (bool, f64)> {
        std::iter::empty()
    }
    fn apply(&self, state: &mut Vec<bool>, action: bool) {
        state.push(action);
    }
    fn payoffs(&self, state: &Vec<bool>) -> Payoffs {
        Payoffs::zero_sum(if state[0] == state[1] { 1.0 } else { -1.0 })
    }
    fn range(&self) -> Range {
        Range::WIN_DRAW_LOSS
    }
    fn view(&self, state: &Vec<bool>, _: Seat) -> usize {
        state.len()
    }
    fn seen(&self, _: &Vec<bool>, _: bool, _: Seat) -> Option<bool> {
        None
    }
}

impl InformationSets for Pennies {
    fn recall(&self, view: &usize, memory: &mut Vec<u8>) {
        memory.push(*view as u8);
    }
    fn recall_everything(&self, view: &usize, memory: &mut Vec<u8>) {
        self.recall(view, memory);
    }
    fn label(&self, _: &usize, action: bool) -> u32 {
        action.into()
    }
}
