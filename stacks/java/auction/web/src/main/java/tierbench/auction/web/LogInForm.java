package tierbench.auction.web;

import static tierbench.auction.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.util.ArrayList;
import java.util.List;
import tierbench.auction.pages.HiddenId;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** The form with which users log in for what they want to do with an item. It needs no database. */
final class LogInForm implements Interaction {
  private final String title;
  private final String action;
  private final List<String> more;

  /** A form that leads to an interaction, with more ids that go along with the item's. */
  LogInForm(String title, String interaction, String... more) {
    this.title = title;
    this.action = "/auction/" + interaction;
    this.more = List.of(more);
  }

  @Override
  public JteModel answer(Visit visit) {
    int item = visit.form().id("itemId");
    List<HiddenId> hidden = new ArrayList<>();
    hidden.add(new HiddenId("itemId", item));
    more.forEach(name -> hidden.add(new HiddenId(name, visit.form().id(name))));
    return PAGES.logIn(title, action, hidden, item);
  }
}
