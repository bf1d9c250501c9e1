//! Weights of the expert's rules, in points.

/// The value of one unit of each rule, in points unless stated otherwise.
///
/// Tuned by hill climbing, one weight at a time, in steps from ×1.6 down to about ×1.15: a change stayed if it raised
/// the mean margin over single stages of double-six by 0.7 standard errors or more. Each trial was 3,500 to 5,000
/// deals, seats swapped, against each of `scoring`, `defense`, `random-tile` and (twice) the weights before the
/// sweep; old and new weights played the same deals. The results were rounded. `stake` was chosen from 0, 20, 40, 60
/// and 100 by contests.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Weights {
    /// A point that a move scores now.
    pub points: f64,
    /// A point of the other seat's expected reply.
    pub danger: f64,
    /// A point that the seat could score next if the board stayed the same.
    pub plan: f64,
    /// An expected draw of the other seat.
    pub pull: f64,
    /// A turn that the other seat misses because it can neither play nor draw.
    pub pass: f64,
    /// A double played, in mean tiles: a tile of double-*n* has *n* pips on average.
    pub double: f64,
    /// A pip value left in hand. Negative: tiles of many different values are harder to play.
    pub suit: f64,
    /// A certain place to play at the next turn, in mean tiles.
    pub follow: f64,
    /// Probability that one place where the seat could play next is gone by then.
    pub cover: f64,
    /// A pip left in hand when the other seat may go out with its next tile.
    pub pip: f64,
    /// Factor on `pip` for every further tile that the other seat holds.
    pub decay: f64,
    /// A reply that wins the contest for the other seat, in points.
    pub stake: f64,
}

impl Weights {
    /// Weights under scoring boards.
    pub const FIVES: Weights = Weights {
        points: 1.0,
        danger: 0.55,
        plan: 0.13,
        pull: 2.8,
        pass: 1.2,
        double: 0.53,
        suit: -0.9,
        follow: 1.6,
        cover: 0.5,
        pip: 1.0,
        decay: 0.32,
        stake: 20.0,
    };

    /// Weights without scoring boards.
    pub const PLAIN: Weights = Weights {
        points: 0.0,
        danger: 0.0,
        plan: 0.0,
        pull: 4.9,
        pass: 8.0,
        double: 0.12,
        suit: -0.4,
        follow: 0.87,
        cover: 0.76,
        pip: 0.5,
        decay: 0.53,
        stake: 0.0,
    };
}
