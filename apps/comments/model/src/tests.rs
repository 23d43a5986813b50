//! Pages and rules, tested by requests.

use super::*;
use application::{Distribution, Survey};
use proptest::prelude::*;
use scraper::{ElementRef, Html, Selector};
use std::collections::BTreeSet;
use workload::Mix;

const EPOCH: Timestamp = Timestamp(1_800_000_000);

fn dataset(scale: f64) -> Dataset {
    Dataset::new(1, scale, EPOCH)
}

fn answered(model: &mut CommentsModel, step: &Step) -> Response {
    let key = TokenKey::new("secret");
    model.respond(&step.request(&key, EPOCH), EPOCH)
}

fn page(response: &Response) -> Html {
    Html::parse_document(std::str::from_utf8(&response.body).unwrap())
}

fn all<'a>(page: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    page.select(&Selector::parse(selector).unwrap()).collect()
}

/// Asserts that a page is good HTML and accessible.
fn assert_decent(page: &Html) {
    assert!(page.errors.is_empty(), "{:?}", page.errors);
    assert_eq!((all(page, "html[lang=en]").len(), all(page, "h1").len()), (1, 1));
    assert!(all(page, "th:not([scope])").is_empty() && all(page, "img:not([alt])").is_empty());
    assert_eq!(all(page, "table").len(), all(page, "table > caption").len());
    for link in all(page, "a[href]") {
        assert!(CATALOGUE.by_path(link.attr("href").unwrap()).is_some());
    }
    for field in all(page, "[maxlength]") {
        let name = field.attr("name").unwrap();
        assert_eq!(all(page, &format!("label[for={}]", field.attr("id").unwrap())).len(), 1, "{name}");
        let store = CATALOGUE.get(CATALOGUE.by_name("StoreComment").unwrap());
        let parameter = store.parameters.iter().find(|parameter| parameter.name == name).unwrap();
        assert_eq!(field.attr("maxlength").unwrap().parse().ok(), parameter.max_length, "{name}");
    }
}

#[test]
fn the_list_has_the_sizes_of_the_paper() {
    for (scale, kilobytes) in [(1.0, 50.0), (1.47, 73.5), (3.9, 195.0)] {
        for seed in 1..=5 {
            let mut model = CommentsModel::new(&Dataset { seed, ..dataset(scale) });
            let bytes = answered(&mut model, &script::list()).body.len() as f64;
            assert!((bytes / 1000.0 / kilobytes - 1.0).abs() < 0.03, "{bytes} bytes at {scale}, seed {seed}");
        }
    }
}

#[test]
fn every_branch_is_taken_and_every_page_decent() {
    let mut model = CommentsModel::new(&dataset(0.1));
    let mut names = BTreeSet::new();
    for Branch { name, step, status } in script::branches() {
        let before = model.comments.len();
        let response = answered(&mut model, &step);
        assert_eq!(response.status, status, "{name}");
        let is_stored = status == 200 && step.method == "POST";
        assert_eq!(model.comments.len(), before + usize::from(is_stored), "{name}");
        if response.content_type == HTML {
            assert_decent(&page(&response));
        }
        assert!(names.insert(name.clone()), "two branches are called {name}");
    }
}

#[test]
fn what_is_stored_is_acknowledged_and_listed_as_it_is() {
    let mut model = CommentsModel::new(&dataset(0.1));
    let (name, email, text) = ("<b>\"Ö'", "a&b@c", " 'x'\r\n\\ <i>&amp;</i> ");
    let stored = page(&answered(&mut model, &script::store(name, email, text)));
    let id = model.comments.len() as i64;
    assert_eq!(all(&stored, "data.acknowledged")[0].attr("value"), Some(id.to_string().as_str()));
    let list = page(&answered(&mut model, &script::list()));
    let cells: Vec<String> =
        all(&list, "tbody tr:last-child > *").iter().map(|cell| cell.text().collect()).collect();
    // Parsers of HTML read every end of a line as one character.
    assert_eq!(cells, [name, email, &text.replace("\r\n", "\n")]);
    assert_eq!(model.comments.last().unwrap().comment, text);
    assert_eq!(all(&list, "tbody tr").len(), model.comments.len());
}

#[test]
fn rows_are_the_same_however_they_are_made() {
    let dataset = Dataset { distribution: Distribution::Skewed, ..dataset(1.0) };
    let population = Population::new(&dataset);
    let made = |units| {
        let mut rows = Vec::new();
        population.rows(&Comment::TABLE, units, &mut |row| rows.push(row.to_vec()));
        rows
    };
    let units = population.units(&Comment::TABLE);
    let model = CommentsModel::new(&dataset);
    assert_eq!(made(0..units), model.rows(&Comment::TABLE));
    assert_eq!([made(0..7), made(7..units)].concat(), made(0..units));
    assert_ne!(made(0..7), {
        let other = Population::new(&Dataset { seed: 2, ..dataset });
        other.comments().take(7).map(|comment| comment.row()).collect::<Vec<_>>()
    });
}

#[test]
fn rows_are_as_declared() {
    for (seed, scale) in [(1, 0.0), (1, 1.0), (2, 3.9), (3, 20.0)] {
        let dataset = Dataset { seed, ..dataset(scale) };
        let population = Population::new(&dataset);
        let properties = COMMENTS.properties(&dataset);
        let mut survey = Survey::new(&TABLES, &properties);
        let units = population.units(&Comment::TABLE);
        population.rows(&Comment::TABLE, 0..units, &mut |row| survey.take(&Comment::TABLE, row));
        let verdicts: Vec<_> = survey.results().into_iter().flat_map(|(_, _, verdicts)| verdicts).collect();
        assert_eq!(verdicts.len(), 2);
        assert!(
            verdicts.iter().all(|verdict| verdict.holds == Some(true)),
            "seed {seed} at {scale}: {verdicts:?}"
        );
    }
}

#[test]
fn the_catalogue_fits_the_schema_and_the_mixes_fit_the_pages() {
    let schema = include_str!("../../schema/mariadb.sql");
    for interaction in CATALOGUE.interactions() {
        for parameter in &interaction.parameters {
            let column =
                format!("    {} VARCHAR({}) NOT NULL", parameter.name, parameter.max_length.unwrap());
            assert!(schema.contains(&column), "{column}");
        }
    }
    for column in Comment::TABLE.columns {
        assert!(schema.contains(&format!("    {} ", column.name)), "{}", column.name);
    }
    for (name, text) in [
        ("reading", include_str!("../../mixes/reading.toml")),
        ("writing", include_str!("../../mixes/writing.toml")),
    ] {
        Mix::parse(&Document::new(name, text), &CATALOGUE).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_asked_is_answered(values in proptest::collection::vec(any::<String>(), 3), noise: Vec<u8>, at in 0..3usize) {
        let mut model = CommentsModel::new(&dataset(0.01));
        let interaction = &CATALOGUE.interactions()[at];
        let fields: Vec<_> = ["name", "email", "comment"].into_iter().zip(values.iter().map(String::as_str)).collect();
        let mut request = Step::post(&interaction.path, &fields).request(&TokenKey::new("secret"), EPOCH);
        request.method = interaction.method.to_string();
        for _ in 0..2 {
            let response = model.respond(&request, EPOCH);
            prop_assert!([200, 400].contains(&response.status), "{request:?}: {response:?}");
            assert_decent(&page(&response));
            request.body.extend_from_slice(&noise);
        }
    }

    #[test]
    fn fuzzed_requests_can_be_sent(seed: u64) {
        let mut random = <rand_chacha::ChaCha8Rng as rand::SeedableRng>::seed_from_u64(seed);
        let mut model = CommentsModel::new(&dataset(0.01));
        let statuses: BTreeSet<u16> = (0..200).map(|_| {
            let step = model.fuzz(&mut random, EPOCH);
            answered(&mut model, &step).status
        }).collect();
        prop_assert_eq!(statuses, BTreeSet::from([200, 400, 404]));
    }
}
