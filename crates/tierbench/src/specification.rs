//! An application's specification as one page of Markdown, for people and for tools that write code. Nothing in it is
//! written by hand but its framing sentences: the catalogue says what there is, and the model is asked for the rest.

mod rules;

use application::{Application, Dataset, Header, Model, Request, Response, Step, Table, Timestamp, TokenKey};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};
use workload::{Effect, Interaction, InteractionId, Parameter, Protocol};

pub(crate) use rules::Rules;
use rules::without_links;

/// Few rows, so that sample pages are short.
const SCALE: f64 = 0.0005;
/// A fixed instant, so that the same model yields the same page.
const EPOCH: Timestamp = Timestamp(1_800_000_000);
const LONGEST_REQUEST: usize = 300;
/// The longest sample page that is shown as a whole, in lines.
const MOST_LINES: usize = 150;

/// Values that servers and languages read differently.
const PROBES: [&str; 20] = [
    "",
    "0",
    "1",
    "2",
    "01",
    "-1",
    "+1",
    " 1",
    "1 ",
    "1.0",
    "1.5",
    "1.505",
    "1,5",
    ".5",
    "1.",
    "1e3",
    "10000000000",
    "9223372036854775808",
    "word",
    "٣",
];

/// The sources of the page, beside the model.
pub(crate) struct Sources {
    /// The schema of each database, in its SQL.
    pub schemas: BTreeMap<String, String>,
    /// Recorded sequences of statements of each interaction, by the store.
    pub statements: BTreeMap<String, BTreeMap<String, Vec<Vec<String>>>>,
    /// The rules in the model's documents.
    pub rules: Rules,
}

/// The model's answer to a request of the application's script.
struct Sample {
    name: String,
    step: Step,
    interaction: Option<InteractionId>,
    response: Response,
}

/// The model's answers to values of a parameter: for each status, the values.
type Forms = BTreeMap<u16, Vec<String>>;

/// The model with its rows, and all that was asked of it.
struct Asked {
    samples: Vec<Sample>,
    /// By interaction and parameter.
    forms: BTreeMap<(InteractionId, String), Forms>,
}

fn key() -> TokenKey {
    TokenKey::new("key")
}

fn dataset() -> Dataset {
    Dataset::new(1, SCALE, EPOCH)
}

fn written(application: &dyn Application, step: &Step) -> (Request, Vec<Header>) {
    let mut request = step.request(&key(), EPOCH);
    let mut headers = step.headers();
    headers.extend(request.take_cookies(application.catalogue()));
    (request, headers)
}

fn answer(application: &dyn Application, model: &mut dyn Model, step: &Step) -> Response {
    let (request, headers) = written(application, step);
    model.converse(&request, &headers, EPOCH).0.response
}

impl Asked {
    /// Sends the application's script to its model, and probes the parameters of the first good request of each interaction.
    fn of(application: &dyn Application) -> Self {
        let mut model = application.model(&dataset(), key());
        let mut asked = Self { samples: Vec::new(), forms: BTreeMap::new() };
        let mut probed = BTreeSet::new();
        for branch in application.branches(&dataset(), &key()) {
            let interaction = application.interaction(&written(application, &branch.step).0);
            let before = interaction.filter(|id| !probed.contains(id)).map(|id| (id, model.fork()));
            let response = answer(application, model.as_mut(), &branch.step);
            if let Some((id, before)) = before.filter(|_| response.status == 200) {
                let one = application.catalogue().get(id);
                let named = |parameter: &Parameter| pair_of(&branch.step, &parameter.name).is_some();
                if one.parameters.iter().all(|parameter| parameter.optional || named(parameter)) {
                    probed.insert(id);
                    asked.probe(application, id, before.as_ref(), &branch.step);
                }
            }
            asked.samples.push(Sample { name: branch.name, step: branch.step, interaction, response });
        }
        asked
    }

    fn probe(&mut self, application: &dyn Application, id: InteractionId, model: &dyn Model, good: &Step) {
        let mut fork = model.fork();
        for parameter in &application.catalogue().get(id).parameters {
            let mut forms = Forms::new();
            for (shown, step) in probes(parameter, good) {
                let status = answer(application, fork.as_mut(), &step).status;
                // What is refused changes nothing, and a copy of all rows takes a while.
                if status == 200 && application.catalogue().get(id).effect != Effect::Read {
                    fork = model.fork();
                }
                forms.entry(status).or_default().push(shown);
            }
            self.forms.insert((id, parameter.name.clone()), forms);
        }
    }
}

/// The place of a parameter among a request's pairs.
fn pair_of(step: &Step, name: &str) -> Option<usize> {
    step.parameters.split('&').position(|pair| pair.split('=').next() == Some(name))
}

/// A good request with other values of a parameter, each with how it is shown.
fn probes(parameter: &Parameter, good: &Step) -> Vec<(String, Step)> {
    let place = pair_of(good, &parameter.name);
    let with = |value: Option<&str>| {
        let mut pairs: Vec<String> =
            good.parameters.split('&').filter(|pair| !pair.is_empty()).map(str::to_owned).collect();
        let mut pair = String::new();
        value.iter().for_each(|value| workload::append_pair(&mut pair, &parameter.name, value));
        match place {
            Some(place) => pairs[place] = pair,
            None => pairs.push(pair),
        }
        pairs.retain(|pair| !pair.is_empty());
        Step { parameters: pairs.join("&"), ..good.clone() }
    };
    let mut all = vec![("missing".to_owned(), with(None))];
    all.extend(PROBES.iter().map(|value| match *value {
        "" => ("empty".to_owned(), with(Some(""))),
        value => (format!("`{value}`"), with(Some(value))),
    }));
    if let Some(longest) = parameter.max_length {
        for length in [longest, longest + 1] {
            let text = "ä".repeat(length as usize);
            all.push((format!("`ä` {length} times"), with(Some(&text))));
        }
    }
    all.extend(parameter.one_of.iter().map(|value| (format!("`{value}`"), with(Some(value)))));
    let mut seen = BTreeSet::new();
    all.retain(|(shown, _)| seen.insert(shown.clone()));
    all
}

pub(crate) fn page(application: &dyn Application, sources: &Sources) -> String {
    let catalogue = application.catalogue();
    let asked = Asked::of(application);
    let mut text = format!(
        "# {}\n\nWhat a stack must do, made by `tierbench spec {}` from the application's catalogue, model and records. \
         The sample pages are the model's answers, with data at a scale of {SCALE}, at the instant {EPOCH}. Pages are \
         compared as parsed documents: blanks between tags, the order of attributes, the way of escaping, and \
         `required=\"required\"` for `required` do not matter.\n",
        catalogue.title, catalogue.name
    );
    interactions(&mut text, catalogue.interactions());
    forms_of_identity(&mut text, catalogue.interactions());
    let _ = write!(
        text,
        "\n## Times and text\n\nTimes are the database's, in UTC, to the second; pages and rows may differ by {} s. Text is \
         UTF-8, and lengths are in code points. Money is DECIMAL with two decimals.\n",
        verify::TOLERANCE
    );
    tables(&mut text, application.tables(), &sources.schemas);
    rules_of_all(&mut text, catalogue.interactions(), &sources.rules);
    for id in catalogue.ids() {
        interaction(&mut text, catalogue.get(id), id, &asked, sources);
    }
    text.push_str("\n## Other requests\n");
    samples(&mut text, asked.samples.iter().filter(|sample| sample.interaction.is_none()));
    text
}

/// The rules of the whole model, and those that interactions name.
fn rules_of_all(text: &mut String, all: &[Interaction], rules: &Rules) {
    let of_all = rules.of_all();
    let _ = write!(text, "\n## Rules\n\n{}\n", without_links(&of_all));
    let texts: Vec<String> = all.iter().filter_map(|one| rules.of(&one.name)).chain([of_all]).collect();
    for (name, rule) in rules.named_in(&texts) {
        let _ = write!(text, "\n### `{name}`\n\n{}\n", without_links(&rule));
    }
}

fn interactions(text: &mut String, all: &[Interaction]) {
    text.push_str(
        "\n## Interactions\n\n| interaction | request | parameters | effect |\n|---|---|---|---|\n",
    );
    for one in all {
        let names: Vec<&str> = one.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let effect = match (one.effect, &one.writes) {
            (Effect::Static, _) => "a file".to_owned(),
            (Effect::Read, _) => "reads".to_owned(),
            (Effect::Write, Some(table)) => format!("writes; its page has the new id of `{table}`"),
            (Effect::Write, None) => "writes".to_owned(),
        };
        let secure = if one.secure { " by TLS" } else { "" };
        let (name, method, path) = (&one.name, one.method, &one.path);
        let _ = writeln!(text, "| {name} | `{method} {path}`{secure} | {} | {effect} |", names.join(", "));
    }
}

/// The forms of tokens, where the application has them.
fn forms_of_identity(text: &mut String, all: &[Interaction]) {
    let has = |is: fn(&Parameter) -> bool| all.iter().flat_map(|one| &one.parameters).any(is);
    let mut rows = Vec::new();
    if has(|parameter| parameter.name == "token") {
        rows.push(("stored password", "lower-case hexadecimal SHA-256 of `nickname:password`"));
        rows.push((
            "log-in token",
            "`user.expires.signature`: the user's id, the second since 1970 after which it is worthless (an hour from now), \
             and the lower-case hexadecimal HMAC-SHA256 of `user.expires` under the text of `TIERBENCH_TOKEN_KEY`",
        ));
    }
    if has(|parameter| parameter.sealed) {
        rows.push((
            "sealed number",
            "`number.signature`, with the lower-case hexadecimal HMAC-SHA256 of `name=number` under the same key, where name is \
             the parameter's; it never expires",
        ));
    }
    if has(|parameter| parameter.cookie) {
        rows.push((
            "session cookie",
            "`expires:text` in AES-256-GCM, with the SHA-256 of the same key as its key; the nonce (12 bytes), the ciphertext and \
             the tag are in URL-safe base64 without padding. Any unique nonce is right; it is valid for an hour",
        ));
    }
    if rows.is_empty() {
        return;
    }
    text.push_str("\n## Log-in\n\n| what | form |\n|---|---|\n");
    for (what, form) in rows {
        let _ = writeln!(text, "| {what} | {form} |");
    }
}

fn tables(text: &mut String, tables: &[Table], schemas: &BTreeMap<String, String>) {
    if !tables.is_empty() {
        text.push_str("\n## Tables\n\n");
    }
    for table in tables {
        let columns: Vec<String> =
            table.columns.iter().map(|column| format!("{} {:?}", column.name, column.kind)).collect();
        let _ = writeln!(text, "- `{}`: {}", table.name, columns.join(", ").to_lowercase());
    }
    for (database, schema) in schemas {
        let _ = write!(text, "\nOn {database}:\n\n```sql\n{}\n```\n", schema.trim_end());
    }
}

fn interaction(text: &mut String, one: &Interaction, id: InteractionId, asked: &Asked, sources: &Sources) {
    let _ = write!(text, "\n## {}\n\n`{} {}`", one.name, one.method, one.path);
    if one.protocol == Protocol::Soap {
        text.push_str(", a SOAP operation");
    }
    text.push('\n');
    if let Some(rules) = sources.rules.of(&one.name) {
        let _ = write!(text, "\n{}\n", without_links(&rules));
    }
    if !one.parameters.is_empty() {
        text.push_str("\n| parameter | must be there | limits | answers to values |\n|---|---|---|---|\n");
    }
    for parameter in &one.parameters {
        let answers = asked.forms.get(&(id, parameter.name.clone())).map_or(String::new(), answers);
        let there = if parameter.optional { "no; empty is the same" } else { "yes" };
        let _ = writeln!(text, "| `{}` | {there} | {} | {answers} |", parameter.name, limits(parameter));
    }
    for (store, recorded) in &sources.statements {
        let Some(sequences) = recorded.get(&one.name) else { continue };
        let _ = write!(text, "\nStatements on {store}, one sequence for each way it can go:\n\n```sql\n");
        for sequence in sequences {
            let lines = if sequence.is_empty() { "-- none".to_owned() } else { sequence.join("\n") };
            let _ = writeln!(text, "{lines}\n");
        }
        text.truncate(text.trim_end().len());
        text.push_str("\n```\n");
    }
    samples(text, asked.samples.iter().filter(|sample| sample.interaction == Some(id)));
}

fn limits(parameter: &Parameter) -> String {
    let mut limits = Vec::new();
    limits.extend(parameter.max_length.map(|longest| format!("at most {longest} code points")));
    if !parameter.one_of.is_empty() {
        limits.push(format!("one of {}", parameter.one_of.join(", ")));
    }
    limits.extend(parameter.sealed.then(|| "sealed".to_owned()));
    limits.extend(parameter.cookie.then(|| "a cookie".to_owned()));
    limits.join("; ")
}

fn answers(forms: &Forms) -> String {
    let each = forms.iter().map(|(status, values)| format!("{status}: {}", values.join(", ")));
    each.collect::<Vec<_>>().join("<br>")
}

/// All requests of a script in a table, then a page of each status: of those that fit, the one that shows most.
fn samples<'s>(text: &mut String, all: impl Iterator<Item = &'s Sample>) {
    let all: Vec<&Sample> = all.collect();
    if all.is_empty() {
        return;
    }
    text.push_str("\n| case | request | status |\n|---|---|---|\n");
    for Sample { name, step, response, .. } in &all {
        let (name, step) = (name.replace('|', "\\|"), shown(step).replace('|', "\\|"));
        let _ = writeln!(text, "| {name} | `{step}` | {} |", response.status);
    }
    let mut shown: BTreeMap<u16, &Sample> = BTreeMap::new();
    for sample in all.into_iter().filter(|sample| is_text(&sample.response)) {
        let best = shown.entry(sample.response.status).or_insert(sample);
        if lines_that_fit(sample) > lines_that_fit(best) {
            *best = sample;
        }
    }
    shown.values().for_each(|sample| page_of(text, sample));
}

/// The lines of a sample's page, or 0 if they don't all fit.
fn lines_that_fit(sample: &Sample) -> usize {
    let lines = sample.response.body.split(|byte| *byte == b'\n').count();
    if lines > MOST_LINES { 0 } else { lines }
}

fn is_text(response: &Response) -> bool {
    response.content_type.starts_with("text/") || response.content_type.contains("xml")
}

fn page_of(text: &mut String, Sample { name, step, response, .. }: &Sample) {
    let body = String::from_utf8_lossy(&response.body);
    let lines: Vec<&str> = body.lines().collect();
    let language = if response.content_type.contains("xml") { "xml" } else { "html" };
    let _ = write!(
        text,
        "\n{name}, {} `{}`:\n\n```http\n{}\n```\n\n```{language}\n",
        response.status,
        response.content_type,
        shown(step)
    );
    for line in lines.iter().take(MOST_LINES) {
        let _ = writeln!(text, "{line}");
    }
    text.push_str("```\n");
    if lines.len() > MOST_LINES {
        let _ = writeln!(text, "\n({} more lines)", lines.len() - MOST_LINES);
    }
}

/// A request, with a document decoded.
fn shown(step: &Step) -> String {
    let text = step.to_string();
    match text.char_indices().nth(LONGEST_REQUEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;
    use std::path::Path;

    fn sources() -> Sources {
        let sequence = vec![vec!["SELECT x FROM y".to_owned()]];
        let of_all = |name: &str| {
            let application = registry::find(name).unwrap();
            let names = application.catalogue().interactions().iter().map(|one| one.name.clone());
            names.map(|name| (name, sequence.clone())).collect()
        };
        Sources {
            schemas: BTreeMap::new(),
            statements: [("innodb".to_owned(), of_all("comments"))].into(),
            rules: Rules::default(),
        }
    }

    #[test]
    fn every_interaction_parameter_table_and_statement_stands_on_the_page() {
        for application in registry::all() {
            let page = page(application, &sources());
            for one in application.catalogue().interactions() {
                assert!(
                    page.contains(&format!("\n## {}\n\n`{} {}`", one.name, one.method, one.path)),
                    "{}",
                    one.name
                );
                for parameter in &one.parameters {
                    assert!(page.contains(&format!("\n| `{}` | ", parameter.name)), "{}", parameter.name);
                }
            }
            for table in application.tables() {
                assert!(page.contains(&format!("- `{}`: ", table.name)), "{}", table.name);
            }
        }
        let comments = page(registry::find("comments").unwrap(), &sources());
        assert_eq!(comments.matches("SELECT x FROM y").count(), 3);
    }

    /// Documents of the models name only what there is: else a link has died.
    #[test]
    fn each_interaction_of_the_auction_and_the_bookstore_has_its_rules() {
        for name in ["auction", "bookstore"] {
            let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../apps").join(name);
            let rules = Rules::read(&home).unwrap();
            let page = page(registry::find(name).unwrap(), &Sources { rules, ..sources() });
            let without = registry::find(name).unwrap().catalogue().interactions().iter();
            let without: Vec<_> =
                without.filter(|one| !page.contains(&format!("\n{}: ", one.name))).collect();
            assert!(without.is_empty(), "{without:?}");
            assert!(!page.contains("[`"), "{name} has a link of Rust");
        }
        let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../apps/auction");
        let page = page(
            registry::find("auction").unwrap(),
            &Sources { rules: Rules::read(&home).unwrap(), ..sources() },
        );
        for rule in
            ["application::Form", "Item::price", "Item::at_once", "Item::check_offer", "Store::bid", "log_in"]
        {
            assert!(page.contains(&format!("\n### `{rule}`\n")), "{rule}");
        }
    }

    /// The script, sent to a model of its own, gives the pages that stand there.
    #[test]
    fn each_sample_page_is_what_the_model_answers_to_its_request() {
        for application in registry::all() {
            let page = page(application, &sources());
            let mut model = application.model(&dataset(), key());
            let mut right: BTreeMap<(String, u16), Vec<String>> = BTreeMap::new();
            for branch in application.branches(&dataset(), &key()) {
                let response = answer(application, model.as_mut(), &branch.step);
                let body = String::from_utf8_lossy(&response.body)
                    .lines()
                    .take(MOST_LINES)
                    .collect::<Vec<_>>()
                    .join("\n");
                right.entry((shown(&branch.step), response.status)).or_default().push(body);
            }
            let mut count = 0;
            for sample in page.split("\n\n```http\n").skip(1) {
                let (step, rest) = sample.split_once("\n```\n\n```").unwrap();
                let (_, rest) = rest.split_once('\n').unwrap();
                let (body, _) = rest.split_once("\n```\n").unwrap();
                let known =
                    right.iter().filter(|((known, _), _)| known == step).flat_map(|(_, bodies)| bodies);
                assert!(known.into_iter().any(|known| known == body), "{step}\n{body}");
                count += 1;
            }
            assert!(count >= application.catalogue().interactions().len() / 2, "{count}");
        }
    }

    /// Limits of the catalogue hold on the page, as the model was asked.
    #[test]
    fn values_beyond_a_limit_are_refused() {
        for application in registry::all() {
            let asked = Asked::of(application);
            // A parameter may matter only beside another: a new customer's address, a known one's password.
            let is_read = |forms: &Forms| forms.len() > 1;
            let read = asked.forms.values().filter(|forms| is_read(forms)).count();
            assert!(2 * read >= asked.forms.len(), "{read} of {} parameters", asked.forms.len());
            for ((id, name), forms) in asked.forms.iter().filter(|(_, forms)| is_read(forms)) {
                let one = application.catalogue().get(*id);
                let parameter = one.parameters.iter().find(|parameter| parameter.name == *name).unwrap();
                let refused = |shown: &str| {
                    forms
                        .iter()
                        .any(|(status, values)| *status >= 400 && values.iter().any(|value| value == shown))
                };
                if let Some(longest) = parameter.max_length {
                    assert!(refused(&format!("`ä` {} times", longest + 1)), "{} {name}: {forms:?}", one.name);
                }
                if !parameter.optional && !parameter.cookie {
                    assert!(refused("missing"), "{} {name}: {forms:?}", one.name);
                }
            }
        }
    }
}
