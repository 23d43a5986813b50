use super::*;
use proptest::prelude::*;

const NEAR: f64 = 1e-4;

#[test]
fn welchs_test_matches_the_textbook() {
    // Student's sleep data, with the results of R's t.test.
    let drug_1 = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
    let drug_2 = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
    let ranking = compare_all(&[&drug_1, &drug_2]);
    assert_eq!((ranking.order, ranking.groups), (vec![1, 0], vec![vec![1, 0]]));
    let [pair] = ranking.pairs.as_slice() else { panic!("one pair") };
    assert_eq!((pair.one, pair.other, pair.differs), (1, 0, false));
    assert!((pair.p.unwrap() - 0.07939).abs() < NEAR, "{pair:?}");
    assert!((pair.difference.low() + 0.20548).abs() < NEAR, "{pair:?}");
    assert!((pair.difference.high() - 3.36548).abs() < NEAR, "{pair:?}");
}

#[test]
fn holms_adjustment_matches_the_textbook() {
    let adjusted = holm(&[0.04, 0.01, 0.03, 0.02]);
    let expected = [0.06, 0.04, 0.06, 0.06];
    assert!(adjusted.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-12), "{adjusted:?}");
    assert_eq!(holm(&[0.7, 0.8]), [1.0, 1.0]);
}

#[test]
fn a_configuration_between_two_groups_is_in_both() {
    let [low, middle, high] = [
        [100.0, 101.0, 102.0, 103.0, 104.0],
        [102.0, 103.0, 104.0, 105.0, 106.0],
        [104.0, 105.0, 106.0, 107.0, 108.0],
    ];
    let ranking = compare_all(&[&low, &high, &middle]);
    assert_eq!(ranking.order, [1, 2, 0]);
    assert_eq!(ranking.groups, [vec![1, 2], vec![2, 0]]);
    let differing: Vec<_> = ranking.pairs.iter().filter(|pair| pair.differs).collect();
    assert_eq!(differing.len(), 1);
    assert_eq!((differing[0].one, differing[0].other), (1, 0));
}

#[test]
fn fewer_than_three_runs_never_differ() {
    let ranking = compare_all(&[&[100.0, 101.0, 99.0], &[200.0, 201.0], &[300.0], &[]]);
    assert_eq!(ranking.order, [2, 1, 0, 3]);
    assert!(ranking.pairs.iter().all(|pair| pair.p.is_none() && !pair.differs));
    assert_eq!(ranking.groups, [[2, 1, 0, 3]]);
    let with_scatter = ranking.pairs.iter().filter(|pair| pair.difference.half_width.is_finite());
    assert_eq!(with_scatter.map(|pair| (pair.one, pair.other)).collect::<Vec<_>>(), [(1, 0)]);
}

#[test]
fn runs_without_variance_differ_if_their_means_do() {
    let ranking = compare_all(&[&[5.0; 3], &[6.0; 3], &[5.0; 3]]);
    assert_eq!(ranking.groups, [vec![1], vec![0, 2]]);
    assert_eq!(compare_all(&[]).groups, Vec::<Vec<usize>>::new());
}

#[test]
fn the_errors_of_a_ratio_add_as_squares() {
    let ranking = compare_all(&[&[198.0, 200.0, 202.0], &[100.0; 3]]);
    let ratio = ranking.pairs[0].ratio.unwrap();
    // Student's t with two degrees of freedom: 4.303.
    let expected = 4.303 * 2.0 / 3.0_f64.sqrt() / 100.0;
    assert!((ratio.mean - 2.0).abs() < 1e-12 && (ratio.half_width - expected).abs() < 1e-4, "{ratio:?}");
    assert_eq!(compare_all(&[&[1.0, 2.0, 3.0], &[0.0; 3]]).pairs[0].ratio, None);
}

#[test]
fn one_slow_run_does_not_hide_a_difference() {
    let [slow, fast] = [[9.8, 10.0, 10.1, 10.2, 150.0], [6.9, 7.0, 7.1, 7.2, 7.0]];
    assert!(compare_times(&[&slow, &fast]).pairs[0].differs);
    assert!(!compare_all(&[&slow, &fast]).pairs[0].differs);
}

proptest! {
    #[test]
    fn groups_are_maximal_and_cover_all_configurations(
        samples in proptest::collection::vec(proptest::collection::vec(90.0f64..110.0, 3..6), 1..7),
        spread in 0.0f64..30.0)
    {
        let shifted: Vec<Vec<f64>> = samples.into_iter().enumerate()
            .map(|(index, sample)| sample.into_iter().map(|value| value + spread * index as f64).collect())
            .collect();
        let views: Vec<&[f64]> = shifted.iter().map(Vec::as_slice).collect();
        let ranking = compare_all(&views);
        let differs = |one: usize, other: usize| ranking.pairs.iter().any(|pair| {
            pair.differs && [(one, other), (other, one)].contains(&(pair.one, pair.other))
        });
        for who in 0..views.len() {
            prop_assert!(ranking.groups.iter().any(|group| group.contains(&who)));
            for group in &ranking.groups {
                let fits = group.iter().all(|member| *member == who || !differs(*member, who));
                prop_assert_eq!(fits, group.contains(&who));
            }
        }
    }
}
