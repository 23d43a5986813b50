//! The pages and the rules, asked for as a client would.

use super::*;
use crate::rows::{Bid, Item, User};
use application::Money;
use proptest::prelude::*;
use scraper::{ElementRef, Html, Selector};
use std::{cell::RefCell, collections::HashMap, time::Duration};
use workload::{Class, Effect, How, Mix, Session, Step, Users};

const EPOCH: Timestamp = Timestamp(1_800_000_000);

/// Enough for each category to have several short pages of items.
const SCENARIO: Scenario = Scenario { seed: 1, scale: 0.02, epoch: EPOCH };

const BIDDING: &str = include_str!("../../mixes/bidding.toml");
const BROWSING: &str = include_str!("../../mixes/browsing.toml");

/// The generated rows, made once.
static STORE: LazyLock<Store> = LazyLock::new(|| Store::new(&Population::new(&SCENARIO)));

struct Site(AuctionModel);

impl Site {
    fn new() -> Self {
        Self(AuctionModel {
            store: STORE.clone(),
            key: TokenKey::new("secret"),
            files: AUCTION.static_files(),
        })
    }

    fn send(&mut self, method: &str, target: &str, body: &str) -> (u16, Html) {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let request = Request {
            method: method.to_owned(),
            path: format!("/auction/{path}"),
            query: query.to_owned(),
            body: body.as_bytes().to_vec(),
        };
        let response = self.0.respond(&request, EPOCH);
        (response.status, Html::parse_document(&String::from_utf8(response.body).unwrap()))
    }

    fn get(&mut self, target: &str) -> Html {
        let (status, page) = self.send("GET", target, "");
        assert_eq!(status, 200, "{target}: {}", text(&page, "main"));
        page
    }

    fn post(&mut self, target: &str, body: &str) -> Html {
        let (status, page) = self.send("POST", target, body);
        assert_eq!(status, 200, "{target}: {}", text(&page, "main"));
        page
    }

    /// The status and the message of an error page; nothing may have changed.
    fn refused(&mut self, method: &str, target: &str, body: &str) -> (u16, String) {
        let rows = |site: &Self| rows::TABLES.iter().map(|table| site.0.rows(table)).collect::<Vec<_>>();
        let before = rows(self);
        let (status, page) = self.send(method, target, body);
        assert!(rows(self) == before, "{target} {body}: an error changed the data");
        (status, text(&page, "main > p"))
    }

    fn item(&self, which: impl Fn(&Item) -> bool) -> Item {
        self.0.store.items.iter().find(|item| which(item)).expect("the scenario has such an item").clone()
    }

    fn bid(&self, item: &Item, bid: &str, max_bid: &str, qty: &str) -> String {
        let token = self.0.key.sign(7, EPOCH);
        format!("itemId={}&token={token}&bid={bid}&maxBid={max_bid}&qty={qty}", item.id)
    }
}

fn all<'a>(page: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    page.select(&Selector::parse(selector).unwrap()).collect()
}

/// The text of the first element that is selected, with single blanks.
fn text(page: &Html, selector: &str) -> String {
    let element = all(page, selector).into_iter().next().unwrap_or_else(|| panic!("no {selector}"));
    element.text().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn links(page: &Html) -> Vec<String> {
    all(page, "a[href]").iter().map(|link| link.attr("href").unwrap().to_owned()).collect()
}

fn value(page: &Html, name: &str) -> String {
    all(page, &format!("[name={name}]"))[0].attr("value").unwrap().to_owned()
}

fn mix(file: &str, toml: &str) -> Mix {
    Mix::parse(&Document::new(file, toml), &CATALOGUE).unwrap()
}

fn open(item: &Item) -> bool {
    item.is_open(EPOCH)
}

fn missing(name: &str) -> (u16, String) {
    (400, format!("The parameter {name} is missing, repeated or malformed."))
}

/// What a good page is to a browser and to somebody who can't see it.
fn assert_decent(page: &Html) {
    assert!(page.errors.is_empty(), "{:?}", page.errors);
    assert!(!text(page, "title").starts_with('–'));
    assert_eq!(all(page, "html[lang=en]").len(), 1);
    assert_eq!(all(page, "h1").len(), 1);
    for field in all(page, "input:not([type=hidden]), select") {
        let id = field.attr("id").expect("a field has an id");
        assert_eq!(all(page, &format!("label[for={id}]")).len(), 1, "{id}");
    }
    assert!(all(page, "th:not([scope])").is_empty());
    for href in links(page) {
        let path = href.split('?').next().unwrap();
        let id = CATALOGUE.by_path(path).unwrap_or_else(|| panic!("{href} leads nowhere"));
        assert_eq!(CATALOGUE.get(id).method, Method::Get, "{href}");
    }
    for form in all(page, "form") {
        let target =
            CATALOGUE.get(CATALOGUE.by_path(form.attr("action").unwrap()).expect("a form leads somewhere"));
        assert_eq!(form.attr("method").unwrap().to_uppercase(), target.method.to_string());
        let fields: Vec<_> =
            all(page, "[name]:not(meta)").iter().map(|field| field.attr("name").unwrap()).collect();
        assert_eq!(fields, target.parameters.iter().map(|parameter| &parameter.name).collect::<Vec<_>>());
    }
    for field in all(page, "[maxlength]") {
        let form = all(page, "form")[0].attr("action").unwrap();
        let target = CATALOGUE.get(CATALOGUE.by_path(form).unwrap());
        let parameter =
            target.parameters.iter().find(|parameter| parameter.name == field.attr("name").unwrap());
        assert_eq!(field.attr("maxlength").unwrap().parse().ok(), parameter.unwrap().max_length);
    }
    for time in all(page, "time") {
        let shown = time.text().collect::<String>();
        assert_eq!(time.attr("datetime").unwrap(), Timestamp::parse(&shown).unwrap().machine());
    }
}

#[test]
fn every_interaction_of_the_catalogue_has_its_answer() {
    for interaction in CATALOGUE.interactions() {
        let is_static = match interactions::answer(&interaction.name) {
            Some(Answer::Static(_)) => true,
            Some(Answer::Dynamic(_)) => false,
            None => panic!("{} isn't written", interaction.name),
        };
        assert_eq!(is_static, interaction.effect == Effect::Static, "{}", interaction.name);
        let writes = interaction.effect == Effect::Write;
        assert!(!writes || interaction.method == Method::Post && interaction.class == Class::Order);
    }
    assert_eq!(AUCTION.name(), CATALOGUE.name);
}

#[test]
fn limits_of_lengths_are_those_of_the_schema() {
    let schema = include_str!("../../schema/mariadb.sql");
    let interaction = CATALOGUE.get(CATALOGUE.by_name("RegisterUser").unwrap());
    for name in ["firstname", "lastname", "nickname", "email"] {
        let parameter = interaction.parameters.iter().find(|parameter| parameter.name == name).unwrap();
        let column = format!("    {name} VARCHAR({}) NOT NULL", parameter.max_length.unwrap());
        assert!(schema.contains(&column), "{column}");
    }
}

#[test]
fn mixes_are_chains_that_write_as_they_say() {
    let mixes = [("bidding.toml", BIDDING, true), ("browsing.toml", BROWSING, false)];
    for (file, toml, writes) in mixes {
        let mix = mix(file, toml);
        assert_eq!(format!("{}.toml", mix.name), file);
        let writing = CATALOGUE.ids().any(|id| {
            let mut steps = mix.steps(id);
            steps.any(|(_, step)| matches!(step, Step::To(to) if CATALOGUE.get(to).effect == Effect::Write))
        });
        assert_eq!(writing, writes, "{file}");
    }
}

#[test]
fn every_page_of_a_session_is_decent_and_leads_on() {
    let mut site = Site::new();
    let item = site.item(open);
    let view = format!("ViewItem?itemId={}", item.id);
    let auth = format!("PutBidAuth?itemId={}", item.id);
    let search = format!("SearchItemsInCategory?category={}&page=0&nbOfItems=1", item.category);
    let log_in = format!("itemId={}&nickname=user7&password=password7", item.id);
    let bid = site.bid(&item, &item.least_bid().to_string(), "999999", "1");
    let register = "firstname=A&lastname=B&nickname=new1&email=a%40b&password=p&region=1";
    let pages: HashMap<&str, Html> = HashMap::from([
        ("Home", site.get("index.html")),
        ("Register", site.get("register.html")),
        ("Browse", site.get("browse.html")),
        ("BrowseCategories", site.get("BrowseCategories")),
        ("SearchItemsInCategory", site.get(&search)),
        ("ViewItem", site.get(&view)),
        ("PutBidAuth", site.get(&auth)),
        ("PutBid", site.post("PutBid", &log_in)),
        ("StoreBid", site.post("StoreBid", &bid)),
        ("RegisterUser", site.post("RegisterUser", register)),
    ]);
    assert_eq!(pages.len(), CATALOGUE.interactions().len());
    let mix = mix("bidding.toml", BIDDING);
    for (name, page) in &pages {
        assert_decent(page);
        let forms = all(page, "form").into_iter().map(|form| form.attr("action").unwrap().to_owned());
        let targets: Vec<String> = links(page).into_iter().chain(forms).collect();
        for (_, step) in mix.steps(CATALOGUE.by_name(name).unwrap()) {
            let Step::To(to) = step else { continue };
            let path = &CATALOGUE.get(to).path;
            assert!(targets.iter().any(|target| target.split('?').next() == Some(path)), "{name} to {path}");
        }
    }
}

#[test]
fn static_files_are_what_the_model_serves() {
    let mut site = Site::new();
    let files = AUCTION.static_files();
    assert_eq!(files.len(), 4);
    for file in files {
        let request = |method: &str| Request {
            method: method.to_owned(),
            path: file.path.clone(),
            query: String::new(),
            body: Vec::new(),
        };
        let response = site.0.respond(&request("GET"), EPOCH);
        assert_eq!(
            (response.status, response.body, response.content_type),
            (200, file.body.clone(), file.content_type)
        );
        assert_eq!(site.0.respond(&request("POST"), EPOCH).status, 405);
    }
}

#[test]
fn unknown_pages_and_wrong_methods_are_refused() {
    let mut site = Site::new();
    for path in ["", "ViewItems", "viewitem", "ViewItem/", "../etc/passwd"] {
        assert_eq!(site.refused("GET", path, ""), (404, "There is no such page.".to_owned()), "{path}");
    }
    for interaction in CATALOGUE.interactions() {
        let wrong = if interaction.method == Method::Get { "POST" } else { "GET" };
        let path = interaction.path.strip_prefix("/auction/").unwrap();
        let message = format!("This page is for {} requests only.", interaction.method);
        assert_eq!(site.refused(wrong, path, ""), (405, message.clone()));
        assert_eq!(site.refused("DELETE", path, ""), (405, message));
    }
    let (_, page) = site.send("GET", "nowhere", "");
    assert_decent(&page);
}

#[test]
fn each_parameter_is_required_once_and_in_its_form_and_the_first_fault_is_named() {
    let mut site = Site::new();
    let item = site.item(open);
    let requests = [
        ("GET", "SearchItemsInCategory", "category=1&page=0&nbOfItems=20".to_owned()),
        ("GET", "ViewItem", "itemId=1".to_owned()),
        ("GET", "PutBidAuth", "itemId=1".to_owned()),
        ("POST", "PutBid", "itemId=1&nickname=user7&password=password7".to_owned()),
        ("POST", "StoreBid", site.bid(&item, "999999", "999999", "1")),
        (
            "POST",
            "RegisterUser",
            "firstname=A&lastname=B&nickname=n&email=a%40b&password=p&region=1".to_owned(),
        ),
    ];
    for (method, path, good) in requests {
        let pairs: Vec<&str> = good.split('&').collect();
        let mut send = |pairs: &[&str]| match method {
            "GET" => site.refused("GET", &format!("{path}?{}", pairs.join("&")), ""),
            _ => site.refused("POST", path, &pairs.join("&")),
        };
        let interaction = CATALOGUE.get(CATALOGUE.by_name(path).unwrap());
        for (at, parameter) in interaction.parameters.iter().enumerate() {
            let fault = missing(&parameter.name);
            let without = [&pairs[..at], &pairs[at + 1..]].concat();
            let all_from_here_on = &pairs[..at];
            let twice = [&pairs[..], &[pairs[at]]].concat();
            assert_eq!(send(&without), fault, "{path}");
            assert_eq!(send(all_from_here_on), fault, "{path}");
            assert_eq!(send(&twice), fault, "{path}");
            let long = "1".repeat(parameter.max_length.unwrap() as usize + 1);
            for wrong in ["", "%00", "%ff", &long] {
                let bad = format!("{}={wrong}", parameter.name);
                let replaced = [&pairs[..at], &[bad.as_str()], &pairs[at + 1..]].concat();
                assert_eq!(send(&replaced), fault, "{path} {bad}");
            }
        }
    }
    for bad in ["category=1&page=1000000&nbOfItems=20", "category=1&page=-1&nbOfItems=20"] {
        assert_eq!(site.refused("GET", &format!("SearchItemsInCategory?{bad}"), ""), missing("page"));
    }
    for bad in ["0", "101"] {
        let target = format!("SearchItemsInCategory?category=1&page=0&nbOfItems={bad}");
        assert_eq!(site.refused("GET", &target, ""), missing("nbOfItems"));
    }
}

#[test]
fn searching_shows_the_open_items_of_a_category_in_the_order_of_their_ends() {
    let mut site = Site::new();
    let mut expected: Vec<Item> =
        site.0.store.items.iter().filter(|i| i.category == 3 && open(i)).cloned().collect();
    expected.sort_by_key(|item| (item.end_date, item.id));
    let mut shown = Vec::new();
    let mut next = Some("/auction/SearchItemsInCategory?category=3&page=0&nbOfItems=3".to_owned());
    let mut pages = 0;
    while let Some(target) = next {
        let page = site.get(target.strip_prefix("/auction/").unwrap());
        assert_eq!(all(&page, "a[rel=prev]").len(), usize::from(pages > 0));
        let items = all(&page, "tbody th a");
        assert!(items.len() == 3 || all(&page, "a[rel=next]").is_empty());
        shown.extend(items.iter().map(|link| link.attr("href").unwrap().to_owned()));
        next = all(&page, "a[rel=next]").first().map(|link| link.attr("href").unwrap().to_owned());
        pages += 1;
    }
    assert!(pages > 2);
    let expected: Vec<_> =
        expected.iter().map(|item| format!("/auction/ViewItem?itemId={}", item.id)).collect();
    assert_eq!(shown, expected);
    let empty = site.get("SearchItemsInCategory?category=3&page=999999&nbOfItems=100");
    assert_eq!(text(&empty, "main > p"), "There are no more items in this category.");
    let unknown = site.refused("GET", "SearchItemsInCategory?category=41&page=0&nbOfItems=20", "");
    assert_eq!(unknown, (404, "There is no category 41.".to_owned()));
}

#[test]
fn an_item_is_shown_open_and_closed() {
    let mut site = Site::new();
    let (running, closed) = (site.item(open), site.item(|item| !open(item)));
    let page = site.get(&format!("ViewItem?itemId={}", running.id));
    assert_eq!(text(&page, "h1"), running.name);
    assert_eq!(text(&page, "dd"), running.price().to_string());
    assert!(links(&page).contains(&format!("/auction/PutBidAuth?itemId={}", running.id)));
    let page = site.get(&format!("ViewItem?itemId={}", closed.id));
    assert_eq!(text(&page, "main > p"), "This auction is closed.");
    assert!(!links(&page).iter().any(|href| href.contains("PutBidAuth")));
    let unknown = site.refused("GET", "ViewItem?itemId=999999999", "");
    assert_eq!(unknown, (404, "There is no item 999999999.".to_owned()));
}

#[test]
fn a_bidder_logs_in_and_bids_through_the_forms() {
    let mut site = Site::new();
    let item = site.item(|item| open(item) && item.max_bid.is_some() && item.quantity > 1);
    let page = site.get(&format!("PutBidAuth?itemId={}", item.id));
    let page =
        site.post("PutBid", &format!("itemId={}&nickname=user7&password=password7", value(&page, "itemId")));
    assert_eq!(value(&page, "bid"), item.least_bid().to_string());
    assert_eq!(all(&page, "[name=qty]")[0].attr("max").unwrap(), item.quantity.to_string());
    let (bids, token) = (site.0.store.bids.len() as i64, value(&page, "token"));
    let offer = format!("itemId={}&token={token}&bid=9000.5&maxBid=9001&qty={}", item.id, item.quantity);
    let page = site.post("StoreBid", &offer);
    assert_decent(&page);
    assert_eq!(all(&page, "data.acknowledged")[0].attr("value").unwrap(), (bids + 1).to_string());
    let stored = Bid {
        id: bids + 1,
        user_id: 7,
        item_id: item.id,
        qty: item.quantity,
        bid: Money(900_050),
        max_bid: Money(900_100),
        date: EPOCH,
    };
    assert_eq!(site.0.rows(&Bid::TABLE).last(), Some(&stored.row()));
    let raised = Item { nb_of_bids: item.nb_of_bids + 1, max_bid: Some(Money(900_050)), ..item.clone() };
    assert_eq!(site.0.rows(&Item::TABLE)[item.id as usize - 1], raised.row());
    assert_eq!(text(&site.get(&format!("ViewItem?itemId={}", item.id)), "dd"), "9000.50");
}

#[test]
fn logging_in_is_refused_in_order() {
    let mut site = Site::new();
    let (running, closed) = (site.item(open).id, site.item(|item| !open(item)).id);
    let mut refused = |body: &str| site.refused("POST", "PutBid", body);
    let wrong = (403, "The nickname or the password is wrong.".to_owned());
    assert_eq!(refused(&format!("itemId={running}&nickname=user7&password=password8")), wrong);
    assert_eq!(refused(&format!("itemId={running}&nickname=User7&password=password7")), wrong);
    assert_eq!(refused(&format!("itemId={running}&nickname=nobody&password=password7")), wrong);
    assert_eq!(refused("itemId=999999999&nickname=nobody&password=password7"), wrong);
    let unknown = (404, "There is no item 999999999.".to_owned());
    assert_eq!(refused("itemId=999999999&nickname=user7&password=password7"), unknown);
    let over = (409, "This auction is closed.".to_owned());
    assert_eq!(refused(&format!("itemId={closed}&nickname=user7&password=password7")), over);
}

#[test]
fn a_bid_is_refused_in_order() {
    let mut site = Site::new();
    let item = site.item(|item| open(item) && item.max_bid.is_some());
    let closed = site.item(|item| !open(item));
    let highest = item.max_bid.unwrap();
    let good = site.bid(&item, "999999", "999999", "1");
    let token = site.0.key.sign(7, EPOCH);
    let expired = site.0.key.sign(7, EPOCH + -application::TOKEN_LIFE + -1);
    let conflict = |message: &str| (409, message.to_owned());
    let too_low = conflict(&format!("The bid must be at least {}.", item.least_bid()));
    let quantity = conflict(&format!("The quantity must be from 1 to {}.", item.quantity));
    let no_token = (403, "Your log-in is not valid or has expired. Please log in again.".to_owned());
    let unknown = |body: &str| body.replacen(&format!("itemId={}&", item.id), "itemId=999999999&", 1);
    let cases = [
        (good.replace(&token, &token.replacen('7', "8", 1)), no_token.clone()),
        (unknown(&good.replace(&token, &expired)), no_token),
        (unknown(&good), (404, "There is no item 999999999.".to_owned())),
        (site.bid(&closed, "0", "0", "0"), conflict("This auction is closed.")),
        (site.bid(&item, "0", "0", "0"), quantity.clone()),
        (site.bid(&item, "999999", "999999", &(item.quantity + 1).to_string()), quantity),
        (site.bid(&item, &highest.to_string(), "0", "1"), too_low),
        (
            site.bid(&item, "999999", "999998.99", "1"),
            conflict("The most you would bid must not be less than your bid."),
        ),
    ];
    for (body, refusal) in cases {
        assert_eq!(site.refused("POST", "StoreBid", &body), refusal, "{body}");
    }
    let (_, page) = site.send("POST", "StoreBid", &site.bid(&item, "0", "0", "1"));
    assert!(links(&page).contains(&format!("/auction/ViewItem?itemId={}", item.id)));
}

#[test]
fn the_least_bid_is_the_first_price_and_then_a_cent_more_and_the_last_second_counts() {
    let mut site = Site::new();
    let item = site.item(|item| open(item) && item.max_bid.is_none());
    let first = item.initial_price;
    let offer = |cents: i64| store::Offer {
        user: 1,
        item: item.id,
        bid: Money(cents),
        max_bid: Money(cents),
        qty: 1,
    };
    let store = &mut site.0.store;
    assert!(store.bid(&offer(first.0 - 1), EPOCH).is_err());
    assert!(store.bid(&offer(first.0), EPOCH).is_ok());
    assert!(store.bid(&offer(first.0), EPOCH).is_err());
    assert!(store.bid(&offer(first.0 + 1), item.end_date).is_ok());
    assert!(store.bid(&offer(first.0 + 2), item.end_date + 1).is_err());
    let mut ends_last = store.open_items(item.category, item.end_date);
    assert!(ends_last.any(|listed| listed.id == item.id));
    let mut ended = store.open_items(item.category, item.end_date + 1);
    assert!(!ended.any(|listed| listed.id == item.id));
}

#[test]
fn a_user_registers_once() {
    let mut site = Site::new();
    let body = "firstname=%3Cb%3E&lastname=O%27Brien+%26+S%C3%B8n&nickname=new_1&email=a%40b&password=+p%26&region=62";
    let page = site.post("RegisterUser", body);
    assert_decent(&page);
    let id = 20_001;
    assert_eq!(all(&page, "data.acknowledged")[0].attr("value").unwrap(), id.to_string());
    assert_eq!(text(&page, "dd"), "<b> O'Brien & Søn");
    let stored = User {
        id,
        firstname: "<b>".to_owned(),
        lastname: "O'Brien & Søn".to_owned(),
        nickname: "new_1".to_owned(),
        password: application::password_hash("new_1", " p&"),
        email: "a@b".to_owned(),
        rating: 0,
        balance: Money(0),
        creation_date: EPOCH,
        region: 62,
    };
    assert_eq!(site.0.rows(&User::TABLE).last(), Some(&stored.row()));
    let taken = (409, "The nickname new_1 is taken. Please choose another one.".to_owned());
    assert_eq!(site.refused("POST", "RegisterUser", body), taken);
    assert_eq!(site.refused("POST", "RegisterUser", &body.replace("=62", "=63")), missing("region"));
    assert_eq!(site.refused("POST", "RegisterUser", &body.replace("%40", "")), missing("email"));
    assert_eq!(site.refused("POST", "RegisterUser", &body.replace("new_1", "a%2Fb")), missing("nickname"));
    site.post("RegisterUser", &body.replace("new_1", "New_1"));
    let item = site.item(open).id;
    site.post("PutBid", &format!("itemId={item}&nickname=new_1&password=+p%26"));
}

#[test]
fn populating_gives_the_rows_of_the_model() {
    let scenario = Scenario { scale: 0.002, ..SCENARIO };
    let mut loaded: HashMap<&str, Vec<Row>> = HashMap::new();
    AUCTION.populate(&scenario, &mut |table, row| {
        assert_eq!(row.len(), table.columns.len());
        loaded.entry(table.name).or_default().push(row.to_vec());
    });
    let model = AUCTION.model(&scenario, TokenKey::new("secret"));
    for table in AUCTION.tables() {
        assert!(loaded[table.name] == model.rows(table), "{}", table.name);
    }
    assert_eq!(AUCTION.accounts(&scenario), loaded["users"].len() as u64);
    assert_eq!(AUCTION.account(3).nickname, "user3");
}

/// Walks as emulated users do, one after the other, without time passing for the auctions; checks each answer.
/// Returns the number of writes and of steps forward.
fn walk(site: &mut Site, mix: &Mix, requests: usize) -> (usize, usize) {
    let account = |number| {
        let Account { nickname, password } = AUCTION.account(number);
        workload::Account { nickname, password }
    };
    let users =
        Users { catalogue: &CATALOGUE, mix, accounts: AUCTION.accounts(&SCENARIO), account: &account };
    let mut session = Session::new(1, 0, 1);
    let mut clock = Duration::ZERO;
    let (mut writes, mut forward) = (0, 0);
    for _ in 0..requests {
        let request = session.next(&users, CATALOGUE.session_length.0, clock);
        clock += session.think(CATALOGUE.think_time.0);
        let (path, query) = request.path_and_query.split_once('?').unwrap_or((&request.path_and_query, ""));
        let sent = Request {
            method: request.method.to_string(),
            path: path.to_owned(),
            query: query.to_owned(),
            body: request.body.clone().into_bytes(),
        };
        let (users_before, bids_before) = (site.0.store.users.len(), site.0.store.bids.len());
        let response = site.0.respond(&sent, EPOCH);
        assert_eq!(response.status, 200, "{request:?}");
        let newest = match CATALOGUE.get(request.interaction).name.as_str() {
            "RegisterUser" => Some(users_before as u64 + 1),
            "StoreBid" => Some(bids_before as u64 + 1),
            _ => None,
        };
        assert_eq!(session.arrived(&users, &request, &response.body), newest, "{request:?}");
        writes += usize::from(newest.is_some());
        forward += usize::from(matches!(request.how, How::Start | How::Forward));
    }
    (writes, forward)
}

#[test]
fn emulated_users_meet_no_error_and_write_as_much_as_those_of_rubis() {
    let mut site = Site::new();
    let (writes, forward) = walk(&mut site, &mix("bidding.toml", BIDDING), 20_000);
    let share = writes as f64 / forward as f64;
    assert!((0.09..0.12).contains(&share), "RUBiS has 10.6 % of forward pages, this is {share}");
    let (writes, _) = walk(&mut site, &mix("browsing.toml", BROWSING), 5_000);
    assert_eq!(writes, 0);
}

#[test]
fn whatever_is_asked_is_answered() {
    let site = RefCell::new(Site::new());
    let value = prop_oneof![Just("1".to_owned()), Just("user7".to_owned()), "[0-9]{1,12}", any::<String>()];
    let values = proptest::collection::vec(value, 6);
    proptest!(|(at in 0..CATALOGUE.interactions().len(), values in values, noise: Vec<u8>)| {
        let interaction = &CATALOGUE.interactions()[at];
        let pairs = interaction.parameters.iter().zip(&values).map(|(parameter, value)| {
            let encoded: String = value.bytes().map(|byte| format!("%{byte:02x}")).collect();
            format!("{}={encoded}", parameter.name)
        });
        let form = pairs.collect::<Vec<_>>().join("&");
        let mut request = Request {
            method: interaction.method.to_string(),
            path: interaction.path.clone(),
            query: form.clone(),
            body: form.into_bytes(),
        };
        for _ in 0..2 {
            let response = site.borrow_mut().0.respond(&request, EPOCH);
            prop_assert!([200, 400, 403, 404, 409].contains(&response.status), "{request:?}: {response:?}");
            assert_decent(&Html::parse_document(&String::from_utf8(response.body).unwrap()));
            request.body.extend_from_slice(&noise);
        }
    });
}
