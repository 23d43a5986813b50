import { email, form, id, nickname, text } from '../common/forms.js'
import { isDuplicate } from '../common/pools.js'
import { Refusal } from '../common/refusal.js'
import { passwordHash } from './identity.js'
import { nicknameTaken } from './rules.js'
import { logIn, type Site, userOf, type Values } from './site.js'

const newUser = form({ firstname: text(20), lastname: text(20), nickname, email: email(50), password: text(20), region: id })

export function accounts(site: Site): void {
  const { app, store } = site

  app.post<{ Body: Values<'firstname' | 'lastname' | 'nickname' | 'email' | 'password' | 'region'> }>(
    '/auction/RegisterUser',
    { schema: { body: newUser } },
    async ({ body }, reply) => {
      const region = await store.region(Number(body.region))
      if (!region) throw Refusal.parameter('region')
      if (await store.isTaken(body.nickname)) throw nicknameTaken(body.nickname)
      const password = passwordHash(body.nickname, body.password)
      const added = await store.register({ ...body, password, region: region.id }).catch((error: unknown) => {
        throw isDuplicate(error) ? nicknameTaken(body.nickname) : error
      })
      return reply.page('register_user', { user: { ...body, rating: 0, balance: '0.00', ...added }, region })
    },
  )

  app.post<{ Body: Values<'nickname' | 'password'> }>(
    '/auction/AboutMe',
    { schema: { body: form(logIn) } },
    async ({ body }, reply) => reply.page('about_me', await store.affairs(await userOf(site, body))),
  )
}
