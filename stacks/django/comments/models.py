from django.db import models


class Comment(models.Model):
    id = models.AutoField(primary_key=True)
    name = models.CharField(max_length=50)
    email = models.CharField(max_length=80)
    comment = models.CharField(max_length=2048)

    class Meta:
        db_table = "comments"
        managed = False
