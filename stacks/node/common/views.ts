import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Eta } from 'eta'

export type View = (name: string, values: object) => string

/** Compiles all templates of a folder. They name each other with an @, and can call the helpers. */
export function compileViews(folder: string, helpers: object): View {
  const eta = new Eta()
  for (const file of readdirSync(folder)) {
    eta.loadTemplate(`@${basename(file, '.eta')}`, readFileSync(join(folder, file), 'utf8'))
  }
  return (name, values) => eta.render(`@${name}`, { ...helpers, ...values })
}
