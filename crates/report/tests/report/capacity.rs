use report::{Capacities, html, summary, terminal_table};
use results::{Loads, Point, ResultReader};
use specimens::{THINK_TIME, manifest, points};
use stats::{Capacity, CapacitySearch};

const OBJECTIVE: &str = "p90 <= 1s, errors <= 1%";
const MOST: u32 = 4000;

fn searched(name: &str, capacity: f64, noise: f64) -> Vec<Point> {
    points::searched(name, &OBJECTIVE.parse().unwrap(), MOST, capacity, noise)
}

fn result(names: &[&str], points: Vec<Point>) -> ResultReader {
    let mut result = specimens::result(manifest(names), points);
    result.manifest.spec.loads = Loads::capacity(MOST, THINK_TIME, OBJECTIVE.parse().unwrap());
    result.manifest.spec.repetitions = CapacitySearch::MOST_STARTS;
    result
}

fn capacities(result: &ResultReader) -> Capacities {
    summary(result).capacities.unwrap()
}

#[test]
fn the_highest_capacity_comes_first_and_the_others_are_shares_of_it() {
    let points = [searched("A", 500.5, 1.01), searched("B", 1000.5, 1.01)].concat();
    let result = result(&["A", "B"], points);
    let rows = capacities(&result).rows;
    for (row, (name, capacity)) in rows.iter().zip([("B", 1000.5), ("A", 500.5)]) {
        let found = f64::from(row.capacity.unwrap().clients().unwrap());
        assert!(row.name == name && (found / capacity - 1.0).abs() < 0.01, "{row:?}");
    }
    assert!((rows[1].times_best.unwrap() - 0.5).abs() < 0.01, "{rows:?}");
    for row in &rows {
        assert!(row.first_missed.as_ref().unwrap().starts_with("p90 is 1"), "{row:?}");
        let clients = f64::from(row.below.as_ref().unwrap().0);
        let capacity = f64::from(row.capacity.unwrap().clients().unwrap());
        assert!(clients <= capacity && capacity < 1.11 * clients, "{row:?}");
    }
}

#[test]
fn terminal_and_page_give_the_same_answer_and_show_no_peaks() {
    let result = result(&["A"], searched("A", 500.5, 1.01));
    let summary = summary(&result);
    let answer = capacities(&result).rows[0].capacity.unwrap();
    assert!(summary.answer.starts_with(&format!("A: {answer} under ")), "{}", summary.answer);
    assert!(answer.to_string().contains("(95 % interval 4"), "{answer}");
    assert!(summary.answer.ends_with("under p90 <= 1s, errors <= 1%."), "{}", summary.answer);
    let text = terminal_table(&summary);
    assert!(text.contains("first missed by") && !text.contains("p50 ms"), "{text}");
    let page = html(&result);
    for part in ["id=\"capacities\"", "First missed by", "Tiers at the capacity", "just below each"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("id=\"peaks\"") && !page.contains("#interactions"));
}

#[test]
fn an_inconclusive_capacity_names_its_bracket_and_the_remedy() {
    let result = result(&["A"], searched("A", 500.5, 2.0));
    let capacity = capacities(&result).rows[0].capacity;
    assert!(matches!(capacity, Some(Capacity::Inconclusive { .. })), "{capacity:?}");
    let answer = summary(&result).answer;
    assert!(answer.contains("inconclusive: met at ") && answer.contains("A longer --window"), "{answer}");
}

#[test]
fn a_search_that_was_broken_off_has_no_capacity() {
    let mut points = searched("A", 500.5, 1.01);
    points.truncate(4);
    let answer = summary(&result(&["A"], points)).answer;
    assert!(answer.starts_with("The capacity of A is open."), "{answer}");
}
