from importlib import import_module

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from comments.forms import NewComment
from common.forms import read

store = import_module(f"comments.{settings.ACCESS}")


@require_GET
def list_comments(request: HttpRequest) -> HttpResponse:
    return render(request, "list_comments.html", {"comments": store.all_comments()})


@require_POST
def store_comment(request: HttpRequest) -> HttpResponse:
    comment = read(NewComment, request.POST)
    return render(request, "store_comment.html", {"comment": comment, "id": store.add(comment)})
