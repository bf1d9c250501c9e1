use super::*;

const fn seconds(s: u64) -> Duration {
    Duration::from_secs(s)
}

fn clock(text: &str) -> Clock {
    Clock::new(text.parse().unwrap())
}

fn period(clock: &Clock) -> Option<Duration> {
    clock.period().map(|period| period.time)
}

fn due(clock: &Clock) -> Option<u32> {
    clock.decisions_left().map(NonZeroU32::get)
}

#[test]
fn unlimited_by_default() {
    let mut clock = Clock::default();
    assert!(!clock.is_limited());
    assert!(clock.spend(seconds(1_000_000)));
    assert_eq!((clock.allowance(), clock.left(), period(&clock), due(&clock)), (None, None, None, None));
}

#[test]
fn total_runs_down_and_increments_add() {
    let mut clock = clock("10s+2s");
    assert!(clock.spend(seconds(4)));
    assert_eq!(clock.allowance(), Some(seconds(8)));
    assert_eq!((clock.used(), clock.decisions()), (seconds(4), 1));
    assert!(!clock.spend(seconds(9)));
}

#[test]
fn the_tighter_limit_counts() {
    let mut clock = clock("10s@3s/move");
    assert_eq!(clock.allowance(), Some(seconds(3)));
    assert!(clock.spend(seconds(3)) && clock.spend(seconds(3)) && clock.spend(seconds(3)));
    assert_eq!(clock.allowance(), Some(seconds(1)));
    assert!(!clock.spend(seconds(2)));
}

#[test]
fn sessions_add_and_keep_what_was_saved() {
    let mut clock = clock("3/10s:2/4s");
    assert_eq!((clock.left(), due(&clock), period(&clock)), (Some(seconds(10)), Some(3), Some(seconds(10))));
    assert!(clock.spend(seconds(5)) && clock.spend(seconds(1)));
    assert_eq!((clock.left(), due(&clock)), (Some(seconds(4)), Some(1)));
    assert!(clock.spend(seconds(3)));
    assert_eq!((clock.left(), due(&clock), period(&clock)), (Some(seconds(5)), Some(2), Some(seconds(4))));
    assert!(clock.spend(seconds(1)) && clock.spend(seconds(4)));
    assert_eq!((clock.left(), due(&clock)), (Some(seconds(4)), Some(2)));
    assert!(!clock.spend(seconds(5)), "the next period's time cannot be had early");
}

#[test]
fn overtime_starts_inside_a_decision_and_keeps_nothing() {
    let mut clock = clock("10s:2/4s");
    assert_eq!((clock.allowance(), due(&clock)), (Some(seconds(14)), None));
    assert!(clock.spend(seconds(9)));
    assert_eq!((clock.allowance(), due(&clock)), (Some(seconds(5)), None));
    // One second of the total and two of the first period.
    assert!(clock.spend(seconds(3)));
    assert_eq!(
        (clock.allowance(), due(&clock), period(&clock)),
        (Some(seconds(2)), Some(1), Some(seconds(4)))
    );
    assert!(clock.spend(seconds(1)));
    assert_eq!((clock.left(), due(&clock)), (Some(seconds(4)), Some(2)));
    assert!(!clock.spend(seconds(5)));
}

#[test]
fn overtime_without_a_total_or_from_its_last_moment() {
    assert_eq!(due(&clock("0s:2/4s")), Some(2));
    let mut clock = clock("10s:2/4s");
    assert!(clock.spend(seconds(10)));
    assert_eq!((clock.left(), due(&clock)), (Some(seconds(4)), Some(2)));
}

/// The table in the guide.
#[test]
fn two_kinds_of_periods_side_by_side() {
    let (mut sessions, mut overtime) = (clock("3/10s:2/4s"), clock("10s:2/4s"));
    let mut shown = Vec::new();
    for millis in [9000, 500, 500] {
        let time = Duration::from_millis(millis);
        assert!(sessions.spend(time) && overtime.spend(time));
        let show = |clock: &Clock| (clock.left().unwrap().as_millis(), due(clock));
        shown.push((show(&sessions), show(&overtime)));
    }
    assert_eq!(
        shown,
        [((1000, Some(2)), (1000, None)), ((500, Some(1)), (500, None)), ((4000, Some(2)), (4000, Some(2)))]
    );
}

#[test]
fn one_decision_a_period_is_japanese_overtime() {
    let mut clock = clock("1s:1/5s");
    for _ in 0..10 {
        assert!(clock.spend(seconds(5)));
    }
    assert!(!clock.spend(seconds(6)));
}

#[test]
fn the_flag_falls_when_decisions_were_late_by_more_than_is_tolerated() {
    let millis = Duration::from_millis;
    for control in ["20ms/move", "1s", "1h@20ms/move", "280ms:1/20ms"] {
        let mut clock = clock(control);
        let allowed = clock.allowance().unwrap();
        assert_eq!(clock.patience(), Some(allowed + millis(100)), "{control}");
        assert!(!clock.spend(allowed + millis(60)) && !clock.has_fallen(), "{control}");
        let allowed = clock.allowance().unwrap();
        assert_eq!(clock.patience(), Some(allowed + millis(40)), "{control}");
        assert!(clock.spend(allowed) && !clock.has_fallen(), "{control}");
        let allowed = clock.allowance().unwrap();
        assert!(!clock.spend(allowed + millis(40)) && !clock.has_fallen(), "{control}");
        let allowed = clock.allowance().unwrap();
        assert!(!clock.spend(allowed + millis(1)) && clock.has_fallen(), "{control}");
    }
    for (control, tolerated) in [("2ms/move", 10), ("30ms", 10), ("30ms@1ms/move", 5), ("0s:1/30ms", 10)] {
        assert_eq!(clock(control).control().tolerance(), millis(tolerated), "{control}");
    }
    assert_eq!(Clock::default().patience(), None);
}

#[test]
fn huge_numbers_do_not_panic() {
    let mut clock = Clock::new(TimeControl { increment: Duration::MAX, ..TimeControl::total(Duration::MAX) });
    assert!(clock.spend(Duration::MAX) && clock.spend(Duration::MAX));
}
