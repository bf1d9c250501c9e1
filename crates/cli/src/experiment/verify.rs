//! `parlor experiment verify`: some trainings again, compared row by row.

use parlor_lab::run::Event;
use parlor_lab::run::experiments::{Difference, Verification, verify};
use serde_json::json;

use super::args::VerifyArgs;
use super::in_file;
use crate::run_support::{open, silence_agents, stop_on_ctrl_c, threads};
use crate::terminal::{No, progress, say, say_json};

/// How many differences are listed.
const LISTED: usize = 10;

pub fn run(args: &VerifyArgs) -> anyhow::Result<()> {
    let cancel = stop_on_ctrl_c()?;
    silence_agents();
    let bar = progress(0, "trainings");
    let mut hear = |event: &Event<'_>| match event {
        Event::Started { total, .. } => {
            bar.set_length(*total);
            bar.tick();
        }
        Event::Progress { done } => bar.set_position(*done),
        _ => {}
    };
    let found = verify(&args.folder, args.trainings, threads(args.threads), &open, &cancel, &mut hear)
        .map_err(|error| in_file(error, &args.folder.display().to_string()))?;
    bar.finish_and_clear();
    let Verification { trainings, of, rows, differences } = &found;
    if args.json {
        say_json(&json!({
            "trainings": trainings, "of": of, "rows": rows, "different": differences.len(),
        }))?;
    } else {
        say(format!("{trainings} of {of} trainings replayed, {rows} rows compared"))?;
        for difference in differences.iter().take(LISTED) {
            say(in_words(difference))?;
        }
        say(if differences.is_empty() {
            "every row is the same"
        } else {
            "the rows are not what this program makes"
        })?;
    }
    if differences.is_empty() { Ok(()) } else { Err(No.into()) }
}

fn in_words(difference: &Difference) -> String {
    let Difference { place, kept, replayed } = difference;
    format!("{place}: {kept} kept, {replayed} replayed")
}
