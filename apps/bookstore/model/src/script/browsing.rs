//! Looking around.

use super::Script;
use crate::population::subjects;
use crate::requests::{NOBODY, about, get, search};

impl Script {
    pub(super) fn browsing(&mut self) {
        self.add("Home: nobody", 200, get("Home", &[]));
        self.add("Home: a parameter that it doesn't take", 200, get("Home", &[("x", "1")]));
        self.add("Home: a customer", 200, get("Home", &[("C_ID", "1")]));
        self.add(
            "Home: another customer with a cart",
            200,
            get("Home", &[("C_ID", "17"), ("SHOPPING_ID", "{sealed:1}")]),
        );
        self.add(
            "Home: nobody with a cart",
            200,
            get("Home", &[("C_ID", ""), ("SHOPPING_ID", "{sealed:2}")]),
        );
        self.add(
            "Home: a cart that isn't looked for",
            200,
            get("Home", &[("SHOPPING_ID", "{sealed:999999999}")]),
        );
        self.add("Home: no such customer", 404, get("Home", &[("C_ID", &NOBODY.to_string())]));
        self.add("Home: no id", 400, get("Home", &[("C_ID", "0")]));
        self.cart_refusals("Home", |cart| get("Home", &[("SHOPPING_ID", cart)]));
        self.lists();
        self.searches();
        self.details();
    }

    fn lists(&mut self) {
        for page in ["NewProducts", "BestSellers"] {
            for subject in [&subjects()[0], &subjects()[12], &subjects()[23]] {
                self.add(format!("{page}: {subject}"), 200, get(page, &[("SUBJECT", subject)]));
            }
            let carried = [("C_ID", "3"), ("SHOPPING_ID", "{sealed:1}"), ("SUBJECT", &subjects()[1])];
            self.add(format!("{page}: with a cart"), 200, get(page, &carried));
            self.add(format!("{page}: in small letters"), 400, get(page, &[("SUBJECT", "arts")]));
            self.add(format!("{page}: no subject"), 400, get(page, &[]));
        }
    }

    fn searches(&mut self) {
        let (author, title) = {
            let store = &self.model.store;
            (store.authors[6].a_lname.clone(), store.items[6].i_title.clone())
        };
        let begin = |text: &str, length: usize| text.chars().take(length).collect::<String>();
        self.add("SearchRequest", 200, get("SearchRequest", &[("C_ID", "5")]));
        self.add("SearchResults: an author", 200, search("author", &author));
        self.add("SearchResults: the beginning of an author", 200, search("author", &begin(&author, 10)));
        self.add("SearchResults: many authors", 200, search("author", "B"));
        self.add("SearchResults: a title", 200, search("title", &title));
        self.add("SearchResults: the beginning of a title", 200, search("title", &begin(&title, 12)));
        self.add("SearchResults: many titles", 200, search("title", &begin(&title, 4)));
        self.add("SearchResults: in capitals", 200, search("title", &title.to_uppercase()));
        for subject in [&subjects()[2], "arts"] {
            self.add(format!("SearchResults: the subject {subject}"), 200, search("subject", subject));
        }
        for text in ["%", "_", "B%", "Ba_a", "\\", "%\\", "\\%", "'", "nothing", "\u{1f600}"] {
            for sort in ["author", "title", "subject"] {
                self.add(format!("SearchResults: `{text}` as {sort}"), 200, search(sort, text));
            }
        }
        self.add("SearchResults: the longest text", 200, search("title", &"é".repeat(60)));
        self.add("SearchResults: too long a text", 400, search("title", &"é".repeat(61)));
        self.add("SearchResults: no text", 400, search("title", ""));
        self.add("SearchResults: no such sort", 400, search("publisher", "B"));
    }

    fn details(&mut self) {
        let last = self.model.store.items.len() as i64;
        for (name, item) in [("the first book", 1), ("a book", 77), ("the last book", last)] {
            self.add(format!("ProductDetail: {name}"), 200, about("ProductDetail", item));
        }
        let carried = [("I_ID", "9"), ("C_ID", "3"), ("SHOPPING_ID", "{sealed:1}")];
        self.add("ProductDetail: with a cart", 200, get("ProductDetail", &carried));
        self.add("ProductDetail: no such book", 404, about("ProductDetail", last + 1));
        self.add("ProductDetail: no id", 400, about("ProductDetail", 0));
    }
}
