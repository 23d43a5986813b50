"""Leaves the statements to SQLAlchemy's ORM."""

from collections.abc import Iterator, Sequence

from sqlalchemy import String, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from comments.forms import NewComment
from common.orm import Base, Sessions


class Comment(Base):
    __tablename__ = "comments"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(50))
    email: Mapped[str] = mapped_column(String(80))
    comment: Mapped[str] = mapped_column(String(2048))


class Store:
    def __init__(self, session: Session) -> None:
        self.session = session

    def list(self) -> Sequence[Comment]:
        return self.session.scalars(select(Comment).order_by(Comment.id)).all()

    def add(self, new: NewComment) -> int:
        comment = Comment(**new.model_dump())
        self.session.add(comment)
        self.session.commit()
        return comment.id


def open_store() -> Iterator[Store]:
    with Sessions() as session:
        yield Store(session)
