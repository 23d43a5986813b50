"""Pages for those who look around."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from auction.forms import ItemId, PartNumber, PartSize
from auction.site import Store, page
from common.forms import Id
from common.refusal import Link, found

router = APIRouter(prefix="/auction")


@router.get("/BrowseCategories")
def browse_categories(request: Request, store: Store) -> Response:
    path = "/auction/SearchItemsInCategory?category={}&page=0&nbOfItems=20"
    return list_page(request, "Categories", store.categories(), path)


@router.get("/BrowseRegions")
def browse_regions(request: Request, store: Store) -> Response:
    return list_page(request, "Regions", store.regions(), "/auction/BrowseCategoriesInRegion?region={}")


@router.get("/BrowseCategoriesInRegion")
def browse_categories_in_region(request: Request, store: Store, region: Id) -> Response:
    name = found(store.region(region), "region", region).name
    path = f"/auction/SearchItemsInRegion?category={{}}&region={region}&page=0&nbOfItems=20"
    return list_page(request, f"Categories in {name}", store.categories(), path)


def list_page(request: Request, title: str, rows: list, path: str) -> Response:
    links = [Link(path.format(row.id), row.name) for row in rows]
    return page(request, "list", title=title, links=links)


@router.get("/SearchItemsInCategory")
def search_items_in_category(
    request: Request, store: Store, category: Id, number: PartNumber, size: PartSize
) -> Response:
    name = found(store.category(category), "category", category).name
    items = store.items_in_category(category, size, number * size)
    path = f"/auction/SearchItemsInCategory?category={category}"
    up = Link("/auction/BrowseCategories", "All categories")
    return part_page(request, items, path, number, size, title=name, up=up)


@router.get("/SearchItemsInRegion")
def search_items_in_region(
    request: Request, store: Store, category: Id, region: Id, number: PartNumber, size: PartSize
) -> Response:
    name = found(store.category(category), "category", category).name
    region_name = found(store.region(region), "region", region).name
    items = store.items_in_region(category, region, size, number * size)
    path = f"/auction/SearchItemsInRegion?category={category}&region={region}"
    up = Link(f"/auction/BrowseCategoriesInRegion?region={region}", f"All categories in {region_name}")
    return part_page(request, items, path, number, size, title=f"{name} in {region_name}", up=up)


def part_page(request: Request, items: list, path: str, number: int, size: int, **values) -> Response:
    """A part of a list, with links to the parts beside it."""

    def part(number: int) -> str:
        return f"{path}&page={number}&nbOfItems={size}"

    previous = part(number - 1) if number > 0 else None
    next = part(number + 1) if len(items) == size else None
    return page(request, "search", items=items, previous=previous, next=next, **values)


@router.get("/ViewItem")
def view_item(request: Request, store: Store, item_id: ItemId) -> Response:
    item = found(store.item_or_old(item_id), "item", item_id)
    return page(request, "view_item", item=item, seller=store.nickname(item.seller))


@router.get("/ViewUserInfo")
def view_user_info(request: Request, store: Store, user_id: Annotated[Id, Query(alias="userId")]) -> Response:
    user = found(store.profile(user_id), "user", user_id)
    return page(request, "view_user_info", user=user, comments=store.comments_about(user_id))


@router.get("/ViewBidHistory")
def view_bid_history(request: Request, store: Store, item_id: ItemId) -> Response:
    item = found(store.item_title(item_id), "item", item_id)
    return page(request, "view_bid_history", item=item, bids=store.bids_on(item_id))
