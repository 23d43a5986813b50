package tierbench.auction.pages;

/** An id that goes along with a form. */
public record HiddenId(String name, int value) {}
