"""Sends the statements of the specification."""

from collections.abc import Iterator
from contextlib import closing
from types import SimpleNamespace

from sqlalchemy import Row

from auction.forms import NewComment, NewItem, NewUser
from auction.prices import Bid, Priced
from common.core import Session
from common.database import SECOND

FACTS = """SELECT name, description, initial_price, quantity, buy_now, nb_of_bids, max_bid, start_date, end_date, seller,
    category, end_date >= NOW() AS open FROM {table} WHERE id = :id"""


class Item(Priced, SimpleNamespace):
    """What a statement has read of an item."""


class Store(Session):
    def categories(self) -> list[Row]:
        return self.all("SELECT id, name FROM categories ORDER BY id")

    def regions(self) -> list[Row]:
        return self.all("SELECT id, name FROM regions ORDER BY id")

    def category(self, id: int) -> Row | None:
        return self.first("SELECT name FROM categories WHERE id = :id", id=id)

    def region(self, id: int) -> Row | None:
        return self.first("SELECT name FROM regions WHERE id = :id", id=id)

    def credentials(self, nickname: str) -> Row | None:
        return self.first("SELECT id, password FROM users WHERE nickname = :nickname", nickname=nickname)

    def profile(self, id: int) -> Row | None:
        return self.first("SELECT nickname, rating, creation_date FROM users WHERE id = :id", id=id)

    def nickname(self, id: int) -> str:
        return self.execute("SELECT nickname FROM users WHERE id = :id", id=id).scalar_one()

    def comments_about(self, user: int) -> list[Row]:
        sql = """SELECT c.from_user_id, u.nickname, c.item_id, c.rating, c.date, c.comment FROM comments c
            JOIN users u ON u.id = c.from_user_id WHERE c.to_user_id = :user ORDER BY c.date DESC, c.id DESC"""
        return self.all(sql, user=user)

    def items(self, sql: str, **values) -> list[Item]:
        return [Item(**row) for row in self.execute(sql, **values).mappings()]

    def item(self, id: int, *statements: str) -> Item | None:
        """Reads an item by the first of the statements that finds it."""
        for sql in statements:
            row = self.execute(sql, id=id).mappings().first()
            if row is not None:
                return Item(id=id, **row)
        return None

    def items_in_category(self, category: int, size: int, skip: int) -> list[Item]:
        sql = """SELECT id, name, initial_price, max_bid, nb_of_bids, buy_now, end_date FROM items
            WHERE category = :category AND end_date >= NOW() ORDER BY end_date, id LIMIT :size OFFSET :skip"""
        return self.items(sql, category=category, size=size, skip=skip)

    def items_in_region(self, category: int, region: int, size: int, skip: int) -> list[Item]:
        sql = """SELECT i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.buy_now, i.end_date FROM items i
            JOIN users u ON u.id = i.seller WHERE i.category = :category AND u.region = :region AND i.end_date >= NOW()
            ORDER BY i.end_date, i.id LIMIT :size OFFSET :skip"""
        return self.items(sql, category=category, region=region, size=size, skip=skip)

    def item_for_sale(self, id: int) -> Item | None:
        return self.item(id, FACTS.format(table="items"))

    def item_or_old(self, id: int) -> Item | None:
        return self.item(id, FACTS.format(table="items"), FACTS.format(table="old_items"))

    def item_title(self, id: int) -> Item | None:
        return self.item(id, *(f"SELECT name FROM {table} WHERE id = :id" for table in ("items", "old_items")))

    def item_topic(self, id: int) -> Item | None:
        return self.item(id, *(f"SELECT name, seller FROM {table} WHERE id = :id" for table in ("items", "old_items")))

    def bids_on(self, item: int) -> list[Row]:
        sql = """SELECT b.user_id, u.nickname, b.bid, b.qty, b.date FROM bids b JOIN users u ON u.id = b.user_id
            WHERE b.item_id = :item ORDER BY b.date DESC, b.id DESC"""
        return self.all(sql, item=item)

    def is_taken(self, nickname: str) -> bool:
        return self.first("SELECT id FROM users WHERE nickname = :nickname", nickname=nickname) is not None

    def register(self, user: NewUser, password: str) -> Row:
        sql = f"""INSERT INTO users
            (firstname, lastname, nickname, password, email, rating, balance, creation_date, region)
            VALUES (:firstname, :lastname, :nickname, :password, :email, 0, 0, {SECOND}, :region)"""
        id = self.insert(sql, **user.model_dump() | {"password": password})
        return Item(id=id, **self.first("SELECT creation_date FROM users WHERE id = :id", id=id)._mapping)

    def sell(self, item: NewItem, seller: int) -> Item:
        sql = f"""INSERT INTO items (name, description, initial_price, quantity, reserve_price, buy_now, nb_of_bids,
            start_date, end_date, seller, category)
            VALUES (:name, :description, :initial_price, :quantity, :reserve_price, :buy_now, 0,
            {SECOND}, {SECOND} + INTERVAL '{item.duration}' DAY, :seller, :category)"""
        with self.transaction():
            id = self.insert(sql, seller=seller, **item.model_dump(exclude={"token", "duration"}))
            self.execute("UPDATE users SET balance = balance - 1.00 WHERE id = :seller", seller=seller)
        return self.item(id, "SELECT start_date, end_date FROM items WHERE id = :id")

    def comment(self, comment: NewComment, author: int) -> int:
        sql = f"""INSERT INTO comments (from_user_id, to_user_id, item_id, rating, date, comment)
            VALUES (:author, :to, :item_id, :rating, {SECOND}, :comment)"""
        with self.transaction():
            id = self.insert(sql, author=author, **comment.model_dump(exclude={"token"}))
            values = {"rating": comment.rating, "user": comment.to}
            self.execute("UPDATE users SET rating = rating + :rating WHERE id = :user", **values)
        return id

    def lock_for_bid(self, id: int) -> Item | None:
        sql = f"""SELECT initial_price, quantity, max_bid, seller, end_date >= {SECOND} AS open
            FROM items WHERE id = :id FOR UPDATE"""
        return self.item(id, sql)

    def lock_for_purchase(self, id: int) -> Item | None:
        sql = f"""SELECT initial_price, quantity, buy_now, max_bid, seller, end_date >= {SECOND} AS open
            FROM items WHERE id = :id FOR UPDATE"""
        return self.item(id, sql)

    def leader(self, item: Item) -> Bid | None:
        """The bid of who would pay most."""
        sql = "SELECT user_id, qty, max_bid FROM bids WHERE item_id = :item ORDER BY max_bid DESC, id LIMIT 1"
        row = self.first(sql, item=item.id)
        return row and Bid(user=row.user_id, qty=row.qty, bid=item.price, most=row.max_bid)

    def add_bids(self, item: Item, bids: list[Bid]) -> int:
        """Adds bids, the last of which is the price. Returns the id of the first."""
        sql = f"""INSERT INTO bids (user_id, item_id, qty, bid, max_bid, date)
            VALUES (:user, :item, :qty, :bid, :most, {SECOND})"""
        id, *_ = [self.insert(sql, item=item.id, **vars(bid)) for bid in bids]
        raised = "UPDATE items SET nb_of_bids = nb_of_bids + :bids, max_bid = :price WHERE id = :id"
        self.execute(raised, bids=len(bids), price=bids[-1].bid, id=item.id)
        return id

    def buy(self, item: Item, buyer: int, qty: int) -> int:
        """Adds a purchase. With the last copy of an item, its auction ends."""
        sql = f"INSERT INTO buy_now (buyer_id, item_id, qty, date) VALUES (:buyer, :item, :qty, {SECOND})"
        id = self.insert(sql, buyer=buyer, item=item.id, qty=qty)
        if qty == item.quantity:
            ended = f"UPDATE items SET quantity = 0, end_date = {SECOND} - INTERVAL '1' SECOND WHERE id = :id"
            self.execute(ended, id=item.id)
        else:
            self.execute("UPDATE items SET quantity = quantity - :qty WHERE id = :id", qty=qty, id=item.id)
        return id

    def owner(self, user: int) -> Row:
        sql = """SELECT u.firstname, u.lastname, u.nickname, u.email, u.rating, u.balance, u.creation_date,
            r.name AS region FROM users u JOIN regions r ON r.id = u.region WHERE u.id = :user"""
        return self.first(sql, user=user)

    def own_bids(self, user: int) -> list[Item]:
        sql = """SELECT i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.end_date, MAX(b.bid) AS own_bid,
            MAX(b.max_bid) AS own_most FROM bids b JOIN items i ON i.id = b.item_id
            WHERE b.user_id = :user AND i.end_date >= NOW()
            GROUP BY i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.end_date ORDER BY i.end_date, i.id"""
        return self.items(sql, user=user)

    def own_won(self, user: int) -> list[Row]:
        sql = """SELECT i.id, i.name, i.max_bid, i.end_date, i.seller, u.nickname FROM items i
            JOIN users u ON u.id = i.seller WHERE i.id IN (SELECT item_id FROM bids WHERE user_id = :user)
            AND i.end_date < NOW() AND i.quantity > 0 AND i.max_bid >= i.reserve_price
            AND (SELECT b.user_id FROM bids b WHERE b.item_id = i.id ORDER BY b.max_bid DESC, b.id LIMIT 1) = :user
            ORDER BY i.end_date DESC, i.id DESC"""
        return self.items(sql, user=user)

    def own_bought(self, user: int) -> list[Row]:
        sql = """SELECT p.id, p.item_id, p.qty, p.date, i.name, i.buy_now FROM buy_now p
            JOIN items i ON i.id = p.item_id WHERE p.buyer_id = :user AND p.date >= NOW() - INTERVAL '30' DAY
            UNION ALL
            SELECT p.id, p.item_id, p.qty, p.date, i.name, i.buy_now FROM buy_now p
            JOIN old_items i ON i.id = p.item_id WHERE p.buyer_id = :user AND p.date >= NOW() - INTERVAL '30' DAY
            ORDER BY date DESC, id DESC"""
        return self.all(sql, user=user)

    def own_open(self, user: int) -> list[Item]:
        sql = """SELECT id, name, initial_price, quantity, reserve_price, buy_now, nb_of_bids, max_bid, end_date
            FROM items WHERE seller = :user AND end_date >= NOW() ORDER BY end_date, id"""
        return self.items(sql, user=user)

    def own_closed(self, user: int) -> list[Item]:
        sql = """SELECT id, name, quantity, reserve_price, max_bid, end_date FROM items
            WHERE seller = :user AND end_date < NOW() AND end_date >= NOW() - INTERVAL '30' DAY
            UNION ALL
            SELECT id, name, quantity, reserve_price, max_bid, end_date FROM old_items
            WHERE seller = :user AND end_date >= NOW() - INTERVAL '30' DAY
            ORDER BY end_date DESC, id DESC"""
        return self.items(sql, user=user)


def open_store() -> Iterator[Store]:
    with closing(Store()) as store:
        yield store
