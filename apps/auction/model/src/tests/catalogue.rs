//! Consistency of app.toml, mixes, schema and static files.

use super::*;
use workload::{Class, Effect, Step};

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
    let schema = include_str!("../../../schema/mariadb.sql");
    let columns = [
        ("RegisterUser", "users", vec!["firstname", "lastname", "nickname", "email"]),
        ("RegisterItem", "items", vec!["name"]),
    ];
    for (interaction, table, names) in columns {
        let (_, table) = schema.split_once(&format!("CREATE TABLE {table} (")).unwrap();
        let (table, _) = table.split_once(';').unwrap();
        let interaction = CATALOGUE.get(CATALOGUE.by_name(interaction).unwrap());
        for name in names {
            let parameter = interaction.parameters.iter().find(|parameter| parameter.name == name).unwrap();
            let column = format!("    {name} VARCHAR({}) NOT NULL", parameter.max_length.unwrap());
            assert!(table.contains(&column), "{column}");
        }
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
fn static_files_are_what_the_model_serves() {
    let mut site = Site::new();
    let files = AUCTION.static_files();
    assert_eq!(files.len(), 9);
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
        assert_eq!(site.0.respond(&request("POST"), EPOCH).status, 404);
    }
}

/// Modules of writes name tables in their documents' statements; those that are written are the schema's.
#[test]
fn writes_say_that_they_add_to_the_table_that_they_acknowledge() {
    let modules = [
        ("RegisterUser", include_str!("../interactions/register_user.rs")),
        ("StoreBuyNow", include_str!("../interactions/store_buy_now.rs")),
        ("StoreBid", include_str!("../interactions/store_bid.rs")),
        ("StoreComment", include_str!("../interactions/store_comment.rs")),
        ("RegisterItem", include_str!("../interactions/register_item.rs")),
    ];
    let tables: Vec<&str> = rows::TABLES.iter().map(|table| table.name).collect();
    let writing = CATALOGUE.interactions().iter().filter(|interaction| interaction.effect == Effect::Write);
    assert_eq!(writing.count(), modules.len());
    for (name, module) in modules {
        let words: Vec<&str> = module.split_whitespace().collect();
        let after = |word: &'static str| words.windows(2).filter(move |two| two[0] == word).map(|two| two[1]);
        let added: Vec<&str> = after("INTO").collect();
        let interaction = CATALOGUE.get(CATALOGUE.by_name(name).unwrap());
        assert_eq!(added, [interaction.writes.as_deref().unwrap()], "{name}");
        for table in after("FROM").chain(after("UPDATE").filter(|table| *table != "//!")) {
            assert!(tables.contains(&table), "{name}: {table}");
        }
    }
}
