package tierbench.auction.web;

import static tierbench.auction.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import java.util.List;
import tierbench.auction.data.Listing;
import tierbench.common.Link;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** All categories. */
final class BrowseCategories implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    List<Link> links =
        Listing.CATEGORIES.all(visit.session()).stream()
            .map(
                category ->
                    new Link(
                        "/auction/SearchItemsInCategory?category=%d&page=0&nbOfItems=20"
                            .formatted(category.id()),
                        category.name()))
            .toList();
    return PAGES.list("Categories", links);
  }
}
