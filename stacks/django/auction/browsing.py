"""Pages for those who look around."""

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from auction import forms
from auction.site import store
from common.forms import read
from common.refusal import Link, found


@require_GET
def browse_categories(request: HttpRequest) -> HttpResponse:
    path = "/auction/SearchItemsInCategory?category={}&page=0&nbOfItems=20"
    return list_page(request, "Categories", store.categories(), path)


@require_GET
def browse_regions(request: HttpRequest) -> HttpResponse:
    return list_page(request, "Regions", store.regions(), "/auction/BrowseCategoriesInRegion?region={}")


@require_GET
def browse_categories_in_region(request: HttpRequest) -> HttpResponse:
    region = read(forms.Region, request.GET)["region"]
    name = found(store.region(region), "region", region).name
    path = f"/auction/SearchItemsInRegion?category={{}}&region={region}&page=0&nbOfItems=20"
    return list_page(request, f"Categories in {name}", store.categories(), path)


def list_page(request: HttpRequest, title: str, rows: Iterable, path: str) -> HttpResponse:
    links = [Link(path.format(row.id), row.name) for row in rows]
    return render(request, "list.html", {"title": title, "links": links})


@require_GET
def search_items_in_category(request: HttpRequest) -> HttpResponse:
    query = read(forms.CategoryPart, request.GET)
    category, size = query["category"], query["nbOfItems"]
    name = found(store.category(category), "category", category).name
    items = store.items_in_category(category, size, query["page"] * size)
    path = f"/auction/SearchItemsInCategory?category={category}"
    up = Link("/auction/BrowseCategories", "All categories")
    return render(request, "search.html", {"title": name, "up": up, **part(items, path, query)})


@require_GET
def search_items_in_region(request: HttpRequest) -> HttpResponse:
    query = read(forms.RegionPart, request.GET)
    category, region, size = query["category"], query["region"], query["nbOfItems"]
    name = found(store.category(category), "category", category).name
    region_name = found(store.region(region), "region", region).name
    items = store.items_in_region(category, region, size, query["page"] * size)
    path = f"/auction/SearchItemsInRegion?category={category}&region={region}"
    up = Link(f"/auction/BrowseCategoriesInRegion?region={region}", f"All categories in {region_name}")
    return render(request, "search.html", {"title": f"{name} in {region_name}", "up": up, **part(items, path, query)})


def part(items: Iterable, path: str, query: dict) -> dict:
    """What the page shows of a part of a list, with links to the parts beside it."""
    page, size = query["page"], query["nbOfItems"]

    def link(page: int) -> str:
        return f"{path}&page={page}&nbOfItems={size}"

    previous = link(page - 1) if page > 0 else None
    next = link(page + 1) if len(items) == size else None
    return {"items": items, "previous": previous, "next": next}


@require_GET
def view_item(request: HttpRequest) -> HttpResponse:
    id = read(forms.Item, request.GET)["itemId"]
    item = found(store.item_or_old(id), "item", id)
    return render(request, "view_item.html", {"item": item, "seller": store.nickname(item.seller_id)})


@require_GET
def view_user_info(request: HttpRequest) -> HttpResponse:
    id = read(forms.User, request.GET)["userId"]
    user = found(store.profile(id), "user", id)
    return render(request, "view_user_info.html", {"user": user, "comments": store.comments_about(id)})


@require_GET
def view_bid_history(request: HttpRequest) -> HttpResponse:
    id = read(forms.Item, request.GET)["itemId"]
    item = found(store.item_title(id), "item", id)
    return render(request, "view_bid_history.html", {"item": item, "bids": store.bids_on(id)})
