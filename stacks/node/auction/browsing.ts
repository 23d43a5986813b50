import { form, id, whole } from '../common/forms.js'
import type { Link } from '../common/refusal.js'
import { found, itemId, type Site, type Values } from './site.js'
import type { Named } from './store.js'

const part = { page: whole('0|[1-9][0-9]{0,5}'), nbOfItems: whole('[1-9][0-9]?|100') }

const links = (rows: Named[], href: (id: number) => string): Link[] =>
  rows.map(({ id, name }) => ({ href: href(id), text: name }))

/** What the page of a search shows; the address lacks the part. */
async function search(site: Site, values: Values<'page' | 'nbOfItems'>, address: string, category: number, region?: number) {
  const [page, size] = [Number(values.page), Number(values.nbOfItems)]
  const items = await site.store.openItems(category, region, size, page * size)
  const href = (page: number) => `${address}&page=${page}&nbOfItems=${size}`
  return { items, previous: page > 0 && href(page - 1), next: items.length === size && href(page + 1) }
}

export function browsing(site: Site): void {
  const { app, store } = site

  app.get('/auction/BrowseCategories', async (_, reply) => {
    const href = (id: number) => `/auction/SearchItemsInCategory?category=${id}&page=0&nbOfItems=20`
    return reply.page('list', { title: 'Categories', links: links(await store.categories(), href) })
  })

  app.get('/auction/BrowseRegions', async (_, reply) => {
    const href = (id: number) => `/auction/BrowseCategoriesInRegion?region=${id}`
    return reply.page('list', { title: 'Regions', links: links(await store.regions(), href) })
  })

  app.get<{ Querystring: Values<'region'> }>(
    '/auction/BrowseCategoriesInRegion',
    { schema: { querystring: form({ region: id }) } },
    async ({ query }, reply) => {
      const region = await found(store.region(Number(query.region)), 'region', Number(query.region))
      const href = (id: number) => `/auction/SearchItemsInRegion?category=${id}&region=${region.id}&page=0&nbOfItems=20`
      return reply.page('list', { title: `Categories in ${region.name}`, links: links(await store.categories(), href) })
    },
  )

  app.get<{ Querystring: Values<'category' | 'page' | 'nbOfItems'> }>(
    '/auction/SearchItemsInCategory',
    { schema: { querystring: form({ category: id, ...part }) } },
    async ({ query }, reply) => {
      const category = await found(store.category(Number(query.category)), 'category', Number(query.category))
      const up = { href: '/auction/BrowseCategories', text: 'All categories' }
      const address = `/auction/SearchItemsInCategory?category=${category.id}`
      return reply.page('search', { title: category.name, up, ...(await search(site, query, address, category.id)) })
    },
  )

  app.get<{ Querystring: Values<'category' | 'region' | 'page' | 'nbOfItems'> }>(
    '/auction/SearchItemsInRegion',
    { schema: { querystring: form({ category: id, region: id, ...part }) } },
    async ({ query }, reply) => {
      const category = await found(store.category(Number(query.category)), 'category', Number(query.category))
      const region = await found(store.region(Number(query.region)), 'region', Number(query.region))
      const up = { href: `/auction/BrowseCategoriesInRegion?region=${region.id}`, text: `All categories in ${region.name}` }
      const address = `/auction/SearchItemsInRegion?category=${category.id}&region=${region.id}`
      const title = `${category.name} in ${region.name}`
      return reply.page('search', { title, up, ...(await search(site, query, address, category.id, region.id)) })
    },
  )

  app.get<{ Querystring: Values<'itemId'> }>(
    '/auction/ViewItem',
    { schema: { querystring: form(itemId) } },
    async ({ query }, reply) => {
      const item = await found(store.itemOrOld(Number(query.itemId)), 'item', Number(query.itemId))
      return reply.page('view_item', { item, seller: await store.nickname(item.seller) })
    },
  )

  app.get<{ Querystring: Values<'userId'> }>(
    '/auction/ViewUserInfo',
    { schema: { querystring: form({ userId: id }) } },
    async ({ query }, reply) => {
      const id = Number(query.userId)
      const user = await found(store.profile(id), 'user', id)
      return reply.page('view_user_info', { user, comments: await store.commentsAbout(id) })
    },
  )

  app.get<{ Querystring: Values<'itemId'> }>(
    '/auction/ViewBidHistory',
    { schema: { querystring: form(itemId) } },
    async ({ query }, reply) => {
      const item = await found(store.itemTitle(Number(query.itemId)), 'item', Number(query.itemId))
      return reply.page('view_bid_history', { item, bids: await store.bidsOn(item.id) })
    },
  )
}
