package tierbench.auction.web;

import static tierbench.auction.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import java.util.List;
import tierbench.auction.data.Items;
import tierbench.auction.data.Listing;
import tierbench.auction.rules.FoundItem;
import tierbench.common.Link;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** A page of the open items of a category, those that end first on top. */
final class SearchItemsInCategory implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    int category = visit.form().id("category");
    Paging paging = Paging.read(visit.form());
    String name = Listing.CATEGORIES.name(visit.session(), category);
    List<FoundItem> items =
        Items.ofCategory(visit.session(), category, paging.before(), paging.size());
    String search = "/auction/SearchItemsInCategory?category=" + category;
    Link up = new Link("/auction/BrowseCategories", "All categories");
    return PAGES.search(
        name, items, paging.previous(search), paging.next(search, items.size()), up);
  }
}
