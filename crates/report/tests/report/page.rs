//! The HTML page as a browser's parser sees it, and the CSV as a reader sees it.

use report::Severity;
use results::{GaugeRole, Purpose, ResultReader, Separation};
use scraper::{Html, Selector};
use specimens::{
    curves::{audited, comparison, demonstration, external, one_load, with_latencies, with_samples},
    manifest,
    open_loop::{growing, single},
    overload_cycles::collapsing,
    points::{invalid, point},
    profiled::with_profiles,
};
use std::collections::BTreeSet;

fn parsed(result: &ResultReader) -> Html {
    let page = Html::parse_document(&report::html(result));
    assert!(page.errors.is_empty(), "{:?}", page.errors);
    page
}

fn select<'a>(page: &'a Html, selector: &str) -> Vec<scraper::ElementRef<'a>> {
    page.select(&Selector::parse(selector).unwrap()).collect()
}

fn text(page: &Html, selector: &str) -> String {
    select(page, selector).iter().flat_map(scraper::ElementRef::text).collect()
}

fn hostile() -> ResultReader {
    let name = "<b>x</b><script>alert(1)</script>\"&'";
    let points = vec![invalid(point(name, 10, 5.0, None)), point(name, 5, 4.0, Some(0.1))];
    let mut result = specimens::result(manifest(&[name, "B"]), points);
    result.manifest.spec.mix = "<i>mix".into();
    result.manifest.demonstration = vec!["</aside><img src=x>".into()];
    result
}

fn without_points() -> ResultReader {
    specimens::result(manifest(&["A"]), Vec::new())
}

fn all_pages() -> Vec<Html> {
    let folder = tempfile::tempdir().unwrap();
    let profiled = with_profiles(comparison(), folder.path());
    let curves = [
        comparison(),
        demonstration(),
        hostile(),
        without_points(),
        audited(),
        profiled,
        one_load(),
        external(),
    ];
    curves.iter().chain(&[collapsing(), growing(), single()]).map(parsed).collect()
}

#[test]
fn nothing_is_fetched_from_anywhere_and_nothing_runs() {
    for page in all_pages() {
        assert!(select(&page, "script, link, img, iframe, object, embed, base").is_empty());
        for element in select(&page, "*") {
            for (name, value) in element.value().attrs() {
                assert!(!["src", "srcset", "action", "data"].contains(&name), "{name}={value}");
                assert!(!name.starts_with("on"), "{name}={value}");
                assert!(!value.contains("//"), "{name}={value}");
                assert!(!name.ends_with("href") || value.starts_with('#'), "{name}={value}");
            }
        }
        let style = text(&page, "style");
        assert!(!style.contains("url(") && !style.contains("@import") && !style.contains("//"));
    }
}

#[test]
fn ids_are_unique_and_every_reference_has_its_target() {
    for page in all_pages() {
        let ids: Vec<&str> =
            select(&page, "[id]").iter().map(|element| element.value().id().unwrap()).collect();
        let unique: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(unique.len(), ids.len(), "{ids:?}");
        let links = select(&page, "a[href]").into_iter().map(|link| &link.attr("href").unwrap()[1..]);
        let labels = select(&page, "[aria-labelledby]").into_iter();
        let labels = labels.flat_map(|element| element.attr("aria-labelledby").unwrap().split(' '));
        for target in links.chain(labels) {
            assert!(unique.contains(target), "{target} is no id");
        }
    }
}

#[test]
fn tables_and_pictures_can_be_read_aloud() {
    for page in all_pages() {
        for table in select(&page, "table") {
            let caption = table.select(&Selector::parse("caption").unwrap()).next().expect("a caption");
            assert!(caption.text().any(|text| !text.trim().is_empty()));
            assert!(table.select(&Selector::parse("th").unwrap()).all(|head| head.attr("scope").is_some()));
        }
        for picture in select(&page, "svg").iter().filter(|svg| svg.attr("aria-hidden").is_none()) {
            assert_eq!(picture.attr("role"), Some("img"));
            assert!(picture.select(&Selector::parse("title").unwrap()).next().is_some());
            assert!(picture.select(&Selector::parse("desc").unwrap()).next().is_some());
        }
        assert!(select(&page, ".scroll").iter().all(|scrolled| scrolled.attr("tabindex") == Some("0")));
        for landmark in ["header", "main", "nav[aria-label]", "footer", "h1"] {
            assert_eq!(select(&page, landmark).len(), 1, "{landmark}");
        }
    }
}

#[test]
fn every_row_has_as_many_cells_as_its_table_has_heads() {
    for page in all_pages() {
        for table in select(&page, "table") {
            let mut widths = Vec::new();
            // Columns covered by cells from rows above, and for how many rows more.
            let mut from_above: Vec<(usize, usize)> = Vec::new();
            for row in table.select(&Selector::parse("tr").unwrap()) {
                let span = |cell: &scraper::ElementRef<'_>, name| -> usize {
                    cell.attr(name).map_or(1, |span| span.parse().unwrap())
                };
                let own: usize = row.child_elements().map(|cell| span(&cell, "colspan")).sum();
                widths.push(own + from_above.iter().map(|(cells, _)| cells).sum::<usize>());
                from_above.extend(
                    row.child_elements().map(|cell| (span(&cell, "colspan"), span(&cell, "rowspan"))),
                );
                from_above.iter_mut().for_each(|(_, rows)| *rows -= 1);
                from_above.retain(|(_, rows)| *rows > 0);
            }
            assert!(widths.windows(2).all(|pair| pair[0] == pair[1]), "{widths:?}");
            assert!(from_above.is_empty(), "a cell reaches below the table");
        }
    }
}

#[test]
fn hostile_names_are_shown_as_text() {
    let result = hostile();
    let page = parsed(&result);
    let name = &result.manifest.configurations[0].name;
    assert!(text(&page, "#peaks").contains(name.as_str()));
    assert!(text(&page, "#verdicts").contains(name.as_str()));
    assert!(text(&page, "#configurations").contains(name.as_str()));
    assert!(text(&page, "h1").contains("<i>mix"));
    assert!(select(&page, "b b, i, h3 b, li b, th b").is_empty());
}

#[test]
fn all_configurations_points_and_checks_are_there() {
    let result = comparison();
    let page = parsed(&result);
    let peaks = text(&page, "#peaks");
    for configuration in &result.manifest.configurations {
        assert!(peaks.contains(&configuration.name));
    }
    assert_eq!(select(&page, "#verdicts .point").len(), result.points.len());
    assert_eq!(select(&page, "#throughput-section tbody tr").len(), result.points.len());
    assert_eq!(select(&page, "#timelines svg").len(), result.points.len());
    let invalid = result.points.iter().filter(|point| !point.verdict.valid).count();
    assert_eq!(select(&page, "#interactions details").len(), result.manifest.configurations.len());
    assert_eq!(select(&page, "#throughput-section .wide .cross").len(), invalid);
    assert_eq!(select(&page, "#verdicts .invalid-points .point").len(), invalid);
    assert_eq!(select(&page, "#verdicts .invalid-points li").len(), invalid);
}

#[test]
fn the_page_says_what_the_summary_says() {
    let result = demonstration();
    let (page, summary) = (parsed(&result), report::summary(&result));
    assert_eq!(text(&page, ".answer").replace('\u{a0}', " "), summary.answer);
    assert_eq!(text(&page, ".reason").replace('\u{a0}', " "), summary.reason);
    assert_eq!(select(&page, "#answer .caveat").len(), summary.findings_of(Severity::Caveat).count());
    assert_eq!(select(&page, "#answer > .caveat").len(), 2, "the others are folded");
    assert_eq!(select(&page, ".banner").len(), summary.banners().len());
    assert!(text(&page, ".banner").contains("Think times are 10 % of the real ones."));
    let limits = text(&page, "#limits");
    let roles = "but shared this one: db, app and web of WsPhpFpm-DB and Ws-Servlet-DB-sync; db and web of WsPhp-DB and \
                 WsPhp-DB,engine=MyISAM.";
    assert!(limits.contains(roles), "{limits}");
    for (separation, shared) in [
        (Separation::Cores, "shared one machine's memory and caches"),
        (Separation::Namespaces, "no latency and no loss"),
    ] {
        let mut apart = result.clone();
        apart.manifest.testbed =
            Some(results::TestbedRecord { title: "Two".into(), separation, hosts: Vec::new() });
        let limits = text(&parsed(&apart), "#limits");
        assert!(limits.contains(shared) && !limits.contains("but shared this one"), "{limits}");
    }
    assert!(
        limits.contains("10 % of the real ones") && limits.contains("5 % of the published size"),
        "{limits}"
    );
    assert!(select(&parsed(&comparison()), ".banner").is_empty());
}

#[test]
fn the_first_screen_says_whether_data_were_lost_and_points_failed() {
    let said = |result| text(&parsed(&result), "#answer");
    assert!(
        said(comparison())
            .contains("No acknowledged write was lost; 2 of 58 points are INVALID and do not count.")
    );
    assert!(!said(demonstration()).contains("lost"));
    let mut lossy = comparison();
    lossy.points.retain(|point| point.verdict.valid);
    lossy.points[0].audit.as_mut().unwrap().accounts[0].missing = 1;
    assert!(said(lossy).contains("1 of 56 points lost or corrupted data; all points are VALID."));
}

#[test]
fn rows_that_warm_up_left_behind_are_a_limitation() {
    let mut result = demonstration();
    assert!(!text(&parsed(&result), "#limits").contains("Exactly equal data"));
    for (point, interactions) in result.points.iter_mut().zip([9_000, 110_000, 20_000]) {
        point.warm_up = Some(results::WarmUp {
            interactions,
            has_compilers: true,
            writes: interactions / 10,
            restore: None,
            ..specimens::warm_up()
        });
    }
    assert!(text(&parsed(&result), "#limits").contains("Warm-up took 9,000 to 110,000 interactions."));
    let mut reading = result.clone();
    for point in &mut reading.points {
        point.warm_up = point.warm_up.map(|warm_up| results::WarmUp { writes: 0, ..warm_up });
    }
    assert!(!text(&parsed(&reading), "#limits").contains("Exactly equal data"), "nothing was written");
    for point in &mut result.points {
        let restore = Some(results::Restore { seconds: 3.0, rows: 600_000 });
        point.warm_up = point.warm_up.map(|warm_up| results::WarmUp { restore, ..warm_up });
    }
    assert!(!text(&parsed(&result), "#limits").contains("Exactly equal data"));
}

#[test]
fn further_starts_for_invalid_points_are_counted() {
    let mut result = comparison();
    let said = |result: &ResultReader| text(&parsed(result), "main");
    assert!(!said(&result).contains("Further starts"));
    let asked = result.manifest.spec.repetitions;
    for point in result.points.iter_mut().filter(|point| point.purpose == Purpose::Confirm) {
        (point.start, point.repetition) = (Some(asked + 2), asked + 2);
    }
    assert!(said(&result).contains("2 further starts made up for INVALID points."), "{}", said(&result));
}

#[test]
fn a_result_without_points_says_so() {
    let page = parsed(&without_points());
    assert_eq!(text(&page, ".answer"), "Nothing was measured, so there is no answer.");
    assert!(text(&page, "#peaks").contains("not measured"));
    assert!(select(&page, "svg").is_empty());
}

#[test]
fn without_a_valid_point_the_table_says_which_checks_failed() {
    let points = vec![invalid(point("A", 10, 5.0, None)), invalid(point("A", 20, 6.0, None))];
    let page = parsed(&specimens::result(manifest(&["A"]), points));
    assert!(
        text(&page, "#peaks").contains("no VALID point: 2 points of up to 6.00 interactions/s failed errors")
    );
}

/// A host with 0.3 of a core, which uses 0.24 of it, and a link of 100 Mbit/s.
fn host(name: &str, tiers: &[&str]) -> results::HostUsageFigures {
    results::HostUsageFigures {
        mean: results::HostUsageSample {
            name: name.into(),
            cores: 0.24,
            received_bytes_per_s: Some(1e6),
            sent_bytes_per_s: None,
            received_packets_per_s: Some(400.0),
            sent_packets_per_s: Some(250.0),
            page_faults_per_s: None,
        },
        tiers: tiers.iter().map(|tier| (*tier).to_owned()).collect(),
        cpu: Some(0.3),
        link_bits_per_s: Some(100_000_000),
        ..results::HostUsageFigures::default()
    }
}

#[test]
fn hosts_of_a_testbed_are_shown_with_their_quota() {
    let mut apart = specimens::result(manifest(&["A"]), vec![point("A", 100, 50.0, None)]);
    assert!(select(&parsed(&apart), "#hosts").is_empty());
    apart.points[0].hosts =
        vec![host("client", &[]), host("web", &["web (apache)", "app (php-fpm)"]), host("db", &[])];
    let limited = |role| results::HostRecord {
        memory_bytes: Some(2 << 30),
        link_bits_per_s: Some(100_000_000),
        ..specimens::host([role], Some(0.3))
    };
    let hosts = ["client", "web", "db"].map(limited);
    apart.manifest.testbed = Some(specimens::testbed(hosts.to_vec()));
    let page = parsed(&apart);
    assert_eq!(text(&page, "#hosts .group"), "A, at its peak, 100 clients");
    let rows = select(&page, "#hosts tbody tr:not(.group)").into_iter();
    let rows: Vec<String> = rows.map(|row| row.text().map(str::trim).collect::<Vec<_>>().join("|")).collect();
    let generator = format!("client|the load generator|0.30|{:.3}|", apart.points[0].generator_cpu);
    assert!(rows[0].starts_with(&generator), "{rows:?}");
    // The specimen's tiers do 78 % of their work in user mode and have 612 MiB each.
    let web =
        "web|web (apache) and app (php-fpm)|0.30|0.24|80.0 %|62.4 %|17.6 %|1.20 GiB|2.00 GiB|8.00|8.00 %|–|–";
    assert_eq!(rows[1], web);
    assert_eq!(rows[2], "db|0.30|0.24|80.0 %|–|–|–|2.00 GiB|8.00|8.00 %|–|–");

    let links = select(&page, "#links tbody tr:not(.group)").into_iter();
    let links: Vec<String> =
        links.map(|row| row.text().map(str::trim).collect::<Vec<_>>().join("|")).collect();
    // 1 MB and 400 packets a second, of 50 interactions.
    assert_eq!(links[1], "web|web (apache) and app (php-fpm)|19.5|8.00|–|5.00");
    let csv = report::csv(std::slice::from_ref(&apart));
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let headers = reader.headers().unwrap().clone();
    let row = reader.records().next().unwrap().unwrap();
    let field = |name: &str| row.get(headers.iter().position(|header| header == name).unwrap()).unwrap();
    assert_eq!(field("received_bytes_per_interaction_web"), "20000");
    assert_eq!(field("sent_bytes_per_interaction_web"), "", "unknown");
    assert_eq!(field("sent_packets_per_interaction_db"), "5");
    let terminal = report::terminal_table(&report::summary(&apart));
    let line = terminal.lines().find(|line| line.trim_start().starts_with("web ") && line.contains("19.5"));
    assert_eq!(line.unwrap().split_whitespace().collect::<Vec<_>>(), ["web", "19.5", "8.00", "–", "5.00"]);

    apart.points[0] = invalid(apart.points[0].clone());
    assert_eq!(text(&parsed(&apart), "#hosts .group"), "A, no peak; at 100 clients");
}

#[test]
fn statements_are_shown_per_interaction_and_as_traced() {
    let mut result = specimens::result(manifest(&["A"]), vec![point("A", 100, 50.0, None)]);
    let cell = |result: &ResultReader| {
        let page = parsed(result);
        let cells = select(&page, "#peaks td[data-label='Statements per interaction']").into_iter();
        cells.flat_map(|cell| cell.text()).map(str::to_owned).collect::<Vec<String>>().join("|")
    };
    // Each of the seven interactions takes as many statements as its index: 2.75 by the mix, and 0.6 of it tables.
    assert_eq!(cell(&result), "4.90|5.10 round trips|1.65 tables");
    let page = parsed(&result);
    assert!(text(&page, "#configurations").contains("2.75 statements on 1.65 tables in 3.30 round trips"));
    assert_eq!(select(&page, ".traced tbody tr").len(), 7);
    assert!(text(&page, ".traced tbody tr:last-child").starts_with("ViewItem3.001.803.60"));
    assert!(text(&page, ".tiers tbody tr").contains("4.905.10"));

    let gauges = &mut result.points[0].tiers[0].gauges;
    gauges.retain(|gauge| !matches!(gauge.role, GaugeRole::Statements | GaugeRole::RoundTrips));
    assert_eq!(cell(&result), "2.75|3.30 round trips|1.65 tables|traced");
    result.manifest.configurations[0].traffic.as_mut().unwrap().estimates_round_trips = true;
    assert_eq!(cell(&result), "2.75|about 3.30 round trips|1.65 tables|traced");

    result.manifest.configurations[0].traffic = None;
    let older = parsed(&result);
    assert!(select(&older, "#peaks td[data-label='Statements per interaction'], .traced").is_empty());
    assert!(!report::terminal_table(&report::summary(&result)).contains("statements per interaction"));
}

#[test]
fn speed_and_cost_at_the_same_load_stand_side_by_side() {
    let mut points =
        vec![point("A", 100, 50.0, None), point("B", 100, 40.0, None), point("A", 200, 90.0, None)];
    points.push(invalid(point("B", 200, 60.0, None)));
    let page = parsed(&specimens::result(manifest(&["A", "B"]), points.clone()));
    assert_eq!(text(&page, ".equal .group"), "100 clients¶200 clients¶");
    let rows = select(&page, ".equal tbody tr:not(.group)");
    assert_eq!(rows.len(), 3, "of 200 clients, B has no VALID point");
    let cells =
        |row: usize| rows[row].child_elements().map(|cell| cell.text().next().unwrap_or("")).collect();
    let [a, b]: [Vec<&str>; 2] = [cells(0), cells(1)];
    assert_eq!((a[0], a[9], b[0], b[9]), ("A", "1", "B", "1"));
    let shown = |cell: &str| cell.replace(',', "").parse::<f64>().unwrap();
    let (cpu_ms, mebibytes) = (shown(a[5]), shown(a[6]));
    let tiers = &points[0].tiers;
    assert!((cpu_ms / tiers.iter().map(|tier| tier.cpu_ms_per_interaction).sum::<f64>() - 1.0).abs() < 0.01);
    // Of the store no proportional memory is known, of the two others it is.
    assert_eq!(mebibytes, 1450.0 + 2.0 * 612.0);
    assert!((shown(a[7]) * 50.0 / mebibytes - 1.0).abs() < 0.01, "{a:?}");
    let cores: f64 = tiers.iter().map(|tier| tier.cores).sum();
    assert!((shown(a[8]) * cores / 100.0 - 1.0).abs() < 0.01, "{a:?}");
    let p99 = |point: &results::Point| point.response.p99_ms.unwrap().round().to_string();
    assert_eq!(
        [a[3], b[3]].map(|shown| shown.parse::<f64>().unwrap().round().to_string()),
        [p99(&points[0]), p99(&points[1])]
    );
    let without = specimens::result(manifest(&["A"]), vec![invalid(point("A", 10, 5.0, None))]);
    assert!(select(&parsed(&without), ".equal").is_empty());
}

#[test]
fn each_configuration_load_and_point_can_be_linked_to() {
    let page = parsed(&comparison());
    let own = |selector: &str| -> BTreeSet<String> {
        let links = select(&page, selector).into_iter();
        links.map(|link| link.attr("href").unwrap().to_owned()).collect()
    };
    let peaks = own("#peaks a.here");
    assert!(peaks.contains("#peak-WsPhp-DB-engine-MyISAM") && peaks.len() == 4, "{peaks:?}");
    assert_eq!(own("#configurations a.here").len(), 4);
    assert!(own("#loads a.here").contains("#load-8000"));
    let points = comparison().points.len();
    assert_eq!((own("#verdicts a.here").len(), own("#throughput-section a.here").len()), (points, points));
}

#[test]
fn a_choice_hides_what_is_otherwise_and_adds_ratios_without_changing_a_figure() {
    let page = parsed(&comparison());
    let labels = text(&page, ".choices label");
    for choice in ["php", "java", "exact", "equivalent", "WsPhpFpm-DB", "none"] {
        assert!(labels.contains(choice), "{choice}: {labels}");
    }
    assert!(!labels.contains("mariadb"), "all have the same");
    let css = text(&page, "style");
    // The fourth is the only one of the stack java.
    assert!(css.contains("body:has(#only-stack-php:checked) .k3 {"), "{css}");
    assert!(!css.contains("body:has(#only-stack-php:checked) .k0 {"));
    for place in 0..4 {
        assert!(!select(&page, &format!("#peaks tbody.k{place}")).is_empty());
        assert!(!select(&page, &format!("#throughput-section svg .k{place}")).is_empty());
        assert!(!select(&page, &format!("#verdicts .point.k{place}")).is_empty());
        let versus = select(&page, &format!("#peaks td.main .versus.v{place}"));
        assert_eq!(versus.len(), 4, "each is held against each");
    }
    let first = text(&page, "#peaks tbody.k0 td.main .versus.v1");
    let pair = report::summary(&comparison()).comparisons;
    let pair = pair.iter().find(|pair| (&*pair.higher, &*pair.lower) == ("WsPhpFpm-DB", "WsPhp-DB")).unwrap();
    assert!(
        first.starts_with(&format!("{:.2}", pair.ratio.unwrap().mean)) && first.ends_with("baseline"),
        "{first}"
    );
    assert!(text(&page, "#peaks tbody.k1 td.main .versus.v2").ends_with("cannot be told apart"));
    assert_eq!(text(&page, "#peaks tbody.k2 td.main .versus.v2"), "the baseline");
    let alone = specimens::result(manifest(&["A"]), vec![point("A", 100, 50.0, None)]);
    assert!(select(&parsed(&alone), ".choices").is_empty(), "nothing can be chosen");
}

#[test]
fn the_spectrum_shows_each_share_of_the_answers_of_all_configurations_at_one_load() {
    let folder = tempfile::tempdir().unwrap();
    let points = vec![point("A", 100, 50.0, None), point("B", 100, 40.0, None), point("A", 200, 90.0, None)];
    let result = specimens::result(manifest(&["A", "B"]), points);
    assert!(select(&parsed(&result), "#spectrum-title").is_empty(), "nobody wrote them down");
    let result = with_latencies(result, folder.path());
    let page = parsed(&result);
    assert!(text(&page, "#loads figcaption").contains("Response times at 100 clients"));
    let titles: Vec<String> =
        select(&page, "#loads .wide .s0 title").iter().map(|title| title.text().collect()).collect();
    assert_eq!(titles.len(), 4, "of two thousand answers, two are no evidence of 99.9 %: {titles:?}");
    // The specimen's times are exponential: ten times less remain with each log2(10) medians.
    let median = result.points[0].response.p50_ms.unwrap();
    for (title, (share, medians)) in titles[1..].iter().zip([("50", 1.0), ("90", 3.322), ("99", 6.644)]) {
        let within = title.strip_prefix(&format!("A: {share} % within ")).unwrap().trim_end_matches(" ms");
        assert!((within.parse::<f64>().unwrap() / (medians * median) - 1.0).abs() < 0.02, "{title}");
    }
    assert_eq!(select(&page, "#loads .wide .line").len(), 2);
    std::fs::write(folder.path().join("latency/0001.hlog"), "nothing of the kind\n").unwrap();
    let said = text(&parsed(&result), "#loads .caveat");
    assert!(said.contains("The spectrum is missing") && said.contains("0001.hlog, line 1"), "{said}");
}

#[test]
fn a_column_of_the_json_has_one_type_whatever_its_texts_look_like() {
    let mut points = vec![point("10", 100, 50.0, None), point("1.10", 100, 40.0, Some(0.5))];
    points[0].lateness_p99_ms = f64::NAN;
    points[0].response.max_ms = None;
    let mut result = specimens::result(manifest(&["10", "1.10"]), points);
    result.manifest.spec.mix = "1e5".into();
    result.manifest.tierbench = "true".into();
    result.folder = "7".into();
    let text = report::json(std::slice::from_ref(&result));
    let rows: Vec<serde_json::Map<String, serde_json::Value>> = serde_json::from_str(&text).unwrap();
    for (name, value) in [("configuration", "10"), ("mix", "1e5"), ("tierbench", "true"), ("result", "7")] {
        assert_eq!(rows[0][name], value, "{name} is a text");
    }
    assert_eq!(rows[1]["configuration"], "1.10");
    for unknown in ["lateness_p99_ms", "response_max_ms", "throughput_half_width_per_s"] {
        assert!(rows[0][unknown].is_null() && rows[1][unknown].is_number(), "{unknown}");
    }
    let csv = report::csv(std::slice::from_ref(&result));
    assert!(!csv.contains("NaN") && !csv.contains("null"), "{csv}");
}

#[test]
fn a_comparison_at_one_load_is_drawn_as_bars() {
    let points = vec![
        point("A", 100, 50.0, Some(2.0)),
        point("B", 100, 40.0, None),
        invalid(point("B", 100, 60.0, None)),
    ];
    let page = parsed(&specimens::result(manifest(&["A", "B"]), points));
    let bars = select(&page, "#throughput-section .wide .bars rect");
    let width = |index: usize| bars[index].attr("width").unwrap().parse::<f64>().unwrap();
    assert_eq!(bars.len(), 3);
    assert!(width(1) < width(0) && width(0) < width(2), "a bar is as long as its figure");
    assert_eq!(select(&page, "#throughput-section .wide .bars .whisker").len(), 1);
    assert_eq!(select(&page, "#throughput-section .wide .bars .hollow").len(), 1);
    assert_eq!(select(&page, "#response-section .bars").len(), 3, "three quantiles");
    assert_eq!(text(&page, "#throughput-heading"), "Throughput at 100 clients");
    assert!(select(&parsed(&comparison()), ".bars").is_empty());
}

#[test]
fn a_report_of_an_external_site_has_no_table_of_tiers() {
    let page = parsed(&external());
    assert!(select(&page, "#tiers table").is_empty());
    assert!(!text(&page, "#peaks table").contains("CPU"), "{}", text(&page, "#peaks table"));
    assert!(text(&page, "#limits").contains("Somebody else runs the site"));
    assert!(!text(&page, "#answer").contains("verify"), "nobody can verify it");
}

#[test]
fn factors_verdicts_and_interactions_are_folded() {
    let page = parsed(&comparison());
    for section in ["#configurations", "#verdicts", "#interactions"] {
        assert!(!select(&page, &format!("{section} details")).is_empty(), "{section}");
        assert!(select(&page, &format!("{section} details[open]")).is_empty(), "{section}");
        assert!(select(&page, &format!("{section} table")).iter().all(|table| {
            table
                .ancestors()
                .filter_map(scraper::ElementRef::wrap)
                .any(|parent| parent.value().name() == "details")
                || table
                    .select(&Selector::parse("caption").unwrap())
                    .any(|caption| caption.text().any(|text| text == "Tiers"))
        }));
    }
}

#[test]
fn timelines_of_the_same_load_share_their_scales() {
    let points =
        vec![point("A", 100, 50.0, None), point("B", 100, 400.0, None), point("B", 200, 900.0, None)];
    let page = parsed(&specimens::result(manifest(&["A", "B"]), points));
    let tops: Vec<String> = select(&page, ".timeline")
        .iter()
        .map(|timeline| {
            timeline.select(&Selector::parse(".unit").unwrap()).flat_map(|unit| unit.text()).collect()
        })
        .collect();
    assert!(tops[0].contains("interactions/s, 0 to 5"), "{tops:?}");
    assert_eq!(tops[0], tops[1]);
    assert_ne!(tops[1], tops[2]);
}

#[test]
fn no_invalid_mark_lies_over_a_valid_one() {
    for page in [parsed(&comparison()), parsed(&demonstration())] {
        for chart in select(&page, ".plot") {
            let marks: Vec<bool> = chart
                .select(&Selector::parse(".mark").unwrap())
                .map(|mark| mark.value().has_class("hollow", scraper::CaseSensitivity::CaseSensitive))
                .collect();
            assert!(marks.is_sorted_by(|one, next| one >= next), "{marks:?}");
        }
    }
}

#[test]
fn a_check_that_was_not_judged_has_not_passed() {
    let page = parsed(&specimens::result(manifest(&["A"]), vec![point("A", 10, 5.0, None)]));
    let rows = select(&page, ".checks tbody tr").into_iter();
    let rows: Vec<String> = rows.map(|row| row.text().collect()).collect();
    let of = |name: &str| rows.iter().find(|row| row.starts_with(name)).unwrap().as_str();
    assert!(of("errors").ends_with("yes"));
    assert!(of("steady state: MSER-5").ends_with("not judged"));
    assert!(of("steady state: change").ends_with("yes, as far as judged"));
    assert!(text(&page, ".point summary").contains("not judged: steady state: MSER-5"));
    assert!(text(&page, "#limits").contains("steady state: MSER-5 (the point)"));
}

#[test]
fn csv_has_a_row_per_point_with_all_its_fields() {
    let result = hostile();
    let text = report::csv(std::slice::from_ref(&result));
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let headers = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
    let field = |row: usize, name: &str| {
        let column = headers.iter().position(|header| header == name).unwrap();
        rows[row].get(column).unwrap().to_owned()
    };
    assert_eq!(rows.len(), 2);
    assert_eq!(field(0, "configuration"), result.points[0].configuration);
    assert_eq!([field(0, "valid"), field(0, "failed_checks")], ["false", "errors"]);
    assert_eq!(field(0, "unjudged_checks"), "steady state: MSER-5");
    assert_eq!(
        [field(0, "throughput_half_width_per_s"), field(1, "throughput_half_width_per_s")],
        ["", "0.1"]
    );
    assert_eq!(field(1, "lateness_p99_ms"), "0.31");
    assert_eq!(field(1, "response_max_ms"), result.points[1].response.max_ms.unwrap().to_string());
    assert_eq!(field(1, "cpu_cores_db"), result.points[1].tiers[0].cores.to_string());
    assert_eq!(
        field(1, "cpu_ms_per_interaction_web"),
        result.points[1].tiers[2].cpu_ms_per_interaction.to_string()
    );
}

#[test]
fn a_keep_alive_race_is_explained_where_it_is_named() {
    let mut lost = point("A", 10, 5.0, None);
    lost.errors = [("keep-alive-race".to_owned(), 3), ("timeout".to_owned(), 1)].into();
    let page = parsed(&specimens::result(manifest(&["A"]), vec![lost]));
    let text = text(&page, "caption");
    assert!(text.contains("keep-alive-race 3 (sent while the server closed"), "{text}");
    assert!(text.contains("may have heeded it), timeout 1."), "{text}");
}

#[test]
fn a_point_that_loses_data_is_shown_losing_data() {
    let page = parsed(&audited());
    let data = text(&page, "#data");
    for said in [
        "1 of 58 points lost or corrupted data",
        "row 12345 of bids was deleted on purpose; it was seen by item_bid_counts and the account of writes",
        "2 of 100 acknowledged rows of bids are not there (the first: 7, 9)",
        "“Every item counts its bids” is not so once, as in item_id = 5",
    ] {
        assert!(data.contains(said), "{said}:\n{data}");
    }
}

#[test]
fn timelines_show_what_samples_tell() {
    let folder = tempfile::tempdir().unwrap();
    let result = with_samples(comparison(), folder.path());
    let page = parsed(&result);
    let tiers: usize = result.points.iter().map(|point| point.tiers.len()).sum();
    assert_eq!(select(&page, "#timelines .area").len(), tiers);
    assert_eq!(select(&page, "#timelines .busy").len(), result.points.len());
    // Only a JVM has collectors.
    let collecting = |point: &&results::Point| point.tiers.iter().any(|tier| tier.service == "tomcat");
    let collecting = result.points.iter().filter(collecting).count();
    assert_eq!(select(&page, "#timelines .pauses").len(), collecting);
    assert!(text(&page, "#timelines").contains("collector pauses, up to 3.00 %"));
    let without = parsed(&comparison());
    assert!(select(&without, "#timelines .area, #timelines .busy, #timelines .caveat").is_empty());
}

#[test]
fn samples_that_cannot_be_read_are_named_and_all_else_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let result = with_samples(comparison(), folder.path());
    let broken = folder.path().join("samples/0003.jsonl");
    std::fs::write(&broken, "{\"at_s\": \"soon\"}\n").unwrap();
    let page = parsed(&result);
    let said = text(&page, "#timelines .caveat");
    assert!(said.contains("The CPU is missing") && said.contains("0003.jsonl, line 1"), "{said}");
    assert_eq!(select(&page, "#timelines svg").len(), result.points.len());
}

#[test]
fn seconds_after_the_window_are_not_drawn() {
    let path = |result: &ResultReader| -> String {
        let page = parsed(result);
        select(&page, "#timelines .line")[0].attr("d").unwrap().to_owned()
    };
    let mut result = specimens::result(manifest(&["A"]), vec![point("A", 10, 5.0, None)]);
    let before = path(&result);
    let mut rest = *result.points[0].timeline.last().unwrap();
    (rest.second, rest.completed) = (rest.second + 1, 0);
    result.points[0].timeline.push(rest);
    assert_eq!(path(&result), before);
}

#[test]
fn profiles_show_each_component_of_each_tier_and_what_looking_cost() {
    let folder = tempfile::tempdir().unwrap();
    let result = with_profiles(comparison(), folder.path());
    let page = parsed(&result);
    let said = text(&page, "#profiles");
    for expected in [
        "8,000 clients, 910 interactions per second; 9",
        "without profilers (−",
        "INVALID as a measurement: errors",
        "app (tomcat)",
        "samples by async-profiler",
        "pages, rules and PHP's engine",
    ] {
        assert!(said.contains(expected), "{expected}:\n{said}");
    }
    assert_eq!(select(&page, "#profiles svg.flame").len(), 6);
    let (mut rows, mut shares) = (0, 0.0);
    for row in select(&page, "#profiles .parts tbody tr:not(.group)") {
        let share = row.select(&Selector::parse("td").unwrap()).next().unwrap().text().collect::<String>();
        shares += share.trim_end_matches(" %").parse::<f64>().unwrap();
        rows += 1;
    }
    let told: usize = (result.profiled.iter())
        .flat_map(|point| result.profile(point.sequence).unwrap().tiers)
        .map(|tier| tier.shares.len())
        .sum();
    assert_eq!(rows, told);
    assert!((shares - 600.0).abs() < 2.0, "{shares}: each tier's shares are all of it");
    for table in select(&page, "#profiles .hottest") {
        let itself = Selector::parse("tbody tr td:last-child").unwrap();
        let shares: Vec<f64> = table
            .select(&itself)
            .map(|cell| cell.text().collect::<String>().trim_end_matches(" %").parse().unwrap())
            .collect();
        assert!(
            (5..=12).contains(&shares.len()) && shares.is_sorted_by(|one, next| one >= next),
            "{shares:?}"
        );
    }
    assert!(!text(&page, "#limits").contains("--profile"));
    assert!(text(&parsed(&comparison()), "#limits").contains("--profile shows which part"));
}

#[test]
fn frames_lie_within_what_called_them() {
    let folder = tempfile::tempdir().unwrap();
    let page = parsed(&with_profiles(comparison(), folder.path()));
    for flame in select(&page, "#profiles svg.flame") {
        let number =
            |rect: &scraper::ElementRef<'_>, name: &str| rect.attr(name).unwrap().parse::<f64>().unwrap();
        let rects = flame.select(&Selector::parse("rect").unwrap()).collect::<Vec<_>>();
        assert!(rects.len() > 20, "{}", rects.len());
        for rect in &rects {
            let (x, y, width) = (number(rect, "x"), number(rect, "y"), number(rect, "width"));
            let calls = |other: &&scraper::ElementRef<'_>| {
                let (left, room) = (number(other, "x"), number(other, "width"));
                number(other, "y") == y - 18.0 && left <= x + 0.1 && x + width <= left + room + 0.2
            };
            assert!(y == 0.0 || rects.iter().any(|other| calls(&other)), "{x} {y} {width}");
            assert!(x + width <= 1200.0);
        }
    }
}

#[test]
fn a_profile_that_cannot_be_read_is_named_and_all_else_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let result = with_profiles(comparison(), folder.path());
    let file = folder.path().join(format!("profiles/{:04}/profile.json", result.profiled[0].sequence));
    std::fs::write(file, "{").unwrap();
    let page = parsed(&result);
    assert!(text(&page, "#profiles .caveat").contains("profile.json"));
    assert_eq!(select(&page, "#profiles svg.flame").len(), 3);
}

#[test]
fn profiled_points_change_nothing_but_their_own_section() {
    let folder = tempfile::tempdir().unwrap();
    let profiled = with_profiles(comparison(), folder.path());
    let plain = ResultReader { profiled: Vec::new(), ..profiled.clone() };
    assert_eq!(report::csv(std::slice::from_ref(&plain)), report::csv(std::slice::from_ref(&profiled)));
    let table = |result: &ResultReader| {
        let text = report::terminal_table(&report::summary(result));
        text.split("Not shown: ").next().unwrap().to_owned()
    };
    assert_eq!(table(&plain), table(&profiled));
    let differs = report::difference_table(&report::difference(&plain, &profiled));
    assert_eq!(differs, report::difference_table(&report::difference(&plain, &plain)));
    let (plain, profiled) = (parsed(&plain), parsed(&profiled));
    for section in
        ["#answer", "#peaks", "#throughput-section", "#response-section", "#tiers", "#timelines", "#verdicts"]
    {
        assert_eq!(text(&plain, section), text(&profiled, section), "{section}");
    }
}
