"""Leaves the statements to Django's ORM."""

from datetime import timedelta

from django.db.models import F, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Now, TruncSecond
from django.db.models.lookups import GreaterThanOrEqual
from django.db.transaction import atomic

from auction import prices
from auction.models import Bid, Category, Comment, Item, Offered, OldItem, Purchase, Region, User

# The present of the database's clock, to the second, as the statement begins.
SECOND = TruncSecond(Now())
IS_OPEN = GreaterThanOrEqual(F("end_date"), SECOND)
MONTH = timedelta(days=30)


def categories() -> QuerySet[Category]:
    return Category.objects.order_by("id")


def regions() -> QuerySet[Region]:
    return Region.objects.order_by("id")


def category(id: int) -> Category | None:
    return Category.objects.filter(id=id).first()


def region(id: int) -> Region | None:
    return Region.objects.filter(id=id).first()


def credentials(nickname: str) -> User | None:
    return User.objects.filter(nickname=nickname).first()


def profile(id: int) -> User | None:
    return User.objects.filter(id=id).first()


def nickname(id: int) -> str:
    return User.objects.values_list("nickname", flat=True).get(id=id)


def comments_about(user: int) -> QuerySet[Comment]:
    comments = Comment.objects.filter(to_user=user).annotate(nickname=F("from_user__nickname"))
    return comments.order_by("-date", "-id")


def open_items() -> QuerySet[Item]:
    return Item.objects.filter(end_date__gte=SECOND).order_by("end_date", "id")


def items_in_category(category: int, size: int, skip: int) -> QuerySet[Item]:
    return open_items().filter(category=category)[skip : skip + size]


def items_in_region(category: int, region: int, size: int, skip: int) -> QuerySet[Item]:
    return open_items().filter(category=category, seller__region=region)[skip : skip + size]


def item_for_sale(id: int) -> Item | None:
    return Item.objects.annotate(open=IS_OPEN).filter(id=id).first()


def item_or_old(id: int) -> Offered | None:
    return item_for_sale(id) or OldItem.objects.annotate(open=IS_OPEN).filter(id=id).first()


item_title = item_topic = item_or_old


def bids_on(item: int) -> QuerySet[Bid]:
    return Bid.objects.filter(item=item).annotate(nickname=F("user__nickname")).order_by("-date", "-id")


def is_taken(nickname: str) -> bool:
    return User.objects.filter(nickname=nickname).exists()


def register(user: dict, password: str) -> User:
    values = user | {"password": password, "region_id": user["region"]}
    del values["region"]
    added = User.objects.create(creation_date=SECOND, **values)
    added.refresh_from_db(fields=["creation_date"])
    return added


def sell(item: dict, days: int) -> Item:
    with atomic():
        added = Item.objects.create(start_date=SECOND, end_date=SECOND + timedelta(days=days), **item)
        User.objects.filter(id=added.seller_id).update(balance=F("balance") - prices.FEE)
    added.refresh_from_db(fields=["start_date", "end_date"])
    return added


def comment(author: int, to: int, item: int, rating: int, text: str) -> int:
    with atomic():
        added = Comment.objects.create(
            from_user_id=author, to_user_id=to, item_id=item, rating=rating, comment=text, date=SECOND
        )
        User.objects.filter(id=to).update(rating=F("rating") + rating)
    return added.id


def lock_for_bid(id: int) -> Item | None:
    return Item.objects.select_for_update().annotate(open=IS_OPEN).filter(id=id).first()


lock_for_purchase = lock_for_bid


def leader(item: Item) -> prices.Bid | None:
    """The bid of who would pay most."""
    bid = item.bids.order_by("-max_bid", "id").first()
    return bid and prices.Bid(user=bid.user_id, qty=bid.qty, bid=bid.bid, most=bid.max_bid)


def add_bids(item: Item, bids: list[prices.Bid]) -> int:
    """Adds bids, the last of which is the price. Returns the id of the first."""
    first, *_ = [
        item.bids.create(user_id=one.user, qty=one.qty, bid=one.bid, max_bid=one.most, date=SECOND) for one in bids
    ]
    Item.objects.filter(id=item.id).update(nb_of_bids=F("nb_of_bids") + len(bids), max_bid=bids[-1].bid)
    return first.id


def buy(item: Item, buyer: int, qty: int) -> int:
    """Adds a purchase. With the last copy of an item, its auction ends."""
    added = Purchase.objects.create(buyer_id=buyer, item_id=item.id, qty=qty, date=SECOND)
    end = {"end_date": SECOND - timedelta(seconds=1)} if qty == item.quantity else {}
    Item.objects.filter(id=item.id).update(quantity=F("quantity") - qty, **end)
    return added.id


def owner(user: int) -> User:
    return User.objects.select_related("region").get(id=user)


def own_bids(user: int) -> QuerySet[Item]:
    return open_items().filter(bids__user=user).annotate(own_bid=Max("bids__bid"), own_most=Max("bids__max_bid"))


def own_won(user: int) -> QuerySet[Item]:
    leaders = Bid.objects.filter(item=OuterRef("id")).order_by("-max_bid", "id").values("user")
    ended = Item.objects.filter(end_date__lt=SECOND, quantity__gt=0, max_bid__gte=F("reserve_price"))
    bid_on = ended.filter(id__in=Bid.objects.filter(user=user).values("item"))
    won = bid_on.annotate(leader=Subquery(leaders[:1]), nickname=F("seller__nickname")).filter(leader=user)
    return won.order_by("-end_date", "-id")


def own_bought(user: int) -> list[Purchase]:
    """The last month's purchases, each with its item."""
    purchases = list(Purchase.objects.filter(buyer=user, date__gte=SECOND - MONTH).order_by("-date", "-id"))
    wanted = {purchase.item_id for purchase in purchases}
    items = Item.objects.in_bulk(wanted)
    items |= OldItem.objects.in_bulk(wanted - items.keys())
    for purchase in purchases:
        item = items[purchase.item_id]
        purchase.name, purchase.buy_now = item.name, item.buy_now
    return purchases


def own_open(user: int) -> QuerySet[Item]:
    return open_items().filter(seller=user)


def own_closed(user: int) -> QuerySet[Item]:
    def closed(model: type[Offered]) -> QuerySet[Offered]:
        return model.objects.filter(seller=user, end_date__lt=SECOND, end_date__gte=SECOND - MONTH)

    return closed(Item).union(closed(OldItem), all=True).order_by("-end_date", "-id")
