import { email, form, text } from '../common/forms.js'
import { serve } from '../common/server.js'
import { settings } from '../common/settings.js'
import { openOrmStore } from './orm.js'
import { openSqlStore } from './sql.js'
import type { NewComment } from './store.js'

const newComment = form({ name: text(50), email: email(80), comment: text(2048) })

await serve('comments', {}, (app) => {
  const open = settings.access === 'drizzle' ? openOrmStore : openSqlStore
  const store = open((error) => app.log.warn(error))
  app.addHook('onClose', () => store.close())

  app.get('/comments/ListComments', async (_, reply) => reply.page('list_comments', { comments: await store.list() }))

  app.post<{ Body: NewComment }>('/comments/StoreComment', { schema: { body: newComment } }, async ({ body }, reply) =>
    reply.page('store_comment', { ...body, id: await store.add(body) }),
  )
})
