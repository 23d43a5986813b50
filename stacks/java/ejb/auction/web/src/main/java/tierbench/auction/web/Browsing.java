package tierbench.auction.web;

import static tierbench.auction.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.util.List;
import tierbench.auction.ejb.Interactions;
import tierbench.auction.ejb.Told;
import tierbench.auction.rules.Named;
import tierbench.common.Link;
import tierbench.common.web.Visit;
import tierbench.ejb.Beans;

/** Interactions that need no log-in. */
record Browsing(Beans<Interactions> beans) {
  JteModel browseCategories(Visit visit) {
    Told.Names names = beans.ask(Interactions::browseCategories).content();
    String search = "/auction/SearchItemsInCategory?category=%d&page=0&nbOfItems=20";
    return PAGES.list("Categories", links(names.all(), search));
  }

  JteModel browseRegions(Visit visit) {
    Told.Names names = beans.ask(Interactions::browseRegions).content();
    return PAGES.list("Regions", links(names.all(), "/auction/BrowseCategoriesInRegion?region=%d"));
  }

  JteModel browseCategoriesInRegion(Visit visit) {
    int region = visit.form().id("region");
    Told.OfRegion found = beans.ask(auction -> auction.browseCategoriesInRegion(region)).content();
    String search =
        "/auction/SearchItemsInRegion?category=%%d&region=%d&page=0&nbOfItems=20".formatted(region);
    return PAGES.list("Categories in " + found.region(), links(found.categories(), search));
  }

  private static List<Link> links(List<Named> names, String address) {
    return names.stream().map(name -> new Link(address.formatted(name.id()), name.name())).toList();
  }

  JteModel searchItemsInCategory(Visit visit) {
    int category = visit.form().id("category");
    Paging paging = Paging.read(visit.form());
    Told.Found found =
        beans
            .ask(auction -> auction.searchItemsInCategory(category, paging.before(), paging.size()))
            .content();
    String search = "/auction/SearchItemsInCategory?category=" + category;
    return PAGES.search(
        found.category(),
        found.items(),
        paging.previous(search),
        paging.next(search, found.items().size()),
        new Link("/auction/BrowseCategories", "All categories"));
  }

  JteModel searchItemsInRegion(Visit visit) {
    int category = visit.form().id("category");
    int region = visit.form().id("region");
    Paging paging = Paging.read(visit.form());
    Told.FoundInRegion found =
        beans
            .ask(
                auction ->
                    auction.searchItemsInRegion(category, region, paging.before(), paging.size()))
            .content();
    String search =
        "/auction/SearchItemsInRegion?category=%d&region=%d".formatted(category, region);
    return PAGES.search(
        found.category() + " in " + found.region(),
        found.items(),
        paging.previous(search),
        paging.next(search, found.items().size()),
        new Link(
            "/auction/BrowseCategoriesInRegion?region=" + region,
            "All categories in " + found.region()));
  }

  JteModel viewItem(Visit visit) {
    int id = visit.form().id("itemId");
    Told.ItemOfSeller found = beans.ask(auction -> auction.viewItem(id)).content();
    return PAGES.viewItem(found.item(), found.seller());
  }

  JteModel viewUserInfo(Visit visit) {
    int id = visit.form().id("userId");
    Told.User found = beans.ask(auction -> auction.viewUserInfo(id)).content();
    return PAGES.viewUserInfo(found.user(), found.remarks());
  }

  JteModel viewBidHistory(Visit visit) {
    int id = visit.form().id("itemId");
    Told.History found = beans.ask(auction -> auction.viewBidHistory(id)).content();
    return PAGES.viewBidHistory(id, found.item(), found.bids());
  }
}
