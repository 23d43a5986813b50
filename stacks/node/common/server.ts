import cluster from 'node:cluster'
import { join } from 'node:path'
import formbody from '@fastify/formbody'
import files from '@fastify/static'
import closeWithGrace from 'close-with-grace'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify'
import { Refusal } from './refusal.js'
import { settings } from './settings.js'
import { compileViews } from './views.js'

declare module 'fastify' {
  interface FastifyReply {
    page(name: string, values: object): string
  }
}

type Routes = (app: FastifyInstance) => void

/** The first parameter, in the order of the schema, that breaks a rule of it. */
function wrongParameter(error: FastifyError, request: FastifyRequest): Refusal {
  const wrong = new Set(error.validation?.map(({ instancePath, params }) => params.missingProperty ?? instancePath.slice(1)))
  const { body, querystring } = request.routeOptions.schema ?? {}
  const schema = (error.validationContext === 'body' ? body : querystring) as { required: string[] }
  return Refusal.parameter(schema.required.find((name) => wrong.has(name)) ?? schema.required[0]!)
}

function refusalOf(error: FastifyError | Refusal, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error
  if (error.validation) return wrongParameter(error, request)
  if (error.statusCode !== undefined && error.statusCode < 500)
    return new Refusal(error.statusCode, 'This request can not be answered.')
  request.log.error(error)
  return new Refusal(500, 'Something went wrong here. Please try again later.')
}

async function start(name: string, helpers: object, routes: Routes): Promise<void> {
  const app = Fastify({
    logger: { level: 'warn' },
    keepAliveTimeout: settings.keepAliveTimeout,
    exposeHeadRoutes: false,
    // All errors are needed to name the first wrong parameter; a form has few.
    ajv: { customOptions: { allErrors: true } },
  })
  closeWithGrace({ delay: 8_000 }, async ({ err }) => {
    if (err) app.log.error(err)
    await app.close()
  })
  await app.register(formbody)
  await app.register(files, {
    root: join(settings.folder, 'static'),
    index: false,
    wildcard: false,
  })
  // The plugin names no charset for images, and its own headers go over those of `setHeaders`.
  app.addHook('onSend', async (_, reply) => {
    if (reply.getHeader('content-type') === 'image/svg+xml') reply.type('image/svg+xml; charset=utf-8')
  })
  const view = compileViews(join(settings.folder, name, 'templates'), helpers)
  app.decorateReply('page', function (template, values) {
    this.type('text/html; charset=utf-8')
    return view(template, values)
  })
  app.setErrorHandler((error: FastifyError | Refusal, request, reply) => {
    const refusal = refusalOf(error, request)
    return reply.code(refusal.statusCode).page('error', { refusal })
  })
  app.setNotFoundHandler((_, reply) => reply.code(404).page('error', { refusal: new Refusal(404, 'There is no such page.') }))
  routes(app)
  await app.listen({ host: settings.host, port: settings.port, backlog: 4096 })
}

/** Replaces workers that die, and passes TERM on. */
function supervise(): void {
  let stopping = false
  process.on('SIGTERM', () => {
    stopping = true
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM')
  })
  cluster.on('exit', () => {
    if (!stopping) cluster.fork()
  })
  for (let count = 0; count < settings.processes; count++) cluster.fork()
}

/** Serves an application, in one process or in one per core. Its templates can call the helpers. */
export async function serve(name: string, helpers: object, routes: Routes): Promise<void> {
  if (cluster.isPrimary && settings.processes > 1) supervise()
  else await start(name, helpers, routes)
}
