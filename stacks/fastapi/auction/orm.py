"""Leaves the statements to SQLAlchemy's ORM."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager

from sqlalchemy import Row, Select, func, literal_column, select, union_all, update
from sqlalchemy.orm import Session, contains_eager, joinedload, with_expression

from auction import prices
from auction.forms import NewComment, NewItem, NewUser
from auction.models import Bid, Category, Comment, Item, Offered, OldItem, Purchase, Region, User
from common.database import days, last_month, second
from common.orm import Sessions


class Store:
    def __init__(self, session: Session) -> None:
        self.session = session

    def all(self, query: Select) -> Sequence:
        return self.session.scalars(query).all()

    def transaction(self) -> AbstractContextManager:
        return self.session.begin()

    def categories(self) -> Sequence[Category]:
        return self.all(select(Category).order_by(Category.id))

    def regions(self) -> Sequence[Region]:
        return self.all(select(Region).order_by(Region.id))

    def category(self, id: int) -> Category | None:
        return self.session.get(Category, id)

    def region(self, id: int) -> Region | None:
        return self.session.get(Region, id)

    def credentials(self, nickname: str) -> User | None:
        return self.session.scalars(select(User).where(User.nickname == nickname)).one_or_none()

    def profile(self, id: int) -> User | None:
        return self.session.get(User, id)

    def nickname(self, id: int) -> str:
        return self.session.get_one(User, id).nickname

    def comments_about(self, user: int) -> Sequence[Comment]:
        query = select(Comment).where(Comment.to_user_id == user).options(joinedload(Comment.author, innerjoin=True))
        return self.all(query.order_by(Comment.date.desc(), Comment.id.desc()))

    def open_items(self, size: int, skip: int) -> Select:
        query = select(Item).where(Item.end_date >= func.now()).order_by(Item.end_date, Item.id)
        return query.limit(size).offset(skip)

    def items_in_category(self, category: int, size: int, skip: int) -> Sequence[Item]:
        return self.all(self.open_items(size, skip).where(Item.category == category))

    def items_in_region(self, category: int, region: int, size: int, skip: int) -> Sequence[Item]:
        query = self.open_items(size, skip).where(Item.category == category)
        return self.all(query.join(Item.owner).where(User.region_id == region))

    def item_for_sale(self, id: int) -> Item | None:
        return self.session.get(Item, id)

    def item_or_old(self, id: int) -> Offered | None:
        return self.session.get(Item, id) or self.session.get(OldItem, id)

    item_title = item_topic = item_or_old

    def bids_on(self, item: int) -> Sequence[Bid]:
        query = select(Bid).where(Bid.item_id == item).options(joinedload(Bid.bidder, innerjoin=True))
        return self.all(query.order_by(Bid.date.desc(), Bid.id.desc()))

    def is_taken(self, nickname: str) -> bool:
        return self.credentials(nickname) is not None

    def register(self, user: NewUser, password: str) -> User:
        values = user.model_dump(exclude={"password", "region"})
        added = User(**values, password=password, region_id=user.region)
        self.session.add(added)
        self.session.commit()
        return added

    def sell(self, item: NewItem, seller: int) -> Item:
        added = Item(**item.model_dump(exclude={"token", "duration"}), seller=seller)
        added.end_date = second() + days(item.duration)
        self.session.add(added)
        self.change(seller, balance=User.balance - prices.FEE)
        self.session.commit()
        return added

    def comment(self, comment: NewComment, author: int) -> int:
        values = comment.model_dump(include={"item_id", "rating", "comment"})
        added = Comment(**values, from_user_id=author, to_user_id=comment.to)
        self.session.add(added)
        self.change(comment.to, rating=User.rating + comment.rating)
        self.session.commit()
        return added.id

    def change(self, user: int, **values) -> None:
        """Calculates in the database, so that nobody's change is lost."""
        self.session.execute(
            update(User).where(User.id == user).values(values).execution_options(synchronize_session=False)
        )

    def lock_for_bid(self, id: int) -> Item | None:
        return self.session.get(Item, id, with_for_update=True)

    lock_for_purchase = lock_for_bid

    def leader(self, item: Item) -> prices.Bid | None:
        """The bid of who would pay most."""
        query = select(Bid).where(Bid.item_id == item.id).order_by(Bid.max_bid.desc(), Bid.id).limit(1)
        bid = self.session.scalars(query).one_or_none()
        return bid and prices.Bid(user=bid.user_id, qty=bid.qty, bid=bid.bid, most=bid.max_bid)

    def add_bids(self, item: Item, bids: list[prices.Bid]) -> int:
        """Adds bids, the last of which is the price. Returns the id of the first."""
        added = [Bid(user_id=one.user, item_id=item.id, qty=one.qty, bid=one.bid, max_bid=one.most) for one in bids]
        self.session.add_all(added)
        item.nb_of_bids += len(bids)
        item.max_bid = bids[-1].bid
        self.session.flush()
        return added[0].id

    def buy(self, item: Item, buyer: int, qty: int) -> int:
        """Adds a purchase. With the last copy of an item, its auction ends."""
        added = Purchase(buyer_id=buyer, item_id=item.id, qty=qty)
        self.session.add(added)
        item.quantity -= qty
        if item.quantity == 0:
            item.end_date = second() - literal_column("INTERVAL '1' SECOND")
        self.session.flush()
        return added.id

    def owner(self, user: int) -> User:
        return self.session.get_one(User, user, options=[joinedload(User.home, innerjoin=True)])

    def own_bids(self, user: int) -> Sequence[Item]:
        own = with_expression(Item.own_bid, func.max(Bid.bid)), with_expression(Item.own_most, func.max(Bid.max_bid))
        query = select(Item).options(*own).join(Bid, Bid.item_id == Item.id).group_by(Item.id)
        query = query.where(Bid.user_id == user, Item.end_date >= func.now())
        return self.all(query.order_by(Item.end_date, Item.id))

    def own_won(self, user: int) -> Sequence[Item]:
        bid_on = select(Bid.item_id).where(Bid.user_id == user)
        leader = select(Bid.user_id).where(Bid.item_id == Item.id).order_by(Bid.max_bid.desc(), Bid.id).limit(1)
        query = (
            select(Item)
            .join(Item.owner)
            .options(contains_eager(Item.owner))
            .where(
                Item.id.in_(bid_on),
                Item.end_date < func.now(),
                Item.quantity > 0,
                Item.max_bid >= Item.reserve_price,
                leader.scalar_subquery() == user,
            )
        )
        return self.all(query.order_by(Item.end_date.desc(), Item.id.desc()))

    def own_bought(self, user: int) -> Sequence[Row]:
        def bought(table: type[Offered]) -> Select:
            columns = Purchase.id, Purchase.item_id, Purchase.qty, Purchase.date, table.name, table.buy_now
            query = select(*columns).join(table, table.id == Purchase.item_id)
            return query.where(Purchase.buyer_id == user, Purchase.date >= last_month())

        both = union_all(bought(Item), bought(OldItem))
        columns = both.selected_columns
        return self.session.execute(both.order_by(columns.date.desc(), columns.id.desc())).all()

    def own_open(self, user: int) -> Sequence[Item]:
        query = select(Item).where(Item.seller == user, Item.end_date >= func.now())
        return self.all(query.order_by(Item.end_date, Item.id))

    def own_closed(self, user: int) -> list[Offered]:
        def closed(table: type[Offered]) -> Sequence[Offered]:
            ended = table.end_date < func.now(), table.end_date >= last_month()
            return self.all(select(table).where(table.seller == user, *ended))

        both = [*closed(Item), *closed(OldItem)]
        return sorted(both, key=lambda item: (item.end_date, item.id), reverse=True)


def open_store() -> Iterator[Store]:
    with Sessions() as session:
        yield Store(session)
