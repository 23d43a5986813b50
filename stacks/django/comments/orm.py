"""Leaves the statements to Django's ORM."""

from django.db.models import QuerySet

from comments.models import Comment


def all_comments() -> QuerySet[Comment]:
    return Comment.objects.order_by("id")


def add(comment: dict) -> int:
    return Comment.objects.create(**comment).id
