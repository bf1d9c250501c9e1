//! Distribution functions against numbers from two other programs.
//!
//! The expected values were computed with mpmath at 40 digits, or with SciPy 1.17 where the counts are large.

use parlor_stats::distributions::*;

fn close(got: f64, want: f64, relative: f64, what: &str) {
    assert!((got - want).abs() <= relative * want.abs(), "{what}: {got:e}, expected {want:e}");
}

const NORMAL: &[(f64, f64)] = &[
    (-30.0, 4.906713927148187e-198),
    (-8.5, 9.479534822203318e-18),
    (-1.96, 0.024997895148220435),
    (-0.1, 0.460172162722971),
    (0.0, 0.5),
    (0.7, 0.758036347776927),
    (3.0, 0.9986501019683699),
    (6.0, 0.9999999990134123),
];
const NORMAL_QUANTILE: &[(f64, f64)] = &[
    (1e-300, -37.0470962993612),
    (1e-20, -9.262340089798409),
    (0.001, -3.090232306167813),
    (0.025, -1.9599639845400545),
    (0.3, -0.5244005127080409),
    (0.5, 0.0),
    (0.9, 1.2815515655446004),
    (0.9999, 3.719016485455709),
];
/// t, degrees of freedom, two-sided probability.
const STUDENT: &[(f64, f64, f64)] = &[
    (0.5, 1.0, 0.7048327646991335),
    (2.0, 2.5, 0.157391495757966),
    (2.045, 29.0, 0.050024075922411676),
    (12.0, 29.0, 9.06070833313718e-13),
    (40.0, 10.0, 2.2808577430857547e-12),
    (1.96, 1000000.0, 0.04999606758526985),
    (5.0, 100000000.0, 5.733041101267264e-07),
    (0.001, 4.0, 0.99925000015625),
];
/// Probability, degrees of freedom, t.
const STUDENT_QUANTILE: &[(f64, f64, f64)] = &[
    (0.975, 1.0, 12.706204736174694),
    (0.975, 29.0, 2.045229642132703),
    (0.975, 2.0, 4.302652729749462),
    (0.95, 4.7, 2.043811093013787),
    (0.999999, 3.0, 103.29946777942898),
    (0.975, 1000000.0, 1.959966356814107),
    (1e-09, 1.0, -318309886.1837907),
    (0.2, 0.5, -2.5127179536659185),
];
/// f, upper and lower degrees of freedom, probability of at least f.
const F: &[(f64, f64, f64, f64)] = &[
    (3.885, 2.0, 12.0, 0.05000891825460008),
    (0.1, 2.0, 12.0, 0.9055834818490325),
    (1.86, 29.0, 29.0, 0.05011742534653035),
    (50.0, 2.0, 12.0, 1.5127924217375413e-06),
    (1.01, 100000.0, 100000.0, 0.057827199327151635),
    (400.0, 2.0, 12.0, 1.0417207161648877e-11),
    (0.0001, 3.0, 5.0, 0.9999984222318302),
];
/// x, degrees of freedom, probability of at least x.
const CHI_SQUARE: &[(f64, f64, f64)] = &[
    (3.841, 1.0, 0.0500136837639567),
    (0.01, 1.0, 0.920344325445942),
    (100.0, 3.0, 1.554159431389605e-21),
    (1000.0, 10.0, 1.8702907209159498e-208),
    (9.0, 10.0, 0.5321035763747155),
    (1000000.0, 1000000.0, 0.4998119368033945),
    (1005000.0, 1000000.0, 0.00020767800946702958),
];
/// k, n, p; probability of exactly, at most, at least k.
const BINOMIAL: &[(u64, u64, f64, f64, f64, f64)] = &[
    (14, 20, 0.5, 0.03696441650390625, 0.9793052673339844, 0.057659149169921875),
    (0, 10, 0.3, 0.028247524900000005, 0.028247524900000005, 1.0),
    (10, 10, 0.3, 5.9048999999999975e-06, 1.0, 5.9048999999999975e-06),
    (3, 1000, 0.5, 1.5507761569582437e-293, 1.5554471507014885e-293, 1.0),
    (113, 200, 0.5, 0.010435945818497864, 0.9720171297528677, 0.03841881606563018),
    (700, 1000, 0.69, 0.02175361866049337, 0.7629447683296928, 0.2588088503308006),
    (1, 3, 1e-12, 2.999999999994e-12, 1.0, 2.999999999997e-12),
    (500500, 1000000, 0.5, 0.00048394152969516983, 0.8415865958480527, 0.15889734568166486),
    (5000000, 10000000, 0.5, 0.0002523132458941848, 0.5001261566229462, 0.5001261566229462),
];

#[test]
fn normal() {
    for &(z, want) in NORMAL {
        close(normal_below(z), want, 1e-13, &format!("normal_below({z})"));
        close(normal_above(-z), want, 1e-13, &format!("normal_above({})", -z));
    }
    for &(p, want) in NORMAL_QUANTILE {
        let got = normal_quantile(p).unwrap();
        assert!(
            (got - want).abs() <= 1e-13 * want.abs().max(1e-2),
            "normal_quantile({p}) = {got}, expected {want}"
        );
    }
    close(normal_quantile(0.975).unwrap(), Z95, 1e-15, "Z95");
    assert_eq!(normal_two_sided(0.0), 1.0);
}

#[test]
fn student() {
    for &(t, freedom, want) in STUDENT {
        let got = student_two_sided(t, freedom).unwrap();
        close(got, want, 1e-10, &format!("student_two_sided({t}, {freedom})"));
        close(student_above(t, freedom).unwrap(), want / 2.0, 1e-10, "one side is half of two");
        close(student_above(-t, freedom).unwrap(), 1.0 - want / 2.0, 1e-10, "the other side is the rest");
    }
    for &(p, freedom, want) in STUDENT_QUANTILE {
        close(
            student_quantile(p, freedom).unwrap(),
            want,
            1e-9,
            &format!("student_quantile({p}, {freedom})"),
        );
    }
}

#[test]
fn fisher_and_chi_square() {
    for &(f, upper, lower, want) in F {
        close(f_above(f, upper, lower).unwrap(), want, 1e-10, &format!("f_above({f}, {upper}, {lower})"));
    }
    for &(x, freedom, want) in CHI_SQUARE {
        close(
            chi_square_above(x, freedom).unwrap(),
            want,
            1e-10,
            &format!("chi_square_above({x}, {freedom})"),
        );
    }
}

#[test]
fn binomial() {
    for &(k, n, p, exactly, at_most, at_least) in BINOMIAL {
        close(binomial_exactly(k, n, p).unwrap(), exactly, 1e-10, &format!("exactly {k} of {n} at {p}"));
        close(binomial_at_most(k, n, p).unwrap(), at_most, 1e-10, &format!("at most {k} of {n} at {p}"));
        close(binomial_at_least(k, n, p).unwrap(), at_least, 1e-10, &format!("at least {k} of {n} at {p}"));
    }
    // A billion trials: by symmetry half of everything and half of the middle.
    let half = 500_000_000;
    let middle = binomial_exactly(half, 2 * half, 0.5).unwrap();
    close(binomial_at_most(half, 2 * half, 0.5).unwrap(), 0.5 + middle / 2.0, 1e-9, "half of a billion");
    assert_eq!(binomial_exactly(0, 5, 0.0), Some(1.0));
    assert_eq!(binomial_exactly(5, 5, 1.0), Some(1.0));
    assert_eq!(binomial_exactly(2, 5, 1.0), Some(0.0));
    assert_eq!(binomial_exactly(0, 0, 0.5), Some(1.0));
    assert_eq!(binomial_at_most(4, 5, 1.0), Some(0.0));
    assert_eq!(binomial_at_least(1, 5, 0.0), Some(0.0));
}

#[test]
fn outside_the_domain_there_is_no_value() {
    assert_eq!(normal_quantile(0.0), None);
    assert_eq!(normal_quantile(f64::NAN), None);
    assert_eq!(normal_below(f64::NAN), 0.5);
    assert_eq!(student_two_sided(1.0, 0.0), None);
    assert_eq!(student_two_sided(f64::INFINITY, 3.0), Some(0.0));
    assert_eq!(student_quantile(1.5, 3.0), None);
    assert_eq!(f_above(1.0, -1.0, 3.0), None);
    assert_eq!(f_above(f64::INFINITY, 2.0, 3.0), Some(0.0));
    assert_eq!(chi_square_above(f64::NAN, 3.0), None);
    assert_eq!(chi_square_above(f64::INFINITY, 3.0), Some(0.0));
    assert_eq!(binomial_exactly(1, 2, 1.5), None);
    for huge in [1e9, 1e12, 1e300] {
        assert!(student_quantile(0.975, huge).is_some_and(f64::is_finite));
        assert!(chi_square_above(huge, huge).is_some_and(f64::is_finite));
        assert!(f_above(1.0, huge, huge).is_some_and(f64::is_finite));
    }
}
