package tierbench.auction.web;

import static tierbench.auction.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import java.util.List;
import tierbench.auction.data.Listing;
import tierbench.common.Link;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** All regions. */
final class BrowseRegions implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    List<Link> links =
        Listing.REGIONS.all(visit.session()).stream()
            .map(
                region ->
                    new Link(
                        "/auction/BrowseCategoriesInRegion?region=" + region.id(), region.name()))
            .toList();
    return PAGES.list("Regions", links);
  }
}
