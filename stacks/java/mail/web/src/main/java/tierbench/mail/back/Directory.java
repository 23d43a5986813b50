package tierbench.mail.back;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPConnectionOptions;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.RDN;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A connection to the directory of all people, over LDAP. */
final class Directory implements Connection {
  private static final String[] ATTRIBUTES = {"employeeNumber", "uid", "givenName", "sn", "mail"};
  private static final int PATIENCE_MILLIS = 30_000;

  private final LDAPConnection connection;
  private final DN people;

  private Directory(LDAPConnection connection, DN people) {
    this.connection = connection;
    this.people = people;
  }

  /** Connects as nobody. */
  static Directory open(Place place) throws LDAPException {
    LDAPConnectionOptions options = new LDAPConnectionOptions();
    options.setConnectTimeoutMillis(PATIENCE_MILLIS);
    options.setResponseTimeoutMillis(PATIENCE_MILLIS);
    LDAPConnection connection = new LDAPConnection(options, place.host(), place.port());
    return new Directory(connection, new DN(place.people()));
  }

  /** Where the directory is, and below which entry people are. */
  record Place(String host, int port, String people) {}

  @Override
  public boolean isAlive() {
    return connection.isConnected();
  }

  @Override
  public void close() {
    connection.close();
  }

  /** Whether the directory lets somebody in, as whom it is asked from then on. */
  boolean logIn(Login login) throws LDAPException {
    DN name = new DN(new RDN("uid", login.nickname()), people);
    try {
      connection.bind(name.toString(), login.password());
      return true;
    } catch (LDAPException failure) {
      if (failure.getResultCode().equals(ResultCode.INVALID_CREDENTIALS)) {
        return false;
      }
      throw failure;
    }
  }

  Optional<Person> find(String nickname) throws LDAPException {
    return search(Filter.createEqualityFilter("uid", nickname)).stream().findFirst();
  }

  /** All whose last names begin so, in the order of their names and numbers. */
  List<Person> whoseNameBegins(String letter) throws LDAPException {
    return search(Filter.createSubInitialFilter("sn", letter)).stream()
        .sorted(Comparator.comparing(Person::lastname).thenComparing(Person::number))
        .toList();
  }

  private List<Person> search(Filter filter) throws LDAPException {
    return connection
        .search(people.toString(), SearchScope.ONE, filter, ATTRIBUTES)
        .getSearchEntries()
        .stream()
        .map(Directory::person)
        .toList();
  }

  private static Person person(SearchResultEntry entry) {
    return new Person(
        entry.getAttributeValueAsInteger("employeeNumber"),
        entry.getAttributeValue("uid"),
        entry.getAttributeValue("givenName"),
        entry.getAttributeValue("sn"),
        entry.getAttributeValue("mail"));
  }
}
