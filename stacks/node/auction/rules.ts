import { Refusal } from '../common/refusal.js'
import { amount, cents } from './money.js'
import type { Bid, Item, NewItem, Offered, Topic } from './store.js'

type Priced = Pick<Item, 'initial_price' | 'max_bid'>

/** The highest bid so far, or else the first price. */
export const price = (item: Priced): string => item.max_bid ?? item.initial_price

export function leastBid(item: Priced): string {
  return item.max_bid === null ? item.initial_price : amount(cents(item.max_bid) + 1)
}

/** The price to buy one at once, which an open item offers until the bids reach it. Lists have open items only. */
export function atOnce(item: Priced & Pick<Item, 'buy_now'> & Partial<Pick<Item, 'open'>>): string | undefined {
  return (item.open ?? true) && cents(price(item)) < cents(item.buy_now) ? item.buy_now : undefined
}

/** What came of an auction that is over. */
export function outcome(item: Pick<Item, 'quantity' | 'max_bid' | 'reserve_price'>): string {
  if (item.quantity === 0) return 'bought'
  return item.max_bid !== null && cents(item.max_bid) >= cents(item.reserve_price) ? 'sold' : 'not sold'
}

const home = { href: '/auction/index.html', text: 'Home' }

export const wrongLogIn = () => new Refusal(403, 'The nickname or the password is wrong.', home)

export const wrongToken = () => new Refusal(403, 'Your log-in is not valid or has expired. Please log in again.', home)

export function nicknameTaken(nickname: string): Refusal {
  const onward = { href: '/auction/register.html', text: 'Back to the form' }
  return new Refusal(409, `The nickname ${nickname} is taken. Please choose another one.`, onward)
}

const ofItem = (id: number, text: string) =>
  new Refusal(409, text, { href: `/auction/ViewItem?itemId=${id}`, text: 'Back to the item' })

const ofSale = (text: string) => new Refusal(409, text, { href: '/auction/sell.html', text: 'Back to selling' })

const ownItem = (id: number) => ofItem(id, "You can't bid on, buy or rate what you sell yourself.")

export function checkBidder(item: Pick<Item, 'id' | 'open' | 'seller'>, user: number): void {
  if (!item.open) throw ofItem(item.id, 'This auction is closed.')
  if (item.seller === user) throw ownItem(item.id)
}

export function checkBuyer(item: Offered, user: number): void {
  checkBidder(item, user)
  if (atOnce(item) === undefined) throw ofItem(item.id, "This item can't be bought at once.")
}

export function checkQuantity(item: Pick<Item, 'id' | 'quantity'>, wanted: number): void {
  if (wanted < 1 || wanted > item.quantity) throw ofItem(item.id, `The quantity must be from 1 to ${item.quantity}.`)
}

export function checkBid(item: Offered, offer: Bid): void {
  checkBidder(item, offer.user)
  checkQuantity(item, offer.qty)
  if (offer.bid < cents(leastBid(item))) throw ofItem(item.id, `The bid must be at least ${leastBid(item)}.`)
  if (offer.most < offer.bid) throw ofItem(item.id, 'The most you would bid must not be less than your bid.')
}

export function checkComment(item: Topic, author: number, seller: number): void {
  if (item.seller !== seller) throw ofItem(item.id, `User ${seller} does not sell item ${item.id}.`)
  if (author === seller) throw ownItem(item.id)
}

export function checkPrices(item: NewItem): void {
  const [initial, reserve, buyNow] = [cents(item.initial_price), cents(item.reserve_price), cents(item.buy_now)]
  if (initial < 1) throw ofSale('The first price must be at least 0.01.')
  if (reserve !== 0 && reserve < initial) throw ofSale('The reserve price must be 0 or at least the first price.')
  if (buyNow !== 0 && buyNow < Math.max(initial, reserve)) {
    throw ofSale('The price to buy at once must be 0 or at least the first and the reserve price.')
  }
}

/** Bids by proxy: for the leader, by as little as it takes. Returns the bids to record, the one that leads at last. */
export function settle(offer: Bid, leader: Bid | undefined): [Bid, ...Bid[]] {
  if (!leader || leader.user === offer.user) return [offer]
  if (leader.most < offer.most) return [{ ...offer, bid: Math.max(offer.bid, Math.min(leader.most + 1, offer.most)) }]
  const answer = { ...leader, bid: Math.min(offer.most + 1, leader.most) }
  return [{ ...offer, bid: offer.most }, answer]
}
