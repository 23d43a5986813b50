import { availableParallelism } from 'node:os'

function variable(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`The environment lacks ${name}.`)
  return value
}

const processes = variable('TIERBENCH_FACTOR_PROCESSES') === 'cores' ? availableParallelism() : 1

/** What the environment says. The pool's size is that of one process. */
export const settings = {
  host: variable('SITE_ADDRESS'),
  port: Number(variable('SITE_PORT')),
  folder: variable('SITE_FOLDER'),
  keepAliveTimeout: Number(variable('SITE_KEEP_ALIVE')),
  processes,
  tokenKey: variable('TIERBENCH_TOKEN_KEY'),
  access: variable('TIERBENCH_FACTOR_ACCESS'),
  isPostgres: variable('TIERBENCH_DB_SERVICE') === 'postgresql',
  database: {
    host: variable('TIERBENCH_DB_HOST'),
    port: Number(variable('TIERBENCH_DB_PORT')),
    database: variable('TIERBENCH_DB_NAME'),
    user: variable('TIERBENCH_DB_USER'),
    password: variable('TIERBENCH_DB_PASSWORD'),
  },
  poolSize: Math.max(1, Math.floor(Number(variable('TIERBENCH_FACTOR_POOL')) / processes)),
}
