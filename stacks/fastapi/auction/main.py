"""The auction."""

from auction import accounts, browsing, ordering, selling
from auction.site import page
from common.site import build_site

app = build_site(page, browsing.router, accounts.router, ordering.router, selling.router)
