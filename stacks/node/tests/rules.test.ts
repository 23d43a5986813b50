import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amount, cents } from '../auction/money.js'
import { atOnce, checkBid, checkPrices, leastBid, outcome, settle } from '../auction/rules.js'
import type { Bid, NewItem, Offered } from '../auction/store.js'
import { Refusal } from '../common/refusal.js'

const bidder = 2

const item: Offered = { id: 7, initial_price: '3.00', quantity: 2, buy_now: '9.00', max_bid: '5.00', seller: 1, open: true }

const offer: Bid = { user: bidder, item: 7, qty: 1, bid: 501, most: 900 }

const refusal = (text: string) => (error: unknown) =>
  error instanceof Refusal && error.statusCode === 409 && error.message === text

test('amounts are the same after they were cents', () => {
  for (const text of ['0.00', '0.01', '0.10', '10.00', '99999.99']) assert.equal(amount(cents(text)), text)
  assert.equal(cents('7'), 700)
  assert.equal(cents('7.5'), 750)
})

test('a bid is a cent above the highest, or the first price', () => {
  assert.equal(leastBid(item), '5.01')
  assert.equal(leastBid({ ...item, max_bid: null }), '3.00')
  assert.doesNotThrow(() => checkBid(item, offer))
  assert.throws(() => checkBid(item, { ...offer, bid: 500 }), refusal('The bid must be at least 5.01.'))
})

test('the first broken rule is the reason', () => {
  const wrong: Bid = { user: 1, item: 7, qty: 9, bid: 1, most: 0 }
  assert.throws(() => checkBid({ ...item, open: false }, wrong), refusal('This auction is closed.'))
  assert.throws(() => checkBid(item, wrong), refusal("You can't bid on, buy or rate what you sell yourself."))
  assert.throws(() => checkBid(item, { ...wrong, user: bidder }), refusal('The quantity must be from 1 to 2.'))
})

test('bids that reach the price to buy at once end it', () => {
  assert.equal(atOnce({ ...item, max_bid: '8.99' }), '9.00')
  assert.equal(atOnce({ ...item, max_bid: '9.00' }), undefined)
  assert.equal(atOnce({ ...item, open: false }), undefined)
})

test('an auction that is over was bought, sold or neither', () => {
  assert.equal(outcome({ quantity: 0, max_bid: null, reserve_price: '4.00' }), 'bought')
  assert.equal(outcome({ quantity: 1, max_bid: '4.00', reserve_price: '4.00' }), 'sold')
  assert.equal(outcome({ quantity: 1, max_bid: '3.99', reserve_price: '4.00' }), 'not sold')
})

test('a leader is outbid by a cent, and answers as long as it can', () => {
  const leader: Bid = { ...offer, user: 3, bid: 400, most: 700 }
  assert.deepEqual(settle(offer, undefined), [offer])
  assert.deepEqual(settle(offer, { ...leader, user: bidder }), [offer])
  assert.deepEqual(settle(offer, leader), [{ ...offer, bid: 701 }])
  const ahead = { ...leader, most: 900 }
  assert.deepEqual(settle(offer, ahead), [
    { ...offer, bid: 900 },
    { ...ahead, bid: 900 },
  ])
})

test('prices of a new item rise from the first to the last', () => {
  const prices = (initial_price: string, reserve_price: string, buy_now: string) => () =>
    checkPrices({ initial_price, reserve_price, buy_now } as NewItem)
  assert.doesNotThrow(prices('1.00', '0.00', '0.00'))
  assert.doesNotThrow(prices('1.00', '2.00', '2.00'))
  assert.throws(prices('0.00', '0.00', '0.00'), Refusal)
  assert.throws(prices('1.00', '0.99', '0.00'), Refusal)
  assert.throws(prices('1.00', '2.00', '1.99'), Refusal)
})
