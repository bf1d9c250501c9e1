//! `parlor engine`: an agent of ours behind a pipe.

mod lines;
mod native;

use std::io;

use crate::args::EngineArgs;

pub fn run(args: &EngineArgs) -> anyhow::Result<()> {
    // A failing agent is told about in the protocol; standard error is for what stops the program.
    std::panic::set_hook(Box::new(|_| {}));
    let mut lines = lines::Lines::new(io::stdin().lock());
    native::run(args, &mut lines, &mut io::stdout().lock())
}
