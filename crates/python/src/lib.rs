//! The Python module `parlor`: games, tables, batches and runs. It parses, calls `parlor-catalog` and `parlor-lab`, and hands back what
//! they say; the classes that people use are written in Python around it.

#![expect(clippy::needless_pass_by_value, reason = "what comes from Python comes as values")]

mod batch;
mod decision;
mod endgames;
mod equilibria;
mod errors;
mod exact;
mod game;
mod guests;
mod long;
mod rows;
mod runs;
mod shards;
mod statistics;
mod table;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::batch::Batch;
    #[pymodule_export]
    use crate::decision::Decision;
    #[pymodule_export]
    use crate::endgames::{endgame_build, endgame_probe, endgame_verify};
    #[pymodule_export]
    use crate::equilibria::{equilibrium, exploit, respond};
    #[pymodule_export]
    use crate::errors::{AgentFault, Conflict, ParlorError, Unsupported};
    #[pymodule_export]
    use crate::exact::{analyse, deals, odds, regret, solve};
    #[pymodule_export]
    use crate::game::{Game, games};
    #[pymodule_export]
    use crate::rows::{Rows, cross_classifier, fit_classifier, open_classifier, samples, test_classifier};
    #[pymodule_export]
    use crate::runs::{run_experiment, run_match, run_tournament, run_training};
    #[pymodule_export]
    use crate::shards::{
        has_shard, merge, plan_experiment, plan_match, plan_tournament, plan_units, play_shard, write_shard,
    };
    #[pymodule_export]
    use crate::statistics::{stats_distribution, stats_games, stats_pairs, stats_sprt};
    #[pymodule_export]
    use crate::table::{Table, restore_table};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
