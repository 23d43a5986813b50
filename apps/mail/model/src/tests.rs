//! Pages and rules, tested by requests, and messages on their way out and back.

use super::*;
use application::{Distribution, Survey, Value};
use scraper::{ElementRef, Html, Selector};
use source::Sort;
use std::collections::BTreeSet;
use workload::Mix;

const EPOCH: Timestamp = Timestamp(1_800_000_000);
const DATASET: Dataset = Dataset::new(1, 0.001, EPOCH);

fn key() -> TokenKey {
    TokenKey::new("secret")
}

fn model() -> MailModel {
    MailModel::new(&DATASET, key())
}

fn answered(model: &mut MailModel, step: &Step) -> (Response, Option<String>) {
    let mut request = step.request(&key(), EPOCH);
    let headers: Vec<Header> = request.take_cookies(&CATALOGUE).into_iter().collect();
    let (answer, cookie) = model.converse(&request, &headers, EPOCH);
    (answer.response, cookie)
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
    assert!(all(page, "main script, main img, main [onload]").is_empty(), "hostile mail is text");
    assert_eq!(all(page, "table").len(), all(page, "table > caption").len());
    for link in all(page, "a[href]") {
        let path = link.attr("href").unwrap().split('?').next().unwrap();
        assert!(CATALOGUE.by_path(path).is_some(), "{path}");
    }
    for field in all(page, "[maxlength]") {
        let form = field.ancestors().find_map(|node| node.value().as_element()?.attr("action"));
        let interaction = CATALOGUE.get(CATALOGUE.by_path(form.unwrap()).unwrap());
        let name = field.attr("name").unwrap();
        let parameter = interaction.parameters.iter().find(|parameter| parameter.name == name).unwrap();
        assert_eq!(field.attr("maxlength").unwrap().parse().ok(), parameter.max_length, "{name}");
        assert_eq!(all(page, &format!("label[for={}]", field.attr("id").unwrap())).len(), 1, "{name}");
    }
}

#[test]
fn every_branch_is_taken_and_every_page_decent() {
    let mut model = model();
    let mut names = BTreeSet::new();
    for Branch { name, step, status } in script::branches() {
        let before = (model.rows(&TABLES[0]), model.rows(&TABLES[1]));
        let (response, _) = answered(&mut model, &step);
        assert_eq!(response.status, status, "{name}: {step}");
        let may_change = status == 200 && step.method == "POST" && !step.path.ends_with("LogIn");
        let after = (model.rows(&TABLES[0]), model.rows(&TABLES[1]));
        assert_eq!(before != after, may_change, "{name}");
        if response.content_type == HTML {
            assert_decent(&page(&response));
        }
        assert!(names.insert(name.clone()), "two branches are called {name}");
    }
}

#[test]
fn a_log_in_sets_the_session_and_a_log_out_ends_it() {
    let mut model = model();
    let (_, cookie) = answered(&mut model, &script::log_in("user1", "password1"));
    let cookie = cookie.unwrap();
    let session = cookie.strip_prefix("session=").and_then(|rest| rest.split(';').next()).unwrap();
    assert_eq!(key().unlock(session, EPOCH).as_deref(), Some("user1:password1"));
    assert!(!cookie.contains("password") && cookie.contains("HttpOnly"), "{cookie}");
    let list = Request::new("GET", "/mail/ListMessages?page=0", "");
    let cookies = Header::new(application::COOKIE, format!("a=b; session={session}"));
    assert_eq!(model.converse(&list, &[cookies], EPOCH).0.response.status, 200);
    assert_eq!(model.respond(&list, EPOCH).status, 403);
    let in_query = Request::new("GET", &format!("/mail/ListMessages?page=0&session={session}"), "");
    assert_eq!(model.respond(&in_query, EPOCH).status, 403, "a session is a cookie and nothing else");
    let (_, over) = answered(&mut model, &script::log_out(1));
    assert!(over.unwrap().starts_with("session=; Path=/mail; Max-Age=0;"));
    assert_eq!(answered(&mut model, &script::log_in("user1", "password2")).1, None);
}

#[test]
fn what_is_sent_is_kept_by_its_sender_and_delivered_once() {
    let mut model = model();
    let (response, _) = answered(&mut model, &script::send(2, "user1", "Subject", "Text\r\n"));
    let page = page(&response);
    let id: i64 = all(&page, "data.acknowledged")[0].attr("value").unwrap().parse().unwrap();
    assert_eq!(rows::place(id), (2, SENT, FIRST_NEW_UID));
    let new: Vec<Row> = model.rows(&TABLES[1]).into_iter().filter(is_new).collect();
    assert_eq!(new.len(), 2);
    let derived: Vec<bool> = new.iter().map(|row| MAIL.is_derived(&TABLES[1], row)).collect();
    assert_eq!(derived, [true, false]);
    assert_eq!(breaches(&model), [0, 0]);
}

fn is_new(row: &Row) -> bool {
    matches!(row[0], Value::Integer(id) if rows::place(id).2 >= FIRST_NEW_UID)
}

/// The number of violations of each rule.
fn breaches(model: &MailModel) -> Vec<usize> {
    let tables: Vec<Vec<Row>> = TABLES.iter().map(|table| model.rows(table)).collect();
    MAIL.rules().iter().map(|rule| (rule.breaches)(&tables).len()).collect()
}

#[test]
fn rules_see_what_is_lost_doubled_or_astray() {
    let sent = || {
        let mut model = model();
        answered(&mut model, &script::send(2, "user1", "Subject", "Text"));
        model
    };
    let mut lost = sent();
    lost.folders.get_mut(&("user1".to_owned(), INBOX)).unwrap().pop();
    assert_eq!(breaches(&lost), [1, 0]);
    let mut doubled = sent();
    let inbox = doubled.folders.get_mut(&("user1".to_owned(), INBOX)).unwrap();
    let twin = inbox.last().unwrap().clone();
    inbox.push(Message { id: twin.id + 1_000_000, ..twin });
    assert_eq!(breaches(&doubled), [1, 0]);
    let mut astray = sent();
    astray.folders.get_mut(&("user1".to_owned(), INBOX)).unwrap()[0].owner = "user2".to_owned();
    assert_eq!(breaches(&astray), [0, 1]);
    let mut nobodys = sent();
    nobodys.people.remove("user3");
    assert!(breaches(&nobodys)[1] > 0, "mail of somebody who is not in the directory");
}

#[test]
fn records_become_the_rows_that_are_generated() {
    let population = Population::new(&DATASET);
    let mut people = Vec::new();
    MAIL.entries(&DATASET, &mut |entry| people.extend(MAIL.row_of_entry(&entry)));
    assert_eq!(people, population.people().map(|person| person.row()).collect::<Vec<_>>());
    let mut sorts = Vec::new();
    MAIL.mailboxes(&DATASET, &mut |owner, messages| {
        let person = owner.name.strip_prefix("user").unwrap().parse().unwrap();
        let letters: Vec<_> = population.letters(person).collect();
        assert_eq!(letters.len(), messages.len());
        for (letter, message) in letters.iter().zip(&messages) {
            assert_eq!(MAIL.row_of_message(message), letter.message.row(), "{:?}", letter.sort);
            let lines = message.source.split(|byte| *byte == b'\n');
            assert!(lines.clone().all(|line| line.len() <= 998), "RFC 5322, 2.1.1");
            assert!(message.source.is_ascii() && lines.rev().skip(1).all(|line| line.ends_with(b"\r")));
            if !sorts.contains(&letter.sort) {
                sorts.push(letter.sort);
            }
        }
    });
    let all =
        [Sort::Ascii, Sort::Quoted, Sort::Latin, Sort::Base64, Sort::Alternative, Sort::Mixed, Sort::Html];
    assert!(all.iter().all(|sort| sorts.contains(sort)), "{sorts:?}");
}

#[test]
fn the_data_are_what_is_declared() {
    for distribution in Distribution::ALL {
        let dataset = Dataset { distribution, ..Dataset::new(7, 0.03, EPOCH) };
        let properties = MAIL.properties(&dataset);
        let population = Population::new(&dataset);
        let mut survey = Survey::new(&TABLES, &properties);
        for table in &TABLES {
            let units = population.units(table);
            population.rows(table, 0..units, &mut |row| survey.take(table, row));
        }
        for (property, _, verdicts) in survey.results() {
            assert!(
                verdicts.iter().all(|verdict| verdict.holds == Some(true)),
                "{distribution} {}: {verdicts:?}",
                property.name
            );
        }
    }
}

#[test]
fn mixes_are_read() {
    for text in [
        include_str!("../../mixes/messages.toml"),
        include_str!("../../mixes/reading.toml"),
        include_str!("../../mixes/trivial.toml"),
        include_str!("../../mixes/writing.toml"),
    ] {
        Mix::parse(&Document::new("mix.toml", text), &CATALOGUE).unwrap();
    }
}
