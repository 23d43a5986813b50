from django.urls import path

from comments import views
from common.urls import handler400, handler404, handler500

__all__ = ["handler400", "handler404", "handler500"]

urlpatterns = [
    path("comments/ListComments", views.list_comments),
    path("comments/StoreComment", views.store_comment),
]
