import type { FastifyInstance } from 'fastify'
import { serve } from '../common/server.js'
import { settings } from '../common/settings.js'
import { accounts } from './accounts.js'
import { browsing } from './browsing.js'
import { TokenKey } from './identity.js'
import { ordering } from './ordering.js'
import { openOrmStore } from './orm.js'
import { atOnce, leastBid, outcome, price } from './rules.js'
import { selling } from './selling.js'
import type { Site } from './site.js'
import { openSqlStore } from './sql.js'

await serve('auction', { atOnce, leastBid, outcome, price }, (app: FastifyInstance) => {
  const open = settings.access === 'drizzle' ? openOrmStore : openSqlStore
  const store = open((error) => app.log.warn(error))
  app.addHook('onClose', () => store.close())
  const site: Site = { app, store, key: new TokenKey(settings.tokenKey) }
  browsing(site)
  accounts(site)
  ordering(site)
  selling(site)
})
