//! The decisions of one game, in one piece of memory.

use parlor_core::Seat;

use crate::packed::unpack;

/// One decision of a game.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Step<'a> {
    /// Its number in the game, from 0; actions of chance are not counted.
    pub number: u32,
    /// Who decided.
    pub seat: Seat,
    /// What the seat saw: the symbols of the cells, as the game type's layout says. Text in UTF-8 if the type has no layout.
    pub state: &'a [u8],
    /// The action in the game's notation.
    pub input: &'a str,
    /// Where the action lies on the cells, as [`write_place`](crate::write_place) has it; empty if the type has no layout.
    pub place: &'a [u8],
}

/// The decisions of one game, first to last.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Steps {
    states: Vec<u8>,
    inputs: String,
    places: Vec<u8>,
    /// For each step its seat and where its parts end.
    ends: Vec<(Seat, [usize; 3])>,
}

impl Steps {
    /// Adds a decision.
    pub fn push(&mut self, seat: Seat, state: &[u8], input: &str, place: &[u8]) {
        self.states.extend_from_slice(state);
        self.inputs.push_str(input);
        self.places.extend_from_slice(place);
        self.ends.push((seat, [self.states.len(), self.inputs.len(), self.places.len()]));
    }

    /// Adds a decision whose state is packed; `None` if the bytes are not a packed state.
    pub(crate) fn push_packed(&mut self, seat: Seat, state: &[u8], input: &str, place: &[u8]) -> Option<()> {
        unpack(state, &mut self.states)?;
        self.push(seat, &[], input, place);
        Some(())
    }

    /// Returns the number of decisions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether nobody decided anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns decision `number`; `None` if the game has fewer decisions.
    #[must_use]
    pub fn get(&self, number: usize) -> Option<Step<'_>> {
        let &(seat, [state, input, place]) = self.ends.get(number)?;
        let [from_state, from_input, from_place] =
            number.checked_sub(1).map_or([0; 3], |before| self.ends[before].1);
        Some(Step {
            number: number as u32,
            seat,
            state: &self.states[from_state..state],
            input: &self.inputs[from_input..input],
            place: &self.places[from_place..place],
        })
    }

    /// Returns the decisions, first to last.
    pub fn iter(&self) -> impl Iterator<Item = Step<'_>> {
        (0..self.len()).filter_map(|number| self.get(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_come_back() {
        let mut steps = Steps::default();
        steps.push(Seat(0), &[1, 2], "a1", &[7]);
        steps.push(Seat(1), &[], "pass", &[]);
        steps.push(Seat(0), &[3], "", &[8, 9]);
        let all: Vec<Step<'_>> = steps.iter().collect();
        assert_eq!(all[0], Step { number: 0, seat: Seat(0), state: &[1, 2], input: "a1", place: &[7] });
        assert_eq!(all[1], Step { number: 1, seat: Seat(1), state: &[], input: "pass", place: &[] });
        assert_eq!(all[2], Step { number: 2, seat: Seat(0), state: &[3], input: "", place: &[8, 9] });
        assert_eq!(steps.get(3), None);
    }
}
