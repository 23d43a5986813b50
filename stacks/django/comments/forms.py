from django.forms import Form

from common.forms import Email, Text


class NewComment(Form):
    name = Text(50)
    email = Email(80)
    comment = Text(2048)
