// Sends the application's files, and one page from the database for everything else: server.js ADDRESS PORT FILES KEEP_ALIVE_MS.
import files from '@fastify/static'
import Fastify from 'fastify'
import mysql from 'mysql2/promise'
import pg from 'pg'

const [host, port, root, keepAlive] = process.argv.slice(2)
const at = (name) => process.env[`TIERBENCH_DB_${name}`]
const database = { host: at('HOST'), port: Number(at('PORT')), database: at('NAME'), user: at('USER'), password: at('PASSWORD') }

// Both databases describe themselves so.
const tables = `SELECT table_name AS name FROM information_schema.tables
  WHERE table_schema NOT IN ('information_schema', 'performance_schema', 'pg_catalog') ORDER BY table_name`

function openPool() {
  if (at('SERVICE') === 'mariadb') {
    const pool = mysql.createPool(database)
    return { query: async (text) => (await pool.query(text))[0], end: () => pool.end() }
  }
  const pool = new pg.Pool(database)
  pool.on('error', (error) => app.log.error(error))
  return { query: async (text) => (await pool.query(text)).rows, end: () => pool.end() }
}

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text) => text.replace(/[&<>"]/g, (c) => escapes[c])

const app = Fastify({ logger: { level: 'warn' }, keepAliveTimeout: Number(keepAlive) })
const pool = openPool()

// The folder mirrors URLs: FILES/comments/style.css is /comments/style.css.
await app.register(files, { root, index: false, wildcard: false })
// The plugin names no charset for images.
app.addHook('onSend', async (_, reply) => {
  if (reply.getHeader('content-type') === 'image/svg+xml') reply.type('image/svg+xml; charset=utf-8')
})
// Every body is taken, and none is read yet.
app.addContentTypeParser('*', { parseAs: 'string' }, async (_, body) => body)

app.setNotFoundHandler(async (_, reply) => {
  const names = (await pool.query(tables)).map(({ name }) => `<li>${escape(name)}</li>`)
  return reply.code(200).type('text/html; charset=utf-8').send(`<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>__STACK__</title></head>
<body><h1>__STACK__ answers</h1><p>The database has these tables:</p><ul>${names.join('')}</ul></body>
</html>
`)
})

process.on('SIGTERM', async () => {
  await app.close()
  await pool.end()
})
await app.listen({ host, port: Number(port) })
