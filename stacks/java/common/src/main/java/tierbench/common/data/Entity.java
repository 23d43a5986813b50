package tierbench.common.data;

/** What some work reads and changes and nobody else may change meanwhile: a row of a table. */
public record Entity(String table, int id) {}
