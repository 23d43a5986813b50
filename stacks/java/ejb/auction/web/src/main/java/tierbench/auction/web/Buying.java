package tierbench.auction.web;

import static tierbench.auction.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import tierbench.auction.ejb.Interactions;
import tierbench.auction.ejb.Told;
import tierbench.auction.rules.Bid;
import tierbench.auction.rules.Purchase;
import tierbench.auction.rules.Refusal;
import tierbench.common.Money;
import tierbench.common.web.Form;
import tierbench.common.web.Visit;
import tierbench.ejb.Beans;
import tierbench.ejb.Parcel;

/** Interactions of buyers: bids, and purchases at once. */
record Buying(Beans<Interactions> beans) {
  JteModel buyNow(Visit visit) {
    int id = visit.form().id("itemId");
    Credentials who = Credentials.read(visit.form());
    Told.ForSale found =
        beans.ask(auction -> auction.buyNow(id, who.nickname(), who.password())).content();
    return PAGES.buyNow(found.item(), found.seller(), visit.tokenKey().sign(found.user()));
  }

  JteModel storeBuyNow(Visit visit) {
    Purchase purchase = purchase(visit);
    Told.RecordedPurchase recorded =
        beans.ask(auction -> auction.storeBuyNow(new Parcel<>(purchase))).content();
    return PAGES.storeBuyNow(recorded.id(), purchase.quantity(), recorded.item());
  }

  private static Purchase purchase(Visit visit) {
    Form form = visit.form();
    int item = form.id("itemId");
    String token = form.text("token", 100);
    int quantity = form.whole("qty", 0, 999_999_999);
    int buyer = visit.tokenKey().verify(token).orElseThrow(Refusal::wrongToken);
    return new Purchase(buyer, item, quantity);
  }

  JteModel putBid(Visit visit) {
    int id = visit.form().id("itemId");
    Credentials who = Credentials.read(visit.form());
    Told.ForSale found =
        beans.ask(auction -> auction.putBid(id, who.nickname(), who.password())).content();
    return PAGES.putBid(found.item(), found.seller(), visit.tokenKey().sign(found.user()));
  }

  JteModel storeBid(Visit visit) {
    Bid offer = offer(visit);
    Told.RecordedBid recorded =
        beans.ask(auction -> auction.storeBid(new Parcel<>(offer))).content();
    return PAGES.storeBid(recorded.id(), recorded.bidding());
  }

  private static Bid offer(Visit visit) {
    Form form = visit.form();
    int item = form.id("itemId");
    String token = form.text("token", 100);
    Money amount = form.money("bid");
    Money most = form.money("maxBid");
    int quantity = form.whole("qty", 0, 999_999_999);
    int user = visit.tokenKey().verify(token).orElseThrow(Refusal::wrongToken);
    return new Bid(user, item, amount, most, quantity);
  }
}
