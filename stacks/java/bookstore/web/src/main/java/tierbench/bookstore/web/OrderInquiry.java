package tierbench.bookstore.web;

import static tierbench.bookstore.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** The form to log in and see one's last order. It needs no database. */
final class OrderInquiry implements Interaction {
  @Override
  public JteModel answer(Visit visit) {
    return PAGES.orderInquiry(Given.read(visit.form()).open(visit.tokenKey()));
  }
}
