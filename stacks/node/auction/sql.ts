import { first, insertion, openSession, type Session, second, statement } from '../common/session.js'
import { amount, cents } from './money.js'
import type {
  Affairs,
  Bid,
  Item,
  Named,
  NewComment,
  NewItem,
  NewUser,
  Offered,
  Purchase,
  Store,
  Topic,
  Transaction,
  User,
} from './store.js'

const allCategories = statement('SELECT id, name FROM categories ORDER BY id')
const allRegions = statement('SELECT id, name FROM regions ORDER BY id')
const categoryName = statement('SELECT name FROM categories WHERE id = ?')
const regionName = statement('SELECT name FROM regions WHERE id = ?')

const userPassword = statement('SELECT id, password FROM users WHERE nickname = ?')
const userProfile = statement('SELECT nickname, rating, creation_date FROM users WHERE id = ?')
const userNickname = statement('SELECT nickname FROM users WHERE id = ?')
const userNamed = statement('SELECT id FROM users WHERE nickname = ?')
const userAdded = statement('SELECT creation_date FROM users WHERE id = ?')
const addUser =
  insertion(`INSERT INTO users (firstname, lastname, nickname, password, email, rating, balance, creation_date, region)
  VALUES (?, ?, ?, ?, ?, 0, 0, ${second}, ?)`)
const userComments = statement(`SELECT c.from_user_id, u.nickname, c.item_id, c.rating, c.date, c.comment
  FROM comments c JOIN users u ON u.id = c.from_user_id WHERE c.to_user_id = ? ORDER BY c.date DESC, c.id DESC`)

const facts = `SELECT name, description, initial_price, quantity, buy_now, nb_of_bids, max_bid, start_date, end_date, seller, category,
  end_date >= NOW() AS open`
const itemFacts = statement(`${facts} FROM items WHERE id = ?`)
const oldFacts = statement(`${facts} FROM old_items WHERE id = ?`)
const itemTitle = statement('SELECT name FROM items WHERE id = ?')
const oldTitle = statement('SELECT name FROM old_items WHERE id = ?')
const itemTopic = statement('SELECT name, seller FROM items WHERE id = ?')
const oldTopic = statement('SELECT name, seller FROM old_items WHERE id = ?')
const itemBids = statement(`SELECT b.user_id, u.nickname, b.bid, b.qty, b.date FROM bids b JOIN users u ON u.id = b.user_id
  WHERE b.item_id = ? ORDER BY b.date DESC, b.id DESC`)
const openInCategory = statement(`SELECT id, name, initial_price, max_bid, nb_of_bids, buy_now, end_date FROM items
  WHERE category = ? AND end_date >= NOW() ORDER BY end_date, id LIMIT ? OFFSET ?`)
const openInRegion = statement(`SELECT i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.buy_now, i.end_date
  FROM items i JOIN users u ON u.id = i.seller WHERE i.category = ? AND u.region = ? AND i.end_date >= NOW()
  ORDER BY i.end_date, i.id LIMIT ? OFFSET ?`)

// An interval is a literal, so each number of days has a statement.
const addItem = [0, 1, 2, 3, 4, 5, 6, 7].map((days) =>
  insertion(`INSERT INTO items (name, description, initial_price, quantity,
  reserve_price, buy_now, nb_of_bids, start_date, end_date, seller, category)
  VALUES (?, ?, ?, ?, ?, ?, 0, ${second}, ${second} + INTERVAL '${days}' DAY, ?, ?)`),
)
const takeFee = statement('UPDATE users SET balance = balance - 1.00 WHERE id = ?')
const itemAdded = statement('SELECT start_date, end_date FROM items WHERE id = ?')

const addComment = insertion(`INSERT INTO comments (from_user_id, to_user_id, item_id, rating, date, comment)
  VALUES (?, ?, ?, ?, ${second}, ?)`)
const rateUser = statement('UPDATE users SET rating = rating + ? WHERE id = ?')

const lockForBid = statement(`SELECT initial_price, quantity, max_bid, seller, end_date >= ${second} AS open FROM items
  WHERE id = ? FOR UPDATE`)
const lockForPurchase =
  statement(`SELECT initial_price, quantity, buy_now, max_bid, seller, end_date >= ${second} AS open FROM items
  WHERE id = ? FOR UPDATE`)
const leadingBid = statement('SELECT user_id, qty, max_bid FROM bids WHERE item_id = ? ORDER BY max_bid DESC, id LIMIT 1')
const addBid = insertion(`INSERT INTO bids (user_id, item_id, qty, bid, max_bid, date) VALUES (?, ?, ?, ?, ?, ${second})`)
const raiseItem = statement('UPDATE items SET nb_of_bids = nb_of_bids + ?, max_bid = ? WHERE id = ?')
const addPurchase = insertion(`INSERT INTO buy_now (buyer_id, item_id, qty, date) VALUES (?, ?, ?, ${second})`)
const takeCopies = statement('UPDATE items SET quantity = quantity - ? WHERE id = ?')
const takeAll = statement(`UPDATE items SET quantity = 0, end_date = ${second} - INTERVAL '1' SECOND WHERE id = ?`)

const ownUser = statement(`SELECT u.firstname, u.lastname, u.nickname, u.email, u.rating, u.balance, u.creation_date,
  r.name AS region FROM users u JOIN regions r ON r.id = u.region WHERE u.id = ?`)
const ownBids = statement(`SELECT i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.end_date, MAX(b.bid) AS own_bid,
  MAX(b.max_bid) AS own_most FROM bids b JOIN items i ON i.id = b.item_id WHERE b.user_id = ? AND i.end_date >= NOW()
  GROUP BY i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.end_date ORDER BY i.end_date, i.id`)
const ownWon =
  statement(`SELECT i.id, i.name, i.max_bid, i.end_date, i.seller, u.nickname FROM items i JOIN users u ON u.id = i.seller
  WHERE i.id IN (SELECT item_id FROM bids WHERE user_id = ?) AND i.end_date < NOW() AND i.quantity > 0
  AND i.max_bid >= i.reserve_price
  AND (SELECT b.user_id FROM bids b WHERE b.item_id = i.id ORDER BY b.max_bid DESC, b.id LIMIT 1) = ?
  ORDER BY i.end_date DESC, i.id DESC`)
const ownBought =
  statement(`SELECT p.id, p.item_id, p.qty, p.date, i.name, i.buy_now FROM buy_now p JOIN items i ON i.id = p.item_id
  WHERE p.buyer_id = ? AND p.date >= NOW() - INTERVAL '30' DAY
  UNION ALL
  SELECT p.id, p.item_id, p.qty, p.date, i.name, i.buy_now FROM buy_now p JOIN old_items i ON i.id = p.item_id
  WHERE p.buyer_id = ? AND p.date >= NOW() - INTERVAL '30' DAY
  ORDER BY date DESC, id DESC`)
const ownOpen = statement(`SELECT id, name, initial_price, quantity, reserve_price, buy_now, nb_of_bids, max_bid, end_date
  FROM items WHERE seller = ? AND end_date >= NOW() ORDER BY end_date, id`)
const ownClosed = statement(`SELECT id, name, quantity, reserve_price, max_bid, end_date FROM items
  WHERE seller = ? AND end_date < NOW() AND end_date >= NOW() - INTERVAL '30' DAY
  UNION ALL
  SELECT id, name, quantity, reserve_price, max_bid, end_date FROM old_items
  WHERE seller = ? AND end_date >= NOW() - INTERVAL '30' DAY
  ORDER BY end_date DESC, id DESC`)

class SqlTransaction implements Transaction {
  constructor(private readonly session: Session) {}

  lockForBid(item: number) {
    return this.lock(lockForBid, item)
  }

  lockForPurchase(item: number) {
    return this.lock(lockForPurchase, item)
  }

  private async lock(query: typeof lockForBid, id: number): Promise<Offered | undefined> {
    const item = await first<Omit<Offered, 'id'>>(this.session, query, id)
    return item && { id, ...item }
  }

  async leader(item: number): Promise<Bid | undefined> {
    const row = await first<{ user_id: number; qty: number; max_bid: string }>(this.session, leadingBid, item)
    return row && { user: row.user_id, item, qty: row.qty, bid: 0, most: cents(row.max_bid) }
  }

  addBid({ user, item, qty, bid, most }: Bid) {
    return this.session.insert(addBid, user, item, qty, amount(bid), amount(most))
  }

  async raise(item: number, bids: number, price: number) {
    await this.session.all(raiseItem, bids, amount(price), item)
  }

  addPurchase({ buyer, item, qty }: Purchase) {
    return this.session.insert(addPurchase, buyer, item, qty)
  }

  async take(item: Offered, copies: number) {
    if (copies === item.quantity) await this.session.all(takeAll, item.id)
    else await this.session.all(takeCopies, copies, item.id)
  }
}

/** Sends the statements of the auction's specification. */
class SqlStore implements Store {
  constructor(private readonly session: Session) {}

  categories() {
    return this.session.all<Named>(allCategories)
  }

  regions() {
    return this.session.all<Named>(allRegions)
  }

  category(id: number) {
    return this.byId<{ name: string }>(id, categoryName)
  }

  region(id: number) {
    return this.byId<{ name: string }>(id, regionName)
  }

  /** Reads a row by its id from the first of the tables that has it, and adds the id. */
  private async byId<Row>(id: number, ...queries: (typeof itemFacts)[]): Promise<(Row & { id: number }) | undefined> {
    for (const query of queries) {
      const row = await first<Row>(this.session, query, id)
      if (row) return { id, ...row }
    }
    return undefined
  }

  credentials(nickname: string) {
    return first<{ id: number; password: string }>(this.session, userPassword, nickname)
  }

  profile(id: number) {
    return first<User>(this.session, userProfile, id)
  }

  async nickname(id: number) {
    return (await first<User>(this.session, userNickname, id))!.nickname
  }

  commentsAbout(user: number) {
    return this.session.all<object>(userComments, user)
  }

  openItems(category: number, region: number | undefined, size: number, skip: number) {
    return region === undefined
      ? this.session.all<object>(openInCategory, category, size, skip)
      : this.session.all<object>(openInRegion, category, region, size, skip)
  }

  itemForSale(id: number) {
    return this.byId<Item>(id, itemFacts)
  }

  itemOrOld(id: number) {
    return this.byId<Item>(id, itemFacts, oldFacts)
  }

  itemTitle(id: number) {
    return this.byId<Named>(id, itemTitle, oldTitle)
  }

  itemTopic(id: number) {
    return this.byId<Topic>(id, itemTopic, oldTopic)
  }

  bidsOn(item: number) {
    return this.session.all<object>(itemBids, item)
  }

  async isTaken(nickname: string) {
    return (await first(this.session, userNamed, nickname)) !== undefined
  }

  async register(user: NewUser) {
    const { firstname, lastname, nickname, password, email, region } = user
    const id = await this.session.insert(addUser, firstname, lastname, nickname, password, email, region)
    return (await this.byId<User>(id, userAdded))!
  }

  async sell(item: NewItem, days: number) {
    const { name, description, initial_price, quantity, reserve_price, buy_now, seller, category } = item
    const id = await this.session.atomically(async (session) => {
      const values = [name, description, initial_price, quantity, reserve_price, buy_now, seller, category]
      const added = await session.insert(addItem[days]!, ...values)
      await session.all(takeFee, seller)
      return added
    })
    return (await this.byId<Item>(id, itemAdded))!
  }

  comment({ from, to, item, rating, comment }: NewComment) {
    return this.session.atomically(async (session) => {
      const id = await session.insert(addComment, from, to, item, rating, comment)
      await session.all(rateUser, rating, to)
      return id
    })
  }

  async affairs(user: number): Promise<Affairs> {
    const all = (query: typeof ownBids, ...values: number[]) => this.session.all<object>(query, ...values)
    return {
      user: (await this.byId<User>(user, ownUser))!,
      bids: await all(ownBids, user),
      won: await all(ownWon, user, user),
      bought: await all(ownBought, user, user),
      selling: await all(ownOpen, user),
      sold: await all(ownClosed, user, user),
      comments: await this.commentsAbout(user),
    }
  }

  atomically<Result>(work: (transaction: Transaction) => Promise<Result>) {
    return this.session.atomically((session) => work(new SqlTransaction(session)))
  }

  close() {
    return this.session.close()
  }
}

export const openSqlStore = (report: (error: Error) => void): Store => new SqlStore(openSession(report))
