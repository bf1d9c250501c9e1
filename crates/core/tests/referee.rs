//! The match loop and its clocks, tried on a game that is nothing but decisions.

use std::thread::sleep;
use std::time::Duration;

use parlor_core::{
    Agent, BySeat, Clock, Decision, Ending, Fault, Game, Match, Payoffs, Phase, Range, Rng, Seat, TimeControl,
};

/// Each seat in turn says nothing, until so many things were said.
#[derive(Clone, Debug)]
struct Silence {
    seats: u8,
    plies: u8,
}

impl Game for Silence {
    type State = u8;
    type Action = ();
    type View = u8;

    fn seats(&self) -> u8 {
        self.seats
    }
    fn start(&self) -> u8 {
        0
    }
    fn phase(&self, &said: &u8) -> Phase {
        if said == self.plies { Phase::Over } else { Phase::Decide(Seat(said % self.seats)) }
    }
    fn actions(&self, _: &u8) -> impl ExactSizeIterator<Item = ()> {
        std::iter::once(())
    }
    fn chances(&self, _: &u8) -> impl Iterator<Item = ((), f64)> {
        std::iter::empty()
    }
    fn apply(&self, said: &mut u8, (): ()) {
        *said += 1;
    }
    fn payoffs(&self, _: &u8) -> Payoffs {
        Payoffs::zero_sum(0.0)
    }
    fn range(&self) -> Range {
        Range::WIN_DRAW_LOSS
    }
    fn view(&self, &said: &u8, _: Seat) -> u8 {
        said
    }
    fn seen(&self, _: &u8, (): (), _: Seat) -> Option<()> {
        Some(())
    }
}

/// Thinks for a while, and keeps what the clocks showed.
#[derive(Default)]
struct Sleeper {
    naps: Duration,
    shown: Vec<(Clock, Option<Clock>)>,
}

impl Agent<Silence> for Sleeper {
    fn act(&mut self, decision: &Decision<'_, Silence>, _: &mut Rng) {
        self.shown.push((decision.clock, decision.opponent_clock));
        sleep(self.naps);
    }
}

fn sleeper(millis: u64) -> Sleeper {
    Sleeper { naps: Duration::from_millis(millis), shown: Vec::new() }
}

fn control(text: &str) -> TimeControl {
    text.parse().unwrap()
}

fn ending(plies: u8, time: &str, millis: u64) -> Ending {
    let (mut quick, mut slow) = (sleeper(0), sleeper(millis));
    let mut settings = Match::seeded(1);
    settings.time = BySeat([TimeControl::default(), control(time)]);
    settings.play(&Silence { seats: 2, plies }, &mut [&mut quick, &mut slow], &mut ()).ending
}

#[test]
fn overrunning_any_control_forfeits() {
    let overran = Ending::Forfeit { seat: Seat(1), why: Fault::Overran };
    assert_eq!(ending(2, "1ms/move", 20), overran);
    assert_eq!(ending(8, "30ms", 20), overran);
    assert_eq!(ending(8, "3/50ms:1/1h", 20), overran, "the second period cannot be had early");
    assert_eq!(ending(8, "1ms:1/1ms", 20), overran);
    assert_eq!(ending(8, "1h@1ms/move", 20), overran);
}

#[test]
fn generous_controls_do_not() {
    for time in ["none", "1h/move", "1h", "1/1h:1/1h", "1ms:1/1h", "1h+1h@1h/move"] {
        assert_eq!(ending(6, time, 2), Ending::Finished, "{time}");
    }
}

#[test]
fn agents_are_told_both_clocks() {
    let (mut one, mut two) = (sleeper(3), sleeper(0));
    let mut settings = Match::seeded(1);
    settings.time = BySeat([control("1h"), control("2/2h:2/1h")]);
    settings.play(&Silence { seats: 2, plies: 6 }, &mut [&mut one, &mut two], &mut ());
    assert_eq!((one.shown.len(), two.shown.len()), (3, 3));
    let (own, other) = two.shown[2];
    assert_eq!(own.control(), control("2/2h:2/1h"));
    assert_eq!(own.decisions_left().map(std::num::NonZero::get), Some(2), "a new period has begun");
    let other = other.expect("there is an opponent");
    assert_eq!((other.control(), other.decisions()), (control("1h"), 3));
    assert!(other.used() >= Duration::from_millis(9), "the opponent's naps are on its clock");
    assert_eq!(one.shown[2].1.unwrap().decisions(), 2);
}

#[test]
fn a_solitary_seat_has_no_opponent() {
    let mut alone = sleeper(0);
    Match::seeded(1).play(&Silence { seats: 1, plies: 2 }, &mut [&mut alone], &mut ());
    assert_eq!(alone.shown, [(Clock::default(), None); 2]);
}
