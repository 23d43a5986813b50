package tierbench.bookstore.web;

import tierbench.bookstore.pages.StaticTemplates;
import tierbench.bookstore.pages.Templates;

/** The compiled templates of all pages. */
final class Pages {
  static final Templates PAGES = new StaticTemplates();

  private Pages() {}
}
