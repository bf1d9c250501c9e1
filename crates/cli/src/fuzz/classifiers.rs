//! Labelled rows, and the files of classifiers that are fitted to them.

use std::fs;

use parlor_core::Cancel;
use parlor_core::files::model::ModelFile;
use parlor_lab::classify::{
    Classes, Classifier, FitPlan, ForestParams, Kind, LabelledRows, Model, fit, model_file,
};

use super::files::repair_end;
use super::{Read, Reader, equal, explained, run, scrap};

/// Returns a table with two features, two classes and some noise.
fn table() -> String {
    let mut text = "game,turn,player,width,height,target\n".to_owned();
    for row in 0..40_u32 {
        let noise = f64::from(row * 7919 % 13) / 13.0;
        let class = row % 2;
        text += &format!("g{row},1,0,{:?},{:?},{class}\n", noise + f64::from(class), 0.5 * noise);
    }
    text
}

#[test]
fn labelled_rows() {
    let folder = scrap("labelled-rows");
    let file = folder.path().join("rows.csv");
    let corpus = vec![table().into_bytes(), b"x,target\n0.5,a\n-1e300,b\n".to_vec()];
    let mut check = |input: &[u8]| -> Read {
        fs::write(&file, input).map_err(|error| error.to_string())?;
        Ok(explained(LabelledRows::read(&file, Classes::FromLabels))?.is_some())
    };
    run(Reader { name: "labelled_rows", corpus, words: Vec::new(), repair: None }, &mut check);
}

#[test]
fn model() {
    let folder = scrap("model");
    let file = folder.path().join("rows.csv");
    fs::write(&file, table()).unwrap();
    let rows = LabelledRows::read(&file, Classes::FromLabels).expect("the table is good");
    let mut corpus = Vec::new();
    for kind in [Kind::Mda, Kind::Forest] {
        let forest = ForestParams { trees: 3, ..ForestParams::default() };
        let plan = FitPlan { kind, forest, seed: 1, threads: 1 };
        let model = fit(&rows.data, &plan, &Cancel::new(), &mut || ()).expect("it can be fitted");
        corpus.push(model_file(&model.expect("nobody stops it"), &rows, &plan, None).to_bytes());
    }
    let mut check = |input: &[u8]| -> Read {
        let Some(file) = explained(ModelFile::parse(input))? else { return Ok(false) };
        let again = ModelFile::parse(&file.to_bytes())
            .map_err(|error| format!("its own bytes are refused: {error}"))?;
        equal(&again, &file, "the file of a model")?;
        let decode = |kind: &str, features, classes, bytes: &[u8]| {
            Model::decode(kind, features, classes, bytes).map_err(|error| error.0)
        };
        let Some(model) = explained(file.decode(decode))? else { return Ok(true) };
        equal(&model.encode(), &file.model, "the model")?;
        let mut probabilities = vec![0.0; model.classes()];
        model.probabilities(&vec![0.25; model.features()], &mut probabilities);
        Ok(true)
    };
    let repair = Some(repair_end as fn(&mut Vec<u8>));
    run(Reader { name: "model", corpus, words: Vec::new(), repair }, &mut check);
}
