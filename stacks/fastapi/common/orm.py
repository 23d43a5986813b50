"""How objects are mapped by SQLAlchemy's ORM."""

from sqlalchemy.orm import DeclarativeBase, sessionmaker

from common.database import open_engine

Sessions = sessionmaker(open_engine(), expire_on_commit=False)


class Base(DeclarativeBase):
    pass
