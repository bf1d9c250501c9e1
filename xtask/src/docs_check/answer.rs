//! The JSON that a call prints, and the numbers in it that tables show.

use serde_json::Value;

/// The quantile of the normal distribution for intervals of 95 %.
const Z: f64 = 1.96;

/// The document that a call printed.
pub struct Answer<'a>(pub &'a Value);

impl Answer<'_> {
    /// Returns a number of the document. A field is
    ///
    /// - a path: `value`, `standings.0.elo`, `rows[pieces=3].won` (the element of a list with that value);
    /// - several paths with `+` between them: their sum;
    /// - a number and a path, `100*score`: the product;
    /// - of the document of a match also `score_margin`, half the width of the 95 % interval of the score over pairs, `score_low` and
    ///   `score_high`, its Wilson interval, which is inside of 0 … 1 and has a width even if all pairs had the same result, and
    ///   `won` and `won_margin`, the share of games that were won and half the width of its 95 % interval.
    pub fn number(&self, field: &str) -> Option<f64> {
        if let Some((factor, path)) = field.split_once('*') {
            return Some(factor.parse::<f64>().ok()? * self.number(path)?);
        }
        if field.contains('+') {
            return field.split('+').map(|path| self.number(path)).sum();
        }
        match field {
            "score_margin" => self.score_margin(),
            "score_low" => Some(self.score_interval()?.0),
            "score_high" => Some(self.score_interval()?.1),
            "won" => Some(self.number("wins")? / self.number("wins+draws+losses")?),
            "won_margin" => {
                let (won, games) = (self.number("won")?, self.number("wins+draws+losses")?);
                Some(Z * (won * (1.0 - won) / games).sqrt())
            }
            path => self.at(path)?.as_f64(),
        }
    }

    /// Returns the words of a list.
    pub fn words(&self, path: &str) -> Option<Vec<&str>> {
        self.at(path)?.as_array()?.iter().map(Value::as_str).collect()
    }

    fn at(&self, path: &str) -> Option<&Value> {
        let mut value = self.0;
        for part in path.split('.') {
            value = match part.split_once('[') {
                None => part.parse::<usize>().map_or(&value[part], |number| &value[number]),
                Some((list, wanted)) => {
                    let (key, wanted) = wanted.trim_end_matches(']').split_once('=')?;
                    let is_it = |item: &&Value| item[key].to_string().trim_matches('"') == wanted;
                    value[list].as_array()?.iter().find(is_it)?
                }
            };
        }
        (!value.is_null()).then_some(value)
    }

    /// Returns the number of pairs of a match, and the variance of a pair's score.
    fn pairs(&self) -> Option<(f64, f64)> {
        let pairs: Vec<f64> = self.0["pentanomial"].as_array()?.iter().filter_map(Value::as_f64).collect();
        let [all, mean] = [pairs.iter().sum::<f64>(), self.number("score")?];
        let squares = pairs.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]);
        let squares = squares.map(|(pairs, score)| pairs * (score - mean) * (score - mean));
        Some((all, squares.sum::<f64>() / all))
    }

    /// Returns half the width of the 95 % interval of a match's score, over its pairs.
    fn score_margin(&self) -> Option<f64> {
        let (pairs, variance) = self.pairs()?;
        Some(Z * (variance / pairs).sqrt())
    }

    /// Returns the Wilson interval of a match's score, for as many won and lost games as would have the same variance.
    fn score_interval(&self) -> Option<(f64, f64)> {
        let (score, (pairs, variance)) = (self.number("score")?, self.pairs()?);
        let games = if variance > 0.0 { pairs * score * (1.0 - score) / variance } else { pairs };
        let centre = (score + Z * Z / (2.0 * games)) / (1.0 + Z * Z / games);
        let spread = score * (1.0 - score) / games + Z * Z / (4.0 * games * games);
        let margin = Z / (1.0 + Z * Z / games) * spread.sqrt();
        Some(((centre - margin).max(0.0), (centre + margin).min(1.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fields_are_found() {
        let document = json!({"value": 0.5, "rows": [{"pieces": 2, "won": 3}, {"pieces": 3, "won": 7, "lost": 1}],
            "best": ["a1", "b2"], "nothing": null});
        let answer = Answer(&document);
        assert_eq!(answer.number("100*value"), Some(50.0));
        assert_eq!(answer.number("rows[pieces=3].won+rows[pieces=3].lost"), Some(8.0));
        assert_eq!(answer.number("rows.0.won"), Some(3.0));
        assert_eq!((answer.number("nothing"), answer.number("missing.0")), (None, None));
        assert_eq!(answer.words("best"), Some(vec!["a1", "b2"]));
    }

    #[test]
    fn the_interval_of_a_score_is_over_pairs() {
        let document =
            json!({"wins": 30, "draws": 0, "losses": 10, "score": 0.75, "pentanomial": [0, 0, 10, 0, 10]});
        let answer = Answer(&document);
        // Ten pairs with one point and ten with two: standard deviation 0.25 of a pair's score.
        let margin = 1.96 * 0.25 / 20.0_f64.sqrt();
        assert!((answer.number("score_margin").unwrap() - margin).abs() < 1e-12);
        let wide = json!({"score": 1.0, "pentanomial": [0, 0, 0, 0, 100]});
        let [low, high] = ["score_low", "score_high"].map(|field| Answer(&wide).number(field).unwrap());
        assert!((low - 0.963).abs() < 5e-4 && (high - 1.0).abs() < 1e-9, "{low} … {high}");
        // As wide as the other, and inside of 0 … 1.
        let low = answer.number("score_low").unwrap();
        assert!(low > 0.75 - 1.2 * margin && low < 0.75 - 0.8 * margin, "{low}");
        assert_eq!(answer.number("won"), Some(0.75));
    }
}
