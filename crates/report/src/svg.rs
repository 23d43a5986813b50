//! Charts as files of their own, which any viewer shows: with their style inside, on white, and without variables of CSS.

use crate::{page::charts_of, series::colour};
use results::ResultReader;
use std::collections::BTreeMap;

const CSS: &str = include_str!("../templates/report.css");
const BEGIN: &str = "/* `--svg` takes the rules of charts from here on, each in a line. */";
const END: &str = "/* Here they end. */";

/// More configurations share classes.
const CLASSES: usize = 6;

/// The charts of a result with the names of their files.
pub fn svgs(result: &ResultReader) -> Vec<(String, String)> {
    let style = style();
    let charts = charts_of(result).into_iter();
    charts.map(|(name, chart)| (format!("{name}.svg"), with_style(&chart, &style))).collect()
}

fn with_style(chart: &str, style: &str) -> String {
    let own = chart.replacen("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" ", 1);
    let inside =
        format!(">\n<style>{style}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>");
    own.replacen('>', &inside, 1)
}

/// The rules of charts, with the colours of each class of configurations.
fn style() -> String {
    let colours = colours();
    let rules =
        CSS.split_once(BEGIN).and_then(|(_, rest)| rest.split_once(END)).map_or("", |(rules, _)| rules);
    let mut style = String::new();
    for rule in rules.lines().filter(|line| !line.is_empty()) {
        if !rule.contains("var(--c)") {
            style += &filled(rule, &colours);
            style.push('\n');
            continue;
        }
        for index in 0..CLASSES {
            let class = colour(index);
            let rule = of_class(rule, &class).replace("var(--c)", &format!("var(--{class})"));
            style += &filled(&rule, &colours);
            style.push('\n');
        }
    }
    style
}

/// A rule for what is of a class, or within something of it.
fn of_class(rule: &str, class: &str) -> String {
    let (selectors, body) = rule.split_once('{').unwrap_or((rule, "}"));
    let each = selectors.split(',').map(str::trim);
    let each = each.map(|selector| format!(".{class} {selector}, {selector}.{class}"));
    format!("{} {{{body}", each.collect::<Vec<_>>().join(", "))
}

/// The colours on a light page, by the names of their variables.
fn colours() -> BTreeMap<&'static str, &'static str> {
    let root = CSS.split_once('}').map_or("", |(root, _)| root);
    let declared = root.split([';', '{']).filter_map(|part| part.trim().strip_prefix("--")?.split_once(':'));
    declared.map(|(name, value)| (name, value.trim())).collect()
}

fn filled(rule: &str, colours: &BTreeMap<&str, &str>) -> String {
    let mut filled = rule.to_owned();
    for (name, value) in colours {
        filled = filled.replace(&format!("var(--{name})"), value);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_has_each_colour_and_no_variable() {
        let style = style();
        assert!(!style.contains("var(") && style.contains("text-anchor: middle"), "{style}");
        for colour in ["#0067a3", "#c44e00", "#52616e"] {
            assert!(style.contains(colour), "{colour}:\n{style}");
        }
        assert!(style.contains(".s1 .line, .line.s1 { fill: none; stroke: #c44e00;"), "{style}");
    }

    #[test]
    fn a_chart_keeps_what_it_shows() {
        let chart = with_style("<svg class=\"plot\"><text>a</text></svg>", ".a {}");
        assert!(
            chart.starts_with(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\">\n<style>.a {}</style>"
            )
        );
        assert!(chart.ends_with("<text>a</text></svg>"), "{chart}");
    }
}
