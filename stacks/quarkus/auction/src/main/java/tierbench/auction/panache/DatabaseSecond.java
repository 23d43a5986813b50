package tierbench.auction.panache;

import static java.lang.annotation.ElementType.FIELD;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import java.util.EnumSet;
import org.hibernate.annotations.ValueGenerationType;
import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.PostgreSQLDialect;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.OnExecutionGenerator;

/**
 * The second in which the row was inserted, by the database's clock. Hibernate's own
 * CurrentTimestamp would be PostgreSQL's start of the transaction, before it waited for a lock.
 */
@ValueGenerationType(generatedBy = DatabaseSecond.Generator.class)
@Retention(RUNTIME)
@Target(FIELD)
@interface DatabaseSecond {
  class Generator implements OnExecutionGenerator {
    private static final long serialVersionUID = 1;

    @Override
    public boolean referenceColumnsInSql(Dialect dialect) {
      return true;
    }

    @Override
    public boolean writePropertyValue() {
      return false;
    }

    @Override
    public String[] getReferencedColumnValues(Dialect dialect) {
      boolean postgresql = dialect instanceof PostgreSQLDialect;
      return new String[] {postgresql ? "date_trunc('second', statement_timestamp())" : "now()"};
    }

    @Override
    public EnumSet<EventType> getEventTypes() {
      return EventTypeSets.INSERT_ONLY;
    }
  }
}
