package tierbench.mail.back;

/** A connection that may be kept for the next request that needs one like it. */
interface Connection {
  /** Whether the other side still answers, or at least hasn't hung up. */
  boolean isAlive();

  /** Hangs up; that this fails is nobody's concern any more. */
  void close();
}
