import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

const lifeInSeconds = 3600

const now = () => Math.floor(Date.now() / 1000)

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** Signs the tokens with which users show that they have logged in. */
export class TokenKey {
  constructor(private readonly key: string) {}

  sign(user: number): string {
    const claim = `${user}.${now() + lifeInSeconds}`
    return `${claim}.${this.signature(claim)}`
  }

  /** Returns the user of a token, unless it is forged or expired. */
  verify(token: string): number | undefined {
    const parts = /^(\d{1,9})\.(\d{1,12})\.([0-9a-f]{64})$/.exec(token)
    if (!parts) return undefined
    const [, user, expires, signature] = parts as unknown as [string, string, string, string]
    return isSame(signature, this.signature(`${user}.${expires}`)) && now() <= Number(expires) ? Number(user) : undefined
  }

  private signature(claim: string): string {
    return createHmac('sha256', this.key).update(claim).digest('hex')
  }
}

const passwordHash = (nickname: string, password: string) => createHash('sha256').update(`${nickname}:${password}`).digest('hex')

export const isPassword = (stored: string, nickname: string, password: string) => isSame(stored, passwordHash(nickname, password))

export { passwordHash }
