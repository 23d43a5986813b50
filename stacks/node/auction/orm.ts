import { and, desc, eq, getTableColumns, gte, inArray, lt, max, sql } from 'drizzle-orm'
import type { MySqlTable } from 'drizzle-orm/mysql-core'
import type { MySql2Database } from 'drizzle-orm/mysql2'
import { drizzle as overMysql2 } from 'drizzle-orm/mysql2'
import { type NodePgDatabase, drizzle as overPg } from 'drizzle-orm/node-postgres'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { openMariaDb, openPostgres } from '../common/pools.js'
import { second } from '../common/session.js'
import { settings } from '../common/settings.js'
import { amount, cents } from './money.js'
import { tables } from './schema.js'
import type { Bid, Named, NewComment, NewItem, NewUser, Offered, Purchase, Store, Transaction } from './store.js'

const { bids, categories, comments, items, purchases, regions, users } = tables

// Old items have the columns of items.
const oldItems = tables.oldItems as unknown as typeof items

type Database = Pick<NodePgDatabase, 'insert' | 'select' | 'transaction' | 'update'>

const now = sql<string>`NOW()`
const lastMonth = sql<string>`NOW() - INTERVAL '30' DAY`
const present = sql<string>`${sql.raw(second)}`

const open = (table: typeof items) => sql<boolean>`${table.end_date} >= ${present}`

/** Adds a row and returns its id, for which each kind of database has its own word. */
async function add<Table extends PgTable & { id: PgColumn }>(
  db: Database,
  table: Table,
  row: Table['$inferInsert'],
): Promise<number> {
  const inserted = settings.isPostgres
    ? await db
        .insert(table)
        .values(row as never)
        .returning({ id: table.id })
    : await (db as unknown as MySql2Database)
        .insert(table as unknown as MySqlTable)
        .values(row as never)
        .$returningId()
  return (inserted as { id: number }[])[0]!.id
}

class OrmTransaction implements Transaction {
  constructor(private readonly db: Database) {}

  async lockForBid(item: number): Promise<Offered | undefined> {
    const [row] = await this.db
      .select({ ...getTableColumns(items), open: open(items) })
      .from(items)
      .where(eq(items.id, item))
      .for('update')
    return row
  }

  lockForPurchase(item: number) {
    return this.lockForBid(item)
  }

  async leader(item: number): Promise<Bid | undefined> {
    const [row] = await this.db.select().from(bids).where(eq(bids.item_id, item)).orderBy(desc(bids.max_bid), bids.id).limit(1)
    return row && { user: row.user_id, item, qty: row.qty, bid: cents(row.bid), most: cents(row.max_bid) }
  }

  addBid({ user, item, qty, bid, most }: Bid) {
    return add(this.db, bids, {
      user_id: user,
      item_id: item,
      qty,
      bid: amount(bid),
      max_bid: amount(most),
      date: present,
    } as never)
  }

  async raise(item: number, count: number, price: number) {
    const nb_of_bids = sql`${items.nb_of_bids} + ${count}`
    await this.db
      .update(items)
      .set({ nb_of_bids, max_bid: amount(price) })
      .where(eq(items.id, item))
  }

  addPurchase({ buyer, item, qty }: Purchase) {
    return add(this.db, purchases, { buyer_id: buyer, item_id: item, qty, date: present } as never)
  }

  async take(item: Offered, copies: number) {
    const end = copies === item.quantity ? { end_date: sql`${present} - INTERVAL '1' SECOND` } : {}
    await this.db
      .update(items)
      .set({ quantity: item.quantity - copies, ...end })
      .where(eq(items.id, item.id))
  }
}

/** Leaves the statements to Drizzle. */
class OrmStore implements Store {
  constructor(
    private readonly db: Database,
    readonly close: () => Promise<void>,
  ) {}

  categories() {
    return this.db.select().from(categories).orderBy(categories.id)
  }

  regions() {
    return this.db.select().from(regions).orderBy(regions.id)
  }

  async category(id: number) {
    const [row] = await this.db.select().from(categories).where(eq(categories.id, id))
    return row
  }

  async region(id: number) {
    const [row] = await this.db.select().from(regions).where(eq(regions.id, id))
    return row
  }

  async credentials(nickname: string) {
    const [row] = await this.db.select().from(users).where(eq(users.nickname, nickname))
    return row
  }

  async profile(id: number) {
    const [row] = await this.db.select().from(users).where(eq(users.id, id))
    return row
  }

  async nickname(id: number) {
    return (await this.profile(id))!.nickname
  }

  commentsAbout(user: number) {
    return this.db
      .select({ ...getTableColumns(comments), nickname: users.nickname })
      .from(comments)
      .innerJoin(users, eq(users.id, comments.from_user_id))
      .where(eq(comments.to_user_id, user))
      .orderBy(desc(comments.date), desc(comments.id))
  }

  openItems(category: number, region: number | undefined, size: number, skip: number) {
    const sellers = this.db
      .select({ id: users.id })
      .from(users)
      .where(eq(users.region, region ?? 0))
    return this.db
      .select()
      .from(items)
      .where(
        and(
          eq(items.category, category),
          gte(items.end_date, now),
          region === undefined ? undefined : inArray(items.seller, sellers),
        ),
      )
      .orderBy(items.end_date, items.id)
      .limit(size)
      .offset(skip)
  }

  itemForSale(id: number) {
    return this.item(id, items)
  }

  async itemOrOld(id: number) {
    return (await this.item(id, items)) ?? (await this.item(id, oldItems))
  }

  private async item(id: number, table: typeof items) {
    const [row] = await this.db
      .select({ ...getTableColumns(table), open: open(table) })
      .from(table)
      .where(eq(table.id, id))
    return row
  }

  itemTitle(id: number): Promise<Named | undefined> {
    return this.itemOrOld(id)
  }

  itemTopic(id: number) {
    return this.itemOrOld(id)
  }

  bidsOn(item: number) {
    return this.db
      .select({ ...getTableColumns(bids), nickname: users.nickname })
      .from(bids)
      .innerJoin(users, eq(users.id, bids.user_id))
      .where(eq(bids.item_id, item))
      .orderBy(desc(bids.date), desc(bids.id))
  }

  async isTaken(nickname: string) {
    return (await this.credentials(nickname)) !== undefined
  }

  async register(user: NewUser) {
    const id = await add(this.db, users, { ...user, rating: 0, balance: '0.00', creation_date: present } as never)
    return { id, creation_date: (await this.profile(id))!.creation_date }
  }

  async sell(item: NewItem, days: number) {
    const end_date = sql`${present} + INTERVAL '${sql.raw(String(days))}' DAY`
    const id = await this.db.transaction(async (db) => {
      const added = await add(db, items, { ...item, nb_of_bids: 0, start_date: present, end_date } as never)
      await db
        .update(users)
        .set({ balance: sql`${users.balance} - 1.00` })
        .where(eq(users.id, item.seller))
      return added
    })
    return (await this.itemForSale(id))!
  }

  comment({ from, to, item, rating, comment }: NewComment) {
    return this.db.transaction(async (db) => {
      const id = await add(db, comments, {
        from_user_id: from,
        to_user_id: to,
        item_id: item,
        rating,
        date: present,
        comment,
      } as never)
      await db
        .update(users)
        .set({ rating: sql`${users.rating} + ${rating}` })
        .where(eq(users.id, to))
      return id
    })
  }

  async affairs(user: number) {
    const [own] = await this.db
      .select({ ...getTableColumns(users), region: regions.name })
      .from(users)
      .innerJoin(regions, eq(regions.id, users.region))
      .where(eq(users.id, user))
    return {
      user: own!,
      bids: await this.ownBids(user),
      won: await this.won(user),
      bought: await this.bought(user),
      selling: await this.db
        .select()
        .from(items)
        .where(and(eq(items.seller, user), gte(items.end_date, now)))
        .orderBy(items.end_date, items.id),
      sold: await this.sold(user),
      comments: await this.commentsAbout(user),
    }
  }

  private ownBids(user: number) {
    return this.db
      .select({ ...getTableColumns(items), own_bid: max(bids.bid).as('own_bid'), own_most: max(bids.max_bid).as('own_most') })
      .from(items)
      .innerJoin(bids, eq(bids.item_id, items.id))
      .where(and(eq(bids.user_id, user), gte(items.end_date, now)))
      .groupBy(items.id)
      .orderBy(items.end_date, items.id)
  }

  private won(user: number) {
    const bidOn = this.db.select({ id: bids.item_id }).from(bids).where(eq(bids.user_id, user))
    const leader = this.db
      .select({ user: bids.user_id })
      .from(bids)
      .where(eq(bids.item_id, items.id))
      .orderBy(desc(bids.max_bid), bids.id)
      .limit(1)
    return this.db
      .select({ ...getTableColumns(items), nickname: users.nickname })
      .from(items)
      .innerJoin(users, eq(users.id, items.seller))
      .where(
        and(
          inArray(items.id, bidOn),
          lt(items.end_date, now),
          sql`${items.quantity} > 0`,
          gte(items.max_bid, items.reserve_price),
          sql`(${leader}) = ${user}`,
        ),
      )
      .orderBy(desc(items.end_date), desc(items.id))
  }

  private bought(user: number) {
    const from = (table: typeof items) =>
      this.db
        .select({ ...getTableColumns(purchases), name: table.name, buy_now: table.buy_now })
        .from(purchases)
        .innerJoin(table, eq(table.id, purchases.item_id))
        .where(and(eq(purchases.buyer_id, user), gte(purchases.date, lastMonth)))
    return from(items).unionAll(from(oldItems)).orderBy(desc(purchases.date), desc(purchases.id))
  }

  private sold(user: number) {
    const from = (table: typeof items) =>
      this.db
        .select()
        .from(table)
        .where(and(eq(table.seller, user), lt(table.end_date, now), gte(table.end_date, lastMonth)))
    return from(items).unionAll(from(oldItems)).orderBy(desc(items.end_date), desc(items.id))
  }

  atomically<Result>(work: (transaction: Transaction) => Promise<Result>) {
    return this.db.transaction((db) => work(new OrmTransaction(db)))
  }
}

export function openOrmStore(report: (error: Error) => void): Store {
  if (settings.isPostgres) {
    const client = openPostgres(report)
    return new OrmStore(overPg({ client }), () => client.end())
  }
  const client = openMariaDb()
  return new OrmStore(overMysql2({ client }) as unknown as Database, () => client.end())
}
