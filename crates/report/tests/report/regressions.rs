use report::{Outcome, Regressions, action_benchmark, bencher, difference, junit, markdown, verdict};
use results::{Loads, ResultReader};
use serde_json::Value;
use specimens::{THINK_TIME, curves::comparison, manifest, points::point};

/// Runs at 100 clients with these throughputs.
fn listed(throughputs: &[f64]) -> ResultReader {
    let points = throughputs.iter().map(|throughput| point("A", 100, *throughput, None)).collect();
    let mut result = specimens::result(manifest(&["A"]), points);
    result.manifest.spec.loads = Loads::closed(&[100], THINK_TIME);
    result
}

fn judged(before: &ResultReader, after: &ResultReader) -> Regressions {
    Regressions::of(before, after, "3%".parse().unwrap())
}

fn throughput(regressions: &Regressions) -> Outcome {
    let found = regressions.judgements.iter().find(|one| one.figure.name == "throughput");
    found.unwrap().outcome
}

#[test]
fn a_fall_of_the_throughput_is_worse_and_a_rise_is_not() {
    let (high, low) = (listed(&[50.0, 50.5, 51.0]), listed(&[40.0, 40.5, 41.0]));
    let fall = judged(&high, &low);
    assert_eq!((throughput(&fall), throughput(&judged(&low, &high))), (Outcome::Worse, Outcome::Tolerated));
    assert!(verdict(&fall).contains("worse by more than 3 %."), "{}", verdict(&fall));
    let two = judged(&listed(&[50.0, 50.5]), &low);
    assert_eq!(throughput(&two), Outcome::Unknown { starts: Some(3) });
    assert!(verdict(&two).contains("about 3 starts of each would tell"), "{}", verdict(&two));
}

#[test]
fn a_result_beside_itself_is_worse_in_nothing() {
    let result = comparison();
    let regressions = judged(&result, &result);
    assert_eq!(regressions.worse().count(), 0);
    assert!(regressions.judgements.len() >= 3 * result.manifest.configurations.len());
}

#[test]
fn a_pull_request_and_a_test_report_name_each_figure() {
    let (before, mut after) = (listed(&[50.0, 50.5, 51.0]), listed(&[40.0, 40.5, 41.0]));
    after.manifest.host.kernel = "7 | <new>".into();
    let regressions = judged(&before, &after);
    let text = markdown(&regressions, &difference(&before, &after));
    assert!(text.contains("| A | 100 | throughput, interactions/s | 50.5 | 40.5 | -19.8 % ("), "{text}");
    assert!(text.contains("| kernel | 6.1.0-28-amd64 | 7 \\| <new> |"), "{text}");
    let text = junit(&regressions);
    assert!(
        text.contains(
            "<testcase classname=\"A\" name=\"throughput, 100 clients\"><failure message=\"worse: "
        ),
        "{text}"
    );
    let count = |what: &str| text.matches(what).count();
    assert_eq!(count("<testcase "), regressions.judgements.len());
    assert_eq!(count("<failure "), regressions.worse().count());
}

#[test]
fn exported_figures_have_their_intervals_as_bounds() {
    let result = listed(&[50.0, 50.5, 51.0]);
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let metric = &read(&bencher(&result))["A at 100 clients"]["throughput"];
    let [low, value, high] = ["lower_value", "value", "upper_value"].map(|key| metric[key].as_f64().unwrap());
    assert!(low < value && (value - 50.5).abs() < 1e-9 && value < high, "{metric}");
    let entries = read(&action_benchmark(&result));
    let first = &entries[0];
    assert_eq!(first["name"], "A at 100 clients: time between interactions");
    assert!((first["value"].as_f64().unwrap() - 1e3 / 50.5).abs() < 1e-9, "{first}");
    assert!(first["range"].as_str().unwrap().contains(" to "), "{first}");
    let one = listed(&[50.0]);
    assert!(read(&bencher(&one))["A at 100 clients"]["throughput"].get("lower_value").is_none());
}
