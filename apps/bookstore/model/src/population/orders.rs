//! Orders with their lines and payments.

use super::{DAY, Population, Purpose, customers::digits};
use crate::rows::{Order, OrderLine, Payment};
use crate::store::{Totals, masked, reduced};
use crate::words;
use application::{Draws, Timestamp};

/// Days of orders, up to the day before the history.
const DAYS: i64 = 60;

/// Consecutive orders that have 1, 2, … lines, in some order.
const GROUP: i64 = 5;

/// All lines of such orders.
const LINES: i64 = GROUP * (GROUP + 1) / 2;

impl Population {
    pub(super) fn order(&self, id: i64) -> Order {
        let draws = &mut self.seed.draws(Purpose::Order, id);
        let totals = Totals::of(self.lines_of(id).iter().map(|line| (line.ol_price, line.ol_qty)));
        let customer = draws.within(1..=self.customers);
        let (ship_type, days) = draws.any(&words::SHIPPING);
        let date = self.date_of(id);
        Order {
            o_id: id,
            o_c_id: customer,
            o_date: date,
            o_sub_total: totals.sub_total,
            o_tax: totals.tax,
            o_total: totals.total,
            o_ship_type: ship_type.to_owned(),
            o_ship_date: date + days * DAY,
            o_bill_addr_id: self.address_of(customer),
            o_ship_addr_id: draws.within(1..=self.addresses),
            o_status: draws.any(&words::STATUSES).to_owned(),
        }
    }

    pub(super) fn payment(&self, id: i64) -> Payment {
        let order = self.order(id);
        let draws = &mut self.seed.draws(Purpose::Payment, id);
        let number = digits(16..=16, draws);
        Payment {
            cx_o_id: id,
            cx_type: draws.any(&words::CARDS).to_owned(),
            cx_num: masked(&number),
            cx_name: self.customer_head(order.o_c_id).0.chars().take(30).collect(),
            cx_expire: Timestamp((self.history.0 / DAY + draws.within(10..=730)) * DAY),
            cx_auth_id: (0..15).map(|_| char::from(draws.any(b"0123456789ABCDEF"))).collect(),
            cx_xact_amt: order.o_total,
            cx_xact_date: order.o_date,
            cx_co_id: self.address(order.o_ship_addr_id).addr_co_id,
        }
    }

    pub(super) fn lines_of(&self, order: i64) -> Vec<OrderLine> {
        let draws = &mut self.seed.draws(Purpose::Lines, order);
        let (sales, first) = self.sales(order, draws);
        let line = |(ol_id, Sale { item, copies, discount })| OrderLine {
            ol_id,
            ol_o_id: order,
            ol_i_id: item,
            ol_qty: copies,
            ol_discount: discount,
            ol_price: reduced(self.prices(item).1, discount),
            ol_comments: self.text(20..=100, draws),
        };
        (first..).zip(sales).map(line).collect()
    }

    /// The sales of an order, and the number of its first line: the first choices of the order's lines.
    fn sales(&self, order: i64, draws: &mut Draws) -> (Vec<Sale>, i64) {
        let (count, first) = self.counts(order);
        let mut sale = || Sale {
            item: draws.within(1..=self.items),
            copies: draws.within(1..=300),
            discount: draws.within(0..=30),
        };
        ((0..count).map(|_| sale()).collect(), first)
    }

    /// The number of an order's lines, and the number of the first.
    fn counts(&self, order: i64) -> (i64, i64) {
        let (group, place) = ((order - 1) / GROUP, ((order - 1) % GROUP) as usize);
        let mut counts: [i64; GROUP as usize] = std::array::from_fn(|place| place as i64 + 1);
        let draws = &mut self.seed.draws(Purpose::Counts, group);
        for last in (1..counts.len()).rev() {
            counts.swap(last, draws.below(last as i64 + 1) as usize);
        }
        (counts[place], group * LINES + counts[..place].iter().sum::<i64>() + 1)
    }

    fn date_of(&self, order: i64) -> Timestamp {
        let span = (DAYS - 1) * DAY;
        self.history + (-DAYS * DAY + (order - 1) * span / self.orders)
    }

    /// Ordered copies of an item.
    pub(super) fn sold(&self, item: i64) -> i64 {
        let sold = self.sold.get_or_init(|| {
            let mut sold = vec![0; self.items as usize];
            for order in 1..=self.orders {
                for sale in self.sales(order, &mut self.seed.draws(Purpose::Lines, order)).0 {
                    sold[sale.item as usize - 1] += sale.copies as u32;
                }
            }
            sold
        });
        i64::from(sold[item as usize - 1])
    }
}

struct Sale {
    item: i64,
    copies: i64,
    discount: i64,
}
