"""Pages for those who have an account, or want one."""

from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from auction import forms
from auction.identity import password_hash
from auction.rules import nickname_taken
from auction.site import store, user_of
from common.forms import read
from common.refusal import wrong_parameter


@require_POST
def register_user(request: HttpRequest) -> HttpResponse:
    user = read(forms.NewUser, request.POST)
    region, nickname = store.region(user["region"]), user["nickname"]
    if region is None:
        raise wrong_parameter("region")
    if store.is_taken(nickname):
        raise nickname_taken(nickname)
    try:
        added = store.register(user, password_hash(nickname, user["password"]))
    except IntegrityError as fault:  # somebody else was faster
        raise nickname_taken(nickname) from fault
    return render(request, "register_user.html", {"user": user, "added": added, "region": region})


@require_POST
def about_me(request: HttpRequest) -> HttpResponse:
    id = user_of(read(forms.LogIn, request.POST))
    values = {
        "user": store.owner(id),
        "bids": store.own_bids(id),
        "won": store.own_won(id),
        "bought": store.own_bought(id),
        "selling": store.own_open(id),
        "sold": store.own_closed(id),
        "comments": store.comments_about(id),
    }
    return render(request, "about_me.html", values)
