import type mysql from 'mysql2/promise'
import type pg from 'pg'
import { openMariaDb, openPostgres } from './pools.js'
import { settings } from './settings.js'

/** A statement to prepare. */
export interface Statement {
  name: string
  text: string
}

export type Value = string | number

/** The present of the database's clock, to the second, as the statement begins. */
export const second = settings.isPostgres ? "DATE_TRUNC('second', STATEMENT_TIMESTAMP())" : 'NOW()'

let statements = 0

/** Writes a statement for the database that runs; placeholders are question marks. */
export function statement(text: string): Statement {
  let places = 0
  const numbered = settings.isPostgres ? text.replaceAll('?', () => `$${++places}`) : text
  return { name: `s${++statements}`, text: numbered }
}

/** Writes an INSERT that tells the id of its row. */
export function insertion(text: string): Statement {
  return statement(settings.isPostgres ? `${text} RETURNING id` : text)
}

/** Sends statements: each on a connection of the pool, or all on that of a transaction. */
export interface Session {
  all<Row>(statement: Statement, ...values: Value[]): Promise<Row[]>
  /** Returns the id of the new row. */
  insert(statement: Statement, ...values: Value[]): Promise<number>
  atomically<Result>(work: (session: Session) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

export async function first<Row>(session: Session, statement: Statement, ...values: Value[]): Promise<Row | undefined> {
  const [row] = await session.all<Row>(statement, ...values)
  return row
}

class PostgresSession implements Session {
  constructor(
    private readonly pool: pg.Pool,
    private readonly client: pg.Pool | pg.PoolClient = pool,
  ) {}

  async all<Row>(statement: Statement, ...values: Value[]): Promise<Row[]> {
    const { rows } = await this.client.query({ ...statement, values })
    return rows as Row[]
  }

  async insert(statement: Statement, ...values: Value[]): Promise<number> {
    const [row] = await this.all<{ id: number }>(statement, ...values)
    return row!.id
  }

  async atomically<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect()
    let broken: Error | undefined
    try {
      await client.query('BEGIN')
      const result = await work(new PostgresSession(this.pool, client))
      await client.query('COMMIT')
      return result
    } catch (error) {
      await client.query('ROLLBACK').catch((fault: Error) => {
        broken = fault
      })
      throw error
    } finally {
      client.release(broken)
    }
  }

  close(): Promise<void> {
    return this.pool.end()
  }
}

class MariaDbSession implements Session {
  constructor(
    private readonly pool: mysql.Pool,
    private readonly client: mysql.Pool | mysql.PoolConnection = pool,
  ) {}

  async all<Row>(statement: Statement, ...values: Value[]): Promise<Row[]> {
    const [rows] = await this.client.execute(statement.text, values)
    return rows as Row[]
  }

  async insert(statement: Statement, ...values: Value[]): Promise<number> {
    const [result] = await this.client.execute<mysql.ResultSetHeader>(statement.text, values)
    return result.insertId
  }

  async atomically<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const client = await this.pool.getConnection()
    try {
      await client.beginTransaction()
      const result = await work(new MariaDbSession(this.pool, client))
      await client.commit()
      client.release()
      return result
    } catch (error) {
      await client.rollback().then(
        () => client.release(),
        () => client.destroy(),
      )
      throw error
    }
  }

  close(): Promise<void> {
    return this.pool.end()
  }
}

export function openSession(report: (error: Error) => void): Session {
  return settings.isPostgres ? new PostgresSession(openPostgres(report)) : new MariaDbSession(openMariaDb())
}
