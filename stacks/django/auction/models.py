from django.db import models

from auction.prices import Priced


class Money(models.DecimalField):
    def __init__(self, **options) -> None:
        super().__init__(**{"max_digits": 12, "decimal_places": 2} | options)


def reference(to: str | type[models.Model], column: str, **options) -> models.ForeignKey:
    """A foreign key that the database doesn't know."""
    return models.ForeignKey(to, models.DO_NOTHING, db_column=column, db_constraint=False, related_name="+", **options)


class Named(models.Model):
    id = models.AutoField(primary_key=True)

    class Meta:
        abstract = True
        managed = False

    def __str__(self) -> str:
        return self.name


class Category(Named):
    name = models.CharField(max_length=50)

    class Meta(Named.Meta):
        abstract = False
        db_table = "categories"


class Region(Named):
    name = models.CharField(max_length=25)

    class Meta(Named.Meta):
        abstract = False
        db_table = "regions"


class User(models.Model):
    id = models.AutoField(primary_key=True)
    firstname = models.CharField(max_length=20)
    lastname = models.CharField(max_length=20)
    nickname = models.CharField(max_length=20, unique=True)
    password = models.CharField(max_length=64)
    email = models.CharField(max_length=50)
    rating = models.IntegerField(default=0)
    balance = Money(default=0)
    creation_date = models.DateTimeField()
    region = reference(Region, "region")

    class Meta:
        db_table = "users"
        managed = False


class Offered(Priced, models.Model):
    """The columns of an item, in the table of those for sale as in that of old ones."""

    id = models.AutoField(primary_key=True)
    name = models.CharField(max_length=100)
    description = models.TextField()
    initial_price = Money()
    quantity = models.IntegerField()
    reserve_price = Money()
    buy_now = Money()
    nb_of_bids = models.IntegerField(default=0)
    max_bid = Money(null=True)
    start_date = models.DateTimeField()
    end_date = models.DateTimeField()
    seller = reference(User, "seller")
    category = reference(Category, "category")

    class Meta:
        abstract = True
        managed = False


class Item(Offered):
    class Meta(Offered.Meta):
        abstract = False
        db_table = "items"


class OldItem(Offered):
    class Meta(Offered.Meta):
        abstract = False
        db_table = "old_items"


class Bid(models.Model):
    id = models.AutoField(primary_key=True)
    user = reference(User, "user_id")
    item = models.ForeignKey(Item, models.DO_NOTHING, db_constraint=False, related_name="bids")
    qty = models.IntegerField()
    bid = Money()
    max_bid = Money()
    date = models.DateTimeField()

    class Meta:
        db_table = "bids"
        managed = False


class Comment(models.Model):
    id = models.AutoField(primary_key=True)
    from_user = reference(User, "from_user_id")
    to_user = reference(User, "to_user_id")
    item_id = models.IntegerField()
    rating = models.IntegerField()
    date = models.DateTimeField()
    comment = models.TextField()

    class Meta:
        db_table = "comments"
        managed = False


class Purchase(models.Model):
    id = models.AutoField(primary_key=True)
    buyer = reference(User, "buyer_id")
    item_id = models.IntegerField()
    qty = models.IntegerField()
    date = models.DateTimeField()

    class Meta:
        db_table = "buy_now"
        managed = False
