//! Shopping carts.

use super::{Store, next_id, reduced, scattered_item};
use crate::fault::Fault;
use crate::rows::{Cart, CartLine, Item};
use application::{Money, Timestamp};

/// The most different books in a cart.
pub const MOST_LINES: usize = 10;

/// The most copies of a book in a cart.
pub const MOST_COPIES: i64 = 99;

/// A change of a cart.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// New quantities of its books; 0 takes one out.
    pub quantities: Vec<(i64, i64)>,
    /// A book to be added, or one more copy of it.
    pub added: Option<i64>,
}

/// The resulting cart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    pub cart: i64,
    /// Whether it is a new one.
    pub is_new: bool,
    /// Whether it was empty, so that a book was put there.
    pub was_empty: bool,
}

/// A line of a cart, with its book and the price of a copy.
pub struct CartFacts<'a> {
    pub item: &'a Item,
    pub qty: i64,
    pub price: Money,
}

impl CartFacts<'_> {
    pub fn amount(&self) -> Money {
        Money(self.price.0 * self.qty)
    }
}

impl Store {
    pub fn cart(&self, id: i64) -> Result<&Cart, Fault> {
        super::at(&self.carts, id).ok_or(Fault::Unknown { what: "cart", id })
    }

    /// The lines of a cart, in the order in which its books came, with this discount.
    pub fn lines_of_cart(&self, cart: i64, discount: i64) -> Vec<CartFacts<'_>> {
        let lines = self.cart_lines.values().filter(|line| line.scl_sc_id == cart);
        let facts = lines.map(|line| {
            let item = self.known_item(line.scl_i_id);
            CartFacts { item, qty: line.scl_qty, price: reduced(item.i_cost, discount) }
        });
        facts.collect()
    }

    /// Changes a cart, if it exists; an ordered or a missing one is replaced by a new one. First the quantities of its
    /// books are changed; then a book is added, up to [`MOST_COPIES`] of it and if the cart holds no more than
    /// [`MOST_LINES`]; then, if the cart is empty, a book that its number chooses.
    pub fn change_cart(
        &mut self,
        given: Option<i64>,
        wanted: &Wanted,
        now: Timestamp,
    ) -> Result<Kept, Fault> {
        let known = given.map(|id| self.cart(id)).transpose()?;
        let open = known.filter(|cart| cart.sc_o_id.is_none()).map(|cart| cart.sc_id);
        let cart = open.unwrap_or(next_id(&self.carts));
        let mut lines: Vec<CartLine> =
            self.cart_lines.values().filter(|line| line.scl_sc_id == cart).cloned().collect();
        for (item, qty) in &wanted.quantities {
            lines.iter_mut().filter(|line| line.scl_i_id == *item).for_each(|line| line.scl_qty = *qty);
        }
        let gone: Vec<i64> = lines.extract_if(.., |line| line.scl_qty == 0).map(|line| line.scl_id).collect();
        let was_empty = lines.is_empty() && wanted.added.is_none();
        let items = self.items.len() as i64;
        let added = if was_empty { Some(scattered_item(cart, items)) } else { wanted.added };
        if let Some(item) = added {
            match lines.iter().position(|line| line.scl_i_id == item) {
                Some(at) => lines[at].scl_qty = (lines[at].scl_qty + 1).min(MOST_COPIES),
                None if lines.len() == MOST_LINES => return Err(Fault::FullCart { most: MOST_LINES }),
                None => {
                    self.cart_lines_given += 1;
                    let scl_id = self.cart_lines_given;
                    lines.push(CartLine { scl_id, scl_sc_id: cart, scl_i_id: item, scl_qty: 1 });
                }
            }
        }
        self.cart_lines.retain(|id, _| !gone.contains(id));
        self.cart_lines.extend(lines.into_iter().map(|line| (line.scl_id, line)));
        match open {
            Some(_) => self.carts[cart as usize - 1].sc_time = now,
            None => self.carts.push(Cart { sc_id: cart, sc_time: now, sc_o_id: None }),
        }
        Ok(Kept { cart, is_new: open.is_none(), was_empty })
    }
}
