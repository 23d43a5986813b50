package tierbench.auction.web;

import static tierbench.auction.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.util.Set;
import tierbench.auction.ejb.Interactions;
import tierbench.auction.ejb.Told;
import tierbench.auction.rules.Comment;
import tierbench.auction.rules.Refusal;
import tierbench.common.web.Form;
import tierbench.common.web.Visit;
import tierbench.ejb.Beans;
import tierbench.ejb.Parcel;

/** Interactions that rate a seller. */
record Rating(Beans<Interactions> beans) {
  private static final Set<String> RATINGS = Set.of("-5", "-3", "0", "3", "5");

  JteModel putComment(Visit visit) {
    int id = visit.form().id("itemId");
    int to = visit.form().id("to");
    Credentials who = Credentials.read(visit.form());
    Told.Sold found =
        beans.ask(auction -> auction.putComment(id, to, who.nickname(), who.password())).content();
    return PAGES.putComment(found.item(), found.seller(), visit.tokenKey().sign(found.user()));
  }

  JteModel storeComment(Visit visit) {
    Comment comment = comment(visit);
    Told.RecordedComment recorded =
        beans.ask(auction -> auction.storeComment(new Parcel<>(comment))).content();
    return PAGES.storeComment(recorded.id(), comment, recorded.item());
  }

  private static Comment comment(Visit visit) {
    Form form = visit.form();
    int item = form.id("itemId");
    int to = form.id("to");
    String token = form.text("token", 100);
    int rating = Integer.parseInt(form.choice("rating", RATINGS));
    String text = form.text("comment", 2048);
    int from = visit.tokenKey().verify(token).orElseThrow(Refusal::wrongToken);
    return new Comment(from, to, item, rating, text);
  }
}
