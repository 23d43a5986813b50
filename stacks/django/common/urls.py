"""What is answered if no view answers."""

handler400 = "common.refusal.bad_request"
handler404 = "common.refusal.page_not_found"
handler500 = "common.refusal.server_error"
