import { insertion, openSession, statement } from '../common/session.js'
import type { Comment, NewComment, Store } from './store.js'

const addComment = insertion('INSERT INTO comments (name, email, comment) VALUES (?, ?, ?)')
const allComments = statement('SELECT * FROM comments ORDER BY id')

/** Sends the statements of the specification. */
export function openSqlStore(report: (error: Error) => void): Store {
  const session = openSession(report)
  return {
    list: () => session.all<Comment>(allComments),
    add: ({ name, email, comment }: NewComment) => session.insert(addComment, name, email, comment),
    close: () => session.close(),
  }
}
