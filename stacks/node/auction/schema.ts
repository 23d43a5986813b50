import * as mysqlCore from 'drizzle-orm/mysql-core'
import * as pgCore from 'drizzle-orm/pg-core'
import { settings } from '../common/settings.js'

const money = { precision: 12, scale: 2 }

function postgresTables() {
  const { integer, numeric, pgTable, text, timestamp, varchar } = pgCore
  const id = () => integer().primaryKey().generatedByDefaultAsIdentity()
  const instant = () => timestamp({ mode: 'string', precision: 0 }).notNull()
  const amount = () => numeric(money).notNull()
  const number = () => integer().notNull()
  const item = () => ({
    id: id(),
    name: varchar({ length: 100 }).notNull(),
    description: text().notNull(),
    initial_price: amount(),
    quantity: number(),
    reserve_price: amount(),
    buy_now: amount(),
    nb_of_bids: number(),
    max_bid: numeric(money),
    start_date: instant(),
    end_date: instant(),
    seller: number(),
    category: number(),
  })
  return {
    categories: pgTable('categories', { id: id(), name: varchar({ length: 50 }).notNull() }),
    regions: pgTable('regions', { id: id(), name: varchar({ length: 25 }).notNull() }),
    users: pgTable('users', {
      id: id(),
      firstname: varchar({ length: 20 }).notNull(),
      lastname: varchar({ length: 20 }).notNull(),
      nickname: varchar({ length: 20 }).notNull().unique(),
      password: varchar({ length: 64 }).notNull(),
      email: varchar({ length: 50 }).notNull(),
      rating: number(),
      balance: amount(),
      creation_date: instant(),
      region: number(),
    }),
    items: pgTable('items', item()),
    oldItems: pgTable('old_items', item()),
    bids: pgTable('bids', {
      id: id(),
      user_id: number(),
      item_id: number(),
      qty: number(),
      bid: amount(),
      max_bid: amount(),
      date: instant(),
    }),
    comments: pgTable('comments', {
      id: id(),
      from_user_id: number(),
      to_user_id: number(),
      item_id: number(),
      rating: number(),
      date: instant(),
      comment: text().notNull(),
    }),
    purchases: pgTable('buy_now', { id: id(), buyer_id: number(), item_id: number(), qty: number(), date: instant() }),
  }
}

function mariaDbTables() {
  const { datetime, decimal, int, mysqlTable, text, varchar } = mysqlCore
  const id = () => int().primaryKey().autoincrement()
  const instant = () => datetime({ mode: 'string' }).notNull()
  const amount = () => decimal(money).notNull()
  const number = () => int().notNull()
  const item = () => ({
    id: id(),
    name: varchar({ length: 100 }).notNull(),
    description: text().notNull(),
    initial_price: amount(),
    quantity: number(),
    reserve_price: amount(),
    buy_now: amount(),
    nb_of_bids: number(),
    max_bid: decimal(money),
    start_date: instant(),
    end_date: instant(),
    seller: number(),
    category: number(),
  })
  return {
    categories: mysqlTable('categories', { id: id(), name: varchar({ length: 50 }).notNull() }),
    regions: mysqlTable('regions', { id: id(), name: varchar({ length: 25 }).notNull() }),
    users: mysqlTable('users', {
      id: id(),
      firstname: varchar({ length: 20 }).notNull(),
      lastname: varchar({ length: 20 }).notNull(),
      nickname: varchar({ length: 20 }).notNull().unique(),
      password: varchar({ length: 64 }).notNull(),
      email: varchar({ length: 50 }).notNull(),
      rating: number(),
      balance: amount(),
      creation_date: instant(),
      region: number(),
    }),
    items: mysqlTable('items', item()),
    oldItems: mysqlTable('old_items', item()),
    bids: mysqlTable('bids', {
      id: id(),
      user_id: number(),
      item_id: number(),
      qty: number(),
      bid: amount(),
      max_bid: amount(),
      date: instant(),
    }),
    comments: mysqlTable('comments', {
      id: id(),
      from_user_id: number(),
      to_user_id: number(),
      item_id: number(),
      rating: number(),
      date: instant(),
      comment: text().notNull(),
    }),
    purchases: mysqlTable('buy_now', { id: id(), buyer_id: number(), item_id: number(), qty: number(), date: instant() }),
  }
}

// Drizzle has tables and queries of each kind of database. They are called alike, so those for PostgreSQL type both.
export const tables = settings.isPostgres ? postgresTables() : (mariaDbTables() as unknown as ReturnType<typeof postgresTables>)
