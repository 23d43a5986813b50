//! Bidding by proxy, by a table of cases and against a slow computation, cent by cent.

use super::*;
use crate::rows::Bid;
use proptest::prelude::*;
use store::Offer;

/// A user, their bid and their maximum, in cents.
type Try = (i64, i64, i64);

/// The result of an accepted offer, in cents: the recorded bid, whether the bidder leads, and the price.
type Outcome = Option<(i64, bool, i64)>;

/// Makes offers for one new item with the first price 10.00.
fn outcomes(tries: &[Try]) -> (Vec<Outcome>, Site, Item) {
    let mut site = Site::new();
    let item = site.sell(|_| {});
    let store = &mut site.0.store;
    let mut make = |&(user, bid, most): &Try| {
        let offer = Offer { user, item: item.id, bid: Money(bid), max_bid: Money(most), qty: 1 };
        let outcome = store.bid(&offer, EPOCH);
        outcome.ok().map(|(bid, leads, price)| (bid.bid.0, leads, price.0))
    };
    let outcomes = tries.iter().map(&mut make).collect();
    (outcomes, site, item)
}

#[test]
fn the_site_bids_for_whoever_leads_up_to_their_most() {
    let first = (2, 1_000, 2_000);
    let cases: [(&str, Try, Outcome); 9] = [
        ("below the price", (3, 1_000, 5_000), None),
        ("below the leader's most", (3, 1_200, 1_500), Some((1_500, false, 1_501))),
        ("a cent below the leader's most", (3, 1_001, 1_999), Some((1_999, false, 2_000))),
        ("as high as the leader's most, who was first", (3, 1_500, 2_000), Some((2_000, false, 2_000))),
        ("a cent above the leader's most", (3, 1_500, 2_001), Some((2_001, true, 2_001))),
        ("far above the leader's most", (3, 1_500, 9_000), Some((2_001, true, 2_001))),
        ("a bid above the leader's most", (3, 3_000, 9_000), Some((3_000, true, 3_000))),
        ("the leader raises their most", (2, 1_001, 9_000), Some((1_001, true, 1_001))),
        ("the leader bids against themselves", (2, 1_700, 1_800), Some((1_700, true, 1_700))),
    ];
    for (name, second, outcome) in cases {
        let (outcomes, ..) = outcomes(&[first, second]);
        assert_eq!(outcomes, [Some((1_000, true, 1_000)), outcome], "{name}");
    }
}

#[test]
fn a_leader_who_would_pay_less_now_still_leads_with_what_they_said_before() {
    let (outcomes, ..) =
        outcomes(&[(2, 1_000, 2_000), (2, 1_100, 1_200), (3, 1_300, 1_900), (3, 1_902, 2_001)]);
    let expected = [(1_000, true, 1_000), (1_100, true, 1_100), (1_900, false, 1_901), (2_001, true, 2_001)];
    assert_eq!(outcomes, expected.map(Some));
}

/// An auction held by people in a room.
#[derive(Default)]
struct Room {
    /// The leader and their maximum.
    leader: Option<(i64, i64)>,
    price: Option<i64>,
    rows: i64,
}

impl Room {
    fn offer(&mut self, (user, bid, most): Try) -> Outcome {
        if bid < self.price.map_or(1_000, |price| price + 1) || most < bid {
            return None;
        }
        let (recorded, leads, price) = match self.leader {
            Some((leader, their_most)) if leader != user => self.duel(bid, most, their_most),
            _ => (bid, true, bid),
        };
        if leads {
            let before = self.leader.filter(|(leader, _)| *leader == user).map_or(0, |(_, most)| most);
            self.leader = Some((user, most.max(before)));
        }
        self.price = Some(price);
        self.rows += if leads { 1 } else { 2 };
        Some((recorded, leads, price))
    }

    /// The challenger claims a price and raises it by cents until nobody holds against it or they give up.
    fn duel(&self, bid: i64, most: i64, their_most: i64) -> (i64, bool, i64) {
        let mut claim = bid;
        while claim <= their_most {
            if claim == most {
                let above = if claim < their_most { claim + 1 } else { claim };
                return (claim, false, above);
            }
            claim += 1;
        }
        (claim, true, claim)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn any_offers_end_as_they_would_in_a_room(
        tries in prop::collection::vec((2i64..=4, 0i64..=60, -2i64..=60), 1..60),
    ) {
        let mut room = Room::default();
        let mut expected = Vec::new();
        let mut made = Vec::new();
        for (number, (user, above, more)) in tries.into_iter().enumerate() {
            let bid = 998 + above + number as i64;
            made.push((user, bid, bid + more));
            expected.push(room.offer((user, bid, bid + more)));
        }
        let (outcomes, site, item) = outcomes(&made);
        prop_assert_eq!(outcomes, expected);
        let store = &site.0.store;
        let after = store.item(item.id).unwrap();
        prop_assert_eq!(after.max_bid.map(|price| price.0), room.price);
        prop_assert_eq!(after.nb_of_bids, room.rows);
        prop_assert_eq!(store.leading_bid(item.id).map(|bid| (bid.user_id, bid.max_bid.0)), room.leader);
        let rows: Vec<&Bid> = store.bids.iter().filter(|bid| bid.item_id == item.id).collect();
        prop_assert_eq!(rows.len() as i64, room.rows);
        prop_assert!(rows.is_sorted_by(|one, next| one.bid <= next.bid));
        prop_assert!(rows.iter().all(|bid| bid.bid <= bid.max_bid));
    }
}
