"""The tables, mapped to classes."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated

from sqlalchemy import DateTime, ForeignKey, Numeric, String, Text
from sqlalchemy.ext.associationproxy import AssociationProxy, association_proxy
from sqlalchemy.orm import Mapped, column_property, declared_attr, mapped_column, query_expression, relationship

from auction.prices import Priced
from common.database import second
from common.orm import Base

Key = Annotated[int, mapped_column(primary_key=True)]
Money = Annotated[Decimal, mapped_column(Numeric(12, 2))]
Instant = Annotated[datetime, mapped_column(DateTime)]
Now = Annotated[datetime, mapped_column(DateTime, default=second())]
UserKey = Annotated[int, mapped_column(ForeignKey("users.id"))]


class Category(Base):
    __tablename__ = "categories"

    id: Mapped[Key]
    name: Mapped[str] = mapped_column(String(50))


class Region(Base):
    __tablename__ = "regions"

    id: Mapped[Key]
    name: Mapped[str] = mapped_column(String(25))


class User(Base):
    __tablename__ = "users"

    id: Mapped[Key]
    firstname: Mapped[str] = mapped_column(String(20))
    lastname: Mapped[str] = mapped_column(String(20))
    nickname: Mapped[str] = mapped_column(String(20), unique=True)
    password: Mapped[str] = mapped_column(String(64))
    email: Mapped[str] = mapped_column(String(50))
    rating: Mapped[int] = mapped_column(default=0)
    balance: Mapped[Money] = mapped_column(default=0)
    creation_date: Mapped[Now]
    region_id: Mapped[int] = mapped_column("region", ForeignKey("regions.id"))
    home: Mapped[Region] = relationship()
    region: AssociationProxy[str] = association_proxy("home", "name")


class Offered(Priced):
    """The columns of an item, in the table of those for sale as in that of old ones."""

    id: Mapped[Key]
    name: Mapped[str] = mapped_column(String(100))
    description: Mapped[str] = mapped_column(Text)
    initial_price: Mapped[Money]
    quantity: Mapped[int]
    reserve_price: Mapped[Money]
    buy_now: Mapped[Money]
    nb_of_bids: Mapped[int] = mapped_column(default=0)
    max_bid: Mapped[Money | None]
    start_date: Mapped[Now]
    end_date: Mapped[Instant]
    seller: Mapped[UserKey]
    category: Mapped[int] = mapped_column(ForeignKey("categories.id"))

    @declared_attr
    def open(cls) -> Mapped[bool]:
        return column_property(cls.end_date >= second())

    @declared_attr
    def owner(cls) -> Mapped[User]:
        return relationship(User)

    @property
    def nickname(self) -> str:
        return self.owner.nickname


class Item(Offered, Base):
    __tablename__ = "items"

    # A user's highest bid, and the most that they would bid, if a query reads them.
    own_bid: Mapped[Money | None] = query_expression()
    own_most: Mapped[Money | None] = query_expression()


class OldItem(Offered, Base):
    __tablename__ = "old_items"


class Bid(Base):
    __tablename__ = "bids"

    id: Mapped[Key]
    user_id: Mapped[UserKey]
    item_id: Mapped[int] = mapped_column(ForeignKey("items.id"))
    qty: Mapped[int]
    bid: Mapped[Money]
    max_bid: Mapped[Money]
    date: Mapped[Now]
    bidder: Mapped[User] = relationship()
    nickname: AssociationProxy[str] = association_proxy("bidder", "nickname")


class Comment(Base):
    __tablename__ = "comments"

    id: Mapped[Key]
    from_user_id: Mapped[UserKey]
    to_user_id: Mapped[UserKey]
    item_id: Mapped[int]
    rating: Mapped[int]
    date: Mapped[Now]
    comment: Mapped[str] = mapped_column(Text)
    author: Mapped[User] = relationship(foreign_keys="Comment.from_user_id")
    nickname: AssociationProxy[str] = association_proxy("author", "nickname")


class Purchase(Base):
    __tablename__ = "buy_now"

    id: Mapped[Key]
    buyer_id: Mapped[UserKey]
    item_id: Mapped[int]
    qty: Mapped[int]
    date: Mapped[Now]
