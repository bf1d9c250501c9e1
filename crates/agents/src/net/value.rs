//! A net as the evaluation of a search.

use std::sync::Arc;

use parlor_core::files::knowledge::Knowledge;
use parlor_core::files::recall::check_given;
use parlor_core::rules::evaluate::MOST;
use parlor_core::text::spec::{FileProblem, Unusable};
use parlor_core::{NetInputs, Settings, Spec, SpecError};
use parlor_ml::net::{Accumulators, Net};

use super::{NAME, UNIT, meaning};
use crate::evaluation::{CHECKSUM, KEY, LearntValue};

/// Below every result of a match.
const LARGEST: i32 = MOST - 100;

/// Reasons why a net does not fit.
#[derive(Debug, thiserror::Error)]
enum Misfit {
    #[error("it values positions of other boards or rules: {0}")]
    Elsewhere(String),
    #[error("its bytes are no net")]
    Bytes(#[source] parlor_ml::DecodeError),
    #[error("its inputs or stages are not those of the game")]
    Sizes,
}

/// What a payload begins with: the length of the meaning of its inputs, and that text.
pub(super) fn payload(meaning: &str, net: &Net) -> Vec<u8> {
    let mut bytes = (meaning.len() as u32).to_le_bytes().to_vec();
    bytes.extend_from_slice(meaning.as_bytes());
    bytes.extend(net.to_bytes());
    bytes
}

fn parse(payload: &[u8]) -> Option<(&str, &[u8])> {
    let (length, rest) = payload.split_first_chunk()?;
    let (text, net) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    Some((std::str::from_utf8(text).ok()?, net))
}

struct NetValue(Net);

impl<G: NetInputs> LearntValue<G> for NetValue {
    fn value(&self, game: &G, state: &G::State) -> f32 {
        let value = LearntValue::<G>::evaluate(self, game, state, &mut Accumulators::default());
        libm::tanhf(0.5 * value as f32 / UNIT as f32)
    }

    #[inline]
    fn evaluate(&self, game: &G, state: &G::State, kept: &mut Accumulators) -> i32 {
        let (set, stage) = (game.active_inputs(state), game.input_stage(state));
        let value = self.0.value(kept, game.input_side(state), &set, stage, UNIT);
        value.clamp(-LARGEST, LARGEST)
    }
}

/// Reads a net that values positions of a game.
fn read<G: NetInputs>(game: &G, knowledge: &Knowledge) -> Result<Arc<dyn LearntValue<G>>, Unusable> {
    let damaged = |misfit| Unusable::new(FileProblem::Damaged, misfit);
    let Some((text, bytes)) = parse(&knowledge.payload) else { return Err(damaged(Misfit::Sizes)) };
    if meaning(game).is_none_or(|own| own != text) {
        return Err(Unusable::new(FileProblem::Elsewhere, Misfit::Elsewhere(text.to_owned())));
    }
    let net = Net::from_bytes(bytes).map_err(|error| damaged(Misfit::Bytes(error)))?;
    if net.inputs() != game.inputs() || net.stages() != G::STAGES {
        return Err(damaged(Misfit::Sizes));
    }
    Ok(Arc::new(NetValue(net)))
}

/// Returns the net in the knowledge file that the settings of a search select; `None` if the file is another learner's.
///
/// # Errors
/// If the file cannot be read, has another checksum, or is not a net for this game.
pub fn learnt_value<G: NetInputs>(
    game: &G,
    settings: &Settings,
) -> Result<Option<Arc<dyn LearntValue<G>>>, SpecError> {
    let knowledge = Knowledge::open(settings.text(KEY.name).as_ref())
        .map_err(|error| settings.unusable(KEY.name, error))?;
    if Spec::bare_name(&knowledge.about.learner) != NAME {
        return Ok(None);
    }
    check_given(settings, KEY.name, CHECKSUM.name, &knowledge)?;
    read(game, &knowledge).map(Some).map_err(|error| settings.unusable(KEY.name, error))
}

/// Returns the net that comes with the program, where it was trained for these boards.
///
/// # Panics
/// If the program's own file is damaged.
pub fn shipped_value<G: NetInputs>(game: &G, shipped: &[u8]) -> Option<Arc<dyn LearntValue<G>>> {
    let knowledge = Knowledge::parse(shipped).expect("the program's own net is whole");
    read(game, &knowledge).ok()
}
