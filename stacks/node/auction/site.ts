import type { FastifyInstance } from 'fastify'
import { id, nickname, text } from '../common/forms.js'
import { Refusal } from '../common/refusal.js'
import { isPassword, type TokenKey } from './identity.js'
import { wrongLogIn, wrongToken } from './rules.js'
import type { Store } from './store.js'

export interface Site {
  app: FastifyInstance
  store: Store
  key: TokenKey
}

/** Parameters, as the schema of their form has let them through. */
export type Values<Name extends string> = Record<Name, string>

export const itemId = { itemId: id }

export const logIn = { nickname, password: text(20) }

export const token = { token: text(100) }

/** What was found, or a refusal. */
export async function found<Row>(row: Promise<Row | undefined>, what: string, id: number): Promise<Row> {
  const existing = await row
  if (existing === undefined) throw Refusal.unknown(what, id)
  return existing
}

/** The id of who logs in. */
export async function userOf({ store }: Site, { nickname, password }: Values<'nickname' | 'password'>): Promise<number> {
  const user = await store.credentials(nickname)
  if (!user || !isPassword(user.password, nickname, password)) throw wrongLogIn()
  return user.id
}

/** The id of a token's user. */
export function bearerOf({ key }: Site, { token }: Values<'token'>): number {
  const user = key.verify(token)
  if (user === undefined) throw wrongToken()
  return user
}
