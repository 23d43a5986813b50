package tierbench.ejb;

/** Where the homes of beans are found, by their beans' names. */
public interface Homes {
  <T> T home(String bean, Class<T> type);
}
