"""The comment page."""

from importlib import import_module
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request, Response

from comments.forms import NewComment
from common.settings import ACCESS
from common.site import Pages, build_site

Store = Annotated[object, Depends(import_module(f"comments.{ACCESS}").open_store)]

page = Pages("comments")
router = APIRouter(prefix="/comments")


@router.get("/ListComments")
def list_comments(request: Request, store: Store) -> Response:
    return page(request, "list_comments", comments=store.list())


@router.post("/StoreComment")
def store_comment(request: Request, store: Store, comment: Annotated[NewComment, Form()]) -> Response:
    return page(request, "store_comment", comment=comment, id=store.add(comment))


app = build_site(page, router)
