export interface Link {
  href: string
  text: string
}

const headings: Record<number, string> = {
  400: 'Bad request',
  403: 'Access denied',
  404: 'Not found',
  409: 'Refused',
}

/** Why a request is refused. Its message is the text of the error page. */
export class Refusal extends Error {
  constructor(
    readonly statusCode: number,
    message: string,
    readonly onward?: Link,
  ) {
    super(message)
  }

  get heading(): string {
    return headings[this.statusCode] ?? (this.statusCode < 500 ? 'Bad request' : 'Internal error')
  }

  static unknown(what: string, id: number): Refusal {
    return new Refusal(404, `There is no ${what} ${id}.`)
  }

  static parameter(name: string): Refusal {
    return new Refusal(400, `The parameter ${name} is missing, repeated or malformed.`)
  }
}
