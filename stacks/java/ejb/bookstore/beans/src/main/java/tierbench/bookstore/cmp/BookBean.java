package tierbench.bookstore.cmp;

import java.io.Serial;
import java.math.BigDecimal;
import java.sql.Timestamp;
import java.util.List;
import tierbench.bookstore.entities.BookRow;
import tierbench.common.Money;
import tierbench.ejb.CmpEntity;
import tierbench.ejb.Parcel;

/** A book, with container-managed persistence. */
public abstract class BookBean extends CmpEntity<BookRow> {
  @Serial private static final long serialVersionUID = 1;

  public abstract Integer getId();

  public abstract void setId(Integer id);

  public abstract String getTitle();

  public abstract void setTitle(String title);

  public abstract Integer getAuthor();

  public abstract void setAuthor(Integer author);

  public abstract Timestamp getPublished();

  public abstract void setPublished(Timestamp published);

  public abstract String getPublisher();

  public abstract void setPublisher(String publisher);

  public abstract String getSubject();

  public abstract void setSubject(String subject);

  public abstract String getDescription();

  public abstract void setDescription(String description);

  public abstract Integer getRelated1();

  public abstract void setRelated1(Integer related1);

  public abstract Integer getRelated2();

  public abstract void setRelated2(Integer related2);

  public abstract Integer getRelated3();

  public abstract void setRelated3(Integer related3);

  public abstract Integer getRelated4();

  public abstract void setRelated4(Integer related4);

  public abstract Integer getRelated5();

  public abstract void setRelated5(Integer related5);

  public abstract String getThumbnail();

  public abstract void setThumbnail(String thumbnail);

  public abstract String getImage();

  public abstract void setImage(String image);

  public abstract BigDecimal getSuggestedPrice();

  public abstract void setSuggestedPrice(BigDecimal suggestedPrice);

  public abstract BigDecimal getPrice();

  public abstract void setPrice(BigDecimal price);

  public abstract Timestamp getAvailable();

  public abstract void setAvailable(Timestamp available);

  public abstract Integer getStock();

  public abstract void setStock(Integer stock);

  public abstract String getIsbn();

  public abstract void setIsbn(String isbn);

  public abstract Integer getPages();

  public abstract void setPages(Integer pages);

  public abstract String getBinding();

  public abstract void setBinding(String binding);

  public abstract String getSize();

  public abstract void setSize(String size);

  @Override
  public Parcel<BookRow> row() {
    return new Parcel<>(
        new BookRow(
            getId(),
            getTitle(),
            getAuthor(),
            getPublished().toLocalDateTime(),
            getPublisher(),
            getSubject(),
            getDescription(),
            List.of(getRelated1(), getRelated2(), getRelated3(), getRelated4(), getRelated5()),
            getThumbnail(),
            getImage(),
            Money.of(getSuggestedPrice()),
            Money.of(getPrice()),
            getAvailable().toLocalDateTime(),
            getStock(),
            getIsbn(),
            getPages(),
            getBinding(),
            getSize()));
  }

  @Override
  public void change(Parcel<BookRow> parcel) {
    BookRow row = parcel.content();
    if (row.stock() == getStock()) {
      publish(row);
    } else {
      setStock(row.stock());
    }
  }

  /** A book is published anew or sold, and never both at once. */
  private void publish(BookRow row) {
    setPublished(Timestamp.valueOf(row.published()));
    setPrice(row.price().toDecimal());
    setThumbnail(row.thumbnail());
    setImage(row.image());
    setRelated1(row.related().get(0));
    setRelated2(row.related().get(1));
    setRelated3(row.related().get(2));
    setRelated4(row.related().get(3));
    setRelated5(row.related().get(4));
  }
}
