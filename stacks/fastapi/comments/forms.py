from common.forms import Parameters, email, text


class NewComment(Parameters):
    name: text(50)
    email: email(80)
    comment: text(2048)
