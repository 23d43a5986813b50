import mysql from 'mysql2/promise'
import pg from 'pg'
import { settings } from './settings.js'

/** Opens a pool of connections to PostgreSQL, which replaces those that the server has closed. */
export function openPostgres(report: (error: Error) => void): pg.Pool {
  // Instants are shown as they are stored.
  pg.types.setTypeParser(pg.types.builtins.TIMESTAMP, (text) => text)
  const pool = new pg.Pool({ ...settings.database, max: settings.poolSize })
  pool.on('error', report)
  return pool
}

/** Opens a pool of connections to MariaDB. */
export function openMariaDb(): mysql.Pool {
  const size = settings.poolSize
  return mysql.createPool({ ...settings.database, connectionLimit: size, maxIdle: size, dateStrings: true })
}

/** Whether a statement failed because a value that must be unique is there already. */
export function isDuplicate(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: unknown }
  return code === '23505' || code === 'ER_DUP_ENTRY' || (cause !== undefined && isDuplicate(cause))
}
