//! ShoppingCart: shows a cart, after it was changed; where there is none yet, or it was ordered, a new one is begun.
//!
//! The lines of the form are `I_ID_1` to `I_ID_10`, with their new quantities, 0 to 99, in `QTY_1` to `QTY_10`: of each
//! number both or none. A book that isn't in the cart any more is passed over. With `ADD_FLAG` Y the book `I_ID` is added,
//! which must be there then. After the parameters: an unknown book is 404, and then an unknown cart is; then the rules of
//! [`Store::change_cart`](crate::store::Store::change_cart) (409).
//!
//! A new cart is acknowledged; what only changes one acknowledges row 0.
//!
//! ```sql
//! SELECT i_id FROM item WHERE i_id = ?   -- if one is added
//! SELECT MAX(i_id) AS items FROM item
//! ```
//!
//! Atomically (a transaction, or on MyISAM under `LOCK TABLES shopping_cart WRITE, shopping_cart_line WRITE`):
//!
//! ```sql
//! SELECT sc_o_id FROM shopping_cart WHERE sc_id = ? FOR UPDATE     -- if a cart is named
//! SELECT scl_id, scl_i_id, scl_qty FROM shopping_cart_line WHERE scl_sc_id = ? ORDER BY scl_id   -- if it may be changed
//! INSERT INTO shopping_cart (sc_time, sc_o_id) VALUES (NOW(), NULL)      -- if not
//! UPDATE shopping_cart SET sc_time = NOW() WHERE sc_id = ?               -- if it may
//! DELETE FROM shopping_cart_line WHERE scl_id = ?                        -- each that is taken out
//! UPDATE shopping_cart_line SET scl_qty = ? WHERE scl_id = ?             -- each whose quantity is another
//! INSERT INTO shopping_cart_line (scl_sc_id, scl_i_id, scl_qty) VALUES (?, ?, 1)
//! ```
//!
//! Lines are changed by their own ids, each of which only this cart's owner may lock: no two such transactions wait for
//! each other. Then, to show it:
//!
//! ```sql
//! SELECT i_id, i_title, i_thumbnail, i_cost, i_srp, i_backing, scl_qty
//!     FROM shopping_cart_line JOIN item ON i_id = scl_i_id WHERE scl_sc_id = ? ORDER BY scl_id
//! ```
//!
//! It promotes books.

use super::state::Given;
use super::{State, Visit, promote, render};
use crate::{
    fault::Fault,
    rows::Item,
    store::{CartFacts, Kept, MOST_COPIES, MOST_LINES, Totals, Wanted},
};
use application::{Form, Money, RequestFault};
use askama::Template;

#[derive(Template)]
#[template(path = "shopping_cart.html")]
struct Page<'a> {
    state: State,
    kept: Kept,
    lines: Vec<CartFacts<'a>>,
    sub_total: Money,
    promoted: Vec<&'a Item>,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, key, now, .. } = visit;
    let given = Given::read(form)?;
    let wanted = read(form)?;
    let state = given.open(key)?;
    wanted.added.map(|item| store.item(item)).transpose()?;
    let kept = store.change_cart(state.cart, &wanted, *now)?;
    let state = State::with(state.customer, kept.cart, key);
    let lines = store.lines_of_cart(kept.cart, 0);
    let sub_total = Totals::of(lines.iter().map(|line| (line.price, line.qty))).sub_total;
    let promoted = promote(store, &state);
    Ok(render(&Page { state, kept, lines, sub_total, promoted }))
}

fn read(form: &Form<'_>) -> Result<Wanted, RequestFault> {
    let adds = form.choice("ADD_FLAG")? == "Y";
    let item = form.optional("I_ID", Form::id)?;
    if adds && item.is_none() {
        return Err(RequestFault::Parameter("I_ID".to_owned()));
    }
    let mut wanted = Wanted { added: item.filter(|_| adds), ..Wanted::default() };
    for line in 1..=MOST_LINES {
        let [id, quantity] = ["I_ID", "QTY"].map(|name| format!("{name}_{line}"));
        let item = form.optional(&id, Form::id)?;
        let number = form.optional(&quantity, |form, name| form.whole(name, 0..=MOST_COPIES))?;
        match (item, number) {
            (Some(item), Some(number)) => wanted.quantities.push((item, number)),
            (None, None) => {}
            (None, Some(_)) => return Err(RequestFault::Parameter(id)),
            (Some(_), None) => return Err(RequestFault::Parameter(quantity)),
        }
    }
    Ok(wanted)
}
