"""Sends the statements of the specification."""

from types import SimpleNamespace

from django.db.transaction import atomic

from auction.prices import Bid, Priced
from common.database import SECOND, execute, fetch, first, insert, rows

FACTS = """SELECT name, description, initial_price, quantity, buy_now, nb_of_bids, max_bid, start_date, end_date, seller,
    category, end_date >= NOW() AS open FROM {table} WHERE id = %(id)s"""


class Item(Priced, SimpleNamespace):
    """What a statement has read of an item. The ids of other rows are called as Django's models call them."""

    @property
    def seller_id(self) -> int:
        return self.seller

    @property
    def category_id(self) -> int:
        return self.category


def items(sql: str, **values) -> list[Item]:
    return [Item(**row) for row in fetch(sql, **values)]


def item(id: int, *statements: str) -> Item | None:
    """Reads an item by the first of the statements that finds it."""
    for sql in statements:
        for row in fetch(sql, id=id):
            return Item(id=id, **row)
    return None


def categories() -> list[SimpleNamespace]:
    return rows("SELECT id, name FROM categories ORDER BY id")


def regions() -> list[SimpleNamespace]:
    return rows("SELECT id, name FROM regions ORDER BY id")


def category(id: int) -> SimpleNamespace | None:
    return first("SELECT name FROM categories WHERE id = %(id)s", id=id)


def region(id: int) -> SimpleNamespace | None:
    return first("SELECT name FROM regions WHERE id = %(id)s", id=id)


def credentials(nickname: str) -> SimpleNamespace | None:
    return first("SELECT id, password FROM users WHERE nickname = %(nickname)s", nickname=nickname)


def profile(id: int) -> SimpleNamespace | None:
    return first("SELECT nickname, rating, creation_date FROM users WHERE id = %(id)s", id=id)


def nickname(id: int) -> str:
    return first("SELECT nickname FROM users WHERE id = %(id)s", id=id).nickname


def comments_about(user: int) -> list[SimpleNamespace]:
    sql = """SELECT c.from_user_id, u.nickname, c.item_id, c.rating, c.date, c.comment FROM comments c
        JOIN users u ON u.id = c.from_user_id WHERE c.to_user_id = %(user)s ORDER BY c.date DESC, c.id DESC"""
    return rows(sql, user=user)


def items_in_category(category: int, size: int, skip: int) -> list[Item]:
    sql = """SELECT id, name, initial_price, max_bid, nb_of_bids, buy_now, end_date FROM items
        WHERE category = %(category)s AND end_date >= NOW() ORDER BY end_date, id LIMIT %(size)s OFFSET %(skip)s"""
    return items(sql, category=category, size=size, skip=skip)


def items_in_region(category: int, region: int, size: int, skip: int) -> list[Item]:
    sql = """SELECT i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.buy_now, i.end_date FROM items i
        JOIN users u ON u.id = i.seller
        WHERE i.category = %(category)s AND u.region = %(region)s AND i.end_date >= NOW()
        ORDER BY i.end_date, i.id LIMIT %(size)s OFFSET %(skip)s"""
    return items(sql, category=category, region=region, size=size, skip=skip)


def item_for_sale(id: int) -> Item | None:
    return item(id, FACTS.format(table="items"))


def item_or_old(id: int) -> Item | None:
    return item(id, FACTS.format(table="items"), FACTS.format(table="old_items"))


def item_title(id: int) -> Item | None:
    return item(id, *(f"SELECT name FROM {table} WHERE id = %(id)s" for table in ("items", "old_items")))


def item_topic(id: int) -> Item | None:
    return item(id, *(f"SELECT name, seller FROM {table} WHERE id = %(id)s" for table in ("items", "old_items")))


def bids_on(item: int) -> list[SimpleNamespace]:
    sql = """SELECT b.user_id, u.nickname, b.bid, b.qty, b.date FROM bids b JOIN users u ON u.id = b.user_id
        WHERE b.item_id = %(item)s ORDER BY b.date DESC, b.id DESC"""
    return rows(sql, item=item)


def is_taken(nickname: str) -> bool:
    return first("SELECT id FROM users WHERE nickname = %(nickname)s", nickname=nickname) is not None


def register(user: dict, password: str) -> SimpleNamespace:
    sql = f"""INSERT INTO users
        (firstname, lastname, nickname, password, email, rating, balance, creation_date, region)
        VALUES (%(firstname)s, %(lastname)s, %(nickname)s, %(password)s, %(email)s, 0, 0, {SECOND}, %(region)s)"""
    id = insert(sql, **user | {"password": password})
    return SimpleNamespace(id=id, **fetch("SELECT creation_date FROM users WHERE id = %(id)s", id=id)[0])


def sell(new: dict, days: int) -> Item:
    sql = f"""INSERT INTO items (name, description, initial_price, quantity, reserve_price, buy_now, nb_of_bids,
        start_date, end_date, seller, category)
        VALUES (%(name)s, %(description)s, %(initial_price)s, %(quantity)s, %(reserve_price)s, %(buy_now)s, 0,
        {SECOND}, {SECOND} + INTERVAL '{days}' DAY, %(seller_id)s, %(category_id)s)"""
    with atomic():
        id = insert(sql, **new)
        execute("UPDATE users SET balance = balance - 1.00 WHERE id = %(seller_id)s", seller_id=new["seller_id"])
    return item(id, "SELECT start_date, end_date FROM items WHERE id = %(id)s")


def comment(author: int, to: int, item: int, rating: int, text: str) -> int:
    sql = f"""INSERT INTO comments (from_user_id, to_user_id, item_id, rating, date, comment)
        VALUES (%(author)s, %(to)s, %(item)s, %(rating)s, {SECOND}, %(text)s)"""
    with atomic():
        id = insert(sql, author=author, to=to, item=item, rating=rating, text=text)
        execute("UPDATE users SET rating = rating + %(rating)s WHERE id = %(to)s", rating=rating, to=to)
    return id


def lock_for_bid(id: int) -> Item | None:
    sql = f"""SELECT initial_price, quantity, max_bid, seller, end_date >= {SECOND} AS open
        FROM items WHERE id = %(id)s FOR UPDATE"""
    return item(id, sql)


def lock_for_purchase(id: int) -> Item | None:
    sql = f"""SELECT initial_price, quantity, buy_now, max_bid, seller, end_date >= {SECOND} AS open
        FROM items WHERE id = %(id)s FOR UPDATE"""
    return item(id, sql)


def leader(item: Item) -> Bid | None:
    """The bid of who would pay most."""
    sql = "SELECT user_id, qty, max_bid FROM bids WHERE item_id = %(item)s ORDER BY max_bid DESC, id LIMIT 1"
    row = first(sql, item=item.id)
    return row and Bid(user=row.user_id, qty=row.qty, bid=item.price, most=row.max_bid)


def add_bids(item: Item, bids: list[Bid]) -> int:
    """Adds bids, the last of which is the price. Returns the id of the first."""
    sql = f"""INSERT INTO bids (user_id, item_id, qty, bid, max_bid, date)
        VALUES (%(user)s, %(item)s, %(qty)s, %(bid)s, %(most)s, {SECOND})"""
    id, *_ = [insert(sql, item=item.id, **vars(bid)) for bid in bids]
    raised = "UPDATE items SET nb_of_bids = nb_of_bids + %(bids)s, max_bid = %(price)s WHERE id = %(id)s"
    execute(raised, bids=len(bids), price=bids[-1].bid, id=item.id)
    return id


def buy(item: Item, buyer: int, qty: int) -> int:
    """Adds a purchase. With the last copy of an item, its auction ends."""
    sql = f"INSERT INTO buy_now (buyer_id, item_id, qty, date) VALUES (%(buyer)s, %(item)s, %(qty)s, {SECOND})"
    id = insert(sql, buyer=buyer, item=item.id, qty=qty)
    if qty == item.quantity:
        ended = f"UPDATE items SET quantity = 0, end_date = {SECOND} - INTERVAL '1' SECOND WHERE id = %(id)s"
        execute(ended, id=item.id)
    else:
        execute("UPDATE items SET quantity = quantity - %(qty)s WHERE id = %(id)s", qty=qty, id=item.id)
    return id


def owner(user: int) -> SimpleNamespace:
    sql = """SELECT u.firstname, u.lastname, u.nickname, u.email, u.rating, u.balance, u.creation_date,
        r.name AS region FROM users u JOIN regions r ON r.id = u.region WHERE u.id = %(user)s"""
    return first(sql, user=user)


def own_bids(user: int) -> list[Item]:
    sql = """SELECT i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.end_date, MAX(b.bid) AS own_bid,
        MAX(b.max_bid) AS own_most FROM bids b JOIN items i ON i.id = b.item_id
        WHERE b.user_id = %(user)s AND i.end_date >= NOW()
        GROUP BY i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.end_date ORDER BY i.end_date, i.id"""
    return items(sql, user=user)


def own_won(user: int) -> list[Item]:
    sql = """SELECT i.id, i.name, i.max_bid, i.end_date, i.seller, u.nickname FROM items i
        JOIN users u ON u.id = i.seller WHERE i.id IN (SELECT item_id FROM bids WHERE user_id = %(user)s)
        AND i.end_date < NOW() AND i.quantity > 0 AND i.max_bid >= i.reserve_price
        AND (SELECT b.user_id FROM bids b WHERE b.item_id = i.id ORDER BY b.max_bid DESC, b.id LIMIT 1) = %(user)s
        ORDER BY i.end_date DESC, i.id DESC"""
    return items(sql, user=user)


def own_bought(user: int) -> list[SimpleNamespace]:
    sql = """SELECT p.id, p.item_id, p.qty, p.date, i.name, i.buy_now FROM buy_now p
        JOIN items i ON i.id = p.item_id WHERE p.buyer_id = %(user)s AND p.date >= NOW() - INTERVAL '30' DAY
        UNION ALL
        SELECT p.id, p.item_id, p.qty, p.date, i.name, i.buy_now FROM buy_now p
        JOIN old_items i ON i.id = p.item_id WHERE p.buyer_id = %(user)s AND p.date >= NOW() - INTERVAL '30' DAY
        ORDER BY date DESC, id DESC"""
    return rows(sql, user=user)


def own_open(user: int) -> list[Item]:
    sql = """SELECT id, name, initial_price, quantity, reserve_price, buy_now, nb_of_bids, max_bid, end_date
        FROM items WHERE seller = %(user)s AND end_date >= NOW() ORDER BY end_date, id"""
    return items(sql, user=user)


def own_closed(user: int) -> list[Item]:
    sql = """SELECT id, name, quantity, reserve_price, max_bid, end_date FROM items
        WHERE seller = %(user)s AND end_date < NOW() AND end_date >= NOW() - INTERVAL '30' DAY
        UNION ALL
        SELECT id, name, quantity, reserve_price, max_bid, end_date FROM old_items
        WHERE seller = %(user)s AND end_date >= NOW() - INTERVAL '30' DAY
        ORDER BY end_date DESC, id DESC"""
    return items(sql, user=user)
