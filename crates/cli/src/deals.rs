//! `parlor deals`: in how many ways a game can be dealt.

use parlor_lab::format::grouped;
use serde::Serialize;

use crate::terminal::{say, say_json};

#[derive(clap::Args, Debug)]
pub struct DealsArgs {
    /// The game, e.g. 'dominoes(set=4, hand=5)'
    pub game: String,
    /// Print {"deals": .., ..}
    #[arg(long)]
    pub json: bool,
}

/// The answer as scripts read it.
#[derive(Serialize)]
struct Answer {
    deals: u128,
    tiles: u8,
    hand: u8,
    boneyard: u8,
    game: String,
}

pub fn run(args: &DealsArgs) -> anyhow::Result<()> {
    let found = parlor_catalog::open(&args.game)?.deals()?.count();
    let (tiles, hand, boneyard) = (found.tiles, found.hand, found.boneyard);
    if args.json {
        return say_json(&Answer { deals: found.deals, tiles, hand, boneyard, game: found.game });
    }
    let number = u64::try_from(found.deals).map_or_else(|_| found.deals.to_string(), grouped);
    say(format!(
        "{number} deals of {tiles} tiles: {hand} and {hand} in the hands, {boneyard} in the boneyard"
    ))?;
    Ok(())
}
