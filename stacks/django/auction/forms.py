"""The forms. Their fields are called as the parameters are."""

from django.forms import Form

from common.forms import Count, Email, Id, Money, Nickname, Text, Whole


class LogIn(Form):
    nickname = Nickname()
    password = Text(20)


class NewUser(Form):
    firstname = Text(20)
    lastname = Text(20)
    nickname = Nickname()
    email = Email(50)
    password = Text(20)
    region = Id()


class Region(Form):
    region = Id()


class Part(Form):
    """A part of a list of items."""

    page = Whole("0|[1-9][0-9]{0,5}")
    nbOfItems = Whole("[1-9][0-9]?|100")


class CategoryPart(Part):
    category = Id()
    field_order = ["category"]


class RegionPart(CategoryPart):
    region = Id()
    field_order = ["category", "region"]


class User(Form):
    userId = Id()


class Item(Form):
    itemId = Id()


class Topic(Item):
    """What a comment is about: an item, and who sells it."""

    to = Id()


class ItemLogIn(Item, LogIn):
    field_order = ["itemId"]


class TopicLogIn(Topic, LogIn):
    field_order = ["itemId", "to"]


class Order(Item):
    token = Text(100)
    qty = Count()


class Offer(Item):
    token = Text(100)
    bid = Money()
    maxBid = Money()
    qty = Count()


class NewComment(Topic):
    token = Text(100)
    rating = Whole("-5|-3|0|3|5")
    comment = Text(2048)


class CategoryChoice(Form):
    token = Text(100)
    category = Id()


class NewItem(CategoryChoice):
    name = Text(100)
    description = Text(8192)
    initialPrice = Money()
    reservePrice = Money()
    buyNow = Money()
    quantity = Whole("[1-9]|10")
    duration = Whole("[1-7]")
