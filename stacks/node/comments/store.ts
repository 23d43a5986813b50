export interface NewComment {
  name: string
  email: string
  comment: string
}

export interface Comment extends NewComment {
  id: number
}

/** Keeps the comments. */
export interface Store {
  list(): Promise<Comment[]>
  /** Returns the id of the comment. */
  add(comment: NewComment): Promise<number>
  close(): Promise<void>
}
