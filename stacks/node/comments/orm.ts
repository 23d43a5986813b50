import * as mysqlCore from 'drizzle-orm/mysql-core'
import { drizzle as overMysql2 } from 'drizzle-orm/mysql2'
import { drizzle as overPg } from 'drizzle-orm/node-postgres'
import * as pgCore from 'drizzle-orm/pg-core'
import { openMariaDb, openPostgres } from '../common/pools.js'
import { settings } from '../common/settings.js'
import type { Store } from './store.js'

/** Leaves the statements to Drizzle. A table is declared for each kind of database. */
export function openOrmStore(report: (error: Error) => void): Store {
  return settings.isPostgres ? openPostgresStore(report) : openMariaDbStore()
}

function openPostgresStore(report: (error: Error) => void): Store {
  const { integer, pgTable, varchar } = pgCore
  const comments = pgTable('comments', {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    name: varchar({ length: 50 }).notNull(),
    email: varchar({ length: 80 }).notNull(),
    comment: varchar({ length: 2048 }).notNull(),
  })
  const client = openPostgres(report)
  const db = overPg({ client })
  const list = db.select().from(comments).orderBy(comments.id).prepare('list_comments')
  return {
    list: () => list.execute(),
    add: async (comment) => {
      const [row] = await db.insert(comments).values(comment).returning({ id: comments.id })
      return row!.id
    },
    close: () => client.end(),
  }
}

function openMariaDbStore(): Store {
  const { int, mysqlTable, varchar } = mysqlCore
  const comments = mysqlTable('comments', {
    id: int().primaryKey().autoincrement(),
    name: varchar({ length: 50 }).notNull(),
    email: varchar({ length: 80 }).notNull(),
    comment: varchar({ length: 2048 }).notNull(),
  })
  const client = openMariaDb()
  const db = overMysql2({ client })
  const list = db.select().from(comments).orderBy(comments.id).prepare()
  return {
    list: () => list.execute(),
    add: async (comment) => {
      const [row] = await db.insert(comments).values(comment).$returningId()
      return row!.id
    },
    close: () => client.end(),
  }
}
