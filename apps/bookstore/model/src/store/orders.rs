//! Orders: their prices, and the effects of confirming one.

use super::{CartFacts, NewAddress, Store, next_id};
use crate::fault::Fault;
use crate::payment;
use crate::population::{DELIVERY, LEAST_STOCK};
use crate::rows::{Customer, Order, OrderLine, Payment};
use crate::words;
use application::{Authorization, Money, Timestamp};

const DAY: i64 = 24 * 3600;

/// In hundredths of a percent.
const TAX: i64 = 825;

/// Price of sending an order, and of each of its lines, in cents.
const SHIPPING: i64 = 300;
const SHIPPING_OF_A_LINE: i64 = 100;

/// The sums of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Totals {
    /// Price of all copies.
    pub sub_total: Money,
    /// 8.25 % of that.
    pub tax: Money,
    /// 3.00, and 1.00 for each line.
    pub shipping: Money,
    pub total: Money,
}

impl Totals {
    /// The sums of lines with these prices and quantities.
    pub fn of(lines: impl Iterator<Item = (Money, i64)>) -> Self {
        let (count, sub_total) =
            lines.fold((0, 0), |(count, sum), (price, qty)| (count + 1, sum + price.0 * qty));
        let tax = rounded(sub_total * TAX, 10_000);
        let shipping = SHIPPING + SHIPPING_OF_A_LINE * count;
        Self {
            sub_total: Money(sub_total),
            tax: Money(tax),
            shipping: Money(shipping),
            total: Money(sub_total + tax + shipping),
        }
    }
}

/// A price reduced by `discount` percent.
pub fn reduced(price: Money, discount: i64) -> Money {
    Money(rounded(price.0 * (100 - discount), 100))
}

/// A quotient of two non-negative numbers, rounded half up.
fn rounded(number: i64, by: i64) -> i64 {
    (number + by / 2) / by
}

/// The stored number of a card: all but its last four digits are stars.
pub fn masked(number: &str) -> String {
    let hidden = number.len().saturating_sub(4);
    "*".repeat(hidden) + &number[hidden..]
}

/// Days until an order is sent, by its way of shipping.
fn shipping_days(ship_type: &str) -> i64 {
    words::SHIPPING.iter().find(|(known, _)| *known == ship_type).map_or(0, |(_, days)| *days)
}

/// A cart that a customer may order.
pub struct Checkout<'a> {
    pub customer: &'a Customer,
    pub lines: Vec<CartFacts<'a>>,
    pub totals: Totals,
}

/// A customer's confirmation of an order.
pub struct Confirmation {
    pub customer: i64,
    pub cart: i64,
    pub cc_type: String,
    pub cc_number: String,
    pub cc_name: String,
    pub cc_expiry: Timestamp,
    pub ship_type: String,
    /// The address to send it to, if not the customer's own.
    pub address: Option<NewAddress>,
}

impl Store {
    /// The cart as a customer may order it, checked in this order: it exists; it has not been ordered. It is never empty
    /// then.
    pub fn checkout(&self, customer: i64, cart: i64) -> Result<Checkout<'_>, Fault> {
        let customer = self.customer(customer)?;
        self.check_cart(cart)?;
        let lines = self.lines_of_cart(cart, customer.c_discount);
        let totals = Totals::of(lines.iter().map(|line| (line.price, line.qty)));
        Ok(Checkout { customer, lines, totals })
    }

    /// Whether a cart may be ordered: see [`Store::checkout`].
    pub fn check_cart(&self, cart: i64) -> Result<(), Fault> {
        self.cart(cart)?.sc_o_id.map_or(Ok(()), |order| Err(Fault::Ordered { order }))
    }

    /// Orders a cart, if it may be ([`Store::checkout`]) and the bank pays: the lines of the order are those of the cart,
    /// which is emptied and names the order from then on. `asked` takes the payment that the bank is asked for.
    pub fn confirm(
        &mut self,
        confirmation: &Confirmation,
        asked: &mut Vec<application::Payment>,
        now: Timestamp,
    ) -> Result<&Order, Fault> {
        let Confirmation { customer, cart, cc_expiry, .. } = confirmation;
        let checkout = self.checkout(*customer, *cart)?;
        let (customer, totals) = (checkout.customer.clone(), checkout.totals);
        let lines: Vec<(i64, i64, Money, String)> = checkout
            .lines
            .iter()
            .map(|line| {
                (line.item.i_id, line.qty, line.price, format!("{} of {}", line.qty, line.item.i_title))
            })
            .collect();
        let expiry = &cc_expiry.to_string()[..7];
        let payment = application::Payment {
            reference: cart.to_string(),
            number: confirmation.cc_number.clone(),
            expiry: expiry.to_owned(),
            amount: totals.total.to_string(),
        };
        let answer = payment::authorize(&payment);
        asked.push(payment);
        let auth_id = match answer {
            Authorization::Approved(authorization) => authorization,
            Authorization::Declined => return Err(Fault::Declined),
            Authorization::TimesOut => return Err(Fault::NoAnswer),
        };
        let address = confirmation.address.as_ref().map(|address| self.find_or_add(address));
        let address = address.unwrap_or(customer.c_addr_id);
        let id = next_id(&self.orders);
        self.add_order(Order {
            o_id: id,
            o_c_id: customer.c_id,
            o_date: now,
            o_sub_total: totals.sub_total,
            o_tax: totals.tax,
            o_total: totals.total,
            o_ship_type: confirmation.ship_type.clone(),
            o_ship_date: now + shipping_days(&confirmation.ship_type) * DAY,
            o_bill_addr_id: customer.c_addr_id,
            o_ship_addr_id: address,
            o_status: "PENDING".to_owned(),
        });
        for (item, qty, price, comments) in lines {
            self.take(item, qty);
            self.add_order_line(OrderLine {
                ol_id: next_id(&self.order_lines),
                ol_o_id: id,
                ol_i_id: item,
                ol_qty: qty,
                ol_discount: customer.c_discount,
                ol_price: price,
                ol_comments: comments,
            });
        }
        self.payments.push(Payment {
            cx_o_id: id,
            cx_type: confirmation.cc_type.clone(),
            cx_num: masked(&confirmation.cc_number),
            cx_name: confirmation.cc_name.clone(),
            cx_expire: *cc_expiry,
            cx_auth_id: auth_id,
            cx_xact_amt: totals.total,
            cx_xact_date: now,
            cx_co_id: self.address(address).0.addr_co_id,
        });
        self.cart_lines.retain(|_, line| line.scl_sc_id != *cart);
        let cart = &mut self.carts[*cart as usize - 1];
        (cart.sc_time, cart.sc_o_id) = (now, Some(id));
        Ok(&self.orders[id as usize - 1])
    }

    pub fn last_order(&self, customer: i64) -> Option<&Order> {
        let id = self.orders_by_customer.get(&customer)?.last()?;
        Some(&self.orders[*id as usize - 1])
    }

    /// The lines of an order.
    pub fn lines_of_order(&self, order: i64) -> impl Iterator<Item = &OrderLine> {
        let ids = self.lines_by_order.get(&order).into_iter().flatten();
        ids.map(|id| &self.order_lines[*id as usize - 1])
    }

    pub fn payment(&self, order: i64) -> &Payment {
        &self.payments[order as usize - 1]
    }

    /// Takes copies of an item from the stock; if less than [`LEAST_STOCK`] would be left, deliveries of [`DELIVERY`] come.
    fn take(&mut self, item: i64, copies: i64) {
        let stock = &mut self.item_mut(item).i_stock;
        *stock -= copies;
        while *stock < LEAST_STOCK {
            *stock += DELIVERY;
        }
    }

    pub(super) fn add_order(&mut self, order: Order) {
        self.orders_by_customer.entry(order.o_c_id).or_default().push(order.o_id);
        self.orders.push(order);
    }

    pub(super) fn add_order_line(&mut self, line: OrderLine) {
        self.lines_by_order.entry(line.ol_o_id).or_default().push(line.ol_id);
        self.order_lines.push(line);
    }
}
