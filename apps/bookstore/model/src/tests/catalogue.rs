//! Consistency of app.toml, mixes, schema and static files.

use super::*;
use workload::{Class, Effect};

#[test]
fn every_interaction_of_the_catalogue_has_its_answer_and_its_transport() {
    assert_eq!((CATALOGUE.interactions().len(), BOOKSTORE.name()), (14, &*CATALOGUE.name));
    for interaction in CATALOGUE.interactions() {
        assert!(interactions::answer(&interaction.name).is_some(), "{} isn't written", interaction.name);
        let writes = interaction.effect == Effect::Write;
        assert!(!writes || interaction.method == Method::Post && interaction.class == Class::Order);
        // Only carts are filled in the open.
        let is_open = interaction.class == Class::Browse || interaction.name == "ShoppingCart";
        assert_eq!(interaction.secure, !is_open, "{}", interaction.name);
        let takes_password = interaction.parameters.iter().any(|parameter| parameter.name.contains("PASSWD"));
        assert!(!takes_password || interaction.secure && interaction.method == Method::Post);
    }
}

#[test]
fn limits_of_lengths_are_those_of_the_schema() {
    let schema = include_str!("../../../schema/mariadb.sql");
    let columns = [
        ("BuyRequest", "customer", "c", vec!["NEW_UNAME", "FNAME", "LNAME", "EMAIL", "DATA"]),
        ("BuyRequest", "address", "addr", vec!["STREET_1", "STREET_2", "CITY", "STATE", "ZIP"]),
        ("BuyConfirm", "address", "addr", vec!["STREET_1", "STREET_2", "CITY", "STATE", "ZIP"]),
        ("BuyConfirm", "cc_xacts", "cx", vec!["CC_NAME"]),
        ("AdminConfirm", "item", "i", vec!["I_NEW_IMAGE", "I_NEW_THUMBNAIL"]),
    ];
    for (interaction, table, prefix, names) in columns {
        let (_, table) = schema.split_once(&format!("CREATE TABLE {table} (")).unwrap();
        let (table, _) = table.split_once(';').unwrap();
        let interaction = CATALOGUE.get(CATALOGUE.by_name(interaction).unwrap());
        for name in names {
            let parameter = interaction.parameters.iter().find(|parameter| parameter.name == name).unwrap();
            let plain =
                name.trim_start_matches("NEW_").trim_start_matches("I_NEW_").trim_start_matches("CC_");
            let column = plain.to_lowercase().replace("street_", "street");
            let column = format!("    {prefix}_{column} VARCHAR({}) NOT NULL", parameter.max_length.unwrap());
            assert!(table.contains(&column), "{column}");
        }
    }
}

#[test]
fn mixes_are_those_of_the_specification() {
    for (file, toml) in MIXES {
        let mix = mix(file, toml);
        assert_eq!(format!("{}.toml", mix.name), file);
        // The values that would be accepted without it.
        assert!(toml.contains("\nbrowse = 0.") && toml.contains("\n[shares]\n"), "{file}");
        assert_eq!(toml.split("[transitions").next().unwrap().matches(" = 0.").count(), 16, "{file}");
    }
    let (file, shopping) = MIXES[1];
    let as_often_copied = [
        ("read_write = 0.155", "read_write = 0.148"),
        ("Home = 0.6968", "Home = 0.7408"),
        ("ShoppingCart = 0.0447", "ShoppingCart = 0.0007"),
    ];
    let copied =
        as_often_copied.iter().fold(shopping.to_owned(), |mix, (right, copied)| mix.replace(right, copied));
    let fault = Mix::parse(&Document::new(file, copied), &CATALOGUE).unwrap_err().to_string();
    assert!(fault.contains("declares 80.00 % browsing, but in endless sessions it is 80.69 %"), "{fault}");
}

#[test]
fn static_files_and_pictures_are_what_the_model_serves() {
    let mut site = Site::new();
    let request = |method: &str, path: &str| Request::new(method, path, "");
    for file in BOOKSTORE.static_files() {
        let response = site.0.respond(&request("GET", &file.path), EPOCH);
        assert_eq!((response.status, response.body), (200, file.body));
        assert_eq!(site.0.respond(&request("POST", &file.path), EPOCH).status, 404);
    }
    let pictures = BOOKSTORE.files(&DATASET).expect("there are pictures");
    for number in [0, 1, 213, pictures.count() - 1] {
        let (path, mut file) = (format!("/{}", pictures.path(number)), Vec::new());
        pictures.write(number, &mut file).unwrap();
        let response = site.0.respond(&request("GET", &path), EPOCH);
        assert_eq!((response.status, response.content_type), (200, "image/png"));
        assert!(response.body == file, "{path}");
        assert_eq!(site.0.respond(&request("POST", &path), EPOCH).status, 404);
    }
    let beyond = format!("/{}", pictures.path(pictures.count()));
    assert_eq!(site.0.respond(&request("GET", &beyond), EPOCH).status, 404);
}

/// Modules of writes name tables in their documents' statements; those that are written are the schema's.
#[test]
fn writes_say_that_they_add_to_the_table_that_they_acknowledge() {
    let modules = [
        ("ShoppingCart", include_str!("../interactions/shopping_cart.rs")),
        ("BuyRequest", include_str!("../interactions/buy_request.rs")),
        ("BuyConfirm", include_str!("../interactions/buy_confirm.rs")),
        ("AdminConfirm", include_str!("../interactions/admin_confirm.rs")),
    ];
    let tables: Vec<&str> = rows::TABLES.iter().map(|table| table.name).collect();
    let writing = CATALOGUE.interactions().iter().filter(|interaction| interaction.effect == Effect::Write);
    assert_eq!(writing.count(), modules.len());
    for (name, module) in modules {
        let words: Vec<&str> = module.split_whitespace().collect();
        let after = |word: &'static str| words.windows(2).filter(move |two| two[0] == word).map(|two| two[1]);
        let writes = CATALOGUE.get(CATALOGUE.by_name(name).unwrap()).writes.clone().unwrap();
        assert!(after("INTO").chain(after("UPDATE")).any(|table| table == writes), "{name}");
        let named = after("FROM").chain(after("INTO")).chain(after("JOIN"));
        for table in named.filter(|table| !["order_line", "("].contains(table)) {
            assert!(tables.contains(&table), "{name}: {table}");
        }
    }
}
