//! `parlor perft`: counting action sequences.

use serde_json::json;

use crate::args::PerftArgs;
use crate::terminal::{say, say_json};

pub fn run(args: &PerftArgs) -> anyhow::Result<()> {
    let game = parlor_catalog::open(&args.game)?;
    let position = args.position.as_deref();
    let depth = usize::from(args.depth);
    if args.json {
        return say_json(&json!({ "counts": game.perft(depth, position)? }));
    }
    // One length at a time, so that the first counts are on the screen while the last are still being made. The
    // repeated work is the sum of the shorter counts: small beside the longest.
    for length in 1..=depth {
        let counts = game.perft(length, position)?;
        say(format!("{length:>3} {:>20}", counts[length - 1]))?;
        if counts[length - 1] == 0 {
            break;
        }
    }
    Ok(())
}
