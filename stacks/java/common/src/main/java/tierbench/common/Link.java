package tierbench.common;

/** Where a page leads. */
public record Link(String href, String text) {}
