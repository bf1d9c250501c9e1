use proptest::prelude::*;

use super::*;

fn read(text: &str) -> TimeControl {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

const fn seconds(s: u64) -> Duration {
    Duration::from_secs(s)
}

fn count(n: u32) -> NonZeroU32 {
    NonZeroU32::new(n).unwrap()
}

#[test]
fn means_what_it_says() {
    assert_eq!(read("none"), TimeControl::default());
    assert_eq!(read("5m"), TimeControl::total(seconds(300)));
    assert_eq!(read("10s/move"), TimeControl::per_move(seconds(10)));
    assert_eq!(read("300s+2s"), TimeControl { increment: seconds(2), ..TimeControl::total(seconds(300)) });
    assert_eq!(
        read("5m@10s/move"),
        TimeControl { per_move: Some(seconds(10)), ..TimeControl::total(seconds(300)) }
    );
    let sessions =
        |first, moves, time| Some(Periods::Sessions { first: count(first), moves: count(moves), time });
    assert_eq!(
        read("40/5m:20/2m"),
        TimeControl { periods: sessions(40, 20, seconds(120)), ..TimeControl::total(seconds(300)) }
    );
    assert_eq!(
        read("40/5m"),
        TimeControl { periods: sessions(40, 40, seconds(300)), ..TimeControl::total(seconds(300)) }
    );
    assert_eq!(
        read("5m:20/2m+1.5s"),
        TimeControl {
            periods: Some(Periods::Overtime { moves: count(20), time: seconds(120) }),
            increment: Duration::from_millis(1500),
            ..TimeControl::total(seconds(300))
        }
    );
    assert_eq!(read("0s:1/30s").total, Some(Duration::ZERO));
}

#[test]
fn is_written_in_the_shortest_form() {
    for (text, short) in [
        ("none", "none"),
        ("300s", "5m"),
        ("90s", "1m30s"),
        ("1.5h", "1h30m"),
        ("1h0.25s", "1h0.25s"),
        ("2500ms", "2.5s"),
        ("0.25s", "250ms"),
        ("0.0015ms", "0.0015ms"),
        ("005m+0s", "5m"),
        ("40/300s:40/5m", "40/5m"),
        ("40/5m:20/2m", "40/5m:20/2m"),
        ("0ms:20/2m+1s@10s/move", "0s:20/2m+1s@10s/move"),
    ] {
        assert_eq!(read(text).to_string(), short, "{text}");
    }
}

#[test]
fn errors_say_what_would_be_right() {
    let says = |text: &str| text.parse::<TimeControl>().unwrap_err().to_string();
    for (text, sentence) in [
        ("", "time control: it is empty; write one word: `5m`, `5m+2s`, `10s/move`, `40/5m:20/2m` or `none`"),
        ("300", "time control, character 1: `300` has no unit; units are h, m, s and ms, as in `300s`"),
        ("5m+2", "time control, character 4: `2` has no unit; units are h, m, s and ms, as in `2s`"),
        (
            "5min",
            "time control, character 1: `min` is not a unit of time; units are h, m, s and ms, as in `5s`",
        ),
        (
            "5s3m",
            "time control, character 3: `m` cannot come here; larger units come first, each once, as in `1h30m`",
        ),
        ("0s", "time control, character 1: `0s` leaves no time to move; write `none` for no limit"),
        ("fast", "time control, character 1: `fast` is not a time; write `90s`, `1h30m`, `2.5s` or `250ms`"),
        ("5m+", "time control, character 4: a time is missing; write `90s`, `1h30m`, `2.5s` or `250ms`"),
        ("-5m", "time control, character 1: `-5m` is not a time; write `90s`, `1h30m`, `2.5s` or `250ms`"),
        (
            "1.2.3s",
            "time control, character 1: `1.2.3` is not a number; write `90s`, `1h30m`, `2.5s` or `250ms`",
        ),
        (
            "0/5m",
            "time control, character 1: `0` is not a number of moves; write a whole number from 1, as in `40/5m`",
        ),
        ("40/+2s", "time control, character 4: a time is missing; write `90s`, `1h30m`, `2.5s` or `250ms`"),
        (
            "5m:2m",
            "time control, character 4: `2m` does not say for how many moves; write the moves and their time, as in `20/2m`",
        ),
        (
            "40/5m:20/2m:1m",
            "time control, character 13: there is a third part; the second repeats until the match ends, as in `40/5m:20/2m`",
        ),
        ("9000h", "time control, character 1: `9000h` is longer than a year; write `none` for no limit"),
        (
            "0.0000000001s",
            "time control, character 1: `0.0000000001` is finer than a nanosecond; write `90s`, `1h30m`, `2.5s` or `250ms`",
        ),
        (
            "5 m",
            "time control, character 2: there is a space; write one word: `5m`, `5m+2s`, `10s/move`, `40/5m:20/2m` or `none`",
        ),
        (
            "5m@10s",
            "time control, character 4: `10s` after `@` does not end in `/move`; the time of a single decision stands there, as in `5m@10s/move`",
        ),
        (
            "5m+10s/move",
            "time control, character 1: `5m+10s/move` can be meant in two ways; write `5m+10s` if it is added after each move, `5m@10s/move` if no move may take longer",
        ),
    ] {
        assert_eq!(says(text), sentence, "{text}");
    }
}

#[test]
fn files_hold_the_text() {
    let control = read("40/5m:20/2m");
    let json = serde_json::to_string(&control).unwrap();
    assert_eq!(json, "\"40/5m:20/2m\"");
    assert_eq!(serde_json::from_str::<TimeControl>(&json).unwrap(), control);
    assert!(serde_json::from_str::<TimeControl>("\"5\"").unwrap_err().to_string().contains("has no unit"));
}

fn times() -> impl Strategy<Value = Duration> {
    (1..LONGEST.as_nanos() as u64, 0u32..17)
        .prop_map(|(n, zeros)| Duration::from_nanos((n >> (zeros * 3)).max(1)))
}

fn controls() -> impl Strategy<Value = TimeControl> {
    let counts = || (1u32..5000).prop_map(|n| NonZeroU32::new(n).unwrap());
    let periods = prop_oneof![
        Just(None),
        (counts(), counts(), times()).prop_map(|(first, moves, time)| Some(Periods::Sessions {
            first,
            moves,
            time
        })),
        (counts(), times()).prop_map(|(moves, time)| Some(Periods::Overtime { moves, time })),
    ];
    let increment = prop_oneof![Just(Duration::ZERO), times()];
    let banked = (times(), proptest::option::of(times()), increment, periods).prop_map(
        |(total, per_move, increment, periods)| TimeControl {
            total: Some(total),
            per_move,
            increment,
            periods,
        },
    );
    prop_oneof![Just(TimeControl::default()), times().prop_map(TimeControl::per_move), banked]
}

proptest! {
    #[test]
    fn comes_back(control in controls()) {
        let text = control.to_string();
        prop_assert!(!text.contains(|c: char| c.is_whitespace() || "(),=".contains(c)), "{}", text);
        prop_assert_eq!(read(&text), control, "{}", text);
    }

    #[test]
    fn never_panics(text in "\\PC*") {
        let _ = text.parse::<TimeControl>();
    }

    #[test]
    fn never_panics_on_near_misses(text in "[0-9.hms/:+@move]{0,24}") {
        if let Ok(control) = text.parse::<TimeControl>() {
            prop_assert_eq!(read(&control.to_string()), control, "{}", text);
        }
    }
}
