package tierbench.auction.web;

import static tierbench.auction.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import tierbench.auction.ejb.Interactions;
import tierbench.auction.ejb.Told;
import tierbench.auction.rules.NewItem;
import tierbench.auction.rules.Refusal;
import tierbench.common.web.Form;
import tierbench.common.web.Visit;
import tierbench.ejb.Beans;
import tierbench.ejb.Parcel;

/** The way of an item to the auction. */
record Selling(Beans<Interactions> beans) {
  JteModel selectCategoryToSellItem(Visit visit) {
    Credentials who = Credentials.read(visit.form());
    Told.Seller found =
        beans
            .ask(auction -> auction.selectCategoryToSellItem(who.nickname(), who.password()))
            .content();
    return PAGES.selectCategoryToSellItem(found.categories(), visit.tokenKey().sign(found.user()));
  }

  JteModel sellItemForm(Visit visit) {
    String token = visit.form().text("token", 100);
    int category = visit.form().id("category");
    visit.tokenKey().verify(token).orElseThrow(Refusal::wrongToken);
    return PAGES.sellItemForm(
        category, beans.ask(auction -> auction.sellItemForm(category)), token);
  }

  JteModel registerItem(Visit visit) {
    String token = visit.form().text("token", 100);
    NewItem item = item(visit.form());
    int seller = visit.tokenKey().verify(token).orElseThrow(Refusal::wrongToken);
    Told.RecordedItem recorded =
        beans.ask(auction -> auction.registerItem(new Parcel<>(item), seller)).content();
    return PAGES.registerItem(
        recorded.id(), item, recorded.category(), recorded.start(), recorded.end());
  }

  private static NewItem item(Form form) {
    return new NewItem(
        form.id("category"),
        form.text("name", 100),
        form.text("description", 8192),
        form.money("initialPrice"),
        form.money("reservePrice"),
        form.money("buyNow"),
        form.whole("quantity", 1, 10),
        form.whole("duration", 1, 7));
  }
}
