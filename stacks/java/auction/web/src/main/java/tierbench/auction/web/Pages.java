package tierbench.auction.web;

import tierbench.auction.pages.StaticTemplates;
import tierbench.auction.pages.Templates;

/** The compiled templates of all pages. */
final class Pages {
  static final Templates PAGES = new StaticTemplates();

  private Pages() {}
}
