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

/**
 * A page of the open items of a category whose sellers live in a region, those that end first on
 * top.
 */
final class SearchItemsInRegion implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    int category = visit.form().id("category");
    int region = visit.form().id("region");
    Paging paging = Paging.read(visit.form());
    String categoryName = Listing.CATEGORIES.name(visit.session(), category);
    String regionName = Listing.REGIONS.name(visit.session(), region);
    List<FoundItem> items =
        Items.ofRegion(visit.session(), category, region, paging.before(), paging.size());
    String search =
        "/auction/SearchItemsInRegion?category=%d&region=%d".formatted(category, region);
    Link up =
        new Link(
            "/auction/BrowseCategoriesInRegion?region=" + region,
            "All categories in " + regionName);
    String title = categoryName + " in " + regionName;
    return PAGES.search(
        title, items, paging.previous(search), paging.next(search, items.size()), up);
  }
}
