package tierbench.auction.web;

import static tierbench.auction.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import java.util.List;
import tierbench.auction.data.Listing;
import tierbench.common.Link;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** All categories, for the search in one region. */
final class BrowseCategoriesInRegion implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    int region = visit.form().id("region");
    String name = Listing.REGIONS.name(visit.session(), region);
    List<Link> links =
        Listing.CATEGORIES.all(visit.session()).stream()
            .map(
                category ->
                    new Link(
                        "/auction/SearchItemsInRegion?category=%d&region=%d&page=0&nbOfItems=20"
                            .formatted(category.id(), region),
                        category.name()))
            .toList();
    return PAGES.list("Categories in " + name, links);
  }
}
