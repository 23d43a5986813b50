package tierbench.ejb;

/** The homes of beans, by the beans' names. */
public interface Homes {
  <T> T home(String bean, Class<T> type);
}
