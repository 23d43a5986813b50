// Rows have the columns' names. Amounts and instants are texts, as the drivers give them.

export interface Named {
  id: number
  name: string
}

export interface User {
  id: number
  firstname: string
  lastname: string
  nickname: string
  email: string
  rating: number
  balance: string
  creation_date: string
  region: string
}

export interface NewUser {
  firstname: string
  lastname: string
  nickname: string
  email: string
  password: string
  region: number
}

export interface Item {
  id: number
  name: string
  description: string
  initial_price: string
  quantity: number
  reserve_price: string
  buy_now: string
  nb_of_bids: number
  max_bid: string | null
  start_date: string
  end_date: string
  seller: number
  category: number
  /** Whether bids were taken when the item was read. */
  open: boolean | number
}

export type Offered = Pick<Item, 'id' | 'initial_price' | 'quantity' | 'buy_now' | 'max_bid' | 'seller' | 'open'>

export type Topic = Pick<Item, 'id' | 'name' | 'seller'>

export type NewItem = Pick<
  Item,
  'name' | 'description' | 'initial_price' | 'quantity' | 'reserve_price' | 'buy_now' | 'seller' | 'category'
>

/** Amounts are in cents. */
export interface Bid {
  user: number
  item: number
  qty: number
  bid: number
  most: number
}

export interface Purchase {
  buyer: number
  item: number
  qty: number
}

export interface NewComment {
  from: number
  to: number
  item: number
  rating: number
  comment: string
}

export interface Affairs {
  user: User
  bids: object[]
  won: object[]
  bought: object[]
  selling: object[]
  sold: object[]
  comments: object[]
}

/** What is done within a transaction. */
export interface Transaction {
  lockForBid(item: number): Promise<Offered | undefined>
  lockForPurchase(item: number): Promise<Offered | undefined>
  /** Returns the bid of who would pay most. */
  leader(item: number): Promise<Bid | undefined>
  addBid(bid: Bid): Promise<number>
  raise(item: number, bids: number, price: number): Promise<void>
  addPurchase(purchase: Purchase): Promise<number>
  /** Takes copies from an item; with the last one its auction ends. */
  take(item: Offered, copies: number): Promise<void>
}

/** Keeps the rows. */
export interface Store {
  categories(): Promise<Named[]>
  regions(): Promise<Named[]>
  category(id: number): Promise<Named | undefined>
  region(id: number): Promise<Named | undefined>
  credentials(nickname: string): Promise<{ id: number; password: string } | undefined>
  profile(id: number): Promise<Pick<User, 'nickname' | 'rating' | 'creation_date'> | undefined>
  nickname(id: number): Promise<string>
  commentsAbout(user: number): Promise<object[]>
  affairs(user: number): Promise<Affairs>
  /** Returns a part of the open items of a category, perhaps in a region, those that end first on top. */
  openItems(category: number, region: number | undefined, size: number, skip: number): Promise<object[]>
  itemForSale(id: number): Promise<Item | undefined>
  itemOrOld(id: number): Promise<Item | undefined>
  itemTitle(id: number): Promise<Named | undefined>
  itemTopic(id: number): Promise<Topic | undefined>
  bidsOn(item: number): Promise<object[]>
  isTaken(nickname: string): Promise<boolean>
  register(user: NewUser): Promise<Pick<User, 'id' | 'creation_date'>>
  /** Stores an item, and takes the fee from its seller. */
  sell(item: NewItem, days: number): Promise<Pick<Item, 'id' | 'start_date' | 'end_date'>>
  /** Stores a comment, and adds to the rating of whom it is about. */
  comment(comment: NewComment): Promise<number>
  atomically<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}
