// Schemas of parameters. Lengths are in code points, as JSON Schema counts them. No text may have a NUL.

interface Parameter {
  type: 'string'
  pattern?: string
  minLength?: number
  maxLength?: number
  enum?: string[]
}

export const text = (most: number): Parameter => ({ type: 'string', minLength: 1, maxLength: most, pattern: '^[^\\u0000]*$' })

export const email = (most: number): Parameter => ({ ...text(most), pattern: '^[^\\u0000]*@[^\\u0000]*$' })

const matching = (pattern: string): Parameter => ({ type: 'string', pattern })

export const nickname = matching('^[A-Za-z0-9_.\\-]{1,20}$')

export const id = matching('^[1-9][0-9]{0,8}$')

export const count = matching('^(0|[1-9][0-9]{0,8})$')

export const money = matching('^[0-9]{1,10}(\\.[0-9]{1,2})?$')

export const whole = (pattern: string): Parameter => matching(`^(${pattern})$`)

export const choice = (...values: string[]): Parameter => ({ type: 'string', enum: values })

/** A form's schema. Its parameters are named to the user in this order, and all are required. */
export function form(properties: Record<string, Parameter>) {
  return { type: 'object', required: Object.keys(properties), properties }
}
