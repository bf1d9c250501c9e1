//! The match loop and its clocks, tried on a game that is nothing but decisions.

use std::thread::sleep;
use std::time::Duration;

use parlor_core::{
    Agent, BySeat, Cancel, Clock, Context, Decision, Ending, Fault, Forfeit, Game, Match, Payoffs, Phase,
    Pondering, Range, Seat, TimeControl,
};

/// Each seat in turn says nothing, for a number of plies.
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
    fn act(&mut self, _: &Decision<'_, Silence>, context: &mut Context<'_, Silence>) {
        self.shown.push((context.clock, context.opponent_clock));
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
    let overran = Ending::Forfeit(Forfeit { seat: Seat(1), why: Fault::Overran });
    assert_eq!(ending(2, "1ms/move", 120), overran);
    assert_eq!(ending(8, "1ms/move", 40), overran, "late by a little, and again and again");
    assert_eq!(ending(8, "30ms", 50), overran);
    assert_eq!(ending(8, "3/50ms:1/1h", 60), overran, "the second period cannot be had early");
    assert_eq!(ending(8, "1ms:1/1ms", 60), overran);
    assert_eq!(ending(8, "1h@1ms/move", 60), overran);
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

#[test]
fn opening_decisions_are_nobodys() {
    let (mut one, mut two) = (sleeper(0), sleeper(0));
    let mut settings = Match::seeded(1);
    settings.opening = 3;
    let outcome = settings.play(&Silence { seats: 2, plies: 6 }, &mut [&mut one, &mut two], &mut ());
    assert_eq!((outcome.plies, one.shown.len(), two.shown.len()), (6, 1, 2));
}

/// Thinks until cancelled, and keeps what it was shown.
#[derive(Default)]
struct Ponderer {
    pondered: Vec<u8>,
}

impl Agent<Silence> for Ponderer {
    fn act(&mut self, _: &Decision<'_, Silence>, _: &mut Context<'_, Silence>) {}

    fn ponder(&mut self, pondering: &Pondering<'_, Silence>) {
        assert_eq!(pondering.seat, Seat(0));
        self.pondered.push(*pondering.view);
        while !pondering.cancel.is_cancelled() {
            std::thread::yield_now();
        }
    }
}

#[test]
fn a_seat_thinks_on_the_others_time() {
    for (ponder, expected) in [(true, vec![1, 3]), (false, vec![])] {
        let (mut thinker, mut slow) = (Ponderer::default(), sleeper(2));
        let mut settings = Match::seeded(1);
        settings.ponder = ponder;
        settings.play(&Silence { seats: 2, plies: 4 }, &mut [&mut thinker, &mut slow], &mut ());
        assert_eq!(thinker.pondered, expected);
    }
}

/// Falls over while the other seat thinks.
struct Stumbler;

impl Agent<Silence> for Stumbler {
    fn act(&mut self, _: &Decision<'_, Silence>, _: &mut Context<'_, Silence>) {}

    fn ponder(&mut self, _: &Pondering<'_, Silence>) {
        Fault::ProgramFailed("fell".to_owned()).raise()
    }
}

#[test]
fn who_fails_while_pondering_forfeits() {
    let mut settings = Match::seeded(1);
    settings.ponder = true;
    let outcome =
        settings.play(&Silence { seats: 2, plies: 4 }, &mut [&mut Stumbler, &mut sleeper(0)], &mut ());
    assert_eq!(
        outcome.ending,
        Ending::Forfeit(Forfeit { seat: Seat(0), why: Fault::ProgramFailed("fell".to_owned()) })
    );
}

#[test]
fn a_match_that_nobody_wants_is_abandoned() {
    let game = Silence { seats: 2, plies: 4 };
    let (mut one, mut two) = (sleeper(0), sleeper(0));
    let mut settings = Match::seeded(1);
    settings.cancel = Some(Cancel::cancelled());
    let outcome = settings.clone().play(&game, &mut [&mut one, &mut two], &mut ());
    assert_eq!((outcome.ending, outcome.plies), (Ending::Abandoned, 0));
    settings.cancel = Some(Cancel::new());
    assert_eq!(settings.play(&game, &mut [&mut one, &mut two], &mut ()).ending, Ending::Finished);
}
