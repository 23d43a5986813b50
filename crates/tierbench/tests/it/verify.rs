//! `verify` lets what is right pass and catches what is wrong.

use crate::bench::{Bench, turn};

const SMALL: [&str; 4] = ["--requests", "60", "--scale", "0.002"];

/// Verifies one configuration of PHP in a house with one fault; returns what was said of it.
fn refused(file: &str, from: &str, to: &str) -> String {
    let _turn = turn();
    let bench = Bench::new();
    bench.edit(file, from, to);
    let mut command = bench.command(&["verify", "auction", "WsPhpFpm-DB"]);
    command.args(SMALL);
    let ended = bench.finish(command);
    ended.expect(3, &["not verified: WsPhpFpm-DB"]);
    ended.output
}

#[test]
fn php_and_the_model_itself_are_the_application() {
    let _turn = turn();
    let bench = Bench::new();
    let mut command = bench.command(&["verify", "auction", "php", "reference"]);
    command.args(SMALL);
    let ended = bench.finish(command);
    ended.expect(0, &[]);
    for name in ["WsPhp-DB: verified", "WsPhpFpm-DB: verified", "rows equal", "Model: verified"] {
        assert!(ended.output.contains(name), "{name}:\n{}", ended.output);
    }
}

#[test]
fn another_word_on_a_page_is_a_difference() {
    let said = refused("stacks/php/auction/pages/view_item.php", "Description", "Descripton");
    for text in ["WsPhpFpm-DB is not the application", "ViewItem", "Descripton", "Description"] {
        assert!(said.contains(text), "{text}:\n{said}");
    }
}

#[test]
fn another_order_of_found_items_is_a_difference() {
    let said =
        refused("stacks/php/auction/SearchItemsInCategory.php", "ORDER BY end_date, id", "ORDER BY id");
    assert!(said.contains("SearchItemsInCategory"), "{said}");
}

#[test]
fn a_confirmed_bid_that_was_never_stored_is_a_difference() {
    let deleted = "$database->update('DELETE FROM bids WHERE id = ?', $id);\n        return $id;";
    let said = refused("stacks/php/auction/StoreBid.php", "return $id;", deleted);
    assert!(said.contains("table bids"), "{said}");
}
