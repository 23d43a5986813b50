package tierbench.common.data;

/** How connections are used, for those who watch the process. */
public interface ConnectionsMXBean {
  /** How many are lent now. */
  int getActive();

  /** How many there are. */
  int getLimit();

  /** How many requests wait for one. */
  int getWaiting();
}
