use report::{Exhibit, gallery};
use specimens::curves::{comparison, demonstration};
use std::collections::BTreeMap;

fn files() -> BTreeMap<String, String> {
    let exhibits = [("first", comparison()), ("second", demonstration())]
        .map(|(name, result)| Exhibit { name: name.into(), result });
    gallery(&exhibits).into_iter().collect()
}

/// Nothing that the page leads to is missing, and nothing is written that it doesn't lead to.
#[test]
fn the_page_leads_to_all_other_files() {
    let mut files = files();
    let index = files.remove("index.html").unwrap();
    let led_to = |attribute: &str| -> Vec<String> {
        let before = format!("{attribute}=\"");
        let targets = index.split(&before).skip(1).filter_map(|rest| rest.split('"').next());
        targets.filter(|to| !to.starts_with('#')).map(str::to_owned).collect()
    };
    let mut all = [led_to("href"), led_to("src")].concat();
    all.sort();
    all.dedup();
    assert_eq!(all, files.keys().cloned().collect::<Vec<_>>());
}

#[test]
fn a_card_says_what_the_report_says_first() {
    let files = files();
    for result in [comparison(), demonstration()] {
        let summary = report::summary(&result);
        let plain = |text: &str| text.replace('\u{a0}', " ").replace('\u{2060}', "");
        let page = plain(&files["index.html"]);
        for text in [&summary.title, &summary.answer, &summary.reason] {
            let escaped = text.replace('&', "&#38;").replace('<', "&#60;").replace('>', "&#62;");
            assert!(page.contains(&plain(&escaped)), "{text}");
        }
        for banner in summary.banners() {
            assert!(page.contains(banner.title), "{}", banner.title);
        }
    }
}

/// A peak on the badge is that of the summary.
#[test]
fn each_configuration_has_a_badge_with_its_peak() {
    let files = files();
    let result = comparison();
    let summary = report::summary(&result);
    let of_peak = summary.configurations.iter().filter_map(|one| Some((&one.name, one.peak.as_ref()?)));
    let mut count = 0;
    for (name, peak) in of_peak {
        let badge = &files[&format!("first/{}.svg", name.replace([',', '='], "-"))];
        let (throughput, clients) = badge.split_once("/s at ").unwrap();
        let figure = |text: &str| text.replace(',', "").parse::<f64>().unwrap();
        let throughput = figure(throughput.rsplit(' ').next().unwrap());
        assert!((throughput / peak.throughput - 1.0).abs() < 0.01, "{badge}");
        assert_eq!(figure(clients.split(' ').next().unwrap()), f64::from(peak.clients), "{badge}");
        count += 1;
    }
    assert!(count > 1);
}
