package tierbench.auction.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.Table;

@Entity
@Table(name = "old_items")
class OldItem extends AnyItem {}
