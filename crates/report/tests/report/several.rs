//! The page of several results.

use report::several_html;
use results::ResultReader;
use scraper::{Html, Selector};
use specimens::{
    curves::{comparison, demonstration, one_load},
    overload_cycles::collapsing,
};
use std::collections::BTreeSet;

fn parsed(results: &[ResultReader]) -> Html {
    let page = Html::parse_document(&several_html(results));
    assert!(page.errors.is_empty(), "{:?}", page.errors);
    page
}

fn texts(page: &Html, selector: &str) -> Vec<String> {
    let selector = Selector::parse(selector).unwrap();
    page.select(&selector)
        .map(|element| element.text().map(str::trim).collect::<Vec<_>>().join("|"))
        .collect()
}

/// The same on another machine, with another seed.
fn elsewhere() -> ResultReader {
    let mut result = comparison();
    result.manifest.host.cpu = "Another CPU".into();
    result.manifest.host.settings.insert("cpu governor".into(), "powersave".into());
    result.manifest.spec.seed = 43;
    result.points.iter_mut().for_each(|point| point.throughput *= 0.5);
    result
}

#[test]
fn what_differs_between_the_machines_comes_first() {
    let page = parsed(&[comparison(), elsewhere(), comparison()]);
    let sections: Vec<String> = page
        .select(&Selector::parse("main > section").unwrap())
        .map(|section| section.value().id().unwrap().to_owned())
        .collect();
    assert_eq!(sections, ["differences", "results", "peaks", "throughput-section", "loads", "pairs"]);
    let rows = texts(&page, "#differences tbody tr");
    assert_eq!(
        rows,
        [
            "cpu governor|performance|powersave|performance",
            "processor|AMD EPYC 7B13|Another CPU|AMD EPYC 7B13",
            "seed|42|43|42"
        ]
    );
    let same = parsed(&[comparison(), comparison()]);
    assert!(texts(&same, "#differences table").is_empty());
    assert!(texts(&same, "#differences").concat().contains("the same circumstances"));
}

#[test]
fn each_result_has_its_peaks_its_curves_and_a_table_against_the_first() {
    let results = [comparison(), elsewhere(), one_load()];
    let page = parsed(&results);
    let configurations: usize = results.iter().map(|result| result.manifest.configurations.len()).sum();
    assert_eq!(texts(&page, "#peaks tbody").len(), configurations);
    assert_eq!(texts(&page, ".legend li").len(), configurations);
    assert!(texts(&page, ".legend li").contains(&"B: WsPhp-DB".to_owned()));
    // At 4,000 clients all of them have VALID points.
    assert_eq!(texts(&page, "#load-4000 tr:not(.group)").len(), configurations);
    let pairs = texts(&page, "#pairs summary");
    assert_eq!(pairs, ["B against A", "C against A"]);
    let changed = texts(&page, "#pairs details:first-of-type tbody tr").into_iter();
    let throughput: Vec<String> = changed.filter(|row| row.contains("interactions/s")).collect();
    assert!(throughput.len() == 4 && throughput.iter().all(|row| row.ends_with("lower")), "{throughput:?}");
}

#[test]
fn results_without_peaks_and_hostile_names_have_a_page_too() {
    let name = "<b>x</b>";
    let hostile = comparison().renamed(|known| if known == "WsPhp-DB" { name.into() } else { known.into() });
    let results = [hostile, collapsing(), demonstration()];
    let page = parsed(&results);
    assert!(texts(&page, "#peaks").concat().contains(name) && texts(&page, "#peaks b").is_empty());
    let banners: usize = results.iter().map(|result| report::summary(result).banners().len()).sum();
    assert_eq!(texts(&page, ".banner-title").len(), banners);
    let ids: Vec<String> = page
        .select(&Selector::parse("[id]").unwrap())
        .map(|element| element.value().id().unwrap().to_owned())
        .collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
    let row = Selector::parse("tr").unwrap();
    for table in page.select(&Selector::parse("table").unwrap()) {
        let widths = table.select(&row).map(|row| {
            let spans =
                row.child_elements().map(|cell| cell.attr("colspan").map_or(1, |span| span.parse().unwrap()));
            spans.sum::<usize>()
        });
        assert_eq!(widths.collect::<BTreeSet<_>>().len(), 1);
    }
}
