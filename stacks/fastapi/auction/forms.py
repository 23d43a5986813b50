from typing import Annotated

from fastapi import Query

from common.forms import Count, Id, Money, Nickname, Parameters, email, text, whole

ItemId = Annotated[Id, Query(alias="itemId")]
PartNumber = Annotated[whole("0|[1-9][0-9]{0,5}"), Query(alias="page")]
PartSize = Annotated[whole("[1-9][0-9]?|100"), Query(alias="nbOfItems")]
Password = text(20)
Token = text(100)


class NewUser(Parameters):
    firstname: text(20)
    lastname: text(20)
    nickname: Nickname
    email: email(50)
    password: Password
    region: Id


class LogIn(Parameters):
    nickname: Nickname
    password: Password


class ItemLogIn(Parameters):
    item_id: Id
    nickname: Nickname
    password: Password


class CommentLogIn(Parameters):
    item_id: Id
    to: Id
    nickname: Nickname
    password: Password


class Order(Parameters):
    item_id: Id
    token: Token
    qty: Count


class Offer(Parameters):
    item_id: Id
    token: Token
    bid: Money
    max_bid: Money
    qty: Count


class NewComment(Parameters):
    item_id: Id
    to: Id
    token: Token
    rating: whole("-5|-3|0|3|5")
    comment: text(2048)


class CategoryChoice(Parameters):
    token: Token
    category: Id


class NewItem(Parameters):
    token: Token
    category: Id
    name: text(100)
    description: text(8192)
    initial_price: Money
    reserve_price: Money
    buy_now: Money
    quantity: whole("[1-9]|10")
    duration: whole("[1-7]")
