import { choice, count, form, id, money, text } from '../common/forms.js'
import { amount, cents } from './money.js'
import { checkBid, checkBidder, checkBuyer, checkComment, checkQuantity, settle } from './rules.js'
import { bearerOf, found, itemId, logIn, type Site, token, userOf, type Values } from './site.js'
import type { Item } from './store.js'

type LoggedIn = Values<'itemId' | 'nickname' | 'password'>

/** Asks a user to log in for what they want to do with these ids. */
function logInForm({ app }: Site, path: string, title: string, ids: Record<string, typeof id>): void {
  app.get<{ Querystring: Values<string> }>(`${path}Auth`, { schema: { querystring: form(ids) } }, async ({ query }, reply) => {
    const hidden = Object.fromEntries(Object.keys(ids).map((name) => [name, query[name]]))
    return reply.page('log_in', { title, action: path, hidden, item_id: query.itemId })
  })
}

/** Logs a user in and shows an item, if a rule allows them to order it. */
function orderForm(site: Site, path: string, template: string, check: (item: Item, user: number) => void): void {
  const { app, key, store } = site
  app.post<{ Body: LoggedIn }>(path, { schema: { body: form({ ...itemId, ...logIn }) } }, async ({ body }, reply) => {
    const user = await userOf(site, body)
    const item = await found(store.itemForSale(Number(body.itemId)), 'item', Number(body.itemId))
    check(item, user)
    return reply.page(template, { item, seller: await store.nickname(item.seller), token: key.sign(user) })
  })
}

export function ordering(site: Site): void {
  const { app, key, store } = site

  logInForm(site, '/auction/BuyNow', 'Log in to buy now', itemId)
  orderForm(site, '/auction/BuyNow', 'buy_now', checkBuyer)

  app.post<{ Body: Values<'itemId' | 'token' | 'qty'> }>(
    '/auction/StoreBuyNow',
    { schema: { body: form({ ...itemId, ...token, qty: count }) } },
    async ({ body }, reply) => {
      const purchase = { buyer: bearerOf(site, body), item: Number(body.itemId), qty: Number(body.qty) }
      const bought = await store.atomically(async (transaction) => {
        const item = await found(transaction.lockForPurchase(purchase.item), 'item', purchase.item)
        checkBuyer(item, purchase.buyer)
        checkQuantity(item, purchase.qty)
        const id = await transaction.addPurchase(purchase)
        await transaction.take(item, purchase.qty)
        return { item, purchase: { id, item_id: item.id, qty: purchase.qty } }
      })
      return reply.page('store_buy_now', bought)
    },
  )

  logInForm(site, '/auction/PutBid', 'Log in to bid', itemId)
  orderForm(site, '/auction/PutBid', 'put_bid', checkBidder)

  app.post<{ Body: Values<'itemId' | 'token' | 'bid' | 'maxBid' | 'qty'> }>(
    '/auction/StoreBid',
    { schema: { body: form({ ...itemId, ...token, bid: money, maxBid: money, qty: count }) } },
    async ({ body }, reply) => {
      const item = Number(body.itemId)
      const offer = { user: bearerOf(site, body), item, qty: Number(body.qty), bid: cents(body.bid), most: cents(body.maxBid) }
      const { id, bids } = await store.atomically(async (transaction) => {
        checkBid(await found(transaction.lockForBid(item), 'item', item), offer)
        const [own, ...answers] = settle(offer, await transaction.leader(item))
        const id = await transaction.addBid(own)
        for (const answer of answers) await transaction.addBid(answer)
        const bids = [own, ...answers]
        await transaction.raise(item, bids.length, bids.at(-1)!.bid)
        return { id, bids }
      })
      const bid = { id, item_id: item, qty: offer.qty, bid: amount(bids[0]!.bid), max_bid: amount(offer.most) }
      return reply.page('store_bid', { bid, leads: bids.length === 1, price: amount(bids.at(-1)!.bid) })
    },
  )

  logInForm(site, '/auction/PutComment', 'Log in to rate the seller', { ...itemId, to: id })

  app.post<{ Body: LoggedIn & Values<'to'> }>(
    '/auction/PutComment',
    { schema: { body: form({ ...itemId, to: id, ...logIn }) } },
    async ({ body }, reply) => {
      const user = await userOf(site, body)
      const item = await found(store.itemTopic(Number(body.itemId)), 'item', Number(body.itemId))
      checkComment(item, user, Number(body.to))
      return reply.page('put_comment', { item, seller: await store.nickname(item.seller), token: key.sign(user) })
    },
  )

  app.post<{ Body: Values<'itemId' | 'to' | 'token' | 'rating' | 'comment'> }>(
    '/auction/StoreComment',
    { schema: { body: form({ ...itemId, to: id, ...token, rating: choice('-5', '-3', '0', '3', '5'), comment: text(2048) }) } },
    async ({ body }, reply) => {
      const [from, to, rating] = [bearerOf(site, body), Number(body.to), Number(body.rating)]
      const item = await found(store.itemTopic(Number(body.itemId)), 'item', Number(body.itemId))
      checkComment(item, from, to)
      const id = await store.comment({ from, to, item: item.id, rating, comment: body.comment })
      return reply.page('store_comment', {
        item,
        comment: { id, item_id: item.id, to_user_id: to, rating, comment: body.comment },
      })
    },
  )
}
