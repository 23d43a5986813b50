import { form, id, money, text, whole } from '../common/forms.js'
import { amount, cents } from './money.js'
import { checkPrices } from './rules.js'
import { bearerOf, found, logIn, type Site, token, userOf, type Values } from './site.js'

const fee = '1.00'

const newItem = form({
  ...token,
  category: id,
  name: text(100),
  description: text(8192),
  initialPrice: money,
  reservePrice: money,
  buyNow: money,
  quantity: whole('[1-9]|10'),
  duration: whole('[1-7]'),
})

export function selling(site: Site): void {
  const { app, key, store } = site

  app.post<{ Body: Values<'nickname' | 'password'> }>(
    '/auction/SelectCategoryToSellItem',
    { schema: { body: form(logIn) } },
    async ({ body }, reply) => {
      const user = await userOf(site, body)
      return reply.page('select_category_to_sell_item', { categories: await store.categories(), token: key.sign(user) })
    },
  )

  app.post<{ Body: Values<'token' | 'category'> }>(
    '/auction/SellItemForm',
    { schema: { body: form({ ...token, category: id }) } },
    async ({ body }, reply) => {
      bearerOf(site, body)
      const category = await found(store.category(Number(body.category)), 'category', Number(body.category))
      return reply.page('sell_item_form', { category, token: body.token, fee })
    },
  )

  app.post<{
    Body: Values<
      'token' | 'category' | 'name' | 'description' | 'initialPrice' | 'reservePrice' | 'buyNow' | 'quantity' | 'duration'
    >
  }>('/auction/RegisterItem', { schema: { body: newItem } }, async ({ body }, reply) => {
    const seller = bearerOf(site, body)
    const category = await found(store.category(Number(body.category)), 'category', Number(body.category))
    const exact = (price: string) => amount(cents(price))
    const item = {
      name: body.name,
      description: body.description,
      initial_price: exact(body.initialPrice),
      reserve_price: exact(body.reservePrice),
      buy_now: exact(body.buyNow),
      quantity: Number(body.quantity),
      seller,
      category: category.id,
    }
    checkPrices(item)
    const added = await store.sell(item, Number(body.duration))
    return reply.page('register_item', { item: { ...item, ...added }, category, fee })
  })
}
